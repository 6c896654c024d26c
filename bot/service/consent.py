"""Taking moves back: one's own freely, those of others with their consent.

A player takes back own moves as long as nobody else has acted since; further
back, everyone whose move is lost must say yes. Silence is a no after a day,
and any move played meanwhile lets the question lapse.
"""

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.service.errors import BotError
from bot.service.posts import ballot
from bot.service.records import Outcome, Position, Proposal
from bot.service.seating import listed, outcome, refuse_unseated
from bot.service.standing import Standing
from bot.service.table import Change, Delivery, GameTable
from bot.service.workers.tasks import BACK, Back
from bot.store import log, outbox, proposals
from engine import Redo, Said, Undo

CONSENT_TIME = 24 * 60 * 60
MOST_LOST_LINES = 20
_SETTLED = "There is nothing to vote on (any more): the question was settled, or the game went on."
TYPED = Delivery()


class Consent:
    """Undo, redo and votes at running and finished games."""

    def __init__(self, table: GameTable) -> None:
        self.table = table

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
        async with self.table.live.lock(game):
            again = await self._answered(delivery, game, user)
            if again is not None:
                return again
            here = await self.table.position(game, delivery.version)
            refuse_unseated(here, user)
            left = _own_last(here, user) if to is None else to
            after = await self._after(here, Said(_seat(here, user), Undo(left)))
            needed = _losers(here, left, user)
            if needed:
                return await self._propose(here, user, left, delivery)
            return await self._take_back(here, after, user, delivery.interaction)

    async def redo(self, game: int, user: str, delivery: Delivery = TYPED) -> Outcome:
        """Bring back what the last undo took, if nothing was played since.

        Raises:
            BotError: the user has no seat. RuleError: there is nothing to bring back.
        """
        async with self.table.live.lock(game):
            again = await self._answered(delivery, game, user)
            if again is not None:
                return again
            here = await self.table.position(game, delivery.version)
            refuse_unseated(here, user)
            seat = _seat(here, user)
            after = await self._after(here, Said(seat, Redo()))
            count = len(after.line) - len(here.game.line)
            told = (f"{here.table.names[seat]} brings back {_moves(count)}.",)
            return await self.table.store(here, Change(after.log[-1], user, after, told, delivery.interaction))

    async def vote(self, game: int, user: str, proposal: int | None = None, *, yes: bool) -> Outcome:
        """Say yes or no to a proposal; the proposer's no withdraws it.

        The last yes that was needed takes the moves back in the same transaction.

        Raises:
            BotError: there is no open proposal, or the user is not asked.
        """
        async with self.table.live.lock(game):
            here = await self.table.position(game)
            asked = await self._open(here, user, proposal)
            given = {vote.user for vote in asked.votes if vote.yes} | ({user} if yes else set())
            if yes and given >= set(asked.needed):
                return await self._accept(here, asked, user)
            state = "open" if yes else "withdrawn" if user == asked.proposer else "declined"
            return await self._note(here, asked, user, state, yes=yes)

    async def proposal(self, number: int) -> Proposal | None:
        """Return a proposal with its votes."""
        async with self.table.database.reading() as session:
            return await proposals.fetch(session, number)

    async def pending(self, game: int) -> Proposal | None:
        """Return the open proposal of a game."""
        async with self.table.database.reading() as session:
            return await proposals.fetch_open(session, game)

    async def tidy(self) -> None:
        """Decline the proposals whose time is up."""
        now = self.table.clock()
        async with self.table.database.reading() as session:
            expired = [await proposals.fetch(session, number) for number in await proposals.fetch_expired(session, now)]
        for proposal in expired:
            if proposal is not None:
                async with self.table.database.writing(proposal.game) as session:
                    await proposals.close(session, proposal.id, "declined")
                    await _refresh(session, proposal.id, now)

    async def _answered(self, delivery: Delivery, game: int, user: str) -> Outcome | None:
        """Return the answer to a delivery that was answered before: an undo, or a proposal."""
        if delivery.interaction is None:
            return None
        async with self.table.database.reading() as session:
            proposal = await proposals.answered(session, delivery.interaction)
        if proposal is None:
            return await self.table.answered(delivery.interaction, game, user)
        here = await self.table.position(game)
        return outcome(here, (_question(here, proposal),), repeated=True, proposal=proposal)

    async def _open(self, here: Position, user: str, number: int | None) -> Proposal:
        """Return the open proposal a user may vote on."""
        found = await self.pending(here.table.id)
        if found is None or (number is not None and found.id != number):
            raise BotError(_SETTLED)
        if user not in (*found.needed, found.proposer):
            raise BotError("You are not asked: only those whose moves would be lost decide.")
        return found

    async def _propose(self, here: Position, user: str, left: int, delivery: Delivery) -> Outcome:
        now = self.table.clock()
        lost = await self._lost(here, left)
        made = Proposal(
            0, here.table.id, user, left, here.version, _losers(here, left, user), "open", now + CONSENT_TIME, (), lost
        )
        async with self.table.database.writing(here.table.id) as session:
            if await log.version(session, here.table.id) != here.version:
                raise BotError("Someone moved in this moment; look at the position and ask again.")
            gone = await proposals.lapse(session, here.table.id)
            made = msgspec.structs.replace(made, id=await proposals.insert(session, made, now, delivery.interaction))
            await outbox.owe(session, [ballot(each, now) for each in (*gone, made)], now)
        return outcome(here, (_question(here, made),), proposal=made)

    async def _lost(self, here: Position, left: int) -> tuple[str, ...]:
        """Return words for the moves that would be lost, newest kept if there are many."""
        async with self.table.database.reading() as session:
            rows = {row.seq: row.told for row in await log.told(session, here.table.id)}
        lines = [" ".join(rows.get(position, ())) for position in here.game.line[left:]]
        return tuple(line[:200] for line in lines[-MOST_LOST_LINES:])

    async def _note(self, here: Position, asked: Proposal, user: str, state: str, *, yes: bool) -> Outcome:
        """Note a vote that does not take anything back."""
        now = self.table.clock()
        async with self.table.database.writing(here.table.id) as session:
            await _refuse_settled(session, asked.id)
            await proposals.vote(session, asked.id, user, now, yes=yes)
            if state != "open":
                await proposals.close(session, asked.id, state)
            await _refresh(session, asked.id, now)
        after = await self.proposal(asked.id)
        if after is not None and after.state == "open" and _agreed(after):  # another said yes in the same moment
            return await self._accept(here, after, user)
        name = _name(here, user)
        told = {
            "open": f"{name} agrees; not all have answered yet.",
            "withdrawn": f"{name} withdraws the question; the moves stand.",
            "declined": f"{name} says no; the moves stand.",
        }[state]
        return outcome(here, (told,), proposal=after)

    async def _accept(self, here: Position, asked: Proposal, user: str) -> Outcome:
        """Take the moves back with the last yes."""
        if asked.version != here.version:
            raise BotError("The game has gone on since; the question has lapsed.")
        now = self.table.clock()

        async def settle(session: AsyncSession) -> None:
            await _refuse_settled(session, asked.id)
            await proposals.vote(session, asked.id, user, now, yes=True)
            await proposals.close(session, asked.id, "accepted")
            await _refresh(session, asked.id, now)

        after = await self._after(here, Said(_seat(here, asked.proposer), Undo(asked.to)))
        told = (f"{_name(here, asked.proposer)} takes back {_moves(len(here.game.line) - asked.to)}, as all agreed.",)
        done = await self.table.store(here, Change(after.log[-1], asked.proposer, after, told, None), settle)
        return msgspec.structs.replace(done, proposal=await self.proposal(asked.id))

    async def _after(self, here: Position, said: Said) -> Standing:
        """Have moves taken back or brought back, and return where the game stands then."""
        to = said.action.to if isinstance(said.action, Undo) else None
        told = await self.table.workers.do(BACK, Back(said.seat, to), here.course)
        return here.game.after(said, told)

    async def _take_back(self, here: Position, after: Standing, user: str, interaction: str | None) -> Outcome:
        lost = len(here.game.line) - len(after.line)
        told = (f"{here.table.names[_seat(here, user)]} takes back {_moves(lost)}.",)
        return await self.table.store(here, Change(after.log[-1], user, after, told, interaction))


