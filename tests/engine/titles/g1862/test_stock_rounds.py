"""§6.2, §6.4.2, §6.3: dealing, flotation, prices, and who directs."""

import pytest

from engine.finance import market
from engine.finance.events import PriceMoved
from engine.finance.rounds import Pass
from engine.finance.state import POOL
from engine.interop.g1862.profile import TITLE
from engine.setup import Setup
from engine.titles.g1862.actions import BuyShare, Markers, Sell, Start
from engine.titles.g1862.pictures.ask import ask
from engine.titles.g1862.pictures.label import write_label
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Fine
from tests.engine.titles.g1862.positions import catch_refusal, differs, legal, of_kind, play, settle, stock, table


def test_6_2_sales_first_then_one_purchase_ends_the_turn() -> None:
    """§3.0: sales first, then one purchase ends the turn."""
    s = stock(table("N&E 90 5*,0,0,0 trains=2F ipo=0\nWStI 90 2,5*,0,0 trains=2F"))
    play(s, Sell("WStI", 1))
    assert turn.find_actors(s) == (0,)
    assert "in this turn" in catch_refusal(s, Sell("WStI", 1)).sentence
    play(s, BuyShare("N&E", "pool"))
    assert turn.find_actors(s) == (1,)


def test_6_6_the_round_ends_after_all_pass_and_the_first_to_pass_has_the_deal() -> None:
    """§6.1: the round ends after all pass and the first to pass has the deal."""
    s = stock(table("N&E 90 5*,1,1,0 trains=2F"), 2)
    play(s, Pass(), Pass(), BuyShare("N&E", "pool"), Pass(), Pass(), Pass(), Pass())
    assert s.marks[0].name == "SR 1"
    assert s.priority == 1


def test_6_2_a_sale_alone_is_no_pass_and_comes_before_the_purchase() -> None:
    """§6.2: the round goes on until all pass in a row; the turn is over with the purchase."""
    s = stock(table("N&E 90 5*,1,1,2 trains=2F\nWStI 90 1,5*,0,1 trains=2F"), 0)
    play(s, Pass(), Pass(), Pass(), Sell("N&E", 1), Pass())
    assert (s.stock.passes, turn.find_actors(s)) == (0, (0,)), "three passes before it don't count any more"
    play(s, BuyShare("N&E", "pool"))
    assert catch_refusal(s, Sell("WStI", 1), seat=0).sentence == "It's not your turn."
    play(s, Pass(), Pass(), Pass())
    assert s.name == "SR 1"
    play(s, Pass())
    assert s.marks[0].name == "SR 1"
    assert s.priority == 1


def test_6_5_2_above_the_limit_one_sells_first() -> None:
    """§10.3: above the limit one sells first."""
    s = stock(table("N&E 90 5*,0,0,0 trains=2F", limit=2))
    assert legal(s, Pass) == []
    assert "you must sell first" in catch_refusal(s, Pass()).sentence
    s.lner = True
    assert Pass() in legal(s)


def test_6_5_1_shares_of_a_company_sold_this_round_cannot_be_bought() -> None:
    s = stock(table("N&E 90 1,5*,0,0 trains=2F"))
    play(s, Sell("N&E", 1))
    assert "until the next" in catch_refusal(s, BuyShare("N&E", "pool")).sentence


def test_6_5_1_the_pool_sells_at_the_full_price_though_the_company_has_no_train() -> None:
    s = stock(table("N&E 90 0,5*,0,0"))
    play(s, BuyShare("N&E", "pool"))
    assert s.cash[0] == 1000 - 90


def test_6_4_1_trainless_shares_sell_at_half() -> None:
    s = stock(table("N&E 95 2,5*,0,0"))
    play(s, Sell("N&E", 2))
    assert s.cash[0] == 1000 + 2 * 47


