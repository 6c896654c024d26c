"""Situations that players disputed, 60-1 to 60-30, read as docs/situations.md tells."""

import pytest

from engine import Setup
from engine.finance.events import PriceMoved, TrainsRan
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.titles.g1860 import TITLE, worth
from engine.titles.g1860.actions import (
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Dividend,
    Exchange,
    Run,
    Sell,
    SellPrivate,
    Start,
)
from engine.titles.g1860.events import BonusEarned, InsolvencyBegan, InsolvencyEnded, WentBankrupt
from engine.titles.g1860.state import Operating, Stock
from engine.titles.g1860.steps import building, running
from engine.titles.g1860.steps.privates import find_private_revenue
from tests.engine.titles.g1860.positions import (
    ROUTE,
    begin_operating,
    catch_refusal,
    legal,
    of_kind,
    operating,
    play,
    settle,
    table,
)

SITE = {"profile": "18xx.games"}


def test_60_1_no_upgrade_without_a_train() -> None:
    """60-1: a company without a train may not upgrade."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 600cc", "IOW", "track", phase="3")
    assert {s.board.tile(lay.hex).colour for lay in legal(s, LayTile)} <= {"plain"}
    assert catch_refusal(s, LayTile("I3", "758", 0)).rule.section == "Upgrading Track"


def test_60_2_must_buy_without_a_route() -> None:
    """60-2: it must buy if it can, route or no route; only insolvency needs one."""
    s = operating("cash 0 0\nS&C 5* | at 54 | 250cc", "S&C", "train", tiles="F12 6/2")
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"


def test_60_3_trainless_poor_with_a_route() -> None:
    """60-3: insolvent; it leases the next train from the bank and keeps the money."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 9cc\nC&N . 5* | at 50 | 9cc | 2+1", "IOW", "train")
    assert of_kind(settle(s), InsolvencyBegan)
    s = operating("cash 0 0\nIOW 5* | at 90 | 9cc | insolvent\nC&N . 5* | at 50 | 9cc | 2+1", "IOW", "run")
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert ran.leased == "2+1"
    assert s.companies["IOW"].cash == 9 + ran.revenue


def test_60_4_cash_for_a_train_at_the_start_of_the_run() -> None:
    """60-4: no lease, and it must buy later."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 250cc | insolvent", "IOW", "run")
    told = settle(s)
    assert not of_kind(told, TrainsRan)
    assert catch_refusal(s, Pass()).rule.section == "Insolvency"


@pytest.mark.parametrize(("options", "kept"), [({}, False), (SITE, True)])
def test_60_5_insolvency_and_bankruptcy(options: dict[str, str], kept: bool) -> None:
    """Refloated without a train: 60-5: the marker goes with bankruptcy by the rulebook; 18xx.games keeps it."""
    s = operating("cash 0 0\nIOW 5* | at 7 | 0cc | insolvent", "IOW", "run", options=options)
    play(s, Run("best"))
    assert s.companies["IOW"].bankrupt
    assert s.companies["IOW"].insolvent is kept


def test_60_6_insolvency_ends_at_once() -> None:
    """60-6: with the train; no lease in the next OR."""
    s = operating("cash 300 0\nIOW 5* . | at 90 | 300cc | insolvent", "IOW", "train", rounds=(1, 2))
    assert of_kind(play(s, BuyTrain("2+1", "bank", 250)), InsolvencyEnded)
    while s.operating.step != "run":
        play(s, Pass())
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert ran.leased == ""


def test_60_7_bankrupt_in_the_middle_of_a_round() -> None:
    """60-7: the OR goes on with the next company."""
    s = operating("cash 90 0\nIOW 5* | at 14 | 0cc | 2+1\nC&N . 5* | at 7 | 9cc | 2+1", "IOW", "dividend", revenue=50)
    play(s, Dividend("keep"))
    assert s.operating.code == "C&N"


def test_60_8_receivership_without_train_and_route() -> None:
    """60-8: it does nothing, the price drops, maybe to bankruptcy."""
    for price, after in ((90, 82), (14, 0)):
        s = table(f"cash 90 0\nIOW 1 . | pool 2* | at {price} | 9cc\nC&N . 5* | at 7 | 9cc | 2+1", tiles="")
        told = begin_operating(s)
        assert of_kind(told, PriceMoved)[0] == PriceMoved("IOW", price, after)
        assert bool(of_kind(told, WentBankrupt)) is (after == 0)
        assert s.operating.code == "C&N"


def test_60_9_receivership() -> None:
    """60-9: no track, no base, no train beside one; runs the most and keeps; leases at once."""
    s = table("cash 90 0\nIOW 1 . | pool 2* | at 90 | 900cc | 2+1\nC&N . 5* | at 50 | 9cc | 2+1", tiles=ROUTE)
    told = begin_operating(s)
    assert [type(event).__name__ for event in told if getattr(event, "company", "") == "IOW"] == [
        "TurnBegan", "TrainsRan", "RevenueKept", "PriceMoved",
    ]  # fmt: skip


def test_60_10_bankrupt_in_a_stock_round() -> None:
    """60-10; Bankrupt Companies: a new SR at once; the company may start in it; what was sold may be bought again."""
    s = table("cash 400 400\nIOW 2* 5 | at 14 | 2+1\nC&N 2* 3 | at 82 | 2+1", turn=1)
    play(s, Sell("C&N", 1), Sell("IOW", 5))
    assert isinstance(s.round, Stock)
    s.stock.turn = 1
    found = legal(s)
    assert Start("IOW", 40) in found
    assert BuyShare("C&N", "pool") in found


def test_60_11_the_deal_after_bankruptcy() -> None:
    """60-11: fewest shares, not certificates; ties from the holder, who has had the card all round."""
    s = table("cash 400 400 400\nIOW . 5 2* | at 14 | 2+1\nC&N 2* . . | at 82 | 2+1\nFYN . . 3* | at 68 | 2+1", turn=2)
    play(s, Pass(), Pass(), Sell("IOW", 5), seat=None)
    assert s.priority == 1


def test_60_12_bankruptcy_is_a_stop_for_all() -> None:
    """60-12: standing orders are the bot's; the fact that ends them is told."""
    s = table("cash 400 400\nIOW 2* 5 | at 14 | 2+1", turn=1)
    assert of_kind(play(s, Sell("IOW", 5)), WentBankrupt) == [WentBankrupt("IOW")]


