"""Trains: the pile to buy from, those that a plan of runs takes, and plans that differ."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TypeVar

from engine.errors import RuleError
from engine.hints import Tip
from engine.printed import Units
from engine.record import Action, Record, Rule
from engine.words import join_words


def find_on_sale(depot: Mapping[str, int]) -> str:
    """Return the kind on top of the pile: the first of which any are left; -1 is unlimited."""
    return next(kind for kind, left in depot.items() if left)


def take_from_pile(depot: dict[str, int], kind: str) -> None:
    """Take a train off the pile, unless its kind is unlimited."""
    if depot[kind] > 0:
        depot[kind] -= 1


def write_count_left(left: int, *, rusted: bool) -> str:
    """Return how many of a kind are left: "3", "unlimited", "rusted"."""
    return "rusted" if rusted else "unlimited" if left < 0 else str(left)


class PrintedTrain(Record, frozen=True):
    """What is printed on a train in every title: its name."""

    name: str


class RunTrains(Action, frozen=True):
    """Run the trains by a plan, or by the best plan."""

    verb = "run"
    brief = "run the trains"
    asks = {"plan": "Where do the trains run?"}
    plan: str


T = TypeVar("T", bound=PrintedTrain)


def take_named(left: list[T], name: str, company: str, owned: Sequence[T], known: Container[str], rule: Rule) -> T:
    """Take a train by name from those left to run.

    Args:
        left: trains without a run so far; loses the one returned.
        name: as typed.
        company: whose trains they are.
        owned: all that may run this turn.
        known: names of all trains of the title.
        rule: what a refusal cites.

    Raises:
        RuleError: there is no such train, or none left.
    """
    for train in left:
        if train.name == name:
            left.remove(train)
            return train
    if name not in known:
        raise RuleError(f"There is no train called {name}.", rule)
    again = " left" if any(train.name == name for train in owned) else ""
    raise RuleError(f"{company} has no {name}{again} to run.", rule)


def take_run(left: list[T], name: str, company: str, rule: Rule) -> T:
    """Take the train of a run from those left to run.

    Raises:
        RuleError: there are more runs of that name than trains.
    """
    train = next((train for train in left if train.name == name), None)
    if train is None:
        raise RuleError(f"The plan runs more {name} trains than {company} has.", rule)
    left.remove(train)
    return train


def explain_too_many_runs(company: str, trains: int, runs: int) -> str:
    """Return the refusal of a plan with more runs than trains."""
    return f"{company} has {trains} train{'' if trains == 1 else 's'} to run; the plan has {runs} runs."


MAX_PLANS = 5
SHARES_OF_COMPANY = 10


class Suggestion(Record, frozen=True):
    """A plan worth a button: its text, its words, and whether it is proven best."""

    text: str
    words: str
    proven: bool


class PlanSummary(Record, frozen=True):
    """A plan of runs and what it earns.

    Args:
        text: as the log keeps it. revenue, subsidy: what it earns.
        idle: names of trains that do not run.
    """

    text: str
    revenue: int
    subsidy: int
    idle: tuple[str, ...] = ()


def list_known_plans(known: Sequence[Tip], run: type[RunTrains], best: str) -> list[str]:
    """Return the plans of tips, without ``best``, which stands for the first."""
    return [tip.action.plan for tip in known if isinstance(tip.action, run) and tip.action.plan != best]


def number_plans(
    ways: Sequence[PlanSummary], told: Callable[[PlanSummary, PlanSummary], str], run: Callable[[str], Action]
) -> list[Tip]:
    """Return plans that differ in what matters, each with its number as shorthand.

    Args:
        ways: the best first.
        told: makes the words for a plan, compared with the best.
        run: makes the action of a plan, or of a number.
    """
    chosen = enumerate(select_differing(ways), 1)
    return [Tip(run(way.text), told(way, ways[0]), run(str(number))) for number, way in chosen]


def make_tips(found: Sequence[Suggestion], run: Callable[[str], Action], best: str) -> list[Tip]:
    """Return plans as tips; players type the first as ``best``."""
    return [
        Tip(run(each.text), each.words, None if number else run(best), each.proven) for number, each in enumerate(found)
    ]


def find_idle_trains(trains: Iterable[str], run: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the trains that do not run, one for each train."""
    left = list(trains)
    for name in run:
        if name in left:
            left.remove(name)
    return tuple(left)


def select_differing(ways: Sequence[PlanSummary]) -> list[PlanSummary]:
    """Return the best plan, which is the first, and those with more subsidy or fewer trains than it.

    They are sorted by revenue, without those that another plan equals or beats in all three.
    """
    found = list(ways[:1])
    for way in sorted(ways[1:], key=lambda way: (-way.revenue, -way.subsidy, len(way.idle))):
        if not any(_is_better(other, way) for other in found):
            found.append(way)
    return found[:MAX_PLANS]


def _is_better(other: PlanSummary, way: PlanSummary) -> bool:
    return other.revenue >= way.revenue and other.subsidy >= way.subsidy and not find_idle_trains(way.idle, other.idle)


def describe_plan(way: PlanSummary, best: PlanSummary, units: Units, aside: str, price: str) -> str:
    """Return a plan in words: what it earns and pays, which trains stay idle, and how it differs from the best.

    Args:
        way: the plan.
        best: to compare it with.
        units: of the title.
        aside: template of the subsidy, with the amount and "more" to fill in: "{0}cc{1} for halts".
        price: the move of the share price if the revenue is paid; "" if it cannot be.
    """
    earned = units.money(way.revenue) + (f" + {aside.format(way.subsidy, '')}" if way.subsidy else "")
    parts = [f"pays {units.money(way.revenue // SHARES_OF_COMPANY)} a share, price {price}"] if price else []
    parts += [f"leaves the {join_words(way.idle)} idle"] if way.idle else []
    differs = _describe_difference(way, best, units, aside)
    told = f"{earned}: {', '.join(parts)}" if parts else earned
    return f"{told}; {differs}" if differs else told


def _describe_difference(way: PlanSummary, best: PlanSummary, units: Units, aside: str) -> str:
    less, more = best.revenue - way.revenue, way.subsidy - best.subsidy
    parts = [f"{units.money(less)} less than the best run"] if less else []
    parts += [aside.format(amount, word) for amount, word in ((more, " more"), (-more, " less")) if amount > 0]
    return ", ".join(parts)
