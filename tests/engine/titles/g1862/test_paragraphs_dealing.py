"""§3.2 to §6.6, sentence by sentence: what the tests by topic leave untold about Parliament, fines and stock rounds."""

from typing import Literal

import pytest

from engine.finance import market
from engine.finance.events import DirectorChanged
from engine.finance.rounds import Pass
from engine.titles.g1862 import ground
from engine.titles.g1862.actions import Bid, BuyShare, PlaceMarker, Sell, Start
from engine.titles.g1862.catalogue import CHARTERS, MARKET, load_map
from engine.titles.g1862.rounds import turn
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    differs,
    legal,
    of_kind,
    operating,
    parliament,
    play,
    settle,
    stock,
    table,
)


def test_3_2_no_slot_is_kept_for_a_company_that_has_not_been_started() -> None:
    """§3.2, §6.5.3: N&E takes the only slot of C8, Ely, where the E&H would begin; then that cannot be started."""
    s = table("N&E 90 5*,0,0,0 unplaced=1 at=C10", tiles="C10:57:0 C8:57:0")
    assert ground.is_startable(s, s.companies["E&H"])
    operating(s, "N&E", "token")
    play(s, PlaceMarker("C8"))
    assert not ground.is_startable(s, s.companies["E&H"])
    assert "can't be started" in catch_refusal(parliament(s), Bid("E&H", 0)).sentence
    s.phase = "B"
    assert Bid("E&H", 0) in legal(s), "for now only: a green tile has a second slot"


def test_4_1_no_bid_may_leave_less_than_the_cheapest_certificate_costs() -> None:
    """§4.1: with £200 a bid of £35 leaves £165, one of £40 would leave £160."""
    s = parliament(table(cash=[200, 1000, 1000, 1000]))
    assert max(action.amount for action in legal(s, Bid)) == 35
    assert "at most £35" in catch_refusal(s, Bid("N&E", 40)).sentence
    s.cash[0] = 161
    settle(s)
    assert turn.find_actors(s) == (1,), "with less than £162 he must pass"


def test_4_1_unbought_certificates_stay_in_the_ipo_until_all_decline_again() -> None:
    """§4.1, §4.2: seat 0 has declined; seat 1 wins a charter, so seat 2 goes on and seat 0 is asked once more."""
    s = parliament(table(seats=3))
    play(s, Pass(), Bid("N&E", 0), Pass(), Pass(), Start("N&E", 54), Pass())
    assert s.companies["N&E"].ipo == 7
    assert turn.find_actors(s) == (2,)
    play(s, Pass())
    assert turn.find_actors(s) == (0,)
    play(s, Pass())
    assert s.name == "SR 1", "seat 1 has a charter, so he counts as declining"


def test_4_2_half_of_a_company_at_most_with_its_charter() -> None:
    """§4.2, 62-53: after two more shares the turn is over, though there is money for a third."""
    s = parliament(table(seats=2))
    play(s, Bid("N&E", 0), Pass(), Start("N&E", 54), BuyShare("N&E", "ipo"))
    assert turn.find_actors(s) == (0,)
    play(s, BuyShare("N&E", "ipo"))
    assert s.companies["N&E"].shares[0] == 5
    assert turn.find_actors(s) == (1,)
    assert s.cash[0] >= 54


def test_4_2_no_more_shares_at_the_certificate_limit() -> None:
    """§4.2: the director's certificate is the last one he may have."""
    s = parliament(table(seats=2, limit=1))
    play(s, Bid("N&E", 0), Pass(), Start("N&E", 54))
    assert s.companies["N&E"].shares[0] == 3
    assert turn.find_actors(s) == (1,)


def test_4_3_other_holders_lose_their_shares_without_compensation() -> None:
    """§4.3, 62-55: seat 1 held two shares of the company of seat 0; they are gone, and he has no money for them."""
    s = stock(table("N&E 100 3*,2,0,0 ipo=5 unfloated chartered obliged=0"))
    s.stock.passes = 4
    settle(s)
    assert s.companies["N&E"].shares == [0, 0, 0, 0]
    assert s.cash == [500, 1000, 1000, 1000]


