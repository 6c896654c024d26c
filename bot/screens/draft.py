"""A move in the making: which words are said, which value is asked next.

A draft is a path, "tile.3.0": the verb, then for each value asked the number
it has in the list of legal values, ``=45`` for a number typed, ``*`` for text
that stands in the message itself. A value that can be only one is not asked.
With the log version beside it a path means the same after a restart.
"""

import zlib
from collections.abc import Mapping, Sequence

from bot.model.errors import BotError
from bot.screens.wire import number_of
from engine import Action, Game, Record
from engine.codec import encode_action
from engine.forgiving import meant
from engine.words import Parameter, completions, parameters, spoken, understand

TYPED = "*"


class Draft(Record, frozen=True):
    """How far a move is said.

    Args:
        path: as it came. verb: what is done.
        given: the words said so far, by parameter.
        values: one legal action for each value that may follow, empty when all is said.
        asked: the parameter asked next, ``None`` when all is said.
    """

    path: str
    verb: str
    given: dict[str, str]
    values: tuple[Action, ...] = ()
    asked: Parameter | None = None

    @property
    def back(self) -> str:
        """The path one step back; empty for the first screen."""
        return self.path.rpartition(".")[0]


def verbs(legal: Sequence[Action]) -> list[str]:
    """Return the verbs that are legal, in the order the title lists them."""
    return list(dict.fromkeys(action.verb for action in legal if action.verb))


def follow(legal: Sequence[Action], open_verbs: frozenset[str], path: str, typed: str = "") -> Draft:
    """Read a path.

    Args:
        legal: what the seat may do.
        open_verbs: verbs of which ``legal`` holds suggestions only.
        path: the verb and its tokens.
        typed: text for the ``*`` of the path.

    Raises:
        BotError: the path leads nowhere; the position or the program has changed.
    """
    verb, *tokens = path.split(".")
    could = [action for action in legal if action.verb == verb]
    if not could:
        raise BotError(f"You cannot {verb[:20]} now.")
    given: dict[str, str] = {}
    while (asked := _asked(could, given)) is not None:
        values = completions(could, verb, given, asked.name)
        if len(values) == 1 and verb not in open_verbs:
            word = spoken(values[0])[asked.name]
        elif tokens:
            word = _word([spoken(value)[asked.name] for value in values], tokens.pop(0), typed)
        else:
            return Draft(path, verb, given, tuple(values), asked)
        given[asked.name] = word
        could = [action for action in could if spoken(action).get(asked.name) == word]
    if tokens:
        raise BotError("That menu is out of date.")
    return Draft(path, verb, given)


def _word(values: Sequence[str], token: str, typed: str) -> str:
    """Return the value a token means."""
    if token == TYPED:
        return typed
    number = number_of(token.removeprefix("="))
    if number is None or (number >= len(values) and not token.startswith("=")):
        raise BotError("That menu is out of date.")
    return str(number) if token.startswith("=") else values[number]


def _asked(could: Sequence[Action], given: dict[str, str]) -> Parameter | None:
    """Return the next parameter of the actions that fit so far."""
    for action in could:
        for parameter in parameters(type(action)):
            if parameter.name not in given:
                return parameter
    return None


def action_of(game: Game, legal: Sequence[Action], draft: Draft) -> Action:
    """Return the action of a draft that is complete.

    Raises:
        WordingError: typed words that cannot be read.
    """
    label, state = game.title.words.label, game.state

    def called(action: Action, name: str) -> str:
        return label(state, action, name)

    def forgive(verb: str, given: Mapping[str, str], legal: Sequence[Action]) -> Action | None:
        return meant(verb, given, legal, called)

    return understand(game.title.actions, draft.verb, draft.given, legal, forgive, called)


def mark(action: Action) -> str:
    """Return a short mark of an action, by which a button knows that it still means it."""
    return f"{zlib.crc32(encode_action(action)):x}"
