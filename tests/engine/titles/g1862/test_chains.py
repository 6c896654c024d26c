"""§7.8, §7.8.1: runs that are connected by one of their ways, and how long chains of Freights are looked for."""

import pytest

from engine.rails.claims import Claim
from engine.titles.g1862.running import claims, freight
from engine.titles.g1862.running.claims import Book, connect
from engine.titles.g1862.running.freight import Chains, Piece, Way
from tests.engine.titles.g1862.running import ENR, company, lay_out

HOME, WEST, EAST, NORTH = 1, 2, 4, 8


def way(*stops: int) -> Way:
    """Return a way to run that meets others at these stops."""
    return sum(stops), (Piece(1, sum(stops)),)


@pytest.mark.parametrize("turned", [False, True])
def test_of_the_ways_to_run_those_are_taken_that_meet(*, turned: bool) -> None:
    """§7.8: one run comes home by the east or the west, the other only ever to the east and the north."""
    east, west, north = way(HOME, EAST), way(HOME, WEST), way(EAST, NORTH)
    first = (west, east)[:: -1 if turned else 1]
    assert connect([first, (north,)], HOME) == [east, north]
    assert connect([(north,), first], HOME) == [north, east]


@pytest.mark.parametrize(
    "runs",
    [
        [(way(WEST),)],
        [(way(HOME), way(WEST)), (way(NORTH), way(EAST))],
        [(way(HOME, WEST), way(HOME, EAST)), (way(WEST),), (way(EAST),)],
    ],
)
def test_runs_are_not_connected(runs: list[tuple[Way, ...]]) -> None:
    """§7.8: away from home, apart, and each with the first run alone."""
    assert connect(runs, HOME) is None


@pytest.fixture
def chains(monkeypatch: pytest.MonkeyPatch) -> list[Chains]:
    """All chains of three Freights, with patience for ten beginnings."""
    monkeypatch.setattr(freight, "MAX_TRIES", 10)
    yard, team = Book(company(lay_out(ENR), "F3 F5 G6 H7 F9 F11", "1F 2F 3F"), "revenue").yard, (1, 2, 3)
    yard.leisure = 25
    return [Chains(yard, team, (a, b), ()) for a, goals in yard.find_pairs(team).items() for b in goals]


def test_a_search_times_out_for_the_caller_but_continues(chains: list[Chains]) -> None:
    """Whoever asks for a chain later gets all of them."""
    yard = chains[0].yard
    assert not Chains.search(chains)
    assert yard.leisure == 15
    assert sum(len(list(one)) for one in chains) > 10
    assert [one.is_possible for one in chains] == [any(one) for one in chains]


def test_patience_is_not_endless_over_all_teams(chains: list[Chains]) -> None:
    """Each look has ten beginnings, all together 25: the third has five left, then there is none."""
    found = []
    for _ in range(4):
        assert not Chains.search([Chains(one.yard, one.team, one.ends, ()) for one in chains])
        found.append(chains[0].yard.leisure)
    assert found == [15, 5, 0, 0]


def test_a_found_result_is_cached(chains: list[Chains], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether all were looked for at once or one after the other, each beginning is tried once."""
    monkeypatch.setattr(freight, "MAX_TRIES", freight.UNLIMITED_TRIES)
    one = max(chains, key=lambda one: len(list(one)))
    yard = one.yard
    yard.leisure, left = freight.UNLIMITED_TRIES, yard.patience
    every = list(yard.list_chains(one.team, *one.ends))
    tries = left - yard.patience
    assert tries > len(every) > 1
    at_once, by_and_by = (Chains(yard, one.team, one.ends, ()) for _ in range(2))
    assert Chains.search([at_once])
    left = yard.patience
    assert [way for way, _ in zip(by_and_by, by_and_by, strict=False)] == list(by_and_by)
    assert left - yard.patience == tries
    assert list(at_once) == list(at_once.ways)
    assert {meets for meets, _ in at_once.ways} <= {meets for meets, _ in by_and_by}
    assert left - yard.patience == tries


@pytest.mark.parametrize(("dropped", "kept"), [(EAST, [0]), (WEST, [0, 1])])
def test_a_run_gives_way_to_a_longer_one_that_need_not_leave_out_its_stops(dropped: int, kept: list[int]) -> None:
    longer, shorter = Claim(WEST | EAST, dropped, 0, HOME, 0, 0), Claim(WEST, 0, 0, HOME, 0, 0)
    assert claims._leave_out_lesser([longer, shorter]) == kept
