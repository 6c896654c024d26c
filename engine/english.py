"""Counts and lists as English has them."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return "1 base", "3 bases", "no base"; ``plural`` where it is no plain s."""
    if not number:
        return f"no {noun}"
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def one(name: str) -> str:
    """Return a name after its article: "a 4+2", "an 8+4"."""
    figures = re.match(r"\d+", name)
    vowel = figures[0] in ("11", "18") or figures[0].startswith("8") if figures else name[:1].lower() in "aeiou"
    return f"{'an' if vowel else 'a'} {name}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return "C&N", "C&N and IOW", "C&N, IOW and FYN"."""
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def once(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return sentences; one that comes several times in a row stands once, "Ann swaps 10 %, 4 times"."""
    alike = [(sentence, len([*same])) for sentence, same in groupby(sentences)]
    return tuple(told if times == 1 or not told else f"{told.rstrip('.')}, {times} times." for told, times in alike)


def nth(number: int) -> str:
    """Return "1st", "2nd", "11th"."""
    return f"{number}{'th' if 10 < number % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
