"""Seats of running games: given to others, resigned, lent; no one decides alone what concerns all."""

import pytest

from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.posts import REMINDER_SECONDS, Ballot, Ping, Prompt
from bot.model.records import NewTable
from bot.service.game_clock import ClockWish
from bot.service.seats import MIN_WAIT_SECONDS
from bot.service.services import Services
from bot.store import games
from tests.bot.conftest import ANN, BOB, CID, DAN, EVE, Clock, close_together, seat_three
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure
from tests.support.toy import Bid, Pass


async def holders(services: Services, game: int) -> list[str]:
    return [seat.name for seat in (await services.lobby.get_table(game)).seats]


async def test_a_holder_gives_a_seat_to_a_person_who_agrees(services: Services, game: int) -> None:
    asked = await services.seats.propose_replacement(game, BOB.id, 1, EVE)
    assert asked.proposal is not None
    assert asked.proposal.needed == (EVE.id,)
    assert await holders(services, game) == ["Ann", "Bob", "Cid"], "nobody is seated unasked"
    done = await services.consent.vote(game, EVE.id, yes=True)
    assert done.sentences == ("Eve takes over Bob's seat.",)
    assert await holders(services, game) == ["Ann", "Eve", "Cid"]
    held = [(each.number, each.name, each.gone is None) for each in await services.seats.list_tenures(game)]
    assert held == [(0, "Ann", True), (1, "Bob", False), (1, "Eve", True), (2, "Cid", True)], "history is kept"


async def test_a_new_holder_of_a_deciding_seat_is_pinged_and_the_old_one_is_not(
    services: Services, game: int, clock: Clock
) -> None:
    await services.seats.propose_replacement(game, ANN.id, 0, EVE)
    await send_all(services)
    await services.consent.vote(game, EVE.id, yes=True)
    called = [post.mention for post in await send_all(services) if isinstance(post, Ping)]
    assert called == [(EVE.id,)]
    clock.now += 2 * DAY
    assert [post.mention for post in await send_all(services) if isinstance(post, Ping)] == [(EVE.id,)]
    await services.table.submit(game, EVE.id, Bid(3))
    with pytest.raises(BotError, match="You have no seat"):
        await services.table.submit(game, ANN.id, Bid(4))
    assert (await services.lobby.get_table(game)).host == EVE.id, "the host's seat brings the host's duties"


async def test_an_absent_player_is_replaced_by_vote_and_stays_by_a_word(
    services: Services, game: int, clock: Clock
) -> None:
    """Once the table has waited for as long as until the first reminder, and no second sooner."""
    clock.now += REMINDER_SECONDS["relaxed"] - 1
    with pytest.raises(BotError, match="hasn't kept the table waiting"):
        await services.seats.propose_replacement(game, BOB.id, 0, EVE)
    clock.now += 1
    asked = await services.seats.propose_replacement(game, BOB.id, 0, EVE)
    assert asked.proposal is not None
    assert (asked.proposal.voters, asked.proposal.enough) == ((BOB.id, CID.id), 2)
    refused = await services.consent.vote(game, ANN.id, yes=False)
    assert refused.proposal is not None
    assert refused.proposal.state == "declined", "she is there after all"
    await services.seats.propose_replacement(game, BOB.id, 0, EVE)
    await services.table.submit(game, ANN.id, Bid(3))
    assert await services.consent.list_open(game) == [], "a move says the same"


async def test_replacing_an_absent_player_needs_every_required_vote(
    services: Services, game: int, clock: Clock
) -> None:
    clock.now += 2 * DAY
    await services.seats.propose_replacement(game, BOB.id, 0, EVE)
    await services.consent.vote(game, CID.id, yes=True)
    assert await holders(services, game) == ["Ann", "Bob", "Cid"], "Eve has not agreed"
    await services.consent.vote(game, EVE.id, yes=True)
    assert await holders(services, game) == ["Eve", "Bob", "Cid"]


@pytest.mark.parametrize(
    ("user", "short", "voters"),
    [(ANN.id, 0, ()), (ANN.id, 1, (ANN.id, CID.id)), (CID.id, 0, (ANN.id, CID.id))],
)
async def test_the_host_alone_gives_away_a_seat_after_the_tables_patience(
    services: Services, game: int, clock: Clock, user: str, short: int, voters: tuple[str, ...]
) -> None:
    """Anybody else, and a second before, it takes a vote."""
    await services.table.submit(game, ANN.id, Bid(3))
    clock.now += MIN_WAIT_SECONDS["relaxed"] - short
    asked = sure((await services.seats.propose_replacement(game, user, 1, EVE)).proposal)
    assert (asked.needed, asked.voters, asked.absent) == ((EVE.id,), voters, BOB.id)


