"""Title, legend and notes of a map: set into free corners of the sea, else below the map."""

from collections.abc import Sequence

from engine.record import Record
from engine.view import Board
from render import fonts
from render.geometry import HALF
from render.scene import Box, Curve, Disc, Item, Label, Point, Stamp
from render.theme import load

Frame = tuple[float, float, float, float]
TITLE, TEXT, STEP = 0.56, 0.4, 0.56


class Row(Record, frozen=True):
    """A line of a block: a sign drawn in 0.9 x 0.5 around its middle, and words."""

    words: str
    sign: tuple[Item, ...] = ()


class Block(Record, frozen=True):
    """Rows, and the room they take."""

    rows: tuple[Row, ...]
    size: float
    step: float
    width: float
    height: float
    ground: str = ""


class Placed(Record, frozen=True):
    """The items of all blocks; ``frame`` is the picture's, ``map_frame`` that of the map alone."""

    items: tuple[Item, ...]
    frame: Frame
    map_frame: Frame


def legend(view: Board, palette: str, centres: Sequence[Point], frame: Frame) -> Placed:
    """Return title, legend and notes in their places around a map."""
    left, top, right, low = frame
    items: list[Item] = []
    taken: list[Frame] = []
    title = _block([Row(view.title)], TITLE, STEP, right - left - 0.4) if view.title else None
    rows = _legend_rows(view, palette)
    map_top = top
    if title:
        spot = _corner(title, frame, centres, taken)
        if spot is None:
            top -= title.height + 0.1
            spot = (left + 0.2, top + 0.1)
        items += _drawn(title, spot)
        taken.append((spot[0], spot[1], spot[0] + title.width, spot[1] + title.height))
    if rows:
        block = _block(rows, TEXT, STEP, right - left - 0.4)
        spot = _corner(block, frame, centres, taken)
        if spot is None:
            spot = (left + 0.2, low + 0.05)
            low += block.height + 0.2
        items += _drawn(block, spot)
    return Placed(tuple(items), (left, top, right, low), (left, map_top, right, low))


def _legend_rows(view: Board, palette: str) -> list[Row]:
    theme = load(palette)
    rows: list[Row] = []
    for line in view.lines:
        stroke = theme.stroke(line.number - 1)
        sign: tuple[Item, ...] = (
            Curve(((-0.45, 0.0), (0.45, 0.0)), "casing", 0.34),
            Curve(((-0.45, 0.0), (0.45, 0.0)), stroke.colour, 0.28, stroke.dash),
            Disc(-0.3, 0.0, 0.25, "casing"),
            Disc(-0.3, 0.0, 0.22, stroke.colour),
            Label(-0.3, 0.0, str(line.number), 0.34, "#ffffff"),
        )
        rows.append(Row(f"{line.label}  {line.words}".strip(), sign))
    marks = {h.mark for h in view.hexes}
    box = (-0.32, -0.19, 0.64, 0.38)
    if "new" in marks:
        rows.append(Row("new since your last turn", (Box(*box, 0.05, "", "new", 0.085),)))
    if "can" in marks:
        outline = ((-0.3, -0.18), (0.3, -0.18), (0.3, 0.18), (-0.3, 0.18), (-0.3, -0.18))
        rows.append(Row("you may choose this hex", (Curve(outline, "can", 0.085, (2.0, 1.2), joined=True),)))
    return rows + [Row(note) for note in view.notes if note]


def _block(rows: Sequence[Row], size: float, step: float, room: float) -> Block:
    """Return rows as a block at most ``room`` wide; long words are broken into lines."""
    signs = 1.1 if any(row.sign for row in rows) else 0.0
    face = "bold" if size == TITLE else "semi"
    broken: list[Row] = []
    for row in rows:
        lines = fonts.wrapped(row.words, size, room - signs - 0.2, face)
        broken += [Row(line, row.sign if k == 0 else ()) for k, line in enumerate(lines)]
    width = max(fonts.width(row.words, size, face) for row in broken) + signs + 0.15
    return Block(tuple(broken), size, step, width, len(broken) * step + 0.1)


def _corner(block: Block, frame: Frame, centres: Sequence[Point], taken: Sequence[Frame]) -> Point | None:
    """Return the upper left corner for a block in a free corner of the map."""
    left, top, right, low = frame[0] + 0.75, frame[1] + 0.75, frame[2] - 0.2, frame[3] - 0.1
    for x, y in (
        (left, top),
        (right - block.width, top),
        (left, low - block.height),
        (right - block.width, low - block.height),
    ):
        mine = (x, y, x + block.width, y + block.height)
        if x >= left - 0.01 and not any(_meet(mine, other) for other in taken) and not _on_hexes(mine, centres):
            return x, y
    return None


def _meet(a: Frame, b: Frame) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _on_hexes(frame: Frame, centres: Sequence[Point]) -> bool:
    """Tell whether a rectangle comes near a hex."""
    left, top, right, low = frame
    for cx, cy in centres:
        dx, dy = max(left - cx, cx - right, 0.0), max(top - cy, cy - low, 0.0)
        if dy < HALF + 0.12 and dx * HALF + dy / 2 < HALF + 0.12:
            return True
    return False


def _drawn(block: Block, spot: Point) -> list[Item]:
    signs = 1.1 if any(row.sign for row in block.rows) else 0.0
    face = "bold" if block.size == TITLE else "semi"
    items: list[Item] = []
    for k, row in enumerate(block.rows):
        y = spot[1] + 0.05 + (k + 0.5) * block.step
        if row.sign:
            items.append(Stamp(spot[0] + 0.5, y, row.sign))
        items.append(Label(spot[0] + signs, y, row.words, block.size, "ink", face, "l"))
    return items
