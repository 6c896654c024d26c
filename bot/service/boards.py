"""Addresses of the pages of tables, and what each may show.

A table's page for all has an address that no one can guess. Players can renew it, and the host or those who run the
server can turn it off. A player's own address adds what that seat may see. It is a key: it is told in private, ends
when a new one is asked for, after a while, or with the seat, and is stored as a digest only.
"""

import hashlib
import re
import secrets

from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.records import Position
from bot.model.seating import find_viewing_seat
from bot.service.servers import Servers
from bot.service.table import GameTable
from bot.store import boards
from bot.store.boards import PAGE_OFF, BoardAddress
from engine import Record

TOKEN_BYTES = 16
OWN_DAYS = 60
"""How long a player's own address works."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")


class BoardViewer(Record, frozen=True):
    """Whoever looks at a page: at which table, and as which player; ``user`` is empty for all."""

    game: int
    user: str = ""


class Boards:
    """Hands out addresses of pages and says whose they are.

    Args:
        table: the games. servers: whose rules may turn pages off.
    """

    def __init__(self, table: GameTable, servers: Servers) -> None:
        self.table, self.servers = table, servers
        self.database, self.clock = table.database, table.clock
        self.web = ""  # where pages are served, without a slash at its end; "" where none are

    async def make_public_link(self, here: Position, moment: str = "") -> str:
        """Return the address of the page for all, at a moment; "" where there is none."""
        game = here.table.id
        if not self.web or (await self.servers.get_rules(here.table.home.guild)).no_boards:
            return ""
        if (page := here.table.page) is None:
            first = await self._make_first(game)
            page = "" if first.until == PAGE_OFF else first.token
        return self._format(page, moment) if page else ""

    async def make_own_link(self, game: int, user: str, moment: str = "") -> str:
        """Return a new address of a player's own page; the one before ends.

        Raises:
            BotError: the user has no seat there.
        """
        if find_viewing_seat(await self.table.load_position(game), user) is None:
            raise BotError("Only players at this table have a page of their own.")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        until = self.clock() + OWN_DAYS * DAY
        async with self.database.writing(wakes=False) as session:
            await boards.drop_outdated(session, self.clock())
            await boards.store(session, BoardAddress(game, user, _digest(token), until))
        return self._format(token, moment)

    def refuse_unserved(self) -> None:
        """Refuse what is about pages where there are none.

        Raises:
            BotError: the operator has not turned them on.
        """
        if not self.web:
            raise BotError("This bot serves no pages; its operator can turn them on with STATIONMASTER_WEB.")

    def _format(self, token: str, moment: str) -> str:
        return f"{self.web}/t/{token}/" + (f"#{moment}" if moment else "")

    async def revoke_own_link(self, game: int, user: str) -> None:
        """End a player's own address."""
        async with self.database.writing(wakes=False) as session:
            await boards.drop(session, game, user)

    async def renew(self, game: int, user: str) -> str:
        """Give a table's page for all a new address and return it; the old one ends.

        Raises:
            BotError: the user has no seat there, or the page is off.
        """
        here = await self.table.load_position(game)
        if user not in (*here.table.people, here.table.host):
            raise BotError("Only players at this table can renew the address of its page.")
        token = secrets.token_urlsafe(TOKEN_BYTES) if await self.make_public_link(here) else ""
        if token:
            async with self.database.writing(wakes=False) as session:
                token = token if await boards.renew(session, game, token, unless=PAGE_OFF) else ""
        if not token:  # also where the host has turned it off this moment
            raise BotError("This table's page is off.")
        return self._format(token, "")

    async def _make_first(self, game: int) -> BoardAddress:
        """Return the first address of a table's page; of two who make one at once, both get the same."""
        address = BoardAddress(game, "", secrets.token_urlsafe(TOKEN_BYTES))
        async with self.database.writing(wakes=False) as session:
            await boards.store(session, address, keep=True)
            return await boards.fetch(session, game) or address

    async def turn(self, game: int, user: str, *, on: bool) -> None:
        """Turn a table's page for all on or off; turned on, it has a new address.

        Raises:
            BotError: the user isn't the host.
        """
        table = (await self.table.load_position(game)).table
        if user != table.host:
            raise BotError("Only the host can turn this table's page on or off.")
        until = 0 if on else PAGE_OFF
        async with self.database.writing(wakes=False) as session:
            await boards.store(session, BoardAddress(game, "", secrets.token_urlsafe(TOKEN_BYTES), until))

    async def find_viewer(self, token: str) -> BoardViewer | None:
        """Return who looks by an address; ``None`` for one that is no address, or no longer one."""
        if not is_token(token):
            return None
        async with self.database.reading() as session:
            found = await boards.find(session, token, _digest(token))
        if found is None or found.until == PAGE_OFF or 0 < found.until < self.clock():
            return None
        if bool(found.user) == (found.token == token):  # a digest is no address
            return None
        here = await self.table.load_position(found.game)
        if found.user:
            return BoardViewer(found.game, found.user) if find_viewing_seat(here, found.user) is not None else None
        return None if (await self.servers.get_rules(here.table.home.guild)).no_boards else BoardViewer(found.game)

    async def count_entries(self, games: list[int]) -> dict[int, int]:
        """Return how many entries the logs of some tables have, so that pages learn of moves."""
        async with self.database.reading() as session:
            return await boards.count_entries(session, games)


def find_page_seat(here: Position, viewer: BoardViewer) -> int | None:
    """Return the seat as which a page is looked at; ``None`` for all."""
    return find_viewing_seat(here, viewer.user) if viewer.user else None


def name_moment(here: Position) -> str:
    """Return the part of an address that leads to a position: the place in the log of what led there."""
    return f"e{here.game.line[-1]}" if here.game.line else ""


def is_token(text: str) -> bool:
    """Return whether a text could be the token of an address."""
    return _TOKEN.fullmatch(text) is not None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
