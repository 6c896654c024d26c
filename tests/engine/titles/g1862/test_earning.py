"""§7.8.5, §7.9, §7.11: dividends, Hudson, warranties, trains and their limits, forced purchases."""

from collections.abc import Mapping
from typing import Unpack

import pytest
from msgspec.structs import replace

from engine.finance import trading
from engine.finance.events import DividendPaid, TrainsRan
from engine.finance.rounds import Pass
from engine.titles.g1862.actions import Answer, BuyTrain, Dividend, Option, RaiseMoney, Run
from engine.titles.g1862.catalogue import BANDS, FACES
from engine.titles.g1862.events import LnerAnnounced, TrainsRusted, WentBankrupt
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import COMPANY, State, Train, TurnStep
from engine.titles.g1862.steps import raising
from tests.engine.titles.g1862.positions import (
    NO_SWITCHES,
    Fields,
    catch_refusal,
    decide,
    differs,
    legal,
    of_kind,
    operating,
    play,
    settle,
    table,
)

LOCAL = "B13:57:0 B11:8852:0 B9:790:0"


def make_earning(
    price: int,
    revenue: int,
    text: str = "5*,2,0,0 treasury=2",
    *,
    own: int = 100,
    options: dict[str, str] | None = None,
    **fields: Unpack[Fields],
) -> State:
    """N&E has run and must say what becomes of the revenue."""
    s = table(f"N&E {price} {text} cash={own} trains=2F at=B13", options=options, **fields)
    operating(s, "N&E", "dividend").operating.revenue = revenue
    return s


def test_7_8_5_one_tenth_a_share_to_players_and_treasury_nothing_for_the_pool() -> None:
    """§7.13: one tenth a share to players and treasury nothing for the pool."""
    s = make_earning(100, 190, own=0)
    event = of_kind(play(s, Dividend("pay")), DividendPaid)[0]
    assert event.paid[:2] == (95, 38)
    assert event.treasury == 38


@pytest.mark.parametrize(
    ("price", "paid", "after"),
    [(74, 70, 74), (74, 74, 82), (74, 140, 82), (74, 148, 90), (74, 222, 100), (74, 290, 100), (74, 296, 110),
     (74, 370, 110), (74, 740, 110), (74, 0, 68), (7, 0, 0), (950, 950, 1000), (900, 900, 1000)],
)  # fmt: skip
def test_7_8_5_price_after(price: int, paid: int, after: int) -> None:
    """§7.8.5, 62-46: exactly twice the price is two steps."""
    s = table(f"N&E {price} 5*,0,0,0")
    assert trading.find_price_after_dividend(s.companies["N&E"], paid) == after


def test_7_8_6_hudson_tops_up_to_the_price() -> None:
    """62-31b: price 82, revenue 60: 30 from the treasury, 90 declared, one step right."""
    s = make_earning(82, 60)
    assert Dividend("hudson") in legal(s)
    event = of_kind(play(s, Dividend("hudson")), DividendPaid)[0]
    assert (event.revenue, event.added) == (90, 30)
    assert s.companies["N&E"].cash == 100 - 30 + 2 * 9, "and two shares of its own earn"
    assert s.companies["N&E"].price == 90
    assert "can't top" in catch_refusal(make_earning(82, 60, own=29), Dividend("hudson")).sentence
    assert Dividend("hudson") not in legal(make_earning(82, 90))


@pytest.mark.parametrize(
    ("later", "own", "may"), [(False, 30, True), (False, 29, False), (True, 20, True), (True, 19, False)]
)
def test_7_8_6_treasury_must_hold_the_added_money(own: int, *, later: bool, may: bool) -> None:
    """§7.8.6, §7.8.2: £30 for a revenue of £60; on 18xx.games the subsidy of £10 comes only then, and counts."""
    s = make_earning(82, 60, own=own)
    s.rules = replace(s.rules, subsidy_with_dividend=later)
    s.operating.subsidy = 10
    assert (Dividend("hudson") in legal(s)) is may
    if may:
        play(s, Dividend("hudson"))
        assert s.companies["N&E"].cash == 2 * 9, "what its own two shares earn"


def test_11_3_no_hudson_for_new_players() -> None:
    assert Dividend("hudson") not in legal(make_earning(82, 60, options={"new_players": "on"}))


