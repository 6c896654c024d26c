"""The rules in our own words, for searching, and the paragraphs that refusals cite.

The text lies in ``data/rules.md``; the numbers are ours. Where the printed
rules leave something open, the paragraph says which reading the program
takes, or names the lobby option.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from engine.record import Rule

BOOK = "Steel Driver"

SETUP = Rule(BOOK, "1.1", "Set-up")
TURNS = Rule(BOOK, "2.1", "Turn outline")
OPENING = Rule(BOOK, "4.2", "Auctions")
BIDDING = Rule(BOOK, "4.3", "Auctions")
ONCE_A_TURN = Rule(BOOK, "4.4", "Auctions")
BUILDING = Rule(BOOK, "5.2", "Building track")
COST = Rule(BOOK, "5.3", "Building track")
ORIGIN = Rule(BOOK, "5.4", "Building track")
ONE_LINK_A_ROUTE = Rule(BOOK, "5.7", "Building track")
CLAIMING = Rule(BOOK, "9.4", "Final determination")

_PARAGRAPH = re.compile(r"(\d+\.\d+) (.+)", re.DOTALL)


@cache
def rules() -> Sequence[tuple[str, str, str]]:
    """Return (section, heading, text) of every paragraph, in order."""
    found: list[tuple[str, str, str]] = []
    heading = ""
    for block in files(__package__).joinpath("data/rules.md").read_text("utf-8").split("\n\n"):
        if block.startswith("## "):
            heading = block[3:].strip()
        elif paragraph := _PARAGRAPH.match(block):
            found.append((paragraph[1], heading, " ".join(paragraph[2].split())))
    return tuple(found)
