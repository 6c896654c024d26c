"""The headings of Steel Driver's rulebook that refusals cite.

What stands there lies in ``data/rules.toml`` in our own words. Where the
printed rules leave something open, a paragraph says which reading the program
takes, or names the lobby option.
"""

from engine.record import Rule

BOOK = "Steel Driver"

THE_BOARD = Rule(BOOK, "The Board")
GAME_PLAY = Rule(BOOK, "Game Play")
TAKING_CUBES = Rule(BOOK, "Phase 1: Take Investment Cubes")
AUCTIONS = Rule(BOOK, "Phase 2: Auction Control Markers")
BUILDING = Rule(BOOK, "Phase 3: Build Track")
FINAL = Rule(BOOK, "Final Profit Determination")
