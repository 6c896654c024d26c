"""Maps of places and links: who built what, what a link costs, what goods lie where."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.view import Brand, Network, NetworkLink, Place
from render import fonts
from render.hexes.legend import draw_cartouche, draw_compass
from render.hexes.station import Liveries
from render.places.layout import CUBE, NAME, PIXELS, RADIUS, STEP, PlaceSpot, lay_out
from render.places.spread import Frame, Spread, list_frames_along, list_frames_around
from render.scene import Box, Curve, Disc, Item, Label, Point, Polygon, Scene, Stamp
from render.sheets.tables import make_chip
from render.theme import choose_ink, load_theme

TITLE, VALUE, COST, CHOICE, KEY = 46, 36, 27, 36, 30
GOODS = 15
COARSE = 14.0
"""Pixels between the points of the shoals along a coast."""

LAND = (58.0, 46.0, 36.0)
"""Sizes of the name of the land, tried in this order."""

COMPASS_WIDE = 170.0
LINK_STEP = 36.0
"""Side of the squares by which links are kept free, as wide as the costs on them."""

HEAD_ROOM = 66
"""Height of the title, which is left out under a banner."""

SIGNS = {"black": "square", "silver": "diamond", "orange": "disc", "red": "triangle", "white": "ring"}
"""Shapes that say the colour of goods again."""
SEA_STEP, SEA_PROBE = 20, 24
"""Pixels between the places that are tried, and between the points of one that must not lie on land."""
SHORE = 30.0
"""How far from the coast, from the edges and from what stands on the board."""
Outlines = tuple[tuple[Point, ...], ...]


class _Map:
    """A network while it is drawn, in pixels of its natural width."""

    def __init__(self, view: Network, palette: str) -> None:
        self.view, self.theme, self.layout = view, load_theme(palette), lay_out(view)
        self.liveries = Liveries(view.brands, self.theme)
        self.brands: Mapping[str, Brand] = {brand.code: brand for brand in view.brands}
        self.spots: dict[str, Point] = {name: spot.at for name, spot in self.layout.spots.items()}
        self.low = self.layout.height
        self.spread = Spread(PIXELS, self.low, HEAD_ROOM)
        self.ground = "country" if view.outlines else "sea"
        self.links: Sequence[Frame] = ()
        self.items: list[Item] = []


def build_scene(view: Network, palette: str) -> Scene:
    """Return the scene of a network; its unit is a pixel of the natural width."""
    drawing = _Map(view, palette)
    _draw_land(drawing)
    sea = _draw_sea(drawing)
    _take_fixed_room(drawing)
    links = [link for link in view.links if link.a in drawing.spots and link.b in drawing.spots]
    for link in sorted(links, key=lambda link: bool(link.company) + 2 * bool(link.mark or link.choice)):
        _draw_link(drawing, link)
    plates = [spot.name.frame for spot in drawing.layout.spots.values() if spot.name.hides]
    drawing.items += [_draw_name_plate(frame, drawing.ground) for frame in plates]
    drawing.items += [_draw_leader(spot) for spot in drawing.layout.spots.values() if spot.name.led]
    for link, frame in zip(links, drawing.layout.badges, strict=True):
        _draw_badge(drawing, link, frame)
    for draw in (_draw_place, _draw_name):
        for place in view.places:
            before = len(drawing.items)
            draw(drawing, place)
            drawing.items[before:] = [Stamp(0, 0, tuple(drawing.items[before:]), f"place:{place.id}", "places")]
    drawing.items += sea
    low = _draw_key(drawing, drawing.low + 12)
    if not view.title:
        return Scene(PIXELS, low - HEAD_ROOM, PIXELS, "sea", (Stamp(0, -HEAD_ROOM, tuple(drawing.items)),))
    drawing.items.append(
        Label(24, 42, fonts.cut_to_fit(view.title, TITLE, PIXELS - 48, "bold"), TITLE, "ink", "bold", "l")
    )
    return Scene(PIXELS, low, PIXELS, "sea", tuple(drawing.items))


def _take_fixed_room(drawing: _Map) -> None:
    """Take the room of all that always stands on the board, so that numbers of choices keep off it."""
    for place in drawing.view.places:
        spot = drawing.layout.spots[place.id]
        drawing.spread.take(Frame(*spot.at, 2 * RADIUS + 4, 2 * RADIUS + 4))
        drawing.spread.take(spot.name.frame)
        if place.cube:
            drawing.spread.take(Frame(*spot.cube, CUBE, CUBE))
        if place.starts:
            drawing.spread.take(spot.chip)
    for link, frame in zip(drawing.view.links, drawing.layout.badges, strict=False):
        if not link.choice:
            drawing.spread.take(frame)


def _draw_sea(drawing: _Map) -> list[Item]:
    """Return the name of the land and a compass where the sea is empty whatever is built, and take their room."""
    items: list[Item] = []
    outlines = tuple(drawing.layout.outline(outline) for outline in drawing.view.outlines)
    spots = drawing.layout.spots.values()
    taken = tuple(frame for spot in spots for frame in (spot.name.frame, spot.chip, Frame(*spot.at, 72, 72)))
    drawing.links = _list_link_frames(drawing)
    taken = (*taken, *drawing.links)  # a board without land has links wherever there are places
    board = (float(HEAD_ROOM), float(PIXELS), drawing.low)
    lines, face = drawing.view.land, fonts.choose_face(drawing.view.identity.face)
    for size in LAND if lines else ():
        drawn = draw_cartouche(lines, face, size)
        at = find_sea(outlines, taken, board, (drawn.width, drawn.height))
        if at:
            items.append(Stamp(*at, drawn.items))
            own = Frame(at[0] + drawn.width / 2, at[1] + drawn.height / 2, drawn.width, drawn.height)
            taken = (*taken, own)
            drawing.spread.take(own)
            break
    at = find_sea(outlines, taken, board, (COMPASS_WIDE, COMPASS_WIDE))
    if at:
        middle = (at[0] + COMPASS_WIDE / 2, at[1] + COMPASS_WIDE / 2 + 8)
        items += draw_compass(middle, COMPASS_WIDE)
        drawing.spread.take(Frame(*middle, COMPASS_WIDE, COMPASS_WIDE))
    return items


def _list_link_frames(drawing: _Map) -> list[Frame]:
    """Return frames that cover all links with what stands on them, whatever is built."""
    frames: list[Frame] = []
    for link in drawing.view.links:
        if link.a in drawing.spots and link.b in drawing.spots:
            (ax, ay), (bx, by) = drawing.spots[link.a], drawing.spots[link.b]
            steps = max(1, round(math.dist((ax, ay), (bx, by)) / LINK_STEP))
            frames += [
                Frame(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps, LINK_STEP, LINK_STEP)
                for k in range(1, steps)
            ]
    return frames


def _draw_land(drawing: _Map) -> None:
    outlines = [drawing.layout.outline(outline) for outline in drawing.view.outlines]
    for role, width in (("shoal_1", 46), ("shoal_2", 24)):
        drawing.items += [Polygon(_simplify_outline(points), line=role, width=width) for points in outlines]
    drawing.items += [Polygon(points, "country", "coast", 5) for points in outlines]


def _simplify_outline(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return an outline without the points that are hardly seen in a broad stroke along it."""
    kept = list(points[:1])
    for point in points[1:]:
        if math.dist(point, kept[-1]) > COARSE:
            kept.append(point)
    return tuple(kept)


