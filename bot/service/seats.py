"""Who holds a seat of a running game, and who acts for it: replaced, resigned, lent, given away, forgotten.

The rows of a seat are its history: no one's time at the table is forgotten,
but where they ask for it.
"""

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts, turns
from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.plain import tidy_person
from bot.model.posts import Giving, Owed, build_giving_key
from bot.model.records import Outcome, Pace, Person, Position, Proposal, Seat, Table, Tenure
from bot.model.seating import join_names, make_outcome
from bot.model.terms import ActFor, Replace
from bot.model.turns import list_recall_posts
from bot.service import game_clock
from bot.service.consent.asking import TYPED, Consent, ProposalDraft
from bot.service.table import Also, Delivery, GameTable
from bot.store import games, log, outbox, people, posted, proposals

MIN_WAIT_SECONDS: Mapping[Pace, int] = {
    "live": DAY // 2,
    "several a day": 2 * DAY,
    "daily": 4 * DAY,
    "relaxed": 7 * DAY,
}
"""How long a table waits for a seat before its host alone may give it to another."""
NO_ONE = Person("", "")


class Seats:
    """Changes of people at running games."""

    def __init__(self, table: GameTable, consent: Consent) -> None:
        self.table = table
        self.consent = consent
        consent.effects[Replace] = self._replace
        consent.effects[ActFor] = self._set_deputy

    async def propose_replacement(
        self, game: int, user: str, number: int, person: Person, delivery: Delivery = TYPED
    ) -> Outcome:
        """Ask that a person takes a seat, who must agree.

        Its holder may ask that at any time; of a seat that no one holds, or that
        the table has waited for long enough, the host; else a majority of the others.

        Args:
            game: number of the table.
            user: who asks.
            number: of the seat.
            person: who is to take it.
            delivery: how it came in.

        Raises:
            BotError: no such seat, no right to ask, or the person sits there already.
        """
        person = Person(person.id, tidy_person(person.name))

        async def propose() -> Outcome:
            here = await self.table.load_position(game, delivery.version)
            seat = get_running_seat(here.table, number)
            if here.table.list_held(person.id):
                raise BotError(f"{person.name} already has a seat at this table.")
            terms = Replace(number, seat.name, person.id, person.name)
            return await self.consent.propose(
                here, user, await self._draft_replacement(here, user, seat, terms), delivery
            )

        return await self.consent.run_once(game, user, delivery, propose)

    async def _draft_replacement(self, here: Position, user: str, seat: Seat, terms: Replace) -> ProposalDraft:
        """Return of whom it is asked that a seat changes hands.

        Raises:
            BotError: the user has no say in it, or has not waited long enough.
        """
        table, needed = here.table, (terms.user,)
        if user == seat.user:
            return ProposalDraft(terms, needed)
        others = tuple(each for each in table.people if each not in (seat.user, terms.user))
        vote = ProposalDraft(terms, needed, others, len(others) // 2 + 1, seat.user)
        if not seat.user:
            return ProposalDraft(terms, needed) if user == table.host else vote
        if user not in table.people:
            raise BotError(f"Only players of “{table.name}” can ask for this.")
        waits = await self._measure_wait(here, seat)
        if user == table.host and waits >= MIN_WAIT_SECONDS[table.pace]:
            return ProposalDraft(terms, needed, absent=seat.user)
        await self.refuse_impatient(here, seat)
        return vote

    async def refuse_impatient(self, here: Position, seat: Seat) -> None:
        """Refuse that others dispose of a seat for which no one has waited.

        Raises:
            BotError: the table has not waited for it as long as until its first reminder; where one other would
                decide alone, as long as its patience.
        """
        async with self.table.database.reading() as session:
            if await game_clock.is_time_up(session, here.table, seat.number, self.table.clock()):
                return
        others = [user for user in here.table.people if user != seat.user]
        patience = (posts.REMINDER_SECONDS if len(others) > 1 else MIN_WAIT_SECONDS)[here.table.pace]
        if await self._measure_wait(here, seat) < patience:
            is_turn = seat.number in [actor.number for actor in here.actors]
            why = "hasn't kept the table waiting long enough" if is_turn else "doesn't have to act now"
            raise BotError(
                f"{seat.name} {why}: others can vote on a seat only after waiting "
                f"{game_clock.format_span(patience)} for it."
            )

    async def _measure_wait(self, here: Position, seat: Seat) -> int:
        """Return for how many seconds the table has waited for a seat."""
        if seat.number not in [actor.number for actor in here.actors]:
            return 0
        async with self.table.database.reading() as session:
            last = await log.fetch_last_moment(session, here.table.id)
        assert here.table.started is not None  # only at a game that has begun does a seat keep anybody waiting
        return self.table.clock() - max(last, here.table.started)

    async def _replace(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Give a seat to the person who has agreed to take it."""
        terms = asked.terms
        assert isinstance(terms, Replace)
        table, seat = here.table, get_running_seat(here.table, terms.seat)
        if seat.name != terms.before:
            raise BotError("The seat has changed hands in the meantime.")
        told = f"{terms.name} takes over {seat.name}'s seat."
        async with self.table.database.writing(table.id) as session:
            await also(session)
            await games.hand_over_seat(
                session, table.id, seat.number, Person(terms.user, terms.name), self.table.clock()
            )
            await self._stop_orders(session, here, (seat.number,), "Another player took over the seat.")
            if table.list_held(seat.user) == (seat.number,):
                await self.consent.answer_for_leaver(session, table.id, seat.user)
                await self._replace_host(session, table, seat.user, terms.user)
            await self._notify_table(session, here, told)
        return make_outcome(await self.table.load_position(table.id), (told,))

    async def _stop_orders(
        self, session: AsyncSession, here: Position, seats: tuple[int, ...], reason: str, by: str = ""
    ) -> None:
        """Stop the orders of seats that have changed hands; tell those who set them, and who held the seats before."""
        game = here.table.id
        stopped = turns.list_readers(here.table, await games.stop_orders(session, game, seats, reason))
        after = Position(await games.fetch(session, game), here.game, here.version)
        now = self.table.clock()
        await outbox.owe(session, turns.list_stop_posts(after, stopped, now, by), now)

    async def resign(self, game: int, user: str) -> Outcome:
        """Give up all seats of a user; the seats stay, and wait for others to take them.

        Raises:
            BotError: the user has no seat, or no one would be left.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            table, now = here.table, self.table.clock()
            held = table.list_held(user)
            if table.state != "running" or not held:
                raise BotError(f"You don't have a seat in a running game at “{table.name}”.")
            if len(table.people) == 1:
                raise BotError("You're the last player there. To close the table, use /game close.")
            names = join_names([table.names[number] for number in held])
            told = (
                f"{names} resigned. To give the seat to another player, use /game replace; to end the game, /game end."
            )
            async with self.table.database.writing(game) as session:
                for number in held:
                    await games.hand_over_seat(session, game, number, Person("", table.names[number]), now)
                await self._stop_orders(session, here, held, "The seat was given up.", user)
                await self.consent.answer_for_leaver(session, game, user)
                await self._replace_host(session, table, user, "")
                await self._notify_table(session, here, told)
        return make_outcome(await self.table.load_position(game), (told,))

    async def set_proxy(self, game: int, user: str, proxy: Person = NO_ONE) -> Outcome:
        """Let a player act for a user at this table, until told otherwise; no one without ``proxy``.

        The log says who acted for whom. A proxy may end it too.

        Raises:
            BotError: the user holds no seat, or names themselves.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            table = here.table
            owners = [seat.user for seat in table.seats if user in (seat.user, seat.proxy) and seat.user]
            if not proxy.id and user not in table.people and owners:
                user = owners[0]  # the proxy wants out
            names = join_names([seat.name for seat in table.seats if seat.user == user])
            if table.state != "running" or not names:
                raise BotError(f"You don't have a seat in a running game at “{table.name}”.")
            if proxy.id == user:
                raise BotError("You can't be your own proxy.")
            proxy = Person(proxy.id, tidy_person(proxy.name) if proxy.id else "")
            told = (
                f"{proxy.name} acts for {names} until further notice."
                if proxy.id
                else f"No one else acts for {names} now."
            )
            async with self.table.database.writing(game) as session:
                await games.set_proxy(session, game, user, proxy)
                await self._notify_table(session, here, told, (proxy.id,) if proxy.id else ())
            return make_outcome(await self.table.load_position(game), (told,))

    async def propose_deputy(
        self, game: int, user: str, number: int, person: Person, *, once: bool, delivery: Delivery = TYPED
    ) -> Outcome:
        """Ask that a person acts for a seat whose time is up, or that the table has waited for.

        More than half of the others must agree, and who is to act.

        Raises:
            BotError: no such seat, no right to ask, or the seat has time left.
        """
        person = Person(person.id, tidy_person(person.name))

        async def propose() -> Outcome:
            here = await self.table.load_position(game, delivery.version)
            seat, table = get_running_seat(here.table, number), here.table
            if user not in table.people:
                raise BotError(f"Only players of “{table.name}” can ask for this.")
            if person.id == seat.user:
                raise BotError(f"{seat.name} already plays that seat.")
            await self.refuse_impatient(here, seat)
            name = table.find_name(person.id) if person.id in table.people else person.name
            others = tuple(each for each in table.people if each != seat.user)
            terms = ActFor(number, seat.name, person.id, name, once)
            wish = ProposalDraft(terms, (person.id,), others, len(others) // 2 + 1, seat.user)
            return await self.consent.propose(here, user, wish, delivery)

        return await self.consent.run_once(game, user, delivery, propose)

    async def _set_deputy(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Let a person act for a seat, as the others wish."""
        terms, game = asked.terms, here.table.id
        assert isinstance(terms, ActFor)
        seat = get_running_seat(here.table, terms.seat)
        how = "until the end of this turn" if terms.once else "until further notice; /game proxy ends it"
        told = f"{terms.name} acts for {seat.name} {how}."
        async with self.table.database.writing(game) as session:
            await also(session)
            await games.set_seat_proxy(session, game, seat.number, Person(terms.user, terms.name), once=terms.once)
            await self._notify_table(session, here, told, (terms.user,))
        return make_outcome(await self.table.load_position(game), (told,))

    async def list_tenures(self, game: int) -> list[Tenure]:
        """Return who held which seat, and when."""
        async with self.table.database.reading() as session:
            return await games.list_tenures(session, game)

    async def merge_people(self, before: str, after: str) -> tuple[Table, ...]:
        """Let all seats of a person be another's, who turned out to be the same; return the tables."""
        async with self.table.database.reading() as session:
            numbers = {
                *await people.list_games(session, before),
                *await people.list_invitations(session, before),
            }
        async with self.table.database.writing() as session:
            await people.merge_wishes(session, before, after)
        return tuple([await self._merge_people_at(game, before, after) for game in sorted(numbers)])

    async def _merge_people_at(self, game: int, before: str, after: str) -> Table:
        async with self.table.live.get_lock(game):
            async with self.table.database.writing(game) as session:
                table = await games.fetch(session, game)
                await people.rename_in_game(session, game, before, after)
                asked, now = await proposals.fetch_open(session, game), self.table.clock()
                await outbox.owe(session, [posts.make_ballot(each, now) for each in asked], now)
            if table.state == "running":
                here = await self.table.load_position(game)
                async with self.table.database.writing(game) as session:
                    told = f"{table.find_name(before)} can now be reached in more than one place."
                    await self._notify_table(session, Position(table, here.game, here.version), told)
            return table

    async def _replace_host(self, session: AsyncSession, table: Table, before: str, after: str) -> None:
        """Make another host if the one there was has no seat any more."""
        left = [each for each in table.people if each != before]
        if before == table.host:
            await games.change(session, table.id, host=after or left[0])

    async def _notify_table(
        self, session: AsyncSession, here: Position, told: str, mention: tuple[str, ...] = ()
    ) -> None:
        """Tell the table of a change, and call those who are to decide now instead of those before."""
        now, game = self.table.clock(), here.table.id
        after = Position(await games.fetch(session, game), here.game, here.version)
        await game_clock.change_deciders(session, here, now)
        calls: list[Owed] = []
        if [seat.caller for seat in after.actors] != [seat.caller for seat in here.actors]:
            await outbox.drop(session, game, (posts.Errand,))
            calls = list_recall_posts(after, now)
            mention = tuple(
                user for user in mention if user not in turns.list_called(after.actors)
            )  # one call is enough
        word = posts.Prompt(game, told, mention) if mention else posts.Notice(game, told)
        await outbox.owe(session, [*calls, Owed(f"{game}:people:{now}:{told[:80]}", word, now)], now)

    async def offer_seats(self, game: int, user: str) -> None:
        """Let friends take the seats of a person who holds several; one stays theirs.

        Raises:
            BotError: they hold fewer than two seats, or the game does not run.
        """
        async with self.table.live.get_lock(game):
            table = (await self.table.load_position(game)).table
            if table.state != "running" or len(table.list_held(user)) < 2:
                raise BotError("Only a player who holds several seats in a running game can give them away.")
            async with self.table.database.writing(game) as session:
                await outbox.owe(session, [_build_giving(game, user, self.table.clock())], self.table.clock())

    async def take_seat(self, game: int, person: Person, number: int) -> Outcome:
        """Take a seat that is given away.

        Raises:
            BotError: it is not given away (any more), or the person sits there already.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            table, seat = here.table, get_running_seat(here.table, number)
            if table.list_held(person.id):
                raise BotError(f"You already have a seat at “{table.name}”, as {table.find_name(person.id)}.")
            if not seat.user or seat.number not in list_free_seats(table, await self.find_giver(game)):
                raise BotError("No one is giving that seat away now.")
            terms = Replace(number, seat.name, person.id, tidy_person(person.name))
            asked = Proposal(0, game, seat.user, terms, here.version, (), "accepted", 0)
            return await self._replace(here, asked, self._refresh_offer(here, seat.user))

    def _refresh_offer(self, here: Position, giver: str) -> Also:
        """Return what shows in the message that a seat was taken."""

        async def also(session: AsyncSession) -> None:
            now = self.table.clock()
            await outbox.owe(session, [_build_giving(here.table.id, giver, now)], now)

        return also

    async def find_giver(self, game: int) -> str:
        """Return who gives seats away at a table; empty for no one."""
        async with self.table.database.reading() as session:
            found = await posted.find(session, build_giving_key(game))
        return found.post.user if found is not None and isinstance(found.post, Giving) else ""

    async def forget_person(self, user: str) -> int:
        """Remove a person: their seats become “a former player”, logs stay playable; return at how many tables.

        Raises:
            BotError: they are alone at a running table, which no one could play on.
        """
        async with self.table.database.reading() as session:
            known = await people.list_games(session, user)
            tables = [await games.fetch(session, number) for number in known]
        held = [table for table in tables if table.state in ("open", "running") and table.list_held(user)]
        alone = next((table for table in held if len(table.people) == 1 or table.state == "open"), None)
        if alone is not None:
            how = "/game leave" if alone.state == "open" else "/game close"
            raise BotError(f"You still have a seat at “{alone.name}” (game {alone.id}); use {how} there first.")
        for table in held:
            await self.resign(table.id, user)
        for number in known:
            async with self.table.live.get_lock(number), self.table.database.writing(number) as session:
                await self.consent.close_naming(session, number, user)
                await people.forget_in_game(session, number, user)
            self.table.forget_log(number)
        async with self.table.database.writing() as session:
            await people.forget_person(session, user)
        return len(known)


def get_running_seat(table: Table, number: int) -> Seat:
    """Return a seat of a running game.

    Raises:
        BotError: the game does not run, or has no such seat.
    """
    if table.state != "running":
        raise BotError(f"“{table.name}” is {table.state}; seats can change hands only in a running game.")
    seat = next((seat for seat in table.seats if seat.number == number), None)
    if seat is None:
        raise BotError(f"There is no such seat; the players are {join_names(table.names)}.")
    return seat


def list_free_seats(table: Table, giver: str) -> tuple[int, ...]:
    """Return the seats that friends may take: all of the giver's, while there are two."""
    held = table.list_held(giver)
    return held if len(held) > 1 else ()


def _build_giving(game: int, user: str, now: int) -> Owed:
    return Owed(build_giving_key(game), posts.Giving(game, user), now)
