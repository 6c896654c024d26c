"""Files of 1862: certificates with their identity, questions with one answer, fields old and new."""

import json

import pytest

from engine import Setup
from engine.errors import RuleError
from engine.finance.events import CompanyStarted, DirectorChanged, ShareBought, SharesSold
from engine.finance.rounds import Pass
from engine.finance.state import IPO, POOL
from engine.game import Game, LogEntry
from engine.interop.exchange import export_game, import_log, trace_game
from engine.interop.g1862 import reader
from engine.interop.g1862.shares import TREASURY, Shares
from engine.interop.g1862.writer import Writer
from engine.interop.writing import split_id
from engine.titles.g1862 import events as e
from engine.titles.g1862.actions import Answer, Bid, BuyShare, BuyTrain, Run, Start
from tests.engine.interop.site_files import self_played, site_actions, site_file
from tests.engine.titles.g1862 import positions
from tests.support.sure import sure

SITE = {"profile": "18xx.games"}


def start_company(code: str = "ECR", seat: int = 0) -> Shares:
    """A company whose director has his certificate and two shares."""
    known = Shares()
    known.begin_action(chartered=True)
    known.hear(CompanyStarted(seat, code, 54, 162))
    for number in (1, 2):
        buy(known, code, seat, number)
    return known


def buy(known: Shares, code: str, seat: int, number: int) -> None:
    known.begin_action(chartered=False)
    known.note_named([number])
    known.hear(ShareBought(seat, code, "ipo", 54))


def sell(known: Shares, code: str, seat: int, count: int, *then: DirectorChanged) -> None:
    known.begin_action(chartered=False)
    known.note_named(known.choose_for_sale(code, seat, count))
    for event in (SharesSold(seat, code, count, 54), *then):
        known.hear(event)
    known.begin_action(chartered=False)


def test_53_named_shares_move_and_the_director_returns_the_first_three() -> None:
    known = start_company()
    for number in (7, 5, 6, 4):
        buy(known, "ECR", 1, number)
    assert known.list_numbers("ECR", 0) == [0, 1, 2]
    sell(known, "ECR", 0, 1, DirectorChanged("ECR", 1))
    assert known.list_numbers("ECR", POOL) == [1]
    assert known.list_numbers("ECR", 1) == [4, 0], "the oldest three go to the old director"
    assert known.list_numbers("ECR", 0) == [2, 7, 5, 6]


def test_53_no_one_buys_a_share_of_another_player() -> None:
    known = reader.Reader({"11": 0, "22": 1})
    known.shares = start_company()
    s = positions.stock(positions.table("ECR 54 5*,0,0,0"), 1)
    buys = {"type": "buy_shares", "entity": 22, "entity_type": "player", "shares": ["ECR_2"]}
    with pytest.raises(RuleError, match="ECR_2 belongs to a player, so it can't be bought"):
        next(known.read(s, buys))
    assert next(known.read(s, {**buys, "shares": ["ECR_3"]})) == (1, BuyShare("ECR", "ipo"))


def test_53_a_part_of_the_certificate_is_sold() -> None:
    """All is named; what was too much comes back from the pool, the oldest there first."""
    known = start_company()
    assert known.choose_for_sale("ECR", 0, 2) == [1, 2]
    assert known.choose_for_sale("ECR", 0, 4) == [1, 2, 0]
    sell(known, "ECR", 0, 4)
    assert (known.list_numbers("ECR", POOL), known.list_numbers("ECR", 0)) == ([2, 0], [1])


