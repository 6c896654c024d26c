"""Money and shares of a company: raised for a train that it must buy (§7.11), redeemed from the pool (§7.13)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import market
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import companies, share_merge
from engine.titles.g1862.actions import RaiseMoney, Redeem
from engine.titles.g1862.catalogue import rule
from engine.titles.g1862.events import RefinancingBegan, ShareRedeemed, TreasurySold
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Merging, State
from engine.titles.g1862.steps import trains


class RaisePlan(Record, frozen=True):
    """How a company raises money; ``count`` shares from its treasury, or none for refinancing."""

    company: str
    count: int


def find_shortfall(s: State, company: Company) -> int:
    """Return what the company lacks for the bare price of the bank's train."""
    return trains.find_band_for_sale(s).price - company.cash


def count_shares_needed(s: State, company: Company) -> int:
    """Return how many treasury shares a company short of money must sell, all at the price at the start (§7.11.1).

    It is 0 if they do not suffice.
    """
    if not company.price:
        return 0
    count = -(-find_shortfall(s, company) // company.price)
    return count if count <= company.treasury else 0


def can_refinance(s: State, company: Company) -> bool:
    """Return whether refinancing brings enough, with half a price for an odd treasury share given up (§7.11.2)."""
    half = company.price // 2 if company.treasury % 2 and s.rules.odd_share_counts else 0
    return find_shortfall(s, company) <= share_merge.find_new_money(company) + half


def has_train_without_consent(s: State, company: Company) -> bool:
    """Return whether another company has a train that must be bought instead, as no other director is asked (§7.11)."""
    if not s.rules.own_trains_before_money:
        return False
    return any(
        s.companies[action.seller].director == company.director or not s.rules.train_sales_need_consent
        for action in trains.list_options(s, company.director)
        if action.seller != trains.BANK
    )


def is_lost(s: State, company: Company) -> bool:
    """Return whether only bankruptcy is left, trains apart that another director must agree to sell (§7.11, §7.12)."""
    return not (count_shares_needed(s, company) or can_refinance(s, company) or has_train_without_consent(s, company))


def list_raise_options(s: State, seat: int) -> Iterator[RaiseMoney]:
    """Yield the ways to raise money."""
    del seat
    company = trains.get_acting_company(s)
    if not _find_raise_refusal(s, company, "treasury"):
        yield RaiseMoney("treasury")
    if not _find_raise_refusal(s, company, "refinance"):
        yield RaiseMoney("refinance")


def _find_raise_refusal(s: State, company: Company, how: str) -> RuleError | None:
    if company.trains:
        return RuleError(f"{company.code} has a train, so it can't raise money for one.", rule("7.11"))
    if s.operating.rescued and s.rules.money_raised_once:
        return RuleError(f"{company.code} has already raised money, so it must buy a train.", rule("7.11"))
    if not trains.is_short(s, company):
        return RuleError(f"{company.code} can pay for a train, so it can't raise money for one.", rule("7.11"))
    if has_train_without_consent(s, company):
        whose = " of its director" if s.rules.train_sales_need_consent else ""
        sentence = f"{company.code} can buy a train from another company{whose}, so it can't raise money."
        return RuleError(sentence, rule("7.11"))
    missing = find_shortfall(s, company)
    if how == "treasury" and not count_shares_needed(s, company):
        bring = f"The {company.treasury * 10}% in its treasury would bring £{company.treasury * company.price:,}"
        has = bring if company.treasury else f"{company.code} has no shares in its treasury"
        return RuleError(f"{has}; {company.code} needs £{missing:,} more for a train.", rule("7.11.1"))
    if how == "refinance" and not can_refinance(s, company):
        raised = share_merge.find_new_money(company)
        sentence = f"Refinancing would bring £{raised:,}; {company.code} needs £{missing:,} more for a train."
        return RuleError(sentence, rule("7.11.2"))
    return None


def check_raise(s: State, seat: int, action: RaiseMoney) -> RaisePlan:
    """Check a way to raise money."""
    del seat
    company = trains.get_acting_company(s)
    refusal = _find_raise_refusal(s, company, action.how)
    if refusal is not None:
        raise refusal
    return RaisePlan(company.code, count_shares_needed(s, company) if action.how == "treasury" else 0)


def apply_raise(s: State, plan: RaisePlan, tell: Tell) -> None:
    """Sell treasury shares at the full price, or begin to merge the company's shares (§7.11.1, §7.11.2)."""
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
    steps = companies.count_sale_steps(s, company, plan.count) if s.rules.late_treasury_sales_keep_price else plan.count
    market.move_marker(s, company, -steps, tell)


class RedeemPlan(Record, frozen=True):
    """A share to be redeemed."""

    company: str
    price: int


def _find_redeem_refusal(s: State, company: Company) -> RuleError | None:
    if s.rules.new_players:
        return RuleError("In the game for new players, companies can't redeem shares.", rule("11.3"))
    if company.receivership:
        return RuleError(f"{company.code} is in receivership, so it can't redeem shares.", rule("8.0"))
    if company.ordinary_in_pool < 1:
        return RuleError(f"There is no share of {company.code} in the bank pool to redeem.", rule("7.13"))
    if company.price > company.cash:
        return RuleError(f"A share costs £{company.price:,}; {company.code} has £{company.cash:,}.", rule("7.13"))
    return None


def is_redeem_open_for(s: State, company: Company) -> bool:
    """Return whether the company can redeem a share."""
    return _find_redeem_refusal(s, company) is None


def can_pay_for_pool_share(s: State, company: Company) -> bool:
    """Return whether the company could pay for what has lain in the pool longest, no matter who directs it."""
    merging = s.operating.merging
    shares = DIRECTOR_SHARES if merging is not None and merging.emptied else 1
    return company.ordinary_in_pool > 0 and shares * company.price <= company.cash


def list_redeem_options(s: State, seat: int) -> Iterator[Redeem]:
    """Yield the purchase if it is possible."""
    del seat
    if is_redeem_open_for(s, s.companies[s.operating.code]):
        yield Redeem()


def check_redeem(s: State, seat: int, action: Redeem) -> RedeemPlan:
    """Check the redeeming of a share."""
    del seat, action
    company = s.companies[s.operating.code]
    refusal = _find_redeem_refusal(s, company)
    if refusal is not None:
        raise refusal
    return RedeemPlan(company.code, company.price)


def apply_redeem(s: State, plan: RedeemPlan, tell: Tell) -> None:
    """Redeem the share; one is the most in an operating round."""
    company = s.companies[plan.company]
    company.cash -= plan.price
    company.pool -= 1
    company.treasury += 1
    s.operating.begin_next_step()
    tell(ShareRedeemed(plan.company, plan.price))