def _draw_link(drawing: _Map, link: NetworkLink) -> None:
    """Draw a link: thin while unbuilt, then broad in its company's colour and dash."""
    ends = (drawing.spots[link.a], drawing.spots[link.b])
    if link.company:
        livery = drawing.liveries.find(link.company)
        brand = drawing.brands.get(link.company)
        dash = drawing.theme.choose_stroke(brand.slot if brand else 0).dash
        if link.mark == "new":
            mark = (Curve(ends, "ink", 42, round=True), Curve(ends, "new", 35, round=True))
            drawing.items.append(Stamp(0, 0, mark, layer="new"))
        drawing.items.append(Curve(ends, "ink", 22, round=True))
        drawing.items.append(Curve(ends, "casing", 17))
        drawing.items.append(Curve(ends, livery.fill, 17, dash))
    elif link.mark == "can" or link.choice:
        mark = (Curve(ends, "casing", 14), Curve(ends, "can", 9, (1.8, 1.0)))
        drawing.items.append(Stamp(0, 0, mark, layer="can"))
    else:
        drawing.items.append(Curve(ends, "link", 5))


def _draw_badge(drawing: _Map, link: NetworkLink, frame: Frame) -> None:
    """Draw what stands on a link: its choice and cost, or the letters of its builder."""
    if link.company:
        wide = max(40.0, fonts.measure_text(link.company[:5], COST) + 20)
        drawing.items.append(make_chip(link.company, (frame.x, frame.y), (wide, 34), COST, drawing.liveries))
    elif link.choice:
        text = link.choice[:3]
        wide, cost = max(46.0, fonts.measure_text(text, CHOICE) + 24), 34.0
        a, b = drawing.spots[link.a], drawing.spots[link.b]
        frame = drawing.spread.take_best(list_frames_along(a, b, wide + cost, 46))
        left, top = frame.x - frame.width / 2, frame.y - 23
        drawing.items += [
            Box(left, top, wide + cost, 46, 12, "disc", "choice", 3),
            Box(left, top, wide, 46, 12, "choice"),
            Label(left + wide / 2, frame.y, text, CHOICE, "choice_ink"),
            Label(left + wide + cost / 2 - 1, frame.y, str(link.cost), COST + 3, "ink"),
        ]
    else:
        drawing.items.append(Disc(frame.x, frame.y, 16.5, "disc", "link", 2.5))
        drawing.items.append(Label(frame.x, frame.y, str(link.cost), COST, "link_ink"))