@differs("chartered_marker_waits")
def test_6_5_4_a_chartered_company_comes_on_the_market_when_it_floats(switches: dict[str, object]) -> None:
    """§6.5.4, §6.5.3, differences 2.

    WStI starts at the same price before N&E floats; on 18xx.games N&E is there since its par.

    The marker that came first operates first.
    """
    s = parliament(table(switches=switches, seats=2))
    play(s, Bid("N&E", 0), Pass(), Start("N&E", 90), Pass())
    play(s, Pass())
    assert (s.companies["N&E"].cell is None) is not bool(switches)
    assert s.name == "SR 1"
    play(s, BuyShare("N&E", "ipo"), Start("WStI", 90), BuyShare("N&E", "ipo"))
    both = [s.companies["N&E"], s.companies["WStI"]]
    assert {company.price for company in both} == {90}
    first = min(both, key=lambda company: company.stamp)
    assert first.code == ("N&E" if switches else "WStI")


def test_6_5_1_the_money_for_a_treasury_share_is_the_companys() -> None:
    """§6.5.1: from the IPO and the pool the bank is paid."""
    text = "N&E 90 0,3*,0,0 treasury=3 cash=10 trains=2F"
    sources: tuple[tuple[Literal["treasury", "pool"], int], ...] = (("treasury", 100), ("pool", 10))
    for source, cash in sources:
        s = stock(table(text))
        play(s, BuyShare("N&E", source))
        assert (s.cash[0], s.companies["N&E"].cash) == (910, cash)


def test_6_5_3_the_par_of_a_company_is_the_highest_ipo_space_not_above_its_price() -> None:
    """§6.5.3, §7.11.2: from £100 to £200 it is 100."""
    found = {price: MARKET.find_par(price) for price in MARKET.starts}
    assert min(found) == 54
    assert max(found) == 200
    assert all(found[price] == max(par for par in MARKET.pars if par <= price) for price in found)
    assert {found[price] for price in found if price >= 100} == {100}


def test_6_4_2_director_is_the_director_before_the_sale() -> None:
    """§6.4.2: seat 0 sells out at 210, where others have one share free, and has none, though seat 1 directs now."""
    s = stock(table("N&E 210 4*,4,0,0 trains=2F"))
    events = play(s, Sell("N&E", 4))
    assert of_kind(events, DirectorChanged)[0].seat == 1
    assert MARKET.prices.index(210) - (s.companies["N&E"].cell or 0) == 4


def test_6_3_the_swap_for_the_certificate_is_no_purchase() -> None:
    """§6.3: seat 0 becomes director by his purchase, pays for that alone, and has one certificate less by the swap."""
    s = stock(table("N&E 90 3,3*,0,0 trains=2F"))
    assert s.count_certificates(0) == 3
    play(s, BuyShare("N&E", "pool"))
    assert s.companies["N&E"].director == 0
    assert s.cash == [910, 1000, 1000, 1000]
    assert (s.count_certificates(0), s.count_certificates(1)) == (2, 3)


def test_62_31_new_director_too_keeps_shares_bought_in_this_round() -> None:
    """§6.4, 62-31: seat 0 bought one share and took the certificate by it; of his four he may sell three."""
    s = stock(table("N&E 90 3,3*,0,0 trains=2F"))
    play(s, BuyShare("N&E", "pool"), Pass(), Pass(), Pass())
    assert s.companies["N&E"].director == 0
    assert max(action.count for action in legal(s, Sell)) == 3
    assert "must keep" in catch_refusal(s, Sell("N&E", 4)).sentence


def test_62_31_shares_bought_in_parliament_are_old() -> None:
    """§6.4, 62-31: only what was bought in this stock round must be kept."""
    s = parliament(table(seats=2))
    play(s, Bid("N&E", 0), Pass(), Start("N&E", 54), BuyShare("N&E", "ipo"), Pass())
    play(s, Pass())
    assert s.name == "SR 1"
    assert Sell("N&E", 1) in legal(s)


def test_6_4_before_flotation_the_pool_sells_at_par() -> None:
    """§6.4: a chartered company's share is sold for half of par and bought for all of it; its price stands at par."""
    s = stock(table("N&E 100 3*,2,0,0 ipo=5 unfloated chartered"), 1)
    play(s, Sell("N&E", 1), Pass())
    play(s, BuyShare("N&E", "pool"))
    assert s.cash[1:3] == [1050, 900]
    assert s.companies["N&E"].price == 100


