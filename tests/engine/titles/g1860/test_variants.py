"""Optional Rules, and what the profile of 18xx.games switches."""

import pytest

from engine.errors import RuleError
from engine.finance.events import TrainsRan
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.setup import LOBBY, Setup
from engine.titles.g1860 import TITLE, worth
from engine.titles.g1860.actions import (
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ClosePrivate,
    Exchange,
    Run,
    Sell,
    SellPrivate,
    Start,
)
from engine.titles.g1860.events import BonusEarned, PrivatesPaid
from engine.titles.g1860.state import CLOSED, State
from tests.engine.titles.g1860.positions import (
    begin_operating,
    catch_refusal,
    legal,
    of_kind,
    operating,
    play,
    step_of,
    table,
)


def on(*names: str, **values: str) -> dict[str, str]:
    return dict.fromkeys(names, "on") | values


def test_two_7_4_trains() -> None:
    """Variant: two 7+4: two 7+4 instead of one."""
    assert TITLE.deal(Setup("1860", 2, on("two_7_4"))).depot["7+4"] == 2
    assert TITLE.deal(Setup("1860", 2)).depot["7+4"] == 1


def test_no_train_limit() -> None:
    """Variant: no train limit: companies may own any number of trains."""
    s = operating(
        "cash 0 0\nIOW 5* | at 90 | 900cc | 9+5 9+5 9+5", "IOW", "train", phase="9", depot={"9+5": -1},
        options=on("no_train_limit"),
    )  # fmt: skip
    play(s, BuyTrain("9+5", "bank", 800))
    assert len(s.companies["IOW"].trains) == 4
    begin_operating(s)
    assert s.operating.step != "discard"


def test_the_original_game() -> None:
    """Variant: original game: original map, small stations not skipped; the lease is not changed by it."""
    s = TITLE.deal(Setup("1860", 2, on("original_game")))
    assert (s.board.map.name, s.rules.skip_towns, s.rules.insolvency) == ("original", False, "standard")
    with pytest.raises(RuleError) as refusal:
        TITLE.deal(Setup("1860", 2, on("original_game", map="extended")))
    assert refusal.value.rule.section == "Playing the Original Game"


LEASE = "cash 0 0\nC&N 5* | at 90 | 0cc | insolvent"


@pytest.mark.parametrize(
    ("options", "revenue", "subsidy"),
    [({}, 80, 0), ({"insolvency": "original"}, 20, 0), ({"insolvency": "simplified"}, 80, 0)],
)
def test_a_leased_2_1_pays_its_revenue(options: dict[str, str], revenue: int, subsidy: int) -> None:
    """Variant: original lease.

    Half a normal run, 30, rounded up to 10; “Variant: simplified lease”: the card's figure.
    """
    s = operating(LEASE, "C&N", "run", options=options, tiles="F2 787/0")
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert (ran.leased, ran.revenue, ran.subsidy) == ("2+1", revenue, subsidy)


def test_half_a_run_is_rounded_up_to_ten() -> None:
    """Variant: original lease: 250 and four halts give 130 + 40; the site rounds nothing."""
    for profile, revenue in (("rulebook", 30), ("18xx.games", 25)):
        options = {"insolvency": "original", "profile": profile}
        s = operating("cash 0 0\nIOW 5* | at 90 | 0cc | insolvent", "IOW", "run", options=options)
        (ran,) = of_kind(play(s, Run("best")), TrainsRan)
        assert ran.revenue == revenue


@pytest.mark.parametrize(
    ("train", "figure"),
    [("3+2", 100), ("4+2", 120), ("5+3", 140), ("6+3", 160), ("7+4", 180), ("8+4", 200), ("9+5", 220)],
)
def test_the_simplified_lease(train: str, figure: int) -> None:
    """Variant: simplified lease.

    60-51: Always 40 + 20 for each of the first number; a valid run must exist all the same; no subsidy.
    """
    depot = {train: 1, "9+5": -1}
    s = operating(LEASE, "C&N", "run", options={"insolvency": "simplified"}, tiles="F2 787/0", depot=depot)
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert (ran.revenue, ran.subsidy) == (figure, 0)
    s = table("cash 90 0\nIOW 5* | at 90 | 0cc | insolvent", options={"insolvency": "simplified"})
    told = begin_operating(s)
    play(s, Pass())
    assert not of_kind(told, TrainsRan)
    assert s.companies["IOW"].cash == 0