def test_6_4_the_shares_of_a_company_go_in_one_block_a_turn() -> None:
    """§6.4: blocks of several companies in any order; more of one that was sold only in another turn."""
    s = stock(table("N&E 90 4,5*,0,0 trains=2F\nWStI 90 2,5*,0,0 trains=2F"))
    play(s, Sell("WStI", 1), Sell("N&E", 1))
    assert legal(s, Sell) == []
    assert "must be sold in one block" in catch_refusal(s, Sell("N&E", 1)).sentence
    play(s, Pass(), Pass(), Pass(), Pass())
    assert {action.company for action in legal(s, Sell)} == {"N&E", "WStI"}


def test_62_31_shares_bought_this_round_stay() -> None:
    """§6.4: shares bought this round stay."""
    s = stock(table("N&E 90 1,5*,0,0 trains=2F", seats=4))
    play(s, BuyShare("N&E", "pool"), Pass(), Pass(), Pass())
    assert legal(s, Sell) == [Sell("N&E", 1)]
    assert "must keep" in catch_refusal(s, Sell("N&E", 2)).sentence


def test_6_4_before_flotation_a_chartered_company_sells_at_half_of_par_and_no_price_moves() -> None:
    """§6.4, 62-56: at par from the pool, at half of it to the pool; no price moves."""
    s = stock(table("N&E 100 3*,2,0,0 ipo=5 unfloated chartered", cash=[0, 0, 0, 0]), 1)
    s.companies["N&E"].floated = False
    play(s, Sell("N&E", 1))
    assert s.cash[1] == 50
    assert s.companies["N&E"].price == 100


def test_6_5_3_starting_without_a_charter_pays_the_company() -> None:
    """§3.1: starting without a charter pays the company."""
    s = stock(table())
    assert {action.price for action in legal(s, Start)} >= {54, 56, 200}
    play(s, Start("N&E", 200))
    company = s.companies["N&E"]
    assert (company.cash, company.treasury, company.par, company.price) == (600, 7, 100, 200)
    assert company.director == 0


def test_6_5_4_flotation_without_a_charter_and_two_to_seven_markers() -> None:
    """§6.5.4.1, §6.5.4.2, §2.1, §3.1.

    The treasury has the price of each share that was sold, and pays for the markers.
    """
    s = stock(table(seats=2))
    play(s, Start("N&E", 54), Pass(), BuyShare("N&E", "treasury"), Pass(), BuyShare("N&E", "treasury"))
    company = s.companies["N&E"]
    assert company.floated
    assert company.cash == 5 * 54
    assert legal(s) == [Markers(count) for count in range(2, 7)], "270 pay for six"
    assert "two to" not in catch_refusal(s, Markers(7)).sentence
    play(s, Markers(6))
    assert (company.cash, company.unplaced) == (30, 6)
    assert turn.find_actors(s) == (1,)


@pytest.mark.parametrize(("options", "most"), [({}, 7), ({"eight_markers": "on"}, 8)])
def test_11_4_eight_markers(options: dict[str, str], most: int) -> None:
    """§3.1, §13.0: eight markers."""
    s = stock(table("N&E 200 4*,0,0,0 treasury=6 cash=800 unfloated", options=options))
    s.companies["N&E"].cell = 40
    play(s, BuyShare("N&E", "treasury"))
    assert legal(s)[-1] == Markers(most)


def test_62_27_a_company_without_director_floats_with_two_markers() -> None:
    """62-27: one that is not chartered takes two, as no one can choose (§6.5.4)."""
    s = stock(table("N&E 54 0,1,0,0 treasury=6 cash=0 unfloated"))
    s.companies["N&E"].cell = 12
    play(s, BuyShare("N&E", "treasury"))
    company = s.companies["N&E"]
    assert company.floated
    assert company.receivership
    assert (company.unplaced, company.cash) == (2, 54 - 80)


@pytest.mark.parametrize(
    ("start", "sold", "director", "end"),
    [
        (74, 1, False, 71),
        (74, 2, False, 68),
        (74, 3, True, 65),
        (210, 2, False, 200),
        (210, 2, True, 191),
        (430, 3, False, 400),
        (36, 1, False, 36),
    ],
)
def test_6_4_2_sales_and_green_zones(start: int, sold: int, director: bool, end: int) -> None:
    """§6.4, 62-57: sales and green zones."""
    shares = "0,3*,3,0" if not director else "6*,0,0,0"
    s = stock(table(f"N&E {start} {shares} trains=2F"), 2 if not director else 0)
    play(s, Sell("N&E", sold))
    assert s.companies["N&E"].price == end


