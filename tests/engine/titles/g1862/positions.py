"""Positions of 1862 in a few lines of text, and the verbs of a test: play, refused, legal.

A line is a company: ``N&E 90 4*,3,1,0 treasury=2 cash=200 trains=2F*,3E at=B13,C10``. The number is its price;
the shares are tenths by seat, a star marks the director; what is missing of ten lies in the pool, or where
``ipo``, ``treasury`` say. A company with a price has floated unless it says ``unfloated``.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, TypedDict, TypeVar, Unpack, overload

import pytest
from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance import rounds
from engine.finance.rounds import Pass
from engine.finance.state import POOL
from engine.interop.g1862.profile import SWITCHES, TITLE, note_first
from engine.record import Action, Event
from engine.setup import Setup
from engine.titles.g1862 import companies, ground
from engine.titles.g1862.actions import Dividend, Option, Run
from engine.titles.g1862.catalogue import CHARTERS, MARKET
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.setup import make_company
from engine.titles.g1862.state import Company, Marker, Operating, Parliament, State, Train, TurnStep
from engine.titles.g1862.steps import shares

A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
RICH = 1000
NO_SWITCHES: Mapping[str, object] = MappingProxyType({})


def differs(*names: str) -> pytest.MarkDecorator:
    """Run a test by the rulebook, and with some switches as on 18xx.games, all others at the book's."""
    there = {name: SWITCHES[name] for name in names}
    return pytest.mark.parametrize("switches", [{}, there], ids=["rulebook", "-".join(names)])


def go_bankrupt(s: State, code: str) -> None:
    """Let a company go bankrupt, as if its price had fallen to nothing."""
    companies.declare_bankrupt(s, s.companies[code], note_first(s, lambda _: None))


class Fields(TypedDict, total=False):
    """What a table may set besides its companies: fields of the state."""

    cash: list[int]
    depot: dict[str, int]
    phase: str
    lner_due: bool
    lner: bool
    broken: bool
    topped: bool
    limit: int


def table(
    text: str = "",
    *,
    seats: int = 4,
    tiles: str = "",
    options: dict[str, str] | None = None,
    switches: Mapping[str, object] = NO_SWITCHES,
    **fields: Unpack[Fields],
) -> State:
    """Return a table with these companies; all others may be started.

    ``tiles`` reads ``B13:6:3 C12:20+1:0``; ``switches`` are set in the rules, all others are those of the options.
    """
    s = TITLE.deal(Setup("1862", seats, options or {}, 1))
    s.rules = replace(s.rules, **switches)
    s.companies = {code: make_company(code, seats, "A", "" if s.rules.simple else "express") for code in CHARTERS}
    s.offer = tuple(s.companies)
    s.cash = [RICH] * seats
    for name, value in fields.items():
        assert hasattr(s, name), name
        setattr(s, name, value)
    for tile in tiles.split():
        coord, name, rotation = tile.split(":")
        s.board = s.board.with_tile(coord, name, int(rotation))
    for line in text.strip().splitlines():
        _company(s, line.split())
    return s


def _company(s: State, words: list[str]) -> None:
    company = s.companies[words[0]]
    price, shares = int(words[1]), words[2].split(",")
    company.shares = [int(held.rstrip("*")) for held in shares]
    company.director = next((seat for seat, held in enumerate(shares) if held.endswith("*")), POOL)
    company.former = max(0, company.director)
    company.ipo, company.par, company.floated = 0, MARKET.find_par(price), True
    company.home_placed = company.operated = True
    s.clock += 1
    company.cell, company.stamp = MARKET.prices.index(price), s.clock
    for word in words[3:]:
        _set(s, company, word)
    company.pool = 10 - sum(company.shares) - company.ipo - company.treasury
    assert company.pool >= 0, words
    if company.director == POOL:
        assert company.pool >= 3, words