def test_any_order() -> None:
    """Variant: any order: any company may start, but at most one other may not have operated, or all are sold out."""
    s = table("cash 900 900", options=on("any_order"), layer=1)
    assert {start.company for start in legal(s, Start)} == set(s.companies)
    s = table("cash 900 900\nS&C 2* | par 54 | new", options=on("any_order"), layer=1)
    assert Start("VYSC", 54) in legal(s)
    s = table("cash 900 900\nS&C 2* | par 54 | new\nIOW 2* | par 74 | new", options=on("any_order"), layer=1)
    assert catch_refusal(s, Start("VYSC", 54)).rule.section == "Variant: Ignoring historical order of companies"
    s.companies["IOW"].operated = True
    assert Start("VYSC", 54) in legal(s)


def test_any_order_when_sold_out() -> None:
    """Variant: any order: no purchasable share of a started company left; reserved certificates do not count."""
    s = table(
        "cash 900 900\nprivates RPSC 1\nS&C 5* 5 | at 54 | new\nIOW 5* 4 | at 74 | new",
        options=on("any_order"),
        layer=1,
    )
    assert Start("VYSC", 54) in legal(s)
    s = table(
        "cash 900 900\nprivates RPSC closed\nS&C 5* 5 | at 54 | new\nIOW 5* 4 | at 74 | new", options=on("any_order"),
        layer=1,
    )  # fmt: skip
    assert catch_refusal(s, Start("VYSC", 54)).rule.section == "Variant: Ignoring historical order of companies"


@pytest.mark.parametrize(("line", "each"), [("at 90 | new", 90), ("par 90 | new", 90), ("at 90", 45)])
def test_full_price_before_operating(line: str, each: int) -> None:
    """Variant: full price: shares of companies that never operated sell in full; the score is unchanged."""
    s = table(f"cash 0 0\nIOW 4* 2 | {line}", turn=1, options=on("full_price"))
    assert worth.find_holding_worth(s, s.companies["IOW"], 1) == 2 * 45
    play(s, Sell("IOW", 2))
    assert s.cash[1] == 2 * each


def test_full_price_scores_in_full_on_the_site() -> None:
    """Variant: full price: 18xx.games counts them in full at the end too."""
    s = table("cash 0 0\nIOW 4* 2 | at 90 | new", options=on("full_price", profile="18xx.games"))
    assert worth.find_holding_worth(s, s.companies["IOW"], 1) == 180


LINKED = "F2 787/0, F4 742/3"
"""Cowes joined to Newport."""


def test_destinations() -> None:
    """Variant; Major Companies; Variant: Destinations: destinations.

    60-52: The first run that links home and destination earns the bonus in credits, once for each.
    """
    line = "cash 0 0\nC&N 5* | at 90 | 0cc | 3+2"
    for options, bonus in ((on("destinations"), 50), ({}, 0)):
        s = operating(line, "C&N", "run", tiles=LINKED, options=options)
        told = play(s, Run("best"))
        assert sum(event.amount for event in of_kind(told, BonusEarned)) == bonus
        assert s.companies["C&N"].cash == bonus
    s = operating(line, "C&N", "run", tiles=LINKED, options=on("destinations"))
    s.companies["C&N"].reached = ["Newport"]
    assert not of_kind(play(s, Run("best")), BonusEarned)
    s = operating(line, "C&N", "run", tiles="F2 787/0", options=on("destinations"))
    assert not of_kind(play(s, Run("best")), BonusEarned)


def test_several_runs_joined_reach_a_destination() -> None:
    """Variant: destinations: one run or several joined link home and destination."""
    s = operating(
        "cash 0 0\nC&N 5* | at 90 | 0cc | 2+1 2+1 | bases G5", "C&N", "run", tiles=LINKED, options=on("destinations")
    )
    told = play(s, Run("2+1 F2.0-F2.1; 2+1 F2.1-[F2.2]-[F4]-G5"))
    assert of_kind(told, BonusEarned) == [BonusEarned("C&N", "Newport", 50)]


def test_an_insolvent_company_gets_the_bonus_in_full() -> None:
    """Variant: destinations: beside what the lease pays."""
    s = operating(LEASE, "C&N", "run", tiles=LINKED, options=on("destinations"), depot={"4+2": 2, "9+5": -1})
    told = play(s, Run("best"))
    assert of_kind(told, BonusEarned) == [BonusEarned("C&N", "Newport", 50)]
    (ran,) = of_kind(told, TrainsRan)
    assert s.companies["C&N"].cash == ran.revenue + 50


VARIABLE = on("variable_privates")


