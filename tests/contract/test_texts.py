"""The walk: every text of every title along whole games reads like English, with names, counts and currency right."""

import re
from collections.abc import Iterator

import pytest

from tests.playthroughs.texts import texts

GAMES = ("1860-3", "1860-insolvency-original", "1862-3", "1862-length-short", "steel_driver-4")
EVERY, LOOKS = 13, 150
_S_WORDS = "pass|ends|begins|is|has|was|does|goes|passes|less|as|its|this|pays|costs|trains? rusts|links? are|us|plus"
FAULTS = {
    "a code name": re.compile(r"[a-z]+_[a-z_]+|\b[A-Z]+_[A-Z]+\b"),
    "a place-holder": re.compile(r"[{}]|\bNone\b|\bTrue\b|\bFalse\b|%s"),
    "a plural of one": re.compile(rf"(?<![\d.,+/–×£$-])\b1 (?!(?:{_S_WORDS})\b)[a-z]+(?:s|ies)\b"),
    "a singular of many": re.compile(
        r"(?<![\d.,+/–×£$(-])\b(?:[2-9]|[1-9]\d+) (?:base|share|marker|train|cube|link|pass|stop|certificate)\b(?! of)"
    ),
    "money without its sign": re.compile(
        r"\b(?:price|par|cash|bids|worth|falls from|rises from|pays|dividend of|treasury of) \d"
    ),
    "a double blank or stop": re.compile(r"\S  +\S|\.\.(?!\.)| [,.;:](?!\d)|\( | \)"),
}
SIGNS_ONLY = {"view table", "view company", "view boxes", "view order", "view parliament", "view player", "view lots"}
"""Sheets, whose columns have their headings: a figure there may stand alone, and a mark too."""


def faults(title: str, where: str, text: str) -> Iterator[str]:
    """Yield what is wrong with a text."""
    if not text and re.fullmatch(r"label \w+ ", where):
        yield f"no words for the whole of {where}"
    for fault, pattern in FAULTS.items():
        if fault == "money without its sign" and (title == "steel_driver" or where in SIGNS_ONLY):
            continue
        found = pattern.search(text)
        if found:
            yield f"{fault}, {found[0]!r} in {where}: {text[:160]}"


@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_a_game_reads_like_english(game: str) -> None:
    found: dict[str, None] = {}
    seen: set[tuple[str, str]] = set()
    title = game.rsplit("-", 1)[0] if game.startswith("steel") else game.split("-", maxsplit=1)[0]
    for where, text in texts(game, EVERY, LOOKS):
        if (where, text) not in seen:
            seen.add((where, text))
            found.update(dict.fromkeys(faults(title, where, text)))
    assert len(seen) > 500
    assert not found, "\n".join([*found][:25])


@pytest.mark.parametrize(
    "text",
    [
        "1 bases left",
        "Add up to 1 shares",
        "It is over: stock_market.",
        "{0} bids",
        "price 74",
        "3 share",
        "a  b",
    ],
)
def test_the_walk_finds_every_wanted_situation(text: str) -> None:
    assert list(faults("1860", "line", text))
