"""The rules a table of 1862 plays by: length, variants.

The lobby's options are turned once into a record of plain switches, so that
the step files ask one question in one word and never know an option's name.
"""

from collections.abc import Mapping

from engine.errors import RuleError
from engine.record import Record
from engine.setup import ADVICE, LobbyOption, Setup, choose_options
from engine.titles.g1862.catalogue import KINDS, Kind, rule
from engine.titles.g1862.running.runs import RunRules

FEW_FOR_SHORT = 4
"""With more players the shorter game has the trains of the standard one (§11.2)."""

OPTIONS: tuple[LobbyOption, ...] = (
    LobbyOption(
        "length",
        "Length",
        "How many trains there are, and so how long the game is (§2.4.3).",
        (
            ("standard", "standard"),
            ("short", "short, fewer trains"),
            ("long", "long, more trains"),
            ("mixed", "mixed, fewer early and more late trains"),
        ),
    ),
    LobbyOption(
        "trains",
        "Types of train",
        "All three, or one (simple, without permits) or two of them (§11.1).",
        (
            ("all", "Freight, Local and Express"),
            ("simple_express", "simple: Express only"),
            ("simple_freight", "simple: Freight only"),
            ("advanced_freight", "advanced: Freight and Local"),
            ("advanced_express", "advanced: Express and Local"),
        ),
    ),
    LobbyOption("shorter", "Shorter game", "The first E train brings the LNER, D trains never rust (§11.2)."),
    LobbyOption(
        "new_players",
        "For new players",
        "Express only, or Freight only if chosen; starts only in Parliament, no redeeming, warranties, Hudson (§11.3).",
    ),
    LobbyOption("eight_markers", "Eight markers", "Companies can have eight station markers instead of seven (§11.4)."),
    LobbyOption(
        "home_first",
        "Home first",
        "The first turn's track must make room for the home marker, as in the second edition (§7.2, §13.0).",
        (("on", "on"), ("off", "off")),
    ),
    LobbyOption(
        "extra_companies",
        "Extra companies",
        "One more company at the start with seven players, two with eight (§2.4.2).",
        (("on", "on"), ("off", "off")),
    ),
    LobbyOption(
        "failed_charter",
        "Failed charters",
        "When a company that didn't float can be started again: in the next stock round, or Parliament too (§4.3).",
        (("stock", "from the next stock round"), ("parliament", "from the next Parliament")),
    ),
    LobbyOption(
        "train_sales",
        "Train sales",
        "Whether the other director must agree when a company buys another's train, or the buyer decides alone (§7.9).",
        (("agree", "the other director must agree"), ("buyer", "the buyer decides alone")),
    ),
    ADVICE,
)
_TYPES: dict[str, tuple[Kind, ...]] = {
    "all": KINDS,
    "simple_express": ("express",),
    "simple_freight": ("freight",),
    "advanced_freight": ("freight", "local"),
    "advanced_express": ("express", "local"),
}


