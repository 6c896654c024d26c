"""The table service: who may act, what is refused, what is seen."""

import pytest
from msgspec.structs import replace
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError, StaleError
from bot.model.records import NewTable, Outcome, Person
from bot.model.standing import Standing
from bot.service.live import Change
from bot.service.services import Services
from bot.service.table import Delivery, Look, Typed
from bot.store import log
from engine import Game, LogEntry, RuleError
from engine.record import Action
from engine.view import MapView, Note
from engine.words import WordingError
from tests.bot.conftest import ANN, BOB, CID, EVE, THREE, Clock, close_together, seat_three
from tests.support.sure import sure
from tests.support.toy import Answer, Bid, Offer, Pass


async def test_a_move_is_reported_with_names_and_the_next_player(services: Services, game: int) -> None:
    outcome = await services.table.submit(game, ANN.id, Typed("bid", {"amount": "3"}))
    assert outcome.sentences == ("Ann bids £3 for lot 1.",)
    assert outcome.version == 1
    assert [seat.name for seat in outcome.actors] == ["Bob"]
    assert outcome.handed_over
    assert outcome.line == "Ann bids £3 for lot 1."


@pytest.mark.parametrize(
    ("user", "action", "sentence"),
    [
        (EVE, Pass(), "You have no seat at “The Toy”. The players are Ann, Bob and Cid."),
        (BOB, Pass(), "It's not your turn: Ann must bid or pass (Auction of lot 1)."),
        (ANN, Bid(0), "A bid must be more than £0; you said £0."),
        (ANN, Bid(10**15), "You have £20, the bid needs £1000000000000000."),
        (ANN, Answer("accept"), "There is no offer to answer so."),
        (ANN, Typed("dance"), "This game has no “dance”; you can bid or pass."),
        (ANN, Typed("bid", {}), "How much do you bid? Add the amount."),
        (ANN, Typed("bid", {"amount": "-4"}), "A bid must be more than £0; you said £-4."),
        (ANN, Typed("bid", {"amount": "४"}), "amount must be a whole number"),
        (ANN, Typed("bid", {"amount": "-" + "9" * 400}), "The number for amount is too large."),
        (ANN, Typed("bid", {"amount": "💥" * 100_000}), "That's too long"),
        (ANN, Typed("bid", {"amount": "4", "x" * 100_000: "1"}), "That's too long"),
        (ANN, Typed("bid", {"amount": "4", "colour": "1"}), "/act bid takes no “colour”; it takes amount."),
        (ANN, Typed("b" * 100_000, {}), "This game has no “bbb"),
        (ANN, Typed("offer", {"lot": "1", "price": "1"}), "You can't offer"),
        (ANN, LogEntry, "The Toy has no such action."),
    ],
)
async def test_whatever_cannot_be_is_refused_in_one_sentence_and_changes_nothing(
    services: Services, game: int, user: Person, action: Action | Typed, sentence: str
) -> None:
    before = await everything(services, game)
    with pytest.raises((BotError, RuleError, WordingError)) as refusal:
        await services.table.submit(game, user.id, action)
    assert sentence in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert await everything(services, game) == before


async def everything(services: Services, game: int) -> object:
    here = await services.table.load_position(game)
    bid = here.game.replay().state.bid
    return here.version, here.table, bid, await services.outbox.list_due(), await services.table.read_log(game)


@pytest.mark.parametrize("number", [0, -1, 2, 10**9, 10**30])
async def test_there_is_no_such_game(services: Services, game: int, number: int) -> None:
    with pytest.raises(BotError, match="There is no table"):
        await services.table.submit(number, ANN.id, Pass())


async def test_a_player_of_one_table_is_a_stranger_at_another(services: Services, game: int) -> None:
    other = await services.lobby.create(EVE, NewTable("toy", 2, name="Other"))
    with pytest.raises(BotError, match="hasn't started yet"):
        await services.table.submit(other.id, ANN.id, Pass())
    await services.lobby.join(other.id, BOB)
    await services.lobby.start(other.id, EVE.id)
    with pytest.raises(BotError, match="You have no seat at “Other”"):
        await services.table.submit(other.id, ANN.id, Pass())


