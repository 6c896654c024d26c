"""A scene as a PDF of one page, to be printed: shapes and letters stay sharp at any size.

Letters of the bundled TrueType faces are text in their own font. Those that come from other fonts (scripts of Asia,
emoji) are painted as fine masks. No clock and no chance: the same scene is always the same file.
"""

import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import cache

from render import fonts
from render.geometry import flatten_curve
from render.scene import CAP, Box, Chip, Curve, Disc, Inset, Item, Label, Point, Polygon, Scene, flatten_items
from render.theme import Theme, draw_emblem, load_theme

A3 = (841.89, 1190.55)
"""Width and height in points, upright."""
EMBEDDED = ("bold", "semi", "text", "fatface", "slab", "woodtype")
"""Faces that are embedded; texts in others become masks."""
ROUND = 0.5523
"""How far the handles of a quarter of a circle reach."""
MASK_PIXELS = 96
HALO = 0.18
"""Width of the rim round letters, of their size."""


class _Face:
    """A TrueType font: its bytes, and glyph and width of each sign."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.data = (fonts.FOLDER / fonts.FILES[name]).read_bytes()
        count = struct.unpack(">H", self.data[4:6])[0]
        rows = (struct.unpack(">4sIII", self.data[12 + 16 * k : 28 + 16 * k]) for k in range(count))
        self._tables = {tag.decode(): (start, length) for tag, _, start, length in rows}
        self.units = self._read("head", ">H", 18)
        self._metrics = self._read("hhea", ">H", 34)
        self.ascent, self.descent = self._read("hhea", ">h", 4), self._read("hhea", ">h", 6)
        self._signs = self._read_signs()

    def _read(self, table: str, form: str, at: int) -> int:
        number: int = struct.unpack_from(form, self.data, self._tables[table][0] + at)[0]
        return number

    def _read_signs(self) -> dict[int, int]:
        """Return the glyph of each sign, from the table of segments that every font has."""
        start = self._tables["cmap"][0]
        parts = [struct.unpack_from(">HHI", self.data, start + 4 + 8 * k) for k in range(self._read("cmap", ">H", 2))]
        segments = (offset for _, _, offset in parts if self._read("cmap", ">H", offset) == 4)
        at = start + next(segments)
        half = struct.unpack_from(">H", self.data, at + 6)[0]
        count = half // 2
        ends = struct.unpack_from(f">{count}H", self.data, at + 14)
        starts = struct.unpack_from(f">{count}H", self.data, at + 16 + half)
        deltas = struct.unpack_from(f">{count}H", self.data, at + 16 + 2 * half)
        base = at + 16 + 3 * half
        found: dict[int, int] = {}
        for k in range(count):
            offset = struct.unpack_from(">H", self.data, base + 2 * k)[0]
            for sign in range(starts[k], min(ends[k], 0xFFFE) + 1):
                glyph = sign
                if offset:
                    glyph = struct.unpack_from(">H", self.data, base + 2 * k + offset + 2 * (sign - starts[k]))[0]
                found[sign] = (glyph + deltas[k]) % 65536 if glyph or not offset else 0
        return found

    def find_glyph(self, sign: str) -> int:
        """Return the number of a sign's glyph."""
        return self._signs.get(ord(sign), 0)

    def measure_glyph(self, glyph: int) -> int:
        """Return the width of a glyph in thousandths of its size."""
        return self._read("hmtx", ">H", 4 * min(glyph, self._metrics - 1)) * 1000 // self.units


@cache
def _load_face(name: str) -> _Face:
    return _Face(name)