class Rules(Record, frozen=True):
    """What this table plays by, as switches; those with a value here have the rulebook's.

    Args:
        types: the trains there are.
        runs: what a company may run.
        forced_sales_in_one_block: a player who must sell more of a company goes on with the same block; else each
            sale is a block of its own (§6.4).
        excess_sold_in_parts: a player above the certificate limit sells of a company several times in a turn where that
            is needed; else once, even if that is not enough (§6.5.2).
        excess_waits_for_next_turn: a player whom a sale took above the certificate limit sells down to it at the
            start of the next turn; else this turn cannot end before (§6.5.2).
        forced_sales_go_on: a player who must sell does so until the fine is paid or the limit is kept, also of a
            company just sold; else one block of each company, and above the limit one block will do (§4.3, §6.5.2).
        lost_room_is_taken: a home marker that waits for an upgrade that no one can make takes a place at once; else
            it waits for ever (§7.2).
        payments_are_watched: the bank has run out as soon as it cannot make a payment; else subsidies, and what a
            bankruptcy pays, are looked at when the turn's dividend or the bankruptcy is settled (§10.2).
        stated_prices_count: a sale that states the market price is paid in full without a train too (§6.4).
        stated_results_count: a run earns what is stated with it (§7.8).
        operating_restacks: a marker goes under the others of its space whenever its company has operated (§7.1).
        chartered_marker_waits: a chartered company's marker comes on the market when it floats; else when it starts
            (§6.5.4).
        late_treasury_sales_keep_price: treasury shares sold after the LNER lower no price; else they
            do, as before (§6.4.2).
        merger_may_end_game: a merger that brings the price to the top ends the game (§10.1).
        sold_shares_give_change: a director without a successor may sell if the shares that stay theirs can be given in
            ordinary certificates, their own and those in the pool together; else in those of one of the two (§6.3).
        parliament_adds_own_company: the winner of a charter can add shares of that company only; else of any company
            that has started (§4.2).
        certificate_scores_whole: without a train a director's certificate is halved as one (§10.4).
        fines_from_new_deal: the fines of a round go clockwise from the new priority deal; else from the old (§4.3).
        fines_taken_together: all fines are taken from cash first, and the debts of a player are one (§4.3).
        fines_spare_new_shares: shares bought in this round are not sold for a fine (§4.3).
        last_slot_gives_way: a home marker displaces the marker in the last slot, and an upgrade closes gaps between
            slots; else the marker placed last gives way (§7.2).
        home_upgrade_adds_slot: a company whose home is full can start if an upgrade gives the home another slot; else
            if any upgrade fits (§3.2).
        green_home_needs_n: a full green home can be upgraded for a home marker only if the tile that lies there has
            the letter N; else whenever an upgrade has another slot (§7.2).
        home_upgrade_first: the upgrade of a full home comes before a merger (§7.2).
        first_build_at_home: the first build serves the home; else any build will do, but every turn must have one
            while no tile lies there (§7.2).
        idle_builders_asked: a company that can build nothing is asked for its pass (§7.6).
        stations_on_turned_lines: a small station can be built on a line that the tile has when it is turned (§7.6.4).
        tiles_by_stations: each set of small stations has as many copies as its tile has (§7.6.4).
        mergers_need_consent: the other director is asked for a merger (§7.5.1).
        merged_charter_stays: a company has a charter still after a merger if both had one (§7.5.6).
        merged_receivership_runs: a company in receivership by a merger runs in that turn (§7.5).
        spare_option_rounds_up: an option that cannot be swapped brings half the price rounded up; else down (§5.2.4).
        receiverships_run_by_rule: a company in receivership runs its best; else the player acting for it picks (§8.0).
        receivership_limit_by_type: in the last phases a company in receivership may have three trains of each type;
            else three in all (§8.0).
        receivership_markers_chosen: the player who acts for a company that floats without a director chooses how many
            markers it takes; else it takes two (§6.5.4.2).
        eighth_marker_at_start: where eight markers are played, a company can buy all eight when it floats (§11.4).
        subsidy_with_dividend: the subsidy is paid with the dividend; else at once (§7.8.2).
        hudson_from: the least revenue with which a dividend can be topped up (§7.8.6).
        train_sales_need_consent: the other director is asked for a train (§7.9).
        own_trains_before_money: no money is raised while there is a train to buy that no other director must agree to
            sell (§7.11).
        money_raised_once: money is raised once in a turn (§7.11).
        odd_share_counts: half a price for an odd treasury share counts towards refinancing (§7.11.2).
        refinancing_keeps_train_money: a refinanced company must keep what its train costs beyond the new money
            (§7.11.2).
        only_way_asked: a director with one way to raise money is asked; else it is taken, and redeeming comes at once,
            before the train (§7.11).
        hundredth_parliament_ends: the game ends with its hundredth Parliament (§10.0).
    """

    length: str
    types: tuple[Kind, ...]
    shorter: bool
    new_players: bool
    markers: int
    home_first: bool
    extra_companies: bool
    failed_in_parliament: bool
    runs: RunRules = RunRules()
    forced_sales_go_on: bool = True
    lost_room_is_taken: bool = True
    payments_are_watched: bool = True
    forced_sales_in_one_block: bool = True
    excess_sold_in_parts: bool = True
    excess_waits_for_next_turn: bool = True
    parliament_adds_own_company: bool = True
    stated_prices_count: bool = False
    stated_results_count: bool = False
    operating_restacks: bool = True
    chartered_marker_waits: bool = True
    late_treasury_sales_keep_price: bool = True
    merger_may_end_game: bool = True
    sold_shares_give_change: bool = True
    certificate_scores_whole: bool = False
    fines_from_new_deal: bool = True
    fines_taken_together: bool = False
    fines_spare_new_shares: bool = True
    last_slot_gives_way: bool = False
    home_upgrade_adds_slot: bool = True
    green_home_needs_n: bool = False
    home_upgrade_first: bool = False
    first_build_at_home: bool = True
    idle_builders_asked: bool = False
    stations_on_turned_lines: bool = False
    tiles_by_stations: bool = False
    mergers_need_consent: bool = True
    merged_charter_stays: bool = False
    merged_receivership_runs: bool = True
    spare_option_rounds_up: bool = True
    receiverships_run_by_rule: bool = True
    receivership_limit_by_type: bool = False
    receivership_markers_chosen: bool = False
    eighth_marker_at_start: bool = True
    subsidy_with_dividend: bool = False
    hudson_from: int = 10
    train_sales_need_consent: bool = True
    own_trains_before_money: bool = True
    money_raised_once: bool = True
    odd_share_counts: bool = True
    refinancing_keeps_train_money: bool = True
    only_way_asked: bool = True
    hundredth_parliament_ends: bool = False

    @property
    def simple(self) -> bool:
        """One type of train, and no permits (§11.1)."""
        return len(self.types) == 1

    @property
    def last_band(self) -> str:
        """The band whose first train brings the LNER (§10.3, §11.2)."""
        return "E" if self.shorter else "H"


def read_options(setup: Setup) -> Rules:
    """Return the switches of a table.

    Raises:
        RuleError: an option or value is unknown, or two of them forbid each other (§11.0).
    """
    chosen = choose_options(OPTIONS, setup.options, "1862")
    if chosen["new_players"] == "on" and "trains" not in setup.options:
        chosen["trains"] = "simple_express"
    _agree(setup.options, chosen)
    since_0_3, by_0_1 = setup.rules >= 4, setup.rules == 2
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
        train_sales_need_consent=chosen["train_sales"] == "agree",
        runs=RunRules(joins_in_areas=not since_0_3),
        forced_sales_in_one_block=since_0_3,
        excess_waits_for_next_turn=since_0_3,
        forced_sales_go_on=not by_0_1,
        lost_room_is_taken=not by_0_1,
        payments_are_watched=not by_0_1,
    )


def _agree(given: Mapping[str, str], chosen: Mapping[str, str]) -> None:
    """Refuse options that forbid each other."""
    if chosen["new_players"] == "on" and not chosen["trains"].startswith("simple"):
        raise RuleError("The game for new players has one type of train; choose a simple game.", rule("11.3"))
    if chosen["shorter"] == "on" and "length" in given:
        raise RuleError("The shorter game fixes the number of trains; leave the length open.", rule("11.2"))