async def test_another_must_answer_before_the_game_continues(services: Services, game: int) -> None:
    for user, action in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass())):
        await services.table.submit(game, user.id, action)
    outcome = await services.table.submit(game, ANN.id, Offer(1, 2, 5))
    assert [seat.name for seat in outcome.actors] == ["Cid"]
    with pytest.raises(BotError, match="Cid must"):
        await services.table.submit(game, ANN.id, Pass())
    outcome = await services.table.submit(game, CID.id, Typed("answer", {"word": "accept"}))
    assert outcome.sentences == ("Cid accepts the offer.",)
    assert [seat.name for seat in outcome.actors] == ["Ann"], "the offer was made within Ann's turn"


async def test_an_offer_that_was_turned_down_is_not_made_again_before_something_else_is_played(
    services: Services, game: int
) -> None:
    """It rang the same player again and again; other terms may be offered, and no title refuses it in a log."""
    for user, move in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass())):
        await services.table.submit(game, user.id, move)
    assert Offer(1, 2, 5) in await services.table.list_legal(game, ANN.id)
    for user, said in ((ANN, Offer(1, 2, 5)), (CID, Answer("decline"))):
        await services.table.submit(game, user.id, said)
    listed = await services.table.list_legal(game, ANN.id)
    assert Offer(1, 2, 5) not in listed, "menus and the desk leave it out"
    assert any(isinstance(each, Offer) for each in listed)
    before = await services.table.read_log(game)
    why = "Cid has turned this offer down. You can make a different offer now; the same one can be made again once"
    with pytest.raises(BotError, match=why):
        await services.table.submit(game, ANN.id, Offer(1, 2, 5))
    with pytest.raises(BotError, match=why):
        await services.table.explain(game, ANN.id, Typed("offer", {"lot": "1 2", "price": "5"}))
    assert await services.table.read_log(game) == before
    for user, action in ((ANN, Offer(1, 2, 4)), (CID, Answer("decline"))):
        await services.table.submit(game, user.id, action)
    with pytest.raises(BotError, match=why):
        await services.table.submit(game, ANN.id, Offer(1, 2, 5))
    for user, each in ((ANN, Bid(1)), (BOB, Bid(2)), (CID, Pass()), (ANN, Offer(1, 2, 5)), (CID, Answer("accept"))):
        await services.table.submit(game, user.id, each)
    assert (await services.table.load_position(game)).game.replay().state.owner[1] == 2


async def test_a_click_on_an_old_menu_is_refused_with_the_current_question(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(3), Delivery("i1", 0))
    with pytest.raises(StaleError, match=r"out of date.*Auction of lot 1 — Bob to bid or pass") as refusal:
        await services.table.submit(game, BOB.id, Bid(4), Delivery("i2", 0))
    assert refusal.value.version == 1
    assert not refusal.value.moved_first


async def test_a_repeated_delivery_is_answered_but_not_played_twice(services: Services, game: int) -> None:
    once = await services.table.submit(game, ANN.id, Bid(3), Delivery("i1", 0))
    again = await services.table.submit(game, ANN.id, Bid(3), Delivery("i1", 0))
    assert again.repeated
    assert again.sentences == once.sentences
    assert (await services.table.load_position(game)).version == 1
    with pytest.raises(BotError, match="already answered"):
        await services.table.submit(game, BOB.id, Pass(), Delivery("i1"))


async def test_of_two_moves_in_one_moment_one_wins_and_the_other_is_reported(
    services: Services, game: int, clock: Clock
) -> None:
    other = await Services.open(services.database.address, clock)
    here = await other.table.load_position(game)
    await services.table.submit(game, ANN.id, Bid(3))
    after = Standing.of(here.game.replay().play(0, Bid(5)).game)
    late = Change(LogEntry(0, Bid(5)), ANN.id, after, ("Ann bids £5.",), None)
    with pytest.raises(StaleError, match=r"Another player moved first, so your move wasn't played\. Now: ") as refusal:
        await other.table.store_change(here, late)
    assert refusal.value.moved_first
    assert (await other.table.load_position(game)).game.replay().state.bid == 3
    assert [line.sentences for line in await other.table.read_log(game)] == [("Ann bids £3 for lot 1.",)]
    await other.close()


