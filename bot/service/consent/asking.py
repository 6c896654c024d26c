"""Asking each other: one proposes, others decide, silence is a no.

Whatever needs the word of others is a proposal: who asks, what is to be done,
who must agree, until when. Only the last yes that was needed does it, in the
transaction that notes it. A player who is asked may answer with terms of their own
instead: then the first question is settled, and its proposer is asked.
"""

from collections.abc import Awaitable, Callable

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import quiet
from bot.model import terms as words
from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.posts import make_ballot
from bot.model.records import Outcome, Position, Proposal, State, Table, Vote
from bot.model.seating import join_names, make_outcome
from bot.model.terms import AnyTerms
from bot.service.table import Also, Delivery, GameTable
from bot.store import log, outbox, people, proposals

CONSENT_SECONDS = DAY
_NO_LONGER_OPEN = "This proposal is no longer open: it was decided, or the game has moved on."
TYPED = Delivery()

Effect = Callable[[Position, Proposal, Also], Awaitable[Outcome]]
"""Does what was agreed on, and ``also`` in the same transaction; the game's lock is held."""


class ProposalDraft(msgspec.Struct, frozen=True):
    """What a player asks for, and of whom.

    Args:
        terms: what is to be done. needed: who must all agree. voters: of whom ``enough`` must.
        absent: who ends the matter by a word or a move. seconds: until silence is a no.
    """

    terms: AnyTerms
    needed: tuple[str, ...] = ()
    voters: tuple[str, ...] = ()
    enough: int = 0
    absent: str = ""
    seconds: int = CONSENT_SECONDS


