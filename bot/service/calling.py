"""Calls as people wish them: put off, stopped for a turn, gathered in a digest; and what the table is asked at last."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts
from bot.model.clock import HOUR
from bot.model.errors import BotError
from bot.model.letters import Letter
from bot.model.plain import thread_mark, tidy_name
from bot.model.posts import Owed
from bot.model.records import Calls, Position, Table
from bot.service.consent.asking import Consent
from bot.service.people import People
from bot.service.stand_ins import draft_stand_in
from bot.service.table import GameTable
from bot.service.workers.next_up import NEXT_UP, Upcoming
from bot.store import games, outbox, people, posted

SNOOZES = ("4h", "tonight", "tomorrow", "turn")
EVENING_HOUR, MORNING_HOUR = 20, 9


class Calling:
    """What concerns the calls of one person at all tables."""

    def __init__(self, table: GameTable, consent: Consent, wishes: People) -> None:
        self.table = table
        self.consent = consent
        self.people = wishes

    async def snooze(self, game: int, user: str, until: str, *, of_turn: int | None = None) -> str:
        """Put off the calls of the present turn for a user, at the table and by letter, or stop them; return words.

        Args:
            game: the table.
            user: who is called.
            until: one of ``SNOOZES``.
            of_turn: where the turn must have begun that they mean; any if left out.

        Raises:
            BotError: the turn is not theirs, or another than they mean, or there is no such snooze.
        """
        if until not in SNOOZES:
            raise BotError(f"You can't snooze until “{until[:20]}”; choose 4h, tonight, tomorrow or turn.")
        here = await self.table.load_position(game)
        if user not in posts.list_called(here.actors):
            raise BotError("It's no longer your turn; there are no reminders to snooze.")
        if of_turn not in (None, here.table.turn_from):
            raise BotError("This button belongs to an earlier turn; use those of the newest reminder.")
        calls = (await self.people.get_calls(user))[user]
        now = self.table.clock()
        then = find_snooze_end(calls, now, until)
        turn = here.table.turn_from
        async with self.table.database.writing(game, wakes=False) as session:
            for stored in await posted.list_owed_calls(session, game, turn):
                await self._put_off(session, stored, user, then)
        if then is None:
            return "You won't be pinged again this turn."
        time = f"{_get_local_time(calls, then):%H:%M}"
        return f"You'll be pinged again on {format_day(calls, then)} at {time} ({calls.zone})."

    async def _put_off(self, session: AsyncSession, stored: outbox.StoredPost, user: str, then: int | None) -> None:
        post = stored.post
        assert isinstance(post, posts.Ping | posts.Reminder | Letter)  # no other calls
        called = (post.user,) if isinstance(post, Letter) else post.mention
        if user not in called:
            return
        if left := tuple(each for each in called if each != user):
            others = Owed(stored.key, msgspec.structs.replace(post, mention=left), stored.due)
            await outbox.owe(session, [others], self.table.clock())
        elif then is None:
            await outbox.mark_failed(session, stored, "no more this turn", None)
        else:
            await outbox.put_off(session, stored, then)

    async def set_away(self, user: str, days: int, note: str = "") -> Calls:
        """Note that a person is away for so many days, from now on, and tell all their tables; 0 days: they are back.

        Raises:
            BotError: too many days.
        """
        if not 0 <= days <= 365:
            raise BotError("The number of days must be 0 to 365; 0 means that you're back.")
        now = self.table.clock()
        before = (await self.people.get_calls(user))[user]
        note = tidy_name(note, "")
        calls = msgspec.structs.replace(before, away_from=now, away_to=now + days * 24 * HOUR, away_note=note)
        await self.people.set_calls(user, calls)
        for table in await self._list_running(user):
            name = table.find_name(user)
            why = f": {note}" if note else ""
            text = f"{name} is away until {format_day(calls, calls.away_to)}{why}." if days else f"{name} is back."
            async with self.table.database.writing(table.id) as session:
                owed = Owed(f"{table.id}:away:{user}:{now}", posts.Notice(table.id, text), now)
                await outbox.owe(session, [owed], now)
        return calls

    async def call_on_deck(self, here: Position) -> None:
        """Owe a notice to the player who is probably next, if they wish it."""
        actors = {seat.number for seat in here.actors}
        others = [seat for seat in here.table.seats if seat.number not in actors and seat.caller]
        wishes = await self.people.get_calls(*{seat.caller for seat in others})
        if not any(wish.on_deck for wish in wishes.values()) or len(actors) != 1:
            return
        async with self.table.database.reading() as session:
            standing = await games.list_active_orders(session, here.table.id)
        number = await self.table.workers.do(NEXT_UP, Upcoming(min(actors), standing), here.course)
        wished = tuple(seat.caller for seat in others if seat.number == number and wishes[seat.caller].on_deck)
        if not wished or posts.list_called(here.actors) == wished:
            return
        table, now = here.table, self.table.clock()
        who = " and ".join(seat.name for seat in here.actors)
        post = posts.OnDeck(table.id, table.turn_from, wished, f"{who}: {here.ask().headline}")
        async with self.table.database.writing(table.id) as session:
            await outbox.owe(session, [Owed(posts.build_deck_key(table.id, table.turn_from), post, now)], now)

    async def owe_digests(self) -> None:
        """Owe their digest to those whose hour has come: one message a day, of all that waits for them."""
        now = self.table.clock()
        async with self.table.database.reading() as session:
            wishes = await people.list_digests(session)
        for user, calls, last in wishes:
            here = _get_local_time(calls, now)
            is_away = calls.away_from <= now < calls.away_to
            if is_away or here.hour < calls.digest or last == here.date().isoformat():
                continue
            waiting = {
                table.id: line
                for table in await self._list_running(user)
                if (line := await self._describe_wait(table, user))
            }
            async with self.table.database.writing() as session:
                await people.record_digest(session, user, here.date().isoformat())
                if waiting:
                    game, text = next(iter(waiting)), "\n".join(["Waiting for you:", *waiting.values()])
                    post = posts.Whisper(game, user, text, tuple(waiting))
                    await outbox.owe(session, [Owed(f"{game}:digest:{user}:{here.date()}", post, now)], now)

    async def _describe_wait(self, table: Table, user: str) -> str:
        """Return a line if a table waits for a person."""
        here = await self.table.load_position(table.id)
        if user not in posts.list_called(here.actors):
            return ""
        ask = here.ask()
        where = f" · {thread_mark(table.home.thread)}" if table.home.thread else ""
        return f"#{table.id} “{table.name}”{where}: {ask.headline}, {ask.kind}"

    async def _list_running(self, user: str) -> list[Table]:
        async with self.table.database.reading() as session:
            found = await games.list_newest(session, ("running",), user)
        return [table for table in found if table.privacy != "private"]

    async def propose_stand_in(self, post: posts.Reminder) -> None:
        """Ask the others, after the last reminder, whether the program shall play for whom they wait."""
        async with self.table.live.get_lock(post.game):
            here = await self.table.load_position(post.game)
            late = [seat for seat in here.actors if seat.caller in post.mention]
            if here.table.turn_from == post.turn_from and late and len(here.table.people) > 1:
                await self.consent.propose(here, "", draft_stand_in(here, late[0]))


def format_day(calls: Calls, moment: int) -> str:
    """Return the day of a moment where a player lives, as "3 May"."""
    here = _get_local_time(calls, moment)
    return f"{here.day} {here:%B}"


def _get_local_time(calls: Calls, moment: int) -> datetime:
    return datetime.fromtimestamp(moment, ZoneInfo(calls.zone))


def find_snooze_end(calls: Calls, now: int, until: str) -> int | None:
    """Return the moment until which a player wants peace; ``None`` for the whole turn."""
    if until == "turn":
        return None
    if until == "4h":
        return now + 4 * HOUR
    here = _get_local_time(calls, now)
    then = here.replace(hour=EVENING_HOUR if until == "tonight" else MORNING_HOUR, minute=0, second=0, microsecond=0)
    return int((then if then > here and until == "tonight" else then + timedelta(days=1)).timestamp())