async def test_a_seat_that_is_resigned_waits_for_another(services: Services, game: int) -> None:
    await send_all(services)
    await services.seats.resign(game, ANN.id)
    table = await services.lobby.get_table(game)
    assert table.people == (BOB.id, CID.id)
    assert table.host == BOB.id
    posts = await send_all(services)
    assert any(isinstance(post, Prompt) and post.mention == (BOB.id,) for post in posts), "the host hears of it"
    assert not any(isinstance(post, Ping) for post in posts), "nobody can be called"
    await services.seats.propose_replacement(game, BOB.id, 0, EVE)
    await services.consent.vote(game, EVE.id, yes=True)
    await services.table.submit(game, EVE.id, Bid(2))


async def test_resigning_counts_as_no_and_withdraws_own_proposals(services: Services, clock: Clock) -> None:
    """No one waits for them until the day is over; a yes that was said stands, and a vote goes on that can be won."""
    game = await seat_three(services, NewTable("toy", 4), DAN)
    clock.now += 2 * DAY
    asked = [
        await services.agreements.propose_close(game, ANN.id),  # all must agree
        await services.seats.propose_replacement(game, CID.id, 2, EVE),
        await services.stand_ins.propose(game, BOB.id, 0),  # two of the three others
        await services.agreements.propose_clock(game, DAN.id, ClockWish("daily")),
    ]
    numbers = [sure(each.proposal).id for each in asked]
    await services.consent.vote(game, CID.id, numbers[3], yes=True)
    await send_all(services)
    await services.seats.resign(game, CID.id)
    after = [sure(await services.consent.get_proposal(number)) for number in numbers]
    assert [each.state for each in after] == ["declined", "withdrawn", "open", "open"]
    assert [each.waiting for each in after[2:]] == [(DAN.id,), (ANN.id, BOB.id)]
    assert [[vote.yes for vote in each.votes if vote.user == CID.id] for each in after] == [[False]] * 3 + [[True]]
    shown = [post.proposal for post in await send_all(services) if isinstance(post, Ballot)]
    assert shown == numbers[:3], "the messages say so"


async def test_a_player_who_gave_away_the_last_seat_has_no_vote(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3, seed=5))
    await services.lobby.join(table.id, BOB)
    await services.lobby.join(table.id, BOB, hot_seat=True)
    await services.lobby.start(table.id, ANN.id, "as joined")
    closing = sure((await services.agreements.propose_close(table.id, ANN.id)).proposal).id
    for number, person, state in ((1, CID, "open"), (2, EVE, "declined")):
        asked = sure((await services.seats.propose_replacement(table.id, BOB.id, number, person)).proposal).id
        await services.consent.vote(table.id, person.id, asked, yes=True)
        assert sure(await services.consent.get_proposal(closing)).state == state


async def test_a_proxy_acts_and_is_pinged_until_revoked_and_the_log_shows_it(services: Services, game: int) -> None:
    await services.seats.set_proxy(game, BOB.id, EVE)
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(3))
    outcome = await services.table.submit(game, EVE.id, Bid(4))
    assert outcome.sentences[0] == "Eve acts for Bob."
    assert (await services.table.read_log(game))[-1].sentences[0] == "Eve acts for Bob."
    await services.table.submit(game, CID.id, Pass())
    await services.table.submit(game, ANN.id, Pass())
    await services.seats.set_proxy(game, EVE.id)
    assert (await services.lobby.get_table(game)).list_playable(EVE.id) == (), "a proxy may stop too"


async def test_a_game_ends_early_only_if_all_agree(services: Services) -> None:
    wish = NewTable("1860", 2, seed=3)
    table = await services.lobby.create(ANN, wish)
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.agreements.propose_end(table.id, BOB.id)
    declined = await services.consent.vote(table.id, ANN.id, yes=False)
    assert declined.result is None
    await services.agreements.propose_end(table.id, BOB.id)
    done = await services.consent.vote(table.id, ANN.id, yes=True)
    assert done.result is not None
    assert len(done.result.scores) == 2
    assert (await services.lobby.get_table(table.id)).state == "finished"
    for person, other in ((ANN, BOB), (BOB, ANN)):  # whosever seat it was that said so
        asked = await services.back.undo(table.id, person.id, 0)
        assert asked.proposal is not None, "what all agreed on nobody takes back alone"
        assert asked.proposal.needed == (other.id,)
        await services.consent.vote(table.id, other.id, yes=False)


