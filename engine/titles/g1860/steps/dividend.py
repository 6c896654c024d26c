"""Paying out or keeping the revenue, and the share price."""

from collections.abc import Iterator

from engine.finance import market, trading
from engine.finance.events import RevenueKept
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import companies
from engine.titles.g1860.actions import Dividend
from engine.titles.g1860.catalogue import UNITS
from engine.titles.g1860.state import Company, State


class Plan(Record, frozen=True):
    """Revenue to be paid or kept."""

    pay: bool


def is_open_for(s: State, company: Company) -> bool:
    """Return whether the director has a choice: revenue, not insolvent, not in receivership, not nationalised."""
    r = s.operating
    return r.revenue > 0 and not r.leased and not company.insolvent and not company.receivership and not s.nationalised


def list_options(s: State, seat: int) -> Iterator[Dividend]:
    """Yield both choices."""
    del s, seat
    yield Dividend("pay")
    yield Dividend("keep")


def check(s: State, seat: int, action: Dividend) -> Plan:
    """Check the choice; both are always allowed, for the step waits where there is revenue alone."""
    del s, seat
    return Plan(action.kind == "pay")


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Pay or keep, and move the price; the subsidy for halts goes straight to the treasury (Running Trains)."""
    company = s.companies[s.operating.code]
    company.cash += s.operating.subsidy
    if plan.pay:
        pay_out(s, company, tell)
    else:
        keep(s, company, tell)


def settle(s: State, company: Company, tell: Tell) -> None:
    """Do what leaves no choice: nationalised companies pay, all others keep."""
    company.cash += s.operating.subsidy
    if s.nationalised and not company.receivership and s.operating.revenue > 0:
        pay_out(s, company, tell)
    else:
        keep(s, company, tell)


def pay_out(s: State, company: Company, tell: Tell) -> None:
    """Pay the revenue out, a tenth for each share; IPO and pool get nothing (Dividends and the Share Price).

    Below the price the marker stays, under the others of its space (Dividends and the Share Price).
    """
    revenue = s.operating.revenue
    trading.pay_out(s, UNITS, company, revenue, tell)
    if not trading.move_for_dividend(s, company, revenue, tell) and s.rules.paid_marker_goes_under:
        market.move_to_bottom(s, company)
    _end(s, tell)


def keep(s: State, company: Company, tell: Tell) -> None:
    """Keep the revenue, or earn none: two spaces down (Dividends and the Share Price)."""
    company.cash += s.operating.revenue
    tell(RevenueKept(company.code, s.operating.revenue))
    trading.move_for_dividend(s, company, 0, tell)
    _end(s, tell)


def _end(s: State, tell: Tell) -> None:
    companies.note_empty_bank(s, tell)
    if not s.rules.operated_after_turn:
        s.companies[s.operating.code].operated = True
    s.operating.begin_next_step()
