"""Where 18xx.games plays otherwise: what the rulebook says, and what the profile 18xx.games does."""

import pytest

from engine.finance.rounds import Pass
from engine.interop.g1860 import trace as trace_1860
from engine.interop.g1860.writer import Writer
from engine.titles.g1860 import trace
from engine.titles.g1860.actions import BuyPrivate, BuyShare, BuyTrain, Dividend, Exchange, Run, Sell, Start
from engine.titles.g1860.catalogue import PRIVATES, load_map
from engine.titles.g1860.events import InsolvencyEnded
from engine.titles.g1860.rounds import stock as rounds
from engine.titles.g1860.state import CLOSED
from engine.titles.g1860.steps import building
from engine.titles.g1860.trace import Arrival, Fleet
from tests.engine.titles.g1860.ground import fleet_of, on_hex, survey
from tests.engine.titles.g1860.positions import catch_refusal, legal, of_kind, operating, play, table
from tests.support.sure import as_a

SITE = {"profile": "18xx.games"}
COWES_LINE = "F2 787, F4 742/3"


def test_a_train_may_stand_idle_on_18xx_games() -> None:
    """Trains must run: every train that can run must; 18xx.games wants one run (differences 73)."""
    text = "cash 0 0\nC&N 5* | at 90 | 9cc | 2+1 2+1 | bases G5"
    one, none = Run("2+1 F2.0-F2.1"), Run("none")
    assert catch_refusal(operating(text, "C&N", "run", tiles=COWES_LINE), one).rule.section == "Running Trains"
    s = operating(text, "C&N", "run", tiles=COWES_LINE, options=SITE)
    catch_refusal(s, none)
    play(s, one)
    assert s.operating.revenue == 30


@pytest.mark.parametrize(("options", "told"), [({}, False), (SITE, True)])
def test_receivership_before_it_floats(options: dict[str, str], told: bool) -> None:
    """Receivership.

    Only a floated company is in receivership; 18xx.games says so of every other too (differences 74).
    """
    s = table("cash 0 0\nIOW 1 1 | pool 2* | par 82", options=options)
    companies = as_a(dict, trace_1860.dump_state(s, ("a", "b"))["companies"])
    assert companies["IOW"]["receivership"] is told


def test_the_directors_certificate_is_sold_from_the_pool_on_18xx_games() -> None:
    """Out of receivership.

    No one buys it; 18xx.games swaps it for a share and the price of another (differences 75).
    """
    text = "cash 164 81\nIOW 1 . | pool 2* | par 82 at 82 | 2+1"
    s = table(text)
    assert catch_refusal(s, BuyShare("IOW", "pool")).rule.section == "Companies In Receivership"
    s = table(text, options=SITE)
    play(s, BuyShare("IOW", "pool"))
    company = s.companies["IOW"]
    assert (company.director, company.shares, company.pool, s.cash[0]) == (0, [2, 0], 1, 82)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cash 163 81\nIOW 1 . | pool 2* | par 82 at 82 | 2+1", "money for two shares"),
        ("cash 900 81\nIOW . 1 | pool 2* | par 82 at 82 | 2+1", "a share to give for it"),
    ],
)
def test_conditions_for_swapping_the_directors_certificate(text: str, why: str) -> None:
    """Differences 75: it needs money for two shares and a share to give."""
    assert catch_refusal(table(text, options=SITE), BuyShare("IOW", "pool")), why


@pytest.mark.parametrize(("options", "asked"), [({}, 0), (SITE, 1)])
def test_a_player_with_nothing_but_an_exchange_is_passed_over_on_18xx_games(
    options: dict[str, str], asked: int
) -> None:
    """Exchange: an exchange is something to do; 18xx.games waits for no one's exchange (differences 69)."""
    s = table("cash 0 20\nprivates RPSC 0\nIOW . 5* | at 82 | 2+1", number=1, options=options)
    begin = table("cash 0 20\nprivates RPSC 0\nIOW . 5* | at 82 | 2+1", number=1, options=options, turn=1)
    play(begin, Pass())
    if asked:
        assert begin.name.startswith("OR"), "seat 0 was passed by too"
    else:
        assert begin.stock.turn == 0
    assert Exchange("RPSC") in legal(s, Exchange) or asked


def test_a_player_out_of_turn_may_exchange_on_18xx_games() -> None:
    """Differences 9: who is passed by exchanges in another's turn."""
    s = table("cash 0 20\nprivates RPSC 0\nIOW . 5* | at 82 | 2+1", number=1, options=SITE, turn=1)
    play(s, Exchange("RPSC"), seat=0)
    assert s.companies["IOW"].shares == [1, 5]


