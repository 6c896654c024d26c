"""Counts and lists as English has them."""

from collections.abc import Sequence


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return "1 base", "3 bases", "no base"; ``plural`` where it is no plain s."""
    if not number:
        return f"no {noun}"
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return "C&N", "C&N and IOW", "C&N, IOW and FYN"."""
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def nth(number: int) -> str:
    """Return "1st", "2nd", "11th"."""
    return f"{number}{'th' if 10 < number % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
