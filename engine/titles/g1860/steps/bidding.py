"""Bidding for the right to choose a lot (2.2-2.4, 2.6)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.events import BidMade, Passed
from engine.finance.stock_turn import clockwise
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860.actions import Bid
from engine.titles.g1860.catalogue import CHARTERS, PRIVATES
from engine.titles.g1860.events import AuctionWon
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import State

RAISE = 5


class Plan(Record, frozen=True):
    """A bid that may be made."""

    seat: int
    amount: int


def lot_price(lot: str) -> int:
    """Return the least a lot costs: face value, or twice the lowest par."""
    return PRIVATES[lot].price if lot in PRIVATES else 2 * CHARTERS[lot].pars[0]


def ceiling(s: State, seat: int) -> int:
    """Return the highest bid a player may make: cash less the cheapest lot left (2.3)."""
    return s.cash[seat] - min(lot_price(lot) for lot in s.auction.lots)


def options(s: State, seat: int) -> Iterator[Bid]:
    """Yield every legal bid."""
    for amount in range(s.auction.high + RAISE, ceiling(s, seat) + 1):
        yield Bid(amount)


def check(s: State, seat: int, action: Bid) -> Plan:
    """Check a bid."""
    least, most = s.auction.high + RAISE, ceiling(s, seat)
    if action.amount < least:
        raise RuleError(f"The bid must be at least £{least}; the last was £{s.auction.high}.", rule("2.2"))
    if action.amount > most:
        raise RuleError(
            f"You can bid £{max(0, most)} at most: you have £{s.cash[seat]} and must still pay for a lot.", rule("2.3")
        )
    return Plan(seat, action.amount)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Make the bid."""
    r = s.auction
    r.high, r.leader = plan.amount, plan.seat
    tell(BidMade(plan.seat, plan.amount))
    pass_on(s, tell)


def drop_out(s: State, seat: int, tell: Tell) -> None:
    """Pass: out of this auction only."""
    tell(Passed(seat))
    s.auction.passed.append(seat)
    pass_on(s, tell)


def pass_on(s: State, tell: Tell) -> None:
    """Go to the next player left in, or end the auction (2.4, 2.6)."""
    r = s.auction
    left = [seat for seat in clockwise(r.turn + 1, s.seats) if seat not in r.passed]
    if r.leader >= 0 and left == [r.leader]:
        _win(s, r.leader, tell)
    elif not left:
        _win(s, r.passed[0], tell)
    else:
        r.turn = left[0]


def _win(s: State, seat: int, tell: Tell) -> None:
    """Let the winner pay the bid and choose; with no bid the first to pass takes a lot at value."""
    r = s.auction
    r.chooser = seat
    s.cash[seat] -= r.high
    tell(AuctionWon(seat, r.high))
