"""The headings and section numbers of the printed rulebooks, and the situations and differences that tests name."""


def _number_sections(*lengths: int) -> list[str]:
    return [f"{chapter}.{number}" for chapter, last in enumerate(lengths, 1) for number in range(last + 1)]


BOOKS = {
    "1862": {
        "§" + section
        for section in (
            *_number_sections(0, 5, 2, 3, 2, 6, 14, 0, 0, 4, 4, 0, 0),
            *(f"2.4.{number}" for number in range(1, 5)),
            *(f"5.1.{number}" for number in range(1, 4)),
            *(f"5.2.{number}" for number in range(1, 8)),
            *("6.4.1", "6.4.2", "6.5.1", "6.5.2", "6.5.3", "6.5.4", "6.5.4.1", "6.5.4.2", "6.5.4.3"),
            *(f"7.5.{number}" for number in range(1, 8)),
            *(f"7.6.{number}" for number in range(1, 6)),
            *(f"7.8.{number}" for number in range(1, 7)),
            *("7.10.1", "7.11.1", "7.11.2"),
        )
    },
    "1860": {
        "Introduction",
        "Historical Note",
        "Components",
        "The ‘18xx’ series",
        "The second edition",
        "The Map",
        "Setting up the Game",
        "Starting Money",
        "Private Companies and the Initial Auction",
        "The Fishbourne Ferry Company",
        "Selling Private Companies",
        "Exchanging Private Companies",
        "Major Companies",
        "Company Tokens",
        "Company Charters",
        "Game Overview",
        "Phases",
        "The End of the Game",
        "Stock Rounds",
        "Buying and Selling Shares",
        "Share Price Movement",
        "Certificate Limit",
        "Flotation & Capitalisation",
        "Flotation Capital",
        "Operating Rounds",
        "Private companies",
        "Operating Public Companies",
        "Track Tiles",
        "Special rules for tile placement",
        "Laying Track",
        "Upgrading Track",
        "Building Bases",
        "Running Trains",
        "Dividends and the Share Price",
        "Buying Trains",
        "Insolvency",
        "Companies In Receivership",
        "Formation of the Southern Railway",
        "Railway Nationalisation, and the creation of British Rail",
        "Bankrupt Companies",
        "Miscellaneous",
        "Optional Rules",
        "Playing the Original Game",
        "Variant: Original Insolvency Revenue",
        "Variant: Simplified Insolvency Revenue",
        "Variant: Ignoring historical order of companies",
        "Variant: Selling shares in non-operating companies",
        "Variant: Destinations",
    },
    "Steel Driver": {
        "Object of the Game",
        "The Board",
        "Game Play",
        "Phase 1: Take Investment Cubes",
        "Phase 2: Auction Control Markers",
        "Phase 3: Build Track",
        "Transcontinental Link",
        "Phase 4: Take Profits",
        "Phase 5: End Of Turn",
        "End of the Game",
        "Final Profit Determination",
    },
}
"""What stands above the rules in the printed books; of 1860 in the second edition."""
BOOKS["1860 (first edition)"] = (
    BOOKS["1860"]
    - {"The second edition", "Starting Money", "Playing the Original Game", "Variant: Simplified Insolvency Revenue"}
) | {
    "Variant: Variable revenue for private companies",
    "Variant: Accelerated Track Development",
    "Acknowledgements",
    "Bibliography",
}
OURS = {"Table": {"undoing moves", "turns", "pictures", "lobby options", "imported games"}}
"""What no rulebook has: how this program keeps a table."""

SITUATIONS = {
    "g1860": [f"60-{number}" for number in range(1, 54)],
    "g1862": [*(f"62-{number}" for number in range(1, 68)), "62-31b"],
    "steel_driver": [f"SD-{number}" for number in range(1, 27)],
}
"""Situations that players disputed."""

DIFFERENCES_1862 = [*range(1, 17), *range(20, 31), *range(40, 48)]
"""Where 18xx.games plays 1862 otherwise than the rulebook: what changes the state (1-), what is looser (20-), stricter
(40-)."""
