"""The course of Parliament and of the stock rounds, and the fines for charters that failed (§4.3)."""

from engine.finance.events import Passed, PriorityGiven, RoundBegun, SharesSold
from engine.finance.rounds import MAX_ROUNDS, end_game, list_clockwise, next_player, note_pass
from engine.title import Tell
from engine.titles.g1862 import companies, worth
from engine.titles.g1862.events import CharterFailed, DebtLapsed, FinePaid
from engine.titles.g1862.setup import make_company
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Fine, Operating, Parliament, State
from engine.titles.g1862.steps import bidding, shares

FINE_SHARES = 5


def list_fines(s: State, first: int) -> list[Fine]:
    """Return the fines due at the end of a stock round, clockwise from a seat, by the age of the charters (§4.3)."""
    failed = [company for company in s.companies.values() if company.obliged >= 0 and not company.floated]
    failed.sort(key=lambda company: company.stamp)
    return [
        Fine(seat, company.code, FINE_SHARES * (company.par or 0))
        for seat in list_clockwise(first, s.seats)
        for company in failed
        if company.obliged == seat
    ]


def _begin_fine(s: State, number: int, tell: Tell) -> None:
    """Take a fine from cash, then from the failed company's shares, which then go back (§4.3)."""
    fine = s.stock.fines[number]
    tell(CharterFailed(fine.seat, fine.company, fine.owed))
    company = s.companies[fine.company]
    owed = _pay_fine_from_cash(s, fine.seat, fine.owed, tell)
    if owed:
        _sell_failed(s, company, fine.seat, owed, tell)
        owed = _pay_fine_from_cash(s, fine.seat, owed, tell)
    _reset_company(s, company)
    s.stock.fines[number] = Fine(fine.seat, "", owed)


def settle_fine(s: State, tell: Tell) -> bool:
    """Go on with the fines; false when a player must choose what to sell."""
    r = s.stock
    due = r.fines if s.rules.fines_taken_together else r.fines[:1]  # the first one's turn, or all before any sale
    begun = next((number for number, fine in enumerate(due) if fine.company), None)
    if begun is not None:
        _begin_fine(s, begun, tell)
        return True
    fine = r.fines[0]
    owed = fine.owed
    if s.rules.fines_taken_together:
        owed = sum(other.owed for other in r.fines if other.seat == fine.seat)
        r.fines = [fine, *(other for other in r.fines if other.seat != fine.seat)]
    if owed and (r.just_sold or not s.rules.fines_taken_together):
        owed = _pay_fine_from_cash(s, fine.seat, owed, tell)
    r.fines[0] = Fine(fine.seat, "", owed)
    if owed and any(shares.list_sell_options(s, fine.seat)):
        return False
    if owed:
        tell(DebtLapsed(fine.seat, owed))
    r.fines.pop(0)
    if not (s.rules.forced_sales_in_one_block and r.fines and r.fines[0].seat == fine.seat):
        r.just_sold.clear()
    return True


def _pay_fine_from_cash(s: State, seat: int, owed: int, tell: Tell) -> int:
    """Pay what can be paid; return what is still owed."""
    paid = min(owed, s.cash[seat])
    s.cash[seat] -= paid
    if paid:
        tell(FinePaid(seat, paid, owed - paid))
    return owed - paid


def _sell_failed(s: State, company: Company, seat: int, owed: int, tell: Tell) -> None:
    """Sell shares of the failed company at half of par until the fine is paid, the certificate last.

    Those bought in this stock round may not be sold, if fines spare them (§4.3).
    """
    count, each = 0, company.effective_price
    most = shares.count_free_shares(s, company, seat)
    ordinary = company.count_ordinary(seat)
    while count < min(most, ordinary) and count * each < owed:
        count += 1
    if count * each < owed and company.director == seat and most >= DIRECTOR_SHARES:
        count = min(count, most - DIRECTOR_SHARES) + DIRECTOR_SHARES
    if count:
        tell(SharesSold(seat, company.code, count, each))
        companies.pay(s, seat, count * each, tell)


def _reset_company(s: State, company: Company) -> None:
    """Put a company back as if it had never been started, with the permit it was dealt (§4.3)."""
    again = make_company(company.code, s.seats, company.group, company.permit)
    again.cash = company.cash  # none, unless others bought its trains
    again.barred = not s.rules.failed_in_parliament
    s.companies[company.code] = again


LAST_ROUNDS = 3
"""Operating rounds of the last set, after the LNER (§10.3)."""


def begin_stock(s: State, tell: Tell) -> None:
    """Begin a stock round; failed charters are free again (§4.3)."""
    s.round = shares.make_round(s)
    for company in s.companies.values():
        company.barred = False
    tell(RoundBegun(s.name))


