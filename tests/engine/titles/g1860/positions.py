"""Positions of 1860 from a few readable lines, and the ways to play and to be refused in them.

    table('''
        cash 300 200
        IOW  5* 2 | pool 1 | par 82 at 90 | 450cc | 2+1 3+2
        C&N  2* . | par 74
    ''', turn=1, phase="3")

A company's line has what each seat holds (a star: its director), then any of:
``pool 2`` (``pool 2*``: with the director's certificate), ``par 82``, ``at 90``
(its marker: it has floated), ``450cc``, trains, ``bases I3 J4.0`` and the words
``new`` (has not operated), ``insolvent``, ``bankrupt``, ``closed``, ``homeless``.
What no one holds lies in the IPO. Earlier lines arrived earlier on the market.
"""

import re
from collections.abc import Iterable
from typing import TypedDict, TypeVar, Unpack, overload

import pytest
from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance import rounds
from engine.finance.state import POOL
from engine.interop.g1860.profile import TITLE
from engine.record import Action, Event
from engine.setup import RULES, Setup
from engine.titles.g1860.catalogue import MARKET, PRIVATES
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import BANK, CLOSED, Company, Operating, State, TurnStep
from engine.titles.g1860.steps import shares

A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
ROUTE = "J4 5/1"
"""Ryde beside Ryde Esplanade: with it IOW has a run worth 30 + 20."""


class Fields(TypedDict, total=False):
    """What a position may set besides its lines: fields of the state, and what ``table`` tells of."""

    options: dict[str, str]
    version: int
    switches: dict[str, bool]
    turn: int
    number: int
    layer: int
    phase: str
    depot: dict[str, int]
    returned: list[str]
    formed: bool
    stopped: bool
    nationalised: bool
    topped: bool


def table(text: str, *, tiles: str = "", **fields: Unpack[Fields]) -> State:
    """Return a state in a stock round with these holdings; ``fields`` set fields of the state.

    ``options`` are lobby options, ``version`` that of the rules (today's), ``turn`` the seat to deal (0),
    ``number`` the stock round (2), ``switches`` what else its rules have.
    """
    lines = [line.split() for line in text.strip().splitlines()]
    cash = next(list(map(int, words[1:])) for words in lines if words[0] == "cash")
    s = TITLE.deal(Setup("1860", len(cash), fields.pop("options", {}), rules=fields.pop("version", RULES)))
    s.rules = replace(s.rules, **fields.pop("switches", {}))
    s.cash, s.turn = cash, fields.pop("number", 2)
    for words in lines:
        if words[0] == "privates":
            _privates(s, words[1:])
    for words in lines:
        if words[0] in s.companies:
            _company(s, s.companies[words[0]], " ".join(words[1:]))
    for word in filter(None, tiles.split(", ")):
        coord, tile = word.split()
        s.board = s.board.with_tile(coord, tile.partition("/")[0], int(tile.partition("/")[2] or 0))
    s.layer = fields.pop("layer", 4)
    s.round = shares.make_round(s)
    seat = fields.pop("turn", 0)
    s.stock.turn = s.priority = seat
    for name, value in fields.items():
        assert hasattr(s, name), name
        setattr(s, name, value)
    return s


def _privates(s: State, words: Iterable[str]) -> None:
    """Read "privates RPSC 0 CMH bank FFC closed"."""
    words = list(words)
    for code, owner in zip(words[::2], words[1::2], strict=True):
        s.privates[code] = {"bank": BANK, "closed": CLOSED}.get(owner, -9)
        if s.privates[code] == -9:
            s.privates[code] = int(owner)
        if owner == "closed" and PRIVATES[code].railway:
            s.companies[PRIVATES[code].railway].reserved = False


def _company(s: State, company: Company, text: str) -> None:
    holdings, *parts = [part.strip() for part in text.split("|")]
    for seat, word in enumerate(holdings.split()):
        company.shares[seat] = 0 if word == "." else int(word.rstrip("*"))
        if word.endswith("*"):
            company.director = seat
    company.par, company.operated = company.charter.pars[0], True
    for part in parts:
        _part(s, company, part)
    company.ipo = 10 - sum(company.shares) - company.pool
    assert company.ipo >= 0, company
    if company.bankrupt:
        company.par = company.par if company.director >= 0 else None
        company.ipo = company.ipo if company.par else 10
    if (company.floated or company.bankrupt) and "homeless" not in text:
        _home(company)


