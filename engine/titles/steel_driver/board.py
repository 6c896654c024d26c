"""The board: places, routes and company boxes, read from a TOML file.

``data/board.toml`` documents the form. A group may bring a file of its own:
``read_board`` is a function of the text alone, and says what is wrong with it
by file, place and reason.
"""

import itertools
import math
import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, TypeVar

import msgspec

from engine.record import Record
from engine.titles.steel_driver.board_text import BoardTextError, check_size
from engine.view import Brand

FORMAT = "steel-driver-board/1"
MAX_ROUTES = 250
MAX_POINTS = 3000
ROOM = 100
"""Two places are at least the canvas's longer side, divided by this, apart."""
GOODS = ("black", "white", "silver", "orange", "red")
VALUES = range(0, 210, 10)
SUPPLY = (12, 60, 6, 5, 3)
FORMATTING = frozenset("<>@{}[]*_~|`#\\")
_ID = re.compile(r"[a-z0-9_]{1,32}")
_INK = re.compile(r"#[0-9a-fA-F]{6}")
T = TypeVar("T")


class BoardError(Exception):
    """A board that cannot be played on; the message names file, place and reason."""

    def __init__(self, file: str, place: str, reason: str) -> None:
        super().__init__(f"{file}, {place}: {reason}." if place else f"{file}: {reason}.")
        self.file = file
        self.place = place
        self.reason = reason


class Spot(Record, frozen=True):
    """A location: ``start`` is a hexagon; ``goods`` is an index of ``GOODS``; value in dollars."""

    id: str
    name: str
    x: float
    y: float
    start: bool
    value: int
    goods: int


class Route(Record, frozen=True):
    """A potential route between two locations, and its cost in cubes."""

    a: int
    b: int
    cost: int


