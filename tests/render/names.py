"""Counts of the names on maps of fresh self-played games: ``python -m tests.render.names TITLE``.

A name is at fault if it stands nowhere, is cut, covers a text or a chip, stands in a foreign hex, or does not contrast
with what is under it. The letters of all names are measured as a phone shows them.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from engine import TITLES, Game, Request, Rng, Setup
from engine.hex_view import HexView
from engine.record import Record
from engine.view import MapView
from render.cache import build_scene
from render.geometry import find_centre
from render.hexes.board import gather_area_values
from render.hexes.close_ups import find_close_ups, is_inside
from render.hexes.room import is_on_hex
from render.pixels.shapes import Inks, paint_shapes
from render.scene import CAP, Chip, Inset, Item, Label, Point, Scene, Stamp
from render.theme import READABLE, load_theme, measure_contrast, name_tinted_palette
from tests.render.collisions import Rect, rect

PHONE, WIDTH = 400, 800
"""Pixels across a picture on a phone, and of one whose colours are looked at."""
MIN_CAPITAL = 5.0
EVERYWHERE = (-math.inf, -math.inf, math.inf, math.inf)
MAP_EVERY, CHOICE_EVERY = 90, 12
"""Moves from one whole map to the next, and choices of a kind from one that is drawn to the next."""
CHOICES = ("LayTile", "PlaceBase", "PlaceMarker", "AddStation", "Run")
SLACK = 0.04
"""Hex sides by which frames may meet."""
RIM, MAX_AWAY = 0.06, 3.0
"""Hex sides by which a name may reach over a side of its hex, and within which it is looked for."""
MAX_DIM_SHARE = 0.12
"""Share of what is under a name that may lack contrast: rims of lines, which no one sees."""


class Placed(Record, frozen=True):
    """A text as it stands in a scene: its frame in the picture, pixels of a capital on a phone, its colour."""

    text: str
    frame: Rect
    capital: float
    colour: str


class Count:
    """What is counted over many pictures."""

    def __init__(self) -> None:
        self.maps, self.names = 0, 0
        self.capitals: list[float] = []
        self.faults: Counter[str] = Counter()
        self.told: list[str] = []

    def blame(self, fault: str, called: str) -> None:
        """Count a fault of a name."""
        self.faults[fault] += 1
        self.told.append(f"{fault}: {called}")


def play_views(setup: Setup) -> Iterator[tuple[str, MapView]]:
    """Yield maps of a game and those that show its choices, each with a name."""
    game, rng, seen = Game.new(setup), Rng(setup.seed), Counter[str]()
    while game.actors:
        seat = game.actors[0]
        action = game.title.advice.choose(game.state, seat, rng)
        kind = type(action).__name__
        if len(game.log) % MAP_EVERY == 0:
            yield f"{setup.seed}-{len(game.log)}-map", _take_map(game.look(Request("map")))
        if kind in CHOICES:
            seen[kind] += 1
        if kind in CHOICES and seen[kind] % CHOICE_EVERY == 1:
            legal = [each for each in game.title.legal(game.state, seat) if type(each).__name__ == kind]
            view = game.illustrate(Request(seat=seat), [action] if kind == "Run" else legal[:25])
            if isinstance(view, MapView):
                yield f"{setup.seed}-{len(game.log)}-{kind}", view
        game = game.play(seat, action).game
    yield f"{setup.seed}-{len(game.log)}-end", _take_map(game.look(Request("map")))


def _take_map(view: object) -> MapView:
    assert isinstance(view, MapView)
    return view


def count_names(views: Iterable[tuple[str, MapView]], count: Count | None = None) -> Count:
    """Return how many names of maps are at fault, and how; added to a count, if one is given."""
    count = count or Count()
    for name, view in views:
        count.maps += 1
        for part in list_parts(view):
            for h in gather_area_values(part.hexes):
                for word in dict.fromkeys((h.name, *(stop.name for stop in h.stops))):
                    if word:
                        part.judge(h, word, f"{name} {h.coord} {word}", count)
    return count


def list_parts(view: MapView) -> "list[_Shown]":
    """Return the close-ups of a picture, or the whole map as its only part."""
    palette = name_tinted_palette("standard", view.identity.colours)
    scene = build_scene(view, palette)
    banner, items = (0.0, scene.items) if view.banner is None else _take_last(scene.items)
    insets = [item for item in items if isinstance(item, Inset)][:-1]
    if not insets:
        origin = _find_origin(items)
        return [_Shown(scene, palette, view.hexes, (origin[0], origin[1] + banner))]
    parts: list[_Shown] = []
    for inset in insets:
        x, y = _find_origin(inset.scene.items)
        frame = (-x, -y, inset.scene.width - x, inset.scene.height - y)
        inside = tuple(h for h in view.hexes if is_inside(h, frame))
        parts.append(_Shown(scene, palette, inside, (inset.x + x, inset.y + y + banner)))
    return parts


def _take_last(items: tuple[Item, ...]) -> tuple[float, tuple[Item, ...]]:
    stamp = items[-1]
    assert isinstance(stamp, Stamp)
    return stamp.y, stamp.items


def _find_origin(items: tuple[Item, ...]) -> Point:
    """Return where the middle of the hex at 0, 0 stands: a map is one stamp."""
    stamp = items[-1]
    assert isinstance(stamp, Stamp)
    return stamp.x, stamp.y


class _Shown:
    """A map or a close-up as it is drawn: its texts, its chips, and the colours under them."""

    def __init__(self, scene: Scene, palette: str, hexes: tuple[HexView, ...], origin: Point) -> None:
        self.theme, self.hexes, self.origin = load_theme(palette), hexes, origin
        found = list(list_texts(scene))
        self.texts = [text for text, _ in found if text]
        self.chips = [frame for text, frame in found if not text]
        self.pixel = WIDTH / scene.width
        self.ground = paint_shapes(scene, Inks(self.theme), (WIDTH, round(self.pixel * scene.height)))

    def judge(self, h: HexView, word: str, called: str, count: Count) -> None:
        """Count a name, and what is wrong with it."""
        count.names += 1
        lines = self._find_lines(h, word)
        if not lines:
            cut = any(each.text.endswith("…") and word.startswith(each.text[:-1]) for each in self.texts)
            count.blame("shortened" if cut else "nowhere", called)
            return
        count.capitals.append(min(each.capital for each in lines))
        others = [each.frame for each in self.texts if each not in lines] + self.chips
        if any(_meets(line.frame, frame) for line in lines for frame in others):
            count.blame("covers", called)
        if any(self._is_foreign(line.frame, h, word) for line in lines):
            count.blame("foreign", called)
        if any(self._is_dim(line) for line in lines):
            count.blame("contrast", called)

    def _find_lines(self, h: HexView, word: str) -> list[Placed]:
        """Return the lines of a name as they stand nearest to its hex."""
        at, whole = self._find_middle(h), _join_parts(word)
        near = [text for text in self.texts if math.dist(_middle(text.frame), at) < MAX_AWAY]
        found = [
            near[k : k + count]
            for count in (1, 2, 3)
            for k in range(len(near) - count + 1)
            if _join_parts("".join(each.text for each in near[k : k + count])) == whole
            and math.dist(_middle(near[k].frame), _middle(near[k + count - 1].frame)) < count / 3
        ]
        return min(found, key=lambda lines: math.dist(_middle(lines[0].frame), at), default=[])

    def _find_middle(self, h: HexView) -> Point:
        x, y = find_centre(h.x, h.y, h.layout)
        return self.origin[0] + x, self.origin[1] + y

    def _is_foreign(self, frame: Rect, h: HexView, word: str) -> bool:
        """Return whether a line stands on another hex that is land and no part of the same area, but for a rim."""
        middle = _middle(frame)
        points = [(frame[0] + RIM, middle[1]), middle, (frame[2] - RIM, middle[1])]
        for other in self.hexes:
            if other.coord == h.coord or other.ink == "sea" or word in (other.name, *(s.name for s in other.stops)):
                continue
            x, y = self._find_middle(other)
            if any(is_on_hex(px - x, py - y, other.layout) for px, py in points):
                return True
        return False

    def _is_dim(self, line: Placed) -> bool:
        """Return whether letters lack contrast to what is under them."""
        left, top, right, low = (round(edge * self.pixel) for edge in line.frame)
        under = self.ground.crop((left, top, right + 1, low + 1)).tobytes()
        seen = Counter((under[k], under[k + 1], under[k + 2]) for k in range(0, len(under), 3))
        ink = self.theme.find_rgb(line.colour)
        dim = sum(often for ground, often in seen.items() if measure_contrast(ink, ground) < READABLE)
        return dim > MAX_DIM_SHARE * seen.total()


def _join_parts(name: str) -> str:
    """Return a name without blanks and hyphens, at which it may be broken."""
    return "".join(name.replace("-", "").split())


def _middle(frame: Rect) -> Point:
    return (frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2


def _meets(a: Rect, b: Rect) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > SLACK and min(a[3], b[3]) - max(a[1], b[1]) > SLACK


def list_texts(scene: Scene) -> Iterator[tuple[Placed | None, Rect]]:
    """Yield the texts of a picture with their frames, and the frames of its chips alone."""
    phone = PHONE / scene.width
    for item, (x, y), scale, clip in _flatten(scene.items, (0.0, 0.0), 1.0, EVERYWHERE):
        if isinstance(item, Label):
            left, top, right, low = (edge * scale for edge in rect(item))
            frame = (left + x, top + y, right + x, low + y)
            if not _is_within(frame, clip):
                continue
            yield Placed(item.text, frame, item.size * scale * CAP * phone, item.colour), frame
        elif isinstance(item, Chip):
            cx, cy = item.x * scale + x, item.y * scale + y
            share = 0.7 if item.disc else 1.0  # the square in a round one
            wide, high = item.width * scale * share / 2, item.height * scale * share / 2
            if _is_within((cx, cy, cx, cy), clip):
                yield None, (cx - wide, cy - high, cx + wide, cy + high)


def _flatten(items: Iterable[Item], at: Point, scale: float, clip: Rect) -> Iterator[tuple[Item, Point, float, Rect]]:
    """Yield items with their origin, their scale, and the frame at which they are cut off."""
    for item in items:
        if isinstance(item, Stamp):
            yield from _flatten(item.items, (at[0] + item.x * scale, at[1] + item.y * scale), scale, clip)
        elif isinstance(item, Inset):
            inner = scale * item.width / item.scene.width
            x, y = at[0] + item.x * scale, at[1] + item.y * scale
            frame = (x, y, x + item.scene.width * inner, y + item.scene.height * inner)
            yield from _flatten(item.scene.items, (x, y), inner, frame)
        else:
            yield item, at, scale, clip


def _is_within(frame: Rect, clip: Rect) -> bool:
    x, y = _middle(frame)
    return clip[0] < x < clip[2] and clip[1] < y < clip[3]


def main() -> None:
    """Play the games and print the counts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("title", choices=TITLES)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    lowest, highest = TITLES[asked.title].seats[0], TITLES[asked.title].seats[-1]
    counts = {kind: Count() for kind in ("whole maps", "close-ups")}
    for number in range(asked.games):
        seats = lowest + number % (highest - lowest + 1)
        for one in play_views(Setup(asked.title, seats, seed=asked.seed + number)):
            close = one[1].close and find_close_ups(one[1])
            count_names([one], counts["close-ups" if close else "whole maps"])
    for kind, count in counts.items():
        print_count(kind, count, verbose=asked.verbose)


def print_count(kind: str, count: Count, *, verbose: bool) -> None:
    """Print what was counted."""
    capitals = sorted(count.capitals) or [0.0]
    small = sum(each < MIN_CAPITAL for each in capitals)
    faults = ", ".join(f"{name} {number}" for name, number in sorted(count.faults.items())) or "no fault"
    sys.stdout.write(
        f"{kind}: {count.maps} pictures, {count.names} names; {faults}; capitals at {PHONE} px: "
        f"least {capitals[0]:.1f}, middle {capitals[len(capitals) // 2]:.1f}, {small} under {MIN_CAPITAL:g}\n"
    )
    if verbose:
        sys.stdout.write("".join(f"  {line}\n" for line in count.told))


if __name__ == "__main__":
    main()