def _own_last(here: Position, user: str) -> int:
    """Return the number of moves that remain without the user's last one."""
    held = here.table.held_by(user)
    for count in range(len(here.game.line) - 1, -1, -1):
        if here.game.log[here.game.line[count]].seat in held:
            return count
    raise BotError("You have made no move yet that could be taken back.")


def _seat(here: Position, user: str) -> int:
    """Return the seat a user speaks for: at a hot seat the one that moved last."""
    held = here.table.held_by(user)
    last = here.game.log[-1].seat if here.game.log else held[0]
    return last if last in held else held[0]


def _losers(here: Position, left: int, user: str) -> tuple[str, ...]:
    """Return the other users whose moves would be lost."""
    holders = {seat.number: seat.user for seat in here.table.seats}
    lost = [holders[here.game.log[position].seat] for position in here.game.line[left:]]
    return tuple(dict.fromkeys(loser for loser in lost if loser != user))


def _name(here: Position, user: str) -> str:
    return listed([seat.name for seat in here.table.seats if seat.user == user]) or "Someone"


def _moves(count: int) -> str:
    return "a move" if count == 1 else f"{count} moves"


def _question(here: Position, proposal: Proposal) -> str:
    names = listed([_name(here, user) for user in proposal.needed])
    count = len(here.game.line) - proposal.to
    return (
        f"{_name(here, proposal.proposer)} asks to take back {_moves(max(1, count))}; {names} must agree within a day."
    )


def _agreed(proposal: Proposal) -> bool:
    return {vote.user for vote in proposal.votes if vote.yes} >= set(proposal.needed)


async def _refuse_settled(session: AsyncSession, number: int) -> None:
    """Refuse a vote on what another process has settled meanwhile.

    Raises:
        BotError: it has.
    """
    proposal = await proposals.fetch(session, number)
    if proposal is None or proposal.state != "open":
        raise BotError(_SETTLED)


async def _refresh(session: AsyncSession, number: int, now: int) -> None:
    """Let the message of a proposal show how it stands."""
    proposal = await proposals.fetch(session, number)
    if proposal is not None:
        await outbox.owe(session, [ballot(proposal, now)], now)
