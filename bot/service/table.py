"""The one service between people and running games; knows nothing of Discord.

Every call names the game and the user. A user who is a stranger, out of turn or
late is told so in one sentence and nothing changes. A move, its log entry and
the posts it owes are stored in one transaction; only then is it answered.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import Clock
from bot.model.errors import BotError
from bot.model.orders import Order
from bot.model.posts import make_ballot
from bot.model.records import Choice, LogLine, Outcome, Position
from bot.model.seating import (
    describe_move,
    explain_blocked,
    find_viewing_seat,
    list_acting_seats,
    make_outcome,
    make_race_error,
    refuse_repeated_offer,
    refuse_stale,
)
from bot.model.turns import find_delay, list_posts, list_readers, list_stop_posts
from bot.service import game_clock
from bot.service.advice import Advice
from bot.service.live import (
    MAX_TEXT_CHARACTERS,
    Change,
    LiveGames,
    LogTexts,
    build_entries,
    compute_position,
    play_further,
    refuse_oversized,
)
from bot.service.workers.choices import MENU, MenuAsked, MenuLine, encode_tips
from bot.service.workers.jobs import Task
from bot.service.workers.pool import Workers
from bot.service.workers.tasks import COMPLETE, LOOK, PLAY, SUBJECTS, MadeMove, PictureAsked, ValuesAsked, Wish
from bot.store import games, log, outbox, proposals, servers
from bot.store.database import Database, StoreError
from engine import Action, Record, Request, RuleError
from engine.codec import decode_entry, encode_action
from engine.view import View
from engine.words import WordingError

Moves = tuple[Action, ...]
Drafted = Callable[[Wish], tuple[Task[Any, MadeMove | None], Record]]
"""A move in the making, which a worker makes in one go: returns the task for a wish, and what it takes."""
Also = Callable[[AsyncSession], Awaitable[None]]
Reorder = Callable[[AsyncSession], Awaitable[Sequence[tuple[str, Order]]]]
"""Stores standing orders that a log entry changes, and returns those that it stops, each with who set it."""
RECHECK_SECONDS = 0.8
"""Seconds for a second look at a database that failed: the user is answered within three."""


def read_wall_clock() -> int:
    """Return the moment: whole seconds since 1970, UTC."""
    return int(time.time())


class OtherMoveError(BotError):
    """Refuse a button that would make another move than it was drawn for."""


class Typed(Record, frozen=True):
    """An action as typed: the verb and its parameters, "bid", {"amount": "20"}."""

    verb: str
    words: Mapping[str, str] = {}


class Look(Record, frozen=True):
    """What a player wants to see.

    Args:
        picture: one of the title's pictures. about: its argument: a company, a seat, a hex.
        at: moves in force to look back to; ``None`` is now.
        since: moves in force after which changes are marked; ``None``: the user's last turn.
        entry: of the log, after which the table is shown as it was then, though it was taken back.
    """

    picture: str
    about: str = ""
    at: int | None = None
    since: int | None = None
    entry: int | None = None


class Delivery(Record, frozen=True):
    """How an action came in.

    Args:
        interaction: id of the delivery; one that was stored before is answered, not played twice.
        version: version the control was drawn for; ``None`` for typed commands.
    """

    interaction: str | None = None
    version: int | None = None


class _OvertakenError(Exception):
    """Something was stored since the position was read."""


class GameTable:
    """Running and finished games: act, look, take back.

    Args:
        database: the open database.
        clock: gives the moment in seconds; tests set their own.
        workers: work out what the rules say. most_live: how many games are kept in memory.
    """

    def __init__(self, database: Database, clock: Clock, workers: Workers, most_live: int) -> None:
        self.database = database
        self.clock = clock
        self.workers = workers
        self.live = LiveGames(database, workers, most_live, clock)
        self.advice = Advice(database, clock, workers, most_live)
        self.told = LogTexts(database)

    # --- looking -----------------------------------------------------------------

    async def load_position(self, game: int, version: int | None = None) -> Position:
        """Return a started game as it stands.

        Raises:
            BotError: there is no such game, or it has not started.
            StaleError: ``version`` is given and is not the latest.
        """
        here = await self.live.load_position(game)
        refuse_stale(here, version)
        return here

    async def list_legal(self, game: int, user: str) -> tuple[Action, ...]:
        """Return the legal actions of the user's acting seat (suggestions for open verbs); () out of turn."""
        return await self.live.list_legal(await self.load_position(game), user)

    async def list_menu(self, game: int, user: str) -> list[MenuLine]:
        """Return what the user may do, as one would type it and in words; [] out of turn."""
        here = await self.load_position(game)
        seats = list_acting_seats(here, user)
        return await self.workers.do(MENU, MenuAsked(seats, here.table.names), here.course) if seats else []

    async def complete(self, game: int, user: str, typed: Typed, parameter: str) -> list[Choice]:
        """Return the legal values of one parameter, in words; ``typed.words`` holds the others given so far."""
        here = await self.load_position(game)
        seats = list_acting_seats(here, user)
        asked = ValuesAsked(seats, typed.verb, typed.words, parameter, here.table.names)
        return await self.workers.do(COMPLETE, asked, here.course) if seats else []

    async def look(self, game: int, user: str, look: Look) -> View:
        """Return a picture as this user may see it; a stranger sees what a bystander may.

        What changed on a map since ``look.since`` (or the user's last turn) is marked "new".

        Raises:
            BotError: there is no such picture. RuleError: there is no such move.
        """
        return await self.look_at(await self.load_position(game), user, look)

    async def look_at(self, here: Position, user: str, look: Look) -> View:
        """Return a picture of a position, as ``look`` does."""
        known = {picture.name for picture in here.game.title.views.pictures}
        if look.picture not in known:
            raise BotError(f"There is no picture “{look.picture[:40]}”; choose from {', '.join(sorted(known))}.")
        seat = find_viewing_seat(here, user)
        request = Request(look.picture, seat, look.about[:MAX_TEXT_CHARACTERS], here.table.names, here.table.name)
        return await self.workers.do(LOOK, PictureAsked(request, look.at, look.since, look.entry), here.course)

    async def list_subjects(self, game: int, kind: str) -> Sequence[tuple[str, str]]:
        """Return what a picture may be asked about: (value, words) of each "company", "seat" or "hex"."""
        here = await self.load_position(game)
        if kind == "seat":
            return [(str(seat.number), seat.name) for seat in here.table.seats]
        return await self.workers.do(SUBJECTS, kind, here.course)

    async def read_log(self, game: int, since: int = 0) -> list[LogLine]:
        """Return the log in words from an entry on; undone moves are marked, not left out."""
        return await self.told.list_lines(await self.load_position(game), since)

    def forget_log(self, game: int) -> None:
        """Forget what was told of a game, which is told otherwise now."""
        self.live.forget(game)
        self.told.forget(game)

    async def explain(self, game: int, user: str, typed: Typed) -> str:
        """Say why an action is refused, with the rule, or what it would do; nothing is played.

        Raises:
            BotError, RuleError, WordingError: the refusal, as its sentence.
        """
        here = await self.load_position(game)
        made = await self._try_move(here, user, typed)
        refuse_repeated_offer(here, decode_entry(here.table.title, made.seat, made.said))
        return "This move is legal: " + " ".join(made.told)

    # --- acting ------------------------------------------------------------------

    async def submit(
        self,
        game: int,
        user: str,
        action: Action | Typed | Moves | Drafted,
        delivery: Delivery = Delivery(),  # noqa: B008  # a value
    ) -> Outcome:
        """Play an action for the seat of the user that is to act, or several in one go: all of them, or none.

        Raises:
            StaleError: the control is older than the position, or someone moved in the same moment.
            OtherMoveError: a draft says another move than its button.
            BotError: the user may not act here or now.
            WordingError: the words are no action of this title.
            RuleError: the rules refuse it.
        """
        async with self.live.get_lock(game):
            kept = self.live.get_cached(game)
            if kept is not None and delivery.version in (None, kept.version):
                try:
                    return await self._play(kept, user, action, delivery)
                except StoreError:
                    raise
                except (BotError, RuleError, WordingError):
                    pass  # what is kept may be old, or this is a second delivery: the database is asked
            async with self.database.reading() as session:
                found = await self.live.read_stored(session, game)
            here = await self.live.restore_position(found)
            # after the position: what another process made of the same delivery meanwhile is no other player's move
            answer = await self.find_answer(delivery.interaction, game, user)
            if answer is not None:
                return answer
            refuse_stale(here, delivery.version)
            return await self._play(here, user, action, delivery)

    async def _play(
        self, here: Position, user: str, action: Action | Typed | Moves | Drafted, delivery: Delivery
    ) -> Outcome:
        """Make a move at a position and store it, if that is still the latest."""
        async with self.database.reading() as session:
            standing = await games.list_active_orders(session, here.table.id)
        made = await self._try_move(here, user, action, standing)
        said = decode_entry(here.table.title, made.seat, made.said)
        refuse_repeated_offer(here, said)
        after = play_further(here.game.add_entry(said, made.facts), made.further, made.facts)
        told = describe_move(here, made.seat, user, made.told)
        change = Change(said, user, after, told, delivery.interaction, made.further)

        is_back = here.table.seats[made.seat].stand_in
        also = partial(games.set_stand_in, game=here.table.id, number=made.seat, on=False) if is_back else None
        return await self.store_change(here, change, also, partial(games.change_orders, orders=made.orders))

    async def find_answer(self, interaction: str | None, game: int, user: str) -> Outcome | None:
        """Return the answer to a delivery whose action is stored already.

        Raises:
            BotError: the delivery belongs to another game or another user.
        """
        if interaction is None:
            return None
        async with self.database.reading() as session:
            entry = await log.find_by_interaction(session, interaction)
        if entry is None:
            return None
        if (entry.game, entry.user) != (game, user):
            raise BotError("This was already answered at another table.")
        return make_outcome(await self.load_position(game), entry.told, repeated=True)

    async def _try_move(
        self, here: Position, user: str, action: Action | Typed | Moves | Drafted, standing: tuple[Order, ...] = ()
    ) -> MadeMove:
        """Have a move tried, for the first acting seat of the user that may make it."""
        seats, title = list_acting_seats(here, user), here.game.title
        if not seats:
            raise BotError(explain_blocked(here, user, action.verb if isinstance(action, Typed) else ""))
        known = self.advice.get_latest(here)
        wish = Wish(
            seats, here.table.names, adviser=known.seat, tips=encode_tips((*known.tips, *known.plans)), orders=standing
        )
        no_such = f"{title.name} has no such action."
        if isinstance(action, type):
            raise BotError(no_such)
        if callable(action):
            made = await self.workers.do(*action(wish), here.course)
            if made is None:
                raise OtherMoveError("That menu is out of date.")
            return made
        if isinstance(action, Typed):
            refuse_oversized(action.words)
            wish = msgspec.structs.replace(wish, verb=action.verb, words=action.words)
        else:
            moves = action if isinstance(action, tuple) else (action,)
            if not all(type(each) in title.actions for each in moves):
                raise BotError(no_such)
            first, *rest = (encode_action(each) for each in moves)
            wish = msgspec.structs.replace(wish, action=first, rest=tuple(rest))
        return await self.workers.do(PLAY, wish, here.course)

    async def store_change(
        self, here: Position, change: Change, also: Also | None = None, reorder: Reorder | None = None
    ) -> Outcome:
        """Store a log entry with the posts it owes, then let it be seen.

        Hold the game's lock. ``reorder`` and ``also`` are awaited in the same transaction.

        Raises:
            StaleError: someone else's entry has taken the place.
        """
        now, game = self.clock(), here.table.id
        try:
            async with self.database.writing(game) as session:
                here = await self._read_latest(session, here, change)
                after, passed = compute_position(here, change)
                table, entries = after.table, build_entries(here, change, now)
                await _append_entries(session, entries)
                step = await self.told.build_step(session, here, after, change, now)
                if passed:
                    await outbox.close_turn(session, here.table)
                is_move = type(change.said.action) in here.game.title.actions
                await game_clock.pass_turn(session, here, after, now, is_move=is_move)
                stopped = await reorder(session) if reorder is not None else ()
                stops = list_stop_posts(after, list_readers(table, stopped), now, step.user, find_delay(step))
                await outbox.owe(session, [*list_posts(step, self.live.find_card_due(game, now)), *stops], now)
                if also is not None:
                    await also(session)
                gone = await proposals.expire(session, table, change.user)
                await outbox.owe(session, [make_ballot(each, now) for each in gone], now)
                if "finished" in (table.state, here.table.state):
                    await servers.record_scores(session, table, after.game.result())
                if passed or table.state != here.table.state:
                    values = {"turn_from": table.turn_from, "state": table.state, "reason": table.reason}
                    await games.change(session, game, ended=now if table.state == "finished" else None, **values)
        except StoreError:
            stored = await self._find_stored_after_cut(game, change)
            if stored is None:
                raise
            return stored
        except _OvertakenError:
            self.live.forget(game)
            again = await self.find_answer(change.interaction, game, change.user)
            if again is not None:
                return again
            raise make_race_error(await self.load_position(game)) from None
        self.live.keep(after, len(entries))
        self.told.append(here, entries)
        self.advice.end_search(game)
        return make_outcome(
            after, change.all_sentences, line=" · ".join(step.told) if passed else "", handed_over=passed
        )

    async def _find_stored_after_cut(self, game: int, change: Change) -> Outcome | None:
        """Return the answer to a change that a server stored, though the line was cut before it said so."""
        if not self.database.shared:
            return None
        try:
            async with asyncio.timeout(RECHECK_SECONDS):
                stored = await self.find_answer(change.interaction, game, change.user)
        except (StoreError, TimeoutError):
            return None
        self.database.wake.set()
        return stored

    async def _read_latest(self, session: AsyncSession, here: Position, change: Change) -> Position:
        """Return a position with its table as it is now, if it is still the latest: another may have been faster.

        Raises:
            _OvertakenError: something else was stored, or others sit there.
            BotError: the table was closed meanwhile.
        """
        table, version = await games.fetch_with_version(session, here.table.id)
        if version != here.version:
            raise _OvertakenError
        if table.state != here.table.state:
            raise BotError(explain_blocked(msgspec.structs.replace(here, table=table), change.user))
        if table.seats != here.table.seats:
            raise _OvertakenError
        return msgspec.structs.replace(here, table=table)


async def _append_entries(session: AsyncSession, entries: Sequence[log.NewEntry]) -> None:
    """Add entries to the log.

    Raises:
        _OvertakenError: its place is taken, or its delivery was stored already.
    """
    try:
        for entry in entries:
            await log.append(session, entry)
    except IntegrityError:
        raise _OvertakenError from None