def test_60_13_flipped_bases() -> None:
    """60-13; Bankrupt Companies: they block track and bases, not runs, and are turned back on flotation."""
    line = "cash 0 0\nC&N 5* | at 82 | 50cc | 3+2\n{} | bases J4"
    s = table(line.format("IOW | bankrupt"), tiles=ROUTE)
    assert [token.flipped for token in building.find_bases(s)["J4", 0]] == [True]
    assert ("J4", 0) not in running.make_problem(s, s.companies["C&N"], ["3+2"]).bases
    s = table(line.format("IOW . 5* | at 44"), tiles=ROUTE)
    assert [token.flipped for token in building.find_bases(s)["J4", 0]] == [False]
    assert ("J4", 0) in running.make_problem(s, s.companies["C&N"], ["3+2"]).bases


def test_60_14_par_after_bankruptcy() -> None:
    """60-14: 40 to the top of its range; it keeps trains, cash and bases."""
    s = table("cash 400 400\nFYN | bankrupt | 33cc | 3+2 | bases C5")
    pars = [start.par for start in legal(s, Start) if start.company == "FYN"]
    assert (pars[0], pars[-1]) == (40, 82)
    play(s, Start("FYN", 40))
    assert (s.companies["FYN"].cash, s.companies["FYN"].trains) == (33, ["3+2"])


def test_60_15_the_lease() -> None:
    """60-15.

    40 + 20 a stop in both editions (First edition: the rest); half of a normal run is variant “Variant: original
    lease”.
    """
    for options, revenue in (({}, 80), ({"edition": "first"}, 80), ({"insolvency": "original"}, 30)):
        s = operating("cash 0 0\nIOW 5* | at 90 | 9cc | insolvent", "IOW", "run", options=options)
        (ran,) = of_kind(play(s, Run("best")), TrainsRan)
        assert ran.revenue == revenue


@pytest.mark.parametrize(("train", "pays"), [("4+2", 120), ("5+3", 140), ("6+3", 160), ("7+4", 180), ("8+4", 200)])
def test_60_16_the_simplified_lease(train: str, pays: int) -> None:
    """60-16: the figure of the card, no subsidies."""
    s = operating(
        "cash 0 0\nIOW 5* | at 90 | 9cc | insolvent", "IOW", "run", options={"insolvency": "simplified"},
        depot={train: 1, "9+5": -1},
    )  # fmt: skip
    (ran,) = of_kind(play(s, Run("best")), TrainsRan)
    assert (ran.revenue, ran.subsidy) == (pays, 0)


def test_60_17_selling_at_7_after_the_8_4() -> None:
    """60-17: no fall any more, so no bankruptcy."""
    s = table("cash 0 0\nIOW 4* 3 | at 7 | 8+4", turn=1, phase="8")
    assert not of_kind(play(s, Sell("IOW", 3)), WentBankrupt)
    assert s.companies["IOW"].price == 7


