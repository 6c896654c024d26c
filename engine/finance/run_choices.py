"""Ways to run that differ in what matters: what is paid, what the treasury gets beside it, which trains are spared."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from engine.printed import Units
from engine.record import Action, Record
from engine.title import Tip
from engine.words import listed

MOST = 5
SHARES = 10


class Suggestion(Record, frozen=True):
    """A plan worth a button: its text, the words, and whether nothing beats it."""

    text: str
    words: str
    proven: bool


class Way(Record, frozen=True):
    """A plan that may be run.

    Args:
        text: the plan as it is kept. revenue, subsidy: what it earns.
        idle: names of the trains that stay idle in it.
    """

    text: str
    revenue: int
    subsidy: int
    idle: tuple[str, ...] = ()


class Runs(Protocol):
    """An action that runs trains by a plan as it is kept."""

    @property
    def plan(self) -> str: ...  # noqa: D102


def known_plans(known: Sequence[Tip], run: type[Runs], best: str) -> list[str]:
    """Return the plans of tips that are written out: not ``best``, which finds the first again."""
    return [tip.action.plan for tip in known if isinstance(tip.action, run) and tip.action.plan != best]


def to_choose(ways: Sequence[Way], told: Callable[[Way, Way], str], run: Callable[[str], Action]) -> list[Tip]:
    """Return the ways to run that differ in what matters, called by their numbers.

    Args:
        ways: the best first.
        told: words for a way, compared with the best.
        run: makes the action of a plan, or of a number.
    """
    chosen = enumerate(differing(ways), 1)
    return [Tip(run(way.text), told(way, ways[0]), run(str(number))) for number, way in chosen]


def as_tips(found: Sequence[Suggestion], run: Callable[[str], Action], best: str) -> list[Tip]:
    """Return plans as tips; the first is played as ``best``, which finds it again."""
    return [
        Tip(run(each.text), each.words, None if number else run(best), each.proven) for number, each in enumerate(found)
    ]


def idle_of(trains: Iterable[str], run: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the trains that do not run, as often as a company has them."""
    left = list(trains)
    for name in run:
        if name in left:
            left.remove(name)
    return tuple(left)


def differing(ways: Sequence[Way], most: int = MOST) -> list[Way]:
    """Return the best way, the first, and those that have something it has not: more subsidy, or a train spared.

    The most revenue comes first; a way that another beats in all three is left out.
    """
    found = list(ways[:1])
    for way in sorted(ways[1:], key=lambda way: (-way.revenue, -way.subsidy, len(way.idle))):
        if not any(_beats(other, way) for other in found):
            found.append(way)
    return found[:most]


def _beats(other: Way, way: Way) -> bool:
    return other.revenue >= way.revenue and other.subsidy >= way.subsidy and not idle_of(way.idle, other.idle)


def words(way: Way, best: Way, units: Units, aside: str, price: str) -> str:
    """Say a way to run: what it earns and pays, which trains it spares, and how it differs from the best.

    Args:
        way: to run.
        best: the one it is compared with.
        units: of the title.
        aside: how a subsidy is written, with places for the amount and for "more": "{0}cc{1} for halts".
        price: where the share price goes if it is paid; "" where nothing can be.
    """
    earned = units.money(way.revenue) + (f" + {aside.format(way.subsidy, '')}" if way.subsidy else "")
    parts = [f"pays {units.money(way.revenue // SHARES)} a share, price {price}"] if price else []
    parts += [f"leaves the {listed(way.idle)} idle"] if way.idle else []
    differs = _differs(way, best, units, aside)
    told = f"{earned}: {', '.join(parts)}" if parts else earned
    return f"{told}; {differs}" if differs else told


def _differs(way: Way, best: Way, units: Units, aside: str) -> str:
    less, more = best.revenue - way.revenue, way.subsidy - best.subsidy
    parts = [f"{units.money(less)} less than the best run"] if less else []
    parts += [aside.format(amount, word) for amount, word in ((more, " more"), (-more, " less")) if amount > 0]
    return ", ".join(parts)
