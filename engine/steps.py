"""How a title leads an action through its step: what may be said, whether it may, and what it does."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from engine.record import Action, Record
from engine.title import Tell
from engine.words import all_done, does

Kind = type[Action]
# Each step has its own action and plan types; a table pairs them, so that a plan only ever meets its own apply.
Step = tuple[Callable[..., Iterator[Action]], Callable[..., Any], Callable[..., None]]


class Checked(Record, frozen=True):
    """An action that may be carried out: its step, and what the step's check returned."""

    step: Step
    plan: Any  # of the step's own type


class Ends(Protocol):
    """A state that says whether its game is over: why, empty while it goes on."""

    over: str


class Turn(Protocol):
    """A company's turn, which has its steps in order."""

    def go_on(self) -> None:
        """Go to the next step."""


class Operates(Protocol):
    """A state in an operating round."""

    @property
    def operating(self) -> Turn:
        """The turn that is being played."""


class InRound(Protocol):
    """A state in a round, by which it is called."""

    @property
    def round(self) -> object:
        """The round that is being played."""

    @property
    def name(self) -> str:
        """What players call it."""


R = TypeVar("R")
Name = TypeVar("Name", bound=str)
S = TypeVar("S", bound=Ends)
OR = TypeVar("OR", bound=Operates)
Company = TypeVar("Company")


def playing(s: InRound, kind: type[R]) -> R:
    """Return the round of a kind, where one is being played."""
    r = s.round
    assert isinstance(r, kind), s.name
    return r


def after(steps: Sequence[Name], step: Name) -> Name:
    """Return the step of a turn that follows another."""
    return steps[steps.index(step) + 1]


def offered(steps: Mapping[Kind, Step], kinds: Sequence[Kind], s: object, seat: int) -> Iterator[Action]:
    """Yield the legal actions of some kinds."""
    for kind in kinds:
        yield from steps[kind][0](s, seat)


def possible(steps: Mapping[Kind, Step], kinds: Sequence[Kind], s: object, seat: int) -> list[Kind]:
    """Return those kinds of which there is a legal action."""
    return [kind for kind in kinds if next(steps[kind][0](s, seat), None) is not None]


def check_at(step: Step, s: object, seat: int, action: Action) -> Checked:
    """Check an action at the step it has its turn at.

    Raises:
        RuleError: the step refuses it.
    """
    return Checked(step, step[1](s, seat, action))


def carry_out(s: S, checked: Checked, follows: Callable[[S, Tell], bool], tell: Tell) -> None:
    """Carry an action out, and all that follows by itself until somebody must decide."""
    checked.step[2](s, checked.plan, tell)
    settle(s, follows, tell)


def settle(s: S, follows: Callable[[S, Tell], bool], tell: Tell) -> None:
    """Do what follows by itself, a thing at a time, until nothing does or the game is over."""
    while not s.over and follows(s, tell):
        pass


def go_on_unless(is_open: Callable[[OR, Company], bool]) -> Callable[[OR, Company, Tell], bool]:
    """Return how a step of a company's turn settles: it waits while it is open to the company, else it is left."""

    def settled(s: OR, company: Company, tell: Tell) -> bool:
        del tell
        if is_open(s, company):
            return False
        s.operating.go_on()
        return True

    return settled


def settle_unless(
    is_open: Callable[[S, Company], bool], do: Callable[[S, Company, Tell], None]
) -> Callable[[S, Company, Tell], bool]:
    """Return how a step of a company's turn settles: it waits while it is open to it, else it is done."""

    def settled(s: S, company: Company, tell: Tell) -> bool:
        if is_open(s, company):
            return False
        do(s, company, tell)
        return True

    return settled


Sorting = Mapping[Kind, Callable[[list[Any]], Sequence[Action]]]
"""What puts the actions of a kind, each of its own type, in order."""


def ordered(actions: Sequence[Action], sorting: Sorting) -> list[Action]:
    """Return actions with those of some kinds in another order among themselves."""
    found = list(actions)
    for kind, order in sorting.items():
        places = [place for place, action in enumerate(found) if type(action) is kind]
        if places:
            for place, action in zip(places, order([found[place] for place in places]), strict=True):
                found[place] = action
    return found


def wrong_time(kind: Kind, now: Sequence[Kind], who: str) -> str:
    """Word that an action has its turn at another time, and whose duty what is now.

    Args:
        kind: what was said.
        now: the kinds that have their turn.
        who: "C&N ({0})", "{0}".
    """
    must = "may" if any(each.verb == "pass" for each in now) else "must first"
    return f"You cannot {does(kind)} now: {who} {must} {all_done(now)}."