class Consent:
    """Proposals and votes; ``effects`` says what each kind of terms does once it is agreed."""

    def __init__(self, table: GameTable) -> None:
        self.table = table
        self.effects: dict[type[words.Terms], Effect] = {}

    async def propose(self, here: Position, user: str, wanted: ProposalDraft, delivery: Delivery = TYPED) -> Outcome:
        """Ask for something, or do it at once where no one else has a say; hold the game's lock.

        It takes the place of what was asked about the same subject; if that was
        asked of this very user, theirs is the counter-offer.

        Raises:
            BotError: a player moved in this very moment.
        """
        now, game = self.table.clock(), here.table.id
        made = _build_proposal(here, user, wanted, now)
        if made.is_agreed:
            return await self.effects[type(wanted.terms)](here, made, note_nothing)
        async with self.table.database.writing(game) as session:
            is_late = (
                isinstance(wanted.terms, words.TakeBack) and await log.fetch_version(session, game) != here.version
            )
            if is_late:
                raise BotError("Someone moved at the same moment; check the position and ask again.")
            gone = await self._close_replaced(session, made)
            calls = await people.fetch_calls(session, made.waiting)  # who sleeps has as long from when they wake
            awake = max([quiet.find_awake(wish, now) for wish in calls.values()], default=now)
            made = msgspec.structs.replace(made, expires=awake + wanted.seconds)
            made = msgspec.structs.replace(made, id=await proposals.insert(session, made, now, delivery.interaction))
            await outbox.owe(session, [make_ballot(each, now) for each in (*gone, made)], now)
        return make_outcome(here, (write_question(here, made, is_late=awake > now),), proposal=made)

    async def _close_replaced(self, session: AsyncSession, made: Proposal) -> list[Proposal]:
        """Settle what was asked about the same before; return it as it is then."""
        about, gone = words.make_subject(made.terms), []
        for each in await proposals.fetch_open(session, made.game):
            if words.make_subject(each.terms) == about:
                state: State = "countered" if made.proposer in each.deciders else "lapsed"
                await proposals.settle(session, each.id, state)
                gone.append(msgspec.structs.replace(each, state=state))
        return gone

    async def vote(self, game: int, user: str, proposal: int | None = None, *, yes: bool) -> Outcome:
        """Say yes or no to a proposal; the proposer's no withdraws it.

        The last yes that was needed does it in the same transaction.

        Raises:
            BotError: there is no open proposal, or the user is not asked.
        """
        async with self.table.live.get_lock(game):
            here = await self.table.load_position(game)
            asked = await self._find_votable(here, user, proposal)
            if yes and user not in (*asked.deciders, asked.absent):
                names = join_names([name_decider(here.table, asked, each) for each in asked.waiting])
                raise BotError(f"This is your own proposal; it needs an answer from {names or 'the others'}.")
            said = _add_vote(asked, Vote(user, yes))
            if yes and said.is_agreed:
                return await self._accept(here, asked, user)
            refused = said.is_refused and not yes
            state: State = "withdrawn" if user == asked.proposer and not yes else "declined" if refused else "open"
            return await self._note_vote(here, asked, user, state, yes=yes)

    async def get_proposal(self, number: int) -> Proposal | None:
        """Return a proposal with its votes."""
        async with self.table.database.reading() as session:
            return await proposals.fetch(session, number)

    async def list_open(self, game: int) -> list[Proposal]:
        """Return the open proposals of a game."""
        async with self.table.database.reading() as session:
            return await proposals.fetch_open(session, game)

    async def answer_for_leaver(self, session: AsyncSession, game: int, user: str) -> None:
        """Answer for a player who leaves: what they asked is withdrawn, and to what they are asked they say no.

        A player who still wants it asks those who stay.
        """
        now = self.table.clock()
        for asked in await proposals.fetch_open(session, game):
            if user in (asked.proposer, *asked.waiting):
                await proposals.record_vote(session, asked.id, user, now, yes=False)
                if user == asked.proposer:
                    await proposals.settle(session, asked.id, "withdrawn")
                elif _add_vote(asked, Vote(user, yes=False)).is_refused:
                    await proposals.settle(session, asked.id, "declined")
                await _owe_ballot(session, asked.id, now)

    async def close_naming(self, session: AsyncSession, game: int, user: str) -> None:
        """End what speaks of a player who is to be forgotten; who still wants it asks again."""
        now = self.table.clock()
        for asked in await proposals.fetch_open(session, game):
            of = asked.terms.user if isinstance(asked.terms, words.Replace | words.ActFor | words.ChangeHost) else ""
            if user in (asked.proposer, asked.absent, of, *asked.needed, *asked.voters):
                await proposals.settle(session, asked.id, "lapsed")
                await _owe_ballot(session, asked.id, now)

    async def close_expired(self) -> None:
        """Decline the proposals whose time is up."""
        now = self.table.clock()
        async with self.table.database.reading() as session:
            expired = [await proposals.fetch(session, number) for number in await proposals.list_expired(session, now)]
        for proposal in expired:
            if proposal is not None:
                async with self.table.database.writing(proposal.game) as session:
                    await proposals.settle(session, proposal.id, "declined")
                    await _owe_ballot(session, proposal.id, now)

    async def run_once(
        self, game: int, user: str, delivery: Delivery, act: Callable[[], Awaitable[Outcome]]
    ) -> Outcome:
        """Do something while no one else changes the game, and that once for a delivery: else return its answer."""
        async with self.table.live.get_lock(game):
            again = await self.find_answer(delivery, game, user)
            return await act() if again is None else again

    async def find_answer(self, delivery: Delivery, game: int, user: str) -> Outcome | None:
        """Return the answer to a delivery that was answered before: by a log entry, or a proposal."""
        if delivery.interaction is None:
            return None
        async with self.table.database.reading() as session:
            proposal = await proposals.find_by_interaction(session, delivery.interaction)
        if proposal is None:
            return await self.table.find_answer(delivery.interaction, game, user)
        here = await self.table.load_position(game)
        return make_outcome(here, (write_question(here, proposal),), repeated=True, proposal=proposal)

    async def _find_votable(self, here: Position, user: str, number: int | None) -> Proposal:
        """Return the open proposal a user may vote on."""
        found = [each for each in await self.list_open(here.table.id) if number in (None, each.id)]
        if not found and number is None:
            raise BotError(f"“{here.table.name}” has no open proposal to vote on.")
        if not found:
            raise BotError(_NO_LONGER_OPEN)
        mine = [each for each in found if user in (*each.deciders, each.absent)]
        mine = mine or [each for each in found if user == each.proposer]
        if not mine:
            names = [name_decider(here.table, found[0], each) for each in found[0].deciders]
            raise BotError(f"You have no vote on this: {join_names(names)} decide{'s' if len(names) == 1 else ''}.")
        if len(mine) > 1:
            several = ", or ".join(f"which:{each.id} {words.describe_request(each.terms)}" for each in mine)
            raise BotError(f"Several proposals need your answer; add {several}.")
        return mine[0]

    async def _note_vote(self, here: Position, asked: Proposal, user: str, state: State, *, yes: bool) -> Outcome:
        """Note a vote that does nothing yet."""
        now = self.table.clock()
        async with self.table.database.writing(here.table.id) as session:
            await _refuse_settled(session, asked.id)
            await proposals.record_vote(session, asked.id, user, now, yes=yes)
            if state != "open":
                await proposals.settle(session, asked.id, state)
            await _owe_ballot(session, asked.id, now)
        after = await self.get_proposal(asked.id)
        if after is not None and after.state == "open" and after.is_agreed:  # another said yes in the same moment
            return await self._accept(here, after, user)
        name = here.table.find_name(user)
        no = "takes back the vote" if Vote(user, yes=True) in asked.votes else "declines"
        told = {
            "open": f"{name} {'agrees' if yes else no}; others still have to answer.",
            "withdrawn": f"{name} withdraws the proposal; nothing changes.",
            "declined": f"{name} {no}; nothing changes.",
        }[state]
        return make_outcome(here, (told,), proposal=after)

    async def _accept(self, here: Position, asked: Proposal, user: str) -> Outcome:
        """Do what was asked with the last yes."""
        now = self.table.clock()

        async def settle(session: AsyncSession) -> None:
            await _refuse_settled(session, asked.id)
            await proposals.record_vote(session, asked.id, user, now, yes=True)
            await proposals.settle(session, asked.id, "accepted")
            await _owe_ballot(session, asked.id, now)

        done = await self.effects[type(asked.terms)](here, asked, settle)
        return msgspec.structs.replace(done, proposal=await self.get_proposal(asked.id))