def test_60_33_an_exchange_waits_until_the_company_floats_again() -> None:
    """60-33: the new par of a bankrupt company makes none possible."""
    s = table("cash 400 400\nprivates BHC 1\nBHI&R 4* . | par 40 | bankrupt", turn=1)
    assert catch_refusal(s, Exchange("BHC")).rule.section == "Exchanging Private Companies"
    waits = "a private company can't be exchanged until its bankrupt railway has floated again"
    assert TITLE.words.ask(s).readings == (f"This table reads: {waits} (Exchanging Private Companies, 60-33).",)
    play(s, BuyShare("BHI&R", "ipo"))
    assert TITLE.words.ask(s).readings == ()
    assert Exchange("BHC") in legal(s)


def test_60_18_par_then_exchange() -> None:
    """60-18: in the same turn."""
    s = table("cash 400 400\nprivates BHC 0")
    play(s, Start("BHI&R", 58), Exchange("BHC"))
    assert s.companies["BHI&R"].shares == [3, 0]


@pytest.mark.parametrize(("options", "built"), [({}, False), (SITE, True)])
def test_60_19_nationalised_without_a_stock_round(options: dict[str, str], built: bool) -> None:
    """Nationalised rounds: 60-19: building stops with the first nationalisation OR; 18xx.games goes on."""
    s = operating(
        "cash 0 0\nIOW 5* | at 90 | 900cc | 9+5\nC&N . 5* | at 82 | 900cc | 9+5\nFYN 5* | at 62 | 9+5", "FYN", "end",
        tiles="J4 5/1, F2 787/0, B4 115/5", phase="9", depot={"9+5": -1}, formed=True, rounds=(1, 3), options=options,
    )  # fmt: skip
    settle(s)
    assert s.nationalised
    assert (s.operating.step == "track") is built
    assert running.make_problem(s, s.companies["IOW"], ["9+5"]).rules.halts is built


def test_60_20_no_home_after_the_southern_stop() -> None:
    """60-20: neither home tile nor home base."""
    s = table("cash 400 400\nFYN 4* . | par 62 | new", formed=True, stopped=True, phase="9")
    play(s, BuyShare("FYN", "ipo"))
    assert s.companies["FYN"].bases == []
    assert s.stock.homes == []


def test_60_21_n_plus_m_runs_as_n() -> None:
    """60-21: after nationalisation the first number is all."""
    s = table("cash 0 0\nIOW 5* | at 90 | 2+1", nationalised=True, stopped=True, phase="9")
    assert running.make_problem(s, s.companies["IOW"], ["2+1"]).rules.one_number


def test_60_22_two_flotations_in_a_round() -> None:
    """60-22: both directors lay their home tile."""
    s = table("cash 500 500\nFYN 4* | par 62 | new\nC&N . 4* | par 74 | new")
    play(s, BuyShare("FYN", "ipo"))
    play(s, legal(s, LayTile)[0])
    play(s, BuyShare("C&N", "ipo"))
    play(s, legal(s, LayTile)[0])
    assert set(s.board.laid) == {"B4", "F2"}


def test_60_23_the_home_tile_of_cowes() -> None:
    """60-23: more than one rotation fits."""
    s = table("cash 500 500\nC&N 4* | par 74 | new")
    play(s, BuyShare("C&N", "ipo"))
    assert legal(s) == [LayTile("F2", "787", 0), LayTile("F2", "787", 1)]


def test_60_24_halts_instead_of_towns() -> None:
    """60-24: every city on the way; the director trades a town for a halt's 10cc."""
    s = operating("cash 0 0\nC&N 5* | at 90 | 0cc | 2+1", "C&N", "run", tiles="F2 787/0, F4 742/3")
    found = set()
    for plan in ("2+1 F2.0-[F2.1]-F2.2-[F4]-G5", "2+1 F2.0-F2.1-[F2.2]-[F4]-G5", "2+1 F2.0-[F2.1]-[F2.2]-F4-G5"):
        outcome = TITLE.check(s, 0, Run(plan)).plan.plan
        found.add((outcome.revenue, outcome.subsidy))
    assert found == {(50, 10), (60, 0)}
    assert catch_refusal(s, Run("2+1 F2.0-F2.1-F2.2-[F4]-G5")).rule.section == "Running Trains"


def test_60_25_the_first_deal() -> None:
    """60-25: most cash; tie: lowest total face value among owners of a private."""
    s = TITLE.deal(Setup("1860", 3))
    s.auction.lots = []
    s.cash = [100, 100, 100]
    s.privates |= {"BHC": 2, "RPSC": 1}
    settle(s)
    assert s.priority == 2


