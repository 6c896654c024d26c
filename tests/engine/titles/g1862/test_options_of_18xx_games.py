"""What was legal in the recorded game, move by move: the site's lists and ours, and the three ways they differ in."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engine.finance.rounds import Pass
from engine.interop.exchange import import_log
from engine.rails.laying import LayTile
from engine.titles.g1862 import catalogue
from engine.titles.g1862.actions import Bid, Start
from tests.engine.titles.g1862.positions import catch_refusal, legal, operating, parliament, play, table
from tests.engine.titles.g1862.test_recorded_game import oracle, trace_recorded

SITE = {"profile": "18xx.games"}
Moves = set[tuple[Any, ...]]
NOT_A_MOVE, NOT_THE_LOT, LOOK_ALIKE = "a programmed pass is no move", "another company's par", "looks alike"


def test_a_programmed_pass_is_no_move() -> None:
    """Not a move of a player: what it makes the site do stands in the log as that; so we offer nothing before it."""
    players = [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]
    programmed = {"type": "program_share_pass", "entity": 2, "entity_type": "player", "id": 1}
    text = {"title": "1862", "id": 7, "players": players, "actions": [programmed]}
    assert import_log(json.dumps(text).encode()).log == ()


def test_the_winner_of_a_charter_starts_that_company() -> None:
    """§4.2: he has won one company's charter; the site lists the par of every company that could be started."""
    s = parliament(table(options=SITE))
    play(s, Bid("N&E", 0), Pass(), Pass(), Pass())
    assert {action.company for action in legal(s, Start)} == {"N&E"}
    assert "start that" in catch_refusal(s, Start("WStI", 54)).sentence


def test_a_tile_that_looks_alike_turned_round_may_be_laid_either_way() -> None:
    """§7.6.3: green 17 over 8851 with its small station, by half a turn: the same lines, the same station, one move.

    The site draws the small station on one of the two lines of its tile, so it has one way of turning it.
    """
    s = table("N&E 90 5*,0,0,0 at=F7", tiles="F7:57:1 G6:8851:0", phase="B", options=SITE)
    operating(s, "N&E", "track")
    both = [LayTile("G6", "17", 0), LayTile("G6", "17", 3)]
    assert [action for action in legal(s, LayTile) if (action.hex, action.tile) == ("G6", "17")] == both
    ends = []
    for action in both:
        after = s.clone()
        play(after, action)
        name, rotation = after.board.laid["G6"]
        ends.append((set(catalogue.list_lines(name, rotation)), catalogue.list_stations(name, rotation)))
    assert ends == [({(0, 4), (1, 3)}, ((0, 4),))] * 2


def read_accepted(line: dict[str, Any]) -> dict[str, Moves]:
    """Return what the site accepted of all it tried before a move, by kind, in the form of our own list.

    Its tiles are told by their number alone, whatever small stations they bear.
    """
    tried: dict[str, list[tuple[Any, ...]]] = {
        "track": [
            (lay["hex"], lay["tile"].partition("_")[0], turn) for lay in _of(line, "track") for turn in lay["ok"]
        ],
        "tokens": [(place["hex"], place["city"]) for place in _of(line, "tokens") if place["ok"]],
        "buy": [(*_share(one), one["price"]) for one in _of(line, "buy") if one["ok"]],
        "sell": [(one["corporation"], one["percent"], one["price"]) for one in _of(line, "sell") if one["ok"]],
        "par": [(one["corporation"], par) for one in _of(line, "par") for par in one.get("ok", one["prices"])],
    }
    found = {kind: set(moves) for kind, moves in tried.items() if _of(line, kind)}
    if paid := line.get("dividends"):
        found["dividend"] = {(kind, after["share_price"]) for kind, after in paid["kinds"].items()}
    return found


def _of(line: dict[str, Any], kind: str) -> Sequence[dict[str, Any]]:
    return line.get(kind) or ()


def _share(one: dict[str, Any]) -> tuple[str, str, int]:
    return one["corporation"], "pool" if one["from"] == "market" else one["from"], one["percent"]


def list_ours(line: dict[str, Any], kind: str) -> Moves:
    """Return what we allowed, in the same form."""
    found = line.get(kind, ())
    if kind == "par":
        return {(company, price) for company, prices in dict(found).items() for price in prices}
    return set(dict(found).items()) if kind == "dividend" else {tuple(one) for one in found}


def why(line: dict[str, Any], kind: str, ours: Moves, theirs: Moves) -> str:
    """Return which of the three ways a difference is of; what is of none is told as it is."""
    if line["action_type"].startswith("program_"):
        return NOT_A_MOVE
    if kind == "par" and ours <= theirs and {company for company, _ in ours} == {line["action"]["corporation"]}:
        return NOT_THE_LOT
    shapes = {(hex_, tile, frozenset(catalogue.list_lines(tile, turned))) for hex_, tile, turned in theirs}
    if kind == "track" and theirs <= ours:
        more = {(hex_, tile, frozenset(catalogue.list_lines(tile, turned))) for hex_, tile, turned in ours - theirs}
        if more <= shapes and all(lines for _, _, lines in more):
            return LOOK_ALIKE
    return f"{line['index']} {kind}: {sorted(ours ^ theirs)}"


@pytest.mark.recorded
def test_they_differ_in_these_three_ways_only() -> None:
    """All that the site really accepted, move by move: 388 lists of moves are equal, 36 differ in a way told above."""
    ours = {line.index: line.before or {} for line in trace_recorded()}
    same: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    for line in oracle("legal"):
        for kind, theirs in read_accepted(line).items():
            found = list_ours(ours.get(line["index"], {}), kind)
            if found == theirs:
                same[kind] += 1
            else:
                ways[why(line, kind, found, theirs)] += 1
    assert ways == {NOT_A_MOVE: 15, NOT_THE_LOT: 8, LOOK_ALIKE: 13}
    assert same == {"buy": 79, "dividend": 65, "par": 46, "sell": 94, "tokens": 39, "track": 65}
