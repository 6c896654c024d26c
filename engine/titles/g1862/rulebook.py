"""Where each rule of 1862 stands: our section numbers with the rulebook's headings."""

from functools import cache

from engine.record import Rule

HEADINGS = {
    "1": "Setting up the game",
    "2": "Available companies",
    "3": "Parliament rounds",
    "4": "Obligations",
    "5": "Stock rounds",
    "6": "Share price movement",
    "7": "The director",
    "8": "Operating order",
    "9": "The first operating turn",
    "10": "Routes",
    "11": "Building track",
    "12": "Station markers",
    "13": "Mergers and acquisitions",
    "14": "Merging shares",
    "15": "Running trains",
    "16": "Dividends",
    "17": "Buying trains",
    "18": "Forced train purchase",
    "19": "Bankruptcy",
    "20": "Receivership",
    "21": "Redeeming shares",
    "22": "The end of the game",
    "23": "Variants",
}


@cache
def rule(section: str) -> Rule:
    """Return the rule of a numbered paragraph, such as ``"4.1"``."""
    return Rule("1862", section, HEADINGS[section.partition(".")[0]])
