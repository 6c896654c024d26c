"""What standing orders mean in a stock round: where a share is bought, what is held, what alarms."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from engine.finance.events import CompanyStarted, DirectorChanged, ShareBought, SharesSold
from engine.orders import Alarm, SharesHeld
from engine.record import Action, Event

NEAR = 1
"""Shares by which a rival may come short of the director before it alarms."""


P = TypeVar("P", bound=str)


class Traded(Protocol):
    """A company as orders see it."""

    code: str
    shares: list[int]
    director: int
    ipo: int

    @property
    def started(self) -> bool: ...  # noqa: D102
    @property
    def floated(self) -> bool: ...  # noqa: D102
    @property
    def price(self) -> int: ...  # noqa: D102


def source(companies: Mapping[str, Traded], code: str, named: str, sources: Sequence[P]) -> P | None:
    """Return where a share is bought: where it was said, else the IPO as long as that has any; ``None`` if nowhere."""
    found = companies.get(code)
    if found is None:
        return None
    at = named or ("ipo" if found.ipo else "pool")
    return next((each for each in sources if each == at), None)


def purchase(
    companies: Mapping[str, Traded], code: str, named: str, sources: Sequence[P], buy: Callable[[str, P], Action]
) -> Action | None:
    """Return the purchase of a share, from wherever it is to be had if no source is named; ``None`` if nowhere."""
    at = source(companies, code, named, sources)
    return None if at is None else buy(code, at)


def holding(companies: Mapping[str, Traded], seat: int, code: str) -> SharesHeld | None:
    """Return what a player has of a company, ``None`` where there is no such company or it is not started."""
    found = companies.get(code)
    if found is None or not found.started:
        return None
    return SharesHeld(found.shares[seat], found.price, found.floated)


def alarm(companies: Mapping[str, Traded], event: Event, seat: int) -> Alarm | None:
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
        if company.director == seat and rival + NEAR >= own:
            return Alarm(event.company, f"{{{event.seat}}} holds {rival} shares of {event.company}, you {own}")
    return None


def listed(companies: Mapping[str, Traded], left_out: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return the companies an order can be about."""
    return tuple((code, code) for code in companies if code not in left_out)
