"""What standing orders mean in 1860."""

from typing import Literal

from engine.finance import orders as family
from engine.orders import Alarm, Moment, Orders
from engine.record import Action, Event
from engine.titles.g1860.actions import Bid, BuyShare, Dividend, Run
from engine.titles.g1860.events import WentBankrupt
from engine.titles.g1860.state import Auction, Operating, State, Stock
from engine.titles.g1860.steps import bidding, running

PASSES = {"track": "building track", "base": "building a base", "train": "buying trains"}
CHOICE = "choice"
"""The lot of the initial auction: who wins chooses among the lots."""

_SOURCES: tuple[Literal["ipo", "pool"], ...] = ("ipo", "pool")


def moment(s: State) -> Moment:
    """Return where the game stands; each choice of the auction counts as a round of its own."""
    r = s.round
    if s.over:
        return Moment(s.name)
    if isinstance(r, Auction):
        return Moment(f"{s.name}, {len(r.lots)} lots left", "" if r.chooser >= 0 else "bid", CHOICE)
    if isinstance(r, Stock):
        return Moment(s.name, "" if r.homes else "stock", bought=r.bought)
    return Moment(s.name, "" if r.offer else r.step, r.code)


def raised(s: State, seat: int, company: str, most: int) -> Action | None:
    """Return the next bid for the choice (2.2)."""
    amount = s.auction.high + bidding.RAISE
    fits = company == CHOICE and amount <= min(most, bidding.ceiling(s, seat))
    return Bid(amount) if fits else None


def bidders(s: State) -> tuple[int, ...]:
    """Return the seats that may still outbid the leader."""
    r = s.auction
    return tuple(seat for seat in range(s.seats) if seat not in r.passed and seat != r.leader)


def purchase(s: State, company: str, source: str) -> Action | None:
    """Return the purchase of a certificate, from wherever it is to be had if no source is named."""
    return family.purchase(s.companies, company, source, _SOURCES, BuyShare)


def alarm(s: State, event: Event, seat: int) -> Alarm | None:
    """Return what a player may want to answer; a company that is started is one more to buy."""
    return family.alarm(s.companies, event, seat)


def _companies(s: State) -> tuple[tuple[str, str], ...]:
    if isinstance(s.round, Auction):
        return ((CHOICE, "the choice of a lot"),)
    return family.listed(s.companies, [code for code, company in s.companies.items() if company.closed])


def _revenue(s: State) -> int:
    return s.round.revenue if isinstance(s.round, Operating) else 0


ORDERS: Orders[State] = Orders(
    moment=moment,
    passes=PASSES,
    companies=_companies,
    run=Run(running.BEST),
    pay=Dividend("pay"),
    revenue=_revenue,
    raised=raised,
    bidders=bidders,
    purchase=purchase,
    holding=lambda s, seat, company: family.holding(s.companies, seat, company),
    alarm=alarm,
    breaks=(WentBankrupt,),
)