def _set(s: State, company: Company, word: str) -> None:
    name, _, value = word.partition("=")
    if name == "unfloated":
        company.floated = company.home_placed = company.operated = False
        company.cell = None
    elif name == "chartered":
        company.chartered = True
    elif name == "new":
        company.home_placed = company.operated = False
    elif name == "trains":
        for number, train in enumerate(value.split(",")):
            company.trains.append(Train(f"X-{company.code}{number}", train.rstrip("*"), train.count("*")))
    elif name == "at":
        for place in value.split(","):
            s.clock += 1
            company.markers.append(Marker(place, s.clock, len(ground.list_standing_markers(s, place))))
    elif name == "permits":
        company.permits = value.split(",")
    elif name in ("london", "permit"):
        setattr(company, name, value)
    else:
        assert isinstance(getattr(company, name), int | None), name
        setattr(company, name, int(value))


def stock(s: State, turn_of: int = 0) -> State:
    """Let a stock round begin with a player."""
    s.round = shares.make_round(s)
    s.round.turn = turn_of
    s.round.above = shares.is_above_limit(s, turn_of)
    return s


def parliament(s: State, turn_of: int = 0, number: int = 2) -> State:
    """Let a Parliament begin with a player."""
    s.round = Parliament(number, turn_of)
    return s


def operating(s: State, code: str, step: TurnStep, *, rounds: int = 1, order: Iterable[str] = ()) -> State:
    """Let a company be at a step of its turn; the order is by price unless given."""
    companies = sorted(
        (company for company in s.companies.values() if company.floated),
        key=lambda company: (-(company.cell or 0), company.stamp),
    )
    codes = list(order) or [company.code for company in companies]
    s.round = Operating(1, rounds, codes, codes.index(code), step)
    return s


def step_of(s: State) -> str:
    """Return the step of the turn."""
    return s.operating.step


def settle(s: State) -> list[Event]:
    """Let follow what follows by itself."""
    events: list[Event] = []
    rounds.run_automatic_steps(s, turn.settle, note_first(s, events.append))
    return events


def play(s: State, *actions: Action, seat: int | None = None) -> list[Event]:
    """Play actions of whoever acts, or of a seat; return the facts."""
    events: list[Event] = []
    for action in actions:
        who = turn.find_actors(s)[0] if seat is None else seat
        TITLE.apply(s, turn.check(s, who, action), events.append)
    return events


def catch_refusal(s: State, action: Action, seat: int | None = None) -> RuleError:
    """Return the refusal of an action, which is none of the legal ones and leaves no trace."""
    who = turn.find_actors(s)[0] if seat is None else seat
    assert action not in legal(s, seat=who)
    before = s.clone()
    with pytest.raises(RuleError) as refusal:
        turn.check(s, who, action)
    assert s == before
    assert refusal.value.sentence.endswith(".")
    return refusal.value


@overload
def legal(s: State, *, seat: int | None = None) -> list[Action]: ...
@overload
def legal(s: State, kind: type[A], seat: int | None = None) -> list[A]: ...
def legal(s: State, kind: type[A] | type[Action] = Action, seat: int | None = None) -> list[A] | list[Action]:
    """Return the legal actions of whoever acts, or of a seat; of one kind if given."""
    who = turn.find_actors(s)[0] if seat is None else seat
    return [action for action in turn.list_legal(s, who) if isinstance(action, kind)]


def of_kind(events: Iterable[Event], kind: type[E]) -> list[E]:
    """Return the facts of one kind."""
    return [event for event in events if isinstance(event, kind)]


def go_on(s: State) -> list[Event]:
    """Run at best, decline all else, and keep what is earned."""
    choice: list[Action] = [*legal(s, Run), *legal(s, Pass)]
    return play(s, choice[0] if choice else Dividend("keep"))


def decide(s: State, choice: Literal["redeem", "sell"]) -> list[Event]:
    """Decide every option of a merging of shares in the same way, until none is left."""
    events: list[Event] = []
    while isinstance(s.round, Operating) and s.operating.merging is not None and not s.round.removing:
        events += play(s, Option(choice))
    return events
