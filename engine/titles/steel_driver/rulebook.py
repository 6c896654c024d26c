"""The paragraphs that refusals cite.

Their text lies in ``data/rules.toml``; the numbers are ours. Where the printed
rules leave something open, the paragraph says which reading the program
takes, or names the lobby option.
"""

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
