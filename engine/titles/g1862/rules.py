"""The rules a table of 1862 plays by: length, variants.

The lobby's options are turned once into a record of plain switches, so that
the step files ask one question in one word and never know an option's name.
"""

from collections.abc import Mapping

from engine.errors import RuleError
from engine.record import Record
from engine.setup import LobbyOption, Setup, choose_options
from engine.titles.g1862.catalogue import KINDS, Kind
from engine.titles.g1862.rulebook import rule

FEW_FOR_SHORT = 4
"""With more players the shorter game has the trains of the standard one (23.2)."""

OPTIONS: tuple[LobbyOption, ...] = (
    LobbyOption(
        "length",
        "Length",
        "How many trains there are, and so how long the game is (1.4).",
        (("standard", "standard"), ("short", "short, fewer trains"), ("long", "long, more trains")),
    ),
    LobbyOption(
        "trains",
        "Types of train",
        "All three, or one (simple, without permits) or two of them (23.1).",
        (
            ("all", "Freight, Local and Express"),
            ("simple_express", "simple: Express only"),
            ("simple_freight", "simple: Freight only"),
            ("advanced_freight", "advanced: Freight and Local"),
            ("advanced_express", "advanced: Express and Local"),
        ),
    ),
    LobbyOption("shorter", "Shorter game", "The first E train brings the LNER, D trains never rust (23.2)."),
    LobbyOption(
        "new_players",
        "For new players",
        "Express only, or Freight only if chosen; starts in Parliament only, no redeeming, warranties, Hudson (23.3).",
    ),
    LobbyOption("eight_markers", "Eight markers", "Companies may have eight station markers instead of seven (23.4)."),
    LobbyOption(
        "home_first",
        "Home first",
        "The first turn's track must make room for the home marker, as in the second edition (9.3, 23.5).",
        (("on", "on"), ("off", "off")),
    ),
    LobbyOption(
        "extra_companies",
        "Extra companies",
        "One more company at the start with seven players, two with eight (1.3).",
        (("on", "on"), ("off", "off")),
    ),
    LobbyOption(
        "failed_charter",
        "Failed charters",
        "When a company that did not float may be started again: in the next stock round, or Parliament too (4.3).",
        (("stock", "from the next stock round"), ("parliament", "from the next Parliament")),
    ),
)
_TYPES: dict[str, tuple[Kind, ...]] = {
    "all": KINDS,
    "simple_express": ("express",),
    "simple_freight": ("freight",),
    "advanced_freight": ("freight", "local"),
    "advanced_express": ("express", "local"),
}


class Rules(Record, frozen=True):
    """What this table plays by, as switches; ``types`` are the trains there are, ``simple`` if but one.

    With ``every_step`` a step without a choice waits for its pass, as in the files of 18xx.games; no table asks for it.

    Args:
        forced_sales_in_one_block: a player who must sell more of a company goes on with the same block; else each
            sale is a block of its own (5.4).
        excess_waits_for_next_turn: a player whom a sale took above the certificate limit sells down to it at the
            start of the next turn; else this turn cannot end before (5.2).
        forced_sales_go_on: a player who must sell does so until the fine is paid or the limit is kept, also of a
            company just sold; else one block of each company, and above the limit one block will do (4.1, 5.2).
        lost_room_is_taken: a home marker that waits for an upgrade nobody can make takes a place at once; else
            it waits for ever (9.1).
        payments_are_watched: the bank has run out as soon as it cannot make a payment; else subsidies, and what a
            bankruptcy pays, are looked at when the turn's dividend or the bankruptcy is settled (22.1).
    """

    length: str
    types: tuple[Kind, ...]
    shorter: bool
    new_players: bool
    markers: int
    home_first: bool
    extra_companies: bool
    failed_in_parliament: bool
    forced_sales_go_on: bool
    lost_room_is_taken: bool
    payments_are_watched: bool
    forced_sales_in_one_block: bool = True
    excess_waits_for_next_turn: bool = True
    site: bool = False
    every_step: bool = False

    @property
    def simple(self) -> bool:
        """One type of train, and no permits (23.1)."""
        return len(self.types) == 1

    @property
    def last_band(self) -> str:
        """The band whose first train brings the LNER (22.2, 23.2)."""
        return "E" if self.shorter else "H"


class EveryStep(Rules, frozen=True):
    """Rules under which every step waits, for files.

    ``routed`` are the companies that had track to run on once: 18xx.games never forgets them.
    """

    routed: set[str] = set()


def read_options(setup: Setup) -> Rules:
    """Return the switches of a table.

    Raises:
        RuleError: an option or value is unknown, or two of them forbid each other (23).
    """
    chosen = choose_options(OPTIONS, setup.options, "1862", rule("23"))
    if chosen["new_players"] == "on" and "trains" not in setup.options:
        chosen["trains"] = "simple_express"
    _agree(setup.options, chosen)
    since_0_3 = setup.rules >= 4
    by_0_1 = setup.rules == 2
    shorter = chosen["shorter"] == "on"
    if shorter:
        chosen["length"] = "short" if setup.seats <= FEW_FOR_SHORT else "standard"
    return Rules(
        length=chosen["length"],
        types=_TYPES[chosen["trains"]],
        shorter=shorter,
        new_players=chosen["new_players"] == "on",
        markers=8 if chosen["eight_markers"] == "on" else 7,
        home_first=chosen["home_first"] == "on",
        extra_companies=chosen["extra_companies"] == "on",
        failed_in_parliament=chosen["failed_charter"] == "parliament",
        forced_sales_in_one_block=since_0_3,
        excess_waits_for_next_turn=since_0_3,
        forced_sales_go_on=not by_0_1,
        lost_room_is_taken=not by_0_1,
        payments_are_watched=not by_0_1,
    )


def _agree(given: Mapping[str, str], chosen: Mapping[str, str]) -> None:
    """Refuse options that forbid each other."""
    if chosen["new_players"] == "on" and not chosen["trains"].startswith("simple"):
        raise RuleError("The game for new players needs one type of train; choose a simple game.", rule("23.3"))
    if chosen["shorter"] == "on" and "length" in given:
        raise RuleError("The shorter game fixes the number of trains; leave the length open.", rule("23.2"))