def test_60_26_full_price_before_operating() -> None:
    """60-26: shares of companies that have not operated sell in full."""
    s = table("cash 0 0\nIOW 4* 2 | at 90 | new", turn=1, options={"full_price": "on"})
    play(s, Sell("IOW", 2))
    assert s.cash[1] == 180


def test_60_27_the_worth_of_trainless_shares() -> None:
    """60-27: half, in the worth that players see as well."""
    s = table("cash 0 0\nIOW 4* 2 | at 90")
    assert worth.find_total(s, 1) == 90
    s.companies["IOW"].trains = ["2+1"]
    assert worth.find_total(s, 1) == 180


def test_60_28_privates_on_offer() -> None:
    """60-28: those sold to the bank, and Fishbourne from phase 6 on; one's own may be sold from SR 2 on."""
    s = table("cash 500 500\nprivates BHC 0 YHC 1 CMH bank RPSC closed\nIOW 2* 2 | at 90", phase="5")
    assert legal(s, BuyPrivate) == [BuyPrivate("CMH")]
    assert legal(s, SellPrivate) == [SellPrivate("BHC")]
    s.phase = "6"
    assert legal(s, BuyPrivate) == [BuyPrivate("CMH"), BuyPrivate("FFC")]
    s.turn = 1
    assert legal(s, SellPrivate) == []


def test_60_29_jumps_over_several_spaces() -> None:
    """60-29: the fact tells where the price came from and where it went."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 2+1", "IOW", "dividend", revenue=360)
    told = play(s, Dividend("pay"))
    assert of_kind(told, PriceMoved) == [PriceMoved("IOW", 90, 134)]
    sentence = TITLE.words.say(PriceMoved("IOW", 90, 134), ("Ann", "Bob"))
    assert "90" in sentence
    assert "134" in sentence


def test_60_30_no_route_no_run() -> None:
    """60-30: a company with a train and no route is not asked to run."""
    s = table("cash 90 0\nIOW 5* . | at 90 | 9cc | 2+1\nC&N . 5* | at 50 | 9cc | 2+1")
    begin_operating(s)
    told = play(s, Pass())
    assert not of_kind(told, TrainsRan)
    assert isinstance(s.round, Operating)
    assert s.operating.code == "C&N"


YARMOUTH_LINE = "B4 115/5, C5 743/2, C5 749/2, D6 742/2, E5 743/1, F4 742/5"
"""Yarmouth joined to Newport."""


@pytest.mark.parametrize(
    ("trains", "plan", "pays"),
    [
        ("2+1 2+1", "2+1 B4-C5; 2+1 C5-[D6]-[E5]-[F4]-G5", 10),
        ("3+2", "3+2 B4-C5-[D6]-[E5]-[F4]-G5", 15),
    ],
)
def test_60_31_one_train_from_yarmouth_to_newport(trains: str, plan: str, pays: int) -> None:
    """60-31.

    “Variant: variable privates” speaks of a train; “Variant: destinations” lets several joined runs reach a
    destination.
    """
    options = {"variable_privates": "on", "destinations": "on"}
    text = f"cash 0 0\nprivates YHC 0\nFYN 5* | at 62 | 0cc | {trains} | bases G5"
    s = operating(text, "FYN", "run", tiles=YARMOUTH_LINE, options=options)
    told = play(s, Run(plan))
    assert of_kind(told, BonusEarned) == [BonusEarned("FYN", "Newport", 200)], "both reach the destination"
    assert find_private_revenue(s, "YHC") == pays


def test_60_32_a_company_that_floats_after_building_has_stopped() -> None:
    """60-32: without home and train it holds up nationalisation, but not for ever.

    It earns nothing, so its price falls two spaces in every operating round, down to bankruptcy, and a bankrupt
    company has no director.
    """
    s = table(
        "cash 700 900\nIOW 5* . | at 90 | 9cc | 9+5\nC&N . 5* | at 82 | 9cc | 9+5\nVYSC 2* 2 | par 54 | new",
        tiles="J4 5/1", phase="9", depot={"9+5": -1}, formed=True, stopped=True,
    )  # fmt: skip
    play(s, BuyShare("VYSC", "ipo"))
    company = s.companies["VYSC"]
    assert (company.floated, company.bases, company.trains) == (True, [], [])
    rounds = 0
    while not s.nationalised:
        assert company.running, "it is what holds up nationalisation"
        before, rounds = company.price, rounds + 1
        while s.name.startswith("SR"):
            play(s, Pass())
        while s.name.startswith("OR") and not s.nationalised:
            moves = legal(s)
            play(s, Pass() if Pass() in moves else moves[0])
        assert company.price < before or company.bankrupt
        assert rounds < 12
    assert company.bankrupt
