"""Taking moves back: one's own freely, those of others with their consent.

A player takes back own moves as long as no one else has acted since; further
back, everyone whose move is lost must say yes. Any move played meanwhile lets
the question lapse.
"""

from collections.abc import Mapping
from functools import partial
from textwrap import shorten

from bot.model.errors import BotError
from bot.model.plain import tidy_person
from bot.model.records import Outcome, Person, Position, Proposal
from bot.model.seating import join_names, refuse_unseated
from bot.model.standing import Standing
from bot.model.terms import TakeBack, format_moves
from bot.service.consent.agreements import find_end_action
from bot.service.consent.asking import TYPED, Consent, ProposalDraft
from bot.service.live import Change
from bot.service.orders import FORCED, SAME_PRESS
from bot.service.table import Also, Delivery, GameTable
from bot.service.workers.tasks import BACK, UndoAsked
from bot.store import games, log
from engine import LogEntry, Redo, Undo

MAX_LOST_LINES = 20
MAX_LINE_CHARACTERS = 200


class TakingBack:
    """Undo and redo at running and finished games."""

    def __init__(self, table: GameTable, consent: Consent) -> None:
        self.table = table
        self.consent = consent
        consent.effects[TakeBack] = self._undo_as_agreed

    async def undo(self, game: int, user: str, to: int | None = None, delivery: Delivery = TYPED) -> Outcome:
        """Take moves back, or ask those whose moves would be lost.

        Args:
            game: number of the table.
            user: who asks.
            to: moves in force that remain; ``None`` takes back the user's last move.
            delivery: how it came in.

        Returns:
            What happened; with a ``proposal`` nothing was taken back yet.

        Raises:
            BotError: the user has no seat, or no move to take back. RuleError: no such move.
            StaleError: see ``GameTable.submit``.
        """

        async def propose() -> Outcome:
            here = await self.table.load_position(game, delivery.version)
            refuse_unseated(here, user)
            async with self.table.database.reading() as session:
                mechanical = await log.list_made_by_programs(session, game)
            left = _find_own_last(here, user, mechanical) if to is None else to
            after = await self._try_undo(here, LogEntry(_pick_seat(here, user), Undo(left)))
            needed = _list_losers(here, left, user, mechanical)
            if needed:
                gone = here.game.line[left:]
                first = shorten(
                    " ".join(await self._read_sentences(here, gone[0])), MAX_LINE_CHARACTERS, placeholder=" …"
                )
                whose = tuple(dict.fromkeys(here.table.names[here.game.log[place].seat] for place in gone))
                terms = TakeBack(left, await self._describe_lost_moves(here, left), len(gone), first, whose)
                return await self.consent.propose(here, user, ProposalDraft(terms, needed), delivery)
            return await self._store_undo(here, after, user, delivery.interaction)

        return await self.consent.run_once(game, user, delivery, propose)

    async def restart_turn(self, game: int, user: str, delivery: Delivery = TYPED) -> Outcome:
        """Take back all that a user did in the present turn.

        Raises:
            BotError: that is nothing. StaleError: see ``GameTable.submit``.
        """
        here = await self.table.load_position(game, delivery.version)
        kept = sum(place < here.table.turn_from for place in here.game.line)
        if kept == len(here.game.line):
            again = await self.consent.find_answer(delivery, game, user)
            if again is not None:
                return again
            refuse_unseated(here, user)
            raise BotError("You haven't moved yet this turn. To take back earlier moves, use /game undo.")
        return await self.undo(game, user, kept, delivery)

    async def redo(self, game: int, user: str, delivery: Delivery = TYPED) -> Outcome:
        """Restore what the last undo took back, if no move was made since.

        Raises:
            BotError: the user has no seat, or another took it back. RuleError: there is nothing to bring back.
        """

        async def propose() -> Outcome:
            here = await self.table.load_position(game, delivery.version)
            refuse_unseated(here, user)
            seat = _pick_seat(here, user)
            after = await self._try_undo(here, LogEntry(seat, Redo()))
            taken = next(said.seat for said in reversed(here.game.log) if isinstance(said.action, Undo))
            await self._refuse_rolled_back(here, user, taken)
            if taken not in here.table.list_playable(user):
                name = here.table.names[taken]
                raise BotError(f"{name} took back the last moves; only {name} can restore them.")
            count = len(after.line) - len(here.game.line)
            told = (f"{here.table.names[seat]} restores {format_moves(count)}.",)
            cut = partial(games.rewind_orders, game=game, to=0)  # what orders have not heard of they cannot judge
            return await self.table.store_change(
                here, Change(after.log[-1], user, after, told, delivery.interaction), reorder=cut
            )

        return await self.consent.run_once(game, user, delivery, propose)

    async def _refuse_rolled_back(self, here: Position, user: str, seat: int) -> None:
        """Refuse to bring back what a server's admin took, though the log has it under the seat that moved last.

        Raises:
            BotError: the user who undid it does not play that seat.
        """
        place = max(at for at, said in enumerate(here.game.log) if isinstance(said.action, Undo))
        async with self.table.database.reading() as session:
            taker = (await log.list_told(session, here.table.id, place))[0].user
        if taker != user and seat not in here.table.list_playable(taker):
            raise BotError("You can't restore these moves: a server manager or a former player took them back.")

    async def roll_back(self, here: Position, admin: Person, to: int) -> Outcome:
        """Take moves back as a player who runs the server wishes; hold the game's lock.

        Raises:
            RuleError: there is no such move.
        """
        after = await self._try_undo(here, LogEntry(here.game.log[-1].seat if here.game.log else 0, Undo(to)))
        lost = len(here.game.line) - to
        told = (f"Server manager {tidy_person(admin.name)} took back {format_moves(lost)}.",)
        cut = partial(games.rewind_orders, game=here.table.id, to=len(after.line))
        return await self.table.store_change(here, Change(after.log[-1], admin.id, after, told, None), reorder=cut)

    async def describe_loss(self, here: Position, left: int) -> tuple[str, ...]:
        """Return what would be lost if so many moves remained: how many, whose, the first and the last.

        Raises:
            RuleError: there is no such move.
        """
        await self._try_undo(here, LogEntry(0, Undo(left)))
        lines, count = await self._describe_lost_moves(here, left), len(here.game.line) - left
        names = [here.table.names[here.game.log[place].seat] for place in here.game.line[left:]]
        first = " ".join(await self._read_sentences(here, here.game.line[left]))
        ends = (f"First: {first}", f"Last: {lines[-1]}") if count > 1 else lines
        return (f"{format_moves(count).capitalize()} by {join_names(names)}.", *ends)

    async def _read_sentences(self, here: Position, place: int) -> tuple[str, ...]:
        async with self.table.database.reading() as session:
            rows = await log.list_told(session, here.table.id, place)
        return next((row.told for row in rows if row.told), ())  # of a raise war the last bid tells

    async def _undo_as_agreed(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Take moves back as all agreed."""
        if not isinstance(asked.terms, TakeBack) or asked.version != here.version:
            raise BotError("The game has moved on; this proposal has expired.")
        after = await self._try_undo(here, LogEntry(_pick_seat(here, asked.proposer), Undo(asked.terms.to)))
        lost = len(here.game.line) - asked.terms.to
        told = (f"{here.table.find_name(asked.proposer)} takes back {format_moves(lost)}, as everyone agreed.",)
        change = Change(after.log[-1], asked.proposer, after, told, None)
        cut = partial(games.rewind_orders, game=here.table.id, to=len(after.line))
        return await self.table.store_change(here, change, also, cut)

    async def _describe_lost_moves(self, here: Position, left: int) -> tuple[str, ...]:
        """Return words for the moves that would be lost, newest kept if there are many."""
        async with self.table.database.reading() as session:
            rows = {row.seq: row.told for row in await log.list_told(session, here.table.id)}
        lines = [" ".join(told) for position in here.game.line[left:] if (told := rows.get(position, ()))]
        return tuple(shorten(line, MAX_LINE_CHARACTERS, placeholder=" …") for line in lines[-MAX_LOST_LINES:])

    async def _try_undo(self, here: Position, said: LogEntry) -> Standing:
        """Have moves taken back or brought back, and return where the game stands then."""
        to = said.action.to if isinstance(said.action, Undo) else None
        told = await self.table.workers.do(BACK, UndoAsked(said.seat, to), here.course)
        return here.game.add_entry(said, told)

    async def _store_undo(self, here: Position, after: Standing, user: str, interaction: str | None) -> Outcome:
        lost = len(here.game.line) - len(after.line)
        told = (f"{here.table.names[_pick_seat(here, user)]} takes back {format_moves(lost)}.",)
        cut = partial(games.rewind_orders, game=here.table.id, to=len(after.line))
        return await self.table.store_change(here, Change(after.log[-1], user, after, told, interaction), reorder=cut)


def _find_own_last(here: Position, user: str, mechanical: Mapping[int, str]) -> int:
    """Return the number of moves that remain without the user's last one and what was made with it at one press.

    Passes without a choice don't count.
    """
    held = here.table.list_playable(user)
    for count, place in reversed([*enumerate(here.game.line)]):
        if here.game.log[place].seat in held and mechanical.get(place) not in (FORCED, SAME_PRESS):
            return count
    raise BotError("You haven't made a move that can be taken back.")


def _pick_seat(here: Position, user: str) -> int:
    """Return the seat a user speaks for: at a hot seat the one that moved last."""
    held = here.table.list_playable(user)
    last = here.game.log[-1].seat if here.game.log else held[0]
    return last if last in held else held[0]


def _list_losers(here: Position, left: int, user: str, mechanical: Mapping[int, str]) -> tuple[str, ...]:
    """Return the other users whose moves would be lost; proxies answer for those they act for.

    No one is asked for a move that a program made: what it answered to is taken back too. Of an end on
    which all agreed all are asked.
    """
    mine, agreed = here.table.list_playable(user), find_end_action(here.game.title)
    if agreed is not None and any(type(here.game.log[place].action) is agreed for place in here.game.line[left:]):
        return tuple(each for each in here.table.people if each != user)
    callers = {seat.number: seat.caller for seat in here.table.seats if seat.number not in mine}
    people = [position for position in here.game.line[left:] if mechanical.get(position, SAME_PRESS) == SAME_PRESS]
    lost = [callers.get(here.game.log[position].seat, "") for position in people]
    return tuple(dict.fromkeys(loser for loser in lost if loser))
