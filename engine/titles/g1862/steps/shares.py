"""A player's deal: buying and selling shares, starting companies (§4.2, §4.3, §6.2, §6.4.2, §6.3)."""

from collections.abc import Collection, Iterator
from typing import Literal

from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance import market, trading
from engine.finance.events import CompanyStarted
from engine.finance.rounds import note_sale
from engine.record import Record, Rule
from engine.setup import IMPORTED
from engine.title import Tell
from engine.titles.g1862 import companies, ground
from engine.titles.g1862.actions import BuyShare, Sell, Start
from engine.titles.g1862.catalogue import MARKET, UNITS, rule
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Parliament, SaleTerms, State, Stock
from engine.words import join_words


def find_company(s: State, code: str) -> Company:
    """Return the company of a code as typed.

    Raises:
        RuleError: there is none in play.
    """
    found = s.companies.get(code)
    if found is None or found.gone:
        codes = ", ".join(company.code for company in s.companies.values() if not company.gone)
        raise RuleError(f"There is no company “{code[:40]}” in play; there are {codes}.", rule("2.4.1"))
    return found


def is_full(s: State, seat: int) -> bool:
    """Return whether a player may take no further certificate (§6.5.2)."""
    return s.count_certificates(seat) >= s.limit


def is_above_limit(s: State, seat: int) -> bool:
    """Return whether a player holds more certificates than the limit; no one does after the LNER (§10.3)."""
    return s.count_certificates(seat) > s.limit and not s.lner


def must_sell(s: State, seat: int) -> bool:
    """Return whether a player must sell before anything else (§6.5.2): not for what this turn's sales made too many."""
    return is_above_limit(s, seat) and (s.stock.above or not s.rules.excess_waits_for_next_turn)


def has_sold(s: State, seat: int, code: str) -> bool:
    """Return whether a player sold of this company in this stock round (§6.5.1)."""
    return isinstance(s.round, Stock) and code in s.round.sold[seat]


def check_room(s: State, seat: int) -> None:
    """Refuse a purchase at the certificate limit."""
    if isinstance(s.round, Parliament) and is_full(s, seat):
        sentence = (
            f"You hold {s.count_certificates(seat)} certificates and the limit is {s.limit}, so you can't buy another."
        )
        raise RuleError(sentence, rule("6.5.2"))
    trading.check_room(s.count_certificates(seat), s.limit, rule("6.5.2"))


def check_not_sold(s: State, seat: int, code: str) -> None:
    """Refuse a purchase in a company sold this round."""
    trading.check_not_sold(code, rule("6.5.1"), sold=has_sold(s, seat, code))


def check_cash(s: State, seat: int, price: int, what: str, cited: Rule) -> None:
    """Refuse a purchase that cannot be paid."""
    trading.check_cash(price, s.cash[seat], what, UNITS, cited)


def note_purchase(s: State, seat: int, code: str, shares: int) -> None:
    """Note a purchase: the one of a turn in a stock round, one of two extra shares in Parliament."""
    r = s.round
    if isinstance(r, Stock):
        r.bought = True
        r.passes = 0
        r.got[seat][code] = r.got[seat].get(code, 0) + shares


def make_round(s: State) -> Stock:
    """Return a stock round that begins with the priority deal."""
    return Stock(
        s.priority,
        above=is_above_limit(s, s.priority),
        sold=[[] for _ in range(s.seats)],
        got=[{} for _ in range(s.seats)],
    )


Source = Literal["ipo", "pool", "treasury"]
SOURCES: tuple[Source, ...] = ("ipo", "pool", "treasury")
MAX_CHARTER_SHARES = 5
"""Shares of a company with which the winner of a charter adds no more (§4.2)."""


class SharePlan(Record, frozen=True):
    """A share to be bought, with its price."""

    seat: int
    company: str
    source: Source
    price: int


def count_lying(company: Company, source: Source) -> int:
    """Return how many ordinary certificates lie in a place."""
    if source == "ipo":
        return company.ipo
    return company.ordinary_in_pool if source == "pool" else company.treasury