async def note_nothing(session: AsyncSession) -> None:
    """Note nothing: no one was asked."""
    del session


def _build_proposal(here: Position, user: str, wanted: ProposalDraft, now: int) -> Proposal:
    """Return a proposal as it is stored."""
    return Proposal(
        0, here.table.id, user, wanted.terms, here.version, wanted.needed, "open", now + wanted.seconds,
        voters=wanted.voters, enough=wanted.enough, absent=wanted.absent,
    )  # fmt: skip


def _add_vote(asked: Proposal, vote: Vote) -> Proposal:
    """Return a proposal with the last word of a player."""
    return msgspec.structs.replace(asked, votes=(*(each for each in asked.votes if each.user != vote.user), vote))


def write_question(here: Position, proposal: Proposal, *, is_late: bool = False) -> str:
    """Say who asks whom for what; ``is_late``: someone who is asked is asleep or away."""
    names = join_names(
        [name_decider(here.table, proposal, user) for user in proposal.deciders if user != proposal.proposer]
    )
    who = f"{names} must agree" if not proposal.voters else f"{names} can vote"
    asker = here.table.find_name(proposal.proposer)
    later = ", counted from when everyone is back" * is_late
    return f"{asker} asks {words.describe_request(proposal.terms)}; {who} within a day{later}."


def name_decider(table: Table, proposal: Proposal, user: str) -> str:
    """Return what a player who is asked is called; they may not sit at the table yet."""
    terms = proposal.terms
    if isinstance(terms, words.Replace | words.ActFor) and user == terms.user and not table.list_held(user):
        return terms.name
    return table.find_name(user)


async def _refuse_settled(session: AsyncSession, number: int) -> None:
    """Refuse a vote on what another process has settled meanwhile.

    Raises:
        BotError: it has.
    """
    proposal = await proposals.fetch(session, number)
    if proposal is None or proposal.state != "open":
        raise BotError(_NO_LONGER_OPEN)


async def _owe_ballot(session: AsyncSession, number: int, now: int) -> None:
    """Let the message of a proposal show how it stands."""
    proposal = await proposals.fetch(session, number)
    if proposal is not None:
        await outbox.owe(session, [make_ballot(proposal, now)], now)
