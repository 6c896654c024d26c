"""1860 as on 18xx.games."""

from msgspec.structs import replace

from engine.interop.profile import SiteProfile, play_as_on_18xx_games
from engine.setup import Setup
from engine.title import Title
from engine.titles import g1860
from engine.titles.g1860 import setup as deals
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.rules import read_options
from engine.titles.g1860.state import State


def deal(setup: Setup) -> State:
    """Return the state a game of the profile begins with.

    Raises:
        RuleError: the number of players or the options are not allowed.
    """
    return deals.deal(setup, replace(read_options(setup), site=True, exchange_after_flotation=False))


TITLE: Title[State] = play_as_on_18xx_games(g1860.TITLE, SiteProfile(2, rule("12.13"), deal))