def test_7_10_a_run_wears_a_warranty_and_a_doomed_train_goes_with_the_last() -> None:
    """§9.0: 62-24: permanent trains may have them too."""
    s = make_earning(74, 80, phase="C", depot={"A": 0, "B": 0, "C": 2, "D": 3, "E": 3, "F": 2, "G": 1, "H": -1})
    s.companies["N&E"].trains = [Train("A-0", "1F", 1), Train("B-0", "2F", 2), Train("E-0", "6F", 3)]
    events = play(s, Dividend("pay"))
    assert [train.name for train in s.companies["N&E"].trains] == ["2F*", "6F**"]
    assert of_kind(events, TrainsRusted)[0].trains == ("1F",)


def buyer(
    text: str,
    step: TurnStep = "train",
    *,
    options: dict[str, str] | None = None,
    switches: Mapping[str, object] = NO_SWITCHES,
    tiles: str = "",
    **fields: Unpack[Fields],
) -> State:
    return operating(table(text, tiles=tiles, options=options, switches=switches, **fields), "N&E", step)


def test_7_9_the_face_is_chosen_at_the_bank_and_the_band_in_order() -> None:
    """§2.2, §11.1: the face is chosen at the bank and the band in order."""
    s = buyer("N&E 90 5*,0,0,0 cash=100 at=B13")
    assert legal(s, BuyTrain) == [BuyTrain(face, "bank") for face in ("1F", "2E", "2L")]
    assert "sells the 1F, 2E and 2L" in catch_refusal(s, BuyTrain("2F", "bank")).sentence
    assert "must buy" in catch_refusal(s, Pass()).sentence
    play(s, BuyTrain("2E", "bank"))
    assert s.companies["N&E"].trains == [Train("A-0", "2E", 1)]
    assert s.depot["A"] == 6


@pytest.mark.parametrize(("band", "free"), [("A", 1), ("B", 0), ("C", 0), ("D", 1), ("E", 0), ("H", 0)])
def test_7_10_1_trains_of_bands_a_and_d_have_one_free(band: str, free: int) -> None:
    """§7.10.1: three in all with the free one, which costs nothing."""
    s = buyer("N&E 90 5*,0,0,0 cash=2000 at=B13", phase=band)
    s.depot = {name: 0 if name < band else 3 for name in s.depot}
    bought = [action for action in legal(s, BuyTrain) if action.seller == "bank"]
    assert {action.warranties for action in bought} == set(range(4 - free))
    play(s, next(action for action in bought if action.warranties == 0))
    company = s.companies["N&E"]
    assert (company.trains[0].stars, company.cash) == (free, 2000 - BANDS[band].price)


def test_7_10_warranties_at_fifty_three_in_all() -> None:
    """62-25: train and warranties beyond the treasury are refused."""
    s = buyer("N&E 90 5*,0,0,0 cash=180 at=B13")
    assert BuyTrain("1F", "bank", 1) in legal(s)
    assert "costs £200" in catch_refusal(s, BuyTrain("1F", "bank", 2)).sentence
    s.companies["N&E"].cash = 900
    assert "at most 2 warranties" in catch_refusal(s, BuyTrain("1F", "bank", 3)).sentence
    play(s, BuyTrain("1F", "bank", 2))
    assert s.companies["N&E"].trains[0].name == "1F***"
    assert s.companies["N&E"].cash == 900 - 200


def test_7_9_trains_of_companies_cost_their_face_then_half_and_need_consent() -> None:
    """62-23, 62-47: warranties do not change the price, and go with the train."""
    s = buyer("N&E 90 5*,0,0,0 cash=500 trains=2E at=B13\nWStI 90 0,5*,0,0 trains=1F*,2F at=B5", phase="B")
    s.depot["A"] = 0
    play(s, BuyTrain("1F*", "WStI"))
    assert turn.find_actors(s) == (1, 0)
    play(s, Answer("decline"), seat=1)
    assert s.companies["N&E"].cash == 500
    play(s, BuyTrain("1F*", "WStI"), seat=0)
    play(s, Answer("accept"), seat=1)
    assert (s.companies["N&E"].cash, s.companies["WStI"].cash) == (450, 50)
    assert s.companies["N&E"].trains[-1].name == "1F*"
    play(s, BuyTrain("2F", "WStI"), seat=0)
    play(s, Answer("accept"), seat=1)
    assert s.companies["WStI"].cash == 250


@pytest.mark.parametrize(
    ("trains", "has"), [("trains=1F,2F*", "no “8E” to sell; it has 1F and 2F*"), ("", "no train to sell")]
)
def test_7_9_a_refusal_shows_the_trains_that_the_other_company_has(trains: str, has: str) -> None:
    """§2.2: refusal shows the trains that the other company has."""
    s = buyer(f"N&E 90 5*,0,0,0 cash=500 at=B13\nWStI 90 0,5*,0,0 {trains} at=B5")
    assert catch_refusal(s, BuyTrain("8E", "WStI")).sentence == f"WStI has {has}."