@pytest.mark.parametrize(("version", "waits"), [(2, False), (3, False), (4, True)])
def test_an_exchange_out_of_turn_waits_for_a_home_tile(version: int, *, waits: bool) -> None:
    """Differences 9: on 18xx.games too, a home tile comes first; by older versions of the rules it didn't."""
    text = "cash 0 20\nprivates RPSC 0\nIOW . 5* | at 82 | 2+1\nFYN . 5* | at 82"
    s = table(text, number=1, options=SITE, turn=1, version=version)
    s.stock.homes = ["FYN"]
    if waits:
        assert catch_refusal(s, Exchange("RPSC"), seat=0).sentence == "It's not your turn."
    else:
        play(s, Exchange("RPSC"), seat=0)
        assert s.companies["IOW"].shares == [1, 5]


@pytest.mark.parametrize(("options", "waits"), [({}, False), (SITE, True)])
def test_18xx_games_waits_for_a_player_who_cannot_pay_for_a_private(options: dict[str, str], waits: bool) -> None:
    """A stock turn.

    No one is asked who can do nothing; 18xx.games does not look at a private's price (differences 76).
    """
    s = table("cash 1 107\nprivates CMH bank", options=options, turn=1, layer=1)
    play(s, Pass())
    assert (s.name == "SR 2") is waits


@pytest.mark.parametrize(("options", "waits"), [({}, False), (SITE, True)])
def test_the_turn_continues_after_a_private_is_bought_on_18xx_games(options: dict[str, str], waits: bool) -> None:
    """Exchange: a turn goes on for an exchange only; 18xx.games waits for a pass from phase 6 on (differences 9)."""
    s = table("cash 300 300\nprivates CMH bank", options=options, phase="6")
    play(s, BuyPrivate("CMH"))
    assert (s.stock.turn == 0) is waits


def test_the_turn_ends_with_the_exchange_that_a_start_made_possible() -> None:
    """Exchange: on either side the turn that started the company ends with the exchange."""
    for options in ({}, SITE):
        s = table("cash 300 300\nprivates RPSC 0", options=options, phase="6")
        play(s, Start("IOW", 74), Exchange("RPSC"))
        assert s.stock.turn == 1


@pytest.mark.parametrize(("options", "during"), [({}, False), (SITE, True)])
def test_a_company_stays_insolvent_until_its_turn_ends_on_18xx_games(options: dict[str, str], during: bool) -> None:
    """Buying out of insolvency.

    A company with a train is not insolvent; 18xx.games notes that at the end of its turn (differences 48).
    """
    text = "cash 0 0\nIOW 5* | at 90 | 40cc | insolvent\nC&N 5* | at 50 | 9cc | 2+1 2+1 2+1"
    s = operating(text, "IOW", "train", options=options)
    play(s, BuyTrain("2+1", "C&N", 10))
    assert s.companies["IOW"].insolvent is during
    told = play(s, Pass())
    assert bool(of_kind(told, InsolvencyEnded)) is during
    assert not s.companies["IOW"].insolvent


def test_towns_take_no_city_place_on_the_way_to_an_upgrade_on_18xx_games() -> None:
    """First edition: small stations.

    A town that is not skipped takes an unused city allowance; on 18xx.games not here (differences 70).
    """
    line = "F2 787, F4 742/1, F4 748/1, E5 743/1, E5 749/1, D6 742/4"
    assert "750" in on_hex(survey(line, "C&N F2", fleet_of("2+2", skip_towns=False)), "D6"), "a city and three towns"
    there = Fleet(((2, 2),), skip_towns=False, apart=True)
    assert "750" not in on_hex(survey(line, "C&N F2", fleet=there), "D6")


def test_cities_and_towns_are_counted_by_separate_ways_on_18xx_games() -> None:
    """A train must reach it: a train gets to Cowes by one way; on 18xx.games by the best of two ways (differences 70).

    The town is three cities and three towns away by one side, two and four by the other: too far for a 4+2.
    """
    tile = load_map("extended").manifest.find_turned("789", 0)
    arrivals = (Arrival(0, 2, 4), Arrival(1, 3, 3))
    _, stops = trace.find_usable(tile, arrivals, (), (), Fleet(((4, 2),), skip_towns=False))
    assert stops == {2}, "the halt counts nothing"
    there = Fleet(((4, 2),), skip_towns=False, apart=True)
    _, stops = trace.find_usable_apart(tile, arrivals, (), (), there)
    assert stops == {1, 2}


