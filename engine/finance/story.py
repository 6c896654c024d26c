"""What facts of shares and of trains mean for the story of a game, alike for the titles that have them."""

from collections.abc import Sequence

from engine.finance.events import CompanyStarted, DividendPaid, ShareBought, SharesSold, TrainsRan
from engine.record import Event
from engine.title import Flow, Ran


def flows(event: Event) -> list[Flow]:
    """Return what players paid and got for shares, by a fact of the market."""
    if isinstance(event, CompanyStarted | ShareBought):
        return [Flow(event.seat, event.company, -event.price)]
    if isinstance(event, SharesSold):
        return [Flow(event.seat, event.company, event.count * event.each)]
    return paid_out(event.company, event.paid) if isinstance(event, DividendPaid) else []


def paid_out(company: str, paid: Sequence[int]) -> list[Flow]:
    """Return money of a company as each seat got it."""
    return [Flow(seat, company, amount) for seat, amount in enumerate(paid) if amount]


def ran(event: Event) -> Ran | None:
    """Return what a company ran for, if the fact is that it did."""
    return Ran(event.company, event.revenue, event.subsidy) if isinstance(event, TrainsRan) else None
