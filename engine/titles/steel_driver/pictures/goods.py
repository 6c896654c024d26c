"""Goods: what companies have reached, then what they claim, and what the sets pay."""

from engine.title import Request
from engine.titles.steel_driver import score
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.pictures.words import SIGNS, heading, holding, rows_told, strong, telling
from engine.titles.steel_driver.state import COMPANIES, State, members
from engine.view import Entry, Sheet, TableView


def look(state: State, request: Request) -> Sheet:
    """Return the cubes of each company by colour with its sets; before the end, the colours it could draw on."""
    del request
    final = state.phase in ("goods", "over")
    signs = tuple(Entry(SIGNS[colour]) for colour in GOODS)
    heads = (Entry("Company"), *signs, Entry("Sets"), Entry("A share" if final else "At most"))
    rows = tuple(_row(state, number, final=final) for number in range(COMPANIES))
    table = TableView("", heads, rows)
    title = heading(state, "Goods and sets" if final else "Goods within reach")
    notes = ["A set of 1, 2, 3, 4, 5 colours pays $10, $30, $60, $100, $150"]
    if state.phase == "goods":
        counts = [0] * len(GOODS)
        for place in members(state.cubes_left):
            counts[state.board.places[place].goods] += 1
        notes.append(f"Still on the map: {holding(counts)}")
    elif not final:
        notes.append("Companies share these cubes: in the end each is claimed once")
    key = ", ".join(f"{SIGNS[colour]} {colour}" for colour in GOODS)
    colours = {SIGNS[colour]: colour for colour in GOODS}
    alt = telling(title, [*rows_told(table, colours), *(f"{note}." for note in notes)])
    return Sheet(title, alt, (table,), state.board.companies, (*notes, key))


def _row(state: State, number: int, *, final: bool) -> tuple[Entry, ...]:
    """Return the row of one company."""
    company, brand = state.companies[number], state.board.companies[number]
    counts = company.goods if final else _reached(state, company.network)
    sizes = score.set_sizes(counts)
    return (
        Entry(brand.name, chip=brand.code),
        *(Entry(str(count) if count else "–", tone="" if count else "dim") for count in counts),
        Entry("+".join(str(size) for size in sizes) or "–"),
        strong(f"${score.worth(counts)}"),
    )


def _reached(state: State, network: int) -> list[int]:
    """Return the places of a network by colour."""
    counts = [0] * len(GOODS)
    for place in members(network):
        counts[state.board.places[place].goods] += 1
    return counts
