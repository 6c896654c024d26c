"""Walks through games of every title: positions reached by random or sensible play, the same for a seed."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from engine import TITLES, Action, Event, LogEntry, Rng, RuleError, Setup
from engine.game import play_entry
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


def setups(title: Title[Any]) -> Iterator[Setup]:
    """Yield set-ups to walk: few, some and many seats, and each value of each option that goes alone."""
    low, high = title.seats
    for seats in sorted({low, middle(title), high}):
        yield Setup(title.id, seats, {}, seats)
    for number, option in enumerate(title.options):
        for value, _ in option.values[1:]:
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
    """One game played: what was said, as logged, the events of each, whether it came to an end."""

    setup: Setup
    said: tuple[LogEntry, ...]
    told: tuple[tuple[Event, ...], ...]
    ended: bool


def middle(title: Title[Any]) -> int:
    """Return the number of seats with which a title's own player plays now; games of fewer and more are kept."""
    return sum(title.seats) // 2


def kept(setup: Setup) -> tuple[LogEntry, ...]:
    """Return the log of a game that its title's own player has played once; none if none is kept."""
    if setup.options or setup.title == TINY.id or setup.seats == middle(SHELF[setup.title]):
        return ()
    return record.read(f"{setup.title}-{setup.seats}").said()


@cache
def walk(name: str, seats: int, options: tuple[tuple[str, str], ...], seed: int, sense: bool) -> Walk:
    """Play a game, or play one again that is kept, and return it; once in a process."""
    title = TITLES[name]
    setup = Setup(name, seats, dict(options), seed)
    state, rng = title.deal(setup), Rng(seed)
    said: list[LogEntry] = []
    told: list[tuple[Event, ...]] = []
    most = MAX_MOVES_WITH_OPTION if options else MAX_MOVES
    for entry in kept(setup) if sense else ():
        facts: list[Event] = []
        said.append(play_entry(title, state, entry, facts.append))
        told.append(tuple(facts))
    while title.actors(state) and len(said) < most:
        seat = rng.choose(title.actors(state))
        if not list(title.legal(state, seat)):
            seat = title.actors(state)[0]
        action = title.spell_out(state, seat, pick(title, state, seat, rng, sense=sense))
        events: list[Event] = []
        said.append(play_entry(title, state, LogEntry(seat, action), events.append))
        told.append(tuple(events))
    return Walk(setup, tuple(said), tuple(told), not title.actors(state))


def of(way: Way) -> Walk:
    """Return the walk of a way."""
    name, setup, sense = way
    return walk(name, setup.seats, tuple(setup.options.items()), setup.seed, sense)


SAMPLES = 30


@cache
def _samples(name: str, setup: bytes, sense: bool) -> list[tuple[Any, int, Action]]:
    game = of((name, msgspec.json.decode(setup, type=Setup), sense))
    title = TITLES[name]
    state = title.deal(game.setup)
    every = max(1, len(game.said) // SAMPLES)
    found = []
    for number, entry in enumerate(game.said):
        if number % every == game.setup.seed % every:
            found.append((title.clone(state), entry.seat, entry.action))
        play_entry(title, state, entry, lambda _: None)
    return found


def positions(way: Way, count: int) -> Iterator[tuple[Any, int, Action]]:
    """Yield (state, seat, action) before some actions of a walk, evenly spread; the state must not be changed."""
    name, setup, sense = way
    found = _samples(name, msgspec.json.encode(setup), sense)
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
