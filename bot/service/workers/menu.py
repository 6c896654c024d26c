"""What a seat may do, as one would type it and in words: for whoever reads a list instead of pressing buttons."""

from collections.abc import Callable, Sequence

from bot.service.workers.held import Held, Task
from engine import Action, Record
from engine.forgiving import Label
from engine.title import named
from engine.words import as_typed, completions, parameters, spoken

MOST_AMOUNTS = 4
MOST_LINES = 12
MOST_REST = 24
"""Choices beyond those with a line of their own that are named; of still more the number is told."""


class MenuAsked(Record, frozen=True):
    """Whose legal moves are listed; ``names`` of the players."""

    seats: tuple[int, ...]
    names: tuple[str, ...]


class MenuLine(Record, frozen=True):
    """A move as one would type it, and in words."""

    typed: str
    words: str


def _menu(held: Held, on: MenuAsked) -> list[MenuLine]:
    """Return what may be done, as one would type it and in words: a range of amounts is one line."""
    title, state = held.game.title, held.game.state
    lines: list[MenuLine] = []
    for seat in on.seats:
        legal = held.legal(seat)
        for verb in dict.fromkeys(kind.verb for kind in title.actions if kind.verb):
            could = [action for action in legal if action.verb == verb]
            lines += menu_of(could, lambda action, name: named(title.words.label(state, action, name), on.names))
    return lines


def menu_of(could: Sequence[Action], label: Label) -> list[MenuLine]:
    """Return lines for the actions of one verb, told apart by their first parameter."""
    if not could:
        return []
    first = next(iter(parameters(type(could[0]))), None)
    if first is None:
        return [MenuLine(as_typed(could[0]), label(could[0], ""))]
    heads = completions(could, could[0].verb, {}, first.name)
    if first.whole and len(heads) > MOST_AMOUNTS:
        ends = (min(heads, key=_amount(first.name)), max(heads, key=_amount(first.name)))
        return [MenuLine(as_typed(ends[0], label), " to ".join(label(end, first.name).split(" · ")[0] for end in ends))]
    lines = [_headed(could, action, first.name, label) for action in heads[:MOST_LINES]]
    rest = ", ".join(label(action, first.name).split(" · ")[0] for action in heads[MOST_LINES:][:MOST_REST])
    more = f" and {len(heads) - MOST_LINES - MOST_REST} more" if len(heads) > MOST_LINES + MOST_REST else ""
    return [*lines, *([MenuLine("", f"as well: {rest}{more}")] if rest else [])]


def _headed(could: Sequence[Action], action: Action, name: str, label: Label) -> MenuLine:
    """Return the line of one value of the first parameter, with the values of a second one where it has several."""
    value = spoken(action)[name]
    under = [each for each in could if spoken(each).get(name) == value]
    words = label(action, name)
    for second in [each for each in parameters(type(action)) if each.name != name]:
        said = completions(under, action.verb, {name: value}, second.name)
        if second.whole and len(said) > 1:
            least, most = (by(said, key=_amount(second.name)) for by in (min, max))
            ends = (label(each, second.name).split(" · ")[0] for each in (least, most))
            words = f"{words} · {' to '.join(ends)}"
        elif len(said) > 1:
            words = f"{words} · {len(said)} choices"
    return MenuLine(as_typed(action, label), words)


def _amount(name: str) -> Callable[[Action], int]:
    return lambda action: int(spoken(action)[name])


MENU = Task("menu", _menu, MenuAsked, list[MenuLine])
