"""Stock markets: cells in bands, zones by colour and sign, tokens in operating order."""

from collections.abc import Mapping, Sequence

import msgspec

from engine.record import Record
from engine.view import Cell, MarketView
from render import fonts
from render.hexes.station import Liveries
from render.scene import Box, Item, Label, Scene
from render.sheets.tables import draw_heading, draw_paragraph, make_chip, measure_chip
from render.theme import load_theme

PIXELS = 1600
EDGE = 24
PRICE, SIGN, CHIP, PAR = 42, 26, 36, 30
CHIP_HIGH, CHIP_STEP = 46, 51
PAR_STEP = 38
GHOST, GHOST_STEP = 28, 40
MAX_STACK, MIN_CHIP_WIDTH = 4, 84
"""Chips below one another in a cell where they could stand side by side, and how wide they are at least there."""

LOW_CHIP, LOW_HIGH, LOW_STEP = 28, 34, 38
"""Letters, height and step of the chips in a cell that is full with those of usual height."""

MAX_FILLED = 4 * LOW_STEP
"""Height of what stands below the price of a full cell."""
GAIN = 31
HEAD = 58
MIN_COLUMNS = 8
_Left = Mapping[tuple[float, float], Sequence[tuple[str, bool]]]
"""Companies that left a cell since the last round, and whether they rose."""


class _Band(Record, frozen=True):
    """A row of a folded market: its first column, its tiers, and how high each tier is."""

    start: int
    tiers: tuple[float, ...]
    heights: tuple[int, ...]
    cells: tuple[Cell, ...]


