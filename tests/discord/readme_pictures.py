"""Make the pictures of the README: a turn as a phone shows it, and the gallery.

``python -m tests.discord.readme_pictures`` plays a turn of a kept game at the stand-in Discord, by taps alone, and
draws what the bot posted: its words, pictures, menus and buttons are real, only the phone around them is drawn here.
"""

import asyncio
import io
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from render import png
from render.fonts import cut_to_fit, load_font, measure_text, split_by_font
from render.scene import Face
from tests.discord.conftest import Desk
from tests.discord.play import turn_of
from tests.discord.stand_in import StandIn
from tests.discord.test_taps import Thumb, take_up_game
from tests.discord.world import Message
from tests.render.positions import BIG

DOCS = Path(__file__).parents[2] / "docs"
GAME, MOVES, TABLE = "1860-3", 390, "Wight Nights"
"""The kept game, the moves played before the turn that is shown, and the name of the table."""
GALLERY = ("1860-late-map", "1862-late-map", "steel_driver-late-map", "1862-end-card")

WIDTH, HEIGHT, SCALE, FINE = 400, 730, 2, 2
"""Of the phone's screen, in its own units; pixels for each; how much finer it is painted before it is shrunk."""
BAR_HEIGHT = 52.0
LOOK_MS, TAP_MS, LAST_MS = 2300, 700, 4500
QUALITY = 82

BACK, BAR, LINE = (49, 51, 56), (43, 45, 49), (63, 65, 71)
TEXT, MUTED, WHITE = (219, 222, 225), (148, 155, 164), (255, 255, 255)
MENTION_BACK, MENTION = (62, 65, 104), (201, 205, 251)
BUTTONS = {1: (88, 101, 242), 2: (78, 80, 88), 3: (36, 128, 70), 4: (200, 52, 58)}
"""By Discord's style of a button: primary, secondary, success, danger."""
MENU, SHEET = (30, 31, 34), (35, 36, 40)
_TOKEN = re.compile(r"(<@\d+>|\*\*|\s+)")


class Style(NamedTuple):
    """How a line of a message is written."""

    size: float = 15.5
    ink: tuple[int, int, int] = TEXT
    face: Face = "text"
    after: float = 5.0


