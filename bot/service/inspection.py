"""Inspect all tables at the start and every few minutes, and repair what violates the invariants.

Repairs go through the outbox: each key has one post, a message that exists is edited, and no player is pinged twice.
They are logged, and ``doctor`` reports them.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import msgspec
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts
from bot.model.errors import BotError
from bot.model.obligations import TABLE, Obligation
from bot.model.posts import AnyCall, Owed
from bot.model.records import Home, LogLine, Position, Table
from bot.model.seating import list_ranking
from bot.model.turns import list_recall_posts
from bot.service import game_clock
from bot.service.invariants import Fault, ShownMessage, Visible, compare_shown, find_faults
from bot.service.table import GameTable
from bot.store import fates, games, leases, outbox, people, posted, proposals
from bot.store.fates import MAX_NUMBER, TableFates
from bot.store.leases import read_moment
from engine import LogError, Record
from engine.words import pluralise

log = structlog.get_logger(__name__)
NOTE = "inspection"
MAX_TABLES_READ = 25
"""Tables that are read together; the event loop does other things after each of them."""
MAX_FAULTS_NOTED = 20
MAX_LOOK_SECONDS = 180.0
"""Seconds of a round in which messages are fetched; the next round continues with the next table."""


class Viewer(Protocol):
    """Fetches what people see, and makes the repairs that the outbox can't."""

    async def look_at(self, table: TableFates) -> Visible | None:
        """Return what people see of a table; ``None`` if the bot may not look, or the channel is gone."""

    async def erase(self, channel: str, message: str) -> None:
        """Delete a message of the bot."""


class RepairedFault(Record, frozen=True):
    """A fault that was repaired: when, at which table, its kind, and a description."""

    at: int
    game: int
    kind: str
    words: str


class InspectionReport(Record, frozen=True):
    """What the inspections have repaired, for ``doctor``.

    Args:
        at: moment of the last inspection. tables: how many tables it read. looked: of how many it fetched messages.
        counts: repairs so far, by kind. latest: the last repairs, the newest last.
    """

    at: int = 0
    tables: int = 0
    looked: int = 0
    counts: dict[str, int] = {}
    latest: tuple[RepairedFault, ...] = ()

    def describe(self) -> str:
        """Describe it: counts by kind, and the last three faults with table and moment."""
        if not self.at:
            return "not inspected yet"
        counts = ", ".join(f"{count} × {kind}" for kind, count in sorted(self.counts.items())) or "nothing"
        latest = [f"{_format_moment(each.at)} table {each.game}: {each.words}" for each in self.latest[-3:]]
        head = f"{pluralise(self.tables, 'table')} inspected {_format_moment(self.at)}, restored: {counts}"
        return "; ".join([head, *latest])


def _format_moment(moment: int) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"


def decode_report(words: str) -> InspectionReport:
    """Return the report in a note; an empty one if it can't be read."""
    try:
        return msgspec.json.decode(words, type=InspectionReport)
    except msgspec.DecodeError:
        return InspectionReport()