def _part(s: State, company: Company, part: str) -> None:
    words = part.split()
    if words[0] == "pool":
        company.pool = int(words[1].rstrip("*"))
        company.director = POOL if words[1].endswith("*") else company.director
    elif words[0] in ("par", "at"):
        _prices(s, company, words)
    elif words[0] == "bases":
        _home(company)
        for word in words[1:]:
            coord, _, index = word.partition(".")
            company.bases.append((coord, int(index or 0)))
            company.unplaced -= 1
    elif re.fullmatch(r"\d+cc", part):
        company.cash = int(part[:-2])
    elif re.fullmatch(r"(\d\+\d ?)+", part):
        company.trains = words
    elif part == "new":
        company.operated = False
    elif part != "homeless":
        assert part in ("insolvent", "bankrupt", "closed"), part
        setattr(company, part, True)


def _prices(s: State, company: Company, words: list[str]) -> None:
    for what, price in zip(words[::2], words[1::2], strict=True):
        if what == "par":
            company.par = int(price)
        else:
            company.cell, company.floated = MARKET.prices.index(int(price)), True
            s.clock += 1
            company.stamp = s.clock


def _home(company: Company) -> None:
    if not company.home_placed:
        company.home_placed = True
        company.bases = [company.charter.home]
        company.unplaced = len(company.charter.base_costs) - 1


def operating(
    text: str,
    company: str,
    step: TurnStep,
    *,
    tiles: str = ROUTE,
    rounds: tuple[int, int] = (1, 1),
    revenue: int = 0,
    subsidy: int = 0,
    **fields: Unpack[Fields],
) -> State:
    """Return a state in an operating round (``rounds``: which of how many), with a company's turn at a step."""
    s = table(text, tiles=tiles, **fields)
    order = sorted(
        (other for other in s.companies.values() if other.running), key=lambda other: (-(other.cell or 0), other.stamp)
    )
    codes = [other.code for other in order]
    s.round = Operating(*rounds, codes, codes.index(company), step, revenue=revenue, subsidy=subsidy)
    return s


def step_of(s: State) -> str:
    """Return the step of the turn."""
    return s.operating.step


def begin_operating(s: State, of: int = 1) -> list[Event]:
    """Begin a set of operating rounds; return what happens until someone must decide."""
    told: list[Event] = []
    s.round = Operating(0, of, [])
    rounds.run_automatic_steps(s, turn.settle, told.append)
    return told


def settle(s: State) -> list[Event]:
    """Let happen what happens by itself."""
    told: list[Event] = []
    rounds.run_automatic_steps(s, turn.settle, told.append)
    return told


def play(s: State, *actions: Action, seat: int | None = None) -> list[Event]:
    """Play actions of whoever must decide (or of ``seat``), and return all facts."""
    told: list[Event] = []
    for action in actions:
        who = TITLE.actors(s)[0] if seat is None else seat
        TITLE.apply(s, TITLE.check(s, who, action), told.append)
    return told


def catch_refusal(s: State, action: Action, seat: int | None = None) -> RuleError:
    """Return the refusal of an action, which must be none of the legal ones and leave no trace."""
    who = TITLE.actors(s)[0] if seat is None else seat
    before = s.clone()
    assert action not in list(TITLE.legal(s, who))
    with pytest.raises(RuleError) as caught:
        TITLE.check(s, who, action)
    assert s == before
    return caught.value


@overload
def legal(s: State, *, seat: int | None = None) -> list[Action]: ...
@overload
def legal(s: State, kind: type[A], seat: int | None = None) -> list[A]: ...
def legal(s: State, kind: type[A] | type[Action] = Action, seat: int | None = None) -> list[A] | list[Action]:
    """Return the legal actions (of one kind) of whoever must decide; each must pass the check."""
    who = TITLE.actors(s)[0] if seat is None else seat
    found = [action for action in TITLE.legal(s, who) if isinstance(action, kind)]
    for action in found:
        TITLE.check(s, who, action)
    return found


def of_kind(events: Iterable[Event], kind: type[E]) -> list[E]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]
