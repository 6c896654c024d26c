"""Cash over the turns."""

from engine.title import Request
from engine.titles.steel_driver.pictures.words import heading, telling
from engine.titles.steel_driver.state import State
from engine.view import Chart, Series


def look(state: State, request: Request) -> Chart:
    """Return the cash of each player after each turn, and after the final determination."""
    steps = ["start", *(f"turn {turn}" for turn in range(1, len(state.history)))]
    if state.phase == "over" and len(steps) > 1:
        steps[-1] = "end"
    series = tuple(
        Series(request.called(seat), tuple(row[seat] for row in state.history)) for seat in range(state.seats)
    )
    title = heading(state, "Cash")
    told = (
        f"{line.name}: {', '.join(f'{step} ${value}' for step, value in zip(steps, line.values, strict=True))}."
        for line in series
    )
    return Chart(title, telling(title, told), tuple(steps), series, state.board.companies, "$")
