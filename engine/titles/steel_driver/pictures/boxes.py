"""Company boxes, one company, and the players with what they hold."""

from engine.errors import RuleError
from engine.pictures import own_row
from engine.title import Request
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.pictures.words import heading, holding, rows_told, strong, telling
from engine.titles.steel_driver.rulebook import THE_BOARD
from engine.titles.steel_driver.state import COMPANIES, NOBODY, State, company_id, members
from engine.view import CharterView, Entry, Holding, Sheet, TableView

HEADS = tuple(Entry(text) for text in ("Company", "Treasury", "Controller", "Profit", "Links", "Shares"))


def look(state: State, request: Request) -> Sheet:
    """Return the six company boxes, and the cubes of the players while auctions go on."""
    table = TableView("", HEADS, tuple(_box(state, request, number) for number in range(COMPANIES)))
    notes = []
    if state.phase == "auction":
        notes.append("Cubes: " + ", ".join(f"{request.called(s)} {count}" for s, count in enumerate(state.cubes)))
        notes.append(f"Active Player marker: {request.called(state.marker)}")
    if state.sale:
        name = state.board.companies[state.sale.company].name
        notes.append(f"{name} is being auctioned: {request.called(state.sale.leader)} bids {state.sale.bid}")
    title = heading(state, "Company boxes")
    alt = telling(title, [*rows_told(table), *(f"{note}." for note in notes)])
    return Sheet(title, alt, (table,), state.board.companies, tuple(notes))


def _box(state: State, request: Request, number: int) -> tuple[Entry, ...]:
    """Return the row of one company."""
    company, brand = state.companies[number], state.board.companies[number]
    selling = state.sale is not None and state.sale.company == number
    control = (
        "in auction" if selling else "nobody" if company.controller == NOBODY else request.called(company.controller)
    )
    held = _held(state, request, number)
    return (
        Entry(brand.name, chip=brand.code),
        strong(str(company.treasury)),
        Entry(control, tone="dim" if control == "nobody" else ""),
        Entry(f"${company.profit}"),
        Entry(str(company.links)),
        Entry(held or "none", tone="" if held else "dim"),
    )


def company(state: State, request: Request) -> CharterView:
    """Return all about one company.

    Raises:
        RuleError: there is no such company.
    """
    number = company_id(state, request.about)
    if number == NOBODY:
        raise RuleError(f"There is no company “{request.about[:24]}”.", THE_BOARD)
    brand, box, places = state.board.companies[number], state.companies[number], state.board.places
    reached = [places[place] for place in members(box.network)]
    counts = [sum(place.goods == colour for place in reached) for colour in range(len(GOODS))]
    facts = {
        "Treasury": str(box.treasury),
        "Controller": "nobody" if box.controller == NOBODY else request.called(box.controller),
        "Last controller": "nobody" if box.last == NOBODY else request.called(box.last),
        "Profit this turn": f"${box.profit}",
        "Links left": str(box.links),
        "Start": places[box.start].name if reached else "none yet",
        "Colours reached": holding(counts) if reached else "none",
        "Shares": _held(state, request, number) or "none",
    }
    title = heading(state, brand.name)
    notes = ("Places: " + (", ".join(place.name for place in reached) or "none"),)
    told = [*(f"{name}: {value}." for name, value in facts.items()), *notes]
    held = [
        Holding(request.called(i), count, "controller" * (i == box.controller))
        for i, count in enumerate(box.shares)
        if count
    ]
    return CharterView(
        title, telling(title, told), brand.code, tuple(facts.items())[:-1], holdings=tuple(held), unit="",
        brands=state.board.companies, notes=notes,
    )  # fmt: skip


def players(state: State, request: Request) -> Sheet:
    """Return cash, cubes and shares of the players; the marker holder has a star."""
    brands = state.board.companies
    heads = (Entry("Player"), Entry("Cash"), Entry("Cubes"), *(Entry(chip=brand.code) for brand in brands))
    rows = []
    for seat in range(state.seats):
        star = " ★" if seat == state.marker and state.phase == "auction" else ""
        shares = [box.shares[seat] for box in state.companies]
        cells = [Entry(str(count) if count else "–", tone="" if count else "dim") for count in shares]
        name = Entry(f"{request.called(seat)}{star}")
        rows.append((name, strong(f"${state.cash[seat]}"), Entry(str(state.cubes[seat])), *cells))
    table = TableView("", heads, tuple(rows), own_row(request))
    title = heading(state, "Players")
    notes = ("★ holds the Active Player marker",) if state.phase == "auction" else ()
    told = rows_told(table, {brand.code: brand.name for brand in brands})
    return Sheet(title, telling(title, told), (table,), brands, notes)


def _held(state: State, request: Request, number: int) -> str:
    """Return "Don 2, Simon 1": who holds how many shares."""
    shares = enumerate(state.companies[number].shares)
    return ", ".join(f"{request.called(seat)} {count}" for seat, count in shares if count)
