"""A scene as a PDF of one page, to be printed: shapes and letters stay sharp at any size.

Letters of the bundled TrueType faces are text in their own font. Those that come from other fonts (scripts of Asia,
emoji) are painted as fine pictures. No clock and no chance: the same scene is always the same file.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from typing import Literal

from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from render import fonts
from render.geometry import flatten_curve
from render.scene import CAP, Box, Chip, Curve, Disc, Inset, Item, Label, Point, Polygon, Scene, flatten_items
from render.theme import Theme, draw_emblem, load_theme

A3 = (841.89, 1190.55)
"""Width and height in points, upright."""
EMBEDDED = ("bold", "semi", "text", "fatface", "slab", "woodtype")
"""Faces that are embedded; texts in others become pictures."""
LETTER_PIXELS = 96
HALO = 0.18
"""Width of the rim round letters, of their size."""
BUTT, ROUND = 0, 1
"""Ends of lines, and joints."""
FILLED: Literal[0] = 0
STROKED: Literal[1] = 1
"""How letters are painted."""


def write_pdf(scene: Scene, palette: str, page: tuple[float, float] = A3) -> bytes:
    """Return a scene as a PDF, as large as the page allows, in its middle."""
    made = BytesIO()
    canvas = Canvas(made, pagesize=page, pageCompression=1, invariant=1)
    sheet = _Page(load_theme(palette), canvas)
    sheet.fill_box(scene.ground, page)
    scale = min(page[0] / scene.width, page[1] / scene.height)
    canvas.translate((page[0] - scene.width * scale) / 2, (page[1] + scene.height * scale) / 2)
    canvas.scale(scale, -scale)  # y runs down, as in scenes
    sheet.draw(scene.items, (0.0, 0.0))
    canvas.save()
    return made.getvalue()


@cache
def _register_font(name: str) -> str:
    """Make a face known to the library; return its name there."""
    registerFont(TTFont(name, str(fonts.FOLDER / fonts.FILES[name])))
    return name


class _Page:
    """Paints the items of a scene on a page."""

    def __init__(self, theme: Theme, canvas: Canvas) -> None:
        self.theme = theme
        self._canvas = canvas

    def fill_box(self, role: str, size: tuple[float, float]) -> None:
        """Fill a box from the origin on."""
        self._canvas.setFillColorRGB(*self._find_colour(role))
        self._canvas.rect(0, 0, *size, stroke=0, fill=1)

    def _find_colour(self, role: str) -> tuple[float, float, float]:
        red, green, blue = (part / 255 for part in self.theme.find_rgb(role))
        return red, green, blue

    def _paint(self, path: PDFPathObject, fill: str, line: str, width: float) -> None:
        """Fill a path, or stroke it, or both."""
        if fill:
            self._canvas.setFillColorRGB(*self._find_colour(fill))
        if line:
            self._canvas.setStrokeColorRGB(*self._find_colour(line))
            self._canvas.setLineWidth(width)
            self._canvas.setLineJoin(ROUND)
        if fill or line:
            self._canvas.drawPath(path, stroke=int(bool(line)), fill=int(bool(fill)))

    def _join_points(self, points: Sequence[Point]) -> PDFPathObject:
        path = self._canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        return path

    def _round_box(self, middle: Point, half: tuple[float, float], corner: float) -> PDFPathObject:
        """Return the path of a box with round corners around a point; a circle if the corner is half its side."""
        path = self._canvas.beginPath()
        (x, y), (across, down) = middle, half
        path.roundRect(x - across, y - down, 2 * across, 2 * down, max(0.0, min(corner, across, down)))
        return path

    def draw(self, items: Iterable[Item], origin: Point) -> None:
        """Draw items in order, around an origin."""
        for item, (dx, dy) in flatten_items(items, origin):
            if isinstance(item, Polygon):
                outline = self._join_points([(x + dx, y + dy) for x, y in item.points])
                outline.close()
                self._paint(outline, item.fill, item.line, item.width)
            elif isinstance(item, Curve):
                self._draw_curve(item, (dx, dy))
            elif isinstance(item, Disc):
                inset = item.width / 2 if item.line else 0.0
                r = item.r - inset
                self._paint(self._round_box((item.x + dx, item.y + dy), (r, r), r), item.fill, item.line, item.width)
            elif isinstance(item, Box):
                inset = item.border / 2 if item.line else 0.0
                middle = (item.x + dx + item.width / 2, item.y + dy + item.height / 2)
                half = (item.width / 2 - inset, item.height / 2 - inset)
                self._paint(self._round_box(middle, half, item.round), item.fill, item.line, item.border)
            elif isinstance(item, Label):
                self._draw_label(item, (dx, dy))
            elif isinstance(item, Chip):
                self._draw_chip(item, (dx, dy))
            elif isinstance(item, Inset):
                self._draw_inset(item, (dx, dy))

    def _draw_inset(self, item: Inset, origin: Point) -> None:
        scale, inner = item.width / item.scene.width, item.scene
        self._canvas.saveState()
        self._canvas.translate(item.x + origin[0], item.y + origin[1])
        self._canvas.scale(scale, scale)
        frame = self._canvas.beginPath()
        frame.rect(0, 0, inner.width, inner.height)
        self._canvas.clipPath(frame, stroke=0, fill=0)
        self.fill_box(inner.ground, (inner.width, inner.height))
        self.draw(inner.items, (0.0, 0.0))
        self._canvas.restoreState()

    def _draw_curve(self, item: Curve, origin: Point) -> None:
        course = item.points if item.joined else flatten_curve(item.points)
        self._canvas.saveState()
        self._canvas.setLineCap(ROUND if item.round else BUTT)
        self._canvas.setDash([length * item.width for length in item.dash])
        path = self._join_points([(x + origin[0], y + origin[1]) for x, y in course])
        self._paint(path, "", item.colour, item.width)
        self._canvas.restoreState()

    def _draw_chip(self, item: Chip, origin: Point) -> None:
        x, y, look = item.x + origin[0], item.y + origin[1], item.livery
        half = (item.width / 2, item.height / 2)
        corner = min(half) if item.disc else 0.2 * item.height
        border = max(1.0, 0.06 * item.height)
        self._paint(self._round_box((x, y), half, corner), "paper" if item.ghost else look.fill, "ink", border)
        if look.accent and look.pattern != "plain" and not item.ghost:
            inner = (half[0] - 2.2 * border, half[1] - 2.2 * border)
            self._paint(self._round_box((x, y), inner, corner - 2.2 * border), "", look.accent, border)
        if look.emblem and item.aside:
            at = (x - half[0] + half[1], y)
            self.draw(draw_emblem(look.emblem, at, half[1] * 0.6, look.ink, look.fill), (0.0, 0.0))
        for k, line in enumerate(item.lines):
            drop = (k - (len(item.lines) - 1) / 2) * item.size * 0.84
            self._draw_label(Label(x + item.aside, y + drop, line, item.size, look.ink), (0.0, 0.0))

    def _draw_label(self, item: Label, origin: Point) -> None:
        pieces = fonts.split_by_font(item.text, item.face)
        sizes = [fonts.load_font(name, fonts.MEASURE).getlength(piece) for name, piece in pieces]
        widths = [size * item.size / fonts.MEASURE for size in sizes]
        x = item.x + origin[0] - {"l": 0.0, "m": 0.5, "r": 1.0}[item.side] * sum(widths)
        y = item.y + origin[1] + CAP / 2 * item.size
        for (name, piece), wide in zip(pieces, widths, strict=True):
            if name in EMBEDDED:
                if item.halo:
                    self._canvas.setStrokeColorRGB(*self._find_colour(item.halo))
                    self._canvas.setLineWidth(item.size * HALO)
                    self._canvas.setLineJoin(ROUND)
                    self._write_text(name, piece, (x, y), item.size, STROKED)
                self._canvas.setFillColorRGB(*self._find_colour(item.colour))
                self._write_text(name, piece, (x, y), item.size, FILLED)
            else:
                self._draw_letters(name, piece, (x, y), item.size, item.colour)
            x += wide

    def _write_text(self, name: str, text: str, at: Point, size: float, mode: Literal[0, 1]) -> None:
        self._canvas.saveState()  # else the manner of these letters is that of the next
        words = self._canvas.beginText()
        words.setTextTransform(1, 0, 0, -1, *at)
        words.setFont(_register_font(name), size)
        words.setTextRenderMode(mode)
        words.textOut(text)
        self._canvas.drawText(words)
        self._canvas.restoreState()

    def _draw_letters(self, name: str, text: str, at: Point, size: float, role: str) -> None:
        """Paint letters of a font that is not embedded as a picture."""
        drawn = fonts.draw_letters(name, LETTER_PIXELS, text, self.theme.find_rgb(role))
        if drawn is None:
            return
        picture, left, top = drawn
        unit = size / LETTER_PIXELS
        self._canvas.saveState()
        self._canvas.translate(at[0] + left * unit, at[1] + (top + picture.height) * unit)
        self._canvas.scale(unit, -unit)
        self._canvas.drawImage(ImageReader(picture), 0, 0, picture.width, picture.height, mask="auto")
        self._canvas.restoreState()
