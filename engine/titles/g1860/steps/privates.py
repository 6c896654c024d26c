"""Private companies: what they pay, bought and sold, exchanged for a share or turned over."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import trading
from engine.record import Record, Rule
from engine.setup import LOBBY
from engine.title import Tell
from engine.titles.g1860 import companies
from engine.titles.g1860.actions import BuyPrivate, BuyShare, ClosePrivate, Exchange, Sell, SellPrivate
from engine.titles.g1860.catalogue import PRIVATES, UNITS, rule
from engine.titles.g1860.events import PrivateBought, PrivateClosed, PrivateExchanged, PrivateSold
from engine.titles.g1860.state import ASIDE, BANK, CLOSED, State
from engine.titles.g1860.steps import shares


def find_private_revenue(s: State, code: str) -> int:
    """Return what a private pays at the start of an operating round.

    With variable revenue (Variant: Variable revenue for private companies) Brading pays 10 once BHI&R has floated,
    Yarmouth 5 more once one train of FYN has run to Newport, and Ryde and Cowes half once
    the Fishbourne Ferry is bought.
    """
    revenue = PRIVATES[code].revenue
    if not s.rules.variable_privates:
        return revenue
    if code == "BHC" and (s.companies["BHI&R"].floated or s.companies["BHI&R"].operated):
        return 10
    fyn = s.companies["FYN"]
    if code == "YHC" and "Newport" in (fyn.through if s.rules.yarmouth_by_one_train else fyn.reached):
        return revenue + 5
    if code in {"RPSC", "CMH"} and s.privates["FFC"] != ASIDE:
        return revenue // 2
    return revenue


FISHBOURNE = "FFC"


class TradePlan(Record, frozen=True):
    """A private to change hands for a price."""

    seat: int
    private: str
    price: int


def find_private(code: str) -> str:
    """Return the code of a private company as typed.

    Raises:
        RuleError: there is none.
    """
    if code not in PRIVATES:
        known = ", ".join(f"{private.name} ({each})" for each, private in PRIVATES.items())
        raise RuleError(
            f"There is no company or private company “{code[:40]}”; private companies are {known}.",
            rule("Private Companies and the Initial Auction"),
        )
    return code


def is_on_offer(s: State, code: str) -> bool:
    """Return whether the bank sells a private: sold back to it, or Fishbourne from phase 6 on."""
    return s.privates[code] == BANK or (s.privates[code] == ASIDE and int(s.phase) >= 6)


def list_buy_options(s: State, seat: int) -> Iterator[BuyPrivate]:
    """Yield every private that may be bought."""
    if shares.is_full(s, seat):
        return
    for code, private in PRIVATES.items():
        if is_on_offer(s, code) and private.price <= s.cash[seat] and not _has_sold_for_good(s, seat, code):
            yield BuyPrivate(code)


def _has_sold_for_good(s: State, seat: int, code: str) -> bool:
    """Return whether a player has sold a private in this round and may not buy it back (Selling Private Companies)."""
    return not s.rules.sold_privates_bought_back and shares.has_sold(s, seat, code)


def check_buy(s: State, seat: int, action: BuyPrivate) -> TradePlan:
    """Check the purchase of a private from the bank; of a company that is named like one, a share is meant."""
    if action.private in s.companies:
        shares.check_buy(s, seat, BuyShare(action.private, "ipo"))
    code = find_private(action.private)
    name, owner = PRIVATES[code].name, s.privates[code]
    if owner == CLOSED:
        raise RuleError(f"The {name} has closed and is out of the game.", rule("Selling Private Companies"))
    if owner >= 0:
        whose = "You already own" if owner == seat else f"{{{owner}}} owns"
        barred = "" if owner == seat else ", and private companies can't be traded between players"
        raise RuleError(
            f"{whose} the {name}{barred}.", rule("Selling Private Companies" if owner == seat else "Miscellaneous")
        )
    if not is_on_offer(s, code):
        raise RuleError(
            f"The {name} can't be bought until the first 6+3 train has been sold.", rule("The Fishbourne Ferry Company")
        )
    if _has_sold_for_good(s, seat, code):
        raise RuleError(f"You sold the {name} in this stock round, so you can't buy it until the next one.", LOBBY)
    shares.check_room(s, seat)
    at = rule("The Fishbourne Ferry Company" if code == FISHBOURNE else "Selling Private Companies")
    trading.check_cash(PRIVATES[code].price, s.cash[seat], f"The {name}", UNITS, at)
    return TradePlan(seat, code, PRIVATES[code].price)


def apply_buy(s: State, plan: TradePlan, tell: Tell) -> None:
    """Buy the private; the Fishbourne Ferry closes all others, unless revenue varies."""
    s.cash[plan.seat] -= plan.price
    s.privates[plan.private] = plan.seat
    tell(PrivateBought(plan.seat, plan.private, plan.price))
    if plan.private == FISHBOURNE and not s.rules.variable_privates:
        for code in PRIVATES:
            if code != FISHBOURNE and s.privates[code] != CLOSED:
                close_private(s, code, tell)
    railway = PRIVATES[plan.private].railway
    any_linked = not s.rules.turn_goes_on_for_exchange_only
    opens = railway and (any_linked or shares.is_exchangeable(s, s.companies[railway]))
    shares.note_purchase(s, plan.seat, plan.private if opens else "")


def close_private(s: State, code: str, tell: Tell) -> None:
    """Take a private out of the game; the share reserved for it becomes ordinary (Exchanging Private Companies)."""
    s.privates[code] = CLOSED
    railway = PRIVATES[code].railway
    if railway:
        s.companies[railway].reserved = False
    tell(PrivateClosed(code))


def list_sell_options(s: State, seat: int) -> Iterator[SellPrivate]:
    """Yield every private that may be sold: from the second stock round on (Selling Private Companies)."""
    if s.turn > 1 and not s.rules.variable_privates:
        yield from (SellPrivate(code) for code, owner in s.privates.items() if owner == seat)


def check_sell(s: State, seat: int, action: SellPrivate) -> TradePlan:
    """Check the sale of a private to the bank; of a company that is named like one, a share is meant."""
    if action.private in s.companies:
        shares.check_sell(s, seat, Sell(action.private, 1))
    code = find_private(action.private)
    if s.rules.variable_privates:
        raise RuleError(
            "With variable revenue, private companies can't be sold; you can close them.",
            rule("Variant: Variable revenue for private companies", edition="first"),
        )
    _check_owner(s, seat, code, rule("Selling Private Companies"))
    if s.turn < 2:
        raise RuleError(
            "Private companies can't be sold before the second stock round.", rule("Selling Private Companies")
        )
    return TradePlan(seat, code, PRIVATES[code].sold_for)


def apply_sell(s: State, plan: TradePlan, tell: Tell) -> None:
    """Sell the private for its value less 30."""
    s.cash[plan.seat] += plan.price
    s.privates[plan.private] = BANK
    tell(PrivateSold(plan.seat, plan.private, plan.price))
    shares.note_sale_of(s, plan.seat, plan.private)
    companies.note_empty_bank(s, tell)


def _check_owner(s: State, seat: int, code: str, cited: Rule) -> None:
    """Refuse to let a player dispose of a private company that isn't theirs."""
    if s.privates[code] != seat:
        raise RuleError(f"You don't own the {PRIVATES[code].name}.", cited)


