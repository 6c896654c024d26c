"""Rules 7 and 8: profits and the end of a turn, with vector P1."""

from engine import Event
from engine.titles.steel_driver import events
from engine.titles.steel_driver.actions import Build
from engine.titles.steel_driver.state import State
from tests.engine.titles.steel_driver.positions import box, building, deal, play

ANDY = 1


def last_link(state: State) -> list[Event]:
    """Build the last link of the turn, worth 50, with the company in the first place of the order."""
    return play(state, 0, Build("boston", "new_york"))


def test_P1_controllers_take_the_profit_of_their_companies() -> None:
    """Profits: red 70 and blue 40 pay Andy 110; shares of earlier turns pay nothing."""
    state = building(deal(), black=2)
    for name, level in (("red", 70), ("blue", 40)):
        box(state, name).controller = ANDY
        box(state, name).profit = level
        box(state, name).shares = [3, 0, 1, 0]
    told = last_link(state)
    assert state.cash == [50, 110, 0, 0]
    assert state.earned == [50, 110, 0, 0]
    assert events.ProfitTaken(ANDY, "Red", 70) in told


def test_the_turn_ends() -> None:
    """The end of a turn; The Board; Game Play; Phase 3: Build Track.

    Profits return to 0, controllers are gone but remembered, cubes stay, the next cubes are taken.
    """
    state = building(deal(), black=3)
    state.cubes = [1, 2, 3, 4]
    order = state.order.copy()
    told = last_link(state)
    black = box(state, "black")
    assert (black.profit, black.controller, black.last, black.treasury) == (0, -1, 0, 1)
    assert state.played == order
    assert state.cubes == [9, 10, 11, 12]
    assert state.history == [[0, 0, 0, 0], [50, 0, 0, 0]]
    assert [event.turn for event in told if isinstance(event, events.TurnEnded)] == [1]
