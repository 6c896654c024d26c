"""Money and shares of a company: raised for a train that it must buy (18), redeemed from the pool (21)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import market
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import companies, share_merge
from engine.titles.g1862.actions import RaiseMoney, Redeem
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.events import RefinancingBegan, ShareRedeemed, TreasurySold
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Merging, State
from engine.titles.g1862.steps import trains


class RaisePlan(Record, frozen=True):
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


def raise_options(s: State, seat: int) -> Iterator[RaiseMoney]:
    """Yield the ways to raise money."""
    del seat
    company = trains.company_of(s)
    if not _raise_refused(s, company, "treasury"):
        yield RaiseMoney("treasury")
    if not _raise_refused(s, company, "refinance"):
        yield RaiseMoney("refinance")


def _raise_refused(s: State, company: Company, how: str) -> str:
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


def check_raise(s: State, seat: int, action: RaiseMoney) -> RaisePlan:
    """Check a way to raise money."""
    del seat
    company = trains.company_of(s)
    why = _raise_refused(s, company, action.how)
    if why:
        raise RuleError(why, rule("18.2"))
    return RaisePlan(company.code, shares_needed(s, company) if action.how == "treasury" else 0)


def apply_raise(s: State, plan: RaisePlan, tell: Tell) -> None:
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
    companies.pay(s, company, amount, tell)
    s.operating.rescued = True
    steps = companies.sale_steps(s, company, plan.count) if s.rules.late_treasury_sales_keep_price else plan.count
    market.move(s, company, MARKET.prices, -steps, tell)


class RedeemPlan(Record, frozen=True):
    """A share to be redeemed."""

    company: str
    price: int


def _redeem_refused(s: State, company: Company) -> str:
    if s.rules.new_players:
        return "In the game for new players shares are not redeemed."
    if company.receivership:
        return f"{company.code} is in receivership and redeems nothing."
    if company.ordinary_in_pool < 1:
        return f"No share of {company.code} lies in the pool."
    if company.price > company.cash:
        return f"A share costs £{company.price}; {company.code} has £{company.cash}."
    return ""


def redeem_open_for(s: State, company: Company) -> bool:
    """Tell whether the company can redeem a share."""
    return not _redeem_refused(s, company)


def payable(s: State, company: Company) -> bool:
    """Tell whether the company could pay for what has lain in the pool longest, whoever directs it in a refinancing."""
    merging = s.operating.merging
    shares = DIRECTOR_SHARES if merging is not None and merging.emptied else 1
    return company.ordinary_in_pool > 0 and shares * company.price <= company.cash


def redeem_options(s: State, seat: int) -> Iterator[Redeem]:
    """Yield the purchase if it is possible."""
    del seat
    if redeem_open_for(s, s.companies[s.operating.code]):
        yield Redeem()


def check_redeem(s: State, seat: int, action: Redeem) -> RedeemPlan:
    """Check the redeeming of a share."""
    del seat, action
    company = s.companies[s.operating.code]
    why = _redeem_refused(s, company)
    if why:
        raise RuleError(why, rule("23.3" if s.rules.new_players else "21.1"))
    return RedeemPlan(company.code, company.price)


def apply_redeem(s: State, plan: RedeemPlan, tell: Tell) -> None:
    """Redeem the share; one is the most in an operating round."""
    company = s.companies[plan.company]
    company.cash -= plan.price
    company.pool -= 1
    company.treasury += 1
    s.operating.go_on()
    tell(ShareRedeemed(plan.company, plan.price))
