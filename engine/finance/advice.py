"""What most people would do with shares and trains, what standing orders mean, and what a story is made of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from engine.finance.events import CompanyStarted, DirectorChanged, DividendPaid, ShareBought, SharesSold, TrainsRan
from engine.finance.state import ShareCompany
from engine.finance.trading import BuyOfShare, rate_purchase
from engine.orders import Alarm, SharesHeld
from engine.record import Action, Event
from engine.title import Flow, Ran

B = TypeVar("B", bound=BuyOfShare)
P = TypeVar("P", bound=str)

BID_RAISES = (5, 10, 20)
"""How much is added to the last bid where a button bids."""


def rank_sale(company: ShareCompany, seat: int) -> tuple[bool, bool, int]:
    """Tell what speaks against selling shares, less is better: that one directs it, that it earns, a low price."""
    return company.director == seat, bool(company.trains) or not company.operated, -company.price


def rank_par_price(price: int, to_float: int, cash: int) -> tuple[bool, int]:
    """Tell what speaks against a price for a new company, less is better.

    The most money that one can float alone comes first; what takes others to float last, the dearest at the end.
    """
    beyond = price * to_float > cash
    return beyond, price if beyond else -price


def find_best_purchase(companies: Mapping[str, ShareCompany], buys: Iterable[B]) -> B | None:
    """Return the share with the most appeal, of companies that run or may yet; ``None`` if all are lame."""
    good = [buy for buy in buys if companies[buy.company].trains or not companies[buy.company].operated]
    return max(
        good, key=lambda buy: (rate_purchase(companies[buy.company], buy.source), buy.company, buy.source), default=None
    )


def list_raises(high: int, most: int) -> list[int]:
    """Return the bids worth a button: a little above the last one, and none above the most that can be bid."""
    return [high + step for step in BID_RAISES if high + step <= most]


def rank_seller(companies: Mapping[str, ShareCompany], seller: str, seat: int) -> int:
    """Tell what speaks against a train by whose it is: the bank's, of a company one directs, somebody else's."""
    if seller not in companies:
        return 0
    return 1 if companies[seller].director == seat else 2


ALARMING_GAP = 1
"""Shares by which a rival may come short of the director before it alarms."""


def find_source(companies: Mapping[str, ShareCompany], code: str, named: str, sources: Sequence[P]) -> P | None:
    """Return where a share is bought: where it was said, else the IPO as long as that has any; ``None`` if nowhere."""
    found = companies.get(code)
    if found is None:
        return None
    at = named or ("ipo" if found.ipo else "pool")
    return next((each for each in sources if each == at), None)


def find_ordered_purchase(
    companies: Mapping[str, ShareCompany], code: str, named: str, sources: Sequence[P], buy: Callable[[str, P], Action]
) -> Action | None:
    """Return the purchase of a share, from wherever it is to be had if no source is named; ``None`` if nowhere."""
    at = find_source(companies, code, named, sources)
    return None if at is None else buy(code, at)


def find_shares_held(companies: Mapping[str, ShareCompany], seat: int, code: str) -> SharesHeld | None:
    """Return what a player has of a company, ``None`` where there is no such company or it is not started."""
    found = companies.get(code)
    if found is None or not found.started:
        return None
    return SharesHeld(found.shares[seat], found.price, found.floated)


def find_alarm(companies: Mapping[str, ShareCompany], event: Event, seat: int) -> Alarm | None:
    """Return what a seat may want to answer.

    Somebody started a company, which is one more to buy; or sold shares, so that a price falls and shares lie in
    the pool; or bought as many of a company that the seat directs that one more would do.
    """
    if isinstance(event, CompanyStarted):
        return Alarm(event.company, f"{{{event.seat}}} started {event.company}") if event.seat != seat else None
    if isinstance(event, SharesSold) and event.seat != seat:
        return Alarm(event.company, f"{{{event.seat}}} sold {event.company}")
    if isinstance(event, DirectorChanged) and event.seat != seat and companies[event.company].shares[seat]:
        return Alarm(event.company, f"{{{event.seat}}} directs {event.company} now")
    if isinstance(event, ShareBought) and 0 <= event.seat != seat:
        company = companies[event.company]
        rival, own = company.shares[event.seat], company.shares[seat]
        if company.director == seat and rival + ALARMING_GAP >= own:
            return Alarm(event.company, f"{{{event.seat}}} holds {rival} shares of {event.company}, you {own}")
    return None


def list_companies(companies: Mapping[str, ShareCompany], left_out: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return the companies an order can be about."""
    return tuple((code, code) for code in companies if code not in left_out)


def list_flows(event: Event) -> list[Flow]:
    """Return what players paid and got for shares, by a fact of the market."""
    if isinstance(event, CompanyStarted | ShareBought):
        return [Flow(event.seat, event.company, -event.price)]
    if isinstance(event, SharesSold):
        return [Flow(event.seat, event.company, event.count * event.each)]
    return list_payouts(event.company, event.paid) if isinstance(event, DividendPaid) else []


def list_payouts(company: str, paid: Sequence[int]) -> list[Flow]:
    """Return money of a company as each seat got it."""
    return [Flow(seat, company, amount) for seat, amount in enumerate(paid) if amount]


def find_run(event: Event) -> Ran | None:
    """Return what a company ran for, if the fact is that it did."""
    return Ran(event.company, event.revenue, event.subsidy) if isinstance(event, TrainsRan) else None
