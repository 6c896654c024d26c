"""The commands that a letter may say, by a word or as typed in Discord, and what each may change."""

import re
from collections.abc import Sequence

from bot.commands import typed
from bot.commands.command import Group
from bot.commands.typed import TypedCommand
from bot.mail.orders import QUOTES
from bot.model.errors import BotError

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
    "host", "stand_in", "replace", "proxy", "invite",
)  # fmt: skip
NOT_BY_MAIL = {
    "me mail": "An address is linked by the reply link.",
    "me forget": "Not yet.",
    "game new": "The operator opens tables without Discord: stationmaster mail new.",
    "game join": "An invitation is answered with yes.",
    "game start": "A table without Discord starts when all players have accepted.",
    "game move": "It moves a table between channels of Discord.",
    "game fork": "Not yet.",
    "game export": "Not yet.",
    "game import": "Not yet.",
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
_TELLING_COMMANDS = (("game", "info"), ("game", "list"), ("me", "games"), ("auto", "list"))


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


def read_typed_command(groups: Sequence[Group], line: str) -> TypedCommand:
    """Return a command as typed with a slash; of those that concern others only what a letter may say.

    Raises:
        BotError: it is no such command.
    """
    group, name, *_ = *line.removeprefix("/").split(), "", ""
    if not (name in GAME_COMMANDS if group == "game" else group in GROUPS and f"{group} {name}" not in NOT_BY_MAIL):
        raise BotError(f"You can't use /{group[:20]} {name[:20]} by e-mail. Reply help for what you can do.")
    return typed.read_line(groups, line, from_afar=True)


def only_tells(order: str) -> bool:
    """Return whether an order changes nothing at all: it asks for a picture or for words."""
    word, _, rest = order.removeprefix("/").casefold().strip(" .!").partition(" ")
    name = rest.split(" ", maxsplit=1)[0]
    if "board" in (word, name):  # its addresses can be renewed and ended
        return order.casefold().strip(" .!").endswith("board")
    return word in _ONLY_TELL or (word, name) in _TELLING_COMMANDS


def changes_no_game(order: str) -> bool:
    """Return whether an order only tells something, or says how a person wishes to be written to."""
    word = order.removeprefix("/").removeprefix("me ").casefold().strip(" .!").partition(" ")[0]
    return only_tells(order) or word in _WISHES
