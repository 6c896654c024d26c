"""The course of a Parliament round (3)."""

from engine.finance.ending import MOST_ROUNDS, finish
from engine.finance.events import Passed, RoundBegun
from engine.title import Tell
from engine.titles.g1862.rounds import stock
from engine.titles.g1862.rounds.records import Parliament
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import bidding, buying, dealing

FIRST_ROUNDS = 2
"""The game begins with two Parliaments in a row (1.5)."""


def begin(s: State, tell: Tell, number: int = FIRST_ROUNDS) -> None:
    """Begin a Parliament; only the very first one is followed by another."""
    s.round = Parliament(number, s.priority)
    is_second = s.turn == 1 and number == FIRST_ROUNDS
    tell(RoundBegun(f"The second {s.name}" if is_second else s.name))


def settle(s: State, tell: Tell) -> bool:
    """Do what follows by itself in Parliament; tell whether anything did."""
    r = s.parliament
    if r.winner >= 0:
        return _charter(s)
    if r.lot:
        return bidding.settle_auction(s, tell)
    if r.passes >= s.seats:
        _end(s, tell)
        return True
    if not bidding.may_open(s, r.turn):
        r.passes += 1
        tell(Passed(r.turn))
        r.turn = (r.turn + 1) % s.seats
        return True
    return False


def _charter(s: State) -> bool:
    """Go on after the winner has what he can have: five shares at most (3.4, 3.6)."""
    r = s.parliament
    company = s.companies[r.lot]
    if not company.started:
        return False
    if r.extra and may_add(s):
        return False
    if r.extra and s.asks_without_choice():
        return False
    close_charter(s)
    return True


def may_add(s: State) -> bool:
    """Tell whether the winner can buy one share more of his company (3.6)."""
    winner = s.parliament.winner
    return not dealing.full(s, winner) and any(buying.options(s, winner))


def close_charter(s: State) -> None:
    """Let the player left of the winner go on (3.5)."""
    r = s.parliament
    r.turn = (r.winner + 1) % s.seats
    r.lot, r.high, r.leader, r.out, r.winner, r.extra, r.passes = "", 0, -1, [], -1, 0, 0


def _end(s: State, tell: Tell) -> None:
    """End the round: another Parliament at the start of the game, then the stock round (1.5)."""
    if s.rules.hundredth_parliament_ends and s.turn >= MOST_ROUNDS:
        finish(s, "hundredth_round", tell)
    elif s.parliament.number < FIRST_ROUNDS:
        begin(s, tell)
    else:
        stock.begin(s, tell)
