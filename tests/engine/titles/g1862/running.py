"""Positions to run in: the recorded game's boards, and small ones in a line of text."""

from collections.abc import Iterator
from functools import cache
from typing import Any, TypedDict, Unpack

import pytest

from engine.errors import RuleError
from engine.hex_view import Token
from engine.interop.g1862.profile import RUNS as SITE
from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex, find_neighbour
from engine.rails.tiles import STOP, Manifest, Tile
from engine.titles.g1862.catalogue import FACES, Kind, load_map
from engine.titles.g1862.running.check import check_plan
from engine.titles.g1862.running.plan import read_plan
from engine.titles.g1862.running.runs import Plan, Problem, RunRules
from tests.support.beside import lines

ENR = "F3 57/0, F5 790/2, G6 8851/2, G8 14/0, H7 57/1, F9 8851/0, F11 791/1"
"""The board of the rulebook's last page."""
LINE = "E2 city 20: F3; F3 city 20: E2 F5; F5 city 40 2: F3 F7; F7 city 30: F5 F9; F9 city 30: F7"
LEVELS = {"A": "AB", "B": "AB", "C": "CD", "D": "CD"}
_BANDS = {"white": "AB", "gray": "CD", "purple": "EH"}


def read_recorded_turns() -> Iterator[dict[str, Any]]:
    """Yield the turns of the recorded game in which trains ran."""
    return lines("oracle/1862/best-46925.jsonl.gz")


@cache
def _sea() -> frozenset[str]:
    return frozenset(("E0", "D1", "F1", "C2", "G2", "I4", "I6", "I8", "H9", "H11", "H13", "G14", "F15"))


def _stop(node: dict[str, Any]) -> str:
    if node["kind"] == "offboard":
        values = "|".join(f"{_BANDS[colour]}_{value}" for colour, value in node["revenue"].items())
        return f"offboard=revenue:{values},name:{node['groups'][0]}"
    value = next(iter(node["revenue"].values()), 0)
    return f"city=revenue:{value},slots:{node['slots']}" if node["kind"] == "city" else f"town=revenue:{value}"


def _hex(coord: str, there: dict[str, Any]) -> PrintedHex:
    places = {node["index"]: number for number, node in enumerate(there["nodes"])}
    parts = [_stop(node) for node in there["nodes"]]
    for path in there["paths"]:
        a, b = (str(end[1]) if end[0] == "edge" else f"_{places[end[1]]}" for end in (path["a"], path["b"]))
        parts.append(f"path=a:{a},b:{b}")
    ink = {"red": "red"}.get(there["color"], "sea" if coord in _sea() else "plain")
    return PrintedHex(code=";".join(parts), ink=ink)


def board_of(row: dict[str, Any]) -> Board:
    """Return the board of a recorded turn, its tiles as if printed."""
    hexes = {coord: _hex(coord, there) for coord, there in row["board"].items()}
    return Board(Map("recorded", hexes, (), Manifest({}, {})))


def problem_of(row: dict[str, Any], rules: RunRules = SITE) -> Problem:
    """Return what a company of the recorded game had to run."""
    bases = {}
    home = None
    for coord, there in row["board"].items():
        for number, node in enumerate(there["nodes"]):
            tokens = tuple(Token(token[0]) for token in node["tokens"] if token)
            if tokens:
                bases[coord, number] = tokens
                if coord == row["home"] and any(token.company == row["corporation"] for token in tokens):
                    home = (coord, number)
    return Problem(
        board_of(row),
        row["corporation"],
        bases,
        home,
        tuple(FACES[train["name"].rstrip("*")] for train in row["trains"]),
        london=row["flags"]["london_link"],
        permits=tuple(row["flags"]["permits"]),
        level=LEVELS.get(row["phase"], "EH"),
        rules=rules,
    )


def lay_out(tiles: str) -> Board:
    """Read "F3 57/0, C12 20+1/0": hex, tile with the lines that bear small stations, rotation."""
    board = Board(load_map())
    for word in filter(None, tiles.split(", ")):
        coord, tile = word.split()
        name, _, rotation = tile.partition("/")
        board = board.with_tile(coord, name, int(rotation or 0))
    return board


def read_board(track: str) -> Board:
    """Read "E2 city 30: D1 E4; C12 town 20: B13 D11 | line: C10 C14": what leads from a hex to which neighbours.

    Ports and red areas are as printed.
    """
    printed = load_map().hexes
    hexes = {coord: _area(spec.printed) for coord, spec in printed.items() if spec.printed.colour in {"red", "sea"}}
    for word in track.split(";"):
        coord, _, rest = word.strip().partition(" ")
        hexes[coord] = PrintedHex(code=_lines(coord, rest))
    return Board(Map("drawn", hexes, (), Manifest({}, {})))


def _area(tile: Tile) -> PrintedHex:
    parts = [f"offboard=revenue:{'|'.join(f'{a}_{b}' for a, b in stop.values)},name:{stop.name}" for stop in tile.stops]
    parts += [f"path=a:{side},b:_{stop - STOP}" for side, stop in tile.track]
    return PrintedHex(code=";".join(parts), ink=tile.colour)


def _lines(coord: str, text: str) -> str:
    parts: list[str] = []
    stops = 0
    for line in text.split("|"):
        what, _, there = line.partition(":")
        sides = [next(s for s in range(6) if find_neighbour(coord, s) == far) for far in there.split()]
        words = what.split()
        if words == ["line"]:
            parts.append(f"path=a:{sides[0]},b:{sides[1]}")
            continue
        slots = f",slots:{words[2] if len(words) > 2 else 1}" if words[0] == "city" else ""
        parts.insert(stops, f"{words[0]}=revenue:{words[1]}{slots}")
        parts += [f"path=a:{side},b:_{stops}" for side in sides]
        stops += 1
    return ";".join(parts)


class Terms(TypedDict, total=False):
    """What else may be said of a company that runs."""

    london: bool
    permits: tuple[Kind, ...]
    level: str
    rules: RunRules


def company(board: Board, markers: str, trains: str, **more: Unpack[Terms]) -> Problem:
    """Return a company with markers at "F3 F5", its home first; others stand as "X:F11" or two of them as "X:F11:2"."""
    bases: dict[tuple[str, int], tuple[Token, ...]] = {}
    home = None
    for word in markers.split():
        owner, coord, many = (*word.split(":"), "1")[:3] if ":" in word else ("ENR", word, "1")
        for number in range(int(many)):
            bases[coord, 0] = (*bases.get((coord, 0), ()), Token(owner + "'" * number))
        home = home or (coord, 0)
    return Problem(board, "ENR", bases, home, tuple(FACES[name] for name in trains.split()), **more)


def enr(trains: str, **more: Unpack[Terms]) -> Problem:
    """Return the ENR of the rulebook's last page with these trains."""
    return company(lay_out(ENR), "F3", trains, **more)


def run(problem: Problem, text: str) -> Plan:
    """Return what typed runs earn, if they are legal."""
    return check_plan(problem, read_plan(problem, text))


def explain_refusal(problem: Problem, text: str) -> str:
    """Return why typed runs are refused, with the rule."""
    with pytest.raises(RuleError) as error:
        run(problem, text)
    return str(error.value)