class _Stack(Record, frozen=True):
    """What a cell shows below its price, and how its chips stand.

    Args:
        tokens, gone, pars: those shown: markers, companies that left, companies whose par it is.
        more: how many of all these have no room.
        columns: chips side by side; high, step, letters: of each chip.
    """

    tokens: tuple[str, ...]
    gone: tuple[tuple[str, bool], ...]
    pars: tuple[str, ...]
    more: int
    columns: int
    high: float
    step: float
    letters: float

    @property
    def chips(self) -> float:
        """How high the chips are together."""
        return -(-len(self.tokens) // self.columns) * self.step

    @property
    def height(self) -> float:
        """How high everything is together."""
        lines = len(self.gone) * GHOST_STEP + len(self.pars) * PAR_STEP + (LOW_STEP if self.more else 0)
        return self.chips + lines


def _stack_cell(cell: Cell, gone: Sequence[tuple[str, bool]], wide: float) -> _Stack:
    """Return what a cell shows; a full one does not stretch its row: the roster below shows what has no room."""
    tokens, pars = tuple(cell.tokens), tuple(_list_bare_pars(cell))
    columns = 2 if len(tokens) > MAX_STACK and wide / 2 - 8 >= MIN_CHIP_WIDTH else 1
    usual = _Stack(tokens, tuple(gone), pars, 0, columns, CHIP_HIGH, CHIP_STEP, CHIP)
    if usual.height <= MAX_FILLED:
        return usual
    low = _Stack(tokens, tuple(gone), pars, 0, columns, LOW_HIGH, LOW_STEP, LOW_CHIP)
    while low.height > MAX_FILLED + 2 * len(low.gone):
        left, more = low, low.more + 1
        field = next(name for name in ("pars", "gone", "tokens") if getattr(left, name))
        low = msgspec.structs.replace(left, **{field: getattr(left, field)[:-1]}, more=more)
    return low


def build_scene(view: MarketView, palette: str) -> Scene:
    """Return the scene of a market; its unit is a pixel of the natural width."""
    liveries = Liveries(view.brands, load_theme(palette))
    items, y = draw_heading(view.title, PIXELS, EDGE)
    grounds = load_theme(palette).assign_zone_grounds(
        [name for name, *_ in view.zones] + [cell.zone for cell in view.cells]
    )
    cells, y = _draw_cells(view, grounds, liveries, y)
    items += cells
    roster, y = _draw_roster(view, liveries, y)
    items += roster
    full = any(isinstance(item, Label) and item.text.startswith("+") for item in cells)
    keys, y = _draw_key(view, grounds, y, full=full)
    items += keys
    for note in view.notes:
        lines, y = draw_paragraph(note, PIXELS - 2 * EDGE, EDGE, y)
        items += lines
    return Scene(PIXELS, y + EDGE, PIXELS, "paper", tuple(items))


def _draw_cells(view: MarketView, grounds: Mapping[str, str], liveries: Liveries, y: float) -> tuple[list[Item], float]:
    """Return the cells in their bands, and how far down they reach."""
    items: list[Item] = []
    wrap = max(1, view.wrap)
    widest = max((cell.x % wrap for cell in view.cells), default=0.0) + 1
    wide = (PIXELS - 2 * EDGE) / max(widest, MIN_COLUMNS)
    left = _collect_left_prices(view)
    for band in _arrange_bands(view, wrap, wide, left):
        tops = {tier: y + sum(band.heights[:k]) for k, tier in enumerate(band.tiers)}
        for cell in band.cells:
            high = band.heights[band.tiers.index(cell.y)]
            x = EDGE + (cell.x - band.start) * wide
            frame = (x, tops[cell.y], wide, high)
            stack = _stack_cell(cell, left.get((cell.x, cell.y), ()), wide)
            items += _draw_cell(cell, stack, frame, grounds.get(cell.zone, "cell"))
            items += _draw_markers(cell, stack, frame, liveries, _find_acting_company(view))
            items += _draw_ghosts(stack, frame, liveries)
        y += sum(band.heights) + 26
    return items, y


def _collect_left_prices(view: MarketView) -> _Left:
    left: dict[tuple[float, float], list[tuple[str, bool]]] = {}
    for company, index, rose in view.moves:
        if index < len(view.cells):
            cell = view.cells[index]
            left.setdefault((cell.x, cell.y), []).append((company, rose))
    return left


def _arrange_bands(view: MarketView, wrap: int, wide: float, left: _Left) -> list[_Band]:
    bands: list[_Band] = []
    for number in sorted({int(cell.x // wrap) for cell in view.cells}):
        mine = [cell for cell in view.cells if int(cell.x // wrap) == number]
        tiers = tuple(sorted({cell.y for cell in mine}))
        heights = tuple(_measure_tier([cell for cell in mine if cell.y == tier], wide, left) for tier in tiers)
        bands.append(_Band(number * wrap, tiers, heights, tuple(mine)))
    return bands


def _measure_tier(cells: Sequence[Cell], wide: float, left: _Left) -> int:
    """Return how high a tier must be for its fullest cell."""
    filled = max(_stack_cell(cell, left.get((cell.x, cell.y), ()), wide).height for cell in cells)
    return HEAD + 14 + round(max(filled, CHIP_STEP))


def _list_bare_pars(cell: Cell) -> list[str]:
    """Return the companies whose par a cell is and whose token is elsewhere: a chip in the cell bears the sign."""
    return [code for code in cell.pars if code not in cell.tokens]


def _draw_ghosts(stack: _Stack, frame: tuple[float, float, float, float], liveries: Liveries) -> list[Item]:
    """Return where prices came from: the company's letters on its colour washed out, with an arrow to where it went."""
    x, y, wide, _ = frame
    items: list[Item] = []
    for k, (company, rose) in enumerate(stack.gone):
        middle = y + HEAD + 16 + stack.chips + k * GHOST_STEP
        text = f"{company} ▸" if rose else f"◂ {company}"
        size = round(min(GHOST, GHOST * (wide - 30) / max(1.0, fonts.measure_text(text, GHOST))), 2)
        items.append(Box(x + 8, middle - 17, wide - 16, 34, 8, f"pale:{liveries.find(company).fill}", "ink_soft", 2))
        items.append(Label(x + wide / 2, middle, text, size, "ink"))
    return items


def _find_acting_company(view: MarketView) -> str:
    """Return the company that acts, "" for none."""
    return view.banner.company if view.banner else ""


def _draw_markers(
    cell: Cell, stack: _Stack, frame: tuple[float, float, float, float], liveries: Liveries, acting: str
) -> list[Item]:
    """Return the markers in a cell, first to operate first; that of the company that acts has a rim."""
    x, y, wide, _ = frame
    items: list[Item] = []
    room = (wide - 14 - (stack.columns - 1) * 6) / stack.columns
    for k, code in enumerate(stack.tokens):
        row, column = divmod(k, stack.columns)
        middle = y + HEAD + 4 + stack.high / 2 + row * stack.step
        at, most = (x + 7 + room / 2 + column * (room + 6), middle), (room, stack.high)
        items += _draw_rim(at, most) if code == acting else []
        items.append(make_chip(code, at, most, stack.letters, liveries))
        if code in cell.pars:
            left, top = at[0] - room / 2, middle - stack.high / 2
            items.append(Box(left, top, room, stack.high, 10, "", "par", 5))
    return items


def _draw_rim(at: tuple[float, float], most: tuple[float, float]) -> list[Item]:
    """Return the rim around the chip of the company that acts."""
    (x, y), (wide, high) = at, most
    return [Box(x - wide / 2 - 5, y - high / 2 - 5, wide + 10, high + 10, 14, "acting", "ink", 2)]


def _draw_cell(cell: Cell, stack: _Stack, frame: tuple[float, float, float, float], ground: str) -> list[Item]:
    """Return a cell with its price, whose par it is, and how many it has no room for."""
    x, y, wide, high = frame
    items: list[Item] = [Box(x + 1.5, y + 1.5, wide - 3, high - 3, 8, ground, "rule", 2)]
    items += _draw_price(cell, x, y, wide)
    foot = y + high - 24
    if stack.more:
        items.append(Label(x + wide / 2, foot, f"+{stack.more}", PAR, "ink_soft", "bold"))
        foot -= PAR_STEP
    for k, code in enumerate(reversed(stack.pars)):
        middle = foot - k * PAR_STEP
        size = round(min(PAR, PAR * (wide - 24) / max(1.0, fonts.measure_text(code, PAR))), 2)
        items.append(Box(x + 8, middle - 16, wide - 16, 32, 5, "", "par", 2.5))
        items.append(
            Label(
                x + wide / 2, middle, fonts.cut_to_fit(code, max(size, PAR / 2), wide - 24), max(size, PAR / 2), "par"
            )
        )
    return items


def _draw_price(cell: Cell, x: float, y: float, wide: float) -> list[Item]:
    """Return a cell's price and the sign of its zone; a long price is set smaller, so that both fit."""
    price, sign = str(cell.price), cell.sign[:2]
    room = wide - 18 - (fonts.measure_text(sign, SIGN) + 4 if sign else 0.0)
    size = round(min(PRICE, PRICE * room / fonts.measure_text(price, PRICE)), 2)
    items: list[Item] = [Label(x + 9, y + 32, price, size, "ink", "bold", "l")]
    if sign:
        items.append(Label(x + wide - 7, y + 29, sign, SIGN, "ink_soft", "bold", "r"))
    return items


def _draw_roster(view: MarketView, liveries: Liveries, y: float) -> tuple[list[Item], float]:
    """Return the companies with their emblems, the first to operate first, in columns of one width.

    The chips in the cells have no room for what a company bears, nor full cells for all chips. Beside a price stands
    what it rose or fell by, and the par.
    """
    ranked = [(code, cell.price) for cell in sorted(view.cells, key=lambda cell: -cell.price) for code in cell.tokens]
    if not ranked:
        return [], y
    there = {code for code, _ in ranked}
    ranked += [(code, 0) for cell in view.cells for code in cell.pars if code not in there]  # not floated yet
    chips = max(measure_chip(code, CHIP, CHIP_HIGH, emblem=True) for code, _ in ranked)
    came = {code: view.cells[index].price for code, index, _ in view.moves if index < len(view.cells)}
    gains = {
        code: f"{'▲' if price > came[code] else '▼'}{abs(price - came[code])}"
        for code, price in ranked
        if code in came and code in there
    }
    pars = {code: f"par {cell.price}" for cell in view.cells for code in cell.pars}
    prices = fonts.measure_text(str(ranked[0][1]), PRICE) + 10
    rose = max((fonts.measure_text(gain, GAIN) + 10 for gain in gains.values()), default=0.0)
    began = max((fonts.measure_text(pars[code], PAR) for code, _ in ranked if code in pars), default=0.0)
    step = chips + 14 + prices + rose + began + 34
    columns = max(1, int((PIXELS - 2 * EDGE + 34) // step))
    items: list[Item] = []
    for k, (code, price) in enumerate(ranked):
        x, middle = EDGE + k % columns * step, y + 30 + k // columns * 62
        items += _draw_rim((x + chips / 2, middle), (chips, CHIP_HIGH)) if code == _find_acting_company(view) else []
        items.append(make_chip(code, (x + chips / 2, middle), (chips, CHIP_HIGH), CHIP, liveries))
        items += [Label(x + chips + 14, middle, str(price), PRICE, "ink", "bold", "l")] if code in there else []
        if code in gains:
            role = "good" if price > came[code] else "bad"
            at = x + chips + 24 + fonts.measure_text(str(price), PRICE)
            items.append(Label(at, middle, gains[code], GAIN, role, "bold", "l"))
        if code in pars:
            items.append(Label(x + chips + 14 + prices + rose, middle, pars[code], PAR, "par", "semi", "l"))
    return items, y + (1 + (len(ranked) - 1) // columns) * 62 + 20


def _draw_key(view: MarketView, grounds: Mapping[str, str], y: float, *, full: bool) -> tuple[list[Item], float]:
    """Return what the zones and signs mean, side by side where they fit; ``full``: also where a full cell's rest is."""
    items: list[Item] = []
    x = float(EDGE)
    for name, sign, words in view.zones:
        text = fonts.cut_to_fit(words or name, 32, PIXELS - 2 * EDGE - 80, "semi")
        wide = 74 + fonts.measure_text(text, 32, "semi") + 36
        if x > EDGE and x + wide > PIXELS - EDGE:
            x, y = float(EDGE), y + 54
        items.append(Box(x, y, 60, 44, 8, grounds.get(name, "cell"), "rule", 2))
        items.append(Label(x + 30, y + 22, sign[:2], SIGN, "ink"))
        items.append(Label(x + 74, y + 22, text, 32, "ink", "semi", "l"))
        x += wide
    if any(cell.pars for cell in view.cells):
        if x + 372 > PIXELS - EDGE:
            x, y = float(EDGE), y + 54
        items += [Box(x, y + 6, 84, 31, 5, "", "par", 2.5), Label(x + 42, y + 22, "CODE", PAR, "par")]
        items.append(Label(x + 98, y + 22, "par of a company", 32, "ink", "semi", "l"))
        x += 372
    if view.moves:
        if x + 560 > PIXELS - EDGE:
            x, y = float(EDGE), y + 54
        items.append(Box(x, y + 5, 84, 34, 8, "paper_2", "ink_soft", 2.5))
        items.append(Label(x + 42, y + 22, "◂ ▸", GHOST, "ink"))
        items.append(Label(x + 98, y + 22, "moved from here this round", 32, "ink", "semi", "l"))
        x += 560
    if full:
        if x + 520 > PIXELS - EDGE:
            x, y = float(EDGE), y + 54
        items.append(Label(x + 42, y + 22, "+3", PAR, "ink_soft", "bold"))
        items.append(Label(x + 98, y + 22, "three more, in the list above", 32, "ink", "semi", "l"))
        x += 1
    return items, y + (60 if x > EDGE else 0)
