"""Maps of places and links: who built what, what a link costs, what goods lie where."""

import math
from collections.abc import Mapping

from engine.view import Brand, Link, Network, Place
from render import fonts
from render.scene import CAP, Box, Curve, Disc, Item, Label, Point, Polygon, Scene
from render.spread import Frame, Spread, along, around
from render.station import Liveries
from render.stretch import Axis, apart
from render.tables import chip
from render.theme import best_ink, load

PIXELS = 1600
TITLE, NAME, VALUE, COST, CHOICE, KEY = 46, 29, 36, 27, 36, 30
RADIUS, GOODS = 31, 15
HEAD, MARGIN = 70, 56
FLAT, TALL = 0.45, 1.1
"""Least and greatest height of a map in parts of its width."""
APART = 116
"""Least distance of two places: room for the cost of a link between them."""

SIGNS = {"black": "square", "silver": "diamond", "orange": "disc", "red": "triangle", "white": "ring"}
"""Shapes that say the colour of goods again."""


class _Map:
    """A network while it is drawn, in pixels of its natural width."""

    def __init__(self, view: Network, palette: str) -> None:
        self.view, self.theme = view, load(palette)
        self.liveries = Liveries(view.brands, self.theme)
        self.brands: Mapping[str, Brand] = {brand.code: brand for brand in view.brands}
        points = [(p.x, p.y) for p in view.places]
        around_land = [point for outline in view.outlines for point in outline] + points
        wide, tall = _span([x for x, _ in around_land], view.width), _span([y for _, y in around_land], view.height)
        high = round(PIXELS * min(max(view.height / max(view.width, 1.0), FLAT), TALL))
        self.across = Axis([x for x, _ in points], wide, (MARGIN, PIXELS - MARGIN))
        self.down = Axis([y for _, y in points], tall, (HEAD + MARGIN, HEAD + high - MARGIN))
        frame = (MARGIN, HEAD + MARGIN, PIXELS - MARGIN, HEAD + high - MARGIN)
        self.spots: dict[str, Point] = apart({p.id: self.at((p.x, p.y)) for p in view.places}, APART, frame)
        self.low = HEAD + high
        self.spread = Spread(PIXELS, self.low)
        self.items: list[Item] = []

    def at(self, point: Point) -> Point:
        """Return a point of the view's canvas in pixels, where places crowd farther from others."""
        return round(self.across.at(point[0]), 1), round(self.down.at(point[1]), 1)


def _span(values: list[float], whole: float) -> tuple[float, float]:
    """Return the least and the greatest value; the whole canvas where they do not differ."""
    least, greatest = min(values, default=0.0), max(values, default=0.0)
    return (least, greatest) if greatest > least else (0.0, whole)


def scene(view: Network, palette: str) -> Scene:
    """Return the scene of a network; its unit is a pixel of the natural width."""
    drawing = _Map(view, palette)
    title = fonts.fitted(view.title, TITLE, PIXELS - 48, "bold")
    wide = fonts.width(title, TITLE, "bold")
    drawing.spread.take(Frame(24 + wide / 2, 42, wide, TITLE))
    _land(drawing)
    for place in view.places:
        x, y = drawing.spots[place.id]
        drawing.spread.take(Frame(x, y, 2 * RADIUS + 4, 2 * RADIUS + 4))
        drawing.spread.places.append((x, y))
    links = [link for link in view.links if link.a in drawing.spots and link.b in drawing.spots]
    for link in sorted(links, key=lambda link: bool(link.company) + 2 * bool(link.mark or link.choice)):
        _link(drawing, link)
    for link in links:
        _badge(drawing, link)
    for place in sorted(view.places, key=lambda p: -len(p.name)):
        _name(drawing, place)  # before the smaller signs, which find room more easily
    for place in view.places:
        _place(drawing, place)
    drawing.items.append(Label(24, 42, title, TITLE, "ink", "bold", "l"))
    low = _key(drawing, drawing.low + 12)
    return Scene(PIXELS, low, PIXELS, "sea", tuple(drawing.items))


def _land(drawing: _Map) -> None:
    outlines = [tuple(drawing.at(point) for point in outline) for outline in drawing.view.outlines]
    for role, width in (("shoal_1", 46), ("shoal_2", 24)):
        drawing.items += [Polygon(points, line=role, width=width) for points in outlines]
    drawing.items += [Polygon(points, "country", "coast", 5) for points in outlines]


def _link(drawing: _Map, link: Link) -> None:
    """Draw a link: thin while unbuilt, then broad in its company's colour and dash."""
    ends = (drawing.spots[link.a], drawing.spots[link.b])
    drawing.spread.line(*ends)
    if link.company:
        livery = drawing.liveries.of(link.company)
        brand = drawing.brands.get(link.company)
        dash = drawing.theme.stroke(brand.slot if brand else 0).dash
        if link.mark == "new":
            drawing.items.append(Curve(ends, "new", 32, round=True))
        drawing.items.append(Curve(ends, "ink", 22, round=True))
        drawing.items.append(Curve(ends, "casing", 17))
        drawing.items.append(Curve(ends, livery.fill, 17, dash))
    elif link.mark == "can" or link.choice:
        drawing.items += [Curve(ends, "casing", 14), Curve(ends, "can", 9, (1.8, 1.0))]
    else:
        drawing.items.append(Curve(ends, "link", 5))


