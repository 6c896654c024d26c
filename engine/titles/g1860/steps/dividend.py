"""Paying out or keeping the revenue, and the share price (6.27-6.31, 7.2, 9.5)."""

from collections.abc import Iterator

from engine.finance import chain
from engine.finance.events import DividendPaid, PriceStayed, RevenueKept
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import market
from engine.titles.g1860.actions import Dividend
from engine.titles.g1860.catalogue import MARKET
from engine.titles.g1860.state import Company, State

KEPT_STEPS = -2


class Plan(Record, frozen=True):
    """Revenue to be paid or kept."""

    pay: bool


def open_for(s: State, company: Company) -> bool:
    """Tell whether the director has a choice: revenue, not insolvent, not in receivership, not nationalised."""
    r = s.operating
    return r.revenue > 0 and not r.leased and not company.insolvent and not company.receivership and not s.nationalised


def options(s: State, seat: int) -> Iterator[Dividend]:
    """Yield both choices."""
    del s, seat
    yield Dividend("pay")
    yield Dividend("keep")


def check(s: State, seat: int, action: Dividend) -> Plan:
    """Check the choice; both are always allowed, for the step waits where there is revenue alone."""
    del s, seat
    return Plan(action.kind == "pay")


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Pay or keep, and move the price; the subsidy for halts goes straight to the treasury (6.25)."""
    company = s.companies[s.operating.code]
    company.cash += s.operating.subsidy
    if plan.pay:
        pay(s, company, tell)
    else:
        keep(s, company, tell)


def settle(s: State, company: Company, tell: Tell) -> None:
    """Do what leaves no choice: nationalised companies pay, all others keep (7.2, 7.7, 9.5)."""
    company.cash += s.operating.subsidy
    if s.nationalised and not company.receivership and s.operating.revenue > 0:
        pay(s, company, tell)
    else:
        keep(s, company, tell)


def shares_of(s: State, company: Company, revenue: int) -> tuple[int, ...]:
    """Return what each seat gets: a tenth for each share; IPO and pool get nothing (6.27)."""
    return tuple(revenue // 10 * company.shares[seat] for seat in range(s.seats))


def pay(s: State, company: Company, tell: Tell) -> None:
    """Pay the revenue out; below the price the marker stays, under the others of its space (6.28, 6.29).

    On 18xx.games it keeps its place (differences 39).
    """
    revenue = s.operating.revenue
    paid = shares_of(s, company, revenue)
    for seat, amount in enumerate(paid):
        s.cash[seat] += amount
    tell(DividendPaid(company.code, revenue, paid))
    steps = chain.dividend_steps(company.price, revenue)
    if steps:
        chain.move(s, company, MARKET.prices, steps, tell)
    else:
        tell(PriceStayed(company.code, company.price, revenue))
        if not s.rules.site:
            chain.restack(s, company)
    _end(s, tell)


def keep(s: State, company: Company, tell: Tell) -> None:
    """Keep the revenue, or earn none: two spaces down (6.28, 6.31)."""
    company.cash += s.operating.revenue
    tell(RevenueKept(company.code, s.operating.revenue))
    chain.move(s, company, MARKET.prices, KEPT_STEPS, tell)
    _end(s, tell)


def _end(s: State, tell: Tell) -> None:
    market.watch_bank(s, tell)
    if s.rules.site:
        s.companies[s.operating.code].operated = True  # before the turn ends (differences 17)
    s.operating.go_on()


def price_after(company: Company, revenue: int, *, paid: bool) -> int:
    """Return the share price after paying out or keeping, for players to see."""
    steps = chain.dividend_steps(company.price, revenue) if paid else KEPT_STEPS
    return chain.price_after(MARKET.prices, company, steps)
