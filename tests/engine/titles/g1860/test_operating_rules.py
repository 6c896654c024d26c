"""Track Tiles to Running Trains: a short test for a paragraph, through the whole of a turn; the others go deep."""

import pytest

from engine.errors import RuleError
from engine.rails.laying import LayTile
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import PlaceBase, Run
from tests.engine.titles.g1860.positions import catch_refusal, legal, operating

EAST = "J4 6/0, J6 746/0, J8 57/0"
"""Esplanade 30, Ryde 20, Brading 10 and Sandown 20 in a row."""
WEST = "F2 787/0, F4 742/3"
"""Cowes, Cement Mills (a halt) and Newport in a row."""


def run(
    plan: str,
    trains: str,
    rest: str = "",
    *,
    tiles: str = EAST,
    company: str = "IOW",
    options: dict[str, str] | None = None,
) -> str | tuple[int, int]:
    """Return the rule that refuses a plan, or what it earns: (revenue, subsidy)."""
    text = f"cash 0 0\n{company} 5* | at 90 | 0cc | {trains}{rest}"
    s = operating(text, company, "run", tiles=tiles, phase="5", options=options or {})
    try:
        plan_ = TITLE.check(s, 0, Run(plan)).plan.plan
    except RuleError:
        return catch_refusal(s, Run(plan)).rule.section
    return plan_.revenue, plan_.subsidy


def test_a_tile_fits_its_hex() -> None:
    """Tiles that fit: plain, village or town as printed; letters on both or on neither; on an empty hex."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 600cc | 2+1", "IOW", "track", tiles="J4 6/0")
    assert catch_refusal(s, LayTile("J6", "57", 0)).rule.section == "Track Tiles"
    assert catch_refusal(s, LayTile("J8", "746", 0)).rule.section == "Track Tiles"
    assert catch_refusal(s, LayTile("I5", "57", 1)).rule.section == "Track Tiles"
    assert catch_refusal(s, LayTile("I5", "8", 1)).rule.section == "Track Tiles"
    assert LayTile("J6", "746", 0) in legal(s)


@pytest.mark.parametrize("city", [("G5", 0), ("J2", 0), ("I5", 0), ("I3", 0), ("Z9", 0), ("J4", 1)])
def test_a_base_needs_a_free_circle_within_reach(city: tuple[str, int]) -> None:
    """Where bases go: reached by track, a city, not the pier, not where a base of the company stands."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 600cc | 2+1", "IOW", "base", tiles=EAST)
    assert catch_refusal(s, PlaceBase(*city)).rule.section == "Building Bases"
    assert PlaceBase("J8", 0) in legal(s)


def test_a_run_ends_in_a_station_and_has_a_base() -> None:
    """A run: two stops, no halt at an end, a city with an own base, no stop twice."""
    assert run("2+1 I3-J4", "2+1") == (50, 0)
    assert run("2+1 I3", "2+1") == "Running Trains"
    assert run("2+1 F2.0-F2.1-F2.2", "2+1", tiles=WEST, company="C&N") == "Running Trains"
    assert run("2+1 J6-J8", "2+1") == "Running Trains"
    assert run("2+1 I3-J4-I3", "2+1") == "Running Trains"


def test_cities_on_the_way_always_count() -> None:
    """Stops on the way: towns and halts may be passed by, cities not."""
    assert run("3+2 I3-[J4]-J6", "3+2") == "Running Trains"
    assert run("3+2 F2.0-[F2.1]-[F2.2]-[F4]-G5", "3+2", tiles=WEST, company="C&N") == (50, 0)


def test_train_serves_cities_and_then_towns_in_the_remaining_room() -> None:
    """Room in a train: cities up to the first number, towns and halts in what is left of both."""
    assert run("2+1 I3-J4-J6", "2+1") == "Running Trains"
    assert run("3+2 I3-J4-J6", "3+2") == (60, 0)
    assert run("2+1 F2.0-F2.1-F2.2-[F4]-G5", "2+1", tiles=WEST, company="C&N") == "Running Trains"
    assert run("3+2 F2.0-F2.1-F2.2-F4-G5", "3+2", tiles=WEST, company="C&N") == (60, 20)


def test_runs_come_home_and_are_connected() -> None:
    """Runs meet: one run includes the home city; all meet one another."""
    bases = " | bases G5"
    tiles = f"{EAST}, {WEST}"
    assert run("3+2 F2.0-F2.1-[F2.2]-[F4]-G5", "3+2", bases, tiles=tiles) == "Running Trains"
    assert run("2+1 I3-J4; 3+2 F2.0-F2.1-[F2.2]-[F4]-G5", "2+1 3+2", bases, tiles=tiles) == "Running Trains"
    assert run("2+1 I3-J4; 2+1 J4-J6", "2+1 2+1", " | bases J4") == (80, 0)


def test_no_track_is_used_twice() -> None:
    """No track twice: not by two trains in a turn."""
    assert run("2+1 I3-J4; 3+2 I3-J4-J6", "2+1 3+2") == "Running Trains"


def test_one_tokened_out_city_may_be_passed() -> None:
    """Past a tokened-out city: one train, one city; ends are free; flipped bases count as free slots."""
    one = "\nC&N . 5* | at 50 | 0cc | 2+1 | bases J4"
    two = "\nC&N . 5* | at 50 | 0cc | 2+1 | bases J4 J6"
    assert run("3+2 I3-J4-J6", "3+2", one) == (60, 0)
    assert run("3+2 I3-J4-J6", "3+2", two) == (60, 0), "the second is the end"
    assert run("4+2 I3-J4-J6-J8", "4+2", two) == "Running Trains"
    assert run("4+2 I3-J4-J6-J8", "4+2", "\nC&N | bankrupt | bases J4 J6") == (80, 0)


def test_ends_are_counted() -> None:
    """Ends are counted: a run counts the towns at its ends; 18xx.games looks at the kind of stop only."""
    assert run("2+1 F2.0-[F2.1]", "2+1", tiles=WEST, company="C&N") == "Running Trains"
    site = {"profile": "18xx.games"}
    assert run("2+1 F2.0-[F2.1]", "2+1", tiles=WEST, company="C&N", options=site) == (20, 0)