class Screen:
    """The screen of a phone that is filled from the top."""

    def __init__(self, height: float = HEIGHT) -> None:
        self.unit = SCALE * FINE
        self.image = Image.new("RGB", (WIDTH * self.unit, int(height * self.unit)), BACK)
        self.draw = ImageDraw.Draw(self.image)
        self.y = 0.0
        self.places: dict[str, tuple[float, float]] = {}

    def box(self, x: float, y: float, w: float, h: float, ink: tuple[int, int, int], radius: float = 0.0) -> None:
        """Fill a rectangle with round corners."""
        corners = [round(value * self.unit) for value in (x, y, x + w, y + h)]
        self.draw.rounded_rectangle(corners, round(radius * self.unit), fill=ink)

    def write(self, x: float, y: float, words: str, style: Style) -> float:
        """Write words in one line; return where they end."""
        for face, piece in split_by_font(words, style.face):
            letters = load_font(face, style.size * self.unit)
            self.draw.text((x * self.unit, y * self.unit), piece, fill=style.ink, font=letters, anchor="ls")
            x += letters.getlength(piece) / self.unit
        return x

    def paragraph(self, text: str, names: dict[str, str], left: float = 14.0) -> None:
        """Write a line of a message with Discord's marks, broken where the screen ends."""
        style = Style()
        for mark, other in (("-# ", Style(13.0, MUTED, after=3.0)), ("## ", Style(19.0, WHITE, "bold", 6.0))):
            if text.startswith(mark):
                text, style = text.removeprefix(mark), other
        x, bold = left, False
        self.y += style.size * 1.2
        for token in filter(None, _TOKEN.split(text)):
            if token == "**":
                bold = not bold
                continue
            named = names.get(token)
            words = " " if token.isspace() else f"@{named}" if named else token
            face: Face = "bold" if bold else style.face
            wide = measure_text(words, style.size, face)
            if x + wide > WIDTH - 14 and not token.isspace() and x > left:
                x, self.y = left, self.y + style.size * 1.3
            if token.isspace() and x == left:
                continue
            if named:
                self.box(x - 2, self.y - style.size * 0.95, wide + 4, style.size * 1.25, MENTION_BACK, 3)
            x = self.write(x, self.y, words, style._replace(face=face, ink=MENTION if named else style.ink))
        self.y += style.after

    def picture(self, data: bytes) -> None:
        """Show an attached picture as wide as the screen."""
        shown = Image.open(io.BytesIO(data)).convert("RGB")
        wide = (WIDTH - 28) * self.unit
        shown = shown.resize((wide, round(wide * shown.height / shown.width)), Image.Resampling.LANCZOS)
        mask = Image.new("L", shown.size, 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, *shown.size), 8 * self.unit, fill=255)
        self.y += 6
        self.image.paste(shown, (14 * self.unit, round(self.y * self.unit)), mask)
        self.y += shown.height / self.unit + 8

    def row(self, controls: Sequence[dict[str, Any]]) -> None:
        """Show a row of buttons, or a menu; a row that is too long goes on below."""
        x, style = 14.0, Style(14.5, WHITE, "semi")
        for control in controls:
            room = WIDTH - 28.0
            if control["type"] == 3:
                self.box(14, self.y, room, 42, MENU, 8)
                self.write(26, self.y + 27, cut_to_fit(control["placeholder"], 15, room - 50, "text"), Style(15, MUTED))
                self.write(WIDTH - 36, self.y + 26, "▾", Style(16, MUTED))
                self.places[control["placeholder"]] = (WIDTH / 2, self.y + 21)
                x = WIDTH
                continue
            label = cut_to_fit(control["label"], style.size, room - 28, style.face)
            wide = measure_text(label, style.size, style.face) + 28
            if x > 14 and x + wide > WIDTH - 14:
                x, self.y = 14.0, self.y + 42
            self.box(x, self.y, wide, 36, BUTTONS[control["style"]], 8)
            self.write(x + 14, self.y + 23.5, label, style)
            self.places[control["label"]] = (x + wide / 2, self.y + 18)
            x += wide + 8
        self.y += 36 + (14 if x == WIDTH else 8)

    def scroll_to(self, thread: str, top: float) -> Image.Image:
        """Return the screen in its pixels, scrolled so that it begins at ``top``, below the thread's name."""
        whole = self.image.crop((0, 0, self.image.width, round(self.y * self.unit)))
        shown = Image.new("RGB", (self.image.width, HEIGHT * self.unit), BACK)
        shown.paste(whole, (0, round(top * self.unit)))
        self.image, self.draw = shown, ImageDraw.Draw(shown)
        self.box(0, 0, WIDTH, BAR_HEIGHT, BAR)
        self.box(0, BAR_HEIGHT, WIDTH, 1, LINE)
        self.write(16, 33, "‹", Style(24, MUTED, "bold"))
        self.write(38, 33, cut_to_fit(f"# {thread}", 16.5, WIDTH - 60, "bold"), Style(16.5, WHITE, "bold"))
        return shown


class Shot(NamedTuple):
    """A screen, scrolled to its end, and where its controls lie; ``above``: its beginning, if there is more."""

    image: Image.Image
    places: dict[str, tuple[float, float]]
    above: Image.Image | None = None

    def draw_tap(self, label: str) -> Image.Image:
        """Return the screen with a thumb on a control."""
        x, y = (value * SCALE * FINE for value in self.places[label])
        layer = Image.new("RGBA", self.image.size, (0, 0, 0, 0))
        radius = 22 * SCALE * FINE
        ImageDraw.Draw(layer).ellipse(
            (x - radius, y - radius, x + radius, y + radius), (255, 255, 255, 110), WHITE, 2 * SCALE * FINE
        )
        return Image.alpha_composite(self.image.convert("RGBA"), layer).convert("RGB")


def shoot(messages: Sequence[Message], thread: str, names: dict[str, str]) -> Shot:
    """Draw messages of the bot as a phone shows them."""
    screen = Screen(4 * HEIGHT)
    for message in messages:
        screen.y += 14
        screen.box(14, screen.y, 34, 34, BUTTONS[1], 17)
        screen.write(25.5, screen.y + 23.5, "S", Style(18, WHITE, "bold"))
        end = screen.write(58, screen.y + 22, "Stationmaster", Style(16, WHITE, "semi"))
        screen.box(end + 7, screen.y + 9, 30, 16, BUTTONS[1], 4)
        screen.write(end + 11.5, screen.y + 21, "APP", Style(11, WHITE, "bold"))
        screen.y += 38
        for part in message.components:
            if part["type"] == 10:
                for line in part["content"].splitlines():
                    screen.paragraph(line, names)
            elif part["type"] == 12:
                screen.picture(message.image())
            else:
                screen.y += 4
                screen.row(part["components"])
        if message.ephemeral:
            screen.paragraph("-# Only you can see this", names)
    screen.y += 12
    top = min(BAR_HEIGHT, HEIGHT - screen.y)
    places = {label: (x, y + top) for label, (x, y) in screen.places.items()}
    whole = screen.image
    above = screen.scroll_to(thread, BAR_HEIGHT) if top < BAR_HEIGHT else None
    screen.image = whole
    return Shot(screen.scroll_to(thread, top), places, above)


