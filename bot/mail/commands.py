"""The commands that a letter may say, by a word or as typed in Discord: what each may change, and running it."""

import re
from collections.abc import Sequence

from bot.commands import build_tree, typed
from bot.commands.command import Call, Group, Value
from bot.commands.typed import TypedCommand
from bot.mail.choices import QUOTES
from bot.model.errors import BotError
from bot.model.letters import Contact, Letter
from bot.model.plain import render_marks
from bot.model.records import Outcome, Person
from bot.screens.text import format_view
from bot.service.services import Services
from bot.service.table import Delivery
from engine import LogError, Record, RuleError, UnreadableLogError
from engine.view import MapView, MarketView, Network, Panels

HELP = (
    "Reply with the number of a choice, or in words; you can list several moves: best, pay, no train.\n"
    "map, market, table: show that picture · log: show what was played · games: list your tables\n"
    "report: show the report of a finished game again\n"
    "board: the table's page in a browser · board own: a page of your own\n"
    "why bid 5: explain why a move is refused · undo: take your move back · yes, no: answer a question\n"
    "snooze 4h, snooze tomorrow: pause reminders until then · away 5: go on vacation for 5 days\n"
    "remind digest:18: get one e-mail a day · remind quiet_from:22 quiet_to:8 zone:Europe/Berlin: set quiet hours\n"
    "#8 2: play choice 2 at your table 8, as a digest offers it\n"
    "most 150: let the bot bid up to 150 in an auction · auto list, auto clear: your standing orders\n"
    "if Bob bids over 50, pass; else bid 60: move on a condition; so too: if IOW < 100 buy IOW, else pass\n"
    "to Bob: hello · to all: hello: send a message; all below it belongs to it\n"
    "mute, unmute: get no messages, or get them again · mute all: turn them off at your table (host)\n"
    "stop: unsubscribe · start: subscribe again"
)
GROUPS = ("view", "rules", "learn", "me", "act", "auto", "stats")
GAME_COMMANDS = (
    "undo", "redo", "vote", "info", "list", "leave", "resign", "clock", "end", "close", "reopen", "rename", "kick",
    "host", "stand_in", "replace", "proxy", "invite", "new", "start", "fork", "export", "import",
)  # fmt: skip
NOT_BY_MAIL = {
    "me mail": "An address is linked by the reply link.",
    "game join": "An invitation is answered with yes.",
    "game move": "It moves a table between channels of Discord.",
    "league": "A season belongs to a Discord server, whose members it pairs.",
    "admin": "It is for the managers of a Discord server; an operator has the command line.",
}
"""The commands, or groups, that no mail can give, each with the reason."""
_COMMAND_OF_WORD = {
    "undo": ("game", "undo"), "redo": ("game", "redo"), "leave": ("game", "leave"), "status": ("game", "info"),
    "info": ("game", "info"), "yes": ("game", "vote"), "no": ("game", "vote"), "games": ("me", "games"),
    "style": ("me", "style"), "remind": ("me", "remind"), "quiet": ("me", "remind"), "away": ("me", "away"),
    "mute": ("me", "mute"), "unmute": ("me", "mute"), "rules": ("rules", "now"), "why": ("rules", "why"),
}  # fmt: skip
"""The commands that a word of a letter stands for; any other word is a picture."""
_ONLY_TELL = frozenset(
    ("help", "log", "report", "games", "why", "rules", "status", "info", "map", "market", "table", "show", "view")
)
_WISHES = frozenset(("stop", "start", "snooze", "away", "remind", "quiet", "style", "mute", "unmute"))
_TELLING_COMMANDS = (("game", "info"), ("game", "list"), ("game", "export"), ("me", "games"), ("auto", "list"))
_OWN_COMMANDS = (("game", "new"), ("game", "fork"), ("game", "import"), ("me", "forget"))
"""Commands that change nothing at the table whose letter is answered."""
_FLAGS = {True: "yes", False: "no"}
MAX_FILE_BYTES = 8_000_000
"""Of a file that goes with a letter; many mailboxes take no more than twice that, and base64 adds a third."""