async def test_the_toy_has_no_score_before_its_end(services: Services, game: int) -> None:
    with pytest.raises(BotError, match="no scores before its end"):
        await services.agreements.propose_end(game, ANN.id)


async def test_a_running_table_is_not_closed_by_one_vote_and_a_closed_one_can_continue(
    services: Services, game: int
) -> None:
    with pytest.raises(BotError, match="the other players must agree"):
        await services.lobby.close(game, ANN.id)
    asked = await services.agreements.propose_close(game, ANN.id)
    assert asked.proposal is not None
    (post,) = [post for post in await send_all(services) if isinstance(post, Ballot)]
    assert post.mention == (BOB.id, CID.id)
    await services.consent.vote(game, BOB.id, yes=True)
    assert (await services.lobby.get_table(game)).state == "running"
    await services.consent.vote(game, CID.id, yes=True)
    assert (await services.lobby.get_table(game)).state == "closed"
    with pytest.raises(BotError, match="Only players"):
        await services.agreements.reopen(game, EVE.id)
    await services.agreements.reopen(game, CID.id)
    assert [post.mention for post in await send_all(services) if isinstance(post, Ping)] == [(ANN.id,)]
    await services.table.submit(game, ANN.id, Bid(3))


async def test_several_questions_are_distinguished(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await services.table.submit(game, BOB.id, Bid(4))
    await services.back.undo(game, ANN.id)
    closing = await services.agreements.propose_close(game, ANN.id)
    assert closing.proposal is not None
    with pytest.raises(BotError, match=r"your answer; add which:1 to take back .+, or which:2 to close"):
        await services.consent.vote(game, BOB.id, yes=True)
    await services.consent.vote(game, BOB.id, closing.proposal.id, yes=False)
    await services.consent.vote(game, BOB.id, yes=True)
    assert (await services.table.load_position(game)).game.line == (), "Ann's bid and Bob's are taken back"


async def test_a_voter_can_make_a_counter_offer(services: Services, game: int) -> None:
    for user, amount in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(amount))
    first = await services.back.undo(game, ANN.id, 0)
    assert first.proposal is not None
    counter = await services.back.undo(game, BOB.id, 1)
    assert counter.proposal is not None
    after = await services.consent.get_proposal(first.proposal.id)
    assert after is not None
    assert after.state == "countered"
    assert counter.proposal.needed == (CID.id,)
    done = await services.consent.vote(game, CID.id, yes=True)
    assert done.sentences == ("Bob takes back 2 moves, as everyone agreed.",)


async def test_the_host_names_hands_over_and_sends_away(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3))
    await services.lobby.join(table.id, BOB)
    await services.lobby.join(table.id, CID)
    with pytest.raises(BotError, match="Only the host, Ann,"):
        await services.hosting.kick(table.id, BOB.id, CID.id)
    assert (await services.hosting.kick(table.id, ANN.id, CID.id)).names == ("Ann", "Bob")
    assert (await services.hosting.rename(table.id, ANN.id, "Night mail")).name == "Night mail"
    assert (await services.hosting.hand_over(table.id, ANN.id, BOB.id)).host == BOB.id


async def test_closing_ends_all_other_proposals(services: Services, game: int) -> None:
    await services.seats.propose_replacement(game, BOB.id, 1, EVE)
    await close_together(services, game)
    assert await services.consent.list_open(game) == []


async def test_a_majority_of_the_others_appoints_a_stand_in_for_an_absent_player(
    services: Services, game: int, clock: Clock
) -> None:
    clock.now += 2 * DAY
    asked = await services.seats.propose_deputy(game, BOB.id, 0, EVE, once=True)
    assert asked.proposal is not None
    assert (asked.proposal.voters, asked.proposal.enough) == ((BOB.id, CID.id), 2)


async def test_a_remembered_table_is_looked_up_where_others_sit_there_by_now(services: Services) -> None:
    """A move is tried at the position in memory; who sits there is read again when it is stored."""
    game = await seat_three(services)
    await services.table.submit(game, ANN.id, Bid(1))
    kept = services.table.live.get_cached(game)
    async with services.database.writing(game) as session:  # as another process would
        await games.hand_over_seat(session, game, 1, EVE, services.clock())
    assert services.table.live.get_cached(game) is kept
    with pytest.raises(BotError, match="You have no seat"):
        await services.table.submit(game, BOB.id, Pass())
    assert (await services.table.submit(game, EVE.id, Pass())).sentences == ("Eve passes.",)
