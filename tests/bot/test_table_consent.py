"""Taking back: one's own freely, those of others with their consent."""

import pytest

from bot.model.errors import BotError
from bot.model.posts import MAX_SENTENCES_IN_LINE, Ballot
from bot.model.records import LogLine
from bot.model.terms import TakeBack, list_details
from bot.screens import notices
from bot.screens.text import format_log
from bot.service.consent.asking import CONSENT_SECONDS
from bot.service.services import Services
from bot.service.table import Delivery
from engine import RuleError
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock
from tests.support.sure import sure
from tests.support.toy import Bid, Pass


async def bids(services: Services, game: int) -> None:
    for user, amount in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(amount))


async def test_a_players_own_move_is_undone_at_once_if_no_one_acted_since(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    outcome = await services.back.undo(game, ANN.id)
    assert outcome.sentences == ("Ann takes back a move.",)
    assert outcome.proposal is None
    assert [seat.name for seat in outcome.actors] == ["Ann"]
    lines = await services.table.read_log(game)
    assert [line.taken_back for line in lines] == [True, False]
    assert lines[0].sentences == ("Ann bids £3 for lot 1.",), "what was undone stays readable"


async def test_redo_brings_it_back_until_something_is_played(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await services.back.undo(game, ANN.id)
    with pytest.raises(BotError, match="only Ann can restore them"):
        await services.back.redo(game, BOB.id)
    outcome = await services.back.redo(game, ANN.id)
    assert [seat.name for seat in outcome.actors] == ["Bob"]
    with pytest.raises(RuleError, match="no undone move to restore"):
        await services.back.redo(game, ANN.id)


async def test_proposals_of_a_player_who_resigns_are_withdrawn(services: Services, game: int) -> None:
    await bids(services, game)
    await services.back.undo(game, ANN.id)
    await services.seats.resign(game, ANN.id)
    assert await services.consent.list_open(game) == []


async def test_further_back_every_one_whose_move_is_lost_must_agree(services: Services, game: int) -> None:
    await bids(services, game)
    asked = await services.back.undo(game, ANN.id)
    assert asked.proposal is not None
    assert asked.proposal.needed == (BOB.id, CID.id)
    assert isinstance(asked.proposal.terms, TakeBack)
    assert asked.proposal.terms.lost == ("Ann bids £1 for lot 1.", "Bob bids £2 for lot 1.", "Cid bids £3 for lot 1.")
    assert (await services.table.load_position(game)).version == 3
    with pytest.raises(BotError, match="This is your own proposal; it needs an answer from Bob and Cid"):
        await services.consent.vote(game, ANN.id, yes=True)
    half = await services.consent.vote(game, BOB.id, yes=True)
    assert half.version == 3
    done = await services.consent.vote(game, CID.id, yes=True)
    assert done.sentences == ("Ann takes back 3 moves, as everyone agreed.",)
    assert done.proposal is not None
    assert done.proposal.state == "accepted"
    assert [seat.name for seat in done.actors] == ["Ann"]
    assert (await services.table.load_position(game)).game.replay().state.bid == 0


async def test_one_no_is_enough_and_the_proposer_may_withdraw(services: Services, game: int) -> None:
    await bids(services, game)
    for user, state in ((CID, "declined"), (ANN, "withdrawn")):
        await services.back.undo(game, ANN.id)
        outcome = await services.consent.vote(game, user.id, yes=False)
        assert outcome.proposal is not None
        assert outcome.proposal.state == state
    with pytest.raises(BotError, match="has no open proposal"):
        await services.consent.vote(game, BOB.id, yes=True)
    assert (await services.table.load_position(game)).version == 3


async def test_a_yes_can_be_withdrawn_while_others_are_asked(services: Services, game: int) -> None:
    """The question is answered with that no, nothing is taken back, and the other's yes comes too late."""
    await bids(services, game)
    await services.back.undo(game, ANN.id)
    await services.consent.vote(game, BOB.id, yes=True)
    outcome = await services.consent.vote(game, BOB.id, yes=False)
    assert outcome.sentences == ("Bob takes back the vote; nothing changes.",)
    told = notices.make_ballot(Ballot(game, sure(outcome.proposal).id, ()), sure(outcome.proposal), outcome.table)
    assert told.text.endswith(f": declined** (<@{BOB.id}> no, <@{CID.id}> no answer)")
    assert told.rows == ()
    with pytest.raises(BotError, match="has no open proposal"):
        await services.consent.vote(game, CID.id, yes=True)
    assert (await services.table.load_position(game)).version == 3


async def test_no_other_player_is_asked(services: Services, game: int) -> None:
    await bids(services, game)
    await services.back.undo(game, BOB.id, 2)
    for user in (EVE, ANN):
        with pytest.raises(BotError, match="You have no vote on this"):
            await services.consent.vote(game, user.id, yes=True)


async def test_the_question_expires_when_the_game_continues(services: Services, game: int) -> None:
    await bids(services, game)
    asked = await services.back.undo(game, BOB.id)
    await services.table.submit(game, ANN.id, Pass())
    assert asked.proposal is not None
    proposal = await services.consent.get_proposal(asked.proposal.id)
    assert proposal is not None
    assert proposal.state == "lapsed"
    with pytest.raises(BotError, match="has no open proposal"):
        await services.consent.vote(game, CID.id, yes=True)


async def test_silence_is_a_no_after_a_day(services: Services, game: int, clock: Clock) -> None:
    await bids(services, game)
    await services.back.undo(game, ANN.id)
    clock.now += CONSENT_SECONDS - 1
    await services.tidy()
    assert await services.consent.list_open(game) is not None
    clock.now += 1
    await services.tidy()
    assert await services.consent.list_open(game) == []


async def test_the_question_is_posted_to_those_asked_and_edited_after(services: Services, game: int) -> None:
    await bids(services, game)
    asked = await services.back.undo(game, ANN.id)
    assert asked.proposal is not None
    key = f"{game}:ballot:{asked.proposal.id}"
    stored = await services.posted.find_post(key)
    assert stored is not None
    assert stored.post == Ballot(game, asked.proposal.id, (BOB.id, CID.id), pings=(BOB.id, CID.id))
    await services.outbox.note_sent([(stored, ("c", "m9"))])
    await services.consent.vote(game, BOB.id, yes=False)
    stored = await services.posted.find_post(key)
    assert stored is not None
    assert stored.message == "m9"
    assert stored in await services.outbox.list_due()


async def test_a_repeated_delivery_asks_or_takes_back_once(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.back.undo(game, ANN.id, delivery=Delivery("i1"))
    again = await services.back.undo(game, ANN.id, delivery=Delivery("i1"))
    assert again.repeated
    assert again.version == 2
    await bids(services, game)
    first = await services.back.undo(game, ANN.id, delivery=Delivery("i2"))
    second = await services.back.undo(game, ANN.id, delivery=Delivery("i2"))
    assert second.repeated
    assert first.proposal is not None
    assert second.proposal is not None
    assert second.proposal.id == first.proposal.id


@pytest.mark.parametrize("to", [-1, 3, 10**18])
async def test_there_is_no_such_move_to_go_back_to(services: Services, game: int, to: int) -> None:
    await bids(services, game)
    with pytest.raises(RuleError, match="There is no move"):
        await services.back.undo(game, ANN.id, to)


async def test_players_without_a_move_and_strangers_cannot_undo(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    with pytest.raises(BotError, match="You haven't made a move that can be"):
        await services.back.undo(game, BOB.id)
    with pytest.raises(BotError, match="You have no seat"):
        await services.back.undo(game, EVE.id)


async def test_a_large_undo_names_how_much_whose_and_from_where_to_where(services: Services, game: int) -> None:
    """And what was taken back is one line of the log, until someone reads the branch."""
    for person, amount in ((ANN, 1), (BOB, 2), (CID, 3), (ANN, 4), (BOB, 5), (CID, 6)):
        await services.table.submit(game, person.id, Bid(amount))
    asked = sure((await services.back.undo(game, ANN.id, 1)).proposal)
    assert list(list_details(asked.terms)) == [
        "5 moves of Bob, Cid, Ann", "from: Bob bids £2 for lot 1.", "to: Cid bids £6 for lot 1.",
    ]  # fmt: skip
    for person in (BOB, CID):
        await services.consent.vote(game, person.id, yes=True)
    lines = await services.table.read_log(game)
    assert format_log(lines) == [
        "   1  Ann bids £1 for lot 1.",
        "   ×  5 moves of Bob, Cid and Ann, from “Bob bids £2 for lot 1” to “Cid bids £6 for lot 1” (taken back)",
        "   ·  Ann takes back 5 moves, as everyone agreed.",
    ]
    assert len(format_log(lines, branches=True)) == 7


@pytest.mark.parametrize(
    ("count", "lines"), [(MAX_SENTENCES_IN_LINE, 1), (MAX_SENTENCES_IN_LINE + 1, MAX_SENTENCES_IN_LINE + 1)]
)
def test_a_move_with_many_effects_is_reported_one_line_each(count: int, lines: int) -> None:
    """As when the railways are nationalised and all run to the end by themselves."""
    said = tuple(f"Company {number} runs." for number in range(count))
    assert len("\n".join(format_log([LogLine(0, 1, 0, "Ann", said, 0)])).splitlines()) == lines
