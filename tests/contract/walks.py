"""Walks through games of every title: positions reached by random or sensible play, the same for a seed."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from engine import TITLES, Action, Event, LogEntry, Rng, RuleError, Setup
from engine.game import play_entry
from engine.setup import ADVICE
from engine.title import Title
from tests.playthroughs import record
from tests.support.tiny18 import TITLE as TINY

Way = tuple[str, Setup, bool]
"""Title, set-up, and whether it is played with sense."""

SHELF: dict[str, Title[Any]] = {**TITLES, TINY.id: TINY}
"""Every title that is played, and a tiny one of the 18xx family that is no part of the program: it is data and a
few functions in ``tests/support/tiny18``, and nothing elsewhere knows of it."""

MAX_MOVES, MAX_MOVES_WITH_OPTION = 1200, 140
"""Actions after which a walk stops, ended or not; the games that are kept play each option to the end."""
SAMPLES = 30
"""Positions of a walk that are looked at, at least, where it has so many actions."""


def setups(title: Title[Any]) -> Iterator[Setup]:
    """Yield set-ups to walk: few, some and many seats, and each value of each option that goes alone."""
    low, high = title.seats
    for seats in sorted({low, middle(title), high}):
        yield Setup(title.id, seats, {}, seats)
    for number, option in enumerate(title.options):
        for value, _ in option.values[1:] if option != ADVICE else ():  # no rule depends on it
            yield Setup(title.id, low + number % (high - low + 1), {option.name: value}, number)


def ways() -> list[Way]:
    """Return (title, set-up, sense) for tests to go; sense False plays any legal action, at the extremes."""
    return [
        (name, setup, sense)
        for name, title in SHELF.items()
        for setup in setups(title)
        for sense in ((True, False) if not setup.options and setup.seats in SHELF[name].seats else (True,))
    ]


def ident(way: Way) -> str:
    """Return the name of a way, for the list of tests."""
    name, setup, sense = way
    options = "-".join(map("=".join, setup.options.items())) or "plain"
    return f"{name}-{setup.seats}-{options}-{'sense' if sense else 'any'}"


def pick(title: Title[Any], state: object, seat: int, rng: Rng, *, sense: bool) -> Action:
    """Return what a seat does: what its title would choose, or any legal action."""
    if sense:
        return title.advice.choose(state, seat, rng)
    return rng.choose(list(title.legal(state, seat)))


class Walk(msgspec.Struct, frozen=True):
    """One game played: what was said, as logged, the events of each, and whether it came to an end.

    ``samples`` are (state, seat, action) before some actions, ``last`` is the last state; tests must not change them.
    """

    setup: Setup
    said: tuple[LogEntry, ...]
    told: tuple[tuple[Event, ...], ...]
    samples: tuple[tuple[Any, int, Action], ...]
    last: Any
    ended: bool


def middle(title: Title[Any]) -> int:
    """Return the number of seats with which a title's own player plays now; games of fewer and more are kept."""
    return sum(title.seats) // 2


def play_once(setup: Setup) -> tuple[LogEntry, ...]:
    """Return the log of a game that its title's own player has played once; none if none is kept."""
    if setup.options or setup.title == TINY.id or setup.seats == middle(SHELF[setup.title]):
        return ()
    return record.read(f"{setup.title}-{setup.seats}").read_log()


@cache
def walk(name: str, seats: int, options: tuple[tuple[str, str], ...], seed: int, sense: bool) -> Walk:
    """Play a game, or play one again that is kept, and return it; once in a process."""
    title = TITLES[name]
    setup = Setup(name, seats, dict(options), seed)
    state, rng = title.deal(setup), Rng(seed)
    said: list[LogEntry] = []
    told: list[tuple[Event, ...]] = []
    before: list[tuple[Any, int, Action]] = []
    max_moves = MAX_MOVES_WITH_OPTION if options else MAX_MOVES

    def play(given: LogEntry) -> None:
        events: list[Event] = []
        copy = title.clone(state)
        entry = play_entry(title, state, given, events.append)
        said.append(entry)
        told.append(tuple(events))
        before.append((copy, entry.seat, entry.action))

    for entry in play_once(setup) if sense else ():
        play(entry)
    while title.actors(state) and len(said) < max_moves:
        seat = rng.choose(title.actors(state))
        if not list(title.legal(state, seat)):
            seat = title.actors(state)[0]
        play(LogEntry(seat, title.spell_out(state, seat, pick(title, state, seat, rng, sense=sense))))
    every = max(1, len(said) // SAMPLES)
    samples = tuple(before[seed % every :: every])
    return Walk(setup, tuple(said), tuple(told), samples, state, not title.actors(state))


def of(way: Way) -> Walk:
    """Return the walk of a way."""
    name, setup, sense = way
    return walk(name, setup.seats, tuple(setup.options.items()), setup.seed, sense)


def positions(way: Way, count: int) -> Iterator[tuple[Any, int, Action]]:
    """Yield (state, seat, action) before some actions of a walk, evenly spread; the state must not be changed."""
    found = of(way).samples
    yield from found[:: max(1, len(found) // count)]


def refusal(title: Title[Any], state: object, seat: int, action: Action) -> RuleError | None:
    """Return why an action is refused, or ``None``."""
    try:
        title.check(state, seat, action)
    except RuleError as error:
        return error
    return None


def builtins(record: object) -> object:
    """Return a record as plain values, to compare and to look for secrets."""
    return msgspec.to_builtins(record, enc_hook=plain)


def plain(value: object) -> object:
    """Return what msgspec cannot encode in plain values: the board as its tiles."""
    if hasattr(value, "laid"):
        return {hex_: list(tile) for hex_, tile in value.laid.items()}
    return repr(value)