def test_7_9_receivership_never_sells() -> None:
    """§8.0: 62-26: it sells no train."""
    s = buyer("N&E 90 5*,0,0,0 cash=500 at=B13\nWStI 90 0,2,2,0 trains=2F at=B5")
    assert "receivership" in catch_refusal(s, BuyTrain("2F", "WStI")).sentence


@pytest.mark.parametrize(
    ("phase", "band", "owns", "may"),
    [
        ("A", "A", "2E,2E,2E", {"freight", "local"}),
        ("A", "A", "2E,2E", {"freight", "local", "express"}),
        ("C", "C", "2/3E,2/3E,3E", {"freight", "local"}),
        ("D", "D", "2/3E,2/3E,3E", {"freight", "local"}),
        ("E", "E", "3E,3E", {"freight", "local"}),
        ("E", "E", "3E,3F,3L", {"freight", "local", "express"}),
        ("F", "F", "4E,4/5E,5F", {"freight", "local"}),
        ("F", "F", "4E,4/5E,4/5L,7F,7F", {"local"}),
        ("G", "H", "4/5E,7F,7F,5/6L", set()),
        ("G", "H", "7F,7F,5/6L", set()),
        ("H", "H", "7F,7F,7F", set()),
        ("H", "H", "7F,7F", {"freight", "local", "express"}),
    ],
)
def test_7_9_limits(phase: str, band: str, owns: str, may: set[str]) -> None:
    """§9.0: 62-22: by type, then in all; more may be owned, none is discarded."""
    s = buyer(f"N&E 90 5*,0,0,0 cash=2000 trains={owns} at=B13", phase=phase)
    s.depot = {name: 0 if name < band else 2 for name in s.depot}
    found = {FACES[action.train].kind for action in legal(s, BuyTrain)}
    assert found == may


def test_9_0_the_first_of_a_band_begins_its_phase_and_rusts_what_has_no_warranty() -> None:
    """§7.9, §7.10: the first of a band begins its phase, and rusts what has no warranty."""
    s = buyer("N&E 90 5*,0,0,0 cash=2000 at=B13\nWStI 90 0,5*,0,0 trains=1F*,1F,2F at=B5", phase="B")
    s.depot["A"] = s.depot["B"] = 0
    play(s, BuyTrain("3E", "bank"))
    assert s.phase == "C"
    assert [train.name for train in s.companies["WStI"].trains] == ["1F*", "2F"]


def test_7_9_over_the_limit_in_phase_g_nothing_is_discarded() -> None:
    s = buyer("N&E 90 5*,0,0,0 cash=2000 trains=4E,4/5E,7F,7F at=B13", phase="F")
    s.depot = {name: 0 if name < "G" else 1 for name in s.depot}
    play(s, BuyTrain("5/6L", "bank"))
    assert sorted(train.name for train in s.companies["N&E"].trains) == ["4/5E", "5/6L", "7F", "7F"]
    assert s.operating.step != "train"


@pytest.mark.parametrize(("options", "band", "face"), [({}, "H", "6E"), ({"shorter": "on"}, "E", "4/5E")])
def test_10_3_11_2_the_train_that_brings_the_lner(options: dict[str, str], band: str, face: str) -> None:
    """§3.0, §9.0: the train that brings the LNER."""
    s = buyer("N&E 90 5*,0,0,0 cash=2000 at=B13\nWStI 90 0,5*,0,0 trains=4E at=B5", options=options,
              phase=chr(ord(band) - 1))  # fmt: skip
    s.depot = {name: 0 if name < band else 2 for name in s.depot}
    events = play(s, BuyTrain(face, "bank"))
    assert of_kind(events, LnerAnnounced)
    assert s.lner_due
    survives = [train.name for train in s.companies["WStI"].trains]
    assert survives == (["4E"] if options else []), "D trains rust with G, never in the shorter game"


def test_7_11_a_treasury_shares_as_few_as_suffice_and_the_price_falls() -> None:
    """§7.11.1: treasury shares, as few as suffice, and the price falls."""
    s = buyer("N&E 50 5*,0,0,0 treasury=5 cash=10 at=B13 par=54")
    play(s, RaiseMoney("treasury"))
    company = s.companies["N&E"]
    assert (company.treasury, company.pool, company.cash) == (3, 2, 110)
    assert company.price == 44, "two spaces, as a sale of the director"
    assert legal(s, Pass) == []
    play(s, BuyTrain("2E", "bank"))
    assert company.cash == 10


