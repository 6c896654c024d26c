"""The course of a table as its page has it: a name for each position, its sentence, its round, what it asked.

A position is named by a chained hash of the log, not by its number: after an undo, other positions have equal numbers.
The chain starts from the code that draws, the deal and the names, so a picture can be kept for ever by its address, and
processes agree on the names without talking. When a game is over, its report belongs to it.
"""

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from weakref import WeakValueDictionary

import msgspec

import engine
import render
from bot.model.records import LogLine, Position
from bot.screens.report import make_report_view
from bot.screens.story import fetch_report, list_curves
from bot.service.boards import BoardViewer, find_page_seat
from bot.service.services import Services
from bot.web.figures import MOMENTS, FigureAsked, MomentsAsked, PastMoment
from bot.web.guard import KEPT, NEVER, FigureAddress
from engine import LogEntry, Record, Request
from engine.codec import encode_entry
from engine.view import AnyView, Note
from engine.words import write_command
from render import PictureStyle
from render.html import html

NAME_CHARACTERS = 16
MAX_TABLES_KEPT, MAX_COURSES_KEPT = 64, 256
COMPRESSION = 6
STORY, CHANCES = "story", "chances"
AFTERWARDS: Mapping[str, str] = MappingProxyType({STORY: "Report", CHANCES: "Chances"})
"""Figures that are there when a game is over, and what they are called."""


class CourseMove(Record, frozen=True, array_like=True):
    """A position on the wire: its name, what led there and by which seat, its round, and what it asks of whom.

    The seat and ``entry``, its place in the log, are -1 for the beginning.
    """

    name: str
    told: str
    seat: int
    round: str
    asks: str
    entry: int


class PageCourse(Record, frozen=True):
    """The positions of a game in force, the beginning first, and what pages know of its table besides.

    Args:
        seat: of whoever looks, -1 for all. pictures: name and label of each. companies: code and words of each.
    """

    table: str
    game: str
    names: tuple[str, ...]
    seat: int
    over: bool
    pictures: tuple[tuple[str, str], ...]
    companies: tuple[tuple[str, str], ...]
    moves: tuple[CourseMove, ...]

    def find(self, number: int, name: str) -> bool:
        """Return whether a position of the game has a number and a name."""
        return 0 <= number < len(self.moves) and self.moves[number].name == name


class _Kept(Record, frozen=True):
    """The names and moments of a position's game that are known, and the version of its log they belong to."""

    version: int
    line: tuple[int, ...]
    names: tuple[str, ...]
    moments: tuple[PastMoment, ...]