def list_buy_options(s: State, seat: int) -> Iterator[BuyShare]:
    """Yield every share that may be bought."""
    r = s.round
    if is_full(s, seat):
        return
    if isinstance(r, Parliament):
        company = s.companies[r.lot]
        if r.extra and count_lying(company, "ipo") and trading.find_share_price(company, "ipo") <= s.cash[seat]:
            yield BuyShare(company.code, "ipo")
        return
    yield from _list_affordable(s, seat)


def _list_affordable(s: State, seat: int) -> Iterator[BuyShare]:
    """Yield every share that lies somewhere and that a player has the money for."""
    for company in s.companies.values():
        if company.started and not has_sold(s, seat, company.code):
            for source in SOURCES:
                if count_lying(company, source) > 0 and trading.find_share_price(company, source) <= s.cash[seat]:
                    yield BuyShare(company.code, source)


def may_add(s: State, winner: int) -> bool:
    """Return whether the winner of a charter can buy one share more: of his company, or of any (§4.2)."""
    if is_full(s, winner):
        return False
    if s.rules.parliament_adds_own_company:
        return any(list_buy_options(s, winner))
    return any(_list_affordable(s, winner)) or any(
        _takes_certificate(s, winner, company) for company in s.companies.values()
    )


def _takes_certificate(s: State, seat: int, company: Company) -> bool:
    """Return whether a player pays one share for the director's certificate in the pool, and gives two for it.

    So it is in Parliament where shares of any company are added, if nothing else lies there and three shares could be
    paid (differences 81).
    """
    return (
        isinstance(s.round, Parliament)
        and not s.rules.parliament_adds_own_company
        and company.receivership
        and company.ordinary_in_pool == 0
        and company.shares[seat] == DIRECTOR_SHARES - 1
        and DIRECTOR_SHARES * company.price <= s.cash[seat]
    )


def _can_be_added(s: State, company: Company, source: Source) -> bool:
    """Return whether the winner of a charter may buy such a share (§4.2)."""
    is_own = company.code == s.parliament.lot and source == "ipo"
    return is_own or not s.rules.parliament_adds_own_company


def check_buy(s: State, seat: int, action: BuyShare) -> SharePlan:
    """Check the purchase of a share."""
    company = find_company(s, action.company)
    code, source = company.code, action.source
    if isinstance(s.round, Parliament) and not _can_be_added(s, company, source):
        raise RuleError(f"In Parliament you can only buy shares of {s.round.lot} from the IPO.", rule("4.2"))
    trading.check_started(company, code, rule("6.5.3"))
    certificate = source == "pool" and company.pool > 0
    left: dict[str, int] = {place: count_lying(company, place) for place in SOURCES}
    if source != "pool" or not _takes_certificate(s, seat, company):
        trading.check_available(code, source, rule("6.3" if certificate else "6.5.1"), left, certificate=certificate)
    check_not_sold(s, seat, code)
    check_room(s, seat)
    cost = trading.find_share_price(company, source)  # never halved (§6.5.1)
    check_cash(s, seat, cost, f"A share of {code}", rule("4.2" if isinstance(s.round, Parliament) else "6.5.1"))
    return SharePlan(seat, code, source, cost)


def apply_buy(s: State, plan: SharePlan, tell: Tell) -> None:
    """Buy the share; the price of a treasury share goes to the company."""
    company = s.companies[plan.company]
    s.cash[plan.seat] -= plan.price
    if plan.source == "treasury":
        company.treasury -= 1
        company.cash += plan.price
    trading.take_share(company, plan.seat, plan.source, plan.price, tell)
    note_purchase(s, plan.seat, plan.company, 1)
    if isinstance(s.round, Parliament):
        _count_down_extra(s, s.round, company)
    companies.settle_director(company, tell)
    companies.settle_flotation(s, company, tell)


def _count_down_extra(s: State, r: Parliament, company: Company) -> None:
    """Count down what may still be added; there is no more without the money for another share of that company.

    Another company may be one without a charter, which has no par but its price (``parliament_adds_own_company``).
    """
    if company.code == r.lot:
        r.extra -= 1
    each = (company.par or 0) if company.chartered else company.price
    if company.shares[r.winner] >= MAX_CHARTER_SHARES or s.cash[r.winner] < each:
        r.extra = 0


