"""Rounds as every game of the family has them: turns of players and of companies, passes, the end."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from engine.finance.events import BankBroke, Declined, GameEnded, Passed, RoundBegun
from engine.finance.market import Ranked
from engine.record import Action
from engine.title import Tell


class Pass(Action, frozen=True, tag="pass"):
    """Pass, or say that this step is done."""

    verb = "pass"
    brief = "pass"


class EndGame(Action, frozen=True, tag="end"):
    """End the game by agreement of the table; the scores stand as they are."""

    verb = ""


class Clearable(Protocol):
    """What is noted of a turn until it ends."""

    def clear(self) -> None:
        """Forget all of it."""


class StockTurn(Protocol):
    """What a stock round knows of the turn.

    Args:
        turn: seat to deal; acted: it has bought or sold; bought: its purchase is made.
        just_sold: companies it has sold; passes: passes in a row.
        sold: by seat, what was sold in this round.
    """

    turn: int
    acted: bool
    bought: bool
    passes: int
    sold: list[list[str]]

    @property
    def just_sold(self) -> Clearable: ...  # noqa: D102


def clockwise(first: int, seats: int) -> tuple[int, ...]:
    """Return all seats in the order of play, beginning with one."""
    return tuple((first + step) % seats for step in range(seats))


def note_pass(r: StockTurn, seat: int, tell: Tell) -> None:
    """Count a pass, unless the turn only ends after something was bought or sold."""
    if not r.acted:
        r.passes += 1
        tell(Passed(seat))


def note_sale(r: StockTurn, seat: int, what: str) -> None:
    """Note a sale: passes are counted anew, and the player cannot buy of it again in this round."""
    r.acted, r.passes = True, 0
    if what not in r.sold[seat]:
        r.sold[seat].append(what)


def next_player(r: StockTurn, seats: int) -> None:
    """Begin the turn of the next player clockwise."""
    r.turn = (r.turn + 1) % seats
    r.acted = r.bought = False
    r.just_sold.clear()


S = TypeVar("S", bound=str)


class Operator(Ranked, Protocol):
    """A company that has its turn by the place of its marker."""

    @property
    def code(self) -> str: ...  # noqa: D102


class Called(Protocol):
    """A state that calls its round by name."""

    @property
    def name(self) -> str: ...  # noqa: D102


class Round(Protocol):
    """An operating round: its number in the set, the companies in order, and whose turn it is."""

    number: int
    order: list[str]
    index: int


class CompanyTurn(Protocol):
    """A company's turn: its step, and the track built in it."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def step(self) -> str: ...  # noqa: D102
    @property
    def laid(self) -> Sequence[tuple[Any, ...]]: ...  # noqa: D102

    def go_on(self) -> None:
        """Go to the next step."""


def in_order(companies: Iterable[Operator], rank: Callable[[Operator], tuple[float, ...]]) -> list[str]:
    """Return the companies in operating order, by the rank of their markers."""
    return [company.code for company in sorted(companies, key=rank)]


def begin_round(s: Called, r: Round, tell: Tell) -> None:
    """Begin the next round of a set, before its first turn."""
    r.number += 1
    r.index = -1
    tell(RoundBegun(s.name))


def next_company(r: Round, operates: Callable[[str], bool]) -> bool:
    """Go to the next company that can still operate; tell whether there is one."""
    r.index += 1
    while r.index < len(r.order) and not operates(r.order[r.index]):
        r.index += 1
    return r.index < len(r.order)


def then(steps: Sequence[S], step: S, kinds: Mapping[str, str], left_out: Collection[str] = ()) -> list[str]:
    """Return the line that tells which steps of a turn follow: "Then: run trains → pay or keep."; none at its end."""
    later = [kinds[each] for each in steps[steps.index(step) + 1 :] if each in kinds and each not in left_out]
    return [f"Then: {' → '.join(later)}."] if later else []


def turn_place(s: Called, r: Round) -> str:
    """Return which of the companies of a round has its turn: "OR 2.1, 3 of 7"."""
    return f"{s.name}, {r.index + 1} of {len(r.order)}"


def has_begun(r: CompanyTurn) -> bool:
    """Tell whether something of a step is done already, so that passing it means no more."""
    return r.step == "track" and bool(r.laid)


def decline(r: CompanyTurn, declines: Mapping[str, tuple[str, str]], tell: Tell) -> None:
    """Leave a step out; ``declines`` has by step what the company does not do: ("lays", "track")."""
    does, what = declines[r.step]
    tell(Declined(r.code, does, what, has_begun(r)))
    r.go_on()


def word_decline(r: CompanyTurn, declines: Mapping[str, tuple[str, str]]) -> str:
    """Return what leaving a step out means: "No track", "No more track"."""
    return f"No {'more ' * has_begun(r)}{declines[r.step][1]}"


MOST_ROUNDS = 100
"""The set of rounds that ends a game wherever it stands, for tables that play with such a limit."""


class Ending(Protocol):
    """A state that knows why its game is over; empty while it goes on."""

    over: str


class Banked(Protocol):
    """A state with a bank: what it has left, below zero when it has run out, and whether that was noted."""

    broken: bool

    @property
    def bank(self) -> int: ...  # noqa: D102


def end_options(s: object, seat: int) -> Iterator[Action]:
    """Offer nothing: the table votes."""
    del s, seat
    yield from ()


def check_end(s: object, seat: int, action: Action) -> Action:
    """Allow it at any time."""
    del s, seat
    return action


def apply_end(s: Ending, plan: Action, tell: Tell) -> None:
    """End the game as it stands."""
    del plan
    finish(s, "manually_ended", tell)


def watch_bank(s: Banked, tell: Tell) -> None:
    """Note the first time that the bank has run out."""
    if s.bank < 0 and not s.broken:
        s.broken = True
        tell(BankBroke())


def finish(s: Ending, reason: str, tell: Tell) -> None:
    """End the game for a reason, and tell it."""
    s.over = reason
    tell(GameEnded(reason))
