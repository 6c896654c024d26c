"""Setting up the Game; Starting Money."""

import pytest

from engine.errors import RuleError
from engine.finance.state import IPO
from engine.rails.maps import find_neighbour
from engine.setup import Setup
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import BuyShare, Start
from engine.titles.g1860.catalogue import load_map
from engine.titles.g1860.state import Operating, State
from engine.titles.g1860.steps import shares
from tests.engine.titles.g1860.positions import legal, play, table
from tests.support.sure import list_said


def deal(seats: int = 3, **options: str) -> State:
    return TITLE.deal(Setup("1860", seats, options))


@pytest.mark.parametrize(("seats", "cash"), [(2, 1000), (3, 670), (4, 500)])
def test_each_player_begins_with_the_printed_cash(seats: int, cash: int) -> None:
    """Players and money: 1000, 670 or 500 each for two, three or four; it comes out of the bank's 10,000."""
    s = deal(seats)
    assert s.cash == [cash] * seats
    assert s.bank == 10_000 - seats * cash
    assert all(company.cash == 0 for company in s.companies.values())


def test_nothing_has_happened_before_the_first_bid() -> None:
    """Players and money; The two maps; Red borders; Certificates; The pile of trains; Certificate limit.

    No company has been started, no round played; of the layers the first is open.
    """
    s = deal()
    dealt = {"rules", "seats", "cash", "privates", "companies", "board", "depot", "round", "record", "ways"}
    assert {name: value for name, value in list_said(s).items() if name not in dealt} == {"phase": "2", "layer": 1}
    assert list_said(s.round) == {"lots": ["BHC", "YHC", "CMH", "RPSC", "C&N", "IOW"], "leader": -1, "chooser": -1}
    fresh = {"code": "C&N", "shares": [0, 0, 0], "ipo": 10, "director": IPO, "reserved": True, "unplaced": 4}
    assert list_said(s.companies["C&N"]) == fresh


def test_rounds_begin_with_nothing_done() -> None:
    """A stock turn; A company's turn.

    A stock round begins with the priority deal, a set of operating rounds before its first company.
    """
    s = deal()
    s.priority = 2
    assert list_said(shares.make_round(s)) == {"turn": 2, "last": -1, "sold": [[], [], []]}
    assert list_said(Operating(0, 1, [])) == {"rounds": 1, "index": -1}


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 99])
def test_two_to_four_play(seats: int) -> None:
    """Players and money: two to four players."""
    with pytest.raises(RuleError) as refusal:
        deal(seats)
    assert refusal.value.rule.section == "Starting Money"


def test_the_two_maps() -> None:
    """The two maps; The second edition; Setting up the Game.

    The original map lacks three hexes of the extended one, a #776 and a #770.
    """
    extended, original = load_map("extended"), load_map("original")
    assert set(extended.hexes) - set(original.hexes) == {"A5", "A7", "E11"}
    assert {name: extended.manifest.counts[name] - original.manifest.counts[name] for name in ("770", "776")} == {
        "770": 1,
        "776": 1,
    }
    assert deal().board.map.name == "extended"
    assert deal(map="original").board.map.name == "original"


def test_the_bottom_certificate_of_four_companies_is_reserved() -> None:
    """Certificates; Exchanging Private Companies; Buying and Selling Shares.

    Director first, then tenths; the last one of C&N, IOW, FYN and BHI&R waits for its private.
    """
    s = deal()
    assert {code for code, company in s.companies.items() if company.reserved} == {"C&N", "IOW", "FYN", "BHI&R"}
    assert all(company.ipo == 10 for company in s.companies.values())
    s = table("cash 900 900", layer=1)
    assert {action.company for action in legal(s, Start)} == {"C&N", "IOW"}
    assert not legal(s, BuyShare)
    play(s, Start("IOW", 74))
    assert (s.companies["IOW"].shares, s.companies["IOW"].ipo) == ([2, 0], 8)


def test_trains_lie_in_one_ascending_pile() -> None:
    """The pile of trains; Setting up the Game.

    The pile from 2+1 to 9+5; nothing on the market; Fishbourne not on offer.
    """
    s = deal()
    assert list(s.depot.items()) == [
        ("2+1", 5), ("3+2", 4), ("4+2", 3), ("5+3", 2), ("6+3", 2), ("7+4", 1), ("8+4", 1), ("9+5", -1),
    ]  # fmt: skip
    assert all(company.cell is None for company in s.companies.values())
    assert "FFC" not in s.auction.lots
    assert s.phase == "2"


@pytest.mark.parametrize(("cash", "limit"), [("9 9", 32), ("9 9 9", 21), ("9 9 9 9", 16)])
def test_certificate_limit(cash: str, limit: int) -> None:
    """Certificate limit: 32, 21 or 16 certificates."""
    s = table(f"cash {cash}\nIOW 2* | par 74\nC&N 2* | par 74")
    s.cash[0] = 9000
    codes = ["S&C", "VYSC", "NGStL", "BHI&R", "FYN", "IWNJ"]
    for code in codes:
        s.companies[code].shares[0] = 9  # certificates enough to come near the limit
    missing = limit - s.count_certificates(0)
    s.companies["IWNJ"].shares[0] += missing
    assert s.count_certificates(0) == limit
    assert not legal(s, BuyShare)
    s.companies["IWNJ"].shares[0] -= 1
    assert legal(s, BuyShare)


def test_the_barrier_that_the_text_does_not_name() -> None:
    """Red borders: 60-37: three red borders are named; A5/B4 is one more, in the data alone, and goes with its hex."""
    extended, original = load_map("extended"), load_map("original")
    pairs = {
        frozenset((coord, find_neighbour(coord, side))) for coord, of in extended.hexes.items() for side in of.barriers
    }
    assert frozenset(("A5", "B4")) in pairs
    assert {frozenset(pair) for pair in (("F2", "G3"), ("F4", "G3"), ("I5", "I7"), ("I9", "I11"))} <= pairs
    assert len(pairs) == 6
    assert not original.hexes["B4"].barriers