class SalePlan(Record, frozen=True):
    """Shares to be sold, and on which terms."""

    seat: int
    company: str
    count: int
    terms: SaleTerms


def count_free_shares(s: State, company: Company, seat: int) -> int:
    """Return how many shares a player may sell: not those bought in this stock round, or only to pay a fine (§6.4)."""
    if s.stock.fines and not s.rules.fines_spare_new_shares:
        return company.shares[seat]
    return company.shares[seat] - s.stock.got[seat].get(company.code, 0)


def is_forced(s: State, seat: int) -> bool:
    """Return whether a player must sell and go on selling: to pay a fine, or to come down to the limit (§4.3, §6.5.2).

    They can then sell more of a company they have just sold; see ``find_sale_terms``.
    """
    must = bool(s.stock.fines) or (must_sell(s, seat) and s.rules.excess_sold_in_parts)
    return must and s.rules.forced_sales_go_on


def list_sell_options(s: State, seat: int) -> Iterator[Sell]:
    """Yield every block that may be sold."""
    done: Collection[str] = () if is_forced(s, seat) else s.stock.just_sold
    for company in s.companies.values():
        if company.code in done or not company.shares[seat]:
            continue
        for count in range(1, count_free_shares(s, company, seat) + 1):
            if company.director != seat or companies.may_director_sell(s, company, seat, count):
                yield Sell(company.code, count)


def check_sell(s: State, seat: int, action: Sell) -> SalePlan:
    """Check the sale of a block."""
    company = find_company(s, action.company)
    code, held = company.code, company.shares[seat]
    if held and code in s.stock.just_sold and not is_forced(s, seat):
        raise RuleError(
            f"You have already sold {code} in this turn; all shares of a company must be sold in one block.",
            rule("6.4"),
        )
    trading.check_block(code, held, action.count, rule("6.4"))
    if action.count > count_free_shares(s, company, seat):
        got = s.stock.got[seat][code]
        raise RuleError(
            f"You bought {got * 10}% of {code} in this stock round and must keep that much until it ends.",
            rule("6.4"),
        )
    if company.director == seat and not companies.may_director_sell(s, company, seat, action.count):
        raise RuleError(
            f"No other player can take the director's certificate of {code}, and there aren't enough ordinary "
            f"certificates for the {(held - action.count) * 10}% you would keep; sell a different number.",
            rule("6.3"),
        )
    if not action.recorded:
        return SalePlan(seat, code, action.count, find_sale_terms(s, company, seat))
    if not s.rules.stated_prices_count or action.recorded != company.price:
        raise RuleError("Only an imported game can state a price, and only the market price.", IMPORTED)
    return SalePlan(seat, code, action.count, replace(find_sale_terms(s, company, seat), each=action.recorded))


def find_sale_terms(s: State, company: Company, seat: int) -> SaleTerms:
    """Return the terms on which a player sells now: one who sold of the company in this turn goes on with that block.

    In a green zone the first shares of a block are free, unless the director sells (§6.4.2).
    """
    begun = s.stock.just_sold.get(company.code)
    if begun is not None and s.rules.forced_sales_in_one_block:
        return begun
    return SaleTerms(
        company.effective_price, 0 if company.director == seat else MARKET.count_free_shares(company.price)
    )


def apply_sell(s: State, plan: SalePlan, tell: Tell) -> None:
    """Sell the shares."""
    company, each, free = s.companies[plan.company], plan.terms.each, plan.terms.free
    s.stock.above = s.stock.above and is_above_limit(s, plan.seat)
    director = company.director == plan.seat
    trading.sell_to_pool(company, plan.seat, plan.count, each, tell)
    companies.pay(s, plan.seat, plan.count * each, tell)
    steps = companies.count_sale_steps(s, company, plan.count, free)
    if director:
        companies.replace_director_who_sold(company, plan.seat, tell)
    else:
        companies.settle_director(company, tell)
    r = s.stock
    r.just_sold[plan.company] = SaleTerms(each, max(0, free - plan.count))
    if not r.fines:
        note_sale(r, plan.seat, plan.company)
    trading.lower_price(s, company, steps, companies.explain_held_price(s, company), tell)


