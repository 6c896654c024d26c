"""What a page shows to whom, at each position of many games, told by views and sentences.

Where treasuries are hidden one is changed, and whoever may not know it must get the same. Where nothing is hidden, no
seat is told a word that a stranger is not. ``python -m tests.web.worlds --games 100 --seed 7`` looks at each position
of self-played games and of those that are kept (at one in six where nothing is hidden); one position in ``--whole`` is
written out as pages send it, with what may be chosen.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from bot.service.workers.jobs import Held
from bot.web.figures import FigureAsked, _describe_moment, write_figure
from engine import TITLES, Event, Game, LogEntry, Request, RuleError, Setup
from engine.game import play_entry
from engine.title import ignore_event
from tests.playthroughs.record import FOLDER, play, read

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal")
OTHER = 1000
"""How much more or less a hidden treasury holds in the other world."""
STRANGER = None
WHOLE, OPEN = 240, 6
"""One position in so many is compared as pages send it; one in so many where nothing is hidden."""
HIDDEN = {"treasuries": "hidden"}
WORDS = re.compile(rb"\w+")
Shown = Iterator[tuple[str, bytes]]


def list_leaks(
    setup: Setup, log: tuple[LogEntry, ...], every: int, first: int = 0, whole: int = WHOLE
) -> Iterator[str]:
    """Yield what is told to those who may not know it, at one position in ``every``; nothing if all is well."""
    title = TITLES[setup.title]
    hides = any(setup.options.get(name) == value for name, value in HIDDEN.items())
    state = title.deal(setup)
    for number, entry in enumerate(log, 1):
        if hides and number % every == first:
            yield from _compare_sentences(setup, state, entry, number)
        play_entry(title, state, entry, ignore_event)
        if number % every != first:
            continue
        game = Game(setup, log[:number], tuple(range(number)), title.clone(state))
        look = list_figures if number % whole == first % whole else list_views
        yield from compare_worlds(game, look) if hides else _compare_seats(game, look)


def compare_worlds(game: Game, look: Any = None) -> Iterator[str]:  # noqa: ANN401
    """Yield what each seat and a stranger can tell by of treasuries that are hidden from them."""
    for seat in (STRANGER, *range(game.setup.seats)):
        hidden = _list_hidden(game.state, seat)
        if not hidden:
            continue
        told, also_told = (
            dict((look or list_figures)(Game(game.setup, game.log, game.line, state), seat))
            for state in _make_worlds(game, hidden)
        )
        yield from (
            f"{game.setup.title} move {len(game.line)}, seat {seat}: {name} tells of {', '.join(hidden)}"
            for name, text in told.items()
            if also_told[name] != text
        )


def _make_worlds(game: Game, hidden: Iterable[str]) -> tuple[Any, Any]:
    richer, poorer = game.title.clone(game.state), game.title.clone(game.state)
    for code in hidden:
        richer.companies[code].cash += OTHER
        poorer.companies[code].cash = 0
    return richer, poorer


def _list_hidden(state: Any, seat: int | None) -> list[str]:  # noqa: ANN401  # the title's own
    """Return the companies whose treasury a seat may not know."""
    if state.over:
        return []
    return [code for code, company in state.companies.items() if company.floated and not may_know(company, seat)]


def may_know(company: Any, seat: int | None) -> bool:  # noqa: ANN401  # the title's own
    """Return whether a seat may know what a company has: it holds a share of it, or all may know."""
    return bool((seat is not None and company.shares[seat]) or company.receivership or company.bankrupt)


def _compare_sentences(setup: Setup, state: Any, entry: LogEntry, number: int) -> Iterator[str]:  # noqa: ANN401
    """Yield what the sentences of a move tell of a treasury that a stranger may not know.

    All read the same ones. What follows by the rules may differ, as a company that can't buy is not asked: only the
    words of the same events may not.
    """
    title = TITLES[setup.title]
    for code in _list_hidden(state, STRANGER):
        if state.companies[code].insolvent:  # it can't be rich
            continue
        other = title.clone(state)
        other.companies[code].cash += OTHER
        try:
            told, also_told = (_tell(title.clone(each), entry, setup) for each in (state, other))
        except RuleError:
            continue
        for (kind, words), (other_kind, other_words) in zip(told, also_told, strict=False):
            if kind is not other_kind:
                break
            if words != other_words:
                yield f"{setup.title} move {number}: the sentences tell of {code}: {words} or {other_words}"


def _tell(state: Any, entry: LogEntry, setup: Setup) -> list[tuple[type[Event], str]]:  # noqa: ANN401
    title, told = TITLES[setup.title], list[Event]()
    play_entry(title, state, entry, told.append)
    return [(type(event), title.words.say(event, NAMES[: setup.seats])) for event in told]


def _compare_seats(game: Game, look: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield words and numbers that a seat is shown and a stranger is not, where nothing is hidden."""
    public = {name: set(WORDS.findall(text)) for name, text in look(game, STRANGER)}
    for seat in range(game.setup.seats):
        for name, text in look(game, seat, acts=False):
            more = set(WORDS.findall(text)) - public[name]
            if more - {b"mine"}:
                yield f"{game.setup.title} move {len(game.line)}, seat {seat}: {name} has {sorted(more)[:5]}"