def write_pdf(scene: Scene, palette: str, page: tuple[float, float] = A3) -> bytes:
    """Return a scene as a PDF, as large as the page allows, in its middle."""
    sheet = _Page(load_theme(palette))
    scale = min(page[0] / scene.width, page[1] / scene.height)
    left, low = (page[0] - scene.width * scale) / 2, (page[1] + scene.height * scale) / 2
    sheet.fill(scene.ground, f"0 0 {_write(page[0])} {_write(page[1])} re")
    sheet.add(f"q {_write(scale)} 0 0 {_write(-scale)} {_write(left)} {_write(low)} cm")
    sheet.draw(scene.items, (0.0, 0.0))
    sheet.add("Q")
    return sheet.close(page)


def _write(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".").replace("-0.000", "0") or "0"


def _write_point(point: Point) -> str:
    return f"{_write(point[0])} {_write(point[1])}"


class _Page:
    """The marks of a page; y runs down, as in scenes."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._marks: list[str] = []
        self._glyphs: dict[str, dict[int, str]] = {}
        self._masks: dict[bytes, tuple[int, int]] = {}

    def add(self, mark: str) -> None:
        """Add a mark."""
        self._marks.append(mark)

    def fill(self, role: str, path: str) -> None:
        """Fill a path."""
        self.add(f"{self._colour(role)} rg {path} f")

    def _colour(self, role: str) -> str:
        return " ".join(_write(part / 255) for part in self.theme.find_rgb(role))

    def _paint(self, path: str, fill: str, line: str, width: float) -> None:
        """Fill a path, or stroke it, or both."""
        colours = f"{self._colour(fill)} rg " if fill else ""
        colours += f"{self._colour(line)} RG {_write(width)} w 1 j " if line else ""
        if fill or line:
            self.add(f"{colours}{path} {'B' if fill and line else 'f' if fill else 'S'}")

    def draw(self, items: Iterable[Item], origin: Point) -> None:
        """Draw items in order, around an origin."""
        for item, (dx, dy) in flatten_items(items, origin):
            if isinstance(item, Polygon):
                points = [(x + dx, y + dy) for x, y in item.points]
                self._paint(f"{_join_points(points)} h", item.fill, item.line, item.width)
            elif isinstance(item, Curve):
                self._draw_curve(item, (dx, dy))
            elif isinstance(item, Disc):
                inset = item.width / 2 if item.line else 0.0
                path = _make_round_box(item.x + dx, item.y + dy, item.r - inset, item.r - inset, item.r - inset)
                self._paint(path, item.fill, item.line, item.width)
            elif isinstance(item, Box):
                inset = item.border / 2 if item.line else 0.0
                middle = (item.x + dx + item.width / 2, item.y + dy + item.height / 2)
                half = (item.width / 2 - inset, item.height / 2 - inset)
                self._paint(_make_round_box(*middle, *half, item.round), item.fill, item.line, item.border)
            elif isinstance(item, Label):
                self._draw_label(item, (dx, dy))
            elif isinstance(item, Chip):
                self._draw_chip(item, (dx, dy))
            elif isinstance(item, Inset):
                self._draw_inset(item, (dx, dy))

    def _draw_inset(self, item: Inset, origin: Point) -> None:
        scale = item.width / item.scene.width
        frame = f"0 0 {_write(item.scene.width)} {_write(item.scene.height)} re"
        at = f"{_write(item.x + origin[0])} {_write(item.y + origin[1])}"
        self.add(f"q {_write(scale)} 0 0 {_write(scale)} {at} cm {frame} W n")
        self.fill(item.scene.ground, frame)
        self.draw(item.scene.items, (0.0, 0.0))
        self.add("Q")

    def _draw_curve(self, item: Curve, origin: Point) -> None:
        course = item.points if item.joined else flatten_curve(item.points)
        points = [(x + origin[0], y + origin[1]) for x, y in course]
        dash = " ".join(_write(length * item.width) for length in item.dash)
        ends = "1 J 1 j" if item.round else "0 J 1 j"
        manner = f"{self._colour(item.colour)} RG {_write(item.width)} w {ends} [{dash}] 0 d"
        self.add(f"{manner} {_join_points(points)} S [] 0 d")

    def _draw_chip(self, item: Chip, origin: Point) -> None:
        x, y, look = item.x + origin[0], item.y + origin[1], item.livery
        half = (item.width / 2, item.height / 2)
        corner = min(half) if item.disc else 0.2 * item.height
        border = max(1.0, 0.06 * item.height)
        fill = "paper" if item.ghost else look.fill
        self._paint(_make_round_box(x, y, *half, corner), fill, "ink", border)
        if look.accent and look.pattern != "plain" and not item.ghost:
            inner = (half[0] - 2.2 * border, half[1] - 2.2 * border)
            self._paint(_make_round_box(x, y, *inner, max(0.0, corner - 2.2 * border)), "", look.accent, border)
        if look.emblem and item.aside:
            at = (x - half[0] + half[1], y)
            self.draw(draw_emblem(look.emblem, at, half[1] * 0.6, look.ink, look.fill), (0.0, 0.0))
        for k, line in enumerate(item.lines):
            drop = (k - (len(item.lines) - 1) / 2) * item.size * 0.84
            self._draw_label(Label(x + item.aside, y + drop, line, item.size, look.ink), (0.0, 0.0))

    # --- letters ---------------------------------------------------------------------------

    def _draw_label(self, item: Label, origin: Point) -> None:
        pieces = fonts.split_by_font(item.text, item.face)
        sizes = [fonts.load_font(name, fonts.MEASURE).getlength(piece) for name, piece in pieces]
        widths = [size * item.size / fonts.MEASURE for size in sizes]
        x = item.x + origin[0] - {"l": 0.0, "m": 0.5, "r": 1.0}[item.side] * sum(widths)
        y = item.y + origin[1] + CAP / 2 * item.size
        for (name, piece), wide in zip(pieces, widths, strict=True):
            if name in EMBEDDED:
                if item.halo:
                    rim = f"{self._colour(item.halo)} RG {_write(item.size * HALO)} w 1 j 1 Tr "
                    self._write_text(name, piece, (x, y), item.size, rim)
                self._write_text(name, piece, (x, y), item.size, f"{self._colour(item.colour)} rg 0 Tr ")
            else:
                self._draw_mask(name, piece, (x, y), item.size, item.colour)
            x += wide

    def _write_text(self, name: str, text: str, at: Point, size: float, manner: str) -> None:
        face, known = _load_face(name), self._glyphs.setdefault(name, {})
        glyphs = [(face.find_glyph(sign), sign) for sign in text]
        known.update(glyphs)
        codes = "".join(f"{glyph:04x}" for glyph, _ in glyphs)
        self.add(f"BT {manner}/{name} {_write(size)} Tf 1 0 0 -1 {_write_point(at)} Tm <{codes}> Tj ET")

    def _draw_mask(self, name: str, text: str, at: Point, size: float, role: str) -> None:
        """Paint letters of a font that is not embedded as a mask."""
        data, left, top, wide, high = fonts.draw_mask(name, MASK_PIXELS, text)
        if not wide or not high:
            return
        number = [*self._masks].index(data) if data in self._masks else len(self._masks)
        self._masks[data] = (wide, high)
        unit = size / MASK_PIXELS
        place = f"{_write(at[0] + left * unit)} {_write(at[1] + (top + high) * unit)}"
        frame = f"{_write(wide * unit)} 0 0 {_write(-high * unit)} {place} cm"
        self.add(f"q {self._colour(role)} rg {frame} /M{number} Do Q")

    # --- the file --------------------------------------------------------------------------

    def close(self, page: tuple[float, float]) -> bytes:
        """Return the file: catalogue, page, marks, fonts and masks."""
        marks = _make_stream("", "\n".join(self._marks).encode())
        parts = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", b"", marks]
        names: list[str] = []
        for name, glyphs in self._glyphs.items():
            names.append(f"/{name} {len(parts) + 1} 0 R")
            parts += _make_font(_load_face(name), glyphs, len(parts) + 1)
        masks: list[str] = []
        for number, (data, (wide, high)) in enumerate(self._masks.items()):
            masks.append(f"/M{number} {len(parts) + 1} 0 R")
            head = f"/Type /XObject /Subtype /Image /ImageMask true /BitsPerComponent 1 /Width {wide} /Height {high}"
            parts.append(_make_stream(head, data))
        size = f"[0 0 {_write(page[0])} {_write(page[1])}]"
        resources = f"<< /Font << {' '.join(names)} >> /XObject << {' '.join(masks)} >> >>"
        parts[2] = f"<< /Type /Page /Parent 2 0 R /MediaBox {size} /Resources {resources} /Contents 4 0 R >>".encode()
        return _write_file(parts)


def _join_points(points: Sequence[Point]) -> str:
    first, *others = points
    return " ".join([f"{_write_point(first)} m", *(f"{_write_point(point)} l" for point in others)])


def _make_round_box(x: float, y: float, across: float, down: float, corner: float) -> str:
    """Return the path of a box with round corners around a point; a circle if the corner is half its side."""
    r = max(0.0, min(corner, across, down))
    if not r:
        return f"{_write(x - across)} {_write(y - down)} {_write(2 * across)} {_write(2 * down)} re"
    reach = r * (1 - ROUND)
    left, right, top, low = x - across, x + across, y - down, y + down
    parts = [f"{_write_point((left + r, top))} m"]
    for corner_at, start, end in (
        ((right, top), (-1, 0), (0, 1)), ((right, low), (0, -1), (-1, 0)),
        ((left, low), (1, 0), (0, -1)), ((left, top), (0, 1), (1, 0)),
    ):  # fmt: skip
        cx, cy = corner_at
        from_, to = (cx + start[0] * r, cy + start[1] * r), (cx + end[0] * r, cy + end[1] * r)
        handles = (cx + start[0] * reach, cy + start[1] * reach), (cx + end[0] * reach, cy + end[1] * reach)
        parts.append(f"{_write_point(from_)} l {' '.join(map(_write_point, (*handles, to)))} c")
    return " ".join([*parts, "h"])


def _make_stream(head: str, data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    return f"<< {head} /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream"


def _make_font(face: _Face, glyphs: dict[int, str], number: int) -> list[bytes]:
    """Return the objects of an embedded font: it, its descendant, descriptor, file, and what its glyphs mean."""
    name = f"SMFONT+{face.name.capitalize()}"
    widths = " ".join(f"{glyph} [{face.measure_glyph(glyph)}]" for glyph in sorted(glyphs))
    tall, deep = face.ascent * 1000 // face.units, face.descent * 1000 // face.units
    box = f"[-500 {deep} 2000 {tall}]"
    signs = "\n".join(f"<{glyph:04x}> <{sign.encode('utf-16-be').hex()}>" for glyph, sign in sorted(glyphs.items()))
    meaning = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Signs def /CMapType 2 def "
        f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(glyphs)} beginbfchar\n{signs}\nendbfchar "
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    )
    descendant = (
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDToGIDMap /Identity /DW 500 /W [{widths}] "
        f"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor {number + 2} 0 R >>"
    )
    descriptor = (
        f"<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox {box} /ItalicAngle 0 /Ascent {tall} "
        f"/Descent {deep} /CapHeight 700 /StemV 120 /FontFile2 {number + 3} 0 R >>"
    )
    return [
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [{number + 1} 0 R] "
        f"/ToUnicode {number + 4} 0 R >>".encode(),
        descendant.encode(),
        descriptor.encode(),
        _make_stream(f"/Length1 {len(face.data)}", face.data),
        _make_stream("", meaning.encode()),
    ]


def _write_file(parts: Sequence[bytes]) -> bytes:
    """Return numbered objects as a file with the table of where they begin."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + part + b"\nendobj\n"
    table = len(out)
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    out += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n{rows}".encode()
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, table)
    return bytes(out)