MAX_EXTRA_SHARES = 2
"""Shares that may be bought at once with a charter (§4.2)."""


class StartPlan(Record, frozen=True):
    """A company that may be started at a price."""

    seat: int
    company: str
    price: int


def list_start_options(s: State, seat: int) -> Iterator[Start]:
    """Yield every company and price that can be paid for."""
    r = s.round
    if isinstance(r, Parliament):
        yield from (Start(r.lot, par) for par in MARKET.pars if DIRECTOR_SHARES * par <= s.cash[seat])
        return
    if not may_start(s, seat):
        return
    for code in s.offer:
        if ground.is_startable(s, s.companies[code]) and not has_sold(s, seat, code):
            yield from (Start(code, price) for price in MARKET.starts if DIRECTOR_SHARES * price <= s.cash[seat])


def may_start(s: State, seat: int) -> bool:
    """Return whether a player may start a company in this stock round at all (§6.5.3, §10.3, §11.3)."""
    return not (s.rules.new_players or s.lner or is_full(s, seat) or s.cash[seat] < DIRECTOR_SHARES * MARKET.starts[0])


def check_start(s: State, seat: int, action: Start) -> StartPlan:
    """Check the start of a company."""
    company = find_company(s, action.company)
    if isinstance(s.round, Parliament):
        if company.code != s.round.lot:
            raise RuleError(f"You won the charter of {s.round.lot}, so you must start that company.", rule("4.2"))
        allowed, what, cited = MARKET.pars, "The par of a chartered company", rule("4.2")
    else:
        _check_start_of_company(s, seat, company)
        allowed, what, cited = MARKET.starts, "The starting price of a company without a charter", rule("6.5.3")
    if action.price not in allowed:
        prices = join_words([UNITS.money(price) for price in allowed], "or")
        raise RuleError(f"{what} can be {prices}, not {UNITS.money(action.price)}.", cited)
    if isinstance(s.round, Stock):
        check_room(s, seat)
    check_cash(s, seat, DIRECTOR_SHARES * action.price, f"The director's certificate of {company.code}", cited)
    return StartPlan(seat, company.code, action.price)


def _check_start_of_company(s: State, seat: int, company: Company) -> None:
    """Refuse a start in a stock round of this player or of this company."""
    if s.rules.new_players:
        raise RuleError("In the game for new players, companies can be started only in Parliament.", rule("11.3"))
    if s.lner:
        raise RuleError("No company can be started once the LNER has formed.", rule("10.3"))
    if company.started:
        raise RuleError(f"{company.code} has already been started.", rule("6.5.3"))
    if not s.has_begun(company.group):
        raise RuleError(f"{company.code} can't be started before phase {company.group}.", rule("3.2"))
    ground.check_startable(s, company)
    check_not_sold(s, seat, company.code)


def apply_start(s: State, plan: StartPlan, tell: Tell) -> None:
    """Start the company: pay the bank with a charter, else the company itself."""
    company = s.companies[plan.company]
    cost = DIRECTOR_SHARES * plan.price
    s.cash[plan.seat] -= cost
    company.former = plan.seat
    trading.give_director_certificate(company, plan.seat)
    tell(CompanyStarted(plan.seat, plan.company, plan.price, cost))
    r = s.round
    if isinstance(r, Parliament):
        company.chartered, company.par = True, plan.price
        r.extra = MAX_EXTRA_SHARES if s.cash[plan.seat] >= plan.price else 0
        if not s.rules.chartered_marker_waits:
            market.place_marker(s, company, plan.price)
        return
    company.chartered, company.par = False, MARKET.find_par(plan.price)
    company.cash += cost
    company.treasury, company.ipo = company.ipo, 0
    market.place_marker(s, company, plan.price)
    note_purchase(s, plan.seat, plan.company, DIRECTOR_SHARES)
