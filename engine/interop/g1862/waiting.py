"""The questions that 18xx.games asks in 1862 where there is but one answer.

It waits for a pass of the merger at the start of every turn and of the
acquisition at its end, for a run of companies that have no legal one, and for
players who can do nothing.
"""

from collections.abc import Callable

from engine.finance.rounds import Pass
from engine.interop.g1862.profile import SiteState, remember
from engine.interop.translator import Waiting
from engine.record import Action
from engine.titles.g1862.actions import Run
from engine.titles.g1862.rounds import stock, turn
from engine.titles.g1862.state import Company, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import building, merging, running


def ask_everything(s: State) -> SiteState:
    """Return a state that asks all that 18xx.games asks."""
    return remember(s, remembers=isinstance(s, SiteState), waits=True)


def ask_as_usual(s: SiteState) -> State:
    """Return a state that asks no more than a table of ours is asked."""
    if not s.remembers:
        return State(**{name: getattr(s, name) for name in State.__struct_fields__})
    s.waits, s.routed = False, ()
    return s


def goes_on_alone(s: State) -> bool:
    """Return whether a table of ours would have gone on from a state automatically."""
    r = s.round
    if s.over:
        return False
    if isinstance(r, Operating):
        return _goes_on_alone_in_turn(s, r)
    if isinstance(r, Parliament):
        return bool(r.winner >= 0 and r.extra and not stock.may_add(s))
    return not (r.fines or r.choosing or stock.can_act(s, r.turn))


def _goes_on_alone_in_turn(s: State, r: Operating) -> bool:
    is_open = _OPEN.get(r.step)
    if is_open is None or r.offer is not None or r.merging is not None or r.removing:
        return False
    return not is_open(s, s.companies[r.code])


_OPEN: dict[str, Callable[[State, Company], bool]] = {
    "merge": merging.is_open_for,
    "acquire": merging.is_open_for,
    "token": building.is_marker_open_for,
    "run": running.can_run,
}


def answer_idly(s: State) -> tuple[int, Action]:
    """Return who answers such a question, and the answer."""
    seat = turn.find_actors(s)[0]
    return seat, Run(running.NONE) if Run in turn.list_kinds(s, seat) else Pass()


def may_be_idle_answer(action: Action) -> bool:
    """Return whether an action may be the answer to such a question."""
    return isinstance(action, Pass) or (isinstance(action, Run) and action.plan.strip().lower() in ("", running.NONE))


def is_silent(s: State) -> bool:
    """Return whether a table of ours skips a step silently; of a player's turn we say that it passes."""
    return not isinstance(s.round, Stock)


WAITING = Waiting(ask_everything, ask_as_usual, goes_on_alone, answer_idly, may_be_idle_answer, is_silent)
