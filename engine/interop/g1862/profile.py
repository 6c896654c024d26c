"""1862 as on 18xx.games: which switches of the rules it has otherwise, what it deals, what it remembers."""

from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from types import MappingProxyType

from msgspec.structs import replace

from engine.errors import RuleError
from engine.interop.g1862.memory import SiteState, listen, remember
from engine.interop.profile import SiteProfile, play_as_on_18xx_games
from engine.setup import Setup
from engine.title import Title
from engine.titles import g1862
from engine.titles.g1862 import setup as deals
from engine.titles.g1862.catalogue import CHARTERS, Kind
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.rules import OPTIONS, read_options
from engine.titles.g1862.running.runs import RunRules
from engine.titles.g1862.setup import LATER, Deal, extra, groups_of
from engine.titles.g1862.state import State

_NOT_THERE = ("trains", "shorter", "new_players", "home_first", "extra_companies")
"""Options that 18xx.games does not have."""

RUNS = RunRules(
    all_run=False,  # differences 27
    touching_joins=True,  # differences 42
    port_to_port=True,  # differences 23
    crossing=True,  # differences 49
    meet_anywhere=True,  # differences 22
)
"""What companies run there."""

SWITCHES: Mapping[str, bool | int | RunRules] = MappingProxyType(
    {
        "operating_restacks": False,  # differences 1
        "chartered_marker_waits": False,  # differences 2
        "stated_results_count": True,  # differences 3
        "spare_option_rounds_up": False,  # differences 4
        "failed_in_parliament": True,  # differences 5
        "stated_prices_count": True,  # differences 6
        "certificate_scores_whole": True,  # differences 7
        "treasury_sales_ease_late": False,  # differences 8
        "merger_may_end_game": False,  # differences 9
        "last_slot_gives_way": True,  # differences 10
        "receivership_limit_by_type": True,  # differences 13
        "mergers_need_consent": False,  # differences 20
        "train_sales_need_consent": False,  # differences 21
        "runs": RUNS,
        "first_build_at_home": False,  # differences 24
        "home_upgrade_adds_slot": False,  # differences 25
        "own_trains_before_money": False,  # differences 26
        "hudson_from": 11,  # differences 40
        "sold_shares_give_change": False,  # differences 41
        "home_upgrade_first": True,  # differences 43
        "eighth_marker_at_start": False,  # differences 44
        "green_home_needs_n": True,  # differences 48
        "merged_receivership_runs": False,  # differences 51
        "fines_taken_together": True,  # differences 56
        "fines_spare_new_shares": False,  # differences 56
        "fines_from_new_deal": False,  # differences 73
        "only_way_asked": False,  # differences 57
        "stations_on_turned_lines": True,  # differences 59
        "receivership_markers_chosen": True,  # differences 61
        "tiles_by_stations": True,  # differences 62
        "merged_charter_stays": True,  # differences 63
        "hundredth_parliament_ends": True,  # differences 70
        "forced_sales_in_one_block": False,  # differences 71
        "excess_waits_for_next_turn": False,  # differences 72
        "idle_builders_asked": True,  # differences 74
        "subsidy_with_dividend": True,  # differences 75
        "receiverships_run_by_rule": False,  # differences 76
        "money_raised_once": False,  # differences 77
        "parliament_adds_own_company": False,  # differences 81
        "odd_share_counts": False,  # differences 78
        "refinancing_keeps_train_money": False,  # differences 79
        "excess_sold_in_parts": False,  # differences 80
    }
)
"""The value on 18xx.games of each switch that it has otherwise, with the row of the differences that says how."""


def deal(setup: Setup) -> SiteState:
    """Return the state a game of the profile begins with.

    Raises:
        RuleError: the number of players or the options are not allowed, or 18xx.games does not have one of them.
    """
    rules = replace(read_options(setup), **SWITCHES)
    for option in OPTIONS:
        if option.name in _NOT_THERE and setup.options.get(option.name, option.default) != option.default:
            raise RuleError(
                f"18xx.games has no choice of “{option.label}”; play it by the rulebook's profile.", rule("23")
            )
    return remember(deals.deal(setup, rules, deal_18xx(setup.seed, setup.seats)))


def deal_18xx(seed: int, seats: int) -> Deal:
    """Deal as 18xx.games does, by its linear congruential generator (differences 58)."""
    numbers = _numbers(seed)
    drawn = dict(zip(CHARTERS, numbers, strict=False))
    removed = 4 - extra(seats)
    order = sorted(CHARTERS, key=lambda code: drawn[code])[removed:]
    groups = groups_of(order, len(order) - 2 * LATER)
    kinds: list[Kind] = list(islice(cycle(("freight", "express", "local")), 18))
    if seats <= 6:
        kinds = kinds[:-2]
    lots = [next(numbers) for _ in kinds]
    permits = [kind for _, kind in sorted(zip(lots, kinds, strict=True))]
    return Deal(groups, dict(zip((code for code in CHARTERS if code in groups), permits, strict=False)))


def _numbers(seed: int) -> Iterator[int]:
    """Yield the numbers of the site's generator for a seed."""
    state = seed
    while True:
        state = (1103515245 * state + 12345) % 2**31
        yield state


TITLE: Title[State] = play_as_on_18xx_games(g1862.TITLE, SiteProfile(1, rule("23"), deal, listen))
