"""A move in words in any order, of which each must belong to it: "start 82 East Norfolk" for "start ENR 82"."""

import re
from collections.abc import Callable, Collection, Sequence

from bot.screens.desk import Desk
from engine import Action
from engine.words import list_parameters, write_parameters

_FILLERS = frozenset(
    (
        "a",
        "an",
        "the",
        "on",
        "at",
        "for",
        "from",
        "in",
        "of",
        "to",
        "with",
        "and",
        "per",
        "share",
        "shares",
        "par",
        "cc",
    )
)
_SPLIT = re.compile(r"[\s()“”\"„_£$€–—→:;,!?·]+")
_HOME = re.compile(r", home\b.*")
MAX_WORDS = 10


def find_by_words(desk: Desk, verb: str, text: str) -> Action | None:
    """Return the one legal move that all words are part of; ``None`` if there is none, or more than one.

    Args:
        desk: where the move is made.
        verb: of the move; empty where the words don't say it, so that one must be a name.
        text: the words.
    """
    said = [word for word in _list_words(text) if word not in _FILLERS]
    if not said or len(said) > MAX_WORDS or (not verb and all(word.isdecimal() for word in said)):
        return None
    could = [desk.advised.resolve(action) for action in desk.legal if not verb or action.verb == verb]
    describe = _describe(desk)
    found = [action for action in could if _covers(said, describe(action))]
    if len(found) > 1:  # turned otherwise, or beside another space: the one that the letter lists
        shown = [action for action in found if action in desk.advised.actions and _names_amounts(said, action)]
        found = shown if len(shown) == 1 else found
    return found[0] if len(set(found)) == 1 else None


def _describe(desk: Desk) -> Callable[[Action], Collection[str]]:
    """Return what lists the words of a move: its values as they are written, named and described."""
    known: dict[tuple[str, str, str], frozenset[str]] = {}

    def describe(action: Action) -> Collection[str]:
        words = {*_list_words(desk.label(action, "").partition(" · ")[0].partition(":")[0])}
        amounts = {each.name for each in list_parameters(type(action)) if each.whole}
        for name, value in write_parameters(action).items():
            key = (action.verb, name, value)
            if name in amounts and value == "0":  # "with a warranty" is none without one
                words.add(value)
                continue
            if key not in known:
                parts = desk.label(action, name).split(" · ")
                named = "" if len(parts) < 2 or re.search(r"[\d£$]", parts[1]) else _HOME.sub("", parts[1])
                known[key] = frozenset(_list_words(f"{value} {parts[0]} {named}"))
            words |= known[key]
        return words

    return describe


def _names_amounts(said: Sequence[str], action: Action) -> bool:
    """Return whether each amount of a move is among the words."""
    values = write_parameters(action)
    return all(values.get(each.name, "0") in {*said, "0"} for each in list_parameters(type(action)) if each.whole)


def _covers(said: Sequence[str], words: Collection[str]) -> bool:
    return all(word in words or word.removesuffix("s") in words for word in said)


def _list_words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    words = [word.strip(".'’/-*").removesuffix("'s").lower() for word in _SPLIT.split(text.replace("-", " "))]
    return [re.sub(r"(?<=\d)cc$", "", word) for word in words if word and word != "&"]
