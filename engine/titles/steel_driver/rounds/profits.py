"""Phases 4 and 5: controllers are paid, the turn ends."""

from engine.title import Tell
from engine.titles.steel_driver import events
from engine.titles.steel_driver.state import NOBODY, State


def take(state: State, tell: Tell) -> None:
    """Pay each controller of this turn the profit levels of his companies."""
    for number in state.order:
        company = state.companies[number]
        if company.controller != NOBODY:
            state.cash[company.controller] += company.profit
            state.earned[company.controller] += company.profit
        if company.profit:
            tell(events.ProfitTaken(company.controller, state.board.companies[number].name, company.profit))


def end_turn(state: State, tell: Tell) -> None:
    """Make the pass row the order of play, and clear profits and controllers."""
    state.played, state.order, state.passed = state.order, state.passed, []
    state.active = 0
    for company in state.companies:
        company.profit = 0
        company.controller = NOBODY
    state.history.append(state.cash.copy())
    names = tuple(state.board.companies[number].name for number in state.order)
    tell(events.TurnEnded(state.turn, tuple(state.cash), names))