def test_a_way_that_comes_twice_comes_over_the_new_tile_on_18xx_games() -> None:
    """A train must reach it; differences 24: from I9 to Brading and back to its halt, past the town that is new.

    With 754 a way counts that town before it is at Brading, or at the halt. So no train that counts one
    stop gets to the halt, as one could on the tile that lies there, which has two halts.
    """
    one_stop = Fleet(((1, 0),), skip_towns=False, re_enter=True, apart=True)
    of = survey("I9 115/3, I7 745/4, J6 746/1", "IWNJ I9", one_stop)
    assert on_hex(of, "I7") == {}
    past_one = Fleet(((1, 1),), skip_towns=False, re_enter=True, apart=True)
    assert "754" in on_hex(survey("I9 115/3, I7 745/4, J6 746/1", "IWNJ I9", past_one), "I7")


def test_a_way_begins_with_nothing_counted_on_18xx_games() -> None:
    """A train must reach it.

    A train that counts one city gets onto all track of the city its company has a base in, and no further.
    """
    tile = load_map("extended").manifest.find_turned("57", 0)
    pieces, stops = trace.find_usable_apart(tile, (), (0,), (), Fleet(((1, 0),), apart=True))
    assert (len(pieces), stops) == (2, frozenset({0}))
    pieces, stops = trace.find_usable_apart(tile, (Arrival(0, 1, 0),), (), (), Fleet(((1, 0),), apart=True))
    assert (len(pieces), stops) == (1, frozenset())


def test_a_station_newly_in_reach_counts_as_dearer_on_18xx_games() -> None:
    """An upgrade must be of use: a dearer station or new track; 18xx.games compares what is in reach (differences 85).

    C5 is three towns from Cowes, too far for the second number to get onto its new track.
    """
    line = "F2 787/1, E3 7/4, F4 747/1, E5 753/0, D4 7/5, D6 752/0, C7 767/2, C5 749/1"
    there = Fleet(((4, 2),), skip_towns=False, apart=True)
    assert "767" in on_hex(survey(line, "C&N F2", fleet=there, raises_station=False), "C5")
    assert "767" not in on_hex(survey(line, "C&N F2", fleet=there), "C5")
    near = Fleet(((1, 1),), skip_towns=False, apart=True)
    assert not on_hex(survey(line, "C&N F2", fleet=near, raises_station=False), "C5")


@pytest.mark.parametrize("options", [{}, SITE])
def test_each_profile_counts_towns_in_its_way(options: dict[str, str]) -> None:
    """Differences 70: the switch is that of the profile."""
    s = table("cash 0 0\nC&N 5* | at 90 | 2+2", options=options)
    assert building.make_fleet(s, ((2, 2),)).apart is bool(options)


@pytest.mark.parametrize(("options", "operated"), [({}, False), (SITE, True)])
def test_a_company_has_operated_from_its_dividend_on_18xx_games(options: dict[str, str], operated: bool) -> None:
    """Sales after a bankruptcy.

    A company has operated after its turn; for 18xx.games, and for worth there, after its dividend (17).
    """
    text = "cash 0 0\nIOW 5* | at 90 | 900cc | 2+1 | new\nC&N . 5* | at 50 | 9cc | 2+1"
    s = operating(text, "IOW", "dividend", revenue=50, options=options)
    play(s, Dividend("pay"))
    assert s.operating.step == "train"
    assert s.companies["IOW"].operated is operated


@pytest.mark.parametrize(("cash", "waits"), [(107, False), (108, True)])
def test_18xx_games_waits_for_a_player_with_twice_the_lowest_par(cash: int, waits: bool) -> None:
    """A stock turn: 18xx.games looks at the lowest par of all companies, whatever their layer (differences 10)."""
    closed = " ".join(f"{code} closed" for code in PRIVATES)
    s = table(f"cash {cash} 500\nprivates {closed}", options=SITE, turn=1, layer=1)
    play(s, Pass())
    assert (s.name == "SR 2") is waits


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("IOW 1 . | pool 2* | par 82 at 82", True),
        ("IOW 1 . | pool 3* | par 82 at 82", False),
        ("IOW 2 . | pool 2* | par 82 at 82", False),
        ("IOW 1 9* | par 82 at 82", False),
    ],
    ids=["alone, and one to give", "not alone", "two to give", "none there"],
)
def test_a_share_is_swapped_only_where_the_certificate_is_alone_in_the_pool(text: str, *, swapped: bool) -> None:
    """Out of receivership: only where the certificate is all there is in the pool (differences 75)."""
    s = table(f"cash 164 0\n{text}", options=SITE)
    s.companies["IOW"].ipo = 0
    costs = 164 if swapped else 82
    s.cash[0] = costs - 1
    assert BuyShare("IOW", "pool") not in legal(s)
    s.cash[0] = costs
    assert (BuyShare("IOW", "pool") in legal(s)) is (s.companies["IOW"].pool > 0 and (swapped or "3*" in text))


