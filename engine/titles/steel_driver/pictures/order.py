"""The order of play display with its pass row, and the profit track."""

from engine.pictures import entries
from engine.title import Request
from engine.titles.steel_driver.pictures.words import heading, telling
from engine.titles.steel_driver.state import NOBODY, State
from engine.view import Entry, Sheet, TableView


def look(state: State, request: Request) -> Sheet:
    """Return the order of play, the pass row, and the profit levels from highest to lowest."""
    brands = state.board.companies
    play = TableView("Order of play", entries("No.", "Company", "Controller", "Now"), _play(state, request))
    tables = [play]
    if state.passed:
        rows = tuple(
            (Entry(str(place)), Entry(brands[number].name, chip=brands[number].code))
            for place, number in enumerate(state.passed, 1)
        )
        tables.append(TableView("Pass row: next order of play", entries("No.", "Company"), rows))
    tables.append(TableView("Profit track", entries("Company", "Profit", "Goes to"), _track(state, request)))
    title = heading(state, "Order and profit")
    told = [f"{table.title}: {', '.join(map(_told, table.rows))}." for table in tables]
    return Sheet(title, telling(title, told), tuple(tables), brands)


def _told(row: tuple[Entry, ...]) -> str:
    """Return a row in words: "Blue (Bob, to act)"; a number in front is its place already."""
    name, *rest = [entry.text for entry in row if entry.text and not entry.text.isdecimal()]
    return f"{name} ({', '.join(rest)})" if rest else name


def _play(state: State, request: Request) -> tuple[tuple[Entry, ...], ...]:
    """Return the rows of the order of play."""
    rows = []
    for place, number in enumerate(state.order):
        brand, company = state.board.companies[number], state.companies[number]
        acting = state.phase in ("build", "goods") and place == state.active and number not in state.passed
        now = (
            Entry("to act", tone="strong") if acting else Entry("passed" if number in state.passed else "", tone="dim")
        )
        rows.append(
            (Entry(str(place + 1)), Entry(brand.name, chip=brand.code), _controller(request, company.controller), now)
        )
    return tuple(rows)


def _track(state: State, request: Request) -> tuple[tuple[Entry, ...], ...]:
    """Return the rows of the profit track; at the end the values of the shares."""
    level = {
        number: company.value if state.phase == "over" else company.profit
        for number, company in enumerate(state.companies)
    }
    rows = []
    for number in sorted(level, key=lambda number: (-level[number], number)):
        brand = state.board.companies[number]
        profit = Entry(f"${level[number]}", tone="strong" if level[number] else "dim")
        rows.append(
            (Entry(brand.name, chip=brand.code), profit, _controller(request, state.companies[number].controller))
        )
    return tuple(rows)


def _controller(request: Request, seat: int) -> Entry:
    return Entry("nobody", tone="dim") if seat == NOBODY else Entry(request.called(seat))