class Inspection:
    """Checks tables against the invariants, and repairs them.

    Args:
        table: the tables and their store. viewer: what people see of them.
    """

    def __init__(self, table: GameTable, viewer: Viewer) -> None:
        self.table = table
        self.database = table.database
        self.clock = table.clock
        self.viewer = viewer
        self._is_first = True
        self._next = 0

    async def run_round(self) -> list[Fault]:
        """Inspect all tables once and repair them; return the faults that were repaired."""
        found: list[Fault] = []
        read, looked, ends = 0, 0, time.monotonic() + MAX_LOOK_SECONDS
        for begin, last in ((self._next, MAX_NUMBER), (0, self._next - 1)):
            first = begin
            while page := await self._read_page(first, last):
                first, read = page[-1].game + 1, read + len(page)
                for table in page:
                    await asyncio.sleep(0)
                    is_looked_at = time.monotonic() < ends
                    found += await self._inspect(table, is_looked_at=is_looked_at)
                    if is_looked_at:
                        self._next, looked = table.game + 1, looked + 1
        self._is_first = False
        await self._note(found, read, looked)
        return found

    async def _read_page(self, first: int, last: int) -> list[TableFates]:
        async with self.database.reading() as session:
            now = await read_moment(session, self.clock)
            numbers = await fates.list_numbers(session, now, (first, last), MAX_TABLES_READ)
            if not numbers:
                return []
            return await fates.read_fates(session, now, numbers[0], numbers[-1], all_turns=self._is_first)

    async def _inspect(self, table: TableFates, *, is_looked_at: bool) -> list[Fault]:
        """Inspect a table; an error at one doesn't stop the others."""
        cached = self.table.live.get_cached(table.game)
        if cached is not None and cached.damage:  # it is read-only, and must ping no one
            return []
        try:
            faults = find_faults(table, self.clock())
            look = None
            if (is_looked_at and table.state in ("open", "running")) or any(
                each.repair in ("build", "owe") for each in faults
            ):
                look = await self.viewer.look_at(table)
                faults += compare_shown(table, look) if look else []
            return await self._repair(table.game, look, faults) if faults else []
        except (BotError, LogError, OSError) as error:
            log.warning("table not inspected", game=table.game, error=repr(error)[:300])
            return []

    async def _repair(self, game: int, look: Visible | None, seen: Sequence[Fault]) -> list[Fault]:
        """Repair what is still wrong with a table, under its lock."""
        needed = {each.kind for each in seen if each.repair == "build"}
        repaired: list[Fault] = []
        async with self.table.live.get_lock(game):
            here, lines = None, list[LogLine]()
            if needed - {"lobby", "expire"}:
                here = await self.table.load_position(game)
                lines = await self.table.told.list_lines(here) if "summary" in needed else []
            async with self.database.writing(game) as session:
                now = await read_moment(session, self.clock)
                for table in await fates.read_fates(session, now, game, game, all_turns=self._is_first):
                    if here is not None and here.version != table.version:
                        return []
                    known, shown = await games.fetch(session, game), look.shown if look else ()
                    table_repair = _TableRepair(session, now, known, table, here, lines, shown)
                    faults = find_faults(table, now) + (compare_shown(table, look) if look else [])
                    repaired = [each for each in faults if await table_repair.repair(each)]
        if any(each.repair == "home" for each in repaired):
            self.table.live.forget(game)
        for each in repaired:
            if each.repair == "erase":
                await self.viewer.erase(*each.place)
        if self._is_first:  # posts that came due while no bot ran are only late
            return [each for each in repaired if each.repair != "none"]
        return repaired

    async def _note(self, found: Sequence[Fault], read: int, looked: int) -> None:
        """Log the repairs, and store them for ``doctor``."""
        now = self.clock()
        for each in found:
            log.warning(
                "fault repaired", game=each.game, kind=each.kind, key=each.key, fault=each.words, repair=each.repair
            )
        async with self.database.writing(wakes=False) as session:
            before = decode_report(await leases.read_note(session, NOTE))
            counts = dict(Counter(before.counts) + Counter(each.kind for each in found))
            latest = [RepairedFault(now, each.game, each.kind, f"{each.key} {each.words}"[:200]) for each in found]
            latest = [*before.latest, *latest][-MAX_FAULTS_NOTED:]
            report = InspectionReport(now, read, looked, counts, tuple(latest))
            await leases.write_note(session, NOTE, msgspec.json.encode(report).decode())


