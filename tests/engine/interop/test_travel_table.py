"""What travels to 18xx.games: one table for the lobby, the writer and the reader."""

from collections.abc import Mapping

import pytest

from engine import TITLES
from engine.errors import RuleError
from engine.game import Game
from engine.interop.exchange import export_game, import_log
from engine.interop.travel import COMBINED, TRAVELS, explain_stay, list_optional_rules, read_options
from engine.setup import Setup
from engine.titles.g1860.rules import read_options as read_switches

SITE = {"profile": "18xx.games"}


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({}, []),
        ({"original_game": "on"}, ["two_player_map", "no_skip_towns"]),
        ({"edition": "first"}, ["two_player_map", "no_skip_towns"]),
        ({"edition": "first", "no_skip_towns": "on"}, ["no_skip_towns", "two_player_map"]),
        ({"insolvency": "simplified", "re_enter": "on"}, ["simplified_insolvency", "re_enter_hexes"]),
        ({"map": "original", "insolvency": "original"}, ["two_player_map", "original_insolvency"]),
        ({"full_price": "on", "no_train_limit": "on"}, ["non_operated_full_value"]),
    ],
)
def test_the_rules_of_the_table_in_the_words_of_the_site(options: dict[str, str], rules: list[str]) -> None:
    """What an option of ours means counts, not its name; what the site lacks is left out."""
    assert list_optional_rules("1860", options) == rules


@pytest.mark.parametrize(
    ("title", "rules", "options"),
    [
        ("1860", (), {}),
        ("1860", ("two_player_map", "no_skip_towns"), {"map": "original", "no_skip_towns": "on"}),
        ("1860", ("original_game",), {"map": "original", "insolvency": "original", "no_skip_towns": "on"}),
        ("1862", ("long_length", "eight_tokens"), {"length": "long", "eight_markers": "on"}),
        ("1862", ("long_length", "short_length"), {"length": "mixed"}),
    ],
)
def test_rules_of_the_site_are_our_options(title: str, rules: tuple[str, ...], options: dict[str, str]) -> None:
    """Both lengths of 1862 together are a game of their own, with few early and many late trains."""
    assert read_options(title, rules) == SITE | options
    assert set(list_optional_rules(title, options)) == {part for rule in rules for part in COMBINED.get(rule, (rule,))}


def test_an_unknown_rule_of_the_site_is_refused() -> None:
    with pytest.raises(RuleError, match="There is no optional rule “third” in 1860"):
        read_options("1860", ("third",))


@pytest.mark.parametrize("title", TRAVELS)
def test_each_row_is_an_option_of_the_lobby(title: str) -> None:
    for travel in TRAVELS[title]:
        option = next(option for option in TITLES[title].options if option.name == travel.option)
        assert option.admits(travel.value)
        assert travel.value != option.default


def test_what_comes_back_is_played_by_the_same_switches() -> None:
    """Also where another option of ours is read for the site's rules: the edition, the original game."""
    for travel in TRAVELS["1860"]:
        there = read_options("1860", travel.rules) if travel.rules else SITE
        back = {name: value for name, value in there.items() if name != "profile"}
        here = read_switches(Setup("1860", 2, {travel.option: travel.value}))
        again = read_switches(Setup("1860", 2, back))
        assert (here == again) is (travel.option != "treasuries"), "18xx.games shows all treasuries"


@pytest.mark.parametrize(
    ("title", "options", "why"),
    [
        ("steel_driver", {}, ""),
        ("1860", SITE, ""),
        ("1860", SITE | {"edition": "first", "treasuries": "hidden"}, ""),
        ("1862", SITE | {"length": "mixed", "train_sales": "buyer"}, ""),
        ("1860", {}, "is played by the rulebook"),
        ("1860", SITE | {"two_7_4": "on"}, "has “Two 7+4 trains”"),
        (
            "1860",
            {"waiting_companies": "ignore", "map": "original"},
            "is played by the rulebook and has “Unfloated companies: don't hold up nationalisation”",
        ),
        ("1862", {"home_first": "off"}, "is played by the rulebook and has “Home first: off”"),
    ],
)
def test_what_keeps_a_table_here(title: str, options: Mapping[str, str], why: str) -> None:
    told = f"18xx.games can't continue this game, because it {why}." if why else ""
    assert explain_stay(TITLES[title], options) == told


@pytest.mark.parametrize("options", [SITE, {}])
def test_a_file_has_the_rules_of_the_table(options: dict[str, str]) -> None:
    game = Game.new(Setup("1860", 2, options | {"map": "original"}, 3))
    data = export_game(game, ("Ann", "Bob"))
    assert b'"optional_rules":["two_player_map"]' in data
    assert import_log(data).setup == game.setup
