"""A player's deal in a stock round: buying and selling shares, starting companies."""

from collections.abc import Iterator, Sequence
from typing import Literal

from engine.errors import RuleError
from engine.finance import market, trading
from engine.finance.events import CompanyStarted, RoundBegun
from engine.finance.rounds import note_sale
from engine.finance.state import IPO, POOL
from engine.record import Record, Rule
from engine.title import Tell
from engine.titles.g1860 import companies
from engine.titles.g1860.actions import BuyShare, Sell, Start
from engine.titles.g1860.catalogue import MARKET, PLAYERS, PRIVATES, UNITS, rule
from engine.titles.g1860.state import Company, State, Stock
from engine.words import join_words


def find_company(s: State, code: str) -> Company:
    """Return the company of a code as typed.

    Raises:
        RuleError: there is none.
    """
    found = s.companies.get(code)
    if found is None:
        raise RuleError(
            f"There is no company “{code[:40]}”; there are {', '.join(s.companies)}.", rule("Major Companies")
        )
    return found


def find_certificate_limit(s: State) -> int:
    """Return how many certificates a player may hold; endless from the first 8+4 on."""
    return 10_000 if s.unlimited else PLAYERS.certificates[s.seats]


def is_full(s: State, seat: int) -> bool:
    """Return whether a player may take no further certificate (Certificate Limit)."""
    return s.count_certificates(seat) >= find_certificate_limit(s)


def is_above_limit(s: State, seat: int) -> bool:
    """Return whether a player must sell before anything else (Certificate Limit)."""
    return s.count_certificates(seat) > find_certificate_limit(s)


def has_sold(s: State, seat: int, code: str) -> bool:
    """Return whether a player sold of this company in this round (Buying and Selling Shares)."""
    return code in s.stock.sold[seat]


def check_room(s: State, seat: int) -> None:
    """Refuse a purchase at the certificate limit."""
    trading.check_room(s.count_certificates(seat), find_certificate_limit(s), rule("Certificate Limit"))


def check_not_sold(s: State, seat: int, code: str) -> None:
    """Refuse a purchase in a company sold this round."""
    trading.check_not_sold(code, rule("Buying and Selling Shares"), sold=has_sold(s, seat, code))


def check_cash(s: State, seat: int, price: int, what: str) -> None:
    """Refuse a purchase that cannot be paid."""
    trading.check_cash(price, s.cash[seat], what, UNITS, rule("Buying and Selling Shares"))


def is_exchangeable(s: State, company: Company) -> bool:
    """Return whether a private may be swapped for a share of its company (Exchanging Private Companies)."""
    return company.started and not (company.bankrupt and s.rules.exchange_after_flotation)


def can_exchange(s: State, seat: int, company: Company) -> bool:
    """Return whether a player has the private of a company and may swap it."""
    owners = (s.privates[code] for code, private in PRIVATES.items() if private.railway == company.code)
    return is_exchangeable(s, company) and seat in owners


def note_purchase(s: State, seat: int, opened: str = "") -> None:
    """Note the one purchase of a turn; the turn goes on if it made an exchange possible (Exchanging Private Companies).

    Args:
        s: the state, changed in place.
        seat: who bought.
        opened: the private or the company that was bought, if it can be one side of an exchange.
    """
    r = s.stock
    r.bought = r.acted = True
    r.opened = opened if s.rules.turn_goes_on_for_exchange_only or int(s.phase) >= 6 else ""
    r.passes, r.last = 0, seat


def note_sale_of(s: State, seat: int, what: str) -> None:
    """Note a sale; what was sold cannot be bought by the same player this round."""
    note_sale(s.stock, seat, what)
    s.stock.last = seat


def has_sold_now(s: State, code: str) -> bool:
    """Return whether shares of this company were sold in this turn (Share Price Movement)."""
    return code in s.stock.just_sold


def make_round(s: State) -> Stock:
    """Return a fresh stock round, begun by the priority holder."""
    return Stock(turn=s.priority, sold=[[] for _ in range(s.seats)])


class SharePlan(Record, frozen=True):
    """A certificate to be bought, with its price."""

    seat: int
    company: str
    source: Literal["ipo", "pool"]
    price: int


def list_buy_options(s: State, seat: int) -> Iterator[BuyShare]:
    """Yield every certificate that may be bought."""
    if is_full(s, seat):
        return
    for company in s.companies.values():
        if not company.started or has_sold(s, seat, company.code):
            continue
        if company.ipo > company.reserved and trading.find_share_price(company, "ipo") <= s.cash[seat]:
            yield BuyShare(company.code, "ipo")
        swap = _may_swap(s, company, seat)
        if (company.ordinary_in_pool > 0 or swap) and company.price * (2 if swap else 1) <= s.cash[seat]:
            yield BuyShare(company.code, "pool")


