"""What alarms whoever has told a stock round to go on without them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from engine.finance.events import DirectorChanged, ShareBought, SharesSold
from engine.orders import Alarm
from engine.record import Event

NEAR = 1
"""Shares by which a rival may come short of the director before it alarms."""


class Company(Protocol):
    """A company as far as the dangers of a stock round go."""

    code: str
    shares: list[int]
    director: int


def alarm(companies: Mapping[str, Company], event: Event, seat: int) -> Alarm | None:
    """Return what a seat may want to answer.

    Somebody sold shares, so that a price falls and shares lie in the pool; or
    bought as many of a company that the seat directs that one more would do.
    """
    if isinstance(event, SharesSold) and event.seat != seat:
        return Alarm(event.company, f"{{{event.seat}}} sold {event.company}")
    if isinstance(event, DirectorChanged) and event.seat != seat and companies[event.company].shares[seat]:
        return Alarm(event.company, f"{{{event.seat}}} directs {event.company} now")
    if isinstance(event, ShareBought) and 0 <= event.seat != seat:
        company = companies[event.company]
        rival, own = company.shares[event.seat], company.shares[seat]
        if company.director == seat and rival + NEAR >= own:
            return Alarm(event.company, f"{{{event.seat}}} holds {rival} shares of {event.company}, you {own}")
    return None


def listed(companies: Mapping[str, Company], left_out: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return the companies an order can be about."""
    return tuple((code, code) for code in companies if code not in left_out)
