"""Buying and selling shares and paying dividends: checks, transfers, and the words of these choices."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from engine.errors import RuleError
from engine.finance import market
from engine.finance.events import (
    HELD,
    DirectorChanged,
    DividendPaid,
    Held,
    PriceHeld,
    PriceStayed,
    ShareBought,
    SharesSold,
    describe_purchase,
)
from engine.finance.holdings import describe_control
from engine.finance.rounds import list_clockwise
from engine.finance.state import ShareCompany, ShareState
from engine.printed import PrintedCompany, Units
from engine.record import Action, Rule
from engine.title import Ask, Tell
from engine.words import join_words, pluralise


class BuyOfShare(Action, frozen=True):
    """Buy a share of a company from a source; titles extend it with their own sources."""

    company: str
    source: str


class SaleOfShares(Action, frozen=True):
    """Sell shares of a company; titles say what it is called."""

    company: str
    count: int


def give_director_certificate(company: ShareCompany, seat: int) -> None:
    """Give a player the director's certificate of a company that starts."""
    company.director = seat
    company.shares[seat] += company.certificate
    company.ipo -= company.certificate


def change_director(company: ShareCompany, seat: int, tell: Tell) -> None:
    """Make a player the director."""
    company.director = seat
    tell(DirectorChanged(company.code, seat))


def count_certificates(companies: Iterable[ShareCompany], seat: int) -> int:
    """Count a player's certificates of companies; the director's is one."""
    found = 0
    for company in companies:
        found += company.shares[seat] - (company.certificate - 1) * (company.director == seat)
    return found


def explain_too_many(held: int, limit: int) -> str:
    """Return the refusal of a pass above the certificate limit."""
    return f"You hold {held} certificates; the limit is {limit}, so you can't pass until you sell."


def explain_only_sell(held: int, limit: int) -> str:
    """Return the refusal of anything but a sale above the certificate limit."""
    return f"You hold {held} certificates; the limit is {limit}, so you must sell first."


def find_successor(company: ShareCompany, holder: int, keep: int) -> int | None:
    """Return who takes the director's certificate from a holder that keeps so many shares; ``None`` if no one does.

    The player with the most shares, more than the holder keeps and at least as many as the certificate stands for;
    the nearest on the holder's left in a tie.
    """
    shares, least = company.shares, max(company.certificate, keep + 1)
    able = [seat for seat in list_clockwise(holder, len(shares))[1:] if shares[seat] >= least]
    return max(able, key=shares.__getitem__, default=None)


def find_share_price(company: ShareCompany, source: str) -> int:
    """Return what a share costs: par from the IPO, else the market price."""
    return (company.par or 0) if source == "ipo" else company.price


def rate_purchase(company: ShareCompany, source: str) -> int:
    """Return how good a purchase looks: the market price in percent of the cost, plus ten for each train."""
    return 100 * company.price // max(1, find_share_price(company, source)) + 10 * len(company.trains)


def check_started(company: ShareCompany, code: str, rule: Rule) -> None:
    """Refuse shares of a company that has not been started."""
    if company.par is None:
        raise RuleError(f"{code} hasn't been started; its director's certificate must be bought first.", rule)


def check_room(held: int, limit: int, rule: Rule) -> None:
    """Refuse a purchase at the certificate limit."""
    if held >= limit:
        raise RuleError(f"You hold {held} certificates; the limit is {limit}, so you must sell before you buy.", rule)


def check_not_sold(code: str, rule: Rule, *, sold: bool) -> None:
    """Refuse shares of a company that the player sold this round."""
    if sold:
        raise RuleError(f"You sold {code} in this stock round, so you can't buy it until the next one.", rule)


_PLACES = {"ipo": "the IPO", "pool": "the bank pool", "treasury": "its treasury"}


def check_available(code: str, source: str, rule: Rule, left: Mapping[str, int], *, certificate: bool) -> None:
    """Refuse a share from a place that has none.

    Args:
        code: of the company.
        source: where the player would buy.
        rule: that the refusal cites.
        left: shares for sale by place; a refusal names the other places that have some.
        certificate: whether the director's certificate lies there, which is not for sale.
    """
    if left[source] < 1:
        held = " other than the director's certificate, which can't be bought" if certificate else ""
        others = [_PLACES[place] for place, count in left.items() if count > 0]
        instead = f"; buy from {join_words(others, 'or')}" if others else ""
        raise RuleError(f"There are no shares of {code} in {_PLACES[source]}{held}{instead}.", rule)


