"""A director who sells; Change of director; Out of receivership.

Who directs a company, and what happens to the certificate.
"""

import pytest

from engine import Event
from engine.finance.events import DirectorChanged, ReceivershipBegan
from engine.finance.rounds import Pass
from engine.finance.state import POOL
from engine.titles.g1860.actions import BuyShare, Exchange, Sell
from engine.titles.g1860.state import Company, State
from tests.engine.titles.g1860.positions import catch_refusal, legal, of_kind, play, table


def sell_from(line: str, count: int, seat: int = 0, seats: int = 4) -> tuple[Company, list[Event], State]:
    """Return IOW after one sale from this line, and what was told."""
    s = table(f"cash {'0 ' * seats}\nIOW {line}\nC&N {'2 ' * seats} | at 74 | 2+1", turn=seat)
    told = play(s, Sell("IOW", count))
    iow = s.companies["IOW"]
    assert sum(iow.shares) + iow.ipo + iow.pool == 10
    return iow, told, s


def test_singles_go_first() -> None:
    """A director who sells: the certificate stays while the director keeps two shares and no one has more."""
    iow, told, _ = sell_from("5* 2 2 . | at 90 | 2+1", 3)
    assert (iow.director, iow.shares, iow.pool) == (0, [2, 2, 2, 0], 3)
    assert not of_kind(told, DirectorChanged)


def test_the_certificate_sold_whole() -> None:
    """A director who sells; Companies In Receivership.

    Keeping none, with no one able to take over, it goes to the pool: receivership.
    """
    iow, told, s = sell_from("3* 1 1 . | at 90 | 2+1", 3)
    assert (iow.director, iow.pool, iow.ordinary_in_pool, iow.receivership) == (POOL, 3, 1, True)
    assert of_kind(told, ReceivershipBegan)
    assert s.cash[0] == 270


def test_keeping_one_while_another_can_direct() -> None:
    """A director who sells: who has two or more must take the certificate for two singles; then the share is sold."""
    iow, told, _ = sell_from("2* 2 . . | at 90 | 2+1", 1)
    assert (iow.director, iow.shares, iow.pool, iow.ordinary_in_pool) == (1, [1, 2, 0, 0], 1, 1)
    assert of_kind(told, DirectorChanged) == [DirectorChanged("IOW", 1)]


def test_keeping_one_against_a_single_of_the_pool() -> None:
    """A director who sells: with no one to take over, the certificate goes to the pool for a single taken from it."""
    iow, _, s = sell_from("2* 1 1 1 | at 90 | 2+1 | pool 1", 1)
    assert (iow.director, iow.shares, iow.pool, iow.ordinary_in_pool) == (POOL, [1, 1, 1, 1], 2, 0)
    assert s.cash[0] == 90, "paid for one share less than moved in"


def test_keeping_one_against_a_single_just_sold() -> None:
    """A director who sells: the single may have been sold in this transaction."""
    iow, _, s = sell_from("4* 1 1 . | at 90 | 2+1", 3)
    assert (iow.director, iow.shares[0], iow.pool, iow.ordinary_in_pool) == (POOL, 1, 3, 1)
    assert s.cash[0] == 270


def test_keeping_one_without_any_single() -> None:
    """A director who sells: no single in the pool: that sale is not allowed; selling both is."""
    s = table("cash 0 0\nIOW 2* 1 | at 90 | 2+1\nC&N 2* 2 | at 74 | 2+1")
    assert catch_refusal(s, Sell("IOW", 1)).rule.section == "Buying and Selling Shares"
    assert Sell("IOW", 2) in legal(s)


def test_the_certificate_does_not_enter_the_pool_if_another_player_has_more() -> None:
    """A director who sells: another has two or more, and more than the seller keeps: it goes to him."""
    iow, _, _ = sell_from("4* 3 . . | at 90 | 2+1", 2)
    assert (iow.director, iow.pool, iow.ordinary_in_pool) == (1, 2, 2)
    iow, _, _ = sell_from("4* 3 . . | at 90 | 2+1", 4)
    assert (iow.director, iow.pool, iow.ordinary_in_pool) == (1, 4, 4)