def test_53_the_certificates_of_a_merger() -> None:
    """Returned: of the company that ends the certificate, then the oldest; of the survivor the newest."""
    known = start_company("ECR", 0)
    known.begin_action(chartered=False)
    known.hear(CompanyStarted(0, "ENR", 54, 162))
    assert known.list_numbers("ENR", TREASURY) == [1, 2, 3, 4, 5, 6, 7]
    known.hear(e.MergerBegan("ECR", "ENR", 90, 90))
    assert known.list_numbers("ECR", POOL) == [3, 4, 5, 6, 7], "the IPO is emptied"
    known.hear(e.SharesReturned("ENR", 0, 3))
    assert known.list_numbers("ENR", POOL) == [0]
    known.hear(e.SharesReturned("ECR", 0, 1))
    assert known.list_numbers("ECR", POOL) == [3, 4, 5, 6, 7, 2]
    known.hear(e.SharesReturned("ENR", -1, 3))
    assert known.list_numbers("ENR", POOL) == [0, 1, 2, 3], "the treasury's oldest"
    known.hear(e.SharesSwapped(-1, "ENR", "ECR", "pool"))
    assert known.list_numbers("ENR", POOL)[-1] == 7
    assert known.list_numbers("ECR", TREASURY) == [3], "its newest for the oldest of the pool"
    known.hear(e.OptionSold(-1, "ECR", 45))
    assert known.list_numbers("ECR", POOL) == [4, 5, 6, 7, 2, 3]
    known.hear(e.MergerEnded("ECR", "ENR"))
    assert known.list_numbers("ENR", IPO) == list(range(8))


def test_53_a_certificate_is_swapped_for_the_newest_three_of_the_pool() -> None:
    known = start_company()
    for number in (3, 4, 5, 6):
        buy(known, "ECR", 1, number)
    sell(known, "ECR", 1, 4)
    known.hear(e.RefinancingBegan("ECR"))
    known.hear(e.CertificateSwapped(0, "ECR"))
    assert known.list_numbers("ECR", 0) == [1, 2, 7, 6, 5]
    assert known.list_numbers("ECR", POOL) == [3, 4, 0]


@pytest.mark.parametrize(
    ("others", "count", "goes", "left"), [((1, 2), 2, [2, 1], [0]), ((1, 2, 3), 5, [0, 1, 2], [3])]
)
def test_53_director_with_fewer_than_six_shares_keeps_the_certificate_as_the_option(
    others: tuple[int, ...], count: int, goes: list[int], left: list[int]
) -> None:
    """Of the company that ends: all else goes, the newest first; of six the certificate and the oldest go."""
    known = Shares()
    known.begin_action(chartered=True)
    known.hear(CompanyStarted(0, "ENR", 54, 162))
    known.hear(CompanyStarted(1, "ECR", 54, 162))
    for number in others:
        buy(known, "ENR", 0, number)
    known.begin_action(chartered=False)
    known.hear(e.MergerBegan("ECR", "ENR", 90, 90))
    known.hear(e.SharesReturned("ENR", 0, count))
    assert known.list_numbers("ENR", 0) == left
    assert known.list_numbers("ENR", POOL)[-len(goes) :] == goes


def test_the_lner_empties_the_ipo_of_companies_that_were_started() -> None:
    """§10.3: the certificates of others stay where they are."""
    known = start_company()
    known.hear(e.LnerFormed(20))
    assert (known.list_numbers("ECR", IPO), known.list_numbers("ECR", POOL)) == ([], [3, 4, 5, 6, 7])
    assert (len(known.list_numbers("ENR", IPO)), known.list_numbers("ENR", POOL)) == (8, [])


@pytest.mark.parametrize(("count", "left"), [(3, [1, 2]), (1, [0, 1])])
def test_53_giving_up_for_money_takes_the_certificate_or_the_newest_single(count: int, left: list[int]) -> None:
    known = start_company()
    known.hear(e.SharesCashed(0, "ECR", count, 90))
    assert known.list_numbers("ECR", 0) == left
    assert len(known.list_numbers("ECR", POOL)) == 1


@pytest.fixture(scope="module")
def game() -> Game:
    return self_played("1862-4-site")


def test_60_files_answer_every_question_and_tables_do_not(game: Game) -> None:
    """A merger is passed in every turn of the file, with a partner or without; the log that comes back is ours."""
    data = export_game(game, ["A", "B", "C", "D"])
    actions = json.loads(data)["actions"]
    read = import_log(data)
    assert read.log == game.list_in_force()
    assert len(actions) > len(read.log)
    assert Game.replay(read.setup, read.log).state == game.state
    passes = [at for at, step in enumerate(trace_game(read)) if step.events == ()]
    assert passes, "an answer that a table is not asked for tells nothing"


