"""What standing orders mean in 1860."""

from typing import Literal

from engine.finance.orders import alarm, holding, listed, purchase
from engine.orders import Moment, Orders
from engine.record import Action
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
        return Moment(f"{s.name}, {len(r.lots)} lots left", "" if r.won else "bid", CHOICE)
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


def _companies(s: State) -> tuple[tuple[str, str], ...]:
    if isinstance(s.round, Auction):
        return ((CHOICE, "the choice of a lot"),)
    return listed(s.companies, [code for code, company in s.companies.items() if company.closed])


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
    purchase=lambda s, company, source: purchase(s.companies, company, source, _SOURCES, BuyShare),
    holding=lambda s, seat, company: holding(s.companies, seat, company),
    alarm=lambda s, event, seat: alarm(s.companies, event, seat),
    breaks=(WentBankrupt,),
)
