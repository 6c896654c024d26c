"""1862 as on 18xx.games."""

from msgspec.structs import replace

from engine.errors import RuleError
from engine.interop.profile import SiteProfile, play_as_on_18xx_games
from engine.setup import Setup
from engine.title import Title
from engine.titles import g1862
from engine.titles.g1862 import setup as deals
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.rules import OPTIONS, read_options
from engine.titles.g1862.state import State

_NOT_THERE = ("trains", "shorter", "new_players", "home_first", "extra_companies")
"""Options that 18xx.games does not have."""


def deal(setup: Setup) -> State:
    """Return the state a game of the profile begins with.

    Raises:
        RuleError: the number of players or the options are not allowed, or 18xx.games does not have one of them.
    """
    rules = replace(
        read_options(setup),
        site=True,
        failed_in_parliament=True,
        forced_sales_in_one_block=False,
        excess_waits_for_next_turn=False,
    )
    for option in OPTIONS:
        if option.name in _NOT_THERE and setup.options.get(option.name, option.default) != option.default:
            raise RuleError(
                f"18xx.games has no choice of “{option.label}”; play it by the rulebook's profile.", rule("23")
            )
    return deals.deal(setup, rules)


TITLE: Title[State] = play_as_on_18xx_games(g1862.TITLE, SiteProfile(1, rule("23"), deal))
