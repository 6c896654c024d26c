"""6A, 6B against a recorded game: every lay and every base site that 18xx.games accepts, and no other.

The site lets a train come twice to a hex when it looks whether an upgrade helps;
the rulebook's run may not (A train must reach it), so K7 differs unless hexes may be re-entered.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.rails.board import Board
from engine.rails.reach import place_bases
from engine.titles.g1860.catalogue import load_map
from engine.titles.g1860.steps.building import check_site, list_base_sites
from engine.titles.g1860.track import Builder, TrackSurvey, check_lay, list_home_lays, list_lays
from tests.engine.titles.g1860.ground import fleet_of, triple
from tests.engine.titles.g1860.record import oracle

pytestmark = pytest.mark.recorded

COLOURS = {"2": 1, "3": 2, "4": 2}
TWICE_ON_A_HEX = {("K7", "18", 1)}


def positions(kind: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the state before each decision of a kind, with what the site accepts."""
    states = {line["index"]: line for line in oracle("states") if "tiles" in line}
    before = states[-1]
    legal = {line["index"]: line for line in oracle("legal")}
    for index in sorted(states.keys() | legal.keys()):
        if kind in legal.get(index, {}):
            yield before, legal[index]
        before = states.get(index, before)


def survey_of(state: dict[str, Any], company: str, *, re_enter: bool = False) -> TrackSurvey:
    board = Board(load_map("extended"), {coord: (name, turn) for coord, (name, turn) in state["tiles"].items()})
    companies = state["corporations"]
    bases = place_bases(
        (code, [(token["hex"], token["city"])], token["status"] == "flipped")
        for code, of in companies.items()
        for token in of["tokens"]
    )
    own = companies[company]
    colours = ("yellow", "green", "russet")[: COLOURS.get(state["phase"], 3)]
    fleet = fleet_of(" ".join(own["trains"]), re_enter=re_enter)
    return TrackSurvey(board, bases, Builder(company, colours, fleet, own["cash"], own["insolvent"]))


@pytest.mark.parametrize("re_enter", [False, True])
def test_every_lay_of_the_recorded_game(re_enter: bool) -> None:
    """76 turns: what we offer is what the site accepts, apart from the hex that is entered twice."""
    compared = offered = 0
    for state, line in positions("track"):
        of = survey_of(state, line["entity"], re_enter=re_enter)
        theirs = {(tile["hex"], tile["tile"], turn) for tile in line["track"] for turn in tile["ok"]}
        if line["step"].endswith("HomeTrack"):
            offers = list(list_home_lays(of.board, state["corporations"][line["entity"]]["home"]))
        else:
            offers = list(list_lays(of))
        if second_tile(line):
            offers = [lay for lay in offers if not lay.upgrade and not lay.city]
        ours = set(map(triple, offers))
        assert theirs - ours <= (set() if re_enter else TWICE_ON_A_HEX), line["index"]
        assert not ours - theirs, line["index"]
        compared += 1
        offered += len(ours)
    assert compared == 76
    assert offered > 2000


def second_tile(line: dict[str, Any]) -> bool:
    """Tiles in a turn: Return whether a tile was laid this turn: then only yellow ones without a city are left."""
    errors = [error for tile in line["track"] for _, error in tile["rejected"]]
    return any("now" in error for error in errors)


def test_every_base_site_of_the_recorded_game() -> None:
    """34 turns: what we offer is what the site accepts."""
    compared = 0
    for state, line in positions("tokens"):
        of = survey_of(state, line["entity"])
        waiting = {code for code, own in state["corporations"].items() if not home_placed(own)}
        theirs = {(site["hex"], site["city"]) for site in line["tokens"] if site["ok"]}
        assert set(list_base_sites(of, waiting)) == theirs, line["index"]
        for site in line["tokens"]:
            if site["ok"]:
                check_site(of, (site["hex"], site["city"]), waiting, site["price"])
        compared += 1
    assert compared == 34


def home_placed(own: dict[str, Any]) -> bool:
    return any(token["number"] == 0 for token in own["tokens"])


def test_every_lay_that_was_made() -> None:
    """Each tile laid in an operating round of the game passes the check."""
    made = 0
    for state, line in positions("track"):
        action = line["action"]
        if action["type"] == "lay_tile" and not line["step"].endswith("HomeTrack"):
            of = survey_of(state, line["entity"])
            check_lay(of, action["hex"], action["tile"].split("-")[0], action["rotation"])
            made += 1
    assert made > 30
