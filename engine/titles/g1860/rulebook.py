"""Where each rule of 1860 stands: our section numbers with the rulebook's headings."""

from functools import cache

from engine.record import Rule

HEADINGS = {
    "1": "Setting up the game",
    "2": "Private companies and the initial auction",
    "3": "Private companies",
    "4": "Stock rounds",
    "5": "Flotation and capitalisation",
    "6": "Operating rounds",
    "6A": "Track tiles",
    "6B": "Building bases",
    "6C": "Running trains",
    "6D": "Dividends and the share price",
    "6E": "Buying trains",
    "7": "Insolvency and receivership",
    "8": "Bankrupt companies",
    "9": "Southern Railway and nationalisation",
    "10": "The end of the game",
    "11": "First edition",
    "12": "Optional rules",
}

_PARTS = ((12, "6A"), (16, "6B"), (26, "6C"), (31, "6D"), (37, "6E"))


@cache
def rule(section: str) -> Rule:
    """Return the rule of a numbered paragraph, such as ``"4.12"``."""
    chapter, _, paragraph = section.partition(".")
    if chapter == "6" and paragraph:
        chapter = next(part for last, part in _PARTS if int(paragraph) <= last)
    return Rule("1860", section, HEADINGS[chapter])