class OrderDone(Record, frozen=True):
    """What became of one order: its words, the picture and the file it asked for.

    ``file``: the command that makes the file when the letter goes out. ``played``: it changed the game.
    ``game``: a table that it opened, 0 for none.
    """

    text: str
    picture: str = ""
    file: str = ""
    played: bool = False
    game: int = 0


def read_command(groups: Sequence[Group], word: str, rest: str) -> TypedCommand:
    """Return the command that a word of a letter stands for, with the values that follow it.

    Raises:
        BotError: there is no such picture, or a value is missing or cannot be read.
    """
    if word in ("show", "view"):
        word, _, rest = rest.partition(" ")
    if word == "auto":
        name, _, rest = rest.partition(" ")
        group, command = typed.find_command(groups, word, name.casefold().strip(".!"))
    else:
        group, command = typed.find_command(groups, *_COMMAND_OF_WORD.get(word, ("view", word)))
    if word == "rules":
        values = typed.check_values(group, command, {})
    elif word == "why":
        values = typed.check_values(group, command, {"move": rest.strip(QUOTES) if rest[:1] in QUOTES else rest})
    elif word in ("mute", "unmute"):
        whose = "yes" if rest.casefold().strip(" .!") in ("all", "table") else "no"
        values = typed.check_values(group, command, {"on": "yes" if word == "mute" else "no", "everyone": whose})
    elif word == "away":
        days, _, note = rest.partition(" ")
        values = typed.check_values(group, command, {"days": days or "7", **({"note": note} if note else {})})
    else:
        if word in ("yes", "no"):
            rest = f"{word} {rest}"
        elif group.name == "auto" and command.name in ("bid", "buy"):  # "auto bid P3 150", "auto buy IOW 50%"
            rest = typed.add_names(command, f"{command.name} {rest}").partition(" ")[2]
        elif command.name == "remind":
            rest = re.sub(r"\b([a-z_]+)[ =]+(?=[\w/+-]+(?:\s|$))", r"\1:", rest)  # "every 4" as "every:4"
        values = typed.read_values(group, command, rest, from_afar=True)
    return TypedCommand(group.name, command, values)


def read_typed_command(groups: Sequence[Group], line: str, attached: bytes = b"") -> TypedCommand:
    """Return a command as typed with a slash; of those that concern others only what a letter may say.

    Args:
        groups: all commands.
        line: the words.
        attached: the file that came with the letter.

    Raises:
        BotError: it is no such command.
    """
    group, name, *_ = *line.removeprefix("/").split(), "", ""
    if not (name in GAME_COMMANDS if group == "game" else group in GROUPS and f"{group} {name}" not in NOT_BY_MAIL):
        raise BotError(f"You can't use /{group[:20]} {name[:20]} by e-mail. Reply help for what you can do.")
    return typed.read_line(groups, line, from_afar=True, attached=attached)


def only_tells(order: str) -> bool:
    """Return whether an order changes nothing at all: it asks for a picture or for words."""
    word, _, rest = order.removeprefix("/").casefold().strip(" .!").partition(" ")
    name = rest.split(" ", maxsplit=1)[0]
    if "board" in (word, name):  # its addresses can be renewed and ended
        return order.casefold().strip(" .!").endswith("board")
    return word in _ONLY_TELL or (word, name) in _TELLING_COMMANDS


def changes_no_game(order: str) -> bool:
    """Return whether an order only tells something, or says how a person wishes to be written to."""
    said = order.removeprefix("/").casefold().strip(" .!")
    word = said.removeprefix("me ").partition(" ")[0]
    return only_tells(order) or word in _WISHES or tuple(said.split(maxsplit=2)[:2]) in _OWN_COMMANDS