@pytest.mark.parametrize(
    ("shares", "cash", "waits"),
    [("8 . | pool 2*", 180, True), ("8 . | pool 2*", 179, False), ("10* .", 999, False)],
    ids=["the certificate", "not enough for it", "none to be had"],
)
def test_18xx_games_waits_for_a_player_who_can_pay_for_the_certificate_in_the_pool(
    shares: str, cash: int, *, waits: bool
) -> None:
    """A stock turn; Sold in this round.

    Where it lies without a share to swap it for, and the player has not sold of the company.
    """
    s = table(f"cash 500 {cash}\nIOW {shares} | par 82 at 90", options=SITE, turn=1)
    s.stock.sold[1] = [code for code in (*s.companies, *PRIVATES) if code != "IOW"]
    assert rounds.can_act(s, 1) is waits
    s.stock.sold[1].append("IOW")
    assert not rounds.can_act(s, 1)


@pytest.mark.parametrize("options", [{}, SITE])
@pytest.mark.parametrize(("cash", "hangs"), [(0, 1), (300, 0)])
def test_after_a_bankruptcy_players_who_cannot_act_are_passed_over(
    options: dict[str, str], cash: int, hangs: int
) -> None:
    """The round after a bankruptcy: the new stock round begins with the poorest, who can only pass.

    That site hangs there, and a file makes it go on by an action that says nothing (differences 79).
    """
    s = table(f"cash {cash} 21 0\nIOW . 1 4* | at 90 | 2+1\nC&N . . 6* | at 14 | 2+1", turn=2, options=options)
    writer, sale = Writer((1, 2, 3)), Sell("C&N", 6)
    writer.write(s, 2, sale)
    for event in play(s, sale):
        writer.hear(event)
    assert s.companies["C&N"].bankrupt
    assert (s.priority, s.stock.turn) == (0, hangs)
    assert [action["type"] for action in writer.write_afterwards()] == ["program_disable"] * hangs
    assert writer.write_afterwards() == []


@pytest.mark.parametrize(
    ("company", "end"), [("", "SR 2 standstill"), ("C&N . . | pool 10* | at 90 | 9cc | 2+1 | bases G5", "OR 2.1 ")]
)
def test_after_a_bankruptcy_the_game_continues_though_no_player_can_act(company: str, end: str) -> None:
    """Differences 79: the stock round is over at once, there too, and no file makes it go on, least of all its end."""
    s = table(f"cash 0 0\nIOW . 6* | at 14\n{company}", tiles=COWES_LINE, turn=1, options=SITE)
    s.privates = dict.fromkeys(s.privates, CLOSED)
    writer, sale = Writer((1, 2)), Sell("IOW", 6)
    writer.write(s, 1, sale)
    for event in play(s, sale):
        writer.hear(event)
    assert s.companies["IOW"].bankrupt
    assert f"{s.name} {s.over}" == end
    assert writer.write_afterwards() == []


@pytest.mark.parametrize("options", [{}, {"profile": "18xx.games"}], ids=["rulebook", "18xx.games"])
def test_82_the_hundredth_stock_round(options: dict[str, str]) -> None:
    """When the game ends; The bank runs out; Scoring; Secrets; Deals: the game goes on; 18xx.games ends it."""
    s = table("cash 300 300\nIOW 5* 2 | at 90 | 450cc | 2+1", number=100, options=options)
    play(s, Pass(), Pass())
    assert (s.name, s.over) == (("SR 100", "hundredth_round") if options else ("OR 100.1", ""))
    s = table("cash 300 300\nIOW 5* 2 | at 90 | 450cc | 2+1", number=99, options=options)
    play(s, Pass(), Pass())
    assert s.name == "OR 99.1"