async def test_looking_back_reads_each_log_entry_once(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Completion asks for the whole log at each keystroke."""
    await services.table.submit(game, ANN.id, Bid(3))
    told, asked = log.list_told, list[int]()

    async def count_reads(session: AsyncSession, number: int, since: int = 0) -> list[log.EntryText]:
        asked.append(since)
        return await told(session, number, since)

    assert len(await services.table.read_log(game)) == 1
    await services.table.submit(game, BOB.id, Pass())
    monkeypatch.setattr(log, "list_told", count_reads)
    lines = await services.table.read_log(game)
    assert [line.sentences for line in lines] == [("Ann bids £3 for lot 1.",), ("Bob passes.",)]
    assert await services.table.read_log(game) == lines
    assert await services.table.read_log(game, 1) == lines[1:]
    assert asked == []  # what was stored here is remembered


async def test_the_cache_of_logs_drops_the_least_recently_used(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.service.live.MAX_LOGS_KEPT", 2)
    first, second, third = game, await seat_three(services), await seat_three(services)
    told, asked = log.list_told, list[int]()

    async def count_reads(session: AsyncSession, number: int, since: int = 0) -> list[log.EntryText]:
        asked.append(number)
        return await told(session, number, since)

    for each in (first, second, third):
        await services.table.submit(each, ANN.id, Bid(3))
    monkeypatch.setattr(log, "list_told", count_reads)
    for each in (first, second, first, third, first, third, second):
        await services.table.read_log(each)
    assert asked == [first, second, third, second]


async def test_one_person_may_hold_several_seats(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3))
    for name in ("Ann's left hand", "Ann's right hand"):
        await services.lobby.join(table.id, Person(ANN.id, name), hot_seat=True)
    await services.lobby.start(table.id, ANN.id, "as joined")
    for amount in (1, 2, 3):
        outcome = await services.table.submit(table.id, ANN.id, Bid(amount))
    assert outcome.sentences == ("Ann's right hand bids £3 for lot 1.",)


async def test_completion_offers_legal_values_in_words(services: Services, game: int) -> None:
    choices = await services.table.complete(game, ANN.id, Typed("bid"), "amount")
    assert [(choice.value, choice.label) for choice in choices][:2] == [("1", "£1"), ("2", "£2")]
    assert len(choices) == 20
    assert await services.table.complete(game, BOB.id, Typed("bid"), "amount") == []
    for user, action in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass())):
        await services.table.submit(game, user.id, action)
    lots = await services.table.complete(game, ANN.id, Typed("offer", {"price": "5"}), "lot")
    assert [choice.label for choice in lots] == ["lot 1 to seat 2", "lot 1 to seat 3"]
    assert await services.table.complete(game, ANN.id, Typed("offer", {"price": "77"}), "lot") == []


async def test_a_secret_is_seen_from_its_own_seat_only(services: Services, game: int) -> None:
    async def card(user: str, seat: str) -> str:
        view = await services.table.look(game, user, Look("player", seat))
        assert isinstance(view, Note)
        return view.lines[2]

    assert await card(ANN.id, "0") != "card hidden"
    assert await card(BOB.id, "0") == "card hidden"
    assert await card(EVE.id, "0") == "card hidden"
    assert await card(BOB.id, "1") != "card hidden"


async def test_any_past_position_can_be_looked_at(services: Services, game: int) -> None:
    for user, action in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass())):
        await services.table.submit(game, user.id, action)
    then = await services.table.look(game, EVE.id, Look("map", at=2))
    now = await services.table.look(game, EVE.id, Look("map"))
    assert isinstance(then, MapView)
    assert isinstance(now, MapView)
    assert [tile.ink for tile in then.hexes] == ["plain", "plain"]
    assert [tile.ink for tile in now.hexes] == ["yellow", "plain"]
    for at in (-1, 4, 10**9):
        with pytest.raises(RuleError, match="There is no move"):
            await services.table.look(game, ANN.id, Look("map", at=at))
    with pytest.raises(BotError, match="There is no picture “weather”; choose from map, player, table"):
        await services.table.look(game, ANN.id, Look("weather"))


async def test_changes_since_a_players_last_turn_are_marked_new(services: Services, game: int) -> None:
    for user, action in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass())):
        await services.table.submit(game, user.id, action)
    view = await services.table.look(game, ANN.id, Look("map"))
    assert isinstance(view, MapView)
    assert [tile.mark for tile in view.hexes] == ["new", ""]
    assert view.new == "new since your last turn"
    view = await services.table.look(game, ANN.id, Look("map", since=3))
    assert isinstance(view, MapView)
    assert [tile.mark for tile in view.hexes] == ["", ""]
    for user, since in ((ANN, 1), (EVE, None)):
        view = await services.table.look(game, user.id, Look("map", since=since))
        assert isinstance(view, MapView)
        assert view.new == "new", "since a moment that is not one's own turn"


async def test_before_ones_first_turn_nothing_is_marked_new(services: Services, game: int) -> None:
    """To one who has seen nothing yet the whole map is new, so no hex of it is singled out."""
    for user, action in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass())):
        await services.table.submit(game, user.id, action)
    view = await services.table.look(game, ANN.id, Look("map", since=0))
    assert isinstance(view, MapView)
    assert [tile.ink for tile in view.hexes] == ["yellow", "plain"]
    assert [tile.mark for tile in view.hexes] == ["", ""]


async def test_why_explains_and_plays_nothing(services: Services, game: int) -> None:
    assert (
        await services.table.explain(game, ANN.id, Typed("bid", {"amount": "3"}))
        == "This move is legal: Ann bids £3 for lot 1."
    )
    with pytest.raises(RuleError, match=r"more than £0; you said £0\. \(Toy, bidding\)"):
        await services.table.explain(game, ANN.id, Typed("bid", {"amount": "0"}))
    assert (await services.table.load_position(game)).version == 0


async def test_a_game_ends_with_scores_and_takes_no_more_moves(services: Services, game: int) -> None:
    outcome = await to_the_end(services, game)
    assert outcome.result is not None
    assert outcome.result.reason == "all lots sold"
    assert outcome.table.state == "finished"
    assert (await services.lobby.get_table(game)).state == "finished"
    with pytest.raises(BotError, match="is over"):
        await services.table.submit(game, ANN.id, Pass())
    undone = await services.back.undo(game, outcome_mover(await services.table.load_position(game)))
    assert undone.table.state == "running", "the last move can be taken back"


def outcome_mover(here: object) -> str:
    last = here.game.log[-1].seat  # type: ignore[attr-defined]
    return here.table.seats[last].user  # type: ignore[attr-defined,no-any-return]


async def to_the_end(services: Services, game: int) -> Outcome:
    outcome: Outcome | None = None
    while (here := await services.table.load_position(game)).actors:
        outcome = await services.table.submit(game, here.actors[0].user, Pass())
    return sure(outcome)


async def test_a_closed_game_can_be_read_but_not_played(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await close_together(services, game)
    with pytest.raises(BotError, match="is closed"):
        await services.table.submit(game, BOB.id, Pass())
    with pytest.raises(BotError, match="is closed"):
        await services.back.undo(game, ANN.id)
    assert len(await services.table.read_log(game)) == 1


async def test_the_stored_log_replays_to_the_position_in_memory(services: Services) -> None:
    game = await seat_three(services, replace(THREE, options={"length": "long"}))
    await services.table.submit(game, ANN.id, Bid(3))
    await services.back.undo(game, ANN.id)
    await services.table.submit(game, ANN.id, Bid(4))
    here = await services.table.load_position(game)
    services.table.live.forget(game)
    fresh = await services.table.load_position(game)
    assert fresh.game is not here.game
    assert fresh.game == here.game
    assert fresh.game == Standing.of(Game.replay(here.table.setup, here.game.log))
