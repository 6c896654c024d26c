"""The rules a table of 1860 plays by: edition, map, variants.

The lobby's options are turned once into a record of plain switches, so that
the step files ask one question in one word and never know an option's name.
"""

from engine.errors import RuleError
from engine.record import Record
from engine.setup import ADVICE, LobbyOption, Setup, choose_options
from engine.titles.g1860.catalogue import rule

OPTIONS: tuple[LobbyOption, ...] = (
    LobbyOption(
        "edition",
        "Edition",
        "Second edition (2009), or the first, whose trains can't skip small stations.",
        (("second", "second edition"), ("first", "first edition, original map only")),
    ),
    LobbyOption(
        "map",
        "Map",
        "Extended with Totland (best for 3–4), or the original side of the board (best for 2–3).",
        (("extended", "extended map"), ("original", "original map")),
    ),
    LobbyOption(
        "treasuries",
        "Treasuries",
        "Open to everyone (players agree by joining), or visible to shareholders only.",
        (("open", "open treasuries"), ("hidden", "shown to shareholders only")),
        hides=(("hidden", "the treasuries"),),
    ),
    LobbyOption("two_7_4", "Two 7+4 trains", "Two 7+4 trains instead of one, for newcomers."),
    LobbyOption("no_train_limit", "No train limit", "Companies can own any number of trains."),
    LobbyOption("original_game", "Original game", "Original map, and small stations can't be skipped; halts can."),
    LobbyOption("no_skip_towns", "No skipping", "Trains can't skip small stations, on either map."),
    LobbyOption(
        "insolvency",
        "Leased trains",
        "An insolvent company earns 40 + 20 a stop, half of a normal run, or the card's figure.",
        (("standard", "40 + 20 a stop"), ("original", "half of a normal run"), ("simplified", "figure on the card")),
    ),
    LobbyOption("any_order", "Any order", "Companies can start in any order."),
    LobbyOption("full_price", "Full price before operating", "Shares of companies yet to operate sell at full price."),
    LobbyOption("destinations", "Destinations", "A bonus for the first run from home to a destination."),
    LobbyOption(
        "variable_privates",
        "Variable private revenue",
        "The revenue of privates changes, they can't be sold or exchanged, and Fishbourne closes none (first edition).",
    ),
    LobbyOption("accelerated_track", "Accelerated track", "A yellow tile and an upgrade in one turn (first edition)."),
    LobbyOption("re_enter", "Re-enter hexes", "A run can enter a hex twice, on other track."),
    LobbyOption(
        "priority_tie",
        "Tie for the first deal",
        "If cash is equal after the auction, the lowest privates decide: among all players, or among those tied.",
        (("all", "the lowest privates of all players"), ("tied", "those of the tied players only")),
    ),
    LobbyOption(
        "waiting_companies",
        "Unfloated companies",
        "Whether an unfloated company that has a director holds up nationalisation.",
        (("block", "hold up nationalisation"), ("ignore", "don't hold up nationalisation")),
    ),
    ADVICE,
)


