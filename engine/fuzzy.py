"""Fuzzy matching of typed words with legal actions: names, their first letters, case, currency signs."""

import re
from collections.abc import Mapping, Sequence

from engine.record import Action
from engine.words import Label, list_completions, list_parameters, write_parameters

MIN_PREFIX_LETTERS = 3
"""A shorter word is no beginning of a name."""
_QUOTES = re.compile("[\"'“”„‘’«»`]")
_THOUSANDS = re.compile(r"(?<=\d)[,.'\u00a0\u202f](?=\d{3}(?!\d))")
_SIGNS = re.compile(r"[£$€]|(?<=\d)\s*cc\b")
_BETWEEN = re.compile(r"[\s_\-–—→/,↻·%]+")
_NEGATIVE = re.compile(r"\s*[-–−]\s*[£$€]?\d")
_PARTS = re.compile(r" · |, home | \(")
_DIRECTED = re.compile(r"\S\s*(?:[-–—]|->|→|\bto\b)\s*\S")
"""From one end to the other, in this order."""
_COORDINATE = re.compile(r"[a-z]\d{1,2}(?= |$)")


def fold(text: str) -> str:
    """Return a text in lower case without quotes, currency and separators, to be compared with another."""
    if _NEGATIVE.match(text):  # a sign that counts
        return text.strip()
    bare = _SIGNS.sub("", _THOUSANDS.sub("", _QUOTES.sub("", text)))
    return _BETWEEN.sub(" ", bare).strip().casefold()


def strip_currency(text: str) -> str:
    """Return an amount without currency and thousands: "£1,250" is 1250."""
    return _SIGNS.sub("", _THOUSANDS.sub("", text)).strip()


def capitalise_hex(text: str) -> str:
    """Return a text such as "f2 1" with the hex it begins with in capitals."""
    return text[:1].upper() + text[1:] if _COORDINATE.match(text) else text


def find_meant(verb: str, given: Mapping[str, str], legal: Sequence[Action], label: Label) -> Action | None:
    """Return the one legal action that the words can mean; ``None`` if there is none, or more than one.

    Args:
        verb: of the action.
        given: words by parameter; one may be missing if it has one legal value only, whatever amount is given.
        legal: the legal actions.
        label: the words of a value on a menu, which match too.
    """
    could = [action for action in legal if action.verb == verb]
    known = {each.name: each for action in could for each in list_parameters(type(action))}
    if not set(given) <= set(known):
        return None
    for name in sorted(known, key=lambda name: known[name].whole):  # an amount says how much, never of what
        if name in given:
            could = _find_fitting(could, name, given[name], label)
        elif not known[name].whole and len(list_completions(could, verb, {}, name)) > 1:
            return None
    return could[0] if len(could) == 1 else None


def _find_fitting(could: Sequence[Action], name: str, value: str, label: Label) -> list[Action]:
    """Return the actions a value can mean: as typed, with two words swapped, by name, or by letter on a menu."""
    written = [(action, write_parameters(action)) for action in could]
    written = [(action, words) for action, words in written if name in words]
    wanted, directed = fold(value), _DIRECTED.search(value) is not None
    found = [action for action, words in written if fold(words[name]) == wanted]
    if not found and not directed:
        found = [action for action, words in written if _reverse_words(words[name]) == wanted]
    known = list_parameters(type(could[0])) if could else ()
    if found or (wanted.isdecimal() and any(each.whole and each.name == name for each in known)):
        return found  # a number means itself, not one that begins with it: 100 isn't 1000
    choices = list_completions(could, could[0].verb, {}, name) if could else []
    called = {write_parameters(choice)[name]: _list_names(label(choice, name), directed=directed) for choice in choices}
    picked = {word for word, names in called.items() if wanted in names}
    if not picked and len(wanted) >= MIN_PREFIX_LETTERS:
        picked = {word for word, names in called.items() if any(each.startswith(wanted) for each in names)}
    if not picked and len(value) == 1 and value.isalpha() and value.isascii():
        picked = {write_parameters(choice)[name] for choice in choices[ord(value.lower()) - ord("a") :][:1]}
    return [action for action, words in written if words[name] in picked] if len(picked) == 1 else []


def list_candidates(word: str, known: Sequence[tuple[str, str]]) -> list[str]:
    """Return the values that a word can mean: those with this very name, else those whose names begin with it."""
    wanted = fold(word)
    names = {value: {fold(value), *_list_names(words)} for value, words in known}
    exact = [value for value in names if wanted in names[value]]
    begun = [value for value in names if any(each.startswith(wanted) for each in names[value])]
    return exact or (begun if len(wanted) >= MIN_PREFIX_LETTERS else [])


def restore_code(word: str, known: Sequence[tuple[str, str]]) -> str:
    """Return a text with a company or hex written as its code: "C&N ipo" for "c&n ipo", "G5" for "newport".

    Args:
        word: as typed.
        known: companies and hexes by code, each with its words.
    """
    head, blank, rest = word.partition(" ")
    for code, words in known:
        if fold(word) in _list_names(words):
            return code
        if blank and fold(head) == fold(code):
            return f"{code} {rest}"
    return word


def _reverse_words(value: str) -> str:
    """Return two words in reverse order, folded; "" if there are not two."""
    words = value.split()
    return fold(" ".join(reversed(words))) if len(words) == 2 else ""


def _list_names(label: str, *, directed: bool = False) -> set[str]:
    """Return what players may call a choice, going by its label: the whole, its parts, with and without its code.

    Unless it is ``directed``, they may also name the ends of a link the other way round.
    """
    head = label.partition(" · ")[0]
    bare = head.partition(" (")[0]
    first, _, rest = bare.partition(" ")
    other = "" if directed else "→".join(reversed(bare.split("→")))
    parts = _PARTS.split(label)
    return {fold(each) for each in (label, head, bare, first, rest, other, *parts) if each}