def settle_stock(s: State, tell: Tell) -> bool:
    """Do what needs no decision in a stock round; return whether anything did."""
    r = s.stock
    if r.closing:
        return _end_stock(s, tell)
    if r.choosing:
        return False
    if r.passes >= s.seats:
        r.closing = True
        before, s.priority = s.priority, r.turn
        tell(PriorityGiven(r.turn))
        r.just_sold.clear()
        r.fines = list_fines(s, s.priority if s.rules.fines_from_new_deal else before)
        return True
    if r.bought:
        _begin_next_turn(s)
        return True
    if not can_act(s, r.turn) and not s.asks_without_choice():
        pass_turn(s, r.turn, tell)
        return True
    return False


def can_act(s: State, seat: int) -> bool:
    """Return whether a player has anything legal to do but pass."""
    return (
        any(shares.list_sell_options(s, seat))
        or any(shares.list_buy_options(s, seat))
        or any(shares.list_start_options(s, seat))
    )


def pass_turn(s: State, seat: int, tell: Tell) -> None:
    """Pass, or end a turn in which something was sold (§6.2)."""
    note_pass(s.stock, seat, tell)
    _begin_next_turn(s)


def _begin_next_turn(s: State) -> None:
    next_player(s.stock, s.seats)
    s.stock.just_sold.clear()
    s.stock.above = shares.is_above_limit(s, s.stock.turn)


def _end_stock(s: State, tell: Tell) -> bool:
    """Settle the fines, then go on with the operating rounds; false while a debtor must choose."""
    if s.stock.fines:
        return settle_fine(s, tell)
    worth.mark_round_end(s)
    if is_standstill(s):
        end_game(s, "standstill", tell)
        return True
    s.round = Operating(0, LAST_ROUNDS if s.lner else s.band.rounds, [])
    return True


def is_standstill(s: State) -> bool:
    """Return whether nothing can happen any more: no company runs, and no one could deal in another round.

    The rulebook does not foresee it; rounds would follow rounds without end.
    """
    if any(company.floated for company in s.companies.values()):
        return False
    before, s.round = s.round, shares.make_round(s)
    idle = not any(can_act(s, seat) or _may_propose(s, seat) for seat in range(s.seats))
    s.round = before
    return idle


def _may_propose(s: State, seat: int) -> bool:
    """Return whether a player could propose a company in the next Parliament."""
    return (
        not s.lner
        and bidding.find_max_bid(s, seat) >= 0
        and not shares.is_full(s, seat)
        and bool(bidding.list_offered_companies(s))
    )


FIRST_ROUNDS = 2
"""The game begins with two Parliaments in a row (§3.0)."""


def begin_parliament(s: State, tell: Tell, number: int = FIRST_ROUNDS) -> None:
    """Begin a Parliament; only the very first one is followed by another."""
    s.round = Parliament(number, s.priority)
    is_second = s.turn == 1 and number == FIRST_ROUNDS
    tell(RoundBegun(f"The second {s.name}" if is_second else s.name))


def settle_parliament(s: State, tell: Tell) -> bool:
    """Do what needs no decision in Parliament; return whether anything did."""
    r = s.parliament
    if r.winner >= 0:
        return _settle_charter(s)
    if r.lot:
        return bidding.settle_auction(s, tell)
    if r.passes >= s.seats:
        _end_parliament(s, tell)
        return True
    if not bidding.may_open(s, r.turn):
        r.passes += 1
        tell(Passed(r.turn))
        r.turn = (r.turn + 1) % s.seats
        return True
    return False


def _settle_charter(s: State) -> bool:
    """Go on after the winner has what he can have: five shares of his company at most (§4.2)."""
    r = s.parliament
    company = s.companies[r.lot]
    if not company.started:
        return False
    if r.extra and shares.may_add(s, r.winner):
        return False
    if r.extra and s.asks_without_choice():
        return False
    close_charter(s)
    return True


def close_charter(s: State) -> None:
    """Let the player left of the winner go on (§4.1)."""
    r = s.parliament
    r.turn = (r.winner + 1) % s.seats
    r.lot, r.high, r.leader, r.out, r.winner, r.extra, r.passes = "", 0, -1, [], -1, 0, 0


def _end_parliament(s: State, tell: Tell) -> None:
    """End the round: another Parliament at the start of the game, then the stock round (§3.0)."""
    if s.rules.hundredth_parliament_ends and s.turn >= MAX_ROUNDS:
        end_game(s, "hundredth_round", tell)
    elif s.parliament.number < FIRST_ROUNDS:
        begin_parliament(s, tell)
    else:
        begin_stock(s, tell)
