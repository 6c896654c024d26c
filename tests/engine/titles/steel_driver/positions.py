"""Positions told in a few words, so that a test need not play sixty moves to reach its point."""

from collections.abc import Iterator

import msgspec

from engine.finance.rounds import Pass
from engine.record import Action, Event
from engine.setup import Setup
from engine.titles.steel_driver import TITLE
from engine.titles.steel_driver.state import Company, State, find_company, find_place

SEATS = 4


def deal(seats: int = SEATS, seed: int = 0, /, **options: str) -> State:
    """Deal a game in which seat 0 holds the marker, unless told otherwise."""
    return TITLE.deal(Setup("steel_driver", seats, {"first": "host", **options}, seed))


def box(state: State, name: str) -> Company:
    """Return a company by its id."""
    return state.companies[find_company(state, name)]


def play(state: State, seat: int, *actions: Action) -> list[Event]:
    """Play actions of one seat in place; return what happened."""
    told: list[Event] = []
    for action in actions:
        TITLE.apply(state, TITLE.check(state, seat, TITLE.spell_out(state, seat, action)), told.append)
    return told


def building(state: State, **treasuries: int) -> State:
    """Go to the building phase: companies named have that treasury and are controlled by seat 0, all others pass."""
    state.phase, state.active, state.sale = "build", 0, None
    for company in state.companies:
        company.controller, company.treasury = -1, 0
    for name, treasury in treasuries.items():
        box(state, name).controller = box(state, name).last = 0
        box(state, name).treasury = treasury
    order = [find_company(state, name) for name in treasuries]
    state.order = [*order, *(number for number in range(6) if number not in order)]
    return state


def lay(state: State, name: str, links: str) -> None:
    """Give a company links, "baltimore-pittsburgh pittsburgh-cleveland"; the first place is its start."""
    company, number = box(state, name), find_company(state, name)
    for link in links.split():
        a, b = (find_place(state, end) for end in link.split("-"))
        route = next(route for route, other, _ in state.board.exits[a] if other == b)
        assert state.owner[route] == -1, f"{link} is built twice"
        if company.network == 0:
            company.start = a
        state.owner[route] = number
        company.network |= 1 << a | 1 << b
        company.links -= 1


def legal(state: State) -> list[Action]:
    """Return the legal actions of the seat to act."""
    (seat,) = TITLE.actors(state)
    return list(TITLE.legal(state, seat))


def everybody_passes(state: State) -> list[Event]:
    """Let every player pass the marker until the auctions end."""
    told: list[Event] = []
    turn = state.turn
    while state.phase == "auction" and state.turn == turn:
        told += play(state, TITLE.actors(state)[0], Pass())
    return told


def mutables(value: object) -> Iterator[object]:
    """Yield everything inside a value that could be changed."""
    if isinstance(value, list | dict | set):
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from mutables(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from mutables(part)
    elif isinstance(value, msgspec.Struct):
        if not value.__struct_config__.frozen:
            yield value
        for field in value.__struct_fields__:
            yield from mutables(getattr(value, field))