def test_7_11_the_money_raised_is_for_the_bank() -> None:
    s = buyer("N&E 50 5*,0,0,0 treasury=5 cash=60 at=B13\nWStI 90 0,5*,0,0 trains=1F at=B5")
    play(s, RaiseMoney("treasury"))
    assert "must buy one from the bank" in catch_refusal(s, BuyTrain("1F", "WStI")).sentence


def test_7_11_b_refinancing_brings_ten_times_par() -> None:
    """§2.4.3, §5.1.3, §7.11.2: refinancing brings ten times par."""
    s = buyer("N&E 50 10*,0,0,0 cash=0 at=B13 par=54")
    assert legal(s, RaiseMoney) == [RaiseMoney("refinance")]
    play(s, RaiseMoney("refinance"))
    decide(s, "redeem")
    company = s.companies["N&E"]
    assert (company.shares[0], company.pool, company.cash, company.price) == (5, 5, 540, 50)
    assert "must buy" in catch_refusal(s, Pass()).sentence


def test_7_11_b_refinancing_keeps_the_company_earnings() -> None:
    """§7.11.2: the new money comes to what the treasury holds already, which is for the train."""
    s = buyer("N&E 50 10*,0,0,0 cash=30 at=B13 par=54")
    play(s, RaiseMoney("refinance"))
    decide(s, "redeem")
    assert s.companies["N&E"].cash == 570


@pytest.mark.parametrize("cash", [10, 60])
def test_7_11_b_a_treasury_that_needs_the_money_gives_its_option_up(cash: int) -> None:
    """§7.11.2, §7.11.1: an odd treasury share counts with half a price: 10 + 540 + 50 make £600.

    With £60 the treasury could redeem it for £50, and then not buy the train.
    """
    s = buyer(f"N&E 100 9*,0,0,0 treasury=1 cash={cash} at=B13 par=54", phase="E")
    s.depot = {name: 0 if name < "F" else 2 for name in s.depot}
    s.depot["F"] = 2
    assert legal(s, RaiseMoney) == [RaiseMoney("refinance")]
    play(s, RaiseMoney("refinance"))
    decide(s, "redeem")
    company = s.companies["N&E"]
    assert (company.treasury, company.cash) == (0, cash + 50 + 540)
    s = buyer("N&E 100 9*,0,0,0 treasury=1 cash=9 at=B13 par=54", phase="E", depot={"F": 2, "H": -1})
    assert of_kind(settle(s), WentBankrupt)


@pytest.mark.parametrize(
    ("counts", "treasury", "cash", "enough"),
    [
        (True, 0, 60, True), (True, 0, 59, False), (True, 1, 10, True), (True, 1, 9, False), (True, 2, 60, True),
        (True, 2, 59, False), (False, 1, 60, True), (False, 1, 59, False),
    ],
)  # fmt: skip
def test_7_11_b_amount_that_refinancing_must_bring(treasury: int, cash: int, *, counts: bool, enough: bool) -> None:
    """§7.11.2: ten times par and what there is make £600; half a price for an odd treasury share, not on 18xx.games."""
    s = buyer(
        f"N&E 100 7*,0,0,0 treasury={treasury} cash={cash} at=B13 par=54", phase="E", depot={"F": 2, "H": -1},
        switches={"odd_share_counts": counts},
    )  # fmt: skip
    assert raising.can_refinance(s, s.companies["N&E"]) is enough


@pytest.mark.parametrize(("cash", "shares"), [(50, 1), (49, 2), (0, 2)])
def test_7_11_a_no_more_treasury_shares_than_needed(cash: int, shares: int) -> None:
    """§7.11.1: no more treasury shares than needed."""
    s = buyer(f"N&E 50 5*,0,0,0 treasury=2 cash={cash} at=B13")
    s.companies["N&E"].treasury = 3
    play(s, RaiseMoney("treasury"))
    assert (s.companies["N&E"].treasury, s.companies["N&E"].cash) == (3 - shares, cash + 50 * shares)
    s = buyer(f"N&E 50 5*,0,0,0 treasury={shares - 1} cash={cash} at=B13")
    assert raising.count_shares_needed(s, s.companies["N&E"]) == 0, "they don't suffice"


