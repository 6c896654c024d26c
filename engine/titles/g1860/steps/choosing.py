"""Choosing a lot after winning an auction (2.5-2.8)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.events import CompanyStarted
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860.actions import BuyPrivate, Start
from engine.titles.g1860.catalogue import CHARTERS, PRIVATES
from engine.titles.g1860.events import PrivateBought
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Auction, State
from engine.titles.g1860.steps import starting
from engine.titles.g1860.steps.bidding import lot_price


class Plan(Record, frozen=True):
    """A lot to be taken; ``par`` is 0 for a private."""

    seat: int
    lot: str
    price: int
    par: int


def options(s: State, seat: int) -> Iterator[BuyPrivate | Start]:
    """Yield every lot that can be paid for, director's certificates with each par."""
    short = _destitute(s, seat)
    for lot in s.auction.lots:
        if short is not None and lot != short:
            continue
        if lot in PRIVATES:
            if short or PRIVATES[lot].price <= s.cash[seat]:
                yield BuyPrivate(lot)
        else:
            pars = CHARTERS[lot].pars[:1] if short else CHARTERS[lot].pars
            yield from (Start(lot, par) for par in pars if short or 2 * par <= s.cash[seat])


def check(s: State, seat: int, action: BuyPrivate | Start) -> Plan:
    """Check the choice of a lot."""
    r = s.auction
    lot = action.private if isinstance(action, BuyPrivate) else action.company
    if lot not in r.lots:
        left = [f"{PRIVATES[each].name} ({each})" if each in PRIVATES else each for each in r.lots]
        raise RuleError(f"“{lot[:40]}” is not among the lots left: {', '.join(left)}.", rule("2.5"))
    if isinstance(action, BuyPrivate) is not (lot in PRIVATES):
        how = "a private company: buy it" if lot in PRIVATES else "a railway: start it and set its par"
        raise RuleError(f"{lot} is {how}.", rule("2.5"))
    short = _destitute(s, seat)
    if short is not None:
        return _check_destitute(s, seat, action, short)
    if isinstance(action, BuyPrivate):
        price, par = PRIVATES[lot].price, 0
    else:
        par = starting.check_par(CHARTERS[lot].pars, lot, action.par)
        price = 2 * par
    if price > s.cash[seat]:
        raise RuleError(f"{lot} costs £{price}; you have £{s.cash[seat]} left.", rule("2.5"))
    return Plan(seat, lot, price, par)


def _destitute(s: State, seat: int) -> str | None:
    """Return the lot a player must take who can pay for none: the cheapest, for all his cash (2.6)."""
    cheapest = min(s.auction.lots, key=lot_price)
    return cheapest if lot_price(cheapest) > s.cash[seat] else None


def _check_destitute(s: State, seat: int, action: BuyPrivate | Start, short: str) -> Plan:
    """Check the choice of a player who can pay for no lot."""
    lot = action.private if isinstance(action, BuyPrivate) else action.company
    if lot != short:
        raise RuleError(f"You can pay for no lot, so you take the cheapest, {short}, for all you have.", rule("2.6"))
    par = 0
    if isinstance(action, Start):
        par = CHARTERS[lot].pars[0]
        if action.par != par:
            raise RuleError(f"For less than its price {lot} starts at its lowest par, {par}.", rule("2.6"))
    return Plan(seat, lot, s.cash[seat], par)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Take the lot and open the next auction left of the winner (2.7)."""
    r = s.auction
    s.cash[plan.seat] -= plan.price
    if plan.par:
        starting.take(s, plan.seat, s.companies[plan.lot], plan.par, tell)
        tell(CompanyStarted(plan.seat, plan.lot, plan.par, plan.price))
    else:
        s.privates[plan.lot] = plan.seat
        tell(PrivateBought(plan.seat, plan.lot, plan.price))
    lots = [lot for lot in r.lots if lot != plan.lot]
    s.round = Auction(lots, turn=(plan.seat + 1) % s.seats)


def first_deal(s: State) -> int:
    """Return who gets the priority deal after the auction: most cash, then privates (2.8)."""
    most = max(s.cash)
    tied = [seat for seat in range(s.seats) if s.cash[seat] == most]
    if len(tied) == 1:
        return tied[0]
    worth = {
        seat: sum(PRIVATES[code].price for code, owner in s.privates.items() if owner == seat)
        for seat in (range(s.seats) if s.rules.tie_of_all else tied)
    }
    owners = [seat for seat, value in worth.items() if value]
    return min(owners, key=lambda seat: worth[seat]) if owners else tied[0]