class PrintedBoard(Record, frozen=True):
    """A board, compiled: places and routes are known by their index.

    Args:
        companies: brands from the left box to the right one; ``ids`` are what players type.
        exits: for each place its routes as (route, other place, cost).
        ends: the two places the transcontinental link joins.
        starts: places where a company may start.
        colours: the set of places of each colour of goods.
    """

    name: str
    note: str
    width: float
    height: float
    ids: tuple[str, ...]
    companies: tuple[Brand, ...]
    places: tuple[Spot, ...]
    routes: tuple[Route, ...]
    exits: tuple[tuple[tuple[int, int, int], ...], ...]
    ends: tuple[int, int]
    starts: tuple[int, ...]
    colours: tuple[int, ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()


class _Canvas(Record, frozen=True, forbid_unknown_fields=True):
    width: float
    height: float


class _Company(Record, frozen=True, forbid_unknown_fields=True):
    name: str
    code: str
    colour: str
    ink: str = "#ffffff"
    emblem: str = ""


class _Place(Record, frozen=True, forbid_unknown_fields=True):
    name: str
    x: float
    y: float
    shape: Literal["hexagon", "circle"]
    value: int
    goods: Literal["black", "white", "silver", "orange", "red"]


class _Land(Record, frozen=True, forbid_unknown_fields=True):
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()


class _File(Record, frozen=True, forbid_unknown_fields=True):
    format: str
    name: str
    ends: tuple[str, str]
    canvas: _Canvas
    companies: dict[str, dict[str, object]]
    places: dict[str, dict[str, object]]
    routes: dict[str, object]
    note: str = ""
    land: _Land = _Land()


@cache
def load_shipped_board() -> PrintedBoard:
    """Return the board that comes with the program, a reconstruction."""
    return read_board(files(__package__).joinpath("data/board.toml").read_text("utf-8"), "board.toml")


@lru_cache(maxsize=16)
def read_board(text: str, file: str = "board") -> PrintedBoard:
    """Read a board from its TOML text.

    Args:
        text: the whole file, at most 65,536 characters.
        file: its name, for messages.

    Raises:
        BoardError: it isn't valid TOML, something is missing or of a wrong kind, or the board cannot be played on.
    """
    try:
        check_size(text)
        raw = tomllib.loads(text)
    except BoardTextError as cause:
        raise BoardError(file, f"line {cause.line}" if cause.line else "", cause.reason) from None
    except (ValueError, RecursionError, OverflowError) as cause:  # tomllib's own error, or that of a number
        raise BoardError(file, "", f"it isn't valid TOML: {str(cause)[:200]}") from None
    sheet = _convert(_File, raw, file, "")
    if sheet.format != FORMAT:
        raise BoardError(file, "format", f"it is {sheet.format[:40]!r}; it should be {FORMAT!r}")
    _check_name(file, "name", sheet.name, 60)
    plain = sheet.note.isprintable() and not set(sheet.note) & FORMATTING and "://" not in sheet.note
    _demand(len(sheet.note) <= 300 and plain, file, "note", "it must be one line of up to 300 plain characters")
    _demand(
        all(100 <= side <= 5000 for side in (sheet.canvas.width, sheet.canvas.height)),
        file,
        "canvas",
        "width and height must be 100 to 5000",
    )
    _check_outlines(file, sheet)
    return _compile(file, sheet)


def _check_outlines(file: str, sheet: _File) -> None:
    """Check the outlines of the land: closed lines of points on the canvas or near it."""
    outlines = sheet.land.outlines
    _demand(sum(map(len, outlines)) <= MAX_POINTS, file, "land", f"the limit for all outlines is {MAX_POINTS} points")
    for number, outline in enumerate(outlines):
        where = f"land.outlines[{number}]"
        _demand(len(outline) >= 3, file, where, f"it has {len(outline)} points; a closed line needs at least 3")
        near = all(
            -side <= value <= 2 * side
            for point in outline
            for value, side in zip(point, (sheet.canvas.width, sheet.canvas.height), strict=True)
        )
        _demand(near, file, where, "a point lies far outside the canvas")


def _compile(file: str, sheet: _File) -> PrintedBoard:
    """Check what the types cannot say, and number everything."""
    places = _read_places(file, sheet)
    index = {place.id: number for number, place in enumerate(places)}
    routes = _read_routes(file, sheet.routes, index)
    exits: list[list[tuple[int, int, int]]] = [[] for _ in places]
    for number, route in enumerate(routes):
        exits[route.a].append((number, route.b, route.cost))
        exits[route.b].append((number, route.a, route.cost))
    for place, ways in zip(places, exits, strict=True):
        _demand(bool(ways), file, f"places.{place.id}", "no route leads there")
    first, second = sheet.ends
    for end in sheet.ends:
        _demand(end in index, file, "ends", f"there is no place {end[:32]!r}")
    _demand(first != second, file, "ends", "the two ends must differ")
    starts = tuple(number for number, place in enumerate(places) if place.start)
    _demand(bool(starts), file, "places", "no company could start; at least one shape must be a hexagon")
    _demand(_is_connected(exits), file, "routes", "some places can't be reached from others")
    return PrintedBoard(
        name=sheet.name,
        note=sheet.note,
        width=sheet.canvas.width,
        height=sheet.canvas.height,
        ids=tuple(sheet.companies),
        companies=_read_companies(file, sheet),
        places=places,
        routes=routes,
        exits=tuple(tuple(sorted(ways)) for ways in exits),
        ends=(index[first], index[second]),
        starts=starts,
        colours=tuple(
            sum(1 << number for number, place in enumerate(places) if place.goods == colour)
            for colour in range(len(GOODS))
        ),
        outlines=sheet.land.outlines,
    )


def _read_companies(file: str, sheet: _File) -> tuple[Brand, ...]:
    """Return the brands of the six companies."""
    _demand(len(sheet.companies) == 6, file, "companies", f"there are {len(sheet.companies)}; there should be 6")
    brands: list[Brand] = []
    for number, (key, raw) in enumerate(sheet.companies.items()):
        where = f"companies.{key[:32]}"
        company = _convert(_Company, raw, file, where)
        _demand(
            bool(_ID.fullmatch(key)), file, where, "an id can contain only lower-case letters, digits and underscores"
        )
        _check_name(file, f"{where}.code", company.code, 4)
        _check_name(file, f"{where}.name", company.name, 24)
        _demand(len(company.emblem) <= 24, file, where, "the name of the emblem is too long")
        for colour in (company.colour, company.ink):
            _demand(bool(_INK.fullmatch(colour)), file, where, f"{colour[:20]!r} isn't a colour such as '#c62828'")
        brands.append(Brand(company.code, company.name, company.colour, company.ink, number, company.emblem))
    _demand(len({brand.code for brand in brands}) == 6, file, "companies", "two companies have the same code")
    _demand(len({brand.name.lower() for brand in brands}) == 6, file, "companies", "two companies have the same name")
    calls = zip(sheet.companies, brands, strict=True)
    _check_names_differ(file, "companies", {key: (brand.code, brand.name) for key, brand in calls})
    return tuple(brands)


def _check_names_differ(file: str, part: str, calls: dict[str, tuple[str, ...]]) -> None:
    """Refuse names or codes that could mean two things: each must mean one without others.

    Args:
        file: its name.
        part: of the file.
        calls: for each id what else it is called.
    """
    means = {key: key for key in calls}
    for key, names in calls.items():
        for name in names:
            word = " ".join(name.lower().replace("_", " ").split())
            for typed in (word, word.replace(" ", "_")):
                other = means.setdefault(typed, key)
                _demand(other == key, file, f"{part}.{key}", f"{name!r} would also mean {part}.{other}")


def _read_places(file: str, sheet: _File) -> tuple[Spot, ...]:
    """Return the locations, in the order of the file."""
    spots: list[Spot] = []
    counts = [0] * len(GOODS)
    for key, raw in sheet.places.items():
        where = f"places.{key[:32]}"
        place = _convert(_Place, raw, file, where)
        _demand(
            bool(_ID.fullmatch(key)), file, where, "an id can contain only lower-case letters, digits and underscores"
        )
        _check_name(file, f"{where}.name", place.name, 24)
        _demand(place.value in VALUES, file, where, "a value must be 0, 10, 20, … 200")
        inside = 0 <= place.x <= sheet.canvas.width and 0 <= place.y <= sheet.canvas.height
        _demand(inside, file, where, "x or y lies outside the canvas")
        goods = GOODS.index(place.goods)
        counts[goods] += 1
        spots.append(Spot(key, place.name, place.x, place.y, place.shape == "hexagon", place.value, goods))
    _demand(len({spot.name.lower() for spot in spots}) == len(spots), file, "places", "two places have the same name")
    _check_names_differ(file, "places", {spot.id: (spot.name,) for spot in spots})
    for colour, count, supply in zip(GOODS, counts, SUPPLY, strict=True):
        _demand(count <= supply, file, "places", f"{count} places have {colour} goods; there are {supply} cubes")
    room = max(sheet.canvas.width, sheet.canvas.height) / ROOM
    for one, other in itertools.combinations(spots, 2):
        apart = math.dist((one.x, one.y), (other.x, other.y))
        _demand(
            apart >= room,
            file,
            f"places.{other.id}",
            f"it lies too close to {one.id}; places must be at least {room:g} apart",
        )
    return tuple(spots)


def _read_routes(file: str, raw: dict[str, object], index: dict[str, int]) -> tuple[Route, ...]:
    """Return the routes, in the order of the file."""
    _demand(len(raw) <= MAX_ROUTES, file, "routes", f"there are {len(raw)}; the limit is {MAX_ROUTES}")
    routes: list[Route] = []
    pairs: set[frozenset[str]] = set()
    for key, value in raw.items():
        where = f"routes.{key[:65]}"
        a, dash, b = key.partition("-")
        _demand(bool(dash), file, where, "write a route as two ids with a dash between: boston-albany = 2")
        for end in (a, b):
            _demand(end in index, file, where, f"there is no place {end[:32]!r}")
        _demand(a != b, file, where, "a route must join two different places")
        _demand(frozenset((a, b)) not in pairs, file, where, "this pair already has a route")
        pairs.add(frozenset((a, b)))
        cost = _convert(int, value, file, where)
        _demand(1 <= cost <= 60, file, where, f"a cost must be 1 to 60 cubes, not {cost}")
        routes.append(Route(index[a], index[b], cost))
    return tuple(routes)


def _is_connected(exits: list[list[tuple[int, int, int]]]) -> bool:
    """Return whether every place can be reached from the first."""
    seen = {0}
    stack = [0]
    while stack:
        for _, other, _ in exits[stack.pop()]:
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return len(seen) == len(exits)


def _convert(kind: type[T], raw: object, file: str, where: str) -> T:
    """Convert plain TOML values; a wrong kind becomes a BoardError with its place."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as cause:
        reason, _, path = str(cause).partition(" - at ")
        inner = path.strip("`").removeprefix("$").removeprefix(".")
        place = ".".join(part for part in (where, inner) if part)
        raise BoardError(file, place[:100], (reason[:1].lower() + reason[1:])[:200]) from None


def _check_name(file: str, where: str, name: str, most: int) -> None:
    """Refuse a name that would not fit, or that Discord would read as more than letters."""
    plain = name.strip() == name and name.isprintable() and not set(name) & FORMATTING and "://" not in name
    _demand(plain and 1 <= len(name) <= most, file, where, f"it must have 1 to {most} plain characters")


def _demand(holds: bool, file: str, place: str, reason: str) -> None:  # noqa: FBT001 - reads as a sentence
    """Refuse the board unless the condition holds."""
    if not holds:
        raise BoardError(file, place, reason)
