"""What places are called: hexes, stops, the way of a run; what a tile joins and pays there, whom a base keeps out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engine.hex_view import Token
from engine.printed import Units
from engine.rails.board import Board, Node
from engine.rails.laying import LayTile, find_printed_value
from engine.rails.maps import HexSpec, Map, opposite_side
from engine.rails.reach import Bases, Place, find_base_nodes, find_full_cities, find_reach
from engine.rails.tiles import SIDES
from engine.words import join_words

MAX_STOPS_NAMED = 7
"""Stops of a run that are named; of a longer one the first and the last."""
MAX_NAME = 16
"""Letters of a place in a menu of many lays."""
MAX_PAIRS_NAMED = 3
"""Pairs of stops that are told to be joined by a tile."""


def write_hex(hexes: Mapping[str, HexSpec], coord: str) -> str:
    """Return a hex as a sentence has it: "Shalcombe (C7)", "F8" where nothing is there."""
    return hexes[coord].full_name if coord in hexes else coord


def name_place(of: Map, coord: str) -> str:
    """Return a hex by its name alone: "Shalcombe", "F8" where nothing is there."""
    return of.hexes[coord].name or coord


def write_hex_for_list(of: Map, coord: str) -> str:
    """Return a hex as a list has it: "C7 Shalcombe"."""
    return f"{coord} {of.hexes[coord].name}".strip()


def write_stop(board: Board, node: Node) -> str:
    """Return a stop by its own name, that of its hex, or the hex."""
    return board.tile(node.coord).stops[node.index].name or board.spec(node.coord).name or node.coord


def write_stops(board: Board, nodes: Sequence[int], left_out: int = 0) -> str:
    """Return the stops of a run: "Newport–Cowes–(Ryde)"; stops of one name follow one another once.

    Args:
        board: the tiles.
        nodes: stops passed, in order.
        left_out: bits of those that do not count.
    """
    graph = board.graph
    names: list[str] = []
    for node in nodes:
        name = write_stop(board, graph.nodes[node])
        name = f"({name})" if left_out >> node & 1 else name
        if not names or names[-1].strip("()") != name.strip("()"):
            names.append(name)
        elif names[-1] != name:
            names[-1] = name.strip("()")
    if len(names) > MAX_STOPS_NAMED:
        first, last = "–".join(names[: MAX_STOPS_NAMED - 3]), "–".join(names[-2:])
        return f"{first} … {last}, {len(names)} stops"
    return "–".join(names)


@lru_cache(maxsize=256)  # the turn message and the desk show the same lays
def describe_new_links(before: Board, after: Board, coord: str) -> str:
    """Return what a tile on a hex newly links: "joins Newport to Cowes, open to Ryde"; else where it leads."""
    old = _list_joined_pairs(before, coord)
    partners: dict[str, list[str]] = {}
    own = after.spec(coord).name
    for a, b in sorted(_list_joined_pairs(after, coord) - old, key=lambda pair: (own not in pair, pair)):
        first, second = (b, a) if b == own else (a, b)
        partners.setdefault(first, []).append(second)
    new, spec = after.tile(coord).sides & ~before.tile(coord).sides, after.spec(coord)
    ahead = {
        side: there
        for side in SIDES
        if new >> side & 1 and spec.open >> side & 1 and (there := after.map.find_neighbour(coord, side)) is not None
    }
    if partners:
        joined = list(partners.items())[:MAX_PAIRS_NAMED]
        told = "joins " + ", ".join(f"{one} to {join_words(others)}" for one, others in joined)
        ends = [
            there.name or there.coord
            for side, there in ahead.items()
            if not after.tile(there.coord).sides >> opposite_side(side) & 1
        ]
        through = [there.coord for there in ahead.values() if any(s.kind == "offboard" for s in there.printed.stops)]
        told += f", through {join_words(through)}" if through else ""  # of an area, which has several hexes
        return f"{told}, open to {join_words(list(dict.fromkeys(ends)))}" if ends else told
    names = list(dict.fromkeys(there.name or there.coord for there in ahead.values()))
    return f"towards {join_words(names)}" if names else "adds no connection"


@lru_cache(maxsize=32)
def _list_joined_pairs(board: Board, coord: str) -> set[tuple[str, str]]:
    """Return the names of stops that track over a hex joins."""
    graph = board.graph
    found = set()
    for link in graph.links:
        if coord in link.coords:
            a, b = sorted((write_stop(board, graph.nodes[link.a]), write_stop(board, graph.nodes[link.b])))
            if a != b:
                found.add((a, b))
    return found


def describe_value(before: Board, after: Board, coord: str, units: Units) -> str:
    """Return what a tile pays, and what was paid there before: " · pays £30→£40"; nothing without a stop."""
    old, new = find_printed_value(before, coord), find_printed_value(after, coord)
    return f" · pays {f'{units.money(old)}→' if old not in (0, new) else ''}{units.money(new)}" if new else ""


def describe_tile_for_hex(before: Board, after: Board, lay: LayTile, units: Units, left: int) -> str:
    """Return a tile for a hex that is chosen: "joins Newport to Cowes · pays £30→£40 · tile 12 ↻3, 2 left"."""
    pays = describe_value(before, after, lay.hex, units)
    return f"{describe_new_links(before, after, lay.hex)}{pays} · tile {lay.tile} ↻{lay.rotation}, {left} left"


def describe_lay(before: Board, after: Board, lay: LayTile) -> str:
    """Return a tile on a hex as a button has it: "Tile 12 on Shalcombe (C7): joins Newport to Cowes"."""
    return f"Tile {lay.tile} on {write_hex(before.map.hexes, lay.hex)}: {describe_new_links(before, after, lay.hex)}"


def write_lay_for_menu(of: Map, lay: LayTile) -> str:
    """Return a tile on a hex in few words: "H4 Wootton, 783 ↻5"."""
    return f"{lay.hex} {shorten_name(of.hexes[lay.hex].name)}".strip() + f", {lay.tile} ↻{lay.rotation}"


def shorten_name(name: str) -> str:
    """Return the first words of a name: "Wootton" of "Wootton & Havenstreet", "Wells" of "Wells-Next-The-Sea"."""
    first = re.split(r" & |[,/(]", name)[0].strip()
    return clip_words(first if len(first) <= MAX_NAME else first.partition("-")[0], MAX_NAME)


def clip_words(name: str, most: int) -> str:
    """Return the first words of a name, as many as fit; of a longer word its beginning."""
    return name if len(name) <= most else name[:most].rpartition(" ")[0] or name[:most]


def find_shut_out(board: Board, bases: Bases, place: Place, company: str, others: Iterable[str]) -> list[str]:
    """Return the companies that could run through a city, and no more once a company has its base there."""
    graph, node = board.graph, board.graph.node_at[place]
    then = {**bases, place: (*bases.get(place, ()), Token(company))}
    found = []
    for other in others:
        blocked = find_full_cities(graph, bases, other)
        reaches = find_reach(graph, find_base_nodes(graph, bases, other), blocked).nodes >> node & 1
        if reaches and not blocked >> node & 1 and find_full_cities(graph, then, other) >> node & 1:
            found.append(other)
    return found


def describe_blocking(board: Board, bases: Bases, place: Place, company: str, others: Iterable[str]) -> str:
    """Return whom a base would keep out of a city: "blocks IOW and FYN", "blocks no one"."""
    blocked = find_shut_out(board, bases, place, company, others)
    return f"blocks {join_words(blocked)}" if blocked else "blocks no one"
