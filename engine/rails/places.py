"""What places are called: hexes, stops, the way of a run; what a tile joins and pays there, whom a base keeps out."""

from collections.abc import Iterable, Mapping, Sequence

from engine.hex_view import Token
from engine.printed import Units
from engine.rails.board import Board
from engine.rails.graph import Node
from engine.rails.laying import LayTile, worth
from engine.rails.maps import HexSpec, Map
from engine.rails.reach import Bases, Place, nodes_of, reachable, tokened_out
from engine.rails.tiles import SIDES
from engine.words import listed

MOST_STOPS = 7
"""Stops of a run that are named; of a longer one the first and the last."""
MOST_PAIRS = 3
"""Pairs of stops that are told to be joined by a tile."""


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


def joins(before: Board, after: Board, coord: str) -> str:
    """Return what a tile on a hex newly links: "joins Newport to Cowes and Ryde"; else where it leads."""
    old = _pairs(before, coord)
    partners: dict[str, list[str]] = {}
    own = after.spec(coord).name
    for a, b in sorted(_pairs(after, coord) - old, key=lambda pair: (own not in pair, pair)):
        first, second = (b, a) if b == own else (a, b)
        partners.setdefault(first, []).append(second)
    if partners:
        return "joins " + ", ".join(f"{one} to {listed(others)}" for one, others in list(partners.items())[:MOST_PAIRS])
    new = after.tile(coord).sides & ~before.tile(coord).sides
    spec = after.spec(coord)
    ahead = [after.map.beyond(coord, side) for side in SIDES if new >> side & 1 and spec.open >> side & 1]
    names = list(dict.fromkeys(there.name or there.coord for there in ahead if there is not None))
    return f"towards {listed(names)}" if names else "adds no connection"


def _pairs(board: Board, coord: str) -> set[tuple[str, str]]:
    """Return the names of stops that track over a hex joins."""
    graph = board.graph
    found = set()
    for link in graph.links:
        if coord in link.coords:
            a, b = sorted((stop(board, graph.nodes[link.a]), stop(board, graph.nodes[link.b])))
            if a != b:
                found.add((a, b))
    return found


def value(before: Board, after: Board, coord: str, units: Units) -> str:
    """Return what a tile pays, and what was paid there before: " · pays £30→£40"; nothing without a stop."""
    old, new = worth(before, coord), worth(after, coord)
    return f" · pays {f'{units.money(old)}→' if old not in (0, new) else ''}{units.money(new)}" if new else ""


def tile_told(before: Board, after: Board, lay: LayTile, units: Units, left: int) -> str:
    """Return a tile for a hex that is chosen: "joins Newport to Cowes · pays £30→£40 · tile 12 ↻3, 2 left"."""
    pays = value(before, after, lay.hex, units)
    return f"{joins(before, after, lay.hex)}{pays} · tile {lay.tile} ↻{lay.rotation}, {left} left"


def lay_told(before: Board, after: Board, lay: LayTile) -> str:
    """Return a tile on a hex as a button has it: "Tile 12 on Shalcombe (C7): joins Newport to Cowes"."""
    return f"Tile {lay.tile} on {plain(before.map.hexes, lay.hex)}: {joins(before, after, lay.hex)}"


def shut_out(board: Board, bases: Bases, place: Place, company: str, others: Iterable[str]) -> list[str]:
    """Return the companies that could run through a city, and no more once a company has its base there."""
    graph, node = board.graph, board.graph.node_at[place]
    then = {**bases, place: (*bases.get(place, ()), Token(company))}
    found = []
    for other in others:
        blocked = tokened_out(graph, bases, other)
        reaches = reachable(graph, nodes_of(graph, bases, other), blocked).nodes >> node & 1
        if reaches and not blocked >> node & 1 and tokened_out(graph, then, other) >> node & 1:
            found.append(other)
    return found


def blocks_told(board: Board, bases: Bases, place: Place, company: str, others: Iterable[str]) -> str:
    """Return whom a base would keep out of a city: "blocks IOW and FYN", "blocks nobody"."""
    blocked = shut_out(board, bases, place, company, others)
    return f"blocks {listed(blocked)}" if blocked else "blocks nobody"