def _draw_place(drawing: _Map, place: Place) -> None:
    """Draw a place: its shape with its value, its goods, the companies that start there."""
    x, y = drawing.spots[place.id]
    goods = f"goods_{place.goods}"
    rim = goods if drawing.theme.has_role(goods) else "link"
    if place.shape == "hexagon":
        drawing.items.append(Polygon(_make_hexagon_around(x, y, RADIUS + 5), "ink"))
        drawing.items.append(Polygon(_make_hexagon_around(x, y, RADIUS + 2), rim))
        drawing.items.append(Polygon(_make_hexagon_around(x, y, RADIUS - 4), "disc", "ink", 2))
    else:
        drawing.items += [Disc(x, y, RADIUS, rim, "ink", 3), Disc(x, y, RADIUS - 7, "disc", "ink", 2)]
    drawing.items.append(Label(x, y, str(place.value), VALUE - (6 if place.value > 99 else 0), "ink"))
    for k, code in enumerate(place.starts[:6]):
        wide = max(40.0, fonts.measure_text(code[:5], COST) + 20)
        kept = drawing.layout.spots[place.id].chip
        frame = (
            drawing.spread.take_best(
                [f for far in (0, 16, 44) for f in list_frames_around(x, y, wide, 34, RADIUS + far)], drawing.links
            )
            if k
            else kept
        )
        drawing.items.append(make_chip(code, (frame.x, frame.y), (wide, 34), COST, drawing.liveries))
    if place.cube:
        drawing.items += _draw_cube(place.goods, place.letter, drawing.layout.spots[place.id].cube, rim)
    if place.choice:
        frame = drawing.spread.take_best(list_frames_around(x, y, 52, 46, RADIUS - 6))
        drawing.items.append(Box(frame.x - 26, frame.y - 23, 52, 46, 23, "choice", "casing", 3))
        drawing.items.append(Label(frame.x, frame.y, place.choice[:3], CHOICE, "choice_ink"))


def _make_hexagon_around(x: float, y: float, r: float) -> tuple[Point, ...]:
    return tuple(
        (round(x + r * math.cos(math.pi / 3 * k), 1), round(y + r * math.sin(math.pi / 3 * k), 1)) for k in range(6)
    )


def _draw_cube(goods: str, letter: str, at: Point, role: str) -> list[Item]:
    """Return goods as a small shape of its colour with its letter."""
    x, y = at
    r = GOODS + 1.0
    ink = choose_ink("#" + bytes(load_theme("standard").find_rgb(role)).hex())
    shape = SIGNS.get(goods, "disc")
    if shape == "square":
        ground: list[Item] = [Box(x - r, y - r, 2 * r, 2 * r, 2, role, "casing", 2.5)]
    elif shape == "diamond":
        ground = [Polygon(((x, y - r * 1.3), (x + r * 1.3, y), (x, y + r * 1.3), (x - r * 1.3, y)), role, "ink", 2.5)]
    elif shape == "triangle":
        ground = [
            Polygon(((x, y - r * 1.4), (x + r * 1.35, y + r * 0.9), (x - r * 1.35, y + r * 0.9)), role, "ink", 2.5)
        ]
    else:
        ground = [Disc(x, y, r + 1, role, "ink", 5 if shape == "ring" else 2.5)]
    return [*ground, Label(x, y + (2 if shape == "triangle" else 0), letter[:2], 25, ink)]


def _draw_name(drawing: _Map, place: Place) -> None:
    name = drawing.layout.spots[place.id].name
    for k, line in enumerate(name.lines):
        y = round(name.frame.y + (k - (len(name.lines) - 1) / 2) * STEP, 1)
        drawing.items.append(Label(name.frame.x, y, line, NAME, "ink", "semi", "m", drawing.ground, "name"))


def _draw_name_plate(frame: Frame, ground: str) -> Item:
    """Return the ground of a name that lies over a link: no text stands on track."""
    return Box(frame.x - frame.width / 2, frame.y - frame.height / 2, frame.width, frame.height, 9, ground)