def test_6_5_2_player_above_the_limit_sells_down_to_it() -> None:
    """§6.5.2: two certificates too many: neither a pass nor a purchase before both are sold."""
    s = stock(table("N&E 90 1,5*,0,0 trains=2F\nWStI 90 1,5*,0,0 trains=2F\nENR 90 2,5*,0,0 trains=2F", limit=2))
    play(s, Sell("N&E", 1))
    assert "you must sell first" in catch_refusal(s, Pass()).sentence
    assert "you must sell first" in catch_refusal(s, BuyShare("WStI", "pool")).sentence
    play(s, Sell("WStI", 1))
    assert Pass() in legal(s)
    assert "the limit is 2" in catch_refusal(s, BuyShare("ENR", "pool")).sentence


def test_3_2_a_tile_that_is_out_does_not_make_room() -> None:
    """§3.2: the green Y tiles would fit Ely and have two slots, but none is left in the supply."""
    s = table("N&E 90 5*,0,0,0 at=C8", tiles="C8:57:0", phase="B")
    company = s.companies["E&H"]
    assert ground.is_startable(s, company)
    manifest = s.board.map.manifest
    green = [name for name in manifest.counts if manifest[name].colour == "green" and manifest[name].has_stop("city")]
    growing = [name for name in green if manifest[name].letter == "Y"]
    empty = iter(hex_ for hex_ in s.board.map.hexes if hex_ not in s.board.laid)
    for name in growing:
        for _ in range(manifest.counts[name]):
            s.board = s.board.with_tile(next(empty), name, 0)
    assert not ground.is_startable(s, company)


def test_6_4_2_markers_stop_at_both_ends() -> None:
    """§6.4.2: below 0 and above 1000 there is no space."""
    s = table("N&E 950 5*,0,0,0 trains=2F\nWStI 7 0,5*,0,0 trains=2F")
    market.move_marker(s, s.companies["N&E"], 4, lambda _: None)
    market.move_marker(s, s.companies["WStI"], -4, lambda _: None)
    assert (s.companies["N&E"].price, s.companies["WStI"].price) == (1000, 0)
    assert len(MARKET.prices) == 67


def test_3_2_a_full_home_that_can_grow_may_be_started_in_a_stock_round_too() -> None:
    """§3.2, §6.5.3.

    §6.5.3 asks for a free space and for §3.2, which counts a home that can be upgraded.
    """
    s = stock(table("WVR 54 5*,0,0,0 at=D13", tiles="D13:57:0", phase="B"))
    assert Start("ECR", 54) in legal(s)
    s.phase = "A"
    assert "no free space" in catch_refusal(s, Start("ECR", 54)).sentence


HOMES = (
    "E&H Ely, ECR Witham, ENR Cromer, ESR Ipswich, EUR Colchester, FDR Felixstowe, I&B Bury St. Edmunds, L&D Swaffham,"
    " L&E Downham Market, L&H King's Lynn, N&B Thetford, N&E Bishop's Stortford, N&S Lowestoft, Y&N Great Yarmouth,"
    " NGC Newmarket, SVR Sudbury, WNR Wells-Next-The-Sea, W&F Fakenham, WVR Beccles, WStI Wisbech"
)


def test_2_3_each_of_twenty_companies_has_its_home() -> None:
    """§2.3, §2.1, §6.5.2: twenty companies; the director's certificate is three tenths, and seven others one each."""
    assert {f"{code} {load_map().hexes[charter.home].name}" for code, charter in CHARTERS.items()} == set(
        HOMES.split(", ")
    )
    s = table("N&E 90 3*,7,0,0")
    assert (s.count_certificates(0), s.count_certificates(1)) == (1, 7)


def test_4_1_parliament_begins_with_the_priority_deal() -> None:
    """§4.1: seat 2 has it; seat 3 is next."""
    s = operating(table("N&E 90 5*,0,0,0 trains=2F at=B13"), "N&E", "end")
    s.priority = 2
    settle(s)
    assert turn.find_actors(s) == (2,)
    play(s, Pass())
    assert turn.find_actors(s) == (3,)


