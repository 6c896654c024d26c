"""Phase 1: the players take investment cubes."""

from engine.title import Tell
from engine.titles.steel_driver import events
from engine.titles.steel_driver.state import State

EACH = {3: 10, 4: 8, 5: 7, 6: 6}


def take(state: State, tell: Tell) -> None:
    """Begin a turn: every player takes cubes; the pool never runs short."""
    state.turn += 1
    state.phase = "auction"
    state.passes = 0
    each = EACH[state.seats]
    state.cubes = [held + each for held in state.cubes]
    tell(events.CubesTaken(state.turn, each, tuple(state.cubes)))