def _may_swap(s: State, company: Company, seat: int) -> bool:
    """Return whether the director's certificate itself may be bought, the only one in the pool (differences 75)."""
    alone = company.director == POOL and company.ordinary_in_pool == 0
    return not s.rules.director_certificate_stays_in_pool and alone and company.shares[seat] == 1


def check_buy(s: State, seat: int, action: BuyShare) -> SharePlan:
    """Check the purchase of a certificate."""
    company = find_company(s, action.company)
    code = company.code
    trading.check_started(company, code, rule("Buying and Selling Shares"))
    swaps = action.source == "pool" and _may_swap(s, company, seat)
    if not swaps:
        _check_place(company, action.source)
    check_not_sold(s, seat, code)
    check_room(s, seat)
    if swaps:
        check_cash(s, seat, 2 * company.price, f"The director's certificate of {code}")
    cost = trading.find_share_price(company, action.source)
    check_cash(s, seat, cost, f"A share of {code}")
    return SharePlan(seat, code, action.source, cost)


def _check_place(company: Company, source: Literal["ipo", "pool"]) -> None:
    """Refuse a share from where none can be bought."""
    code, only_reserved = company.code, 0 < company.ipo <= company.reserved
    if source == "ipo" and only_reserved:
        private = next(private.name for private in PRIVATES.values() if private.railway == code)
        raise RuleError(
            f"The last share of {code} in the IPO is reserved for the owner of the {private}.",
            rule("Exchanging Private Companies"),
        )
    left = {"ipo": company.ipo - only_reserved, "pool": company.ordinary_in_pool}
    certificate = source == "pool" and company.pool > 0
    cited = rule("Companies In Receivership" if certificate else "Buying and Selling Shares")
    trading.check_available(code, source, cited, left, certificate=certificate)


def apply_buy(s: State, plan: SharePlan, tell: Tell) -> None:
    """Buy the certificate."""
    company = s.companies[plan.company]
    could = can_exchange(s, plan.seat, company)
    s.cash[plan.seat] -= plan.price
    trading.take_share(company, plan.seat, plan.source, plan.price, tell)
    companies.settle_director(s, company, tell)
    companies.settle_flotation(s, company, tell)
    opens = not could and can_exchange(s, plan.seat, company)
    note_purchase(s, plan.seat, plan.company if opens else "")


class SalePlan(Record, frozen=True):
    """Shares to be sold at ``each`` pounds, moving the price down ``steps`` spaces."""

    seat: int
    company: str
    count: int
    each: int
    steps: int


def list_sell_options(s: State, seat: int) -> Iterator[Sell]:
    """Yield every sale that is allowed."""
    for company in s.companies.values():
        if has_sold_now(s, company.code):
            continue
        for count in range(1, company.shares[seat] + 1):
            if _may_sell(company, seat, count):
                yield Sell(company.code, count)


def _may_sell(company: Company, seat: int, count: int) -> bool:
    """Return whether the director's certificate permits the sale (Buying and Selling Shares)."""
    return company.director != seat or companies.may_director_sell(company, seat, company.shares[seat] - count)


def check_sell(s: State, seat: int, action: Sell) -> SalePlan:
    """Check a sale."""
    company = find_company(s, action.company)
    code, held = company.code, company.shares[seat]
    if held and has_sold_now(s, code):
        raise RuleError(
            f"You have already sold {code} in this turn; all shares of a company must be sold at once.",
            rule("Share Price Movement"),
        )
    trading.check_block(code, held, action.count, rule("Buying and Selling Shares"))
    if not _may_sell(company, seat, action.count):
        raise RuleError(
            f"You can't keep one share of {code}: the bank pool has no share to exchange for the director's "
            "certificate. Sell both or none.",
            rule("Buying and Selling Shares"),
        )
    return SalePlan(
        seat,
        code,
        action.count,
        companies.find_sale_price(s, company),
        companies.count_sale_steps(s, company, action.count),
    )


