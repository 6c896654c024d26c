"""Scenes as SVG: the same shapes as in pixels, sharp at every size, with the names of what they show.

Shapes come first and letters above all of them, as they are painted. Colours of sheets are variables, so that a page
can show them dark; without a page they are those of the palette. ``data-a`` says what a shape is about; layers are
classes: "runs", "acting", "new", "can", "name", "coord", "number" and so on.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

import msgspec

from engine.view import View
from render import fonts
from render.cache import BUILDERS, PictureStyle
from render.pixels.shapes import ARCS, FAINT, list_edge_lines, wash_out_like
from render.scene import CAP, Box, Chip, Curve, Disc, Inset, Item, Label, Point, Polygon, Scene, Stamp
from render.theme import draw_emblem, load_theme, mix_colours, name_tinted_palette

HALO = 0.09
"""Width of a rim around letters, on each side, of their size."""

MEASURED = 8
"""Letters from which on a text is kept in its room, should a phone show another font."""

FINE = 2
"""Fine pixels to one that is seen, across and down: what the least widths of pixels are counted in."""

SHEET_GROUND = "paper"
"""Ground of pictures whose colours are variables."""

ANCHORS = {"l": "", "m": ' text-anchor="middle"', "r": ' text-anchor="end"'}
FACES = {"bold": "b", "semi": "s", "text": "t", "fatface": "f", "slab": "l", "woodtype": "w"}
"""Classes of the faces."""

Frame = tuple[float, float, float, float]
Write = Callable[[Item], str]


def svg(view: View, style: PictureStyle) -> str:
    """Return the picture of a view as SVG, without banner and title: a page says the same in words."""
    palette = name_tinted_palette(style.palette, view.identity.colours)
    scene = BUILDERS[type(view)](msgspec.structs.replace(view, title=""), palette)
    return write_svg(scene, palette, view.title)


def write_svg(scene: Scene, palette: str, label: str = "") -> str:
    """Return a scene as SVG; ``label`` is what it is called."""
    kind = "sheet" if scene.ground == SHEET_GROUND else "board"
    name = f" aria-label={quoteattr(fonts.clean_text(label))}" if label else ""
    writer = _Writer(scene, palette, scene.width / scene.pixels / FINE)
    size = f'viewBox="0 0 {writer.format(scene.width)} {writer.format(scene.height)}"'
    parts = "".join((*writer.write_shapes(), *writer.write_letters(), *writer.write_near()))
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" {size} role="img"{name}>{parts}</svg>'


def write_chip(chip: Chip, palette: str) -> str:
    """Return a chip alone as SVG, as large as it is."""
    edge = 2.0
    moved = msgspec.structs.replace(chip, x=chip.width / 2 + edge, y=chip.height / 2 + edge)
    wide, high = chip.width + 2 * edge, chip.height + 2 * edge
    writer = _Writer(Scene(wide, high, round(wide), "", (moved,)), palette, 1 / FINE)
    parts = "".join((*writer.write_shapes(), *writer.write_letters()))
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="chip" viewBox="0 0 {wide:g} {high:g}">{parts}</svg>'


class _Writer:
    """Writes the shapes and the letters of one scene; ``fine`` is half a pixel in its units."""

    def __init__(self, scene: Scene, palette: str, fine: float) -> None:
        self.scene, self.palette, self.fine = scene, palette, fine
        self.theme = load_theme(palette)
        self._themed = scene.ground in (SHEET_GROUND, "")
        self._places = 3 if scene.width < 100 else 1

    def write_shapes(self) -> list[str]:
        """Return the ground and the shapes."""
        size = f"{self.format(self.scene.width)}V{self.format(self.scene.height)}"
        ground = [f'<path{self.fill(self.scene.ground)} d="M0 0H{size}H0z"/>'] if self.scene.ground else []
        return [*ground, *self.write_items(self.scene.items, self._write_shape)]

    def write_letters(self) -> list[str]:
        """Return the letters, which stand above all shapes."""
        return self.write_items(self.scene.items, self._write_letters_of)

    def write_near(self) -> list[str]:
        """Return the words that are shown from near by only."""
        return self.write_items(self.scene.near, self._write_letters_of)

    def write_items(self, items: Iterable[Item], write: Write | None = None) -> list[str]:
        """Return items one after the other, those of a stamp in a group; by default their shapes."""
        found: list[str] = []
        for item in items:
            if not isinstance(item, Stamp):
                found.append((write or self._write_shape)(item))
            elif any(inner := self.write_items(item.items, write)):
                moved = item.x or item.y
                at = f' transform="translate({self.format(item.x)} {self.format(item.y)})"' if moved else ""
                about = f" data-a={quoteattr(item.about)}" if item.about else ""
                layer = f' class="{item.layer}"' if item.layer else ""
                found += [f"<g{at}{about}{layer}>", *inner, "</g>"]
        return found

    def format(self, value: float) -> str:
        """Return a figure, as exact as can be seen."""
        text = f"{value:.{self._places}f}".rstrip("0").rstrip(".")
        return "0" if text in ("-0", "") else text

    def colour(self, role: str) -> str:
        """Return a colour, that of a sheet as a variable."""
        colour = "#" + bytes(self.theme.find_rgb(role)).hex()
        return f"var(--r-{role},{colour})" if self._themed and role[0] != "#" and ":" not in role else colour

    def fill(self, role: str) -> str:
        """Return the ground of a shape."""
        return f' fill="{self.colour(role)}"' if role else ' fill="none"'

    def stroke(self, role: str, width: float) -> str:
        """Return the line of a shape."""
        return f' stroke="{self.colour(role)}" stroke-width="{self.format(width)}"' if role and width else ""

    def _write_shape(self, item: Item) -> str:
        if isinstance(item, Polygon):
            points = "L".join(f"{self.format(x)} {self.format(y)}" for x, y in item.points)
            joint = ' stroke-linejoin="round"' if item.line else ""
            return f'<path{self.fill(item.fill)}{self.stroke(item.line, item.width)}{joint} d="M{points}z"/>'
        if isinstance(item, Curve):
            return self._write_curve(item)
        if isinstance(item, Disc):
            border = item.width if item.line else 0.0
            return self.write_disc((item.x, item.y), item.r - border / 2, self.fill(item.fill), item.line, border)
        if isinstance(item, Box):
            border = item.border if item.line else 0.0
            frame = (item.x, item.y, item.x + item.width, item.y + item.height)
            return self.write_box(shrink(frame, border / 2), item.round, self.fill(item.fill), item.line, border)
        if isinstance(item, Chip):
            about = f" data-a={quoteattr(item.about)}" if item.about else ""
            return f"<g{about}>{''.join(_ChipWriter(self, item).write())}</g>"
        return self._write_inset(item, _Writer.write_shapes) if isinstance(item, Inset) else ""

    def _write_curve(self, item: Curve) -> str:
        start, *others = (f"{self.format(x)} {self.format(y)}" for x, y in item.points)
        letter = "L" if item.joined else {1: "L", 2: "Q", 3: "C"}[len(others)]
        look = ' fill="none"' + self.stroke(item.colour, item.width)
        look += ' stroke-linecap="round"' if item.round else ""
        look += ' stroke-linejoin="round"' if item.joined else ""
        if item.dash:
            look += f' stroke-dasharray="{" ".join(self.format(length * item.width) for length in item.dash)}"'
        return f'<path{look} d="M{start}{letter}{" ".join(others)}"/>'

    def write_disc(self, at: Point, r: float, fill: str, line: str, width: float) -> str:
        """Return a circle; the border lies half inside and half outside of its radius."""
        middle = f'cx="{self.format(at[0])}" cy="{self.format(at[1])}"'
        return f'<circle {middle} r="{self.format(max(r, 0.0))}"{fill}{self.stroke(line, width)}/>'

    def write_box(self, frame: Frame, corner: float, fill: str, line: str, width: float) -> str:
        """Return a rectangle from left and top to right and bottom."""
        left, top, right, low = frame
        size = f'width="{self.format(max(0.0, right - left))}" height="{self.format(max(0.0, low - top))}"'
        rounded = f' rx="{self.format(corner)}"' if corner else ""
        at = f'x="{self.format(left)}" y="{self.format(top)}"'
        return f"<rect {at} {size}{rounded}{fill}{self.stroke(line, width)}/>"

    def _write_inset(self, item: Inset, write: "Callable[[_Writer], list[str]]") -> str:
        """Return a scene within this one, cut off at its frame; its least widths are counted in its own units."""
        inner, scale = item.scene, item.width / item.scene.width
        writer = _Writer(inner, self.palette, self.fine / scale)
        frame = {"x": item.x, "y": item.y, "width": item.width, "height": inner.height * scale}
        size = "".join(f' {name}="{self.format(value)}"' for name, value in frame.items())
        view = f'viewBox="0 0 {writer.format(inner.width)} {writer.format(inner.height)}"'
        return f'<svg{size} {view} preserveAspectRatio="none">{"".join(write(writer))}</svg>'

    def _write_letters_of(self, item: Item) -> str:
        if isinstance(item, Label):
            return self._write_label(item)
        if isinstance(item, Inset):
            return self._write_inset(item, _Writer.write_letters)
        return "".join(self._write_chip_letters(item)) if isinstance(item, Chip) else ""

    def _write_label(self, item: Label) -> str:
        text = fonts.clean_text(item.text)
        if not text:
            return ""
        kind = f" {item.kind.replace(' ', '-')}" if item.kind else ""
        look = f'class="{FACES[item.face]}{kind}"{ANCHORS[item.side]}{self.fill(item.colour)}'
        if item.halo:
            rim = self.stroke(item.halo, 2 * HALO * item.size)
            look += f'{rim} stroke-linejoin="round" paint-order="stroke"'
        if len(text) >= MEASURED:
            wide = fonts.measure_text(text, item.size, item.face)
            look += f' textLength="{self.format(wide)}" lengthAdjust="spacingAndGlyphs"'
        at = f'x="{self.format(item.x)}" y="{self.format(item.y + CAP / 2 * item.size)}"'
        return f'<text {at} font-size="{self.format(item.size)}" {look}>{escape(text)}</text>'

    def _write_chip_letters(self, item: Chip) -> list[str]:
        colour = wash_out_like(item, "ink_soft") if item.ghost else item.livery.ink
        found = []
        for k, line in enumerate(item.lines):
            drop = (k - (len(item.lines) - 1) / 2) * item.size * 0.84
            found.append(self._write_label(Label(item.x + item.aside, item.y + drop, line, item.size, colour)))
        if item.flipped:
            reach, thick = item.width * 0.36, max(2 * FINE * self.fine, item.height * 0.1)
            ends = ((item.x - reach, item.y + reach), (item.x + reach, item.y - reach))
            found.append(self._write_curve(Curve(ends, wash_out_like(item, "bad"), thick)))
        return found


def shrink(frame: Frame, by: float) -> Frame:
    """Return a frame smaller by so much on each side."""
    return frame[0] + by, frame[1] + by, frame[2] - by, frame[3] - by


class _ChipWriter:
    """Writes the ground, the pattern and the emblem of one chip; ``least`` is the least width of a line."""

    def __init__(self, writer: _Writer, chip: Chip) -> None:
        self.to, self.chip, self.least = writer, chip, 2 * writer.fine
        half, tall = chip.width / 2, chip.height / 2
        self.frame: Frame = (chip.x - half, chip.y - tall, chip.x + half, chip.y + tall)

    def write(self) -> list[str]:
        """Return the shapes of the chip in order."""
        chip, look, high = self.chip, self.chip.livery, self.chip.height
        rim, line = max(self.least, high * 0.045), wash_out_like(chip, "slot_line")
        if chip.ghost:
            band = max(self.least, high * 0.085)
            inner = shrink(self.frame, rim * 1.5 + band / 2)
            kept = self._write_ground(self.frame, "slot", line, max(self.least / 2, rim / 2))
            arcs = [(k * 360 / 7, k * 360 / 7 + 28) for k in range(7)]
            return [kept, *(self._write_arc(inner, arc, look.fill, band) for arc in arcs)]
        drop = max(self.least, high * 0.055)
        left, top, right, low = self.frame
        below = (left + drop / 2, top + drop, right + drop / 2, low + drop)
        return [
            self._write_ground(below, wash_out_like(chip, "shadow"), "", 0.0),
            self._write_ground(self.frame, look.fill, line, rim),
            *self._write_pattern(shrink(self.frame, rim)),
            *self._write_emblem(),
        ]

    def _write_ground(self, frame: Frame, fill: str, line: str, width: float) -> str:
        frame = shrink(frame, width / 2)
        if self.chip.disc:
            middle = ((frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2)
            return self.to.write_disc(middle, (frame[2] - frame[0]) / 2, self.to.fill(fill), line, width)
        corner = max(0.0, self.chip.height * 0.22 - width / 2)
        return self.to.write_box(frame, corner, self.to.fill(fill), line, width)

    def _write_pattern(self, frame: Frame) -> list[str]:
        """Return the pattern in the rim of the chip, where no letters are."""
        look, band = self.chip.livery, max(self.least, self.chip.height * 0.075)
        if look.pattern == "ring":
            return [self._write_ground(shrink(frame, band * 0.5), "", look.accent, band)]
        if self.chip.disc:
            inner = shrink(frame, band * 0.4 + band / 2)
            return [self._write_arc(inner, arc, look.accent, band) for arc in ARCS.get(look.pattern, ())]
        lines = list_edge_lines(look.pattern, frame, band)
        curves = (Curve(((line[0], line[1]), (line[2], line[3])), look.accent, band) for line in lines)
        return self.to.write_items(curves)

    def _write_arc(self, frame: Frame, arc: tuple[float, float], colour: str, width: float) -> str:
        """Return an arc between two angles in degrees, clockwise from the right."""
        r, x, y = (frame[2] - frame[0]) / 2, (frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2
        (ax, ay), (bx, by) = ((x + r * math.cos(math.radians(a)), y + r * math.sin(math.radians(a))) for a in arc)
        size = self.to.format(r)
        way = (
            f"M{self.to.format(ax)} {self.to.format(ay)}A{size} {size} 0 0 1 {self.to.format(bx)} {self.to.format(by)}"
        )
        return f'<path fill="none"{self.to.stroke(colour, width)} d="{way}"/>'

    def _write_emblem(self) -> Sequence[str]:
        """Return the emblem: before the letters where there is room, on a token faint behind them."""
        chip, look = self.chip, self.chip.livery
        if not look.emblem or not (chip.aside or chip.disc):
            return ()
        if chip.aside:
            left = self.frame[0] + chip.height * 0.5
            return self.to.write_items(draw_emblem(look.emblem, (left, chip.y), 0.3 * chip.height, look.ink, look.fill))
        find = self.to.theme.find_rgb
        faint = "#" + bytes(mix_colours(find(look.fill), find(look.ink), FAINT)).hex()
        return self.to.write_items(draw_emblem(look.emblem, (chip.x, chip.y), 0.31 * chip.width, faint, look.fill))