def test_7_11_a_train_of_the_same_director_comes_first() -> None:
    """§7.11, 62-48: another director's need not be asked for."""
    s = buyer("N&E 50 5*,0,0,0 treasury=5 cash=50 at=B13\nWStI 90 5*,0,0,0 trains=1F at=B5", phase="B")
    s.depot["A"] = 0
    assert legal(s) == [BuyTrain("1F", "WStI")]
    assert "another company of its director" in catch_refusal(s, RaiseMoney("treasury")).sentence
    s.companies["WStI"].director = 1
    s.companies["WStI"].shares = [0, 5, 0, 0]
    assert RaiseMoney("treasury") in legal(s)


def test_7_12_no_way_to_a_train_is_bankruptcy() -> None:
    s = buyer("N&E 50 5*,0,0,0 cash=0 at=B13 par=54\nWStI 90 0,5*,0,0 at=B5", phase="F")
    s.depot = {name: 0 if name < "G" else 1 for name in s.depot}
    events = settle(s)
    assert of_kind(events, WentBankrupt)[0].paid == (125, 0, 0, 0), "half of the price: it has no train"
    again = s.companies["N&E"]
    assert (again.started, again.markers, again.cash, again.ipo) == (False, [], 0, 10)
    assert s.cash[0] == 1125


def test_7_12_passing_by_another_directors_train_is_bankruptcy() -> None:
    s = buyer("N&E 50 5*,0,0,0 cash=400 at=B13 par=20\nWStI 90 0,5*,0,0 trains=4E at=B5", phase="G")
    s.depot = {name: 0 if name < "H" else -1 for name in s.depot}
    s.companies["N&E"].par = 10
    assert legal(s) == [BuyTrain("4E", "WStI"), Pass()]
    assert of_kind(play(s, Pass()), WentBankrupt)


def test_7_11_only_a_company_without_train_and_money_raises_any() -> None:
    s = buyer("N&E 50 5*,0,0,0 treasury=5 cash=100 at=B13")
    assert "can't raise money" in catch_refusal(s, RaiseMoney("refinance")).sentence
    s = buyer("N&E 50 5*,0,0,0 treasury=5 cash=0 trains=2F at=B13")
    assert "can't raise money" in catch_refusal(s, RaiseMoney("treasury")).sentence


@differs("money_raised_once")
def test_7_11_money_is_raised_once_a_turn(switches: dict[str, object]) -> None:
    """Differences 77: on 18xx.games as long as it does not suffice."""
    s = buyer("N&E 50 5*,0,0,0 treasury=5 cash=50 at=B13", switches=switches)
    s.operating.rescued = True
    assert (RaiseMoney("treasury") in legal(s)) is bool(switches)


@differs("refinancing_keeps_train_money")
def test_7_11_a_refinanced_company_keeps_the_money_for_its_train(switches: dict[str, object]) -> None:
    """Differences 79: £540 and £70 pay a train of £600, which leaves £10 for an option share of £50."""
    text = "N&E 100 7*,0,0,0 treasury=1 cash=70 at=B13 par=54"
    s = buyer(text, phase="E", depot={"F": 2, "H": -1}, switches=switches)
    play(s, RaiseMoney("refinance"))
    while s.operating.merging is not None and s.operating.merging.holder != COMPANY:
        play(s, Option("redeem"))
    assert (s.operating.merging is not None) is bool(switches), "only there the treasury can redeem its share"


@differs("subsidy_with_dividend")
def test_7_8_2_the_subsidy_is_paid_with_the_run(switches: dict[str, object]) -> None:
    """§7.8.5, §7.8.6: Differences 75: on 18xx.games it is paid when the dividend is."""
    s = buyer("N&E 90 5*,0,0,0 trains=2L cash=0 at=B13 permits=local", "run", tiles=LOCAL, switches=switches)
    play(s, Run("best"))
    subsidy = s.operating.subsidy
    assert subsidy > 0
    assert s.companies["N&E"].cash == (0 if switches else subsidy)
    revenue = s.operating.revenue
    play(s, Dividend("keep"))
    assert s.companies["N&E"].cash == subsidy + revenue


@differs("receiverships_run_by_rule")
def test_8_0_a_company_in_receivership_runs_the_best(switches: dict[str, object]) -> None:
    """§7.3: Differences 76: on 18xx.games the player who acts for it enters its run."""
    s = buyer("N&E 90 2,2,2,0 trains=2L cash=0 at=B13 permits=local", "run", tiles=LOCAL, switches=switches)
    events = settle(s)
    assert bool(of_kind(events, TrainsRan)) is not bool(switches)
    if switches:
        assert turn.find_actors(s) == (0,)
        assert Run("best") in legal(s)