def draw_open_menu(shot: Shot, labels: Sequence[str]) -> Shot:
    """Draw a menu that is open over a screen."""
    screen = Screen()
    screen.image = Image.blend(shot.image, Image.new("RGB", shot.image.size), 0.55)
    screen.draw = ImageDraw.Draw(screen.image)
    top = HEIGHT - 44 * min(len(labels), 9) - 20
    screen.box(0, top, WIDTH, HEIGHT - top + 20, SHEET, 16)
    places: dict[str, tuple[float, float]] = {}
    for k, label in enumerate(labels[:9]):
        y = top + 14 + 44 * k
        screen.write(24, y + 28, cut_to_fit(label, 16, WIDTH - 90, "text"), Style(16))
        screen.draw.ellipse([round(v * screen.unit) for v in (WIDTH - 42, y + 13, WIDTH - 24, y + 31)], None, MUTED, 6)
        places[label] = (WIDTH / 2, y + 22)
    return Shot(screen.image, places)


class Film:
    """A turn that is played by taps, and its frames."""

    def __init__(self, thumb: Thumb, names: dict[str, str]) -> None:
        self.thumb = thumb
        self.names = names
        self.frames: list[tuple[Image.Image, int]] = []

    def shoot(self, *more: Message) -> Shot:
        """Take up what the thumb sees now, and messages that stand below it."""
        thread = self.thumb.thread.name.partition(" · #")[0]
        shot = shoot([self.thumb.message, *more], thread, self.names)
        if shot.above:
            self.frames.append((shot.above, LOOK_MS))
        self.frames.append((shot.image, LOOK_MS))
        return shot

    async def tap(self, label: str, menu: str = "") -> None:
        """Show a tap, and play it."""
        shot = self.shoot()
        if menu:
            self.frames.append((shot.draw_tap(menu), TAP_MS))
            part = next(each for each in self.thumb.message.controls if each.get("placeholder") == menu)
            shot = draw_open_menu(shot, [option["label"] for option in part["options"]])
            self.frames.append((shot.image, LOOK_MS))
        self.frames.append((shot.draw_tap(label), TAP_MS))
        await self.thumb.tap(label, menu)
        await self.thumb.desk.settle()

    async def play(self) -> None:
        """Play the turn of a company: a tile, the best run with its dividend, a train."""
        company = (await self.thumb.here()).ask().company
        await self.tap("Act")
        menu = next(part for part in self.thumb.message.controls if part["type"] == 3)
        await self.tap(menu["options"][0]["label"], menu["placeholder"])
        await self.tap(next(label for label in reversed(self.thumb.message.labels) if label.startswith("Confirm")))
        for words in (", pay", "Buy "):
            await self.tap(next(label for label in self.thumb.message.labels if words in label))
        assert (await self.thumb.here()).ask().company != company, "the turn goes on"
        self.shoot(turn_of(self.thumb.thread))

    def encode(self) -> bytes:
        """Return the frames as an animated WebP."""
        size = (WIDTH * SCALE, HEIGHT * SCALE)
        images = [image.resize(size, Image.Resampling.LANCZOS) for image, _ in self.frames]
        times = [time for _, time in self.frames[:-1]] + [LAST_MS]
        out = io.BytesIO()
        images[0].save(
            out, "WEBP", save_all=True, append_images=images[1:], duration=times, loop=0, quality=QUALITY, method=6
        )
        return out.getvalue()


async def film(folder: Path) -> bytes:
    """Play the turn on a store in a folder; return it as a moving picture."""
    async with StandIn(life=300) as server:
        desk = Desk(server, folder / "store.sqlite")
        desk.painting = True
        async with desk.running():
            thumb = await take_up_game(server, desk, GAME, MOVES, TABLE)
            names = {person.mention: person.user.name.title() for person in thumb.people}
            made = Film(thumb, names)
            await made.play()
    return made.encode()


def main() -> None:
    """Write the pictures into ``docs/``."""
    with tempfile.TemporaryDirectory() as folder:
        (DOCS / "turn.webp").write_bytes(asyncio.run(film(Path(folder))))
    for name in GALLERY:
        (DOCS / "gallery" / f"{name}.png").write_bytes(png(BIG[name]()))


if __name__ == "__main__":
    main()