def test_62_30_no_drop_after_the_lner() -> None:
    """§6.4.2, §10.3: 62-30: nor for the shares a player sells."""
    s = stock(table("N&E 90 3,5*,0,0 trains=2F", lner=True))
    events = play(s, Sell("N&E", 3))
    assert of_kind(events, PriceMoved) == []


def test_7_1_a_moved_marker_lies_under_the_others_of_its_space() -> None:
    """§6.4.2, §7.8.5: moved marker lies under the others of its space."""
    s = table("N&E 90 5*,0,0,0\nWStI 95 0,5*,0,0")
    market.move_marker(s, s.companies["WStI"], -1, lambda _: None)
    assert s.companies["WStI"].stamp > s.companies["N&E"].stamp


def test_7_12_a_price_of_nothing_is_bankrupt_at_once() -> None:
    s = stock(table("N&E 14 0,3*,0,3 trains=2F"), 3)
    play(s, Sell("N&E", 3))
    assert not s.companies["N&E"].started
    assert "until the next" in catch_refusal(s, Start("N&E", 54), seat=3).sentence, "he sold it in this round"


def test_6_3_more_shares_than_the_director_take_the_certificate() -> None:
    s = stock(table("N&E 90 4,4*,0,0 trains=2F"))
    play(s, BuyShare("N&E", "pool"))
    assert s.companies["N&E"].director == 0
    s = stock(table("N&E 90 0,1,0,0 trains=2F"), 1)
    s.companies["N&E"].pool, s.companies["N&E"].director = 9, POOL
    for _ in range(2):
        assert s.companies["N&E"].director == POOL, "fewer than three shares direct nothing"
        play(s, BuyShare("N&E", "pool"), Pass(), Pass(), Pass())
    assert s.companies["N&E"].director == 1


def test_6_3_ties_for_the_successor_go_to_his_left() -> None:
    s = stock(table("N&E 90 3,4*,0,3 trains=2F"), 1)
    play(s, Sell("N&E", 3))
    assert s.companies["N&E"].director == 3


@pytest.mark.parametrize(
    ("holding", "pool", "count", "possible"),
    [
        (4, 0, 2, False), (4, 0, 1, True), (4, 0, 3, True), (4, 0, 4, True), (4, 1, 2, True), (4, 2, 2, True),
        (3, 0, 1, False), (3, 0, 2, False), (3, 1, 2, True), (3, 1, 1, False), (3, 2, 1, True), (3, 2, 2, True),
    ],
)  # fmt: skip
def test_6_3_shares_of_a_leaving_director_need_ordinary_certificates(
    holding: int, pool: int, count: int, possible: bool
) -> None:
    rest = 10 - holding - pool
    s = stock(table(f"N&E 90 {holding}*,2,2,{min(2, rest - 4)} treasury={max(0, rest - 6)} trains=2F"))
    assert s.companies["N&E"].pool == pool
    assert (Sell("N&E", count) in legal(s, Sell)) is possible


def test_6_3_a_successor_with_three() -> None:
    s = stock(table("N&E 90 5*,3,0,0 trains=2F"))
    play(s, Sell("N&E", 3))
    assert s.companies["N&E"].director == 1
    assert s.companies["N&E"].shares[:2] == [2, 3]


def test_62_28_three_ordinary_shares_swap_for_the_certificate_in_the_pool() -> None:
    """§6.3, §8.0: 62-28: for the price of the third share."""
    s = stock(table("N&E 90 2,2,2,0 trains=2F"))
    assert s.companies["N&E"].director == POOL
    play(s, BuyShare("N&E", "pool"))
    assert s.companies["N&E"].director == 0
    assert s.cash[0] == 1000 - 90
    assert s.count_certificates(0) == 1


def test_6_3_the_certificate_itself_cannot_be_bought() -> None:
    s = stock(table("N&E 90 2,2,2,1 trains=2F"))
    assert "can't be bought" in catch_refusal(s, BuyShare("N&E", "pool")).sentence


