"""Situations 62-35 to 62-41, and what a merger hands over (§7.5.6): exact figures."""

import pytest

from engine.finance.events import DirectorChanged, TrainsRan, TurnBegan
from engine.finance.rounds import Pass
from engine.finance.state import IPO
from engine.record import Event
from engine.titles.g1862.actions import Answer, Bid, BuyTrain, Merge, Option, RaiseMoney
from engine.titles.g1862.events import Refinanced, SharesCashed, SharesSwapped, WentBankrupt
from engine.titles.g1862.ground import find_bases
from engine.titles.g1862.state import COMPANY, State, TurnStep
from tests.engine.titles.g1862.positions import (
    catch_refusal,
    decide,
    go_on,
    legal,
    of_kind,
    operating,
    parliament,
    play,
    settle,
    table,
)
from tests.support.sure import sure

TILES = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"


def short_pool() -> State:
    """Let seat 1 merge WStI into N&E at 95; no share of N&E lies in the pool."""
    s = table(
        """
        N&E 68 6*,0,2,2 cash=100 trains=2F at=B13
        WStI 62 0,6*,3,1 cash=100 trains=2F at=B5,B13
        """,
        tiles=TILES,
    )
    operating(s, "WStI", "merge")
    play(s, Merge("N&E", "N&E"))
    return s


def swaps(events: list[Event]) -> list[tuple[int, str]]:
    return [(event.seat, event.source) for event in of_kind(events, SharesSwapped)]


def test_from_later_holders_all_redeem() -> None:
    """§5.2.4.

    62-35: halved from the initiator clockwise; an empty pool draws on later holders; no share left: half, up.
    """
    s = short_pool()
    events = play(s, Answer("accept"), seat=0)
    assert swaps(events) == [(1, "2"), (1, "2"), (1, "3"), (2, "3"), (2, "0"), (2, "0")]
    m = sure(s.operating.merging)
    assert (m.holder, m.redeem, m.sell) == (2, 47, 47), "the initiator held six and has no option"
    events = play(s, Option("redeem"))
    assert swaps(events) == [(3, "0")]
    assert [(event.seat, event.amount) for event in of_kind(events, SharesCashed)] == [(3, 48)]
    company = s.companies["N&E"]
    assert (company.shares, company.pool, company.price) == ([3, 3, 3, 1], 0, 95)
    assert s.cash == [1000, 1000, 953, 1048]


def test_from_the_pool_first() -> None:
    """§5.2.4.

    62-35: an option given up for half lies in the pool, and the next holder takes it before a player's share.
    """
    s = short_pool()
    play(s, Answer("accept"), seat=0)
    events = play(s, Option("sell"))
    assert swaps(events) == [(3, "pool"), (3, "0")]
    assert not of_kind(events, SharesCashed)
    m = sure(s.operating.merging)
    assert (m.holder, m.redeem, m.sell) == (3, 47, 47)
    play(s, Option("sell"))
    company = s.companies["N&E"]
    assert (company.shares, company.pool) == ([3, 3, 2, 1], 1)
    assert s.cash == [1000, 1000, 1047, 1047]