def _list_requests(game: Game, seat: int | None) -> Iterator[Request]:
    names, subjects = NAMES[: game.setup.seats], game.title.views.subjects
    for each in game.title.views.pictures:
        for about in [value for value, _ in subjects(game.state, each.about)] if each.about else [""]:
            yield Request(each.name, seat, about, names, "Table")


def list_views(game: Game, seat: int | None, *, acts: bool = False) -> Shown:
    """Yield all views that the page of a seat is drawn from, by name, and what is asked."""
    del acts
    for request in _list_requests(game, seat):
        yield f"{request.picture} {request.about}", msgspec.json.encode(game.look(request))
    yield "moment", _tell_moment(game)


def list_figures(game: Game, seat: int | None, *, acts: bool = True) -> Shown:
    """Yield everything that a page shows of a position to a seat, by name, as it is sent."""
    held, moves, names = Held(game), len(game.line), NAMES[: game.setup.seats]
    acts = acts and seat in game.ask().seats[:1]
    for request in _list_requests(game, seat):
        asked = FigureAsked(request, moves, acts=acts)
        yield f"{request.picture} {request.about}", write_figure(held, asked).encode()
    places = [value for kind in ("hex", "place") for value, _ in game.title.views.subjects(game.state, kind)]
    for about in places[:: 1 + moves % 7]:
        kind = "hex" if game.title.views.subjects(game.state, "hex") else "place"
        asked = FigureAsked(Request(kind, seat, about, names), moves, acts=acts)
        yield f"{kind} {about}", write_figure(held, asked).encode()
    yield "moment", _tell_moment(game)


def _tell_moment(game: Game) -> bytes:
    board = next(each.name for each in game.title.views.pictures if each.every_turn)
    moment = _describe_moment(game, game.state, board, NAMES[: game.setup.seats])
    return f"{moment.round} {moment.asks}".encode()


def list_games(count: int, seed: int) -> Iterator[tuple[str, Setup, tuple[LogEntry, ...]]]:
    """Yield games with their names: every other one that is kept, then self-played ones of all titles in turn.

    In all of 1860 treasuries are hidden, which changes what is shown and not what is legal.
    """
    kept = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))[::2][:count]
    for name in kept:
        game = read(name)
        options = {**game.setup.options, **(HIDDEN if game.setup.title == "1860" else {})}
        yield name, msgspec.structs.replace(game.setup, options=options), game.read_log()
    for k in range(count - len(kept)):
        title = ("1860", "1862", "1860", "steel_driver")[k % 4]
        least, most = TITLES[title].seats
        options = HIDDEN if title == "1860" else {}
        setup = Setup(title, least + k // 4 % (most - least + 1), options, seed + k)
        yield f"{title}, {setup.seats} seats, seed {setup.seed}", setup, play(setup)


def main() -> None:
    """Compare the worlds of many games, and end with 1 if any page tells something."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("games", 100), ("seed", 7), ("every", 1), ("whole", WHOLE)):
        parser.add_argument(f"--{name}", type=int, default=value)
    wish = parser.parse_args()
    found = positions = 0
    for k, (name, setup, log) in enumerate(list_games(wish.games, wish.seed)):
        every = wish.every if setup.title == "1860" else wish.every * OPEN
        leaks = [*list_leaks(setup, log, every, k % every, wish.whole)]
        found, positions = found + len(leaks), positions + len(log) // every
        print(f"{k + 1} {name}: {len(log)} moves, {len(leaks)} leaks", *leaks[:5], sep="\n  ", flush=True)  # noqa: T201
    print(f"{found} leaks at {positions} positions")  # noqa: T201
    raise SystemExit(found > 0)


if __name__ == "__main__":
    main()
