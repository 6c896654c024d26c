"""What standing orders mean in a stock round of the family: where a share is bought, what is held, what alarms."""

import pytest

from engine.finance.advice import find_alarm, find_holding, find_ordered_purchase, find_source, list_companies
from engine.finance.events import CompanyStarted, DirectorChanged, PriceMoved, ShareBought, SharesSold
from engine.finance.trading import BuyOfShare
from engine.orders import Alarm, SharesHeld
from engine.record import Event
from tests.engine.finance.records import Company

SOURCES = ("ipo", "pool")


class Buys(BuyOfShare, frozen=True):
    """Buy a share."""


def company(*shares: int, code: str = "AB", director: int = 0, ipo: int = 3, par: int | None = 60) -> Company:
    """Return a company that seat 0 directs with 4 shares, of which seat 1 has 2."""
    return Company(code, [*(shares or (4, 2, 0))], director=director, ipo=ipo, par=par, floated=True)


@pytest.mark.parametrize(
    ("ipo", "named", "at"),
    [(3, "", "ipo"), (0, "", "pool"), (3, "pool", "pool"), (0, "ipo", "ipo"), (3, "treasury", None)],
)
def test_a_share_is_bought_from_the_named_place_or_from_the_ipo_by_default(
    ipo: int, named: str, at: str | None
) -> None:
    assert find_source({"AB": company(ipo=ipo)}, "AB", named, SOURCES) == at
    assert find_ordered_purchase({"AB": company(ipo=ipo)}, "AB", named, SOURCES, Buys) == (
        Buys("AB", at) if at else None
    )


def test_nothing_is_bought_of_an_unknown_company() -> None:
    assert find_source({}, "AB", "ipo", SOURCES) is None
    assert find_holding({}, 0, "AB") is None


def test_holdings_of_a_company_after_its_start() -> None:
    assert find_holding({"AB": company()}, 1, "AB") == SharesHeld(2, 60, floated=True)
    assert find_holding({"AB": company(par=None)}, 1, "AB") is None


def test_a_company_started_by_another_player_raises_an_alarm() -> None:
    assert find_alarm({}, CompanyStarted(1, "AB", 60, 120), 0) == Alarm("AB", "{1} started AB")
    assert find_alarm({}, CompanyStarted(0, "AB", 60, 120), 0) is None


@pytest.mark.parametrize(
    ("event", "seat", "words"),
    [
        (SharesSold(1, "AB", 2, 60), 0, "{1} sold AB"),
        (SharesSold(0, "AB", 2, 60), 0, None),
        (DirectorChanged("AB", 1), 0, "{1} now directs AB"),
        (DirectorChanged("AB", 0), 0, None),
        (DirectorChanged("AB", 1), 2, None),  # holds no share of it
        (ShareBought(0, "AB", "ipo", 60), 0, None),
        (PriceMoved("AB", 60, 70), 0, None),
    ],
)
def test_sales_and_new_directors_alarm_affected_players(event: Event, seat: int, words: str | None) -> None:
    assert find_alarm({"AB": company()}, event, seat) == (Alarm("AB", words) if words else None)


@pytest.mark.parametrize(("rival", "told"), [(2, False), (3, True), (4, True)])
def test_a_rival_who_comes_within_one_share_of_the_director_alarms(rival: int, told: bool) -> None:
    of = company(4, rival, 0)
    words = Alarm("AB", f"{{1}} holds {rival} shares of AB, you hold 4")
    assert find_alarm({"AB": of}, ShareBought(1, "AB", "ipo", 60), 0) == (words if told else None)
    assert find_alarm({"AB": of}, ShareBought(1, "AB", "ipo", 60), 2) is None, "only its director"


def test_a_rival_may_sit_in_the_first_seat() -> None:
    of = company(3, 4, 0, director=1)
    told = find_alarm({"AB": of}, ShareBought(0, "AB", "ipo", 60), 1)
    assert told == Alarm("AB", "{0} holds 3 shares of AB, you hold 4")


def test_a_share_that_no_player_bought_raises_no_alarm() -> None:
    """A company that buys its own share is told with seat -1."""
    assert find_alarm({"AB": company(4, 0, 4)}, ShareBought(-1, "AB", "ipo", 60), 0) is None


def test_orders_may_be_about_every_company_that_is_not_left_out() -> None:
    assert list_companies({"AB": company(), "CD": company(code="CD")}, ["AB"]) == (("CD", "CD"),)
