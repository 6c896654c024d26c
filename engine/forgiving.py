"""Words that mean a legal action though they are not written as it is: names and their beginnings, case, signs."""

import re
from collections.abc import Callable, Mapping, Sequence

from engine.record import Action
from engine.words import completions, parameters, spoken

Label = Callable[[Action, str], str]
"""The words of a value on a menu: an action and the parameter."""
LEAST_BEGINNING = 3
"""Letters that tell a name by its beginning."""
_QUOTES = re.compile("[\"'“”„‘’«»`]")
_THOUSANDS = re.compile(r"(?<=\d)[,.'\u00a0\u202f](?=\d{3}(?!\d))")
_SIGNS = re.compile(r"[£$€]|(?<=\d)\s*cc\b")
_BETWEEN = re.compile(r"[\s_\-–—→/,↻·%]+")
_NEGATIVE = re.compile(r"\s*[-–−]\s*[£$€]?\d")
_PARTS = re.compile(r" · |, home | \(")
_COORDINATE = re.compile(r"[a-z]\d{1,2}(?= |$)")


def folded(text: str) -> str:
    """Return what is left of a text where only letters and figures count."""
    if _NEGATIVE.match(text):  # a sign that counts
        return text.strip()
    bare = _SIGNS.sub("", _THOUSANDS.sub("", _QUOTES.sub("", text)))
    return _BETWEEN.sub(" ", bare).strip().casefold()


def unsigned(text: str) -> str:
    """Return an amount without currency and thousands: "£1,250" is 1250."""
    return _SIGNS.sub("", _THOUSANDS.sub("", text)).strip()


def upper(text: str) -> str:
    """Return a text that begins with a hex, "f2 1", with the hex as maps have it."""
    return text[:1].upper() + text[1:] if _COORDINATE.match(text) else text


def meant(verb: str, given: Mapping[str, str], legal: Sequence[Action], label: Label) -> Action | None:
    """Return the one legal action that the words can mean; ``None`` if there is none, or more than one.

    Args:
        verb: what is done.
        given: words by parameter; what can be one thing only may be missing.
        legal: what may be done.
        label: the words of a value, whose names count too.
    """
    could = [action for action in legal if action.verb == verb]
    known = dict.fromkeys(each.name for action in could for each in parameters(type(action)))
    if not set(given) <= set(known):
        return None
    for name in known:
        if name in given:
            could = _fitting(could, name, given[name], label)
    return could[0] if len(could) == 1 else None


def _fitting(could: Sequence[Action], name: str, value: str, label: Label) -> list[Action]:
    """Return the actions that a value can mean: as typed, from the other end, by name or by letter."""
    said = [(action, spoken(action)) for action in could]
    said = [(action, words) for action, words in said if name in words]
    wanted = folded(value)
    found = [action for action, words in said if folded(words[name]) == wanted]
    if not found:
        found = [action for action, words in said if _turned(words[name]) == wanted]
    known = parameters(type(could[0])) if could else ()
    if found or (wanted.isdecimal() and any(each.whole and each.name == name for each in known)):
        return found  # an amount is no other that begins with it: 100 is not 1000
    choices = completions(could, could[0].verb, {}, name) if could else []
    called = {spoken(choice)[name]: _names(label(choice, name)) for choice in choices}
    picked = {word for word, names in called.items() if wanted in names}
    if not picked and len(wanted) >= LEAST_BEGINNING:
        picked = {word for word, names in called.items() if any(each.startswith(wanted) for each in names)}
    if not picked and len(value) == 1 and value.isalpha() and value.isascii():
        picked = {spoken(choice)[name] for choice in choices[ord(value.lower()) - ord("a") :][:1]}
    return [action for action, words in said if words[name] in picked] if len(picked) == 1 else []


def called(word: str, known: Sequence[tuple[str, str]]) -> str:
    """Return the value that a word means, in any case, by its name or the beginning of that; else the word itself.

    Args:
        word: as typed.
        known: values, each with its words.
    """
    found = possible(word, known)
    return found[0] if len(found) == 1 else word


def possible(word: str, known: Sequence[tuple[str, str]]) -> list[str]:
    """Return the values that a word can mean, as ``called`` takes it; those of this very name before all others."""
    wanted = folded(word)
    names = {value: {folded(value), *_names(words)} for value, words in known}
    exact = [value for value in names if wanted in names[value]]
    begun = [value for value in names if any(each.startswith(wanted) for each in names[value])]
    return exact or (begun if len(wanted) >= LEAST_BEGINNING else [])


def coded(word: str, known: Sequence[tuple[str, str]]) -> str:
    """Return a text with the code of a company or hex it begins with, or names, as it is written: "C&N ipo", "G5".

    Args:
        word: as typed.
        known: companies and hexes by code, each with its words.
    """
    head, blank, rest = word.partition(" ")
    for code, words in known:
        if folded(word) in _names(words):
            return code
        if blank and folded(head) == folded(code):
            return f"{code} {rest}"
    return word


def _turned(value: str) -> str:
    """Return two words the other way round."""
    words = value.split()
    return folded(" ".join(reversed(words))) if len(words) == 2 else ""


def _names(label: str) -> set[str]:
    """Return what a choice may be called by its words: the whole head of them, and the head without its code."""
    head = label.partition(" · ")[0]
    bare = head.partition(" (")[0]
    first, _, rest = bare.partition(" ")
    other = "→".join(reversed(bare.split("→")))
    parts = _PARTS.split(label)
    return {folded(each) for each in (label, head, bare, first, rest, other, *parts) if each}
