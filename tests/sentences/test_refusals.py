"""Every refusal is in the list that readers review."""

import re
from functools import cache
from itertools import chain

from tests.sentences.collect import ROOT
from tests.sentences.refusals import FROM_PARTS, find_templates, read_list


@cache
def templates() -> dict[str, re.Pattern[str]]:
    """Return the words of every refusal as a pattern, by their place."""
    return {
        f"{path.relative_to(ROOT).as_posix()}:{line}": re.compile(pattern)
        for room in ("engine", "bot")
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, _, pattern in find_templates(path)
    }


MAX_UNMET = 0
"""Refusals that no test meets so far; only ever fewer."""


def test_each_refusal_is_listed_with_an_example() -> None:
    listed = list(chain.from_iterable(read_list().values()))
    missing = [place for place, words in templates().items() if not any(map(words.match, listed))]
    assert len(missing) <= MAX_UNMET, ("make refusals", missing)


def test_each_listed_refusal_is_still_in_the_code() -> None:
    listed = [each for each in chain.from_iterable(read_list().values()) if not each.startswith(FROM_PARTS)]
    assert [each for each in listed if not any(words.match(each) for words in templates().values())] == [], (
        "make refusals"
    )