def test_variable_private_revenue() -> None:
    """Variant: variable privates.

    Brading 10 once BHI&R floats, Yarmouth 15 once FYN ran to Newport, halves when FFC is bought.
    """
    text = "cash 0 0\nprivates BHC 0 YHC 0 CMH 1 RPSC 1\nBHI&R {} | {}\nFYN 5* | at 62 | 0cc | 2+1"
    s = table(text.format("2* .", "par 58 | new"), options=VARIABLE, tiles="B4 115/5")
    assert of_kind(begin_operating(s), PrivatesPaid) == [PrivatesPaid(0, 15), PrivatesPaid(1, 50)]
    s = table(text.format("5* .", "at 58 | new"), options=VARIABLE, tiles="B4 115/5, L6 115/1")
    s.companies["FYN"].through = ["Newport"]
    s.privates["FFC"] = 0
    assert of_kind(begin_operating(s), PrivatesPaid) == [PrivatesPaid(0, 50), PrivatesPaid(1, 25)]


def next_privates(options: dict[str, str], tiles: str) -> tuple[list[str], list[PrivatesPaid]]:
    """Let FYN run at best, play on to the next operating round; return where it got to and what privates pay there."""
    s = operating(
        "cash 0 0\nprivates YHC 0 CMH 1\nFYN 5* | at 62 | 900cc | 3+2", "FYN", "run", tiles=tiles, options=options,
        rounds=(1, 2), depot={"3+2": 2, "9+5": -1},
    )  # fmt: skip
    told = play(s, Run("best"))
    assert of_kind(told, TrainsRan)
    while s.operating.number == 1:
        told = play(s, *(legal(s, Pass) or legal(s))[:1])
    return s.companies["FYN"].through, of_kind(told, PrivatesPaid)


def test_yarmouth_pays_more_once_fyn_has_run_to_newport() -> None:
    """Variant: variable privates.

    The run itself does it, without the bonuses of “Variant: destinations”; a run to Freshwater does not.
    """
    line = "B4 115/5, C5 743/2, D6 742/2, E5 743/1, F4 742/5"
    freshwater = "B4 57/0, B6 115/3"
    assert next_privates(VARIABLE, line) == (["Newport"], [PrivatesPaid(0, 15), PrivatesPaid(1, 20)])
    assert next_privates({}, line) == ([], [PrivatesPaid(0, 10), PrivatesPaid(1, 20)])
    assert next_privates(VARIABLE, freshwater) == ([], [PrivatesPaid(0, 10), PrivatesPaid(1, 20)])


def test_half_the_revenue_for_good() -> None:
    """Variant: variable privates.

    Ryde and Cowes stay at half when the Fishbourne Ferry that was bought is closed again.
    """
    s = table("cash 0 0\nprivates CMH 1 RPSC 1 FFC 0\nIOW 5* | at 82 | 9cc | 2+1", options=VARIABLE, phase="6")
    play(s, ClosePrivate("FFC"))
    assert of_kind(begin_operating(s), PrivatesPaid) == [PrivatesPaid(1, 25)]


def test_variable_privates_are_neither_sold_nor_exchanged() -> None:
    """Variant: variable privates.

    60-53: They may be closed, free, on the owner's turn: no revenue, no certificate, face value at the end.
    """
    s = table("cash 900 0\nprivates RPSC 0\nIOW 4* 5 | at 82 | 2+1", options=VARIABLE)
    assert catch_refusal(s, SellPrivate("RPSC")).rule.section == "Variant: Variable revenue for private companies"
    assert catch_refusal(s, Exchange("RPSC")).rule.section == "Variant: Variable revenue for private companies"
    before = (s.count_certificates(0), worth.find_total(s, 0))
    play(s, ClosePrivate("RPSC"))
    assert s.stock.turn == 0
    assert (s.count_certificates(0), worth.find_total(s, 0)) == (before[0] - 1, before[1])
    assert s.privates["RPSC"] == CLOSED
    assert BuyShare("IOW", "ipo") in legal(s), "the certificate is free"
    assert not of_kind(begin_operating(s), PrivatesPaid)


def test_fishbourne_closes_nothing_with_variable_revenue() -> None:
    """Variant: variable privates: FFC closes no other and is not sold back."""
    s = table("cash 900 0\nprivates RPSC 1\nIOW 4* 5 | at 82 | 2+1", options=VARIABLE, phase="6")
    play(s, BuyPrivate("FFC"))
    assert s.privates["RPSC"] == 1
    s.stock.turn = 0
    assert catch_refusal(s, SellPrivate("FFC"), 0).rule.section == "Variant: Variable revenue for private companies"


def make_accelerated(options: dict[str, str] | None = None, tiles: str = "") -> State:
    return operating(
        "cash 0 0\nIOW 5* | at 90 | 600cc | 9+5", "IOW", "track", tiles="J4 5/1, I5 742/2" + tiles, phase="5",
        options=options if options is not None else on("accelerated_track"),
    )  # fmt: skip


