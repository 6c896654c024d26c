"""What standing orders mean in 1862."""

from typing import Literal

from engine.finance.orders import alarm, holding, listed, purchase
from engine.orders import Moment, Orders
from engine.record import Action
from engine.titles.g1862.actions import Bid, BuyShare, Dividend, Run
from engine.titles.g1862.events import WentBankrupt
from engine.titles.g1862.rounds.records import Operating, Parliament, Stock
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import bidding, running

PASSES = {
    "merge": "merging before the turn",
    "track": "building track",
    "token": "placing a marker",
    "train": "buying trains",
    "redeem": "redeeming a share",
    "acquire": "acquiring at the end of the turn",
}

_SOURCES: tuple[Literal["ipo", "pool", "treasury"], ...] = ("ipo", "pool", "treasury")


def moment(s: State) -> Moment:
    """Return where the game stands; choosing markers, fines, offers and mergers are for people."""
    r = s.round
    if s.over:
        return Moment(s.name)
    if isinstance(r, Parliament):
        return Moment(s.name, "bid" if r.lot and r.winner < 0 else "", r.lot)
    if isinstance(r, Stock):
        return Moment(s.name, "" if r.choosing or r.fines else "stock", bought=r.bought)
    free = r.offer is None and r.merging is None and not r.removing
    return Moment(s.name, r.step if free else "", r.code if free else "")


def raised(s: State, seat: int, company: str, most: int) -> Action | None:
    """Return the next bid for the charter that is sold (3.2)."""
    r = s.parliament
    amount = r.high + bidding.STEP
    if r.lot != company or amount > min(most, bidding.ceiling(s, seat)) or not bidding.may_raise(s, seat):
        return None
    return Bid(company, amount)


def bidders(s: State) -> tuple[int, ...]:
    """Return the seats that may still outbid the leader (3.3)."""
    r = s.parliament
    return tuple(
        seat for seat in range(s.seats) if seat not in r.out and seat != r.leader and bidding.may_raise(s, seat)
    )


def _revenue(s: State) -> int:
    return s.round.revenue if isinstance(s.round, Operating) else 0


def _companies(s: State) -> tuple[tuple[str, str], ...]:
    return listed(s.companies, [code for code, company in s.companies.items() if company.gone])


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
