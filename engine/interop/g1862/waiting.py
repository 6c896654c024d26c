"""The questions that 18xx.games asks in 1862 where there is but one answer.

It waits for a pass of the merger at the start of every turn and of the
acquisition at its end, for a run of companies that have no legal one, and for
players who can do nothing.
"""

import msgspec

from engine.finance.actions import Pass
from engine.interop.translator import Waiting
from engine.record import Action
from engine.titles.g1862.actions import Run
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.rounds.records import Operating, Parliament
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import running


def wait(s: State) -> None:
    """Make a state ask all that 18xx.games asks."""
    s.rules = msgspec.structs.replace(s.rules, every_step=True)


def place(s: State) -> object:
    """Return where in the course of the game a state is."""
    r = s.round
    if isinstance(r, Operating):
        merging = r.merging is not None, bool(r.removing), r.offer is not None
        return s.name, s.over, r.index, r.step, merging
    if isinstance(r, Parliament):
        return s.name, s.over, r.number, r.turn, r.passes, r.lot, r.high, r.winner, r.extra
    return s.name, s.over, r.turn, r.passes, r.acted, r.choosing, r.closing, len(r.fines)


def idle(s: State) -> tuple[int, Action]:
    """Return who answers such a question, and the answer."""
    seat = turn.actors(s)[0]
    return seat, Run(running.NONE) if Run in turn.kinds(s, seat) else Pass()


def idles(action: Action) -> bool:
    """Tell whether an action may be the answer to such a question."""
    return isinstance(action, Pass) or (isinstance(action, Run) and action.plan.strip().lower() in ("", running.NONE))


WAITING = Waiting(wait, place, idle, idles)
