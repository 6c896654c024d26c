"""Buttons that only look: the pictures of a table, its log, and what needs a further word."""

from collections.abc import Sequence

from bot.model.records import Choice
from bot.screens.answer import Answer
from bot.screens.drawing import FILM, Film
from bot.screens.present import log_lines
from bot.screens.screen import Button, Menu, MenuOption, Screen, clip, rows_of
from bot.screens.wire import Control, number_of
from bot.service.table import Look
from engine import Picture

LOG_LINES = 15
PER_MENU = 25
MOST_LOG = 3500
MOST_WORDS = 100
_WHICH = {"company": "Which company?", "seat": "Which player?", "hex": "Which hex?"}


async def view(answer: Answer, control: Control) -> None:
    """Show a picture privately: what it is about stands in the control or was chosen in a menu."""
    await answer.acknowledge()
    picture, _, about = control.arg.partition(".")
    about = about or "".join(answer.values[:1])
    seen = await answer.services.table.look(control.game, answer.user, Look(picture, about))
    await answer.show(Screen(f"**{seen.title}**", (seen,)))


async def film(answer: Answer, control: Control) -> None:
    """Make the time-lapse of the game so far, a frame a round."""
    await answer.acknowledge()
    here = await answer.services.table.position(control.game)
    data = await answer.services.workers.once(FILM, Film(here.table.names, here.table.name), here.course)
    await answer.send(f"game-{control.game}.webp", data, f"**{here.table.name}**: the board after every round.")


async def log(answer: Answer, control: Control) -> None:
    """Show the last entries of the log before one, newest last."""
    await answer.acknowledge()
    here = await answer.services.table.position(control.game)
    end = here.version if (entry := number_of(control.arg)) is None else entry
    first = max(0, end - LOG_LINES)
    lines = log_lines([line for line in await answer.services.table.lines(here, first) if line.seq < end])
    words = "\n".join(lines) or "Nothing was played yet."
    earlier = Button("Earlier", Control(control.game, 0, "log", str(first)))
    rows = ((earlier,),) if first else ()
    await answer.show(Screen(f"**Log of “{here.table.name}”**\n{clip(words, MOST_LOG)}", rows=rows))


async def more(answer: Answer, control: Control) -> None:
    """Offer all there is to look at: every picture, of whom or what where it needs a word."""
    await answer.acknowledge()
    here = await answer.services.table.position(control.game)
    pictures = here.game.title.views.pictures
    plain = [Button(each.label, Control(control.game, 0, "view", each.name)) for each in pictures if not each.about]
    plain.append(Button("Time-lapse", Control(control.game, 0, "film")))
    menus = [
        _menu(control.game, each, await answer.services.table.subjects(control.game, each.about))
        for each in pictures
        if each.about
    ]
    words = "**Look further**\n-# /view at shows any past position, /rules search finds a rule, /game export is a file."
    await answer.show(Screen(words, menus=tuple(menu for menu in menus if menu.options), rows=rows_of(plain)))


def _menu(game: int, picture: Picture, subjects: Sequence[tuple[str, str]]) -> Menu:
    """Return the menu of what a picture can be about."""
    options = [Choice(value, words) for value, words in subjects]  # companies have their code in their words
    return Menu(
        f"{picture.label}: {_WHICH[picture.about].lower()}",
        Control(game, 0, "view", picture.name),
        tuple(MenuOption(clip(each.label, MOST_WORDS), each.value) for each in options[:PER_MENU]),
    )
