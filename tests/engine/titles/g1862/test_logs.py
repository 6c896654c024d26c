"""Games that travel: exported and read again they come to the same end; the words of 18xx.games for ours."""

import pytest

from engine.errors import LogError, RuleError
from engine.game import Game
from engine.interop.exchange import export_game, import_log
from engine.interop.g1862.track_18xx import Tiles, list_variants, name_tile
from engine.rails.laying import LayTile
from engine.titles.g1862 import catalogue
from engine.titles.g1862.actions import AddStation, Run
from tests.engine.titles.g1862.positions import catch_refusal, operating, table
from tests.playthroughs import record


def test_an_exported_game_replays_to_the_same_result() -> None:
    """A kept game of the site's profile, whole; ``tests/playthroughs`` looks at earlier moments of all."""
    kept = record.read("1862-4-site")
    game = Game.replay(kept.setup, kept.read_log())
    read = import_log(export_game(game, [f"P{seat}" for seat in range(kept.setup.seats)]))
    assert read.setup == game.setup, "with its version of the rules"
    again = Game.replay(read.setup, read.log)
    assert again.result() == game.result() is not None
    assert again.state == game.state


def test_every_shape_with_small_stations_has_its_name_on_the_site() -> None:
    for name in catalogue.load_map().manifest:
        for rotation in range(6):
            found, turned = name_tile(name, rotation)
            assert found == name or found in list_variants()
            plain = catalogue.find_plain_name(name)
            assert set(catalogue.list_lines(plain, turned)) == set(catalogue.list_lines(plain, rotation))


def test_a_shape_of_the_site_is_a_lay_or_one_station_more() -> None:
    s = table(tiles="G6:20+0:0")
    tiles = Tiles()
    assert tiles.read_lay(s, "G6", "20_2-0", 0) == AddStation("G6", 1, 4)
    assert tiles.read_lay(s, "D7", "20_1b-1", 2) == LayTile("D7", "20", 2)
    assert tiles.find_hex("20_1b-1-0") == "D7"
    assert tiles.find_hex("E2-0-0") == "E2"
    with pytest.raises(RuleError, match=r"There is no tile 20_9 in 1862\."):
        tiles.read_lay(s, "G6", "20_9-0", 0)


def test_a_stated_result_counts_only_where_the_rules_say_so() -> None:
    s = operating(table("N&E 90 5*,0,0,0 trains=2E at=B13", tiles="B13:57:0"), "N&E", "run")
    assert "imported game" in catch_refusal(s, Run("none", (500, 0))).sentence


def test_a_log_that_breaks_a_rule_says_where() -> None:
    text = b"""{"title": "1862", "id": 7, "players": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}],
    "actions": [{"type": "bid", "entity": 1, "entity_type": "player", "id": 1, "corporation": "LNWR", "price": 0}]}"""
    with pytest.raises(LogError, match="Action 0"):
        import_log(text)
