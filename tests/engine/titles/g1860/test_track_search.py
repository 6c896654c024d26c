"""Laying Track, Upgrading Track: what is listed is what the checks allow, on boards grown at random."""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.maps import find_neighbour, opposite_side
from engine.rails.reach import Bases, Place, place_bases
from engine.rails.tiles import SIDES, STOP
from engine.setup import Rng
from engine.titles.g1860.catalogue import load_map
from engine.titles.g1860.fitting import Fit, list_fits
from engine.titles.g1860.steps.building import check_site, list_base_sites
from engine.titles.g1860.trace import Fleet
from engine.titles.g1860.track import Builder, TrackSurvey, check_lay, find_base_after_lay, list_home_lays, list_lays
from tests.engine.titles.g1860.ground import ALL_COLOURS, triple

HOMES = {"IOW": "I3", "C&N": "F2", "IWNJ": "G7", "BHI&R": "L6", "S&C": "F12"}


def grow_board(seed: int, turns: int) -> tuple[Board, dict[str, list[Place]]]:
    """Return a board, and who stands where, after so many random lays and bases."""
    rng = Rng(seed)
    board = Board(load_map(rng.choose(("extended", "original"))))
    places = {company: [(home, 0)] for company, home in HOMES.items()}
    for home in HOMES.values():
        if options := list(list_home_lays(board, home)):
            board = board.with_tile(*triple(rng.choose(options)))
    for turn in range(turns):
        company = rng.choose(sorted(HOMES))
        of = survey(board, places, company)
        if options := list(list_lays(of)):
            lay = rng.choose(options)
            board = board.with_tile(*triple(lay))
            places = {code: [find_base_after_lay(place, lay) for place in own] for code, own in places.items()}
        if turn % 6 == 0 and (free := list(list_base_sites(survey(board, places, company), ()))):
            places[company].append(rng.choose(free))
    return board, places


def standing(places: dict[str, list[Place]]) -> Bases:
    return place_bases((code, own, code == "S&C") for code, own in places.items())


def survey(board: Board, places: dict[str, list[Place]], company: str, cities: int = 9) -> TrackSurvey:
    return TrackSurvey(board, standing(places), Builder(company, ALL_COLOURS, Fleet(((cities, 2),))))


@pytest.mark.parametrize("seed", range(4))
def test_options_and_checks_agree(seed: int) -> None:
    """Each lay on offer passes the check, and no lay that passes is missing; base sites likewise."""
    board, places = grow_board(seed, 45)
    of = survey(board, places, sorted(HOMES)[seed], cities=3 + seed)
    offered = set(map(triple, list_lays(of)))
    assert offered
    passing = set()
    for coord in board.map.hexes:
        for tile in board.map.manifest:
            for rotation in SIDES:
                with suppress(RuleError):
                    passing.add(triple(check_lay(of, coord, tile, rotation)))
    assert passing == offered
    assert set(list_base_sites(of, ("NGStL",))) == set(passing_sites(of))


def passing_sites(of: TrackSurvey) -> Iterator[Place]:
    for coord in of.board.map.hexes:
        for index in range(3):
            with suppress(RuleError):
                check_site(of, (coord, index), ("NGStL",), 0)
                yield coord, index


@pytest.mark.parametrize("seed", range(6))
def test_the_trace_equals_a_search_of_all_runs(seed: int) -> None:
    """An upgrade is allowed exactly where some run, no hex twice, uses its new track or dearer station."""
    board, places = grow_board(seed + 10, 40)
    company = sorted(HOMES)[seed % len(HOMES)]
    for cities in (2, 4):
        of = survey(board, places, company, cities)
        offered = {triple(lay) for lay in list_lays(of) if lay.upgrade}
        for coord in board.map.hexes:
            if board.tile(coord).colour == "plain":
                continue
            for fit in list_fits(board, coord):
                if board.count_left(fit.tile):
                    wanted = any(uses(of, fit, cities))
                    assert ((coord, fit.tile, fit.rotation) in offered) == wanted, (coord, fit.tile, fit.rotation)


def uses(of: TrackSurvey, fit: Fit, cities: int) -> Iterator[bool]:
    """Follow every run on the new board, hex by hex, and return whether it uses what the tile adds."""
    board = of.board.with_tile(fit.coord, fit.tile, fit.rotation)
    new_place = {(fit.coord, old): (fit.coord, new) for old, new in enumerate(fit.stops)}
    tokens = {new_place.get(place, place): tuple(t.company for t in own) for place, own in of.bases.items()}
    company = of.builder.company

    def run(
        coord: str, end: int, visited: tuple[str, ...], stops: tuple[tuple[str, int], ...], left: int
    ) -> Iterator[bool]:
        """Go on from an end of track on a hex."""
        for other in board.tile(coord).joins[end]:
            piece = (min(end, other), max(end, other))
            fresh = coord == fit.coord and piece in fit.fresh
            if other >= STOP:
                place = (coord, other - STOP)
                spent = board.tile(coord).stops[place[1]].kind in ("city", "offboard")
                if place in stops or left < spent:
                    continue
                yield fresh or (coord == fit.coord and place[1] in fit.raised)
                full = len(tokens.get(place, ())) >= max(1, board.tile(coord).stops[place[1]].slots)
                if not full or company in tokens[place] or place not in tokens:
                    yield from run(coord, other, visited, (*stops, place), left - spent)
                continue
            yield fresh
            there = find_neighbour(coord, other)
            if there in board and there not in visited and board.tile(there).sides >> opposite_side(other) & 1:
                yield from run(there, opposite_side(other), (*visited, there), stops, left)

    for place, own in tokens.items():
        if company in own:
            yield place[0] == fit.coord and place[1] in fit.raised
            yield from run(place[0], STOP + place[1], (place[0],), (place,), cities - 1)


@pytest.mark.parametrize("seed", range(3))
def test_tiles_are_conserved(seed: int) -> None:
    """What lies on the map and what is left make up the manifest; all track ends at land."""
    board, _ = grow_board(seed + 20, 60)
    counts = board.map.manifest.counts
    lying = [name for name, _ in board.laid.values()]
    for tile in board.map.manifest:
        assert board.count_left(tile) + lying.count(tile) == counts[tile]
        assert board.count_left(tile) >= 0
    for coord, spec in board.map.hexes.items():
        assert not board.tile(coord).sides & ~spec.open, coord
