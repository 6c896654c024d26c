"""Make the fonts that browsers get, small parts of the bundled ones: ``python -m tests.render.web_fonts``.

Without hinting and without tables of layout, so that texts are as wide as Pillow measures them. Some licences reserve
the names of the whole fonts, so the parts have names of their own; the records of copyright and licence stay in them.
"""

from fontTools import subset
from fontTools.ttLib import TTFont

from render.fonts import FILES, FOLDER

WEB = FOLDER / "web"
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x2030, 0x2032, 0x2039, 0x203A, 0x20AC]
SIGNS = [ord(sign) for sign in "←↑→↓↔⇤⇥↻↺−≤≥≠■□▪▫▲△▴▶▸▼▾◀◂◆◇○●◦★☆✓✗⚙"]
"""Arrows, shapes and stars that pictures and pages use."""
PARTS = {face: SIGNS if face == "signs" else LATIN for face in FILES if face not in ("world", "shaped", "cjk", "emoji")}
COPYRIGHT, FAMILY, FULL, LICENCES = 0, (1, 16), (3, 4, 6), (0, 7, 13, 14)
"""Numbers of records in a font's table of names."""


def make(face: str) -> None:
    """Write the part of one font."""
    options = subset.Options(flavor="woff2", hinting=False, layout_features=[], notdef_outline=True)
    options.name_IDs, options.drop_tables = ["*"], [*options.drop_tables, "GPOS", "GSUB", "GDEF", "kern"]
    font = TTFont(FOLDER / FILES[face], recalcTimestamp=False)
    maker = subset.Subsetter(options)
    maker.populate(unicodes=PARTS[face])
    maker.subset(font)
    name = f"Stationmaster {face.title()}"
    table = font["name"]
    table.names = [record for record in table.names if record.nameID in LICENCES and record.platformID == 3]
    for number in (*FAMILY, *FULL):
        table.setName(name.replace(" ", "") if number == 6 else name, number, 3, 1, 0x409)
    subset.save_font(font, str(WEB / f"{face}.woff2"), options)


if __name__ == "__main__":
    WEB.mkdir(exist_ok=True)
    for each in PARTS:
        make(each)
