"""People, whatever table they sit at: when they can be called, how things look, how they play, drafts and notes."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from statistics import median_low

import msgspec
from sqlalchemy import delete
from sqlmodel import col

from bot.model import quiet
from bot.model.clock import Clock
from bot.model.errors import BotError
from bot.model.records import Calls, Style
from bot.service import game_clock, league
from bot.service.league import FinishedGame, Meeting, SeatScore
from bot.store import obligations, outbox, people, posted, servers
from bot.store.database import Database
from bot.store.rows import make_columns, make_record, upsert
from bot.store.tables import DraftRow, LessonRow
from engine import Record

MAX_MOVES_TIMED = 200
"""Moves of a player that are looked at to tell their pace."""


MAX_NOTE_CHARACTERS = 1500
MAX_AT_HOME, AT_HOME_SECONDS = 10_000, 60
"""People and titles of whom it is remembered that they want no explanations, and for how long."""


class DeskPlace(Record, frozen=True):
    """Where a player was at their desk; empty for its first screen.

    ``basket`` holds moves, as JSON, that are put aside to be made in one go with those after them.
    """

    path: str = ""
    typed: str = ""
    basket: tuple[str, ...] = ()


FIRST_SCREEN = DeskPlace()


class Progress(Record, frozen=True):
    """How far a person is in a lesson.

    Args:
        title, lesson: which. moves: the right ones so far, as JSON. tries: how many were not.
        done: it was finished once.
    """

    title: str
    lesson: str
    moves: tuple[str, ...] = ()
    tries: int = 0
    done: bool = False


class Profile(Record, frozen=True):
    """What can be told of a player.

    Args:
        tables: how many in each state. moves: all that they made there.
        pace: seconds within which half of their latest turns began; ``None`` if there was none.
    """

    tables: Mapping[str, int]
    moves: int
    pace: int | None


END_ENTRY = '"do":"end"'
"""What the last entry of a log has if the game was ended by vote."""


class People:
    """Keeps the wishes of people, knows who wants peace now, and counts results.

    Games that one person played alone are not counted.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock
        self._at_home: dict[tuple[str, str], int] = {}

    async def get_calls(self, *users: str) -> dict[str, Calls]:
        """Return when people may be called."""
        async with self.database.reading() as session:
            return await people.fetch_calls(session, users)

    async def find_peace_end(self, user: str) -> int:
        """Return when a person can be told something who is asleep or away; 0 if they are neither."""
        now = self.clock()
        awake = quiet.find_awake((await self.get_calls(user))[user], now)
        return awake if awake > now else 0

    async def set_calls(self, user: str, calls: Calls) -> None:
        """Note when a person may be called.

        Raises:
            BotError: there is no such hour or time zone.
        """
        calls, now = quiet.check_calls(calls), self.clock()
        async with self.database.writing() as session:
            tables = await game_clock.charge_clocks_of(session, user, now)
            await people.set_calls(session, user, calls)
            await game_clock.resume_clocks(session, tables, now)
            waiting = {row.game for row in await obligations.fetch_of_user(session, user)}
        for game in sorted(waiting):  # what waits for them rings by that from now on
            async with self.database.writing(game) as session:
                rows = [row for row in await obligations.fetch_of_user(session, user) if row.game == game]
                await outbox.reschedule(session, rows, {user: calls}, now)
                if calls.digest < 0:  # what a digest held back until now
                    held = [row.subject for row in rows if row.kind == "turn" and not row.snooze]
                    await posted.put_off_letters(session, held, user, quiet.find_awake(calls, now))

    async def find_asleep(self, users: Sequence[str]) -> dict[str, int]:
        """Return those who want their peace now, each with the moment it ends."""
        return quiet.find_asleep(await self.get_calls(*users), self.clock()) if users else {}

    async def get_style(self, user: str) -> Style:
        """Return how a person wants to see things."""
        async with self.database.reading() as session:
            return await people.fetch_style(session, user)

    async def set_style(self, user: str, style: Style) -> None:
        """Note how a person wants to see things."""
        async with self.database.writing() as session:
            await people.set_style(session, user, style)

    async def list_progress(self, user: str) -> list[Progress]:
        """Return the lessons that a person has begun, the latest first."""
        async with self.database.reading() as session:
            return [make_record(Progress, row.model_dump()) for row in await people.list_lessons(session, user)]

    async def keep_progress(self, user: str, progress: Progress) -> None:
        """Keep how far a person is in a lesson, which is their latest then."""
        async with self.database.writing() as session:
            latest = await people.list_lessons(session, user)
            at = max(self.clock(), *(row.at + 1 for row in latest[:1]), 0)  # of two in one second, the later one
            await upsert(session, LessonRow(user=user, at=at, **make_columns(progress, LessonRow)))

    async def note_newcomer(self, user: str, title: str, game: int) -> bool:
        """Return whether a person has never played a title but at this table; once, then it is known to be so."""
        async with self.database.writing() as session:
            return await people.note_newcomer(session, user, title, game)

    async def set_new_here(self, user: str, title: str, *, on: bool) -> None:
        """Note whether a person wants to know why, in their first game of a title."""
        self._at_home.pop((user, title), None)
        async with self.database.writing() as session:
            await people.set_new_here(session, user, title, self.clock(), on=on)

    async def is_new_here(self, user: str, title: str) -> bool:
        """Return whether a person wants to know why, and has not finished a game of a title since.

        That someone doesn't is remembered for a while: each screen of the desk asks.
        """
        now = self.clock()
        if not user or self._at_home.get((user, title), 0) > now:
            return False
        async with self.database.reading() as session:
            found = await people.is_new_here(session, user, title)
        if not found:
            if len(self._at_home) >= MAX_AT_HOME:
                self._at_home.clear()
            self._at_home[user, title] = now + AT_HOME_SECONDS
        return found

    # --- how they play ----------------------------------------------------------------------

    async def list_finished(self, guild: str, title: str = "") -> list[FinishedGame]:
        """Return the finished games of a server, oldest first; those that one person played alone have no result."""
        async with self.database.reading() as session:
            rows = await servers.list_scores(session, guild, title)
        found = []
        for _, seats in groupby(rows, key=itemgetter(0)):
            (game, title_id, options, *_, last, stood_in), *_ = both = list(seats)
            scores = tuple(SeatScore(user, name, total, place == 1) for _, _, _, user, name, total, place, *_ in both)
            by_vote = last is not None and END_ENTRY in last
            found.append(FinishedGame(game, title_id, options, scores, by_vote=by_vote, stand_in=stood_in > 0))
        return found

    async def make_league(self, guild: str, title: str = "") -> list[league.LeagueTable]:
        """Return the standings of each kind of game that was finished on a server."""
        return await asyncio.to_thread(league.make_tables, await self.list_finished(guild, title))

    async def find_hidden(self, users: Collection[str], reader: str) -> set[str]:
        """Return those of some people whose results are not for a reader."""
        async with self.database.reading() as session:
            return await people.list_hidden(session, users) - {reader}

    async def list_meetings(self, guild: str, one: str, other: str) -> list[Meeting]:
        """Return the finished games that two people played together on a server."""
        return league.list_meetings(await self.list_finished(guild), one, other)

    async def get_profile(self, user: str, guild: str) -> Profile:
        """Return the profile of a person at the tables of a server; "" is that of tables without one."""
        async with self.database.reading() as session:
            tables = await servers.count_tables(session, user, guild)
            moves = await servers.count_moves(session, user, guild)
            waits = await servers.list_waits(session, user, guild, MAX_MOVES_TIMED)
        return Profile(tables, moves, median_low(waits) if waits else None)

    # --- what they keep at a table ---------------------------------------------------------

    async def save_draft(self, game: int, user: str, version: int, draft: DeskPlace) -> None:
        """Keep where a player is at their desk; the first screen needs no memory."""
        async with self.database.writing(game, wakes=False) as session:
            if draft != FIRST_SCREEN:
                basket = msgspec.json.encode(draft.basket).decode()
                row = DraftRow(game=game, user=user, version=version, path=draft.path, typed=draft.typed, basket=basket)
                await upsert(session, row)
            else:
                await session.exec(delete(DraftRow).where(col(DraftRow.game) == game, col(DraftRow.user) == user))

    async def load_draft(self, game: int, user: str, version: int) -> DeskPlace:
        """Return where a player was at their desk in this position."""
        async with self.database.reading() as session:
            row = await session.get(DraftRow, (game, user))
        if row is None or row.version != version:
            return FIRST_SCREEN
        return DeskPlace(row.path, row.typed, msgspec.json.decode(row.basket, type=tuple[str, ...]))

    async def get_note(self, game: int, user: str) -> str:
        """Return the note that a person keeps at a table."""
        async with self.database.reading() as session:
            return await people.read_own_note(session, game, user)

    async def set_note(self, game: int, user: str, words: str) -> None:
        """Keep a note at a table, for its writer's eyes only; an empty one takes it away.

        Raises:
            BotError: it is too long.
        """
        if len(words) > MAX_NOTE_CHARACTERS:
            raise BotError(f"Your note has {len(words)} characters; the limit is {MAX_NOTE_CHARACTERS}.")
        async with self.database.writing(game, wakes=False) as session:
            await people.set_own_note(session, game, user, words)