class Rules(Record, frozen=True):
    """What this table plays by, as switches.

    Args:
        exchange_after_flotation: a private of a bankrupt company is exchanged once the company has floated again; else
            as soon as it has a par again (Exchanging Private Companies).
        exchange_waits_for_home: where a private may be exchanged at any time, a home tile that must be laid comes
            first; else not (Flotation & Capitalisation).
        yarmouth_by_one_train: Yarmouth Harbour pays more once one train has run from there to Newport; else
            several joined runs will do (Variant: Variable revenue for private companies).
        receiverships_leave_idle: in receivership the runs are exact, and the smallest trains stay idle where an
            exact search would take too long; else they are the best found (Companies In Receivership).
        poor_bidders_passed_over: a player who cannot make the least bid is not asked; else he must pass.
        sold_privates_bought_back: the seller of a private may buy it back in the same stock round.
        exchange_in_own_turn: a private is exchanged in its owner's turn; else at any time of a stock round.
        turn_goes_on_for_exchange_only: after its purchase a turn goes on while an exchange is possible that the
            purchase opened; else from phase 6 on, until a pass, after the purchase of a private that is linked to a
            railway, or of the director's certificate of a railway whose private the player has.
        asked_for_starts_only_if_possible: only a player who may buy a director's certificate is waited for because of
            one; else any with twice the lowest par, whatever layer is open (Buying and Selling Shares).
        asked_for_exchanges: a player with nothing but a private to give up is waited for (Buying and Selling Shares).
        asked_for_privates_only_if_affordable: only a player who can pay for a private of the bank is waited for
            because of it; else any with cash (Buying and Selling Shares).
        director_certificate_stays_in_pool: the director's certificate is not sold from the pool; else a holder of
            one share buys it for that share and the price of another (Companies In Receivership).
        marker_placed_on_flotation: the marker comes on the market when the company floats; else with its par.
        unfitting_home_tile_skipped: a home tile that fits nowhere is skipped for good; else its director passes, and
            is asked again if the company goes bankrupt and floats once more (Flotation & Capitalisation).
        asked_for_track_only_if_possible: a company that can lay nothing is not asked; else it must pass (Laying Track).
        any_train_reaches_upgrades: any train of the company may be the one that reaches an upgrade; else only the
            largest is looked at (Upgrading Track).
        upgrades_reached_without_re_entry: the way to an upgrade enters no hex twice; else it may, also where runs
            may not (Upgrading Track).
        towns_take_city_places: a train reaches an upgrade by one way that it could run, on which towns may take the
            places of cities; else its first number need only cover the fewest cities of any way, its second the
            fewest towns, and it must get to a station of the new tile, if there is one.
        upgrade_raises_station: an upgrade without new track must make a station dearer that a train can use; else
            bringing a station within a train's reach is enough (Upgrading Track).
        run_ends_counted: both ends of a run must be counted (Running Trains).
        run_joins_counted: the stop where runs meet must be counted by both (Running Trains).
        all_trains_run: every train that can run must; else one is enough (Running Trains).
        lease_half_rounded_up: half a run of a leased train is rounded up to 10; else down to 1.
        simplified_lease_pays_card: the variant of simplified leases pays the figure of the card; else it changes
            nothing (Variant: Simplified Insolvency Revenue).
        paid_marker_goes_under: a marker that a dividend leaves in its space goes under the others there.
        operated_after_turn: a company counts as having operated from the end of its turn; else from its dividend
           .
        exact_price_must_buy: a company without a train must buy with exactly the price, too (Insolvency).
        insolvent_until_it_buys: an insolvent company with money for a train stays insolvent until it buys; else its
            insolvency ends at its run step (Insolvency).
        insolvency_ends_with_train: insolvency ends as soon as the company has a train; else with its turn (Insolvency).
        receiverships_run_by_rule: in receivership a company acts unasked; else any player says what it does.
        nationalised_run_by_rule: after nationalisation companies run for the most unasked; else their directors
            choose (Railway Nationalisation, and the creation of British Rail).
        nationalised_receiverships_idle: after nationalisation a company in receivership runs nothing.
        nationalisation_stops_building: building stops with nationalisation; else with the next stock round.
        bankruptcy_ends_insolvency: a company that goes bankrupt is insolvent no longer (Bankrupt Companies).
        private_income_breaks_bank: the bank can run out by what it pays for privates (The End of the Game).
        hundredth_round_ends_game: the game ends with the hundredth stock round, wherever it stands (10).
        shares_halved_one_by_one: at the end half the price of a share is rounded down for each share; else for each
            certificate (The End of the Game).
        full_price_in_score: where companies that never operated sell in full, they also score in full.
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
    exchange_waits_for_home: bool
    yarmouth_by_one_train: bool
    receiverships_leave_idle: bool
    poor_bidders_passed_over: bool = True
    sold_privates_bought_back: bool = True
    exchange_in_own_turn: bool = True
    turn_goes_on_for_exchange_only: bool = True
    asked_for_starts_only_if_possible: bool = True
    asked_for_exchanges: bool = True
    asked_for_privates_only_if_affordable: bool = True
    director_certificate_stays_in_pool: bool = True
    marker_placed_on_flotation: bool = True
    unfitting_home_tile_skipped: bool = True
    asked_for_track_only_if_possible: bool = True
    any_train_reaches_upgrades: bool = True
    upgrades_reached_without_re_entry: bool = True
    towns_take_city_places: bool = True
    upgrade_raises_station: bool = True
    run_ends_counted: bool = True
    run_joins_counted: bool = True
    all_trains_run: bool = True
    lease_half_rounded_up: bool = True
    simplified_lease_pays_card: bool = True
    paid_marker_goes_under: bool = True
    operated_after_turn: bool = True
    exact_price_must_buy: bool = True
    insolvent_until_it_buys: bool = True
    insolvency_ends_with_train: bool = True
    receiverships_run_by_rule: bool = True
    nationalised_run_by_rule: bool = True
    nationalised_receiverships_idle: bool = True
    nationalisation_stops_building: bool = True
    bankruptcy_ends_insolvency: bool = True
    private_income_breaks_bank: bool = True
    hundredth_round_ends_game: bool = False
    shares_halved_one_by_one: bool = True
    full_price_in_score: bool = False


def read_options(setup: Setup) -> Rules:
    """Return the switches of a table.

    Raises:
        RuleError: an option or value is unknown, or two of them forbid each other (Optional Rules).
    """
    chosen = choose_options(OPTIONS, setup.options, "1860")
    on = {name for name, value in chosen.items() if value == "on"}
    by_0_1 = setup.rules == 2
    first, original = chosen["edition"] == "first", "original_game" in on
    if (first or original) and setup.options.get("map") == "extended":
        what = "The first edition" if first else "The original game"
        cited = rule("The Map", edition="first") if first else rule("Playing the Original Game")
        raise RuleError(f"{what} is played on the original map; choose the original map.", cited)
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
        exchange_waits_for_home=setup.rules >= 4,
        yarmouth_by_one_train=not by_0_1,
        receiverships_leave_idle=by_0_1,
    )