def _badge(drawing: _Map, link: Link) -> None:
    """Draw what stands on a link: its choice and cost, or the letters of its builder."""
    a, b = drawing.spots[link.a], drawing.spots[link.b]
    if link.company:
        wide = max(40.0, fonts.width(link.company[:5], COST) + 20)
        frame = drawing.spread.best(along(a, b, wide, 34), lines=False)
        drawing.items.append(chip(link.company, (frame.x, frame.y), (wide, 34), COST, drawing.liveries))
    elif link.choice:
        text = link.choice[:3]
        wide, cost = max(46.0, fonts.width(text, CHOICE) + 24), 34.0
        frame = drawing.spread.best(along(a, b, wide + cost, 46), lines=False)
        left, top = frame.x - frame.width / 2, frame.y - 23
        drawing.items += [
            Box(left, top, wide + cost, 46, 12, "disc", "choice", 3),
            Box(left, top, wide, 46, 12, "choice"),
            Label(left + wide / 2, frame.y, text, CHOICE, "choice_ink"),
            Label(left + wide + cost / 2 - 1, frame.y, str(link.cost), COST + 3, "ink"),
        ]
    else:
        frame = drawing.spread.best(along(a, b, 30, 30), lines=False)
        drawing.items.append(Disc(frame.x, frame.y, 16.5, "disc", "link", 2.5))
        drawing.items.append(Label(frame.x, frame.y, str(link.cost), COST, "link_ink"))


def _place(drawing: _Map, place: Place) -> None:
    """Draw a place: its shape with its value, its goods, the companies that start there."""
    x, y = drawing.spots[place.id]
    goods = f"goods_{place.goods}"
    rim = goods if drawing.theme.has(goods) else "link"
    if place.shape == "hexagon":
        drawing.items.append(Polygon(_hexagon(x, y, RADIUS + 5), "ink"))
        drawing.items.append(Polygon(_hexagon(x, y, RADIUS + 2), rim))
        drawing.items.append(Polygon(_hexagon(x, y, RADIUS - 4), "disc", "ink", 2))
    else:
        drawing.items += [Disc(x, y, RADIUS, rim, "ink", 3), Disc(x, y, RADIUS - 7, "disc", "ink", 2)]
    drawing.items.append(Label(x, y, str(place.value), VALUE - (6 if place.value > 99 else 0), "ink"))
    for code in place.starts[:6]:
        wide = max(40.0, fonts.width(code[:5], COST) + 20)
        frame = drawing.spread.best(around(x, y, wide, 34, RADIUS))
        drawing.items.append(chip(code, (frame.x, frame.y), (wide, 34), COST, drawing.liveries))
    if place.cube:
        spots = [Frame(x + dx * 38, y + dy * 30, 36, 36) for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1))]
        frame = drawing.spread.best(spots)
        drawing.items += _cube(place.goods, place.letter, (frame.x, frame.y), rim)
    if place.choice:
        frame = drawing.spread.best(around(x, y, 52, 46, RADIUS - 6), lines=False)
        drawing.items.append(Box(frame.x - 26, frame.y - 23, 52, 46, 23, "choice", "casing", 3))
        drawing.items.append(Label(frame.x, frame.y, place.choice[:3], CHOICE, "choice_ink"))


def _hexagon(x: float, y: float, r: float) -> tuple[Point, ...]:
    return tuple(
        (round(x + r * math.cos(math.pi / 3 * k), 1), round(y + r * math.sin(math.pi / 3 * k), 1)) for k in range(6)
    )


def _cube(goods: str, letter: str, at: Point, role: str) -> list[Item]:
    """Return goods as a small shape of its colour with its letter."""
    x, y = at
    r = GOODS + 1.0
    ink = best_ink(_hex_of(role))
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


def _hex_of(role: str) -> str:
    return "#" + bytes(load("standard").rgb(role)).hex()


def _name(drawing: _Map, place: Place) -> None:
    x, y = drawing.spots[place.id]
    name = fonts.fitted(place.name, NAME, 300, "semi")
    frames = around(x, y, fonts.width(name, NAME, "semi") + 6, NAME * CAP + 10, RADIUS + 1)
    frame = drawing.spread.best(frames, of=(x, y))
    drawing.items.append(Label(frame.x, frame.y, name, NAME, "ink", "semi", "m", "country"))


def _key(drawing: _Map, y: float) -> float:
    """Draw what colours and shapes mean; return the lower edge of the picture."""
    x = 24.0
    goods = sorted({(p.goods, p.letter) for p in drawing.view.places})
    words = (
        {"hexagon": "hexagon: a company may start here"}
        if any(p.shape == "hexagon" for p in drawing.view.places)
        else {}
    )
    for name, letter in goods:
        role = f"goods_{name}" if drawing.theme.has(f"goods_{name}") else "link"
        drawing.items += _cube(name, letter, (x + 22, y + 24), role)
        drawing.items.append(Label(x + 52, y + 24, f"{name} goods", KEY, "ink", "semi", "l"))
        x += 52 + fonts.width(f"{name} goods", KEY, "semi") + 34
    for text in (*words.values(), *drawing.view.notes):
        for line in fonts.wrapped(text, KEY, PIXELS - 48, "semi"):
            wide = fonts.width(line, KEY, "semi")
            if x + wide > PIXELS - 24:
                x, y = 24.0, y + 44
            drawing.items.append(Label(x, y + 24, line, KEY, "ink", "semi", "l"))
            x += wide + 40
    return y + 60
