"""What everybody is worth: noted at the end of a round, and the scores at the end of a game."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from engine.finance.views import RoundEnd
from engine.printed import Units
from engine.title import Result, Score


class Priced(Protocol):
    """A company with its share price."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def price(self) -> int: ...  # noqa: D102


class Noted(Protocol):
    """A state that remembers how its rounds ended."""

    marks: list[RoundEnd]

    @property
    def name(self) -> str: ...  # noqa: D102


def note_round(s: Noted, worth: tuple[int, ...], priced: Iterable[Priced]) -> None:
    """Note how a round ended, for the chart and the market: worth by seat, and the prices of companies."""
    s.marks.append(RoundEnd(s.name, worth, tuple((company.code, company.price) for company in priced)))


def final_result(over: str, scores: Iterable[Score], reasons: Mapping[str, str], units: Units) -> Result | None:
    """Return the scores from first to last; ``None`` while the game goes on.

    Args:
        over: why the game is over; empty while it goes on.
        scores: by seat; not asked for before the end.
        reasons: why a game ends, in words.
        units: of the title.
    """
    if not over:
        return None
    ranked = tuple(sorted(scores, key=lambda score: (-score.total, score.seat)))
    winners = tuple(score.seat for score in ranked if score.total == ranked[0].total)
    return Result(over, ranked, winners, reasons[over], units.currency)