def apply_sell(s: State, plan: SalePlan, tell: Tell) -> None:
    """Sell the shares; the price may fall, even to bankruptcy."""
    company = s.companies[plan.company]
    keep = company.shares[plan.seat] - plan.count
    was_director = company.director == plan.seat
    s.cash[plan.seat] += plan.count * plan.each
    trading.sell_to_pool(company, plan.seat, plan.count, plan.each, tell)
    if was_director:
        companies.replace_director_who_sold(company, plan.seat, keep, tell)
    note_sale_of(s, plan.seat, plan.company)
    s.stock.just_sold.append(plan.company)
    trading.lower_price(s, company, plan.steps, companies.explain_held_price(s, company), tell)
    companies.note_empty_bank(s, tell)
    if company.cell == 0 and not company.bankrupt:  # else it has not floated again (differences 83)
        companies.declare_bankrupt(s, company, tell)
        s.round = make_round(s)
        tell(RoundBegun(s.name))


class StartPlan(Record, frozen=True):
    """A company to be started."""

    seat: int
    company: str
    par: int


def list_pars(company: Company) -> Sequence[int]:
    """Return the pars a company may start at; any market price from 40 up once it was bankrupt (Bankrupt Companies)."""
    printed = company.charter.pars
    if not company.bankrupt:
        return printed
    return [price for price in MARKET.prices if MARKET.lowest_new_par <= price <= printed[-1]]


def find_start_refusal(s: State, company: Company) -> RuleError | None:
    """Return the refusal of a start by any player now, or nothing."""
    if company.director != IPO or company.par is not None:
        return RuleError(f"{company.code} has already been started.", rule("Buying and Selling Shares"))
    if s.rules.any_order:
        return _find_refusal_by_others(s, company)
    if company.charter.layer > s.layer:
        before = [other.code for other in s.companies.values() if other.charter.layer == company.charter.layer - 1]
        sentence = (
            f"{company.code} can't be started until {join_words(before, 'or')} has operated or has no shares left in "
            "the IPO."
        )
        return RuleError(sentence, rule("Major Companies"))
    return None


def _find_refusal_by_others(s: State, company: Company) -> RuleError | None:
    """Return the refusal of a start in any order: others wait to operate, or have shares left in the IPO."""
    others = [other for other in s.companies.values() if other.started and other is not company]
    waiting = [other.code for other in others if not other.operated]
    on_sale = [other.code for other in others if other.ipo > other.reserved]
    if len(waiting) <= 1 or not on_sale:
        return None
    sentence = (
        f"{company.code} can't be started yet: {join_words(waiting)} have yet to operate, and the IPO still has shares "
        f"of {join_words(on_sale)}."
    )
    return RuleError(sentence, rule("Variant: Ignoring historical order of companies"))


def check_par(allowed: Sequence[int], code: str, par: int, cited: Rule) -> int:
    """Return the par if it is allowed."""
    if par not in allowed:
        pars = join_words([UNITS.money(each) for each in allowed], "or")
        raise RuleError(f"The par of {code} can be {pars}, not {UNITS.money(par)}.", cited)
    return par


def list_start_options(s: State, seat: int) -> Iterator[Start]:
    """Yield every company that may be started, with each par that can be paid."""
    if is_full(s, seat):
        return
    for company in s.companies.values():
        if not has_sold(s, seat, company.code) and find_start_refusal(s, company) is None:
            yield from (Start(company.code, par) for par in list_pars(company) if 2 * par <= s.cash[seat])


def check_start(s: State, seat: int, action: Start) -> StartPlan:
    """Check the start of a company."""
    company = find_company(s, action.company)
    refusal = find_start_refusal(s, company)
    if refusal is not None:
        raise refusal
    check_not_sold(s, seat, company.code)
    range_ = rule("Bankrupt Companies") if company.bankrupt else rule("Buying and Selling Shares")
    par = check_par(list_pars(company), company.code, action.par, range_)
    check_room(s, seat)
    check_cash(s, seat, 2 * par, f"The director's certificate of {company.code}")
    return StartPlan(seat, company.code, par)


def apply_start(s: State, plan: StartPlan, tell: Tell) -> None:
    """Start the company."""
    company = s.companies[plan.company]
    s.cash[plan.seat] -= 2 * plan.par
    take_certificate(s, plan.seat, company, plan.par, tell)
    tell(CompanyStarted(plan.seat, plan.company, plan.par, 2 * plan.par))
    note_purchase(s, plan.seat, plan.company if can_exchange(s, plan.seat, company) else "")


def take_certificate(s: State, seat: int, company: Company, par: int, tell: Tell) -> None:
    """Hand over the director's certificate and set the par (Buying and Selling Shares)."""
    company.par = par
    trading.give_director_certificate(company, seat)
    if not s.rules.marker_placed_on_flotation:
        market.place_marker(s, company, par)
    companies.settle_flotation(s, company, tell)
