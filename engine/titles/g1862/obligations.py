"""Chartered companies that did not float: the fine, and the way back to the IPO (4)."""

from engine.finance.events import SharesSold
from engine.finance.stock_turn import clockwise
from engine.title import Tell
from engine.titles.g1862 import bank
from engine.titles.g1862.events import CharterFailed, DebtLapsed, FinePaid
from engine.titles.g1862.rounds.records import Fine
from engine.titles.g1862.setup import fresh_company
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, State
from engine.titles.g1862.steps import selling

FINE_SHARES = 5


def collect(s: State, first: int) -> list[Fine]:
    """Return the fines due at the end of a stock round, clockwise from a seat, by the age of the charters (4.1)."""
    failed = [company for company in s.companies.values() if company.obliged >= 0 and not company.floated]
    failed.sort(key=lambda company: company.stamp)
    return [
        Fine(seat, company.code, FINE_SHARES * (company.par or 0))
        for seat in clockwise(first, s.seats)
        for company in failed
        if company.obliged == seat
    ]


def _begin_fine(s: State, number: int, tell: Tell) -> None:
    """Take a fine from cash, then from the failed company's shares, which then go back (4.1, 4.2)."""
    fine = s.stock.fines[number]
    tell(CharterFailed(fine.seat, fine.company, fine.owed))
    company = s.companies[fine.company]
    owed = _from_cash(s, fine.seat, fine.owed, tell)
    if owed:
        _sell_failed(s, company, fine.seat, owed, tell)
        owed = _from_cash(s, fine.seat, owed, tell)
    _send_back(s, company)
    s.stock.fines[number] = Fine(fine.seat, "", owed)


def settle(s: State, tell: Tell) -> bool:
    """Go on with the fines; false when a player must choose what to sell."""
    r = s.stock
    begun = _next_begun(s)
    if begun is not None:
        _begin_fine(s, begun, tell)
        return True
    fine = r.fines[0]
    owed = fine.owed
    if s.rules.fines_taken_together:
        owed = sum(other.owed for other in r.fines if other.seat == fine.seat)
        r.fines = [fine, *(other for other in r.fines if other.seat != fine.seat)]
    if owed and (r.just_sold or not s.rules.fines_taken_together):
        owed = _from_cash(s, fine.seat, owed, tell)
    r.fines[0] = Fine(fine.seat, "", owed)
    if owed and any(selling.options(s, fine.seat)):
        return False
    if owed:
        tell(DebtLapsed(fine.seat, owed))
    r.fines.pop(0)
    if not (s.rules.forced_sales_in_one_block and r.fines and r.fines[0].seat == fine.seat):
        r.just_sold.clear()
    return True


def _next_begun(s: State) -> int | None:
    """Return the number of the fine to be taken now: the first one's turn, or all before any sale."""
    fines = s.stock.fines if s.rules.fines_taken_together else s.stock.fines[:1]
    return next((number for number, fine in enumerate(fines) if fine.company), None)


def _from_cash(s: State, seat: int, owed: int, tell: Tell) -> int:
    """Pay what can be paid; return what is still owed."""
    paid = min(owed, s.cash[seat])
    s.cash[seat] -= paid
    if paid:
        tell(FinePaid(seat, paid, owed - paid))
    return owed - paid


def _sell_failed(s: State, company: Company, seat: int, owed: int, tell: Tell) -> None:
    """Sell shares of the failed company at half of par until the fine is paid, the certificate last.

    Those bought in this stock round may not be sold, if fines spare them (4.1).
    """
    count, each = 0, company.effective
    most = selling.free_shares(s, company, seat)
    ordinary = company.ordinary(seat)
    while count < min(most, ordinary) and count * each < owed:
        count += 1
    if count * each < owed and company.director == seat and most >= DIRECTOR_SHARES:
        count = min(count, most - DIRECTOR_SHARES) + DIRECTOR_SHARES
    if count:
        tell(SharesSold(seat, company.code, count, each))
        bank.pay(s, seat, count * each, tell)


def _send_back(s: State, company: Company) -> None:
    """Put a company back as if it had never been started, with the permit it was dealt (4.1)."""
    again = fresh_company(company.code, s.seats, company.group, company.permit)
    again.cash = company.cash  # none, unless others bought its trains
    again.barred = not s.rules.failed_in_parliament
    s.companies[company.code] = again
