"""The rules a table of 1860 plays by: edition, map, variants.

The lobby's options are turned once into a record of plain switches, so that
the step files ask one question in one word and never know an option's name.
"""

from engine.errors import RuleError
from engine.record import Record
from engine.setup import LobbyOption, Setup, choose_options
from engine.titles.g1860.rulebook import rule

OPTIONS: tuple[LobbyOption, ...] = (
    LobbyOption(
        "edition",
        "Edition",
        "Second edition (2009), or the first, whose trains may not skip small stations.",
        (("second", "second edition"), ("first", "first edition, original map only")),
    ),
    LobbyOption(
        "map",
        "Map",
        "Extended with Totland (best for 3-4), or the original side of the board (best for 2-3).",
        (("extended", "extended map"), ("original", "original map")),
    ),
    LobbyOption(
        "treasuries",
        "Treasuries",
        "Open to all, which whoever joins agrees to, or shown to shareholders only (10.4, 12.11).",
        (("open", "open treasuries"), ("hidden", "shown to shareholders only")),
        hides=(("hidden", "the treasuries"),),
    ),
    LobbyOption("two_7_4", "Two 7+4 trains", "Two 7+4 trains instead of one, for newcomers (12.1)."),
    LobbyOption("no_train_limit", "No train limit", "Companies may own any number of trains (12.2)."),
    LobbyOption(
        "original_game", "Original game", "Original map, and small stations may not be skipped; halts may (12.3)."
    ),
    LobbyOption("no_skip_towns", "No skipping", "Trains may not skip small stations, on either map (11.2)."),
    LobbyOption(
        "insolvency",
        "Leased trains",
        "What an insolvent company earns: 40 + 20 a stop, half of a normal run (12.4), or the card's figure (12.5).",
        (("standard", "40 + 20 a stop"), ("original", "half of a normal run"), ("simplified", "figure on the card")),
    ),
    LobbyOption("any_order", "Any order", "Companies may start out of their layers (12.6)."),
    LobbyOption("full_price", "Full price before operating", "Shares of companies that never ran sell in full (12.7)."),
    LobbyOption("destinations", "Destinations", "A bonus for the first run from home to a destination (12.8)."),
    LobbyOption(
        "variable_privates",
        "Variable private revenue",
        "Privates change their revenue, are never sold or exchanged, and Fishbourne closes none (12.9; first edition).",
    ),
    LobbyOption(
        "accelerated_track", "Accelerated track", "A yellow tile and an upgrade in one turn (12.10; first edition)."
    ),
    LobbyOption("re_enter", "Re-enter hexes", "A run may enter a hex twice, on other track (12.12; 18xx.games)."),
    LobbyOption(
        "priority_tie",
        "Tie for the first deal",
        "Equal cash after the auction: the lowest privates of all players, or of those tied only (2.8).",
        (("all", "the lowest privates of all players"), ("tied", "those of the tied players only")),
    ),
    LobbyOption(
        "waiting_companies",
        "Unfloated companies",
        "Whether a company with a director that has not floated holds up nationalisation (9.3).",
        (("block", "hold up nationalisation"), ("ignore", "do not hold up nationalisation")),
    ),
)


class Rules(Record, frozen=True):
    """What this table plays by, as switches.

    Args:
        exchange_after_flotation: a private of a bankrupt company is exchanged once the company has floated again (3.5).
        yarmouth_by_one_train: Yarmouth Harbour pays more once one train has run from there to Newport; else
            several joined runs will do (12.9).
        receiverships_leave_idle: in receivership the runs are exact, and the smallest trains stay idle where an
            exact search would take too long; else they are the best found (7.7).
    """

    map: str
    open_treasuries: bool
    skip_towns: bool
    two_7_4: bool
    train_limit: bool
    insolvency: str
    any_order: bool
    full_price: bool
    destinations: bool
    variable_privates: bool
    accelerated_track: bool
    re_enter: bool
    tie_of_all: bool
    waiting_block: bool
    exchange_after_flotation: bool
    yarmouth_by_one_train: bool
    receiverships_leave_idle: bool
    site: bool = False


def read_options(setup: Setup) -> Rules:
    """Return the switches of a table.

    Raises:
        RuleError: an option or value is unknown, or two of them forbid each other (12.13).
    """
    chosen = choose_options(OPTIONS, setup.options, "1860", rule("12.13"))
    on = {name for name, value in chosen.items() if value == "on"}
    by_0_1 = setup.rules == 2
    first, original = chosen["edition"] == "first", "original_game" in on
    if (first or original) and setup.options.get("map") == "extended":
        what = "The first edition" if first else "The original game"
        raise RuleError(f"{what} is played on the original map; choose map original.", rule("12.13"))
    return Rules(
        map="original" if first or original else chosen["map"],
        open_treasuries=chosen["treasuries"] == "open",
        skip_towns=not (first or original or "no_skip_towns" in on),
        two_7_4="two_7_4" in on,
        train_limit="no_train_limit" not in on,
        insolvency=chosen["insolvency"],
        any_order="any_order" in on,
        full_price="full_price" in on,
        destinations="destinations" in on,
        variable_privates="variable_privates" in on,
        accelerated_track="accelerated_track" in on,
        re_enter="re_enter" in on,
        tie_of_all=chosen["priority_tie"] == "all",
        waiting_block=chosen["waiting_companies"] == "block",
        exchange_after_flotation=setup.rules >= 4,
        yarmouth_by_one_train=not by_0_1,
        receiverships_leave_idle=by_0_1,
    )
