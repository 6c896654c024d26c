"""A sheet to hang up, A3 upright: the networks, who won and how, worth over time, the best run, the story."""

from collections.abc import Sequence

from engine.view import Broadsheet, Rank
from render import fonts
from render.hexes.station import Liveries
from render.scene import Box, Curve, Disc, Inset, Item, Label, Scene, Stamp
from render.sheets import chart
from render.sheets.diagram import draw_diagram
from render.sheets.tables import make_chip, measure_chip
from render.theme import choose_ink, load_theme

WIDE, HIGH = 1600, 2263
"""As A3 is: 297 by 420 millimetres."""
EDGE, GAP = 60, 28
GAME, SMALL_GAME = 150.0, 66.0
WINNER, TURNING = 74.0, 46.0
STORY, CAPTION, KEY = 34.0, 30.0, 28.0
LINE = 46
MAX_NAMED, MAX_STOPS = 9, 9
"""Companies whose names stand beside their chips, and stops of a run whose names stand below it in one row."""
LOWER_HIGH = 320
BAND_HIGH, STRIP_HIGH = 172, 130
MIN_STOP = 22.0
"""Size of the letters of a stop, whose name is rather parted into two lines than smaller."""
STEPS = {1: 1.0, 2: 0.74, 3: 0.54}
"""How high a place on the podium stands, of the room there is."""
MEDALS = ("medal_1", "medal_2", "medal_3")


def build_scene(view: Broadsheet, palette: str) -> Scene:
    """Return the scene of the sheet; its unit is a pixel of the natural width."""
    face = fonts.choose_face(view.identity.face)
    items: list[Item] = [
        Box(22, 22, WIDE - 44, HIGH - 44, 0, "", "ink", 5),
        Box(34, 34, WIDE - 68, HIGH - 68, 0, "", "ink", 2),
    ]
    head, _, rest = view.game.partition(": ")
    room = WIDE - 2 * EDGE
    top = 62.0
    for words, size in ((head, GAME), (rest, SMALL_GAME)):
        if words:
            fitting = min(size, size * room / fonts.measure_text(words, size, face))
            items.append(Label(WIDE / 2, top + fitting * 0.46, words, fitting, "ink", face))
            top += fitting * 0.98
    if view.table:
        told = fonts.cut_to_fit(view.table, CAPTION, room, "semi")
        items.append(Label(WIDE / 2, top + 20, told, CAPTION, "ink_soft", "semi"))
        top += 44
    items += _draw_winner(view, top + 8)
    top += BAND_HIGH + 8 + GAP
    lines = [(line, k == 0) for told in view.story for k, line in enumerate(fonts.wrap(told, STORY, room - 30, "semi"))]
    strip = 0 if not view.best_company else STRIP_HIGH + 36 * (len(view.best_stops) > MAX_STOPS)
    low: float = HIGH - 56 - len(lines) * LINE - strip - LOWER_HIGH - GAP
    key, rows = _draw_key(view, palette)
    low -= rows
    items += draw_diagram(view, palette, (EDGE + 60, top + 40, room - 120, low - top - 80))
    items.append(Stamp(0, low, tuple(key)))
    top = low + rows
    items += _draw_podium(view, palette, (EDGE, top, 640, LOWER_HIGH))
    left = EDGE + 640 + GAP
    items.append(Label(left, top + 20, "Worth over time", CAPTION, "ink", "bold", "l"))
    if len(view.chart.steps) > 1:
        small = chart.build_small_scene(view.chart, palette, (WIDE - EDGE - left, LOWER_HIGH - 44))
        items.append(
            Inset(
                left, top + 44, WIDE - EDGE - left, Scene(small.width, small.height, small.pixels, "sea", small.items)
            )
        )
    top += LOWER_HIGH + GAP
    if view.best_company:
        items += _draw_best_run(view, palette, top)
        top += strip
    for line, first in lines:
        items += [Disc(EDGE + 9, top + LINE / 2, 6, "head_rule", "ink", 2)] if first else []
        items.append(Label(EDGE + 30, top + LINE / 2, line, STORY, "ink", "semi", "l"))
        top += LINE
    return Scene(WIDE, HIGH, WIDE, "sea", tuple(items))


def _draw_winner(view: Broadsheet, top: float) -> list[Item]:
    """Return the band that says who won, and how it came about."""
    room = WIDE - 2 * EDGE - 40
    won = view.headline or view.title
    size = min(WINNER, WINNER * room / fonts.measure_text(won, WINNER))
    items: list[Item] = [
        Box(EDGE, top, WIDE - 2 * EDGE, BAND_HIGH, 10, "head", "ink", 4),
        Label(WIDE / 2, top + (62 if view.turning else BAND_HIGH / 2), won, size, "head_ink"),
    ]
    if view.turning:
        size = min(TURNING, TURNING * room / fonts.measure_text(view.turning, TURNING, "semi"))
        items.append(Label(WIDE / 2, top + 128, view.turning, size, "head_who", "semi"))
    return items


