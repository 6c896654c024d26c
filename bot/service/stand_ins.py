"""The program's player at a table: openly, by consent, until a person takes the seat back.

It moves after a human pause, when its errand in the outbox is due, so it goes
on after a restart; it calls no one and is never called; its moves are marked.
"""

from functools import partial

import structlog
from msgspec.structs import replace

from bot.model import posts, turns
from bot.model.errors import BotError
from bot.model.posts import Owed
from bot.model.records import Outcome, Position, Proposal, Seat
from bot.model.seating import make_outcome
from bot.model.terms import StandIn
from bot.service import game_clock
from bot.service.consent.asking import TYPED, Consent, ProposalDraft, note_nothing
from bot.service.live import Change, play_further
from bot.service.seats import Seats, get_running_seat
from bot.service.table import Also, Delivery, GameTable
from bot.service.workers.jobs import DefectError
from bot.service.workers.pool import TooMuchError
from bot.service.workers.stand_in import STAND_IN, STAND_IN_THINKING, TRIES, SeatToPlay
from bot.store import games, log, outbox
from engine.codec import decode_entry
from engine.player import STRONGEST, Manner
from engine.setup import may_advise

_log = structlog.get_logger(__name__)
MAX_MOVES_ALONE = 2000
"""Moves in a row that programs make, more than whole games have: where all only pass, some games never end."""


class StandIns:
    """Gives seats to the program's player, takes them back, and lets it move."""

    def __init__(self, table: GameTable, consent: Consent, seats: Seats) -> None:
        self.table = table
        self.consent = consent
        self.seats = seats
        consent.effects[StandIn] = self._start

    async def propose(
        self,
        game: int,
        user: str,
        number: int,
        delivery: Delivery = TYPED,
        *,
        once: bool = False,
        manner: Manner = STRONGEST,
    ) -> Outcome:
        """Ask the others that the program plays a seat.

        Its holder may ask that at any time; of a seat that no one holds, or that the
        table has waited for, anybody who plays there. Half of the others are not enough.
        ``once`` is for this turn only. How the program plays can be changed in the same way.

        Raises:
            BotError: no such seat, no right to ask, or the program plays it already.
        """

        async def propose() -> Outcome:
            here = await self.table.load_position(game, delivery.version)
            seat = get_running_seat(here.table, number)
            if user not in here.table.people:
                raise BotError(f"Only players of “{here.table.name}” can ask for this.")
            if seat.stand_in and seat.manner == manner.words:
                raise BotError(f"The stand-in already plays for {seat.name}.")
            if user != seat.user and seat.user:
                await self.seats.refuse_impatient(here, seat)
            return await self.consent.propose(
                here, user, draft_stand_in(here, seat, once=once, manner=manner), delivery
            )

        return await self.consent.run_once(game, user, delivery, propose)

    async def take_back(self, game: int, user: str, number: int) -> Outcome:
        """Let a person play their seat again, as its holder or the host wishes.

        Raises:
            BotError: the program does not play it, or the user may not say that.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            seat = get_running_seat(here.table, number)
            if not seat.stand_in:
                raise BotError(f"The stand-in doesn't play for {seat.name}.")
            if not seat.user:
                raise BotError("No one holds that seat. To give it to a player, use /game replace.")
            if user not in (seat.user, here.table.host):
                raise BotError(f"Only {seat.name} or the host can end the stand-in.")
            return await self._set(here, seat, note_nothing)

    async def _start(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Let the program play a seat."""
        assert isinstance(asked.terms, StandIn)
        seat = get_running_seat(here.table, asked.terms.seat)
        return await self._set(here, seat, also, asked.terms)

    async def _set(self, here: Position, seat: Seat, also: Also, terms: StandIn | None = None) -> Outcome:
        told, on, once, manner = f"{seat.name} plays again.", False, False, ""
        if terms is not None:
            on, once, manner = True, terms.once, terms.manner
            who = f"The stand-in ({manner})" if manner else "The stand-in"
            told = f"{who} plays for {seat.name} {'until the end of this turn' if once else 'from now on'}."
        game, now = here.table.id, self.table.clock()
        async with self.table.database.writing(game) as session:
            await also(session)
            await games.set_stand_in(session, game, seat.number, on=on, once=once, manner=manner)
            await game_clock.change_deciders(session, here, now)
            after = Position(await games.fetch(session, game), here.game, here.version)
            owed = [Owed(f"{game}:people:{now}:{told[:80]}", posts.Notice(game, told), now)]
            if seat.number in [actor.number for actor in after.actors]:
                await outbox.drop(session, game, (posts.Errand,))
                owed += turns.list_recall_posts(after, now)
            await outbox.owe(session, owed, now)
        return make_outcome(await self.table.load_position(game), (told,))

    async def play_turn(self, game: int) -> Outcome | None:
        """Make the moves of the program's seat that must decide, until others must; ``None`` if there is none.

        Where programs alone have moved for very long, the host is asked to look at the table instead.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            seats = [seat for seat in here.actors if seat.stand_in]
            if not seats or here.table.state != "running":
                return None
            async with self.table.database.reading() as session:
                standing = await games.list_active_orders(session, game)
                latest = here.game.line[-MAX_MOVES_ALONE:]
                is_long = len(latest) == MAX_MOVES_ALONE
                by_programs = await log.list_made_by_programs(session, game) if is_long else {}
            if is_long and set(latest) <= by_programs.keys():
                await self._ask_host_to_look(here)
                return None
            is_alone = len(here.table.people) < 2  # what all may read, one may read
            says_why = may_advise(here.table.options, private=is_alone)
            sitting = SeatToPlay(seats[0].number, here.table.names, standing, TRIES, seats[0].manner, says_why)
            try:
                done = await self.table.workers.do(STAND_IN_THINKING, sitting, here.course)
            except (TooMuchError, DefectError) as error:
                _log.error("stand-in plays at once", game=game, error=str(error))
                done = await self.table.workers.do(STAND_IN, replace(sitting, tries=0), here.course)
            if not done.further:
                return None
            first, *rest = done.further
            said = decode_entry(here.table.title, first.seat, first.said)
            after = play_further(here.game.add_entry(said, done.facts), rest, done.facts)
            change = Change(said, "", after, first.told, None, tuple(rest), first.made_by)
            reorder = partial(games.change_orders, orders=done.orders)
            return await self.table.store_change(here, change, reorder=reorder)

    async def _ask_host_to_look(self, here: Position) -> None:
        game, now = here.table.id, self.table.clock()
        text = (
            f"The stand-in has stopped: no player has made a decision for {MAX_MOVES_ALONE:,} moves. "
            "Take over a seat with /game stand_in, or end the game with /game end."
        )
        async with self.table.database.writing(game) as session:
            post = posts.Prompt(game, text, (here.table.host,))
            await outbox.owe(session, [Owed(f"{game}:standstill:{here.version}", post, now)], now)


def draft_stand_in(here: Position, seat: Seat, *, once: bool = False, manner: Manner = STRONGEST) -> ProposalDraft:
    """Return of whom it is asked that the program plays a seat: of more than half of the others."""
    others = tuple(user for user in here.table.people if user != seat.user)
    terms = StandIn(seat.number, seat.name, once, manner.words)
    return ProposalDraft(terms, (), others, len(others) // 2 + 1 if others else 0, seat.user)
