"""How a title leads an action through its step: what may be said, whether it may, and what it does."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.record import Action, Record
from engine.words import describe_kinds

Kind = type[Action]
# Each step has its own action and plan types; a table pairs them, so that a plan only ever meets its own apply.
Step = tuple[Callable[..., Iterator[Action]], Callable[..., Any], Callable[..., None]]


class Checked(Record, frozen=True):
    """An action that may be carried out: its step, and what the step's check returned."""

    step: Step
    plan: Any  # of the step's own type


def list_legal(steps: Mapping[Kind, Step], kinds: Sequence[Kind], s: object, seat: int) -> Iterator[Action]:
    """Yield the legal actions of some kinds."""
    for kind in kinds:
        yield from steps[kind][0](s, seat)


def list_possible_kinds(steps: Mapping[Kind, Step], kinds: Sequence[Kind], s: object, seat: int) -> list[Kind]:
    """Return those kinds of which there is a legal action."""
    return [kind for kind in kinds if next(steps[kind][0](s, seat), None) is not None]


def check_step(step: Step, s: object, seat: int, action: Action) -> Checked:
    """Check an action at the step it has its turn at.

    Raises:
        RuleError: the step refuses it.
    """
    return Checked(step, step[1](s, seat, action))


Sorting = Mapping[Kind, Callable[[list[Any]], Sequence[Action]]]
"""What puts the actions of a kind, each of its own type, in order."""


def sort_actions(actions: Sequence[Action], sorting: Sorting) -> list[Action]:
    """Return actions with those of some kinds in another order among themselves."""
    found = list(actions)
    for kind, order in sorting.items():
        places = [place for place, action in enumerate(found) if type(action) is kind]
        if places:
            for place, action in zip(places, order([found[place] for place in places]), strict=True):
                found[place] = action
    return found


def explain_wrong_time(kind: Kind, now: Sequence[Kind], company: str = "") -> str:
    """Word that an action has its turn at another time, and what the player can or must do now.

    Args:
        kind: what was said.
        now: the kinds that have their turn.
        company: for which the player decides, if it is a company's turn.
    """
    must = "can" if any(each.verb == "pass" for each in now) else "must first"
    return f"You can't {kind.brief} now; {company or 'you'} {must} {describe_kinds(now)}."


def explain_wait_for_answer(kind: Kind, decider: int) -> str:
    """Word that a player whose offer waits for another's answer can only withdraw it."""
    return f"You can't {kind.brief} now: {{{decider}}} must first answer your offer, unless you take it back."
