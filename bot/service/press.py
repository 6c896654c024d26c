"""What players say to each other across fronts: by letter to those who have an address, and in the table's thread.

A message is a notice of the table. Its host can turn messages off there, and a player can mute them.
"""

import re

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import HOUR
from bot.model.errors import BotError
from bot.model.plain import make_printable, replace_unkept
from bot.model.posts import Notice, Owed
from bot.model.records import Table
from bot.model.seating import join_names, refuse_guest
from bot.service.table import GameTable
from bot.store import games, leases, outbox
from engine import Record
from engine.words import join_words

MAX_MESSAGE_CHARACTERS = 1000
MAX_MESSAGES_AN_HOUR = 20
"""Of one player at one table."""
_ALL = frozenset(("", "all", "everyone", "everybody", "table"))
_JOINTS = re.compile(r"\s*(?:,|&|\band\b)\s*", re.IGNORECASE)
_RINGS = re.compile(r"(?<!\w)@(?=\w)|<(?=[@#:/a-z])", re.IGNORECASE)
"""Where Discord would mention a person, a role, a channel, a command or a moment."""


class Message(Record, frozen=True):
    """What a player says: to whom, by name, "all" for everyone; and the words."""

    to: str
    text: str


class Said(Record, frozen=True):
    """A message that may be sent: the post to owe, and what its writer is told."""

    owed: Owed
    told: str


class Press:
    """Messages between the players of a table."""

    def __init__(self, table: GameTable) -> None:
        self.database = table.database
        self.clock = table.clock

    async def write(self, game: int, user: str, message: Message, name: str) -> Said:
        """Return the post of a message, which the caller owes together with what it answers.

        Args:
            game: number of the table.
            user: who says it.
            message: to whom, and what.
            name: of the message; the same one again is sent once.

        Raises:
            BotError: the writer has no seat, the words are empty or too long, no player is called so, messages are
                off here, or there were too many.
        """
        async with self.database.reading() as session:
            return await self._write(session, await games.fetch(session, game), user, message, name)

    async def send(self, game: int, user: str, message: Message, name: str) -> str:
        """Send a message; return what its writer is told.

        Raises:
            BotError: see ``write``.
        """
        async with self.database.writing(game) as session:
            said = await self._write(session, await games.fetch(session, game), user, message, name)
            await outbox.owe(session, [said.owed], self.clock())
            return said.told

    async def _write(self, session: AsyncSession, table: Table, user: str, message: Message, name: str) -> Said:
        if user not in table.people:
            raise BotError(f"You have no seat at table #{table.id}.")
        if table.state == "closed" or await leases.read_note(session, _name_silence(table.id)):
            raise BotError(f"Messages are off at “{table.name}”.")
        text, now = tidy_message(message.text), self.clock()
        prefix = f"{table.id}:said:{table.list_held(user)[0]}:"
        to = find_addressees(table, user, message.to)
        if await outbox.count_keys(session, prefix, now - HOUR) >= MAX_MESSAGES_AN_HOUR:
            raise BotError(f"You can send {MAX_MESSAGES_AN_HOUR} messages an hour at a table; try again later.")
        muted = [each for each in to if await leases.read_note(session, leases.name_mute(each))]
        names = "all" if len(to) == len(set(table.people) - {user}) else join_names([table.find_name(u) for u in to])
        reached = tuple(each for each in to if each not in muted)
        post = Notice(table.id, f"{table.find_name(user)} to {names}: {text}", reached)
        where = " It's also in the table's thread, where everyone can read it." if table.home.channel else ""
        deaf = f" {join_names([table.find_name(each) for each in muted])} muted messages." if muted else ""
        return Said(Owed(f"{prefix}{name}", post, now), f"Sent to {names}: “{text}”.{deaf}{where}")

    async def is_open(self, game: int, user: str) -> bool:
        """Return whether a player could say something to another one at a table."""
        async with self.database.reading() as session:
            table = await games.fetch(session, game)
            is_off = table.state == "closed" or await leases.read_note(session, _name_silence(game))
            return not is_off and user in table.people and len(set(table.people)) > 1

    async def mute(self, user: str, *, on: bool) -> None:
        """Note that a person wants no messages by letter, or wants them again."""
        async with self.database.writing() as session:
            await leases.write_note(session, leases.name_mute(user), "muted" if on else "")

    async def turn_off(self, game: int, user: str, *, on: bool, manages: bool = False) -> Table:
        """Let no one send messages at a table, or let them again (``on``).

        Raises:
            BotError: the user is neither its host nor manages its server.
        """
        async with self.database.writing() as session:
            table = await games.fetch(session, game)
            if not (manages and table.home.guild):
                refuse_guest(table, user, "turn messages on or off")
            await leases.write_note(session, _name_silence(game), "" if on else "off")
            return table


def tidy_message(text: str) -> str:
    """Return words on one line, without what a front would format as a link, or ring by.

    Raises:
        BotError: nothing is left, or there are too many.
    """
    line = " ".join(make_printable(replace_unkept(text).replace("\t", " ")).split())
    line = _RINGS.sub(lambda found: f"{found[0]} ", line.replace("[", "(").replace("]", ")").replace("`", "'"))
    if not line.strip("\ufffd "):
        raise BotError("This message is empty.")
    if len(line) > MAX_MESSAGE_CHARACTERS:
        raise BotError(f"A message can have {MAX_MESSAGE_CHARACTERS:,} characters; yours has {len(line):,}.")
    return line


def find_addressees(table: Table, user: str, named: str) -> list[str]:
    """Return the users whom a message names, other than its writer.

    Raises:
        BotError: no player is called so, or there is no other player.
    """
    others = [each for each in dict.fromkeys(table.people) if each != user]
    if not others:
        raise BotError(f"There's no other player at “{table.name}”.")
    wanted = " ".join(named.casefold().split())
    if wanted in _ALL:
        return others
    users = {seat.name.casefold(): seat.user for seat in table.seats if seat.user in others}
    words = [wanted] if wanted in users else [each for each in _JOINTS.split(wanted) if each]
    if unknown := [each for each in words if each not in users]:
        names = [table.find_name(each) for each in others]
        raise BotError(
            f"No other player here is called “{unknown[0][:40]}”. Write to {join_words(names, 'or')}, or to all."
        )
    return list(dict.fromkeys(users[each] for each in words))


def _name_silence(game: int) -> str:
    return f"messages off:{game}"