def test_4_2_a_company_is_started_from_cash_in_hand() -> None:
    """§4.2: no share is sold for it; £60 left pay for one more share of £54, not for two."""
    s = parliament(table("WStI 90 2,5*,0,0 trains=2F", seats=4, cash=[5 + 162 + 60, 0, 0, 0]))
    play(s, Bid("N&E", 5))
    assert {type(action) for action in legal(s)} == {Start}
    assert "auction" not in catch_refusal(s, Sell("WStI", 1)).sentence
    play(s, Start("N&E", 54), BuyShare("N&E", "ipo"))
    assert (s.companies["N&E"].shares[0], s.cash[0]) == (4, 6)
    assert not hasattr(s.round, "lot"), "no other player has money"


@pytest.mark.parametrize(("phase", "rounds"), list(zip("ABCDEFGH", (1, 2, 2, 3, 3, 3, 3, 3), strict=True)))
def test_3_0_operating_rounds_of_a_set_by_phase(phase: str, rounds: int) -> None:
    """§3.0, §9.0: one in phase A, two in B and C, then three."""
    s = stock(table("N&E 90 5*,0,0,0 trains=2F at=B13", phase=phase))
    play(s, Pass(), Pass(), Pass(), Pass())
    assert (s.name, s.operating.rounds) == ("OR 1.1", rounds)


def test_6_4_a_director_may_buy_one_share_and_sell_one() -> None:
    """§6.4: the book's example: who began with the certificate keeps as many as were bought, not those."""
    s = stock(table("N&E 90 3*,1,0,0 trains=2F"))
    play(s, BuyShare("N&E", "pool"), Pass(), Pass(), Pass())
    assert [action.count for action in legal(s, Sell)] == [1, 2, 3]
    play(s, Sell("N&E", 1))
    assert s.companies["N&E"].shares[0] == 3


def test_6_5_1_no_share_is_bought_of_another_player() -> None:
    """§6.5.1: all ten are in the hands of two, and one may have all ten."""
    assert legal(stock(table("N&E 90 5*,5,0,0 trains=2F"), 2), BuyShare) == []
    s = stock(table("N&E 90 9*,0,0,0 trains=2F"))
    play(s, BuyShare("N&E", "pool"))
    assert s.companies["N&E"].shares[0] == 10


def test_6_5_1_a_share_of_the_ipo_costs_its_par_and_one_of_the_treasury_the_market_price() -> None:
    """§6.5.1, §6.5.3: the par of a company without a charter is no price."""
    s = stock(table("N&E 116 3*,2,0,0 ipo=5 chartered par=74 trains=2F"))
    bank = s.bank
    play(s, BuyShare("N&E", "ipo"))
    assert (s.cash[0], s.bank, s.companies["N&E"].cash) == (1000 - 74, bank + 74, 0)
    s = stock(table(seats=2))
    play(s, Start("N&E", 200), Pass(), BuyShare("N&E", "treasury"))
    assert (s.companies["N&E"].par, s.cash[0]) == (100, 1000 - 4 * 200)


def test_6_5_2_the_limit_of_the_lner_stays() -> None:
    """§6.5.2: the player with the most shares buys one more."""
    s = stock(table("N&E 90 5*,0,0,0 trains=2F", lner=True, limit=5))
    play(s, BuyShare("N&E", "pool"), Pass(), Pass(), Pass(), Pass())
    assert s.companies["N&E"].shares[0] == 6
    assert s.limit == 5


def test_6_5_3_what_is_in_the_ipo_can_be_started_and_nothing_else() -> None:
    """§6.5.3, §6.5.4: a company that has started can't be; until it floats it has no turn."""
    s = stock(table("N&E 90 5*,0,0,0 trains=2F at=B13\nWStI 90 4*,0,0,0 treasury=6 unfloated"))
    for code in ("N&E", "WStI"):
        assert "already been started" in catch_refusal(s, Start(code, 54)).sentence
    play(s, Pass(), Pass(), Pass(), Pass())
    assert s.operating.order == ["N&E"]