def test_11_3_new_players_start_in_parliament_only() -> None:
    s = stock(table("N&E 90 1,5*,0,0 trains=2E", options={"new_players": "on"}))
    assert legal(s, Start) == []
    assert "only in Parliament" in catch_refusal(s, Start("WStI", 54)).sentence


def test_a_player_with_nothing_to_do_is_passed_over() -> None:
    s = stock(table("N&E 90 5*,1,0,0 trains=2F", cash=[0, 0, 0, 0]), 2)
    settle(s)
    assert turn.find_actors(s) == (0,)


@differs("excess_sold_in_parts")
def test_6_5_2_above_the_limit_one_sells_until_one_is_not(switches: dict[str, object]) -> None:
    """§6.5.2: selling one share of the only company is not enough; on 18xx.games it is."""
    s = stock(table("N&E 90 5,5*,0,0 trains=2F", limit=3, switches=switches))
    play(s, Sell("N&E", 1))
    assert turn.find_actors(s) == ((1,) if switches else (0,))
    if not switches:
        assert legal(s, Pass) == []
        assert "you must sell first" in catch_refusal(s, Pass()).sentence
        play(s, Sell("N&E", 1))
        assert turn.find_actors(s) == (1,), "at the limit there is nothing left to do"


@pytest.mark.parametrize(("one_block", "price"), [(True, 375), (False, 430)])
def test_62_43_more_of_a_company_sold_above_the_limit_is_the_same_block(one_block: bool, price: int) -> None:
    """62-43: four shares one by one leave the price as four at once do; the first two are free (§6.4, §6.4.2)."""
    switches = {"forced_sales_in_one_block": one_block}
    s = stock(table("N&E 430 4,5*,1,0 trains=2F", limit=0, switches=switches))
    play(s, Sell("N&E", 1), Sell("N&E", 1), Sell("N&E", 1), Sell("N&E", 1))
    assert s.companies["N&E"].price == price
    assert s.cash[0] == 1000 + 4 * 430


@pytest.mark.parametrize("one_block", [True, False])
def test_62_43_each_share_brings_the_price_at_which_the_block_began(one_block: bool) -> None:
    """§6.4.1.

    62-43: the second share is sold at the price of the first, though the market price has fallen since (§6.4).
    """
    switches = {"forced_sales_in_one_block": one_block}
    s = stock(table("N&E 90 2,5*,1,0 trains=2F", limit=0, switches=switches))
    play(s, Sell("N&E", 1))
    told = write_label(s, Sell("N&E", 1), "")
    play(s, Sell("N&E", 1))
    assert s.cash[0] == 1000 + 90 + (90 if one_block else 86)
    assert ("£90" in told) is one_block


def test_62_43_the_director_who_sold_out_continues_as_the_director() -> None:
    """62-43: no share is free for them, although another player has the certificate by now (§6.4.2)."""
    s = stock(table("N&E 430 5*,4,0,0 trains=2F", limit=0))
    play(s, Sell("N&E", 2))
    assert s.companies["N&E"].director == 1
    play(s, Sell("N&E", 1))
    assert s.companies["N&E"].price == 350, "three spaces down"


@pytest.mark.parametrize(("one_block", "price"), [(True, 200), (False, 210)])
def test_62_43_the_fines_of_one_player_are_one_turn(one_block: bool, price: int) -> None:
    """62-43: shares sold for the second fine go on with the block that was sold for the first (§4.3, §6.4)."""
    switches = {"forced_sales_in_one_block": one_block}
    s = stock(table("N&E 210 4,5*,1,0 trains=2F", cash=[0] * 4, switches=switches))
    s.stock.closing, s.stock.fines = True, [Fine(0, "", 210), Fine(0, "", 420)]
    play(s, Sell("N&E", 1), Sell("N&E", 1))
    assert s.companies["N&E"].price == price
    assert s.stock.fines == [Fine(0, "", 210)]


