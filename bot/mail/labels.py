"""Choices named by their own words, as "swap the Cowes Marina" for "3  Swap the Cowes Marina & Ferry Company …"."""

import re
from collections.abc import Sequence

from bot.mail.phrases import WORDS
from bot.model.letters import NumberedMoves

_HEAD = re.compile(r" · |[:;,]")
"""What ends the words of a choice: its reasons and consequences follow."""
_WORD = re.compile(r"[^\s()“”\"„*_£$€–—]+")
_BESIDE = frozenset(WORDS["naming"])
_SAME = {"exchange": "swap", "trade": "swap", "raise": "bid"}


def name_choice(order: str, offered: NumberedMoves) -> str:
    """Return the mark of the one choice whose words an order uses, whatever it leaves out; "" if none or several do.

    A number before them must be that of the choice: "2 (bid 20)".
    """
    said = _list_words(order)
    place = int(said.pop(0)) if said and re.fullmatch("[1-9]", said[0]) and len(said) > 1 else 0
    meant = {_SAME.get(word, word) for word in said if word not in _BESIDE}
    if order.endswith("?") or not any(word.isalpha() and len(word) > 2 for word in meant):
        return ""
    found = [at for at, words in enumerate(_list_labels(offered), 1) if meant <= words]
    if len(found) != 1 or place not in (0, found[0]):
        return ""
    if len(meant) == 1 and not meant <= _list_names(offered.offers[found[0] - 1].label):  # "for the best"
        return ""
    return f"{found[0]} (turn {offered.version})"


def names_another(line: str, place: int, offered: NumberedMoves) -> bool:
    """Return whether a line names companies or amounts of other choices only, as "5 - C&N all the way" for IOW."""
    names = [_list_names(each.label) for each in offered.offers]
    if place >= len(names):
        return False
    said = set(_list_words(line))
    return bool(names[place]) and not said & names[place] and any(said & each for each in names)


def _list_labels(offered: NumberedMoves) -> list[set[str]]:
    return [{_SAME.get(word, word) for word in _list_words(_HEAD.split(each.label)[0])} for each in offered.offers]


def _list_words(text: str) -> list[str]:
    words = (word.strip(".,;:!?'’/-") for word in _WORD.findall(text.casefold()))
    return [word for word in words if word and word != "&"]


def _list_names(label: str) -> set[str]:
    """Return what tells a choice from others: its words in capitals behind the first, and numbers of two digits."""
    words: Sequence[str] = _WORD.findall(_HEAD.split(label)[0])[1:]
    return {
        word.casefold().strip(".,;:!?'’/-") for word in words if word[0].isupper() or re.fullmatch(r"\d{2,}", word)
    } - {"company", "ipo", "ferry", "&"}