def _draw_key(view: Broadsheet, palette: str) -> tuple[list[Item], float]:
    """Return the companies whose lines are drawn, in rows, and how high these are; many are told by letters alone."""
    liveries = Liveries(view.board.brands, load_theme(palette))
    links = () if hasattr(view.board, "hexes") else {link.company for link in view.board.links}
    drawn = {each.company for each in view.networks} | set(links)
    brands = [brand for brand in view.board.brands if brand.code in drawn]
    items: list[Item] = []
    x, y = float(EDGE), 22.0
    for brand in brands:
        chip = measure_chip(brand.code, KEY, 40)
        name = "" if brand.name == brand.code or len(brands) > MAX_NAMED else brand.name
        wide = chip + (10 + fonts.measure_text(name, KEY, "semi") if name else 0)
        if x + wide > WIDE - EDGE:
            x, y = float(EDGE), y + 50
        items.append(make_chip(brand.code, (x + chip / 2, y), (chip, 40), KEY, liveries))
        items += [Label(x + chip + 10, y, name, KEY, "ink", "semi", "l")] if name else []
        x += wide + 30
    return items, y + 22 + GAP


def _draw_podium(view: Broadsheet, palette: str, frame: tuple[float, float, float, float]) -> list[Item]:
    """Return the first three on their steps, the winner in the middle, and the others in a line below."""
    left, top, wide, high = frame
    first = view.ranks[:3]
    others = [
        f"{rank.place} {fonts.cut_to_fit(rank.name, KEY, wide / 3, 'semi')} {rank.words}".replace(" ", fonts.HARD_BLANK)
        for rank in view.ranks[3:]
    ]
    told = fonts.wrap(f"{fonts.HARD_BLANK}· ".join(others), KEY, wide, "semi") if others else ()
    foot = top + high - 38 * len(told) - 6
    step = wide / 3
    items: list[Item] = []
    for k, rank in enumerate(first):
        x = left + step * (1, 0, 2)[k]
        rise = (foot - top - 96) * STEPS[k + 1]
        items += _draw_step(rank, (x, foot - rise, step - 14, rise), palette, MEDALS[k])
    items += [Label(left, foot + 24 + 38 * k, line, KEY, "ink", "semi", "l") for k, line in enumerate(told)]
    return items


def _draw_step(rank: Rank, box: tuple[float, float, float, float], palette: str, medal: str) -> list[Item]:
    x, y, wide, high = box
    size = max(22.0, min(38.0, 38.0 * (wide - 4) / fonts.measure_text(rank.name, 38.0)))
    ink = choose_ink(load_theme(palette).colours[medal])
    items: list[Item] = [
        Box(x, y, wide, high, 8, medal, "ink", 4),
        Label(x + wide / 2, y + high / 2 - 10, rank.place, min(90.0, high - 30), ink),
        Label(x + wide / 2, y - 66, fonts.cut_to_fit(rank.name, size, wide), size, "ink"),
        Label(x + wide / 2, y - 24, rank.words, 34, "ink", "semi"),
    ]
    if rank.line >= 0:
        items += chart.draw_line_sample(rank.line, palette, (x + 16, y + high - 18), wide - 32)
    return items


def _draw_best_run(view: Broadsheet, palette: str, top: float) -> list[Item]:
    """Return the best run as a line with its stops, evenly apart."""
    liveries = Liveries(view.board.brands, load_theme(palette))
    items: list[Item] = [Label(EDGE, top + 18, f"The best run: {view.best_words}", CAPTION, "ink", "bold", "l")]
    stops = view.best_stops
    left, right, y = EDGE + 70.0, WIDE - EDGE - 70.0, top + 66 + 36 * (len(stops) > MAX_STOPS)
    if len(stops) < 2:
        return items
    step = (right - left) / (len(stops) - 1)
    items += [
        Curve(((left, y), (right, y)), "ink", 21, round=True),
        Curve(((left, y), (right, y)), liveries.find(view.best_company).fill, 15, round=True),
    ]
    every = 1 if len(stops) <= MAX_STOPS else 2
    for k, stop in enumerate(stops):
        room = every * step - 8 if 0 < k < len(stops) - 1 else 128
        lines, size = _fit_stop(stop, room)
        out = 1 if k % every == 0 else -1
        items.append(Disc(left + k * step, y, 16 if len(stops) <= MAX_STOPS else 12, "casing", "ink", 5))
        for n, line in enumerate(lines[::out]):
            items.append(Label(left + k * step, y + out * (34 + n * size), line, size, "ink", "semi"))
    return items


def _fit_stop(stop: str, room: float) -> tuple[Sequence[str], float]:
    """Return the name of a stop in one line, or smaller in two, and the size of its letters."""
    size = 28.0 * room / fonts.measure_text(stop, 28.0, "semi")
    if size >= MIN_STOP:
        return (stop,), min(28.0, size)
    lines = fonts.wrap(stop, MIN_STOP, room, "semi")
    return [*lines[:1], fonts.cut_to_fit(" ".join(lines[1:]), MIN_STOP, room, "semi")][: len(lines)], MIN_STOP
