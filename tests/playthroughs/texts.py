"""Every text that a title has for its players, along a game that is kept.

``python -m tests.playthroughs.texts`` writes those of some positions to ``words/``, where a review sees what changed.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from engine import TITLES, Event, Request, Setup
from engine.game import play_entry
from engine.title import Title, insert_names
from engine.view import Chart, MapView, Note, Panels, Sheet, View
from engine.words import list_parameters
from tests.playthroughs.record import read

NAMES = ("Alice", "Bob", "Carol", "Dieter", "Eve", "Frank", "Grace", "Heidi")
MAX_VALUES = 12
"""Labels of one kind of action that are read at a position."""
KEPT = Path(__file__).with_name("words")
WORDED = ("1860-3", "1862-3")
EVERY, LOOKS = 43, 170
"""Actions between two positions of which the words, and the pictures, are kept."""


def texts(name: str, every: int, looks: int) -> Iterator[tuple[str, str]]:
    """Yield (where, text): what is told of each action, and at some positions all that is asked and offered.

    Args:
        name: of a kept game.
        every: actions between two positions where choices are read.
        looks: actions between two positions where pictures are read.
    """
    kept = read(name)
    title, said = TITLES[kept.setup.title], kept.read_log()
    names = NAMES[: kept.setup.seats]
    state = title.deal(kept.setup)
    for count, entry in enumerate(said):
        if count % every == 0:
            yield from ((where, insert_names(text, names)) for where, text in write_questions(title, state))
        if count % looks == 0:
            yield from write_pictures(title, kept.setup, state, names)
        events: list[Event] = []
        play_entry(title, state, entry, events.append)
        for event in events:
            yield f"say {type(event).__name__}", title.words.say(event, names)
    result = title.result(state)
    assert result is not None
    yield "result", result.reason_in_words
    yield from write_pictures(title, kept.setup, state, names)
    yield from ((where, insert_names(text, names)) for where, text in write_questions(title, state))


def write_questions(title: Title[Any], state: object) -> Iterator[tuple[str, str]]:
    """Yield what is asked at a position, and the words of the choices."""
    ask = title.words.ask(state)
    yield "headline", ask.headline
    yield "kind", ask.kind
    yield from (("line", line) for line in ask.lines)
    counts: dict[tuple[type, str], int] = {}
    for seat in ask.seats[:1]:
        for action in title.legal(state, seat):
            for name in ("", *(each.name for each in list_parameters(type(action)))):
                counts[type(action), name] = counts.get((type(action), name), 0) + 1
                if counts[type(action), name] <= MAX_VALUES:
                    yield f"label {type(action).__name__} {name}", title.words.label(state, action, name)
        if ask.kind != "run trains":
            yield from (("tip", tip.label) for tip in title.advice.tips(state, seat))


def usual(title: Title[Any], state: object) -> Iterator[tuple[str, str]]:
    """Yield the first choices of a menu at a position."""
    for seat in title.actors(state)[:1]:
        first = title.advice.usual(state, seat, list(title.legal(state, seat)))[:4]
        yield "first of a menu", " | ".join(title.words.label(state, action, "") for action in first)


def write_pictures(title: Title[Any], setup: Setup, state: object, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the words of all pictures."""
    for picture in title.views.pictures:
        abouts = [value for value, _ in title.views.subjects(state, picture.about)] if picture.about else [""]
        for about in (abouts[:1] + abouts[-1:]) if setup.seats else abouts:
            view = title.views.look(state, Request(picture.name, 0, about, names))
            yield from ((f"view {picture.name}", text) for text in words(view))


def words(view: View) -> Iterator[str]:
    """Yield the words of a view."""
    yield view.title
    yield view.alt
    yield from getattr(view, "notes", ())
    if isinstance(view, Sheet):
        for table in view.tables:
            yield table.title
            yield from (entry.text for row in (table.heads, *table.rows) for entry in row)
    if isinstance(view, MapView):
        yield from (line.words for line in view.lines)
    if isinstance(view, Panels):
        yield from (panel.caption for panel in view.panels)
    if isinstance(view, Note):
        yield from view.lines
    if isinstance(view, Chart):
        yield from (series.name for series in view.series)


def write_lines(name: str) -> list[str]:
    """Return the words of some positions of a game, each once; of a picture also a digest of all that it shows."""
    kept = read(name)
    title, said = TITLES[kept.setup.title], kept.read_log()
    names = NAMES[: kept.setup.seats]
    state = title.deal(kept.setup)
    lines: dict[str, None] = {}
    for count, entry in enumerate(said):
        told: list[tuple[str, str]] = []
        if count % EVERY == 0:
            told += [
                (where, insert_names(text, names))
                for where, text in (*write_questions(title, state), *usual(title, state))
            ]
        if count % LOOKS == 0:
            told += [*write_pictures(title, kept.setup, state, names), *digest_pictures(title, state, names)]
        events: list[Event] = []
        play_entry(title, state, entry, events.append)
        told += [(f"say {type(event).__name__}", title.words.say(event, names)) for event in events]
        lines |= dict.fromkeys(f"{where}: {text}" for where, text in told)
    return [line.replace("\n", " / ") for line in lines]


def digest_pictures(title: Title[Any], state: object, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield a digest of each picture, of all that its view says."""
    for picture in title.views.pictures:
        for about in [value for value, _ in title.views.subjects(state, picture.about)][:3] if picture.about else [""]:
            view = msgspec.json.encode(title.views.look(state, Request(picture.name, 0, about, names)))
            yield f"shown {picture.name} {about}", sha256(view).hexdigest()[:12]


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for game in WORDED:
        KEPT.joinpath(f"{game}.txt").write_text("\n".join([*write_lines(game), ""]), encoding="utf-8")
