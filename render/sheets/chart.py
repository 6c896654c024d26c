"""Values over time: lines told apart by dash and by labels at their ends."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.record import Record
from engine.view import Chart, Series
from render import fonts
from render.hexes.station import Liveries
from render.scene import Curve, Disc, Item, Label, Point, Scene
from render.sheets.tables import draw_heading, make_chip, measure_chip
from render.theme import Stroke, Theme, load_theme

NAME_ROOM = 400
"""Most width of a name at the end of its line."""

PIXELS, HIGH = 1400, 860
EDGE, LEFT, LOW = 24, 110, 70
SIZE, AXIS = 32, 28
LABEL_STEP = 44
CHIP_HIGH = 38
SMALL_AXIS, SMALL_TICKS = 26, 3


class _Plot(Record, frozen=True):
    """The frame of the lines, and what values its upper and lower edge stand for."""

    left: float
    top: float
    right: float
    low: float
    least: int
    most: int
    steps: int

    def point_at(self, step: int, value: int) -> Point:
        """Return where a value of a step lies."""
        x = self.left + (self.right - self.left) * (step / (self.steps - 1) if self.steps > 1 else 1)
        return x, self.low - (self.low - self.top) * (value - self.least) / max(1, self.most - self.least)


def build_scene(view: Chart, palette: str) -> Scene:
    """Return the scene of a chart; its unit is a pixel of the natural width."""
    view, theme = _go_on_to_now(view), load_theme(palette)
    liveries = Liveries(view.brands, theme)
    items, top = draw_heading(view.title, PIXELS, EDGE)
    values = [value for series in view.series for value in series.values if value is not None]
    ticks = _choose_ticks(min([0, *values]), max([10, view.most, *values]))
    if not any(values):  # all have nothing yet
        return _build_empty_scene(view, items, top, palette)
    labels = max((_measure_label(series, view) for series in view.series), default=0.0)
    plot = _Plot(LEFT, top + 20, PIXELS - EDGE - labels - 36, HIGH - LOW, ticks[0], ticks[-1], len(view.steps))
    items += _draw_grid(plot, ticks, view)
    ends: list[tuple[float, int]] = []
    for k, series in enumerate(view.series):
        drawn, end = _draw_line(series, plot, _make_line_stroke(series, k, liveries, theme))
        items += drawn
        ends.append((end, k))
    for (y, k), want in zip(_spread_labels(ends, plot.top, plot.low), sorted(ends), strict=True):
        items += _draw_end_label(
            view, k, (plot.right, want[0], y), _make_line_stroke(view.series[k], k, liveries, theme), liveries
        )
    return Scene(PIXELS, HIGH, PIXELS, "paper", tuple(items))


def _go_on_to_now(view: Chart) -> Chart:
    """Return a chart with the present values as its last step."""
    if not view.now:
        return view
    series = (replace(line, values=(*line.values, value)) for line, value in zip(view.series, view.now, strict=True))
    return replace(view, steps=(*view.steps, "now"), series=tuple(series), now=())


def _build_empty_scene(view: Chart, items: list[Item], top: float, palette: str) -> Scene:
    """Return the scene of a chart without values, or with nothing but 0: what it will show, the line of each name."""
    items += [Label(EDGE, top + 24, "Values appear after the first round.", SIZE, "ink", "semi", "l")]
    y = top + 90
    for k, series in enumerate(series for series in view.series if not series.chip):
        items += draw_line_sample(k, palette, (EDGE, y), 90)
        items.append(Label(EDGE + 110, y, fonts.cut_to_fit(series.name, SIZE, PIXELS / 2), SIZE, "ink", "bold", "l"))
        y += LABEL_STEP
    return Scene(PIXELS, round(y + EDGE / 2), PIXELS, "paper", tuple(items))


def build_small_scene(view: Chart, palette: str, size: tuple[float, float]) -> Scene:
    """Return the scene of a chart within another picture: its lines, what they reach, first and last step.

    Which line is whose is told beside it, by ``draw_line_sample``; ``size`` is in pixels of the other picture.
    """
    view, theme = _go_on_to_now(view), load_theme(palette)
    liveries = Liveries(view.brands, theme)
    values = [value for series in view.series for value in series.values if value is not None]
    ticks = _choose_ticks(min([0, *values]), max([10, view.most, *values]), SMALL_TICKS)
    left = max(fonts.measure_text(view.write_value(tick), SMALL_AXIS, "semi") for tick in ticks) + 14
    plot = _Plot(left, SMALL_AXIS * 0.6, size[0] - 12, size[1] - 44, ticks[0], ticks[-1], len(view.steps))
    items: list[Item] = []
    for tick in ticks:
        y = plot.point_at(0, tick)[1]
        items.append(Curve(((plot.left, y), (plot.right, y)), "rule", 2 if tick else 4))
        items.append(Label(plot.left - 10, y, view.write_value(tick), SMALL_AXIS, "ink_soft", "semi", "r"))
    items.append(Label(plot.left, plot.low + 28, view.steps[0], SMALL_AXIS, "ink_soft", "semi", "l"))
    items.append(Label(plot.right + 8, plot.low + 28, view.steps[-1], SMALL_AXIS, "ink_soft", "semi", "r"))
    for k, series in enumerate(view.series):
        items += _draw_line(series, plot, _make_line_stroke(series, k, liveries, theme))[0]
    return Scene(*size, round(size[0]), "paper", tuple(items))


def draw_line_sample(number: int, palette: str, start: Point, wide: float) -> list[Item]:
    """Return a piece of the n-th line of a chart, from a point to the right."""
    stroke = load_theme(palette).choose_stroke(number)
    ends = (start, (start[0] + wide, start[1]))
    return [
        Curve(ends, "ink", 12, stroke.dash),
        Curve(ends, stroke.colour, 9, tuple(d * 12 / 9 for d in stroke.dash)),
    ]


def _choose_ticks(least: int, most: int, about: int = 6) -> list[int]:
    """Return round values that span from least to most, at most about so many."""
    span = max(1, most - least)
    steps = (mantissa * 10**power for power in range(12) for mantissa in (1, 2, 5))
    step = next(s for s in steps if span / s <= about)
    first = least // step * step
    count = -(-(most - first) // step)
    return [first + k * step for k in range(count + 1)]


def _draw_grid(plot: _Plot, ticks: Sequence[int], view: Chart) -> list[Item]:
    items: list[Item] = []
    for tick in ticks:
        y = plot.point_at(0, tick)[1]
        items.append(Curve(((plot.left, y), (plot.right, y)), "rule", 2 if tick else 4))
        items.append(Label(plot.left - 14, y, view.write_value(tick), AXIS, "ink_soft", "semi", "r"))
    room = (plot.right - plot.left) / max(1, plot.steps - 1)
    widest = max((fonts.measure_text(step, AXIS, "semi") for step in view.steps), default=1.0) + 22
    every = max(1, -(-int(widest) // max(1, int(room))))
    for k, step in enumerate(view.steps):
        x = plot.point_at(k, 0)[0]
        if k % every == 0:
            items.append(Curve(((x, plot.low), (x, plot.low + 10)), "rule", 3))
            items.append(Label(x, plot.low + 32, step, AXIS, "ink_soft", "semi"))
    return items


def _make_line_stroke(series: Series, index: int, liveries: Liveries, theme: Theme) -> Stroke:
    """Return the stroke of a line: in its company's colour if it has one, dashed by its number."""
    stroke = theme.choose_stroke(index)
    return Stroke(liveries.find(series.chip).fill, stroke.dash) if series.chip else stroke


