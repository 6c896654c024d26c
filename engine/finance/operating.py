"""A company's turn in an operating round, as it runs in every 18xx game."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from engine.finance.events import Declined, RoundBegun
from engine.finance.views import Ranked
from engine.title import Tell

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


def place(s: Called, r: Round) -> str:
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


def no(r: CompanyTurn, declines: Mapping[str, tuple[str, str]]) -> str:
    """Return what leaving a step out means: "No track", "No more track"."""
    return f"No {'more ' * has_begun(r)}{declines[r.step][1]}"