def check_block(code: str, held: int, count: int, rule: Rule) -> None:
    """Refuse to sell no shares of a company, or more than a player holds."""
    if not held:
        raise RuleError(f"You hold no shares of {code}.", rule)
    if not 1 <= count <= held:
        most = f"10% to {held * 10}%" if held > 1 else "10%"
        raise RuleError(f"You hold {held * 10}% of {code}, so you can sell {most}, not {count * 10}%.", rule)


def check_cash(price: int, cash: int, what: str, units: Units, rule: Rule) -> None:
    """Refuse a purchase that the player cannot pay for."""
    if price > cash:
        raise RuleError(f"{what} costs {units.money(price)}; you have {units.money(cash)}.", rule)


def take_share(company: ShareCompany, seat: int, source: str, price: int, tell: Tell) -> None:
    """Give a player a share from the IPO or the pool; a title takes it from elsewhere itself."""
    if source == "ipo":
        company.ipo -= 1
    elif source == "pool":
        company.pool -= 1
    company.shares[seat] += 1
    tell(ShareBought(seat, company.code, source, price))


def sell_to_pool(company: ShareCompany, seat: int, count: int, each: int, tell: Tell) -> None:
    """Put a player's shares into the pool at ``each``; the title pays for them."""
    company.shares[seat] -= count
    company.pool += count
    tell(SharesSold(seat, company.code, count, each))


def lower_price(s: ShareState, company: ShareCompany, steps: int, why: Held, tell: Tell) -> None:
    """Move the price down after a sale; ``why`` is the reason if it stays."""
    if not steps and company.cell is not None:
        tell(PriceHeld(company.code, company.price, why))
    market.move_marker(s, company, -steps, tell)


KEPT_STEPS = -2
"""Spaces that a price moves if nothing is paid."""


def compute_dividend_per_share(units: Units, paid: int) -> int:
    """Return the dividend of one share."""
    return paid * units.share // 100


def compute_dividends(units: Units, company: ShareCompany, paid: int) -> tuple[int, ...]:
    """Return the dividend of each seat."""
    return tuple(compute_dividend_per_share(units, paid) * held for held in company.shares)


def pay_out(s: ShareState, units: Units, company: ShareCompany, revenue: int, tell: Tell) -> None:
    """Pay a revenue to the players; shares in the IPO and pool receive nothing."""
    paid = compute_dividends(units, company, revenue)
    for seat, amount in enumerate(paid):
        s.cash[seat] += amount
    tell(DividendPaid(company.code, revenue, paid))


def find_price_after_dividend(company: ShareCompany, paid: int) -> int:
    """Return the price after ``paid`` was paid out, 0 if nothing was."""
    return market.find_price_after(company, _count_dividend_steps(company.price, paid))


