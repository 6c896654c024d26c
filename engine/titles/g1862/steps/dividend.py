"""Paying the revenue out, keeping it, or topping it up; the price follows; warranties run down (§7.8.5)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import market, trading
from engine.finance.events import DividendPaid, RevenueKept
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import companies
from engine.titles.g1862.actions import Dividend
from engine.titles.g1862.catalogue import UNITS, rule
from engine.titles.g1862.state import Company, State

SHARES_PER_COMPANY = 10


class Plan(Record, frozen=True):
    """What is paid out, of which ``added`` comes from the treasury; nothing when all is kept."""

    company: str
    paid: int
    added: int = 0


def find_hudson_addition(s: State, company: Company) -> int:
    """Return what the treasury adds to lift the dividend to the price; 0 when that is not possible (§7.8.6)."""
    revenue, price = s.operating.revenue, company.price
    if s.rules.new_players or not s.rules.hudson_from <= revenue < price:
        return 0
    added = -(-(price - revenue) // SHARES_PER_COMPANY) * SHARES_PER_COMPANY
    treasury = company.cash + (s.operating.subsidy if s.rules.subsidy_with_dividend else 0)
    return added if added <= treasury else 0


def is_open_for(s: State, company: Company) -> bool:
    """Return whether the director has a choice: some revenue, and no receivership (§7.8.5, §8.0)."""
    return s.operating.revenue > 0 and not company.receivership


def list_options(s: State, seat: int) -> Iterator[Dividend]:
    """Yield what may be done with the revenue."""
    del seat
    yield Dividend("pay")
    yield Dividend("keep")
    if find_hudson_addition(s, s.companies[s.operating.code]):
        yield Dividend("hudson")


def check(s: State, seat: int, action: Dividend) -> Plan:
    """Check a dividend."""
    del seat
    company, revenue = s.companies[s.operating.code], s.operating.revenue
    if action.kind == "keep":
        return Plan(company.code, 0)
    if action.kind == "pay":
        return Plan(company.code, revenue)
    added = find_hudson_addition(s, company)
    if not added:
        raise RuleError(
            f"{company.code} can't top its dividend up: the revenue of £{revenue} must be at least "
            f"£{s.rules.hudson_from} and less than the price of £{company.price}, and the treasury of "
            f"£{company.cash} must hold the rest.",
            rule("7.8.6"),
        )
    return Plan(company.code, revenue + added, added)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Pay or keep, move the price, run the warranties down."""
    r = s.operating
    company = s.companies[plan.company]
    companies.pay(s, company, (r.subsidy if s.rules.subsidy_with_dividend else 0) - plan.added, tell)
    if plan.paid:
        paid = trading.compute_dividends(UNITS, company, plan.paid)
        treasury = company.treasury * trading.compute_dividend_per_share(UNITS, plan.paid)
        for seat, amount in enumerate(paid):
            companies.pay(s, seat, amount, tell)
        companies.pay(s, company, treasury, tell)
        tell(DividendPaid(company.code, plan.paid, paid, treasury, plan.added))
    else:
        companies.pay(s, company, r.revenue, tell)
        tell(RevenueKept(company.code, r.revenue))
    trading.move_for_dividend(s, company, plan.paid, tell)
    if s.rules.operating_restacks:
        market.move_to_bottom(s, company)
    companies.wear_trains(s, company, tell)
    r.begin_next_step()


def settle(s: State, company: Company, tell: Tell) -> None:
    """Keep the revenue where there is no choice."""
    apply(s, Plan(company.code, 0), tell)