def test_62_43_the_fines_of_two_players_are_two_turns() -> None:
    """62-43: what one debtor sells is a block of its own, whoever sold before (§6.4)."""
    s = stock(table("N&E 210 3,3,4*,0 trains=2F", cash=[0] * 4))
    s.stock.closing, s.stock.fines = True, [Fine(0, "", 210), Fine(1, "", 420)]
    play(s, Sell("N&E", 1), Sell("N&E", 1))
    assert s.companies["N&E"].price == 210


@pytest.mark.parametrize("waits", [True, False])
def test_62_44_a_sale_that_takes_one_above_the_limit_does_not_hold_up_the_turn(waits: bool) -> None:
    """62-44: part of a director's certificate becomes ordinary ones; the excess is sold in the next turn (§6.5.2)."""
    text, switches = "N&E 90 3*,1,1,1 trains=2F\nWStI 90 3,4*,0,0 trains=2F", {"excess_waits_for_next_turn": waits}
    s = stock(table(text, limit=4, cash=[0] * 4, switches=switches))
    play(s, Sell("N&E", 1))
    assert s.count_certificates(0) == 5
    if not waits:
        assert legal(s, Pass) == []
        assert catch_refusal(s, Pass()).rule.section == "§6.5.2"
        return
    assert legal(s) == [Pass(), *(Sell("WStI", count) for count in (1, 2, 3))], (
        "selling more is allowed, and buying isn't"
    )
    assert "in your next turn" in " ".join(ask(s).lines)
    play(s, Pass())
    while turn.find_actors(s) != (0,):
        play(s, Pass())
    assert {type(action) for action in legal(s)} == {Sell}
    assert "you must sell first" in catch_refusal(s, Pass()).sentence


def test_62_44_down_to_the_limit_once_is_enough_in_a_turn() -> None:
    """62-44: who had to sell, and did, may sell out of a director's certificate then and end the turn (§6.5.2)."""
    s = stock(table("N&E 90 3*,1,1,1 trains=2F\nWStI 90 3,5*,0,0 trains=2F\nFDR 90 1,5*,0,0 trains=2F", limit=4))
    assert legal(s, Pass) == []
    play(s, Sell("WStI", 1))
    assert Pass() in legal(s)
    play(s, Sell("N&E", 1))
    assert s.count_certificates(0) == 5
    assert Pass() in legal(s)
    assert "must be sold in one block" in catch_refusal(s, Sell("N&E", 1)).sentence


def test_62_44_a_player_who_loses_a_certificate_to_another_sells_at_the_start_of_the_turn() -> None:
    """62-44: the purchase of another makes three ordinary certificates of a director's (§6.5.2, §6.3)."""
    s = stock(table("N&E 90 3*,3,0,0 trains=2F\nWStI 90 3,0,4*,0 trains=2F", limit=4), 1)
    play(s, BuyShare("N&E", "pool"))
    assert s.count_certificates(0) == 6
    while turn.find_actors(s) != (0,):
        play(s, Pass())
    assert {type(action) for action in legal(s)} == {Sell}


@pytest.mark.parametrize(
    ("version", "options", "new"),
    [(4, {}, True), (3, {}, False), (1, {}, False), (4, {"profile": "18xx.games"}, False)],
)
def test_forced_sales_of_older_tables_and_of_18xx_games_stay_as_they_were(
    version: int, options: dict[str, str], new: bool
) -> None:
    """Differences 71, 72: a table keeps the rules it began under (§6.5.2, §6.4)."""
    rules = TITLE.deal(Setup("1862", 4, options, rules=version)).rules
    assert (rules.forced_sales_in_one_block, rules.excess_waits_for_next_turn) == (new, new)


def test_6_3_a_director_cannot_keep_what_no_ordinary_certificate_stands_for() -> None:
    """§6.3: of the certificate and one share, with none in the pool, two shares can't be sold; one or three can."""
    s = stock(table("N&E 90 4*,2,2,2 trains=2F at=B13"))
    told = "there aren't enough ordinary certificates for the 20% you would keep; sell a different number."
    assert catch_refusal(s, Sell("N&E", 2)).sentence.endswith(told)
    assert {action.count for action in legal(s, Sell)} == {1, 3, 4}
