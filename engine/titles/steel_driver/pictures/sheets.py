"""Tables of the company boxes, a company, the players, the order of play and the goods; cash over the turns."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from engine.errors import RuleError
from engine.pictures import find_own_row, make_entries, name_chart
from engine.title import Request
from engine.titles.steel_driver import score
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.pictures.label import SIGNS, write_holding
from engine.titles.steel_driver.rules import THE_BOARD
from engine.titles.steel_driver.state import COMPANIES, NOBODY, TURNS, State, count_goods, find_company, list_members
from engine.view import Chart, CharterView, Entry, Holding, Series, Sheet, TableView

HEADS = tuple(Entry(text) for text in ("Company", "Treasury", "Controller", "Profit", "Links", "Shares"))
_OWN: Mapping[str, str] = MappingProxyType({})
MAX_WORDS = 900  # players' names, put in later, may be longer than their place-holders; the limit is 1024


def view_boxes(state: State, request: Request) -> Sheet:
    """Return the six company boxes, and the cubes of the players while auctions go on."""
    table = TableView("", HEADS, tuple(_make_box_row(state, request, number) for number in range(COMPANIES)))
    notes = []
    if state.phase == "auction":
        notes.append("Cubes: " + ", ".join(f"{request.find_name(s)} {count}" for s, count in enumerate(state.cubes)))
        notes.append(f"Active Player marker: {request.find_name(state.marker)}")
    if state.sale:
        name = state.board.companies[state.sale.company].name
        notes.append(f"{name} is being auctioned: {request.find_name(state.sale.leader)} bids {state.sale.bid}")
    title = write_heading(state, "Company boxes")
    alt = join_parts(title, [*describe_rows(table), *(f"{note}." for note in notes)])
    return Sheet(title, alt, (table,), state.board.companies, tuple(notes))


def _make_box_row(state: State, request: Request, number: int) -> tuple[Entry, ...]:
    """Return the row of one company."""
    company, brand = state.companies[number], state.board.companies[number]
    selling = state.sale is not None and state.sale.company == number
    control = (
        "in auction" if selling else "no one" if company.controller == NOBODY else request.find_name(company.controller)
    )
    held = _describe_holders(state, request, number)
    return (
        Entry(brand.name, chip=brand.code),
        make_strong_entry(str(company.treasury)),
        Entry(control, tone="dim" if control == "no one" else ""),
        Entry(f"${company.profit:,}"),
        Entry(str(company.links)),
        Entry(held or "none", tone="" if held else "dim"),
    )


def view_company(state: State, request: Request) -> CharterView:
    """Return all about one company.

    Raises:
        RuleError: there is no such company.
    """
    number = find_company(state, request.about)
    if number == NOBODY:
        raise RuleError(f"There is no company “{request.about[:24]}”.", THE_BOARD)
    brand, box, places = state.board.companies[number], state.companies[number], state.board.places
    reached = [places[place] for place in list_members(box.network)]
    facts = {
        "Treasury": str(box.treasury),
        "Controller": "no one" if box.controller == NOBODY else request.find_name(box.controller),
        "Last controller": "no one" if box.last == NOBODY else request.find_name(box.last),
        "Profit this turn": f"${box.profit:,}",
        "Links left": str(box.links),
        "Start": places[box.start].name if reached else "none yet",
        "Colours reached": write_holding(count_goods(state, box.network)) if reached else "none",
        "Shares": _describe_holders(state, request, number) or "none",
    }
    title = write_heading(state, brand.name)
    notes = ("Places: " + (", ".join(place.name for place in reached) or "none"),)
    told = [*(f"{name}: {value}." for name, value in facts.items()), *notes]
    held = [
        Holding(request.find_name(i), count, "controller" * (i == box.controller))
        for i, count in enumerate(box.shares)
        if count
    ]
    return CharterView(
        title, join_parts(title, told), brand.code, tuple(facts.items())[:-1], holdings=tuple(held), unit="",
        brands=state.board.companies, notes=notes,
    )  # fmt: skip


def view_players(state: State, request: Request) -> Sheet:
    """Return cash, cubes and shares of the players; the marker holder has a star."""
    brands = state.board.companies
    heads = (Entry("Player"), Entry("Cash"), Entry("Cubes"), *(Entry(chip=brand.code) for brand in brands))
    rows = []
    for seat in range(state.seats):
        star = " ★" if seat == state.marker and state.phase == "auction" else ""
        shares = [box.shares[seat] for box in state.companies]
        cells = [Entry(str(count) if count else "–", tone="" if count else "dim") for count in shares]
        name = Entry(f"{request.find_name(seat)}{star}")
        rows.append((name, make_strong_entry(f"${state.cash[seat]:,}"), Entry(str(state.cubes[seat])), *cells))
    table = TableView("", heads, tuple(rows), find_own_row(request))
    title = write_heading(state, "Players")
    notes = ("★ holds the Active Player marker",) if state.phase == "auction" else ()
    told = describe_rows(table, {brand.code: brand.name for brand in brands})
    return Sheet(title, join_parts(title, told), (table,), brands, notes)


def _describe_holders(state: State, request: Request, number: int) -> str:
    """Return "Don 2, Simon 1": who holds how many shares."""
    shares = enumerate(state.companies[number].shares)
    return ", ".join(f"{request.find_name(seat)} {count}" for seat, count in shares if count)


def view_order(state: State, request: Request) -> Sheet:
    """Return the order of play, the pass row, and the profit levels from highest to lowest."""
    brands = state.board.companies
    play = TableView(
        "Order of play", make_entries("No.", "Company", "Controller", "Now"), _make_order_rows(state, request)
    )
    tables = [play]
    if state.passed:
        rows = tuple(
            (Entry(str(place)), Entry(brands[number].name, chip=brands[number].code))
            for place, number in enumerate(state.passed, 1)
        )
        tables.append(TableView("Pass row: next order of play", make_entries("No.", "Company"), rows))
    tables.append(
        TableView("Profit track", make_entries("Company", "Profit", "Goes to"), _make_profit_rows(state, request))
    )
    title = write_heading(state, "Order and profit")
    told = [f"{table.title}: {', '.join(map(_describe_row, table.rows))}." for table in tables]
    return Sheet(title, join_parts(title, told), tuple(tables), brands)


def _describe_row(row: tuple[Entry, ...]) -> str:
    """Return a row in words: "Blue (Bob, to act)"; a number in front is its place already."""
    name, *rest = [entry.text for entry in row if entry.text and not entry.text.isdecimal()]
    return f"{name} ({', '.join(rest)})" if rest else name


def _make_order_rows(state: State, request: Request) -> tuple[tuple[Entry, ...], ...]:
    """Return the rows of the order of play."""
    rows = []
    for place, number in enumerate(state.order):
        brand, company = state.board.companies[number], state.companies[number]
        acting = state.phase in ("build", "goods") and place == state.active and number not in state.passed
        now = (
            Entry("to act", tone="strong") if acting else Entry("passed" if number in state.passed else "", tone="dim")
        )
        rows.append(
            (
                Entry(str(place + 1)),
                Entry(brand.name, chip=brand.code),
                _make_controller_entry(request, company.controller),
                now,
            )
        )
    return tuple(rows)


def _make_profit_rows(state: State, request: Request) -> tuple[tuple[Entry, ...], ...]:
    """Return the rows of the profit track; at the end the values of the shares."""
    level = {
        number: company.value if state.phase == "over" else company.profit
        for number, company in enumerate(state.companies)
    }
    rows = []
    for number in sorted(level, key=lambda number: (-level[number], number)):
        brand = state.board.companies[number]
        profit = Entry(f"${level[number]:,}", tone="strong" if level[number] else "dim")
        rows.append(
            (
                Entry(brand.name, chip=brand.code),
                profit,
                _make_controller_entry(request, state.companies[number].controller),
            )
        )
    return tuple(rows)


def _make_controller_entry(request: Request, seat: int) -> Entry:
    return Entry("no one", tone="dim") if seat == NOBODY else Entry(request.find_name(seat))


def view_goods(state: State, request: Request) -> Sheet:
    """Return the cubes of each company by colour with its sets; before the end, the colours it could draw on."""
    del request
    final = state.phase in ("goods", "over")
    signs = tuple(Entry(SIGNS[colour]) for colour in GOODS)
    heads = (Entry("Company"), *signs, Entry("Sets"), Entry("A share" if final else "At most"))
    rows = tuple(_make_goods_row(state, number, final=final) for number in range(COMPANIES))
    table = TableView("", heads, rows)
    title = write_heading(state, "Goods and sets" if final else "Goods within reach")
    notes = ["A set of 1, 2, 3, 4, 5 colours pays $10, $30, $60, $100, $150"]
    if state.phase == "goods":
        notes.append(f"Still on the map: {write_holding(count_goods(state, state.cubes_left))}")
    elif not final:
        notes.append("Companies share these cubes: at the end each is claimed once")
    key = ", ".join(f"{SIGNS[colour]} {colour}" for colour in GOODS)
    colours = {SIGNS[colour]: colour for colour in GOODS}
    alt = join_parts(title, [*describe_rows(table, colours), *(f"{note}." for note in notes)])
    return Sheet(title, alt, (table,), state.board.companies, (*notes, key))


def _make_goods_row(state: State, number: int, *, final: bool) -> tuple[Entry, ...]:
    """Return the row of one company."""
    company, brand = state.companies[number], state.board.companies[number]
    counts = company.goods if final else count_goods(state, company.network)
    sizes = score.find_set_sizes(counts)
    return (
        Entry(brand.name, chip=brand.code),
        *(Entry(str(count) if count else "–", tone="" if count else "dim") for count in counts),
        Entry("+".join(str(size) for size in sizes) or "–"),
        make_strong_entry(f"${score.find_value_of_sets(counts):,}"),
    )


def view_chart(state: State, request: Request) -> Chart:
    """Return the cash of each player after each turn, and after the final determination."""
    steps = ["start", *(f"turn {turn}" for turn in range(1, len(state.history)))]
    if state.phase == "over" and len(steps) > 1:
        steps[-1] = "end"
    series = tuple(
        Series(request.find_name(seat), tuple(row[seat] for row in state.history)) for seat in range(state.seats)
    )
    now = tuple(state.cash) if list(state.cash) != state.history[-1] else ()
    title = name_chart("Cash", steps, now)
    told = (
        f"{line.name}: {', '.join(f'{step} ${value:,}' for step, value in zip(steps, line.values, strict=True))}."
        for line in series
    )
    return Chart(title, join_parts(title, told), tuple(steps), series, state.board.companies, "$", now=now)


def write_heading(state: State, what: str = "") -> str:
    """Return "Map · turn 2 of 5, building", or the turn alone."""
    doing = {"auction": "auctions", "build": "building", "goods": "claiming goods", "over": "the end"}[state.phase]
    return f"{f'{what} · t' if what else 'T'}urn {state.turn} of {TURNS}, {doing}"


def join_parts(title: str, parts: Iterable[str]) -> str:
    """Return a title and as many parts as fit, saying when some are left out."""
    text = f"{title}."
    for part in parts:
        if len(text) + len(part) + 1 > MAX_WORDS:
            return f"{text} …"
        text = f"{text} {part}"
    return text


def describe_rows(table: TableView, names: Mapping[str, str] = _OWN) -> Iterable[str]:
    """Yield each row of a table as a sentence, its first entry as the subject; what is nothing is left out.

    Args:
        table: with headings, which are said in lower case.
        names: what signs and codes among the headings are called.
    """
    heads = [names.get(head.chip or head.text, (head.chip or head.text).lower()) for head in table.heads]
    for row in table.rows:
        told = [
            f"{head} {entry.text}"
            for head, entry in zip(heads[1:], row[1:], strict=True)
            if entry.text not in ("", "–", "$0")
        ]
        yield f"{row[0].text}: {'; '.join(told) or 'nothing yet'}."


def make_strong_entry(text: str) -> Entry:
    """Return an entry that stands out."""
    return Entry(text, tone="strong")
