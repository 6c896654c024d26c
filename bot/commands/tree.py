"""The whole command tree, and how a reply is shown. A new command is one record in one of these groups."""

from bot.commands.act import build_act
from bot.commands.admin import build_admin
from bot.commands.auto import build_auto
from bot.commands.command import Group, Reply
from bot.commands.game import build_game
from bot.commands.me import build_me, build_stats
from bot.commands.rules import build_rules
from bot.commands.view import build_view
from bot.screens.answer import Answer
from bot.screens.open_desk import show_desk, show_outcome
from bot.screens.screen import Screen, clip
from engine.view import Note, View

MAX_REPLY_LENGTH = 3500


def build_tree() -> tuple[Group, ...]:
    """Return all groups, made from the titles."""
    return (
        build_game(),
        build_act(),
        build_view(),
        build_rules(),
        build_auto(),
        build_me(),
        build_stats(),
        build_admin(),
    )


async def reply_with(answer: Answer, reply: Reply) -> None:
    """Show a reply; what happened at the table is posted there anyway."""
    if reply.posted:
        await answer.dismiss()
    elif reply.desk and reply.game is not None:
        await show_desk(answer, reply.game)
    elif reply.files:
        name, data = reply.files[0]
        await answer.send_file(name, data, reply.text)
    elif reply.outcome is not None and reply.outcome.result is None:
        await show_outcome(answer, reply.outcome)
    else:
        await answer.show(make_screen(reply))


def make_screen(reply: Reply) -> Screen:
    """Return the screen of a reply: plain notes as words, everything else as pictures."""
    notes = [view for view in reply.views if isinstance(view, Note)]
    pictures: tuple[View, ...] = tuple(view for view in reply.views if not isinstance(view, Note))
    words = [reply.text] if reply.text else []
    words += ["\n".join([f"**{note.title}**", *note.lines]) for note in notes if not reply.text]
    words += [f"**{view.title}**" for view in pictures]
    return Screen(clip("\n".join(words), MAX_REPLY_LENGTH), pictures)