@dataclass(frozen=True)
class _TableRepair:
    """Repairs the faults of one table, in one transaction.

    Args:
        session: writes. now: the moment. table: as stored. fates: states of its posts.
        here: its position, if posts must be built. lines: its log in words, if results must be built.
        shown: what people see of it.
    """

    session: AsyncSession
    now: int
    table: Table
    fates: TableFates
    here: Position | None
    lines: Sequence[LogLine]
    shown: Sequence[ShownMessage]

    async def repair(self, fault: Fault) -> bool:
        """Repair a fault; return whether there was anything to do."""
        session, now, post = self.session, self.now, self.fates.posts.get(fault.key)
        if fault.repair == "free":
            await leases.wake(session, [fault.key], held=True)
        elif fault.repair == "home":
            thread, message = fault.place
            await games.set_home(session, fault.game, Home(thread=thread, message=message))
        elif fault.repair == "adopt":
            await fates.note_place(session, fault.key, fault.place)
        elif fault.repair == "repost":
            pictures = [posts.build_pictures_key(fault.game, self.fates.turn_from)] if fault.kind == "turn" else []
            await posted.owe_again(session, [fault.key, *pictures], now)
        elif fault.repair in ("owe", "hurry") and post is not None:
            waits = fault.repair == "owe" and post.sent is None and not post.message
            await fates.owe_lost(session, post, max(post.due, now) if waits else now)
            if fault.repair == "owe" and not post.message and (place := self._find_message(fault)):
                await fates.note_place(session, fault.key, place)
        elif fault.repair == "build":
            return await self._build(fault)
        return True

    async def _build(self, fault: Fault) -> bool:
        """Owe a post that has no row; if its message is found, it is edited."""
        if fault.kind in ("ring", "ping", "obligation"):
            return await self._ring_again(fault)
        found = self._find_message(fault)
        if fault.key not in self.fates.posts and not found:  # whom its message pinged, if it did, is not known
            rows = [row for row in self.fates.obligations if row.subject == fault.key and row.user != TABLE]
            lost = [row for row in rows if row.pings and not row.stands and row.user not in self.fates.elsewhere]
            await self._reschedule([msgspec.structs.replace(row, pings=0, first=self.now) for row in lost])
        owed = [each for each in await self._list_built(fault) if each.key == fault.key or not found]
        await outbox.owe(self.session, owed, self.now)
        if found and owed:
            await fates.note_place(self.session, fault.key, found)
        return bool(owed)

    async def _ring_again(self, fault: Fault) -> bool:
        """Let the table ring in time; a ping that is lost comes now."""
        rows = [row for row in self.fates.obligations if fault.kind == "ring" or ":".join(row.key) == fault.key]
        if fault.kind == "obligation" and (fate := self.fates.posts.get(fault.key)) is not None:
            known = {row.user for row in self.fates.obligations if row.subject == fault.key}
            asking = fate.post
            assert isinstance(asking, AnyCall)  # such a post was found
            new = [user for user in asking.mention if user not in known]
            wait = asking.wait if isinstance(asking, posts.Turn) else 0
            rows = [Obligation(fate.game, fate.key, fate.kind, user, fate.created, self.now, wait) for user in new]
        if fault.kind == "ping":
            rows = [msgspec.structs.replace(row, pings=row.pings - 1, snooze=self.now) for row in rows]
        await self._reschedule(rows)
        return bool(rows)

    async def _reschedule(self, rows: Sequence[Obligation]) -> None:
        calls = await people.fetch_calls(self.session, [row.user for row in rows])
        await outbox.reschedule(self.session, rows, calls, self.now)

    def _find_message(self, fault: Fault) -> tuple[str, str] | None:
        """Return the message of a post whose row is lost or names none, as far as its buttons tell."""
        home, game, known = self.table.home, fault.game, self.fates.posts.get(fault.key)
        if known is not None and fault.kind != "card":
            mine = (each for each in self.shown if each.number == known.id and each.controls)
            return next(((each.channel, each.message) for each in mine), None) if not known.message else None
        if fault.kind == "card" and home.thread and home.message and not (known and known.message):
            return home.thread, home.message

        def fits(each: ShownMessage) -> bool:
            if fault.kind == "turn":
                return (each.find_version(game) or -1) >= self.table.turn_from or (
                    self.table.turn_from == 0 and each.find_version(game) == 0
                )
            verb, argument = {
                "lobby": ("join", ""), "end": ("film", ""), "ballot": ("vote", f"{fault.key.rpartition(':')[2]}.")
            }.get(fault.kind, ("-", ""))  # fmt: skip
            return each.has(game, verb, argument)

        return next(((each.channel, each.message) for each in self.shown if fits(each)), None)

    async def _list_built(self, fault: Fault) -> list[Owed]:
        """Return the posts that repair a fault."""
        table, now, key = self.table, self.now, fault.key
        if fault.kind == "ballot":
            asked = await proposals.fetch(self.session, int(key.rpartition(":")[2]))
            return [posts.make_ballot(asked, now)] if asked is not None else []
        if fault.kind == "clockalarm":
            return [each for each in game_clock.build_alarms(table) if each.key == key]
        plain = {"lobby": posts.Lobby, "card": posts.Card, "expire": posts.Expire}
        if fault.kind in plain:
            return [Owed(key, plain[fault.kind](table.id), table.expires if fault.kind == "expire" else now)]
        by_kind = {"summary": self._list_results}
        build = by_kind.get(fault.kind, self._list_of_position)
        return await build(self.here, fault) if self.here is not None else []

    async def _list_of_position(self, here: Position, fault: Fault) -> list[Owed]:
        """Return the posts that repair a fault and depend on the position."""
        table, now, key, line = self.table, self.now, fault.key, here.game.line
        if fault.kind == "errand":
            return [Owed(key, posts.Errand(table.id, here.version), now)]
        if fault.kind == "turn":
            built, known = list_recall_posts(here, now), self.fates.posts
            lost = {each.key for each in built if each.key not in known or known[each.key].is_lost}
            return [each for each in built if each.key == key or (key not in known and each.key in lost)]
        if fault.kind == "pictures":
            since = sum(place < table.turn_from for place in line)
            follows, seen = posts.build_turn_key(table.id, table.turn_from), here.game.pictures()
            return [Owed(key, posts.Pictures(table.id, table.turn_from, len(line), since, seen, follows), now)]
        result = here.game.result()
        if fault.kind != "end" or result is None:
            return []
        ranks = list_ranking(result, table.names)
        end = posts.End(table.id, here.version, len(line), result.reason_in_words, ranks, table.people)
        return [Owed(key, end, now)]

    async def _list_results(self, here: Position, fault: Fault) -> list[Owed]:
        """Return the result of a past turn, built from the log."""
        start = int(fault.key.rpartition(":")[2])
        others = [int(each.key.rpartition(":")[2]) for each in self.fates.old_turns]
        ends = min(each for each in (*others, self.table.turn_from, here.version) if each > start)
        said = [line for line in self.lines if start <= line.seq < ends and not line.taken_back]
        sentences = [sentence.rstrip(".") for line in said for sentence in line.sentences]
        line = " · ".join(sentences)[: posts.MAX_LINE_LENGTH] or "—"
        move = max((line.move for line in said), default=0) or sum(place < ends for place in here.game.line)
        follows = posts.build_turn_key(self.table.id, start)
        return [Owed(fault.key, posts.Summary(self.table.id, ends, start, move, line, follows), self.now)]
