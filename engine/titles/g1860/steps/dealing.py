"""What the parts of a player's deal in a stock round have in common (4.1-4.5, 4.14)."""

from engine.errors import RuleError
from engine.finance import buying
from engine.finance.stock_turn import note_sale
from engine.titles.g1860.catalogue import PLAYERS, PRIVATES, UNITS
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Company, State, Stock


def company(s: State, code: str) -> Company:
    """Return the company of a code as typed.

    Raises:
        RuleError: there is none.
    """
    found = s.companies.get(code)
    if found is None:
        raise RuleError(f"There is no company “{code[:40]}”; there are {', '.join(s.companies)}.", rule("1.3"))
    return found


def limit(s: State) -> int:
    """Return how many certificates a player may hold (1.5); endless from the first 8+4 on (4.14)."""
    return 10_000 if s.unlimited else PLAYERS.certificates[s.seats]


def full(s: State, seat: int) -> bool:
    """Tell whether a player may take no further certificate (4.14)."""
    return s.certificates(seat) >= limit(s)


def over(s: State, seat: int) -> bool:
    """Tell whether a player must sell before anything else (4.14)."""
    return s.certificates(seat) > limit(s)


def sold(s: State, seat: int, code: str) -> bool:
    """Tell whether a player sold of this company in this round (4.5)."""
    return code in s.stock.sold[seat]


def check_room(s: State, seat: int) -> None:
    """Refuse a purchase at the certificate limit."""
    buying.check_room(s.certificates(seat), limit(s), rule("4.14"))


def check_not_sold(s: State, seat: int, code: str) -> None:
    """Refuse a purchase in a company sold this round."""
    buying.check_not_sold(code, rule("4.5"), sold=sold(s, seat, code))


def check_cash(s: State, seat: int, price: int, what: str) -> None:
    """Refuse a purchase that cannot be paid."""
    buying.check_cash(price, s.cash[seat], what, UNITS, rule("4.3"))


def exchangeable(s: State, company: Company) -> bool:
    """Return whether a private may be swapped for a share of its company (3.4, 3.5)."""
    return company.started and not (company.bankrupt and s.rules.exchange_after_flotation)


def can_exchange(s: State, seat: int, company: Company) -> bool:
    """Return whether a player has the private of a company and may swap it."""
    owners = (s.privates[code] for code, private in PRIVATES.items() if private.railway == company.code)
    return exchangeable(s, company) and seat in owners


def bought(s: State, seat: int, opened: str = "") -> None:
    """Note the one purchase of a turn; the turn goes on if it made an exchange possible (3.4).

    Args:
        s: the state, changed in place.
        seat: who bought.
        opened: the private or the company that was bought, if it can be one side of an exchange.
    """
    r = s.stock
    r.bought = r.acted = True
    r.opened = opened if s.rules.turn_goes_on_for_exchange_only or int(s.phase) >= 6 else ""
    r.passes, r.last = 0, seat


def sold_something(s: State, seat: int, what: str) -> None:
    """Note a sale; what was sold cannot be bought by the same player this round."""
    note_sale(s.stock, seat, what)
    s.stock.last = seat


def turn_sold(s: State, code: str) -> bool:
    """Tell whether shares of this company were sold in this turn (4.7)."""
    return code in s.stock.just_sold


def new_round(s: State) -> Stock:
    """Return a fresh stock round, begun by the priority holder (4.1, 8.3)."""
    return Stock(turn=s.priority, sold=[[] for _ in range(s.seats)])