def test_a_game_in_mid_play_comes_back(game: Game) -> None:
    whole = game.list_in_force()
    for part in (2, 5):
        here = Game.replay(game.setup, whole[: part * len(whole) // 8])
        read = import_log(export_game(here, ["A", "B", "C", "D"]))
        assert [LogEntry(entry.seat, entry.action) for entry in read.log] == [
            LogEntry(entry.seat, entry.action) for entry in here.list_in_force()
        ]
        assert Game.replay(read.setup, read.log).state == here.state


def test_the_subsidy_stands_beside_the_routes_or_on_them(game: Game) -> None:
    """Old files have it beside the routes, as some of the revenue; newer ones on each of them, and 0 beside."""
    actions = site_actions(game)
    assert any(route["subsidy"] for action in actions for route in action.get("routes", ()))
    old = [
        {
            **action,
            "subsidy": sum(route["subsidy"] for route in action["routes"]),
            "extra_revenue": 10 * len(action["routes"]),
            "routes": [
                {
                    name: value
                    for name, value in {**route, "revenue": route["revenue"] - 10}.items()
                    if name != "subsidy"
                }
                for route in action["routes"]
            ],
        }
        if action["type"] == "run_routes"
        else action
        for action in actions
    ]
    new = [{**action, "subsidy": 0} if action["type"] == "run_routes" else action for action in actions]
    results = {
        Game.replay(read.setup, read.log).result()
        for read in (import_log(site_file(game.setup, version)) for version in (old, new))
    }
    assert results == {game.result()}


def test_a_run_that_only_the_site_asks_for_leaves_no_trace_at_a_table() -> None:
    """A file that ends in that turn leads to the state to which the log leads that was read from it."""
    kept = self_played("1862-3-site")
    actions = site_actions(kept)
    asked = [each for each in import_log(site_file(kept.setup, actions)).exact or () if each.extra]
    at = next(each.position for each in asked if isinstance(each.entry.action, Run))
    read = import_log(site_file(kept.setup, actions[: at + 1]))
    assert read.state == Game.replay(read.setup, read.log).state


def test_standing_orders_undo_and_chat_change_nothing(game: Game) -> None:
    """What was taken back is not played, what a standing order did is; who may speak at any time says nothing."""
    actions = site_actions(game)[:120]
    at = next(place for place, action in enumerate(actions) if action["type"] == "pass" and place > 20)
    player = {"entity": 1, "entity_type": "player"}
    more = [
        *actions[:at],
        {"type": "message", "message": "hi", **player},
        {"type": "program_share_pass", "unconditional": True, **player},
        {**actions[at], "auto_actions": [{name: value for name, value in actions[at + 1].items() if name != "id"}]},
        actions[at + 2],
        {"type": "undo", **player},
        {"type": "redo", **player},
        {"type": "undo", "action_id": 1000 + at + 2, **player},
        *actions[at + 2 :],
    ]
    more = [{**action, "id": 1000 + place} for place, action in enumerate(more)]
    assert import_log(site_file(game.setup, more)).log == import_log(site_file(game.setup, actions)).log


def test_what_a_standing_order_adds_of_another_company_is_read_where_people_play_on() -> None:
    """Differences 81: the winner can pay for two shares of the company started before, then for none of his own."""
    log = [Bid("ENR", 0), *3 * [Pass()], Start("ENR", 54), Pass(), *3 * [Pass()]]
    log += [Bid("ECR", 0), *3 * [Pass()], Start("ECR", 100), *2 * [BuyShare("ENR", "ipo")]]
    seats = [0, 1, 2, 3, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 0, 0]
    setup = Setup("1862", 4, SITE, 7)
    game = Game.replay(setup, [LogEntry(seat, action) for seat, action in zip(seats, log, strict=True)])
    *before, start, first, second = site_actions(game)
    orders = [{name: value for name, value in each.items() if name != "id"} for each in (first, second)]
    assert [each["shares"] for each in orders] == [["ENR_1"], ["ENR_2"]]
    read = import_log(site_file(setup, [*before, start | {"auto_actions": orders}]))
    assert read.log == game.list_in_force()
    assert read.state == game.state, "a table is asked what the site asks"


def test_the_price_of_a_company_without_a_charter_decides_whether_a_standing_order_adds_more() -> None:
    """Differences 81: £64 are left, and a share of L&E costs £65, so the winner isn't asked for a pass."""
    log = [*5 * [Pass()], Start("L&E", 65), *2 * [Pass()]]
    log += [Bid("ECR", 885), Start("ECR", 62), BuyShare("L&E", "treasury"), Bid("ENR", 0)]
    setup = Setup("1862", 2, SITE, 7)
    seats = [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1]
    game = Game.replay(setup, [LogEntry(seat, action) for seat, action in zip(seats, log, strict=True)])
    *before, start, order, bid = site_actions(game)
    order.pop("id")
    read = import_log(site_file(setup, [*before, start | {"auto_actions": [order]}, bid]))
    assert read.log == game.list_in_force()
    assert read.report.is_clean


def test_a_standing_order_takes_the_certificate_of_a_receivership_for_two_shares() -> None:
    """Differences 81: the buyer pays one share and leaves two; these are for sale then, the longest held first."""
    s = positions.parliament(positions.table("WStI 54 2,2,1,0 treasury=2", options=SITE))
    positions.play(s, Bid("N&E", 5), Pass(), Pass(), Pass(), Start("N&E", 54))
    read, write = reader.Reader({str(seat): seat for seat in range(4)}), Writer((0, 1, 2, 3))
    for known in (read.shares, write.shares):
        for holder, numbers in ((0, (4, 3)), (1, (1, 2)), (2, (5,)), (TREASURY, (6, 7)), (POOL, (0,))):
            known.move("WStI", numbers, holder)
    for named in ("WStI_0", "WStI_4", "WStI_3"):
        order = BuyShare("WStI", "pool")
        written = sure(write.write(s, 0, order))
        assert (written["shares"], written["percent"]) == ([named], 30 if named == "WStI_0" else 10)
        assert list(read.read(s, written)) == [(0, order)]
        for event in positions.play(s, order):
            read.hear(event)
            write.hear(event)
    assert read.shares.list_numbers("WStI", 0) == write.shares.list_numbers("WStI", 0) == [0, 4, 3]


def test_the_result_is_that_of_a_table_which_is_not_asked_what_the_site_asks() -> None:
    """A player ends it while N&E is asked for a run that it can't have; here its price has fallen by then."""
    game = self_played("1862-3-site")
    actions = site_actions(game)
    asked = next(at for at, each in enumerate(actions) if each["type"] == "run_routes" and not each["routes"])
    end = {"type": "end_game", "entity": 1, "entity_type": "player", "id": asked + 1}
    moves = [*actions[:asked], end]
    read = import_log(site_file(game.setup, moves, status="finished"))
    assert read.state is None
    result = sure(Game.replay(read.setup, read.log).result())
    totals = {str(score.seat + 1): score.total for score in result.scores}
    assert import_log(site_file(game.setup, moves, status="finished", result=totals)).report.is_clean
    totals["1"] += 18
    assert import_log(site_file(game.setup, moves, status="finished", result=totals)).report.results


@pytest.mark.parametrize(("share", "number"), [("ECR_3", 3), ("ECR_0", 0), ("ECR_12", -1), ("ECR_x", -1), ("ECR", -1)])
def test_a_certificate_has_one_digit(share: str, number: int) -> None:
    assert split_id(share) == ("ECR" if "_" in share else "", number)


@pytest.mark.parametrize("asked", [0, 1])
def test_a_train_of_another_director_is_written_when_it_is_agreed_to(asked: int) -> None:
    """The site does not ask (differences 20): nothing is written of a proposal; the first seat is asked too."""
    seller, buyer = ("N&E", "WStI")[:: 1 - 2 * asked]
    trains = {seller: "trains=2F,2F", buyer: ""}
    text = f"N&E 90 5*,0 {trains['N&E']} at=B13 cash=400\nWStI 90 0,5* {trains['WStI']} at=B5 cash=400"
    s = positions.operating(positions.table(text, seats=2), buyer, "train")
    w = Writer((11, 22))
    offer = BuyTrain("2F", seller)
    assert w.write(s, 1 - asked, offer) is None
    positions.play(s, offer)
    written = sure(w.write(s, asked, Answer("accept")))
    assert (written["type"], written["entity"]) == ("buy_train", buyer)
    assert written["train"] in {train.id for train in s.companies[seller].trains}
