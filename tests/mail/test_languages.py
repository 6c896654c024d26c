"""Replies in many languages: clear ones are played, and what is doubted, denied or put off is asked back."""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.mail.test_clauses import read

ROWS = defaultdict[str, list[tuple[str, str, str]]](list)
for line in (Path(__file__).parent / "languages.txt").read_text("utf-8").splitlines():
    if line and not line.startswith("#"):
        head, text = line.split(" | ", maxsplit=1)
        language, letter, meant = head.split(maxsplit=2)
        ROWS[language].append((letter, meant, text))


def is_as_meant(meant: str, text: str, orders: str) -> bool:
    """Return whether orders are what a reply means; what stays as it was written, the desk refuses."""
    if meant == "?":
        return orders.casefold() in ("", text.casefold())
    return orders.casefold() in meant.casefold().split(" / ")


@pytest.mark.parametrize("language", ROWS)
def test_replies_in_this_language_are_read_or_asked_back(language: str) -> None:
    read_so = [(meant, text, read(letter, text)) for letter, meant, text in ROWS[language]]
    assert [each for each in read_so if not is_as_meant(*each)] == []
