"""Amounts in words as digits, in the languages of ``words.toml``: "forty-five", "fünfundvierzig", "two hundred"."""

import re

from bot.mail.phrases import WORDS

_ONES = {word: place for place, words in enumerate(WORDS["numbers"], 1) for word in words.split()}
_TENS = {word: 10 * place for place, words in enumerate(WORDS["tens"], 1) for word in words.split()}
_HUNDREDS = frozenset(word for word, value in _TENS.items() if value == 100)
_TEENS = {word: 11 + place for place, words in enumerate(WORDS["teens"]) for word in words.split()}
_UNITS = "|".join(sorted((word for word in _ONES), key=len, reverse=True))
_DECADES = "|".join(sorted((word for word in _TENS if word not in _HUNDREDS), key=len, reverse=True))
_TEEN = "|".join(sorted(_TEENS, key=len, reverse=True))
_BELOW_HUNDRED = (
    rf"(?:(?P<unit_first>{_UNITS})(?:und|en)(?P<ten_last>{_DECADES})|(?P<teen>{_TEEN})|"
    rf"(?P<ten>{_DECADES})(?:[ -]?(?:(?:y|et|e|i) )?(?P<unit>{_UNITS}))?)"
)
_AMOUNT = re.compile(
    rf"\b(?:(?:(?P<many>{_UNITS}|an?) )?(?P<hundred>{'|'.join(_HUNDREDS)})(?:(?: and| und)? ?{_BELOW_HUNDRED})?)\b|"
    rf"\b{_BELOW_HUNDRED.replace('P<', 'P<b_')}\b",
    re.IGNORECASE,
)
_SMALL = re.compile(rf"\b(?:{_UNITS})\b", re.IGNORECASE)
_MANY = frozenset(word for word, value in _ONES.items() if value == 1)
"""One, in any language: an article as often as a number, so it stays a word."""


def write_digits(text: str) -> str:
    """Return a text in small letters with its numbers from two on as digits."""
    return _SMALL.sub(_write_small, _AMOUNT.sub(_write_amount, text))


def _write_amount(found: re.Match[str]) -> str:
    said = {name.removeprefix("b_"): word for name, word in found.groupdict().items() if word}
    below = _TEENS.get(said.get("teen", ""), 0)
    below += _TENS.get(said.get("ten", said.get("ten_last", "")), 0)
    below += _ONES.get(said.get("unit", said.get("unit_first", "")), 0)
    hundreds = _ONES.get(said.get("many", ""), 1) if "hundred" in said else 0
    return str(100 * hundreds + below)


def _write_small(found: re.Match[str]) -> str:
    word = found[0]
    return word if word in _MANY else str(_ONES[word])