def test_accelerated_track() -> None:
    """Variant: accelerated track: one yellow and one upgrade in a turn, both without a city, on different hexes."""
    s = make_accelerated()
    upgrade = next(lay for lay in legal(s, LayTile) if lay.hex == "I5")
    play(s, upgrade)
    assert s.operating.step == "track"
    lays = legal(s, LayTile)
    assert lays
    assert all(lay.hex != "I5" and lay.hex not in s.board.laid for lay in lays)
    city = next((lay for lay in legal(make_accelerated(), LayTile) if lay.hex == "J4"), None)
    assert city
    assert catch_refusal(s, city).rule.section == "Variant: Accelerated Track Development"
    play(s, lays[0])
    assert step_of(s) == "base"
    s = make_accelerated(tiles=", H4 744/2")
    play(s, LayTile("I5", "748", 2))
    assert {lay.hex for lay in legal(s, LayTile)} == {"G3"}
    assert catch_refusal(s, LayTile("H4", "754", 2)).sentence == "Only one tile can be upgraded in a turn."


def test_accelerated_track_in_the_other_order() -> None:
    """Variant: accelerated track: the tile just laid may not be upgraded; a city tile is the only one."""
    s = make_accelerated()
    yellow = next(lay for lay in legal(s, LayTile) if lay.hex not in ("I5", "J4", "I3", "J6"))
    play(s, yellow)
    lays = legal(s, LayTile)
    assert any(lay.hex == "I5" for lay in lays)
    assert all(lay.hex != yellow.hex for lay in lays)
    s = make_accelerated()
    play(s, next(lay for lay in legal(s, LayTile) if lay.hex in ("J4", "I3")))
    assert s.operating.step == "base"
    s = make_accelerated({})
    play(s, next(lay for lay in legal(s, LayTile) if lay.hex == "I5"))
    assert s.operating.step == "base", "one upgrade is all without the variant"


def test_open_treasuries_is_the_default() -> None:
    """Variant: open treasuries: open to all, unless the table hides them (Secrets)."""
    assert TITLE.deal(Setup("1860", 2)).rules.open_treasuries
    assert not TITLE.deal(Setup("1860", 2, {"treasuries": "hidden"})).rules.open_treasuries


def test_re_entering_hexes() -> None:
    """Option: re-enter hexes: off by default, on only by choice."""
    assert not TITLE.deal(Setup("1860", 2)).rules.re_enter
    assert TITLE.deal(Setup("1860", 2, on("re_enter"))).rules.re_enter


@pytest.mark.parametrize("options", [{"edition": "third"}, {"colour": "red"}, {"insolvency": "both"}, {"map": ""}])
def test_unknown_options_are_refused(options: dict[str, str]) -> None:
    """Options that exclude each other.

    An option or value that is none; “Variant: original lease” with “Variant: simplified lease” cannot even be
    said.
    """
    with pytest.raises(RuleError) as refusal:
        TITLE.deal(Setup("1860", 2, options))
    assert refusal.value.rule == LOBBY


def test_every_option_can_be_chosen() -> None:
    """Options that exclude each other: each value of each option deals a game, alone."""
    for option in TITLE.options:
        for value, words in option.values:
            assert words
            assert TITLE.deal(Setup("1860", 3, {option.name: value}))


def test_the_site_lets_a_company_pass_with_exactly_the_price() -> None:
    """“A train must be bought” in the profile of 18xx.games.

    Cash must be more than the price; the rulebook: as much.
    """
    text = "cash 90 0\nIOW 5* | at 90 | 250cc"
    assert catch_refusal(operating(text, "IOW", "train"), Pass()).rule.section == "Insolvency"
    s = operating(text, "IOW", "train", options={"profile": "18xx.games"})
    assert Pass() in legal(s)


def test_the_site_never_hurries_a_simplified_lease() -> None:
    """“Variant: simplified lease” has no effect on 18xx.games."""
    options = {"insolvency": "simplified", "profile": "18xx.games"}
    s = operating(LEASE, "C&N", "run", options=options, tiles="F2 787/0", depot={"9+5": -1})
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert ran.revenue < 220


def test_towns_may_be_skipped_or_not() -> None:
    """Variant: original game; First edition: small stations: on either map by an option of its own."""
    assert not TITLE.deal(Setup("1860", 2, on("no_skip_towns"))).rules.skip_towns
    assert TITLE.deal(Setup("1860", 2, on("no_skip_towns"))).board.map.name == "extended"
