"""Self-inspection: a chore that compares all tables with what must hold, and owes again what is missing.

Whatever is wrong is mended by the outbox: a post with a known key is one and only one, what stands is edited, and what
has rung rings nobody again. What was found is logged, and noted for ``doctor``.
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
from bot.model.posts import Owed, list_recall_posts
from bot.model.records import Home, LogLine, Position, Table
from bot.model.seating import list_ranking
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
"""Seconds of a round in which messages are looked at; the next round goes on with the next table."""


class Viewer(Protocol):
    """Looks at what people see, and does what can't be owed."""

    async def look_at(self, table: TableFates) -> Visible | None:
        """Return what people see of a table; ``None`` if we may not look, or its place is gone."""

    async def erase(self, channel: str, message: str) -> None:
        """Delete a message of ours."""


class MendedFault(Record, frozen=True):
    """Something that was wrong and is mended: when, at which table, of what kind, and in words."""

    at: int
    game: int
    kind: str
    words: str


class InspectionReport(Record, frozen=True):
    """What the inspections have found, for ``doctor``.

    Args:
        at: moment of the last one. tables: how many it read. looked: at the messages of how many of them.
        counts: what was mended so far, by kind. latest: the last of it, the newest last.
    """

    at: int = 0
    tables: int = 0
    looked: int = 0
    counts: dict[str, int] = {}
    latest: tuple[MendedFault, ...] = ()

    def describe(self) -> str:
        """Return it in words: counts by kind, and the last three faults with table and moment."""
        if not self.at:
            return "not inspected yet"
        counts = ", ".join(f"{count} × {kind}" for kind, count in sorted(self.counts.items())) or "nothing"
        latest = [f"{_format_moment(each.at)} table {each.game}: {each.words}" for each in self.latest[-3:]]
        head = f"{pluralise(self.tables, 'table')} inspected {_format_moment(self.at)}, restored: {counts}"
        return "; ".join([head, *latest])


def _format_moment(moment: int) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"


def decode_report(words: str) -> InspectionReport:
    """Return what a note says; an empty report if there is none that can be read."""
    try:
        return msgspec.json.decode(words, type=InspectionReport)
    except msgspec.DecodeError:
        return InspectionReport()


class Inspection:
    """Compares tables with what must hold; ``viewer`` sees what people see."""

    def __init__(self, table: GameTable, viewer: Viewer) -> None:
        self.table = table
        self.database = table.database
        self.clock = table.clock
        self.viewer = viewer
        self._is_first = True
        self._next = 0

    async def run_round(self) -> list[Fault]:
        """Inspect all tables once, and mend what is wrong; return that."""
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
        """Inspect a table; trouble with one keeps no other from being looked at."""
        kept = self.table.live.get_cached(table.game)
        if kept is not None and kept.damage:  # it is read-only, and must ring no one
            return []
        try:
            faults = find_faults(table, self.clock())
            look = None
            if (is_looked_at and table.state in ("open", "running")) or any(
                each.mend in ("build", "owe") for each in faults
            ):
                look = await self.viewer.look_at(table)
                faults += compare_shown(table, look) if look else []
            return await self._mend(table.game, look, faults) if faults else []
        except (BotError, LogError, OSError) as error:
            log.warning("table not inspected", game=table.game, error=repr(error)[:300])
            return []

    async def _mend(self, game: int, look: Visible | None, seen: Sequence[Fault]) -> list[Fault]:
        """Mend what is still wrong with a table now that nobody else changes it."""
        needed = {each.kind for each in seen if each.mend == "build"}
        mended: list[Fault] = []
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
                    mending = _Mending(session, now, known, table, here, lines, shown)
                    faults = find_faults(table, now) + (compare_shown(table, look) if look else [])
                    mended = [each for each in faults if await mending.mend(each)]
        if any(each.mend == "home" for each in mended):
            self.table.live.forget(game)
        for each in mended:
            if each.mend == "erase":
                await self.viewer.erase(*each.place)
        if self._is_first:  # what came due while no bot ran is only late
            return [each for each in mended if each.mend != "none"]
        return mended

    async def _note(self, found: Sequence[Fault], read: int, looked: int) -> None:
        """Log what was found, and note it for ``doctor``."""
        now = self.clock()
        for each in found:
            log.warning("inspection", game=each.game, kind=each.kind, key=each.key, found=each.words, done=each.mend)
        async with self.database.writing(wakes=False) as session:
            before = decode_report(await leases.read_note(session, NOTE))
            counts = dict(Counter(before.counts) + Counter(each.kind for each in found))
            news = [MendedFault(now, each.game, each.kind, f"{each.key} {each.words}"[:200]) for each in found]
            latest = (*before.latest, *news)[-MAX_FAULTS_NOTED:]
            report = InspectionReport(now, read, looked, counts, latest)
            await leases.write_note(session, NOTE, msgspec.json.encode(report).decode())