def _draw_leader(spot: PlaceSpot) -> Item:
    """Return the line from a place to its name."""
    frame, (x, y) = spot.name.frame, spot.at
    near = (
        min(max(x, frame.x - frame.width / 2), frame.x + frame.width / 2),
        min(max(y, frame.y - frame.height / 2), frame.y + frame.height / 2),
    )
    return Curve(((x, y), near), "ink_soft", 3.5)


def _draw_key(drawing: _Map, y: float) -> float:
    """Draw what colours and shapes mean; return the lower edge of the picture."""
    x = 24.0
    goods = sorted({(p.goods, p.letter) for p in drawing.view.places})
    words = [
        *(["hexagon: a company may start here"] if any(p.shape == "hexagon" for p in drawing.view.places) else []),
        *(["chip next to it: started here"] if any(p.starts for p in drawing.view.places) else []),
    ]
    for name, letter in goods:
        role = f"goods_{name}" if drawing.theme.has_role(f"goods_{name}") else "link"
        drawing.items += _draw_cube(name, letter, (x + 22, y + 24), role)
        drawing.items.append(Label(x + 52, y + 24, f"{name} goods", KEY, "ink", "semi", "l"))
        x += 52 + fonts.measure_text(f"{name} goods", KEY, "semi") + 34
    if any(link.mark == "new" for link in drawing.view.links):
        sample = ((x + 8, y + 24), (x + 72, y + 24))
        drawing.items += [Curve(sample, role, wide) for role, wide in (("ink", 42), ("new", 35), ("ink", 22))]
        drawing.items.append(Label(x + 86, y + 24, drawing.view.new, KEY, "ink", "semi", "l"))
        x += 86 + fonts.measure_text(drawing.view.new, KEY, "semi") + 34
    for text in (*words, *drawing.view.notes):
        for line in fonts.wrap(text, KEY, PIXELS - 48, "semi"):
            wide = fonts.measure_text(line, KEY, "semi")
            if x + wide > PIXELS - 24:
                x, y = 24.0, y + 44
            drawing.items.append(Label(x, y + 24, line, KEY, "ink", "semi", "l"))
            x += wide + 40
    return y + 60


@lru_cache(maxsize=64)
def find_sea(
    outlines: Outlines, taken: tuple[Frame, ...], board: tuple[float, float, float], size: tuple[float, float]
) -> Point | None:
    """Return the upper left corner of a rectangle at sea, as far down as there is one, ``None`` if there is none.

    Args:
        outlines: of the land.
        taken: what stands on the board.
        board: its upper edge, width and height.
        size: of the rectangle.
    """
    top, wide, high = board
    columns = list(range(int(SHORE), int(wide - SHORE - size[0]) + 1, SEA_STEP))
    for y in range(int(high - size[1] - SHORE / 2), int(top), -SEA_STEP):
        for x in sorted(columns, key=lambda x: min(x, wide - size[0] - x)):
            if _is_clear((float(x), float(y)), size, taken) and _is_at_sea((float(x), float(y)), size, outlines):
                return float(x), float(y)
    return None


def _is_clear(at: Point, size: tuple[float, float], taken: Sequence[Frame]) -> bool:
    """Return whether nothing stands in a rectangle or near it."""
    x, y = at[0] + size[0] / 2, at[1] + size[1] / 2
    reach = SHORE / 2
    return not any(
        abs(x - f.x) < (size[0] + f.width) / 2 + reach and abs(y - f.y) < (size[1] + f.height) / 2 + reach
        for f in taken
    )


def _is_at_sea(at: Point, size: tuple[float, float], outlines: Outlines) -> bool:
    """Return whether no land is in a rectangle or near it."""
    left, top, right, low = at[0] - SHORE, at[1] - SHORE, at[0] + size[0] + SHORE, at[1] + size[1] + SHORE
    if any(left < x < right and top < y < low for line in outlines for x, y in line):
        return False
    across = [left + k * SEA_PROBE for k in range(int((right - left) / SEA_PROBE) + 1)] + [right]
    down = [top + k * SEA_PROBE for k in range(int((low - top) / SEA_PROBE) + 1)] + [low]
    edge = [(x, y) for x in across for y in (top, low)] + [(x, y) for y in down for x in (left, right)]
    return not any(_is_inside(point, line) for point in edge for line in outlines)


def _is_inside(point: Point, line: Sequence[Point]) -> bool:
    """Return whether a point lies within a closed line."""
    x, y = point
    within = False
    for (ax, ay), (bx, by) in zip(line, (*line[1:], line[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            within = not within
    return within