def test_a_sale_down_to_equality_changes_nothing() -> None:
    """Change of director: only a holder of more shares takes over."""
    iow, told, _ = sell_from("4* 3 . . | at 90 | 2+1", 1)
    assert iow.director == 0
    assert not of_kind(told, DirectorChanged)


@pytest.mark.parametrize(
    ("line", "seat", "taker"),
    [("4* 2 3 .", 0, 2), ("4* . 3 3", 0, 2), ("3 4* . 3", 1, 3), ("3 2 . 4*", 3, 0), ("3 3 4* .", 2, 0)],
)
def test_the_most_shares_then_the_closest_clockwise(line: str, seat: int, taker: int) -> None:
    """Change of director: on a sale the certificate goes to the most shares, ties to the closest clockwise."""
    iow, _, _ = sell_from(f"{line} | at 90 | 2+1", 3, seat)
    assert iow.director == taker


def test_a_purchase_makes_a_director() -> None:
    """Change of director: more shares than the director: he takes the certificate for two singles; equal: not."""
    s = table("cash 500 500\nIOW 2* 2 | at 90 | 2+1\nC&N 2* 2 | at 74 | 2+1", turn=1)
    told = play(s, BuyShare("IOW", "ipo"))
    assert of_kind(told, DirectorChanged) == [DirectorChanged("IOW", 1)]
    assert s.companies["IOW"].shares == [2, 3]
    s = table("cash 500 500\nIOW 3* 2 | at 90 | 2+1", turn=1)
    assert not of_kind(play(s, BuyShare("IOW", "ipo")), DirectorChanged)


def test_certificates_count_with_the_swap() -> None:
    """Change of director: the new director holds a certificate less than shares, the old one as many."""
    s = table("cash 500 500\nIOW 2* 2 | at 90 | 2+1", turn=1)
    assert [s.count_certificates(seat) for seat in (0, 1)] == [1, 2]
    play(s, BuyShare("IOW", "ipo"))
    assert [s.count_certificates(seat) for seat in (0, 1)] == [2, 2]


def test_the_directors_certificate_in_the_pool_is_not_for_sale() -> None:
    """Out of receivership: no one may buy it; the first to hold two shares swaps them for it."""
    s = table("cash 500 500\nIOW . 1 | pool 2* | at 90 | 2+1\nC&N 2* 2 | at 74 | 2+1")
    assert catch_refusal(s, BuyShare("IOW", "pool")).rule.section == "Companies In Receivership"
    play(s, BuyShare("IOW", "ipo"))
    assert s.companies["IOW"].director == POOL
    told = play(s, BuyShare("IOW", "ipo"))
    iow = s.companies["IOW"]
    assert of_kind(told, DirectorChanged) == [DirectorChanged("IOW", 1)]
    assert (iow.shares, iow.pool, iow.ordinary_in_pool) == ([1, 2], 2, 2), "the two singles go to the pool"


def test_a_second_share_from_the_pool_or_by_exchange() -> None:
    """Out of receivership: wherever the second share comes from; an exchange counts."""
    s = table("cash 500 500\nIOW 1 . | pool 3* | at 90 | 2+1\nC&N 2* 2 | at 74 | 2+1")
    play(s, BuyShare("IOW", "pool"))
    assert (s.companies["IOW"].director, s.companies["IOW"].pool) == (0, 2)
    s = table("cash 500 500\nprivates RPSC 0\nIOW 1 . | pool 3* | at 90 | 2+1")
    told = play(s, Exchange("RPSC"))
    assert of_kind(told, DirectorChanged) == [DirectorChanged("IOW", 0)]


def test_a_holder_below_two_never_directs() -> None:
    """Change of director: only players with two shares or more qualify."""
    iow, _, _ = sell_from("3* 1 1 1 | at 90 | 2+1", 3)
    assert iow.director == POOL


def test_an_unfloated_company_without_director_waits() -> None:
    """Receivership: only floated companies are in receivership; “Out of receivership” applies to the others."""
    s = table("cash 500 500\nIOW 2* 1 | par 82 | new\nC&N 2* 2 | at 74 | 2+1")
    told = play(s, Sell("IOW", 2))
    iow = s.companies["IOW"]
    assert (iow.director, iow.receivership) == (POOL, False)
    assert not of_kind(told, ReceivershipBegan)
    play(s, Pass(), BuyShare("IOW", "ipo"))
    assert iow.director == 1
