"""What facts of shares mean for the story of a game, alike for the titles that have them."""

from collections.abc import Sequence

from engine.finance.events import ShareBought, SharesSold
from engine.record import Event
from engine.story import Flow


def traded(event: Event) -> list[Flow]:
    """Return the money of shares bought and sold on the market."""
    if isinstance(event, ShareBought):
        return [Flow(event.seat, event.company, -event.price)]
    if isinstance(event, SharesSold):
        return [Flow(event.seat, event.company, event.count * event.each)]
    return []


def paid_out(company: str, paid: Sequence[int]) -> list[Flow]:
    """Return a dividend as each seat got it."""
    return [Flow(seat, company, amount) for seat, amount in enumerate(paid) if amount]
