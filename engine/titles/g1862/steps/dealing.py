"""What the parts of a player's deal have in common (5)."""

from engine.errors import RuleError
from engine.finance import buying
from engine.titles.g1862.catalogue import UNITS
from engine.titles.g1862.rounds.records import Stock
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State


def company(s: State, code: str) -> Company:
    """Return the company of a code as typed.

    Raises:
        RuleError: there is none in play.
    """
    found = s.companies.get(code)
    if found is None or found.gone:
        codes = ", ".join(company.code for company in s.companies.values() if not company.gone)
        raise RuleError(f"There is no company “{code[:40]}” in play; there are {codes}.", rule("1.2"))
    return found


def full(s: State, seat: int) -> bool:
    """Tell whether a player may take no further certificate (5.3)."""
    return s.certificates(seat) >= s.limit


def above(s: State, seat: int) -> bool:
    """Return whether a player holds more certificates than the limit; no one does after the LNER (22.2)."""
    return s.certificates(seat) > s.limit and not s.lner


def over(s: State, seat: int) -> bool:
    """Return whether a player must sell before anything else (5.2): not what the sales of this turn made too many."""
    return above(s, seat) and (s.stock.above or not s.rules.excess_waits_for_next_turn)


def sold(s: State, seat: int, code: str) -> bool:
    """Tell whether a player sold of this company in this stock round (5.3)."""
    return isinstance(s.round, Stock) and code in s.round.sold[seat]


def check_room(s: State, seat: int) -> None:
    """Refuse a purchase at the certificate limit."""
    buying.check_room(s.certificates(seat), s.limit, rule("5.3"))


def check_not_sold(s: State, seat: int, code: str) -> None:
    """Refuse a purchase in a company sold this round."""
    buying.check_not_sold(code, rule("5.3"), sold=sold(s, seat, code))


def check_cash(s: State, seat: int, price: int, what: str) -> None:
    """Refuse a purchase that cannot be paid."""
    buying.check_cash(price, s.cash[seat], what, UNITS, rule("5.3"))


def bought(s: State, seat: int, code: str, shares: int) -> None:
    """Note a purchase: the one of a turn in a stock round, one of two extra shares in Parliament."""
    r = s.round
    if isinstance(r, Stock):
        r.bought = True
        r.passes = 0
        r.got[seat][code] = r.got[seat].get(code, 0) + shares


def new_round(s: State) -> Stock:
    """Return a stock round that begins with the priority deal."""
    return Stock(
        s.priority, above=above(s, s.priority), sold=[[] for _ in range(s.seats)], got=[{} for _ in range(s.seats)]
    )