def _count_dividend_steps(price: int, paid: int) -> int:
    """Return the spaces a price moves: two up for each multiple of it, up to four; two down for nothing."""
    return 2 * min(4, paid // price) if paid else KEPT_STEPS


def move_for_dividend(s: ShareState, company: ShareCompany, paid: int, tell: Tell) -> bool:
    """Move the price after ``paid`` was paid out, 0 if nothing was; return whether it moved.

    It stays if less than the price was paid.
    """
    price = company.price
    steps = _count_dividend_steps(price, paid)
    if steps:
        market.move_marker(s, company, steps, tell)
    else:
        tell(PriceStayed(company.code, price, paid))
    return steps != 0


def describe_keeping(units: Units, company: ShareCompany, kept: str) -> str:
    """Return the label for keeping revenue: "Keep 80cc · price £54→£50"; ``kept`` is the money."""
    return f"Keep {kept} · price {units.move(company.price, find_price_after_dividend(company, 0))}"


def describe_paying(units: Units, company: ShareCompany, paid: int, beside: str = "") -> str:
    """Return the label for paying out: "Pay £16 a share · price £54→£58 · you £128, {2} £32".

    Args:
        units: of the title.
        company: that pays.
        paid: in total.
        beside: words to add about the money.
    """
    price = company.price
    less = f" because {units.money(paid)} is less" if paid < price else ""
    move = f"price {units.move(price, find_price_after_dividend(company, paid))}{less}"
    who = _describe_amounts(units, compute_dividends(units, company, paid), company.director)
    return f"Pay {units.money(compute_dividend_per_share(units, paid))} a share{beside} · {move} · {who}"


def _describe_amounts(units: Units, amounts: Sequence[int], director: int) -> str:
    """Return who receives what of a dividend; the director, who reads it, comes first."""
    first = [f"you {units.money(amounts[director])}"] if 0 <= director < len(amounts) and amounts[director] else []
    rest = [f"{{{seat}}} {units.money(each)}" for seat, each in enumerate(amounts) if each and seat != director]
    return ", ".join([*first, *rest]) or "no one holds shares"


S = TypeVar("S")
Labels = Mapping[tuple[type[Action], str], Callable[[S, Any], str]]
"""One function a parameter, or for the whole of an action where that is ""; each takes its own type of action."""

LABEL_MAX = 200
"""Length of a label; what shows it may cut it shorter."""

OVER = Ask((), "The game is over", "", pictures=("card", "table", "chart", "map"))
ABOVE_LIMIT = "You are above the certificate limit, so you must sell first."
_LYING = {"ipo": "IPO", "pool": "bank pool", "treasury": "treasury"}


def find_label(labels: Labels[S], s: S, action: Action, parameter: str) -> str:
    """Return the title's words for one parameter of an action, else what players type for it."""
    words = labels.get((type(action), parameter))
    return words(s, action)[:LABEL_MAX] if words else str(getattr(action, parameter, ""))


def describe_charter(printed: PrintedCompany) -> str:
    """Return the label of a company to start: "IOW · Isle of Wight Railway, home Ryde"."""
    return f"{printed.code} · {printed.name}, home {printed.place}"


def describe_par(units: Units, price: int, shares: int) -> str:
    """Return the label of a par, with the price of a director's certificate of ``shares`` shares."""
    return f"par {units.money(price)} · {units.money(shares * price)} for the director's certificate"


def describe_start(units: Units, company: str, price: int, shares: int) -> str:
    """Return the button for starting a company: "Start IOW at par £82 for £164"."""
    return f"Start {company} at par {units.money(price)} for {units.money(shares * price)}"


def describe_run(plan: str, best: str) -> str:
    """Return the button for a run; ``best`` is the plan that asks for the best run."""
    return "Run the best routes" if plan == best else "Run these routes"


def describe_run_plan(plan: str, best: str) -> str:
    """Return the words for a plan; ``best`` is the plan that asks for the best run."""
    return "the best run" if plan == best else plan


def describe_share(units: Units, company: ShareCompany, source: str, left: int) -> str:
    """Return the label of a share to buy: "10% IOW · bank pool · £74 (30% there)"."""
    where = f"{_LYING[source]} · {units.money(find_share_price(company, source))} ({units.percent(left)} there)"
    return f"{units.percent(1)} {company.code} · {where}"


def describe_buying(units: Units, company: ShareCompany, source: str) -> str:
    """Return the button for a purchase: "Buy 10% IOW from the IPO for £74"."""
    return f"Buy {describe_purchase(units, company.code, source, find_share_price(company, source))}"


def describe_block(units: Units, count: int, each: int, prices: tuple[int, int], why: Held | None) -> str:
    """Return the label of a block of shares to sell: "20% · £108 · price £54→£50".

    Args:
        units: of the title.
        count: shares sold.
        each: the price of one.
        prices: before and after.
        why: why the price stays, if there is a reason to give.
    """
    held = f", {HELD[why]}" if why else ""
    return f"{units.percent(count)} · {units.money(count * each)} · price {units.move(*prices)}{held}"


def describe_sale(company: str, block: str) -> str:
    """Return the button for a sale; ``block`` is the label of the shares."""
    shares, money, price = block.split(" · ")
    return f"Sell {shares} {company} for {money} · {price}"


def describe_sellable(units: Units, company: ShareCompany, each: int, after: int) -> str:
    """Return the label of a company to sell: what a share brings, and the price after selling one."""
    half = ", half price without a train" if each < company.price else ""
    return f"{company.code} · {units.money(each)} a share{half} · selling one: {units.move(company.price, after)}"


def describe_holdings(units: Units, companies: Collection[ShareCompany], seat: int) -> list[str]:
    """Return a line about a player's shares and their directors; none without shares."""
    owned = describe_control(units, companies, seat)
    return [f"You hold {owned}."] if owned else []


def describe_passes(passes: int, seats: int) -> list[str]:
    """Return a line about the passes so far; none if there are none."""
    return [f"{pluralise(passes, 'pass', 'passes')} so far; {seats} in a row end the round."] if passes else []


def describe_dropouts(seats: Sequence[int]) -> str:
    """Return who has dropped out of an auction, to be appended: " Passed: {0} and {2}."; "" if no one has."""
    return f" Passed: {join_words([f'{{{seat}}}' for seat in seats])}." if seats else ""
