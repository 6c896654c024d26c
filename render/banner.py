"""What stands above a picture: the game, the table, what is shown, who acts, and a result's headline."""

from typing import cast

from engine.view import Brand, Poster, View
from render import fonts
from render.hexes.station import Liveries
from render.scene import Box, Face, Item, Label, Scene, Stamp
from render.sheets.tables import make_chip, measure_chip
from render.theme import load_theme

WIDTH = 1600
"""Pixels for which the sizes here are given; narrower pictures have all of it smaller."""

EDGE, TOP, LINE = 28, 46, 62
GAME, TITLE, TABLE, ASKS, HEADLINE = 52, 42, 38, 40, 46
CHIP_HIGH = 48
LEAD_GAP = 16
"""Blank before who leads: letters of a few pixels are up to 2% wider than they are measured."""
MIN_HEADLINE_SHARE = 0.74
"""Share of its size that a text must keep; what is too long then is cut."""

MIN_SIZE = 34
"""Room below which a text is left out."""


def put_under_banner(scene: Scene, view: View, palette: str) -> Scene:
    """Return a picture under its banner."""
    unit = scene.width / WIDTH
    items, high = _Band(view, palette, unit).draw()
    whole = (*items, Stamp(0, round(high, 4), scene.items))
    return Scene(scene.width, round(scene.height + high, 4), scene.pixels, scene.ground, whole)


def measure_banner(view: View) -> float:
    """Return how high a picture's banner is, at a width of ``WIDTH``."""
    two = view.banner is not None and bool(view.banner.asks or view.headline)
    return TOP * 2 + (LINE if two else 0) - 8


class _Band:
    """A banner while it is drawn; ``unit`` is a pixel of a wide picture in units of this one."""

    def __init__(self, view: View, palette: str, unit: float) -> None:
        self.view, self.unit, self.items = view, unit, list[Item]()
        shown = view.board if isinstance(view, Poster) else view
        self.liveries = Liveries(cast("tuple[Brand, ...]", getattr(shown, "brands", ())), load_theme(palette))

    def draw(self) -> tuple[list[Item], float]:
        """Return its items and its height."""
        banner = self.view.banner
        assert banner is not None
        high = measure_banner(self.view)
        right = self._write_right(banner.table, TOP, WIDTH - EDGE)
        x = self._write_left(
            banner.game.split(":")[0], (EDGE, TOP), GAME, fonts.choose_face(self.view.identity.face), right
        )
        x = self._write_left(self.view.title, (x + 26, TOP), TITLE, "semi", right) if self.view.title else x
        leads, x = f"· {banner.leads}" if banner.leads else "", x + LEAD_GAP
        if fonts.measure_text(leads, TITLE * MIN_HEADLINE_SHARE, "semi") <= right - x:  # whole, or not at all
            self._write_left(leads, (x, TOP), TITLE, "semi", right, "head_who")
        if banner.asks or self.view.headline:
            self._write_second_line(TOP + LINE)
        ground = Box(0, 0, WIDTH * self.unit, high * self.unit, 0, "head")
        rule = Box(0, (high - 5) * self.unit, WIDTH * self.unit, 5 * self.unit, 0, "head_rule")
        return [ground, rule, *self.items], high * self.unit

    def _write_second_line(self, y: float) -> None:
        """Write the result's headline, else what the game waits for; at the right who acts."""
        banner = self.view.banner
        assert banner is not None
        right = self._write_right(f"▸ {banner.who}" if banner.who else "", y, WIDTH - EDGE)
        x = float(EDGE)
        if banner.company:
            bears = bool(self.liveries.find(banner.company).emblem)
            wide = measure_chip(banner.company, ASKS, CHIP_HIGH, emblem=bears)
            u = self.unit
            at, most = ((x + wide / 2) * u, y * u), (wide * u, CHIP_HIGH * u)
            self.items.append(make_chip(banner.company, at, most, ASKS * u, self.liveries))
            x += wide + 16
        if self.view.headline:
            x = self._write_left(self.view.headline, (x, y), HEADLINE, "bold", right) + 30
            if isinstance(self.view, Poster):  # who won says that it is over
                return
        self._write_left(banner.asks, (x, y), ASKS, "semi", right)

    def _write_right(self, text: str, y: float, right: float) -> float:
        """Write a text that ends at the right, and return where it begins."""
        if not text:
            return right
        text = fonts.cut_to_fit(text, TABLE, WIDTH * 0.36, "semi")
        u = self.unit
        self.items.append(Label(right * u, y * u, text, TABLE * u, "head_who", "semi", "r"))
        return right - fonts.measure_text(text, TABLE, "semi") - 30

    def _write_left(
        self, text: str, at: tuple[float, float], size: float, face: Face, right: float, role: str = "head_ink"
    ) -> float:
        """Write a text as far as there is room, and return where it ends."""
        x, y = at
        if not text or right - x < MIN_SIZE:
            return x
        size = max(size * MIN_HEADLINE_SHARE, min(size, size * (right - x) / fonts.measure_text(text, size, face)))
        text, u = fonts.cut_to_fit(text, size, right - x, face), self.unit
        self.items.append(Label(x * u, y * u, text, size * u, role, face, "l"))
        return x + fonts.measure_text(text, size, face)