def _draw_line(series: Series, plot: _Plot, stroke: Stroke) -> tuple[list[Item], float]:
    """Return one line with a rim that sets it off where lines cross, and how high it ends."""
    items: list[Item] = []
    run: list[Point] = []
    last = plot.low
    for k, value in enumerate((*series.values, None)):
        if value is not None:
            run.append(plot.point_at(k, value))
            last = run[-1][1]
        elif run:
            if len(run) > 1:
                for role, width in (("paper", 15), ("ink", 10), (stroke.colour, 7)):  # a line below shows in the gaps
                    dash = tuple(length * 10 / width for length in stroke.dash)
                    items.append(Curve(tuple(run), role, width, dash, round=role == "paper" and not dash, joined=True))
            items.append(Disc(*run[-1], 10, stroke.colour, "ink", 2))
            run = []
    return items, last


def _measure_label(series: Series, view: Chart) -> float:
    wide = measure_chip(series.chip, SIZE, CHIP_HIGH) + 10 if series.chip else 0.0
    return wide + fonts.measure_text(_write_label(series, view), SIZE, "bold")


def _write_label(series: Series, view: Chart) -> str:
    final = next((value for value in reversed(series.values) if value is not None), None)
    name = "" if series.chip and series.chip == series.name else fonts.cut_to_fit(series.name, SIZE, NAME_ROOM)
    return f"{name} {view.write_value(final)}".strip() if final is not None else name


def _spread_labels(ends: Sequence[tuple[float, int]], top: float, low: float) -> list[tuple[float, int]]:
    """Return the heights of end labels, in order, moved so that none covers another."""
    placed = sorted(ends)
    heights = [y for y, _ in placed]
    for k in range(1, len(heights)):
        heights[k] = max(heights[k], heights[k - 1] + LABEL_STEP)
    if heights and heights[-1] > low:
        heights[-1] = low
        for k in range(len(heights) - 2, -1, -1):
            heights[k] = min(heights[k], heights[k + 1] - LABEL_STEP)
    shift = max(0.0, top - 10 - heights[0]) if heights else 0.0
    return [(y + shift, k) for y, (_, k) in zip(heights, placed, strict=True)]


def _draw_end_label(
    view: Chart, line: int, at: tuple[float, float, float], stroke: Stroke, liveries: Liveries
) -> list[Item]:
    series, (right, line_end, y) = view.series[line], at
    x = right + 34
    items: list[Item] = [Curve(((right + 8, line_end), (right + 28, y)), stroke.colour, 4)]
    if series.chip:
        wide = measure_chip(series.chip, SIZE, CHIP_HIGH)
        items.append(make_chip(series.chip, (x + wide / 2, y), (wide, CHIP_HIGH), SIZE, liveries))
        x += wide + 10
    items.append(Label(x, y, _write_label(series, view), SIZE, "ink", "bold", "l"))
    return items