@dataclass(frozen=True)
class _Mending:
    """Mends the faults of one table, in one transaction.

    Args:
        session: writes. now: the moment. table: as it is. fates: of its posts.
        here: its position, where posts are to be built. lines: its log in words, where results are.
        shown: what people see of it.
    """

    session: AsyncSession
    now: int
    table: Table
    fates: TableFates
    here: Position | None
    lines: Sequence[LogLine]
    shown: Sequence[ShownMessage]

    async def mend(self, fault: Fault) -> bool:
        """Mend a fault; return whether anything had to be done."""
        session, now, post = self.session, self.now, self.fates.posts.get(fault.key)
        if fault.mend == "free":
            await leases.wake(session, [fault.key], held=True)
        elif fault.mend == "home":
            thread, message = fault.place
            await games.set_home(session, fault.game, Home(thread=thread, message=message))
        elif fault.mend == "adopt":
            await fates.note_place(session, fault.key, fault.place)
        elif fault.mend == "repost":
            pictures = [posts.build_pictures_key(fault.game, self.fates.turn_from)] if fault.kind == "turn" else []
            await posted.owe_again(session, [fault.key, *pictures], now)
        elif fault.mend in ("owe", "hurry") and post is not None:
            waits = fault.mend == "owe" and post.sent is None and not post.message
            await fates.owe_lost(session, post, max(post.due, now) if waits else now)
            if fault.mend == "owe" and not post.message and (place := self._find_message(fault)):
                await fates.note_place(session, fault.key, place)
        elif fault.mend == "build":
            return await self._build(fault)
        return True

    async def _build(self, fault: Fault) -> bool:
        """Owe a post of which there is no row; where its message is found, that is edited."""
        found = self._find_message(fault)
        owed = [each for each in await self._list_built(fault) if each.key == fault.key or not found]
        await outbox.owe(self.session, owed, self.now)
        if found and owed:
            await fates.note_place(self.session, fault.key, found)
        return bool(owed)

    def _find_message(self, fault: Fault) -> tuple[str, str] | None:
        """Return where a post stands whose row is lost, or knows no place, as far as can be told by its buttons."""
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
        """Return the posts that a fault is mended by."""
        table, now, key = self.table, self.now, fault.key
        if fault.kind == "ballot":
            asked = await proposals.fetch(self.session, int(key.rpartition(":")[2]))
            return [posts.make_ballot(asked, now)] if asked is not None else []
        if fault.kind == "timeup":
            return [each for each in game_clock.build_time_ups(table) if each.key == key]
        plain = {"lobby": posts.Lobby, "card": posts.Card, "expire": posts.Expire}
        if fault.kind in plain:
            return [Owed(key, plain[fault.kind](table.id), table.expires if fault.kind == "expire" else now)]
        by_kind = {"reminder": self._list_reminders, "summary": self._list_results}
        build = by_kind.get(fault.kind, self._list_of_position)
        return await build(self.here, fault) if self.here is not None else []

    async def _list_of_position(self, here: Position, fault: Fault) -> list[Owed]:
        """Return the posts by which a fault is mended that tell of the game."""
        table, now, key, line = self.table, self.now, fault.key, here.game.line
        if fault.kind == "errand":
            return [Owed(key, posts.Errand(table.id, here.version), now)]
        if fault.kind == "turn":
            anew, known = list_recall_posts(here, now), self.fates.posts
            lost = {each.key for each in anew if each.key not in known or known[each.key].is_lost}
            return [each for each in anew if each.key == key or (key not in known and each.key in lost)]
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

    async def _list_reminders(self, here: Position, fault: Fault) -> list[Owed]:
        """Return a reminder that is not owed, due when it was promised, or now."""
        turn, (head, _, number) = self.fates.turn, fault.key.rpartition(":")
        before = self.fates.posts.get(f"{head}:{int(number) - 1}")
        if before is not None and isinstance(before.post, posts.Reminder) and before.sent:
            wishes = list((await people.fetch_calls(self.session, before.post.mention)).values())
            then = posts.make_next_reminder(before.post, before.sent, wishes)
            found = [then] if then else []
        else:
            since = turn.created if turn else self.now
            found = [each for each in list_recall_posts(here, since) if each.key == fault.key]
        return [msgspec.structs.replace(each, due=max(each.due, self.now)) for each in found]

    async def _list_results(self, here: Position, fault: Fault) -> list[Owed]:
        """Return the result of a turn that is over, told by the log."""
        begun = int(fault.key.rpartition(":")[2])
        others = [int(each.key.rpartition(":")[2]) for each in self.fates.old_turns]
        ends = min(each for each in (*others, self.table.turn_from, here.version) if each > begun)
        told = [line for line in self.lines if begun <= line.seq < ends and not line.taken_back]
        sentences = [sentence.rstrip(".") for line in told for sentence in line.sentences]
        line = " · ".join(sentences)[: posts.MAX_LINE_LENGTH] or "—"
        move = max((line.move for line in told), default=0) or sum(place < ends for place in here.game.line)
        follows = posts.build_turn_key(self.table.id, begun)
        return [Owed(fault.key, posts.Summary(self.table.id, ends, begun, move, line, follows), self.now)]
