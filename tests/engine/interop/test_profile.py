"""The profile 18xx.games: a lobby option that the titles themselves do not know."""

from typing import Any

import pytest

from engine import TITLES, RuleError, Setup
from engine.interop.profile import PROFILE, SITE
from engine.title import Title
from engine.titles import g1860, g1862

RULEBOOKS = pytest.mark.parametrize("rulebook", [g1860.TITLE, g1862.TITLE], ids=["1860", "1862"])


@RULEBOOKS
def test_the_shelf_adds_the_profile_to_the_options_of_a_title(rulebook: Title[Any]) -> None:
    offered = TITLES[rulebook.id].options
    assert offered.count(PROFILE) == 1
    assert tuple(option for option in offered if option != PROFILE) == rulebook.options
    with pytest.raises(RuleError, match="has no option “profile”"):
        rulebook.deal(Setup(rulebook.id, 3, {"profile": SITE}))


@RULEBOOKS
def test_only_the_profile_deals_by_other_rules(rulebook: Title[Any]) -> None:
    shelf, own = TITLES[rulebook.id], rulebook.deal(Setup(rulebook.id, 3))
    assert shelf.deal(Setup(rulebook.id, 3)).rules == own.rules
    assert shelf.deal(Setup(rulebook.id, 3, {"profile": "rulebook"})).rules == own.rules
    assert shelf.deal(Setup(rulebook.id, 3, {"profile": SITE})).rules != own.rules


@RULEBOOKS
def test_a_profile_that_does_not_exist_is_refused(rulebook: Title[Any]) -> None:
    with pytest.raises(RuleError, match=r"Rules profile can be rulebook or 18xx\.games, not “house”"):
        TITLES[rulebook.id].deal(Setup(rulebook.id, 3, {"profile": "house"}))


@RULEBOOKS
def test_an_unknown_option_is_refused_with_all_that_exist(rulebook: Title[Any]) -> None:
    with pytest.raises(RuleError, match=r"no option “speed”; it has .*profile, "):
        TITLES[rulebook.id].deal(Setup(rulebook.id, 3, {"speed": "on"}))
