"""The state of a game: plain numbers, lists by seat, company, place or route.

A company, a place and a route are known by their index on the board; -1 is
none. A set of places is a whole number, bit ``1 << place``.
"""

from collections.abc import Iterator
from typing import Literal

from engine.record import Mutable
from engine.titles.steel_driver.board import GOODS, PrintedBoard
from engine.titles.steel_driver.rules import Rules

COMPANIES = 6
TURNS = 5
LINKS = 17
NOBODY = -1
Phase = Literal["auction", "build", "goods", "over"]


class Company(Mutable):
    """A company. ``shares`` by seat, ``goods`` by colour; ``start`` is never scored."""

    shares: list[int]
    goods: list[int]
    treasury: int = 0
    network: int = 0
    start: int = NOBODY
    links: int = LINKS
    profit: int = 0
    controller: int = NOBODY
    last: int = NOBODY
    value: int = 0


class Sale(Mutable):
    """An auction under way: ``bidders`` are still in, ``asked`` is to raise or drop out."""

    company: int
    bid: int
    leader: int
    asked: int
    bidders: list[int]


class State(Mutable):
    """Everything on the table.

    Args:
        marker: seat that holds the Active Player marker; ``passes`` in a row since the last auction.
        order: order of play; ``passed``: the pass row; ``active``: place in ``order`` of the company to act.
        owner: company on each route, -1 while unbuilt; ``joined``: the transcontinental link was made.
        cubes_left: places where a goods cube still lies (final determination).
        earned: cash from profits by seat; ``history``: cash of all seats after each turn.
    """

    board: PrintedBoard
    rules: Rules
    seats: int
    marker: int
    cash: list[int]
    cubes: list[int]
    earned: list[int]
    companies: list[Company]
    order: list[int]
    owner: list[int]
    history: list[list[int]]
    passed: list[int]
    played: list[int]
    turn: int = 0
    phase: Phase = "auction"
    passes: int = 0
    active: int = 0
    joined: bool = False
    cubes_left: int = 0
    agreed: bool = False
    sale: Sale | None = None


def list_members(places: int) -> Iterator[int]:
    """Yield the places of a set, lowest first."""
    while places:
        low = places & -places
        yield low.bit_length() - 1
        places ^= low


def count_goods(state: State, places: int) -> list[int]:
    """Return how many of a set of places have goods of each colour."""
    counts = [0] * len(GOODS)
    for place in list_members(places):
        counts[state.board.places[place].goods] += 1
    return counts


def find_acting(state: State) -> int:
    """Return the company to act, in the phases where companies act."""
    return state.order[state.active]


def let_next_act(state: State) -> None:
    """Let the next company in the order of play act."""
    state.active = (state.active + 1) % len(state.order)


def skip_passed(state: State) -> bool:
    """Move on if the company to act has passed already; return whether it had."""
    had_passed = find_acting(state) in state.passed
    if had_passed:
        let_next_act(state)
    return had_passed


def find_company(state: State, text: str) -> int:
    """Return the company that a player's word means, -1 for none; its id, else its code or name."""
    word = text.strip().lower()
    if word in state.board.ids:
        return state.board.ids.index(word)
    for number, brand in enumerate(state.board.companies):
        if word in (brand.code.lower(), brand.name.lower()):
            return number
    return NOBODY


def find_place(state: State, text: str) -> int:
    """Return the place that a player's word means, -1 for none; its id, else its name."""
    word = text.strip().lower()
    ids = [place.id for place in state.board.places]
    names = [place.name.lower() for place in state.board.places]
    return ids.index(word) if word in ids else names.index(word) if word in names else NOBODY
