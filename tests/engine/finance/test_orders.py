"""What standing orders mean in a stock round of the family: where a share is bought, what is held, what alarms."""

from dataclasses import dataclass, field

import pytest

from engine.finance.advice import alarm, find_source, listed_companies, order_purchase, shares_held
from engine.finance.events import CompanyStarted, DirectorChanged, PriceMoved, ShareBought, SharesSold
from engine.orders import Alarm, SharesHeld
from engine.record import Action, Event

SOURCES = ("ipo", "pool")


class Buys(Action, frozen=True):
    """Buy a share."""

    company: str
    source: str


@dataclass
class Company:
    """A company that seat 0 directs with 4 shares, of which seat 1 has 2."""

    code: str = "AB"
    shares: list[int] = field(default_factory=lambda: [4, 2, 0])
    director: int = 0
    ipo: int = 3
    started: bool = True
    floated: bool = True
    price: int = 60


@pytest.mark.parametrize(
    ("ipo", "named", "at"),
    [(3, "", "ipo"), (0, "", "pool"), (3, "pool", "pool"), (0, "ipo", "ipo"), (3, "treasury", None)],
)
def test_a_share_is_bought_where_it_was_said_else_from_the_ipo_while_it_has_any(
    ipo: int, named: str, at: str | None
) -> None:
    assert find_source({"AB": Company(ipo=ipo)}, "AB", named, SOURCES) == at
    assert order_purchase({"AB": Company(ipo=ipo)}, "AB", named, SOURCES, Buys) == (Buys("AB", at) if at else None)


def test_nothing_is_bought_of_an_unknown_company() -> None:
    assert find_source({}, "AB", "ipo", SOURCES) is None
    assert shares_held({}, 0, "AB") is None


def test_what_is_held_of_a_company_once_it_is_started() -> None:
    assert shares_held({"AB": Company()}, 1, "AB") == SharesHeld(2, 60, floated=True)
    assert shares_held({"AB": Company(started=False)}, 1, "AB") is None


def test_a_company_that_somebody_else_started_alarms() -> None:
    assert alarm({}, CompanyStarted(1, "AB", 60, 120), 0) == Alarm("AB", "{1} started AB")
    assert alarm({}, CompanyStarted(0, "AB", 60, 120), 0) is None


@pytest.mark.parametrize(
    ("event", "seat", "words"),
    [
        (SharesSold(1, "AB", 2, 60), 0, "{1} sold AB"),
        (SharesSold(0, "AB", 2, 60), 0, None),
        (DirectorChanged("AB", 1), 0, "{1} directs AB now"),
        (DirectorChanged("AB", 0), 0, None),
        (DirectorChanged("AB", 1), 2, None),  # holds no share of it
        (ShareBought(0, "AB", "ipo", 60), 0, None),
        (PriceMoved("AB", 60, 70), 0, None),
    ],
)
def test_sales_and_new_directors_alarm_whoever_they_concern(event: Event, seat: int, words: str | None) -> None:
    assert alarm({"AB": Company()}, event, seat) == (Alarm("AB", words) if words else None)


@pytest.mark.parametrize(("rival", "told"), [(2, False), (3, True), (4, True)])
def test_a_rival_who_comes_within_one_share_of_the_director_alarms(rival: int, told: bool) -> None:
    company = Company(shares=[4, rival, 0])
    words = Alarm("AB", f"{{1}} holds {rival} shares of AB, you 4")
    assert alarm({"AB": company}, ShareBought(1, "AB", "ipo", 60), 0) == (words if told else None)
    assert alarm({"AB": company}, ShareBought(1, "AB", "ipo", 60), 2) is None, "only its director"


def test_a_rival_may_sit_in_the_first_seat() -> None:
    company = Company(shares=[3, 4, 0], director=1)
    told = alarm({"AB": company}, ShareBought(0, "AB", "ipo", 60), 1)
    assert told == Alarm("AB", "{0} holds 3 shares of AB, you 4")


def test_a_share_that_no_player_bought_alarms_nobody() -> None:
    """A company that buys its own share is told with seat -1."""
    assert alarm({"AB": Company(shares=[4, 0, 4])}, ShareBought(-1, "AB", "ipo", 60), 0) is None


def test_orders_may_be_about_every_company_that_is_not_left_out() -> None:
    assert listed_companies({"AB": Company(), "CD": Company("CD")}, ["AB"]) == (("CD", "CD"),)