def brings_file(order: str) -> bool:
    """Return whether an order is about the file that is attached to its mail."""
    return order.casefold().split()[:2] == ["/game", "import"]


async def run_command(services: Services, contact: Contact, game: int, said: TypedCommand, delivery: str) -> OrderDone:
    """Run a command; what it shows is told in words, and a picture of the table or a file goes with it.

    Raises:
        BotError, RuleError, WordingError: it is refused; nothing has changed.
    """
    person = Person(contact.user, contact.name)
    asks = said.command.name in ("replace", "proxy")
    values = {key: await _find_person(services, person, game, each, asks=asks) for key, each in said.values.items()}
    reply = await said.command.run(Call(services, person, values, game, delivery=Delivery(delivery)))
    opened = reply.game if reply.game not in (None, game) and "game" not in values else 0
    if reply.outcome is not None:
        sheet = [line for view in (reply.screen.pictures if reply.screen else ()) for line in ("", *format_view(view))]
        words = to_plain_words("\n".join([join_sentences(reply.outcome), *sheet]))
        return OrderDone(words, played=not opened, game=opened or 0)
    if any(len(data) > MAX_FILE_BYTES for _, data in reply.files):
        raise BotError(f"The file is larger than {MAX_FILE_BYTES // 1_000_000} MB, too large for an e-mail.")
    shows = said.group == "view"
    drawn = [view for view in reply.views if isinstance(view, MapView | MarketView | Network | Panels)]
    told = [reply.text] if reply.text else []
    for view in reply.views:
        told += [view.title] if shows and view in drawn else format_view(view)
    picture = said.command.name if drawn and shows else ""
    typed_so = (f'{key}:"{_FLAGS[value] if isinstance(value, bool) else value!s}"' for key, value in values.items())
    file = " ".join((f"/{said.group} {said.command.name}", *typed_so)) if reply.files else ""
    return OrderDone(to_plain_words("\n".join(told) or "Done."), picture, file, game=opened or 0)


async def fetch_file(services: Services, letter: Letter) -> tuple[str, bytes]:
    """Return the file that goes with a letter, made by its command as it is now; "" where there is none any more."""
    try:
        said = read_typed_command(build_tree(), letter.file)
        reply = await said.command.run(Call(services, Person(letter.user, ""), said.values, letter.game))
    except (BotError, RuleError, LogError, UnreadableLogError):
        return "", b""
    name, data = next(iter(reply.files), ("", b""))
    return (name, data) if len(data) <= MAX_FILE_BYTES else ("", b"")


async def _find_person(services: Services, asker: Person, game: int, value: Value, *, asks: bool) -> Value:
    """Return the person whom a name at the table, or the address of one they know, means; any other value as it is.

    An address that they don't know is asked whether its person wants to be offered a seat, if the command ``asks``.

    Raises:
        BotError: there is no such person, or they were asked; known or not, it says the same.
    """
    if not isinstance(value, Person):
        return value
    named = value.name.strip()
    if game:
        for seat in (await services.lobby.get_table(game)).seats:
            if seat.user and seat.name.casefold() == named.casefold():
                return Person(seat.user, seat.name)
    known = await services.hosting.find_acquaintance(game, asker.id, named)
    if known is not None:
        return known
    if asks and "@" in named:
        await services.hosting.introduce(game, asker.id, named)
        raise BotError(
            f"{named[:60]} is asked whether they want a seat here, at most once a week. When they have agreed, send "
            "this again."
        )
    raise BotError(f"“{named[:40]}” is neither a player of this table nor the address of someone you've played with.")


def to_plain_words(text: str) -> str:
    """Return words of the service as a letter shows them: commands as typed, no threads."""
    return render_marks(text, str, lambda _thread: "").replace(" ·  ·", " ·")


def join_sentences(done: Outcome) -> str:
    """Return what an outcome says, on one line."""
    return " ".join(done.sentences) or "Done."
