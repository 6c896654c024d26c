"""What places are called: hexes, stops, the way of a run."""

from collections.abc import Mapping, Sequence

from engine.rails.board import Board
from engine.rails.graph import Node
from engine.rails.maps import HexSpec, Map

MOST_STOPS = 7
"""Stops of a run that are named; of a longer one the first and the last."""


def plain(hexes: Mapping[str, HexSpec], coord: str) -> str:
    """Return a hex as a sentence has it: "Shalcombe (C7)", "F8" where nothing is there."""
    return hexes[coord].called if coord in hexes else coord


def numbered(of: Map, coord: str) -> str:
    """Return a hex as a list has it: "C7 Shalcombe"."""
    return f"{coord} {of.hexes[coord].name}".strip()


def stop(board: Board, node: Node) -> str:
    """Return a stop by its own name, that of its hex, or the hex."""
    return board.tile(node.coord).stops[node.index].name or board.spec(node.coord).name or node.coord


def way(board: Board, nodes: Sequence[int], left_out: int = 0) -> str:
    """Return the stops of a run: "Newport–Cowes–(Ryde)"; stops of one name follow one another once.

    Args:
        board: the tiles.
        nodes: stops passed, in order.
        left_out: bits of those that do not count.
    """
    graph = board.graph
    names: list[str] = []
    for node in nodes:
        name = stop(board, graph.nodes[node])
        name = f"({name})" if left_out >> node & 1 else name
        if not names or names[-1].strip("()") != name.strip("()"):
            names.append(name)
        elif names[-1] != name:
            names[-1] = name.strip("()")
    if len(names) > MOST_STOPS:
        first, last = "–".join(names[: MOST_STOPS - 3]), "–".join(names[-2:])
        return f"{first} … {last}, {len(names)} stops"
    return "–".join(names)
