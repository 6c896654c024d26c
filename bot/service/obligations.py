"""What waits for whom at all tables: pings as people wish them, snoozes, absences, the digest, who is next.

A ``Ring`` is owed to each table for the moment of its next ping. The sender of its posts carries it out: it pings those
for whom it is time, and owes the next. So pings go on after a crash, and one process at a time rings a table.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from bot.model import obligations, pinging, posts, turns
from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.errors import BotError
from bot.model.obligations import FOR_THE_TURN, TABLE, Obligation
from bot.model.plain import thread_mark, tidy_name
from bot.model.posts import AnyCall, ClockAlarm, Owed, Ping, TimeUp
from bot.model.quiet import find_asleep, find_awake
from bot.model.records import Calls, Position, Table
from bot.model.seating import list_ranking
from bot.model.terms import StandIn, describe_request
from bot.service.consent.agreements import Agreements
from bot.service.consent.asking import Consent
from bot.service.people import People
from bot.service.stand_ins import draft_stand_in
from bot.service.table import GameTable
from bot.service.workers.account import TURNING_POINTS, TurnsAsked
from bot.service.workers.next_up import NEXT_UP
from bot.store import games, groups, outbox, people, posted
from bot.store import obligations as stored_obligations
from bot.store.outbox import StoredPost
from engine.words import pluralise

SNOOZES = ("4h", "tonight", "tomorrow", "turn")
EVENING_HOUR, MORNING_HOUR = 20, 9
MAX_FOLLOWED = 50
LATE_SECONDS = MINUTE
"""After so long what a post decided on pings is looked at again before it is sent."""


class Obligations:
    """The obligations of people at all tables."""

    def __init__(self, table: GameTable, consent: Consent, agreements: Agreements, wishes: People) -> None:
        self.table = table
        self.database = table.database
        self.consent = consent
        self.agreements = agreements
        self.people = wishes

    # --- ringing -------------------------------------------------------------------------

    async def carry_out(self, post: posts.AnyAlarm, key: str) -> None:
        """Ping those for whom it is time at a table, tell it that a clock has run out, or ask its host to start."""
        if isinstance(post, ClockAlarm):
            await self._sound(key, post)
        elif isinstance(post, posts.Nudge):
            await self._nudge(post.game)
        elif isinstance(post, posts.Bulletin):
            await self.tell_followers(post.game)
        else:
            await self.ring(post.game)

    async def _nudge(self, game: int) -> None:
        """Ask the host of a table that is still open to start it, and say when it closes."""
        now = self.table.clock()
        async with self.database.writing(game) as session:
            table = await games.fetch(session, game)
            if table.state == "open":
                days = pluralise(max(1, round((table.expires - now) / DAY)), "day")
                text = f"“{table.name}” hasn't started yet; it will close in {days}."
                post = posts.Prompt(game, text, (table.host,))
                await outbox.owe(session, [Owed(f"{game}:nudge:{now}", post, now)], now)

    async def ring(self, game: int) -> None:
        """Ping those for whom it is time, and ask the others where the patience of the table has ended."""
        now = self.table.clock()
        async with self.database.reading() as session:
            rows = await stored_obligations.fetch_of_game(session, game)
        for row in rows:
            if row.user == TABLE and (due := obligations.find_due(row, Calls())) is not None and due <= now:
                await self._end_patience(row)
        async with self.database.writing(game) as session:
            questions, asked = await stored_obligations.read_questions(session, game, now)
            plan = pinging.ring(game, questions, asked, now)
            await stored_obligations.store(session, plan, now)
            await outbox.owe(session, plan.owed, now)

    async def _end_patience(self, row: Obligation) -> None:
        """Ask the others whether the stand-in shall play for whom they wait."""
        async with self.table.live.get_lock(row.game):
            here = await self.table.load_position(row.game)
            if row.subject == posts.build_turn_key(row.game, here.table.turn_from) and not here.damage:
                await self._propose_stand_in(here)

    async def _propose_stand_in(self, here: Position) -> None:
        calls = await self.people.get_calls(*turns.list_called(here.actors))
        late = [seat for seat in here.actors if seat.caller]
        open_now = await self.consent.list_open(here.table.id)
        asked = {each.terms.seat for each in open_now if isinstance(each.terms, StandIn)}
        if late and len(here.table.people) > 1 and late[0].number not in asked and calls:
            await self.consent.propose(here, "", draft_stand_in(here, late[0]))

    async def _sound(self, key: str, alarm: ClockAlarm) -> None:
        """Tell the table that a clock has run out, if it has, and ask the others what they want."""
        if not await self.agreements.check_time_up(alarm):
            return
        here = await self.table.load_position(alarm.game)
        late = here.table.seats[alarm.seat]
        others = tuple(user for user in here.table.people if user != late.user)
        words = f"The clock of {late.name} has run out: {here.ask().headline}."
        post = TimeUp(alarm.game, alarm.turn_from, alarm.seat, words, others, name=late.name)
        async with self.database.writing(alarm.game) as session:
            now = self.table.clock()
            await outbox.owe(session, [Owed(f"{alarm.game}:timeup:{key.partition(':time:')[2]}", post, now)], now)

    async def recheck_pings(self, stored: StoredPost) -> StoredPost:
        """Return a post without pings to players who are asleep by now, as it is sent late; they are pinged on waking.

        Reminders of those who are pinged in the message that asks count from now.
        """
        post, now = stored.post, self.table.clock()
        if now - max(stored.due, stored.created) < LATE_SECONDS or not isinstance(post, AnyCall | Ping):
            return stored
        subject, users = (post.follows, post.mention) if isinstance(post, Ping) else (stored.key, post.pings)
        if not users or stored.message:
            return stored
        async with self.database.writing(stored.game) as session:
            calls = await people.fetch_calls(session, users)
            asleep, rows = find_asleep(calls, now), list[Obligation]()
            for row in await stored_obligations.fetch_of_game(session, stored.game):
                if row.subject == subject and row.user in asleep:
                    rows.append(msgspec.structs.replace(row, pings=max(0, row.pings - 1), snooze=asleep[row.user]))
                elif row.key == (stored.key, row.user) and row.user in users and now - row.pinged > row.wait // 2:
                    rows.append(msgspec.structs.replace(row, pinged=now))
            await outbox.reschedule(session, rows, calls, now)
        awake = tuple(user for user in users if user not in asleep)
        left = {"mention": awake} if isinstance(post, Ping) else {"pings": awake}
        return msgspec.structs.replace(stored, post=msgspec.structs.replace(post, **left))

    async def list_still_asked(self, ping: Ping) -> tuple[str, ...]:
        """Return those of a ping who are still asked, and haven't put it off since it was owed."""
        async with self.database.reading() as session:
            rows = await stored_obligations.fetch_of_game(session, ping.game)
        waiting = {row.user for row in rows if row.subject == ping.follows and row.open and not row.snooze}
        return tuple(user for user in ping.mention if user in waiting)

    async def note_unreachable(self, ping: Ping) -> None:
        """Ping a person at the table whom private messages don't reach, from now on in this matter.

        What the others must not read is told at the desk, and in ``/auto list``.
        """
        if ping.follows.split(":")[1] == "order":
            return
        (user,), now = ping.mention, self.table.clock()
        async with self.database.writing(ping.game) as session:
            rows = await stored_obligations.fetch_of_game(session, ping.game)
            mine = [row for row in rows if row.subject == ping.follows and row.user == user]
            await stored_obligations.save(
                session, [msgspec.structs.replace(row, refused=True, stands=True) for row in mine]
            )
            post = msgspec.structs.replace(ping, private=False, refused=True)
            keys = [posts.build_ping_key(row.subject, row.pinged, ping.number, f"refused:{user}") for row in mine]
            await outbox.owe(session, [Owed(key, post, now) for key in keys], now)

    # --- those who follow a table --------------------------------------------------------

    async def follow(self, game: int, user: str, *, on: bool) -> Table:
        """Tell a person of the turning points of a table from now on, or no longer.

        Raises:
            BotError: they play there, it is over, or they follow as many as they may.
        """
        async with self.database.writing() as session:
            table, version = await games.fetch_with_version(session, game)
            if not on:
                await groups.unfollow(session, game, user)
                return table
            if table.list_playable(user):
                raise BotError(f"You play at “{table.name}”, so you already get its turns and its end.")
            if table.state not in ("open", "running"):
                raise BotError(f"“{table.name}” is {table.state}; look at it with /view.")
            if len({*await groups.list_followed(session, user), game}) > MAX_FOLLOWED:
                raise BotError(f"You already follow {pluralise(MAX_FOLLOWED, 'table')}, which is the limit.")
            await groups.follow(session, game, user, version)
        return table

    async def list_followed(self, user: str) -> list[Table]:
        """Return the open and running tables that a person follows."""
        async with self.database.reading() as session:
            return [await games.fetch(session, game) for game in await groups.list_followed(session, user)]

    async def tell_followers(self, game: int) -> None:
        """Owe each follower of a table a silent word on each turning point since they were last told."""
        here, now = await self.table.load_position(game), self.table.clock()
        async with self.database.reading() as session:
            followers = await groups.fetch_followers(session, game)
        since = min(followers.values(), default=here.version)
        if since >= here.version or here.damage:
            return
        asked = TurnsAsked(since, here.table.names)
        found = await self.table.workers.do(TURNING_POINTS, asked, here.course)
        if (result := here.game.result()) is not None:
            ranking = "\n".join(list_ranking(result, here.table.names))
            found.append(f"The game is over: {result.reason_in_words}.\n{ranking}")
        name = f"“{here.table.name}” {thread_mark(here.table.home.thread) if here.table.home.thread else f'#{game}'}"
        owed = [
            Owed(posts.build_news_key(game, user, said), posts.Whisper(game, user, f"{name}: {said}", silent=True), now)
            for user in followers
            if user not in here.table.people
            for said in dict.fromkeys(found)
        ]
        async with self.database.writing(game) as session:
            known = {each.key for each in await posted.find_all(session, [each.key for each in owed])}
            await outbox.owe(session, [each for each in owed if each.key not in known], now)
            await groups.note_told(session, game, here.version)

    # --- what people wish ----------------------------------------------------------------

    async def snooze(self, game: int, user: str, until: str, *, of_turn: int | None = None) -> str:
        """Put off what a person is asked at a table, or stop its pings; return in words when they will come.

        Args:
            game: the table.
            user: who is asked.
            until: one of ``SNOOZES``.
            of_turn: where the turn must have begun that they mean; any if left out.

        Raises:
            BotError: nothing waits for them there, or another turn than they mean, or there is no such snooze.
        """
        if until not in SNOOZES:
            raise BotError(f"You can't snooze until “{until[:20]}”; choose 4h, tonight, tomorrow or turn.")
        now = self.table.clock()
        async with self.database.writing(game) as session:
            rows = await stored_obligations.fetch_of_game(session, game)
            mine = [row for row in rows if row.user == user and row.open and not row.is_known]
            mine = [row for row in mine if until != "turn" or row.kind == "turn"]
            if not mine:
                raise BotError("It's no longer your turn; there are no reminders to snooze.")
            if of_turn is not None and posts.build_turn_key(game, of_turn) not in {row.subject for row in mine}:
                raise BotError("This button belongs to an earlier turn; use those of the newest reminder.")
            calls = (await people.fetch_calls(session, [user]))[user]
            then = find_snooze_end(calls, now, until)
            snooze = FOR_THE_TURN if then is None else find_awake(calls, then)
            rows = [msgspec.structs.replace(row, snooze=snooze) for row in mine]
            await outbox.reschedule(session, rows, {user: calls}, now)
            is_held = then is None or calls.digest < 0  # the ping that comes then brings a letter of its own
            rest = now + obligations.DIGEST_SECONDS if is_held else snooze
            await posted.put_off_letters(session, [row.subject for row in mine], user, rest)
        if then is None:
            return "You won't be pinged again this turn."
        time = f"{_get_local_time(calls, snooze):%H:%M}"
        why = "" if snooze == then else ", when your quiet hours end"
        return f"You'll be pinged again on {format_day(calls, snooze)} at {time} ({calls.zone}){why}."

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
            clock = " The clock stops until then." * (table.clock is not None and bool(table.clock.left))
            text = (
                f"{name} is away until {format_day(calls, calls.away_to)}{why}.{clock}" if days else f"{name} is back."
            )
            async with self.database.writing(table.id) as session:
                owed = Owed(f"{table.id}:away:{user}:{now}", posts.Notice(table.id, text), now)
                await outbox.owe(session, [owed], now)
        return calls

    async def owe_digests(self) -> None:
        """Owe their digest to those whose hour has come: one message a day, of all that waits for them."""
        now = self.table.clock()
        async with self.database.reading() as session:
            wishes = await people.list_digests(session)
        for user, calls, last in wishes:
            here = _get_local_time(calls, now)
            is_away = calls.away_from <= now < calls.away_to
            if here.hour < calls.digest or last == here.date().isoformat() or is_away:
                continue
            waiting = await self.list_waiting(user)
            async with self.database.writing() as session:
                await people.record_digest(session, user, here.date().isoformat())
                if waiting:
                    game, text = next(iter(waiting)), "\n".join(["Waiting for you:", *waiting.values()])
                    post = posts.Whisper(game, user, text, tuple(waiting))
                    await outbox.owe(session, [Owed(f"{game}:digest:{user}:{here.date()}", post, now)], now)

    async def list_waiting(self, user: str) -> dict[int, str]:
        """Return what waits for a person at each table, a line for each thing, by the table's number.

        Whoever wishes no pings reads here what others were prompted for.
        """
        wants_none = (await self.people.get_calls(user))[user].place == "none"
        async with self.database.reading() as session:
            rows = await stored_obligations.fetch_of_user(session, user)
            found = {each.key: each.post for each in await posted.find_all(session, {row.subject for row in rows})}
        lines: dict[int, list[str]] = {}
        rows = [row for row in rows if not row.is_known or (row.kind == "prompt" and wants_none)]
        for row in sorted(rows, key=lambda row: (-row.game, row.since)):
            if (line := await self._describe_wait(found.get(row.subject), user)) != "":
                lines.setdefault(row.game, []).append(line)
        return {game: "\n".join(each) for game, each in lines.items()}

    async def _describe_wait(self, post: posts.Post | None, user: str) -> str:
        """Return a line about what a post asks of a person; empty if it asks nothing any more."""
        if not isinstance(post, AnyCall) or user not in post.mention or user in getattr(post, "done", ()):
            return ""
        async with self.database.reading() as session:
            table = await games.fetch(session, post.game)
        where = f" · {thread_mark(table.home.thread)}" if table.home.thread else ""
        head = f"#{table.id} “{table.name}”{where}"
        if isinstance(post, posts.Turn):
            ask = (await self.table.load_position(table.id)).ask()
            return f"{head} · your turn: {ask.headline}, {ask.kind}"
        if isinstance(post, posts.Ballot):
            asked = await self.consent.get_proposal(post.proposal)
            asker = table.find_name(asked.proposer) if asked is not None and asked.proposer else "the table"
            vote = f"/game vote game:{table.id} which:{post.proposal}"
            return "" if asked is None else f"{head} · {asker} asks {describe_request(asked.terms)}: {vote}"
        return f"{head} · {post.text}"

    async def _list_running(self, user: str) -> list[Table]:
        async with self.database.reading() as session:
            found = await games.list_newest(session, ("running",), user)
        return [table for table in found if table.privacy != "private"]

    async def call_on_deck(self, here: Position, wished: Collection[str]) -> None:
        """Owe a notice to the player who is probably next, if it is one of those who wish it.

        It knows of no standing orders.
        """
        actors, table = [seat.number for seat in here.actors], here.table
        if len(actors) != 1:
            return
        number, now = await self.table.workers.do(NEXT_UP, actors[0], here.course), self.table.clock()
        caller = next((seat.caller for seat in table.seats if seat.number == number), "")
        if caller not in wished or caller in turns.list_called(here.actors):
            return
        headline = f"{here.actors[0].name}: {here.ask().headline}"
        async with self.database.writing(table.id) as session:
            post = posts.OnDeck(table.id, table.turn_from, (caller,), headline)
            await outbox.owe(session, [Owed(posts.build_deck_key(table.id, table.turn_from), post, now)], now)


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
