"""Raising money for a train the company must have: from its treasury shares, or by refinancing (18)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import chain
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import bank, market, share_merge
from engine.titles.g1862.actions import RaiseMoney
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.events import RefinancingBegan, TreasurySold
from engine.titles.g1862.rounds.records import Merging
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import trains


class Plan(Record, frozen=True):
    """How a company raises money; ``count`` shares from its treasury, or none for refinancing."""

    company: str
    count: int


def shortfall(s: State, company: Company) -> int:
    """Return what the company lacks for the bare price of the bank's train."""
    return trains.band_for_sale(s).price - company.cash


def shares_needed(s: State, company: Company) -> int:
    """Return how many treasury shares a company short of money must sell, all at the price at the start (18.4).

    It is 0 if they do not suffice.
    """
    if not company.price:
        return 0
    count = -(-shortfall(s, company) // company.price)
    return count if count <= company.treasury else 0


def can_refinance(s: State, company: Company) -> bool:
    """Return whether refinancing brings enough, with half a price for an odd treasury share given up (18.2)."""
    half = company.price // 2 if company.treasury % 2 and s.rules.odd_share_counts else 0
    return shortfall(s, company) <= share_merge.new_money(company) + half


def own_train(s: State, company: Company) -> bool:
    """Tell whether a company of the same director has a train that must be bought instead (18.2)."""
    if not s.rules.own_trains_before_money:
        return False
    return any(
        s.companies[action.seller].director == company.director
        for action in trains.options(s, company.director)
        if action.seller != trains.BANK
    )


def lost(s: State, company: Company) -> bool:
    """Tell whether only bankruptcy is left, trains of other directors' companies apart (18.2, 19.1)."""
    return not (shares_needed(s, company) or can_refinance(s, company) or own_train(s, company))


def options(s: State, seat: int) -> Iterator[RaiseMoney]:
    """Yield the ways to raise money."""
    del seat
    company = trains.company_of(s)
    if not _refused(s, company, "treasury"):
        yield RaiseMoney("treasury")
    if not _refused(s, company, "refinance"):
        yield RaiseMoney("refinance")


def _refused(s: State, company: Company, how: str) -> str:
    if not trains.short(s, company) or (s.operating.rescued and s.rules.money_raised_once):
        return f"{company.code} does not need money for a train."
    if own_train(s, company):
        return f"Another company of the director has a train that {company.code} can afford; buy that."
    if how == "treasury" and not shares_needed(s, company):
        return (
            f"The {company.treasury * 10} % in the treasury do not bring the £{shortfall(s, company)} that are missing."
        )
    if how == "refinance" and not can_refinance(s, company):
        raised = share_merge.new_money(company)
        return f"Refinancing brings £{raised}, and £{shortfall(s, company)} are missing."
    return ""


def check(s: State, seat: int, action: RaiseMoney) -> Plan:
    """Check a way to raise money."""
    del seat
    company = trains.company_of(s)
    why = _refused(s, company, action.how)
    if why:
        raise RuleError(why, rule("18.2"))
    return Plan(company.code, shares_needed(s, company) if action.how == "treasury" else 0)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Sell treasury shares at the full price, or begin to merge the company's shares (18.2, 18.3)."""
    company = s.companies[plan.company]
    if not plan.count:
        tell(RefinancingBegan(company.code))
        share_merge.begin(s, Merging(company.code, "", "refinance", company.director, company.price, []))
        return
    amount = plan.count * company.price
    company.treasury -= plan.count
    company.pool += plan.count
    tell(TreasurySold(company.code, plan.count, amount))
    bank.pay(s, company, amount, tell)
    s.operating.rescued = True
    steps = market.sale_steps(s, company, plan.count) if s.rules.treasury_sales_ease_late else plan.count
    chain.move(s, company, MARKET.prices, -steps, tell)
