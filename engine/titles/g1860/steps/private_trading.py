"""Private companies bought from the bank and sold to it (3.2, 3.3, 3.7, 3.8)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import market
from engine.titles.g1860.actions import BuyPrivate, BuyShare, Sell, SellPrivate
from engine.titles.g1860.catalogue import PRIVATES
from engine.titles.g1860.events import PrivateBought, PrivateClosed, PrivateSold
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import ASIDE, BANK, CLOSED, State
from engine.titles.g1860.steps import buying, dealing, selling

FISHBOURNE = "FFC"


class Plan(Record, frozen=True):
    """A private to change hands for a price."""

    seat: int
    private: str
    price: int


def known(code: str) -> str:
    """Return the code of a private company as typed.

    Raises:
        RuleError: there is none.
    """
    if code not in PRIVATES:
        known = ", ".join(f"{private.name} ({each})" for each, private in PRIVATES.items())
        raise RuleError(
            f"There is no company or private company “{code[:40]}”; private companies are {known}.", rule("3.1")
        )
    return code


def on_offer(s: State, code: str) -> bool:
    """Tell whether the bank sells a private: sold back to it, or Fishbourne from phase 6 on (3.7)."""
    return s.privates[code] == BANK or (s.privates[code] == ASIDE and int(s.phase) >= 6)


def buy_options(s: State, seat: int) -> Iterator[BuyPrivate]:
    """Yield every private that may be bought."""
    if dealing.full(s, seat):
        return
    for code, private in PRIVATES.items():
        if on_offer(s, code) and private.price <= s.cash[seat] and not _sold_for_good(s, seat, code):
            yield BuyPrivate(code)


def _sold_for_good(s: State, seat: int, code: str) -> bool:
    """Return whether a player has sold a private in this round and may not buy it back (3.3)."""
    return not s.rules.sold_privates_bought_back and dealing.sold(s, seat, code)


def check_buy(s: State, seat: int, action: BuyPrivate) -> Plan:
    """Check the purchase of a private from the bank; of a company that is named like one, a share is meant."""
    if action.private in s.companies:
        buying.check(s, seat, BuyShare(action.private, "ipo"))
    code = known(action.private)
    if not on_offer(s, code):
        when = " before the first 6+3 train" if s.privates[code] == ASIDE else ""
        raise RuleError(f"The bank does not sell {code}{when}.", rule("3.7" if when else "3.2"))
    dealing.check_room(s, seat)
    if _sold_for_good(s, seat, code):
        dealing.check_not_sold(s, seat, code)
    dealing.check_cash(s, seat, PRIVATES[code].price, PRIVATES[code].name)
    return Plan(seat, code, PRIVATES[code].price)


def apply_buy(s: State, plan: Plan, tell: Tell) -> None:
    """Buy the private; the Fishbourne Ferry closes all others (3.7), unless revenue varies (12.9)."""
    s.cash[plan.seat] -= plan.price
    s.privates[plan.private] = plan.seat
    tell(PrivateBought(plan.seat, plan.private, plan.price))
    if plan.private == FISHBOURNE and not s.rules.variable_privates:
        for code in PRIVATES:
            if code != FISHBOURNE and s.privates[code] != CLOSED:
                close(s, code, tell)
    railway = PRIVATES[plan.private].railway
    any_linked = not s.rules.turn_goes_on_for_exchange_only
    opens = railway and (any_linked or dealing.exchangeable(s, s.companies[railway]))
    dealing.bought(s, plan.seat, plan.private if opens else "")


def close(s: State, code: str, tell: Tell) -> None:
    """Take a private out of the game; the share reserved for it becomes ordinary (3.6)."""
    s.privates[code] = CLOSED
    railway = PRIVATES[code].railway
    if railway:
        s.companies[railway].reserved = False
    tell(PrivateClosed(code))


def sell_options(s: State, seat: int) -> Iterator[SellPrivate]:
    """Yield every private that may be sold: from the second stock round on (3.2)."""
    if s.turn > 1 and not s.rules.variable_privates:
        yield from (SellPrivate(code) for code, owner in s.privates.items() if owner == seat)


def check_sell(s: State, seat: int, action: SellPrivate) -> Plan:
    """Check the sale of a private to the bank; of a company that is named like one, a share is meant."""
    if action.private in s.companies:
        selling.check(s, seat, Sell(action.private, 1))
    code = known(action.private)
    if s.privates[code] != seat:
        raise RuleError(f"You do not own the {PRIVATES[code].name}.", rule("3.2"))
    if s.rules.variable_privates:
        raise RuleError("With variable revenue privates are not sold to the bank.", rule("12.9"))
    if s.turn < 2:
        raise RuleError("Privates can be sold from the second stock round on.", rule("3.2"))
    return Plan(seat, code, PRIVATES[code].sold_for)


def apply_sell(s: State, plan: Plan, tell: Tell) -> None:
    """Sell the private for its value less 30."""
    s.cash[plan.seat] += plan.price
    s.privates[plan.private] = BANK
    tell(PrivateSold(plan.seat, plan.private, plan.price))
    dealing.sold_something(s, plan.seat, plan.private)
    market.watch_bank(s, tell)
