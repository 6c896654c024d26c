"""What a table chose in the lobby, the switches that the rules ask, and the headings of the printed rules."""

from collections.abc import Mapping

from engine.record import Record, Rule
from engine.setup import ADVICE, LobbyOption, may_advise

BOOK = "Steel Driver"
THE_BOARD = Rule(BOOK, "The Board")
GAME_PLAY = Rule(BOOK, "Game Play")
TAKING_CUBES = Rule(BOOK, "Phase 1: Take Investment Cubes")
AUCTIONS = Rule(BOOK, "Phase 2: Auction Control Markers")
BUILDING = Rule(BOOK, "Phase 3: Build Track")
FINAL = Rule(BOOK, "Final Profit Determination")
"""The headings of the rulebook, which has no numbers, that refusals cite."""

SEATS = (3, 6)

OPTIONS = (
    LobbyOption(
        "board",
        "Board",
        "The included board is a reconstruction: the printed values, routes and costs aren't published. "
        "A group that owns the game can put its own file into the folder boards, beside the database.",
        (("shipped", "a reconstruction, not the printed one"),),
        "boards/*.toml",
    ),
    LobbyOption(
        "first",
        "First holder of the marker",
        "The player who starts with the Active Player marker; in the rulebook, the youngest.",
        (("drawn", "drawn by lot"), ("host", "the player in the first seat")),
    ),
    LobbyOption(
        "line",
        "Ties for the transcontinental link",
        "The links that count when two lines need equally few companies.",
        (("all", "all links of the line"), ("differing", "only links of companies not common to all such lines")),
    ),
    LobbyOption(
        "claims",
        "Order of claiming goods",
        "The order from turn 5 in which companies claim goods cubes.",
        (("passed", "the order in which companies passed"), ("played", "the order in which turn 5 was played")),
    ),
    LobbyOption(
        "tie",
        "Ties for the win",
        "The goods cubes that decide between players with equal cash.",
        (("total", "all cubes of the companies you control"), ("best", "the cubes of your best company")),
    ),
    ADVICE,
)


class Rules(Record, frozen=True):
    """What this table plays by, as switches.

    Args:
        all_links: ties between transcontinental paths count all links, not only those of the companies that differ.
        passed_order: goods are claimed in the order of passing in turn 5, not in the order it was played.
        total_cubes: a tie is broken by all cubes of the companies controlled, not by the best company.
        advice: the program may say what it thinks of moves.
    """

    all_links: bool
    passed_order: bool
    total_cubes: bool
    advice: bool = True


def read_options(chosen: Mapping[str, str]) -> Rules:
    """Return the switches for what a table chose, every option named."""
    return Rules(
        chosen["line"] == "all",
        chosen["claims"] == "passed",
        chosen["tie"] == "total",
        may_advise(chosen, private=True),
    )
