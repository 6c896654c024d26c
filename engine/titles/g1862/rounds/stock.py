"""The course of a stock round (5, 4)."""

from engine.finance.ending import finish
from engine.finance.events import PriorityGiven, RoundBegun
from engine.finance.stock_turn import next_player, note_pass
from engine.title import Tell
from engine.titles.g1862 import obligations, worth
from engine.titles.g1862.rounds.records import Operating
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import bidding, buying, dealing, selling, starting

LAST_ROUNDS = 3
"""Operating rounds of the last set, after the LNER (22.2)."""


def begin(s: State, tell: Tell) -> None:
    """Begin a stock round; failed charters are free again (4.3)."""
    s.round = dealing.new_round(s)
    for company in s.companies.values():
        company.barred = False
    tell(RoundBegun(s.name))


def settle(s: State, tell: Tell) -> bool:
    """Do what follows by itself in a stock round; tell whether anything did."""
    r = s.stock
    if r.closing:
        return _close(s, tell)
    if r.choosing:
        return False
    if r.passes >= s.seats:
        r.closing = True
        before, s.priority = s.priority, r.turn
        tell(PriorityGiven(r.turn))
        r.just_sold.clear()
        r.fines = obligations.collect(s, s.priority if s.rules.fines_from_new_deal else before)
        return True
    if r.bought:
        _begin_next_turn(s)
        return True
    if not can_act(s, r.turn) and not s.asks_without_choice():
        pass_turn(s, r.turn, tell)
        return True
    return False


def can_act(s: State, seat: int) -> bool:
    """Tell whether a player has anything legal to do but pass."""
    return any(selling.options(s, seat)) or any(buying.options(s, seat)) or any(starting.options(s, seat))


def pass_turn(s: State, seat: int, tell: Tell) -> None:
    """Pass, or end a turn in which something was sold (5.1)."""
    note_pass(s.stock, seat, tell)
    _begin_next_turn(s)


def _begin_next_turn(s: State) -> None:
    next_player(s.stock, s.seats)
    s.stock.above = dealing.above(s, s.stock.turn)


def _close(s: State, tell: Tell) -> bool:
    """Settle the fines, then go on with the operating rounds; false while a debtor must choose."""
    if s.stock.fines:
        return obligations.settle(s, tell)
    worth.mark(s)
    if standstill(s):
        finish(s, "standstill", tell)
        return True
    s.round = Operating(0, LAST_ROUNDS if s.lner else s.band.rounds, [])
    return True


def standstill(s: State) -> bool:
    """Tell whether nothing can happen any more: no company runs, and nobody could deal in another round.

    The rulebook does not foresee it; rounds would follow rounds without end.
    """
    if any(company.floated for company in s.companies.values()):
        return False
    before, s.round = s.round, dealing.new_round(s)
    idle = not any(can_act(s, seat) or _may_propose(s, seat) for seat in range(s.seats))
    s.round = before
    return idle


def _may_propose(s: State, seat: int) -> bool:
    """Tell whether a player could propose a company in the next Parliament."""
    return not s.lner and bidding.ceiling(s, seat) >= 0 and not dealing.full(s, seat) and bool(bidding.offered(s))
