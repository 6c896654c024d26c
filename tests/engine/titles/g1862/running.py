"""Positions to run in: the recorded game's boards, and small ones in a line of text."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import Manifest
from engine.titles.g1862.catalogue import FACES
from engine.titles.g1862.runs import SITE, Problem, RunRules
from engine.view import Token

SHARED = Path(__file__).resolve().parents[5] / "shared"
LEVELS = {"A": "AB", "B": "AB", "C": "CD", "D": "CD"}
_BANDS = {"white": "AB", "gray": "CD", "purple": "EH"}


def recorded() -> Iterator[dict[str, Any]]:
    """Yield the turns of the recorded game in which trains ran."""
    path = SHARED / "oracle" / "1862" / "best-46925.jsonl.gz"
    if not path.exists():
        pytest.skip("../shared/oracle is not here")
    with gzip.open(path, "rt") as lines:
        yield from map(json.loads, lines)


@cache
def _sea() -> frozenset[str]:
    return frozenset("E0 D1 F1 C2 G2 I4 I6 I8 H9 H11 H13 G14 F15".split())


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