class PageCourses:
    """The courses of the tables whose pages were looked at last."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._made: OrderedDict[tuple[int, int | None], tuple[int, PageCourse]] = OrderedDict()
        self._building: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def load(self, here: Position, seat: int | None) -> PageCourse:
        """Return the course of a table as a seat may see it; of many who ask at once, one has it worked out."""
        place = (here.table.id, seat)
        if (course := self._find_made(here, seat)) is None:
            async with self._building.setdefault(here.table.id, asyncio.Lock()):
                course = self._find_made(here, seat) or await self._build(here, seat)
                self._made[place] = (here.version, course)
        self._made.move_to_end(place)
        while len(self._made) > MAX_COURSES_KEPT:
            self._made.popitem(last=False)
        return course

    def _find_made(self, here: Position, seat: int | None) -> PageCourse | None:
        version, course = self._made.get((here.table.id, seat), (-1, None))
        is_this = course is not None and version == here.version and course.moves[0].name == make_first_name(here)
        return course if is_this else None

    async def _build(self, here: Position, seat: int | None) -> PageCourse:
        known = await self._load_names(here)
        told = tell_moves(await self.services.table.told.list_lines(here))
        title = here.game.title
        begins = CourseMove(known.names[0], f"{title.name}.", -1, known.moments[0].round, known.moments[0].asks, -1)
        moves = [
            CourseMove(
                name,
                told.get(number) or _tell_action(here, here.game.log[place]),
                here.game.log[place].seat,
                moment.round,
                moment.asks,
                place,
            )
            for number, (name, moment, place) in enumerate(
                zip(known.names[1:], known.moments[1:], here.game.line, strict=True), 1
            )
        ]
        pictures = [(each.name, each.label) for each in title.views.pictures if not each.about]
        pictures += [(name, AFTERWARDS[name]) for name in list_afterwards(here)]
        companies = await self.services.table.list_subjects(here.table.id, "company")
        return PageCourse(
            here.table.name, title.short_name, here.table.names, -1 if seat is None else seat,
            here.game.result() is not None, tuple(pictures), tuple(companies), (begins, *moves),
        )  # fmt: skip

    async def _load_names(self, here: Position) -> _Kept:
        """Return the names and moments of all positions; only those are worked out that are not known yet."""
        number, line = here.table.id, here.game.line
        kept = self._kept.get(number)
        first = make_first_name(here)
        if kept is None or kept.version > here.version or kept.names[0] != first:
            kept = _Kept(0, (), (first,), ())
        if kept.version != here.version or not kept.moments:
            same = sum(1 for _ in _take_equal(kept.line, line))
            names = [*kept.names[: same + 1]]
            for place in line[same:]:
                names.append(_chain(names[-1], here.game.log[place].seat, encode_entry(here.game.log[place])))
            moments = kept.moments[:same]
            more = await self.services.workers.do(MOMENTS, MomentsAsked(len(moments), here.table.names), here.course)
            kept = _Kept(here.version, line, tuple(names), (*moments, *more))
        self._kept[number] = kept
        self._kept.move_to_end(number)
        while len(self._kept) > MAX_TABLES_KEPT:
            self._kept.popitem(last=False)
        return kept


def _tell_action(here: Position, entry: LogEntry) -> str:
    """Return a move of which nothing was told, as one would type it."""
    return f"{here.table.names[entry.seat]}: {write_command(entry.action).removeprefix('/act ')}."


def _take_equal(one: Sequence[int], other: Sequence[int]) -> Iterable[int]:
    """Yield what two lines have in common from the beginning on."""
    for a, b in zip(one, other, strict=False):
        if a != b:
            return
        yield a


def tell_moves(lines: Iterable[LogLine]) -> dict[int, str]:
    """Return what was told of each move in force, by its number."""
    return {line.move: " ".join(filter(None, line.sentences)) for line in lines if line.move}


def make_first_name(here: Position) -> str:
    """Return the name of the position at the beginning of a game."""
    deal = (fingerprint_code(), here.game.setup, here.table.names, here.table.name, here.table.id)
    return hashlib.sha256(msgspec.json.encode(deal)).hexdigest()[:NAME_CHARACTERS]


def _chain(before: str, seat: int, entry: bytes) -> str:
    return hashlib.sha256(b"%s %d %s" % (before.encode(), seat, entry)).hexdigest()[:NAME_CHARACTERS]


@cache
def fingerprint_code() -> str:
    """Return what tells one version of the code that draws from another: a corrected picture has another address."""
    digest = hashlib.sha256()
    for package in (engine, render):
        folder = Path(package.__file__ or "").parent
        for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
            digest.update(path.read_bytes())
    digest.update((Path(__file__).parent / "figures.py").read_bytes())
    return digest.hexdigest()


def pack_course(course: PageCourse) -> bytes:
    """Return a course as a page gets it."""
    return gzip.compress(msgspec.json.encode(course), COMPRESSION, mtime=0)


async def draw_afterwards(services: Services, page: "OpenPage", said: FigureAddress) -> bytes:
    """Return what is told of a game that is over, as a figure; to a player with decisions of their own."""
    views = await make_afterwards(services, page.here, page.viewer.user)
    view = views.get(said.picture, Note(AFTERWARDS[CHANCES], "", ("The game ended too soon for a course.",)))
    return gzip.compress(html(view, PictureStyle(said.palette)).encode(), COMPRESSION, mtime=0)


async def make_afterwards(services: Services, here: Position, user: str = "") -> dict[str, AnyView]:
    """Return the views of what is told of a game that is over, by name."""
    views: dict[str, AnyView] = {STORY: make_report_view(await fetch_report(services, here, user))}
    for curve in await list_curves(services, here):
        views[CHANCES] = curve
    return views


def list_afterwards(here: Position) -> list[str]:
    """Return the figures that are there when a game is over."""
    if here.game.result() is None:
        return []
    return [name for name in AFTERWARDS if name == STORY or here.game.title.advice.play_on is not None]


class OpenPage(Record, frozen=True):
    """A page that is asked for: who looks, and where its table stands."""

    viewer: BoardViewer
    here: Position

    @property
    def seat(self) -> int | None:
        """The seat as which it is looked at; ``None`` for all."""
        return find_page_seat(self.here, self.viewer)

    @property
    def keeps(self) -> str:
        """How a figure may be kept: one of a player's own page nowhere."""
        return NEVER if self.viewer.user else KEPT


def make_asked(page: OpenPage, said: FigureAddress) -> FigureAsked:
    """Return the question for a figure; who must decide now sees on their own page what may be chosen."""
    table, seat = page.here.table, page.seat
    acts = seat is not None and said.number == len(page.here.game.line) and seat in page.here.game.ask().seats[:1]
    request = Request(said.picture, seat, said.about, table.names, table.name)
    return FigureAsked(request, said.number, said.palette, acts)
