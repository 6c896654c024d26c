"""Routes as 18xx.games writes them, read into our runs."""

import pytest

from engine.errors import RuleError
from engine.interop.g1860.reader import read_routes, write_plan
from engine.interop.routes import list_connections
from engine.titles.g1860.running.runs import Problem
from tests.engine.titles.g1860.run_ground import LATE, Switches, company, earns

SITE: Switches = {"ends_counted": False, "join_counted": False}
NO_SKIPPING: Switches = {**SITE, "skip_towns": False}
LEASED: Switches = {**SITE, "lease": "stops"}
COWES = [["F2 0.1"], ["F2 1.2"], ["F2", "F4"], ["F4", "G5"]]


def text(problem: Problem, *routes: dict[str, object]) -> str:
    return write_plan(problem, list(routes))


def catch_refusal(problem: Problem, routes: object) -> str:
    with pytest.raises(RuleError) as caught:
        read_routes(problem, routes)
    return str(caught.value)


def test_a_piece_within_a_hex_is_named_by_its_stops() -> None:
    mine = company("C&N F2", "3+2", **SITE)
    assert text(mine, {"train": "3+2-0", "connections": COWES, "halts": 1}) == "3+2 F2.0-F2.1-F2.2-[F4]-G5.0"
    assert text(mine, {"train": "3+2-0", "connections": [["G7"], ["G7", "G9"]], "halts": 0}) == "3+2 [G7.1]-G7.0-G9"


def test_connections_may_be_written_either_way_and_run_over_plain_hexes() -> None:
    mine = company("BHI&R L6", "2+1", **SITE)
    assert text(mine, {"train": "2+1-3", "connections": [["L6", "K7", "J8"]]}) == "2+1 L6-K7-J8"


@pytest.mark.parametrize(
    ("halts", "kept"),
    [
        (0, "F2.0-F2.1-[F2.2]-[F4]-G5.0"),
        (1, "F2.0-[F2.1]-F2.2-[F4]-G5.0"),
        (2, "F2.0-[F2.1]-F2.2-[F4]-G5.0"),
        (None, "F2.0-F2.1-[F2.2]-[F4]-G5.0"),
    ],
)
def test_the_halts_asked_for_come_before_the_towns(halts: int | None, kept: str) -> None:
    """A 2+1 has room for one stop beside two cities; without a number halts take what towns leave."""
    mine = company("C&N F2", "2+1", **SITE)
    assert text(mine, {"train": "2+1-0", "connections": COWES, "halts": halts}) == f"2+1 {kept}"


def test_where_towns_cannot_be_skipped_halts_use_the_remaining_stops() -> None:
    """Differences 32; so too after nationalisation."""
    first = company("C&N F2", "2+1", **NO_SKIPPING)
    assert text(first, {"train": "2+1-0", "connections": COWES, "halts": 1}) == "2+1 F2.0-F2.1-[F2.2]-[F4]-G5.0"


def test_a_leased_train_counts_towns_then_halts() -> None:
    leasing = company("C&N F2", "4+2", **LEASED)
    plan = text(leasing, {"train": "4+2-0", "connections": COWES, "halts": None})
    assert plan == "4+2 F2.0-F2.1-F2.2-[F4]-G5.0"
    assert earns(leasing, plan) == (120, 0)


def test_of_several_tracks_the_nodes_or_a_base_decide() -> None:
    """At Newport a link of G5 to H4 leaves from either city; H6 lies between for Shide."""
    mine = company("C&N G5", "2+1", tiles=LATE, **SITE)
    assert text(mine, {"train": "2+1-0", "connections": [["G5", "H4"]]}) == "2+1 G5.0-H4.0"
    assert text(mine, {"train": "2+1-0", "connections": [["G5", "H6", "H4"]]}) == "2+1 G5.1-H6-H4.0"
    single: dict[str, object] = {"train": "2+1-0", "connections": [["G5"]], "nodes": ["G5-1", "G5-0"]}
    odd = {**single, "nodes": ["G5-1", "G5-0", "odd", "G5-x", "G5-" + "9" * 5000]}
    assert text(mine, single) == text(mine, odd)
    assert text(mine, odd) in {"2+1 G5.0-G5.1", "2+1 G5.1-G5.0"}


def test_a_later_route_does_not_use_the_track_of_an_earlier_one() -> None:
    mine = company("C&N F2", "2+1 2+1", **SITE)
    route = {"train": "2+1-0", "connections": [["F2 0.1"]]}
    assert "No track fits the route F2 0.1." in catch_refusal(mine, [route, {**route, "train": "2+1-1"}])


@pytest.mark.parametrize(
    ("routes", "said"),
    [
        ("odd", "The routes can't be read: "),
        ([{"connections": []}], "The routes can't be read: "),
        ([{"train": "5+5-0", "connections": [["F2 0.1"]]}], "There is no train 5+5."),
        ([{"train": "3+2-0", "connections": [["F2", "J8"]]}], "No track fits the route F2-J8."),
        ([{"train": "3+2-0", "connections": []}], "No track fits the route without hexes."),
    ],
)
def test_a_text_that_is_no_route_is_refused(routes: str | list[dict[str, str | list[list[str]]]], said: str) -> None:
    assert catch_refusal(company("C&N F2", "3+2"), routes).startswith(said)


@pytest.mark.parametrize(("way", "written"), [((0, 1), "F2 0.1"), ((2, 1), "F2 1.2"), ((1, 2), "F2 1.2")])
def test_a_piece_within_a_hex_is_written_with_its_stops(way: tuple[int, int], written: str) -> None:
    """The lower stop first, in whichever direction it is travelled."""
    graph = company("C&N F2", "3+2", **SITE).graph
    here, there = (graph.node_at["F2", index] for index in way)
    (link,) = [link.id for link in graph.links if {link.a, link.b} == {here, there} and link.coords == ("F2",)]
    assert list_connections(graph, (here, there), (link,)) == [[written]]