def test_the_initiator_decides_first() -> None:
    """§5.2.4.

    62-35: who has no money for his option is not asked, it is sold; the treasuries come last, by the initiator.
    """
    s = table(
        """
        N&E 90 0,7*,1,0 treasury=1 cash=100 trains=2F at=B13
        WStI 90 0,6*,1,1 cash=0 trains=2F at=B5,B13
        """,
        tiles=TILES,
        cash=[500, 500, 500, 66],
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    asked = []
    while s.operating.merging is not None:
        asked.append((s.operating.merging.holder, s.operating.merging.redeem))
        play(s, Option("redeem"), seat=1)
    assert asked == [(1, 67), (COMPANY, 67)]
    assert s.cash == [500, 433, 500, 133]
    company = s.companies["N&E"]
    assert (company.shares, company.treasury, company.cash) == ([0, 7, 1, 0], 1, 33)


@pytest.mark.parametrize("step", ["merge", "acquire"])
def test_the_certificate_goes_from_player_to_player(step: TurnStep) -> None:
    """§5.1.2, §5.2, §5.2.5, §6.3.

    62-36: seat 0 keeps three of N&E, its new head holds five; the pool never had the certificate.
    """
    s = table(
        """
        N&E 90 6*,2,0,0 cash=500 trains=2F at=B13
        WStI 90 0,8*,0,0 cash=500 trains=2F at=B5,B13
        """,
        tiles=TILES,
    )
    operating(s, "N&E", step)
    play(s, Merge("WStI", "N&E"))
    events = play(s, Answer("accept"), seat=1) + decide(s, "redeem")
    company = s.companies["N&E"]
    assert (company.shares, company.pool, company.director) == ([3, 5, 0, 0], 2, 1)
    assert [(event.company, event.seat) for event in of_kind(events, DirectorChanged)] == [("N&E", 1)]
    assert (company.count_ordinary(0), company.count_ordinary(1), company.ordinary_in_pool) == (3, 2, 2)
    assert (s.count_certificates(0), s.count_certificates(1)) == (3, 3)


@pytest.mark.parametrize("survivor", ["N&E", "WStI"])
def test_chartered_and_not(survivor: str) -> None:
    """§3.1, §7.5.4.

    62-37: half of the treasury stays, the IPO goes to the pool, the charter lies on its other side (§7.5.6).
    """
    s = table(
        """
        N&E 90 4*,0,0,0 treasury=4 cash=500 trains=2F at=B13
        WStI 90 6*,0,0,0 ipo=4 chartered cash=500 trains=2F at=B5,B13
        """,
        tiles=TILES,
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", survivor))
    decide(s, "redeem")
    company = s.companies[survivor]
    assert (company.shares[0], company.treasury, company.pool, company.ipo) == (5, 2, 3, 0)
    assert not company.chartered
    again = s.companies["WStI" if survivor == "N&E" else "N&E"]
    assert (again.ipo, again.treasury, again.chartered, again.director) == (10, 0, False, IPO)


def test_bankrupt_in_its_turn() -> None:
    """§7.7, §7.12.

    62-39: markers off the map and London, charter and permit as dealt, holders paid half; free to start again.
    """
    s = table(
        """
        N&E 52 5*,2,1,0 ipo=2 chartered cash=30 at=B13,B5 london=B15 par=54 permits=express,local permit=freight
        WStI 90 0,5*,0,0 trains=2F at=C6
        """,
        tiles=TILES,
        phase="F",
    )
    s.depot = {name: 0 if name < "F" else left for name, left in s.depot.items()}
    operating(s, "N&E", "train", order=["N&E", "WStI"])
    assert "N&E" in str(find_bases(s))
    events = settle(s)
    assert [event.company for event in of_kind(events, WentBankrupt)] == ["N&E"]
    assert [event.company for event in of_kind(events, TurnBegan)] == ["WStI"]
    assert s.cash == [1000 + 5 * 26, 1000 + 2 * 26, 1000 + 26, 1000]
    again = s.companies["N&E"]
    assert (again.markers, again.london, again.trains, again.home_placed) == ([], "", [], False)
    assert (again.chartered, again.permits, again.ipo, again.cash, again.cell) == (False, ["freight"], 10, 0, None)
    assert "N&E" not in str(find_bases(s))
    parliament(s)
    assert "N&E" in {action.company for action in legal(s, Bid)}


TWO = """
N&E 90 5*,0,0,0 trains=2F at=B13 permits=freight cash=600
WStI 90 5*,0,0,0 trains=2E at=B5,B13 permits=express cash=600
"""


RUNNING = "B13:57:0 B11:8852:0 B9:790:0 B7:8852:0 B5:57:0"


def through(s: State) -> list[Event]:
    """Run at best and decline all else until the round is over."""
    events: list[Event] = []
    name = s.name
    while s.name == name:
        events += go_on(s)
    return events


@pytest.mark.parametrize("survivor", ["N&E", "WStI"])
def test_trains_that_have_run(survivor: str) -> None:
    """62-40: WStI has run; N&E merges with it, and no train of either runs before the next round."""
    s = operating(table(TWO, tiles=RUNNING), "N&E", "merge", order=["WStI", "N&E"], rounds=2)
    play(s, Merge("WStI", survivor))
    events = decide(s, "redeem")
    assert not of_kind(events, TrainsRan)
    assert s.name == "OR 1.2"
    assert [train.face for train in s.companies[survivor].trains].count("2E") == 1
    ran = of_kind(through(s), TrainsRan)
    assert [event.company for event in ran] == [survivor]


@pytest.mark.parametrize("survivor", ["N&E", "WStI"])
def test_trains_that_have_not_run(survivor: str) -> None:
    """62-40: merged before either has run, both trains run once; acquired afterwards, the other's not at all."""
    s = operating(table(TWO, tiles=RUNNING), "N&E", "merge", order=["N&E", "WStI"])
    play(s, Merge("WStI", survivor))
    ran = of_kind(decide(s, "redeem") + through(s), TrainsRan)
    assert [event.company for event in ran] == [survivor]
    assert sorted(part.split()[0] for part in ran[0].plan.split("; ")) == ["2E", "2F"]
    s = operating(table(TWO, tiles=RUNNING), "N&E", "acquire", order=["N&E", "WStI"])
    play(s, Merge("WStI", survivor))
    assert not of_kind(decide(s, "redeem"), TrainsRan)
    assert s.name.startswith("PR")


def test_without_a_train_after_the_merger() -> None:
    """62-41: neither had a train; the turn goes on and the survivor must refinance and buy one of the bank."""
    s = table(
        """
        N&E 90 6*,0,0,0 cash=20 at=B13 par=90
        WStI 54 6*,0,0,0 cash=10 at=B5,B13
        """,
        tiles=TILES,
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    decide(s, "sell")
    company = s.companies["N&E"]
    assert (company.price, company.par, company.cash) == (47, 54, 30)
    while s.operating.step != "train":
        play(s, Pass())
    assert legal(s) == [RaiseMoney("refinance")]
    catch_refusal(s, Pass())
    events = play(s, RaiseMoney("refinance")) + decide(s, "redeem")
    assert [event.amount for event in of_kind(events, Refinanced)] == [540]
    assert {type(action) for action in legal(s)} == {BuyTrain}
    play(s, legal(s, BuyTrain)[0])
    assert (len(company.trains), company.cash) == (1, 470)


def test_merge_possessions() -> None:
    """7.5.6, vector merge_possessions: all that FDR has goes over to ESR (§7.5.6)."""
    s = table(
        """
        ESR 90 6*,0,0,0 cash=40 unplaced=1 trains=2E at=F11 permits=express
        FDR 54 0,6*,0,0 treasury=2 cash=70 unplaced=1 trains=2F* at=G12,C10 permits=freight
        """,
        tiles="F11:790:1 G12:57:2",
    )
    operating(s, "ESR", "merge")
    play(s, Merge("FDR", "ESR"))
    play(s, Answer("accept"), seat=1)
    assert s.operating.merging is None, "even holdings leave no option"
    company, other = s.companies["ESR"], s.companies["FDR"]
    assert company.cash == 110
    assert [train.name for train in company.trains] == ["2E", "2F*"]
    assert set(company.permits) == {"express", "freight"}
    assert company.unplaced == 2
    assert sorted(company.places) == ["C10", "F11", "G12"]
    assert (company.treasury, company.shares, company.pool) == (1, [3, 3, 0, 0], 3)
    assert (other.cash, other.trains, other.unplaced, other.markers, other.treasury) == (0, [], 0, [], 0)
    assert (other.permits, other.ipo) == ([other.permit], 10)