class ExchangePlan(Record, frozen=True):
    """A private to be given up."""

    seat: int
    private: str


def list_exchange_options(s: State, seat: int) -> Iterator[Exchange]:
    """Yield every exchange that is allowed."""
    if s.rules.variable_privates:
        return
    for code, owner in s.privates.items():
        railway = PRIVATES[code].railway
        if owner == seat and railway and shares.is_exchangeable(s, s.companies[railway]):
            yield Exchange(code)


def check_exchange(s: State, seat: int, action: Exchange) -> ExchangePlan:
    """Check an exchange."""
    code = find_private(action.private)
    name, railway = PRIVATES[code].name, PRIVATES[code].railway
    if s.rules.variable_privates:
        raise RuleError(
            "With variable revenue, private companies can't be exchanged; you can close them.",
            rule("Variant: Variable revenue for private companies", edition="first"),
        )
    if not railway:
        raise RuleError(
            f"The {name} isn't linked to a railway, so it can't be exchanged.", rule("Exchanging Private Companies")
        )
    _check_owner(s, seat, code, rule("Exchanging Private Companies"))
    company = s.companies[railway]
    if company.bankrupt and s.rules.exchange_after_flotation:
        raise RuleError(
            f"{railway} is bankrupt; the {name} can be exchanged once it has floated again.",
            rule("Exchanging Private Companies"),
        )
    if not company.started:
        raise RuleError(
            f"The {name} can be exchanged once the director's certificate of {railway} has been sold.",
            rule("Exchanging Private Companies"),
        )
    return ExchangePlan(seat, code)


def apply_exchange(s: State, plan: ExchangePlan, tell: Tell) -> None:
    """Take the top certificate of the IPO for the private, which leaves the game."""
    company = s.companies[PRIVATES[plan.private].railway]
    s.privates[plan.private] = CLOSED
    company.reserved = False
    company.ipo -= 1
    company.shares[plan.seat] += 1
    tell(PrivateExchanged(plan.seat, plan.private, company.code))
    companies.settle_director(s, company, tell)
    companies.settle_flotation(s, company, tell)


def list_close_options(s: State, seat: int) -> Iterator[ClosePrivate]:
    """Yield every private that may be turned over, with variable revenue only."""
    if s.rules.variable_privates:
        yield from (ClosePrivate(code) for code, owner in s.privates.items() if owner == seat)


def check_close(s: State, seat: int, action: ClosePrivate) -> ExchangePlan:
    """Check the closing of a private."""
    code = find_private(action.private)
    if not s.rules.variable_privates:
        raise RuleError(
            "Players can't close private companies; sell or exchange yours.", rule("Selling Private Companies")
        )
    _check_owner(s, seat, code, rule("Variant: Variable revenue for private companies", edition="first"))
    return ExchangePlan(seat, code)


def apply_close(s: State, plan: ExchangePlan, tell: Tell) -> None:
    """Turn the private over: no revenue, no certificate; it still counts at the end."""
    close_private(s, plan.private, tell)
    s.turned_over.append((plan.private, plan.seat))
