"""All paths that one type of train of 1862 can run (§7.4, §7.8): each with its ends and its length."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.rails.board import NOWHERE
from engine.rails.routes import SearchTooLarge, list_bits
from engine.titles.g1862.catalogue import Kind
from engine.titles.g1862.running.runs import Survey

MAX_PATHS = 400_000

NO_END = -1


class Path(NamedTuple):
    """A path: bits of its nodes, and of its links above them; its length; the numbers of its ends."""

    bits: int
    length: int
    a: int
    b: int


class _Arc(NamedTuple):
    """A way to the next stop.

    ``end`` is the number of the end there, or ``NO_END``; ``test`` the bits that must be free,
    ``taken`` the bits it takes; ``length`` what it adds.
    """

    onward: "list[_Arc]"
    end: int
    test: int
    taken: int
    length: int


def find_paths(survey: Survey, kind: Kind, most: int, limit: int = MAX_PATHS) -> list[Path]:
    """Return every path of a type of train that is at most so long, each once, in a fixed order.

    The length of a Freight is its steps from hex to hex, of others the large
    stations and areas they visit. From each own marker two arms grow; then
    that station is closed to the paths from the next.

    Raises:
        SearchTooLarge: there are more than ``limit`` paths.

    Rule: 1862 §7.4, §7.8, §7.8.3, §7.8.2, §7.8.1.
    """
    growth = _Growth(most, limit)
    closed = 0 if kind != "local" else survey.areas
    closed |= survey.closed
    reach = _find_around(survey, survey.closed)
    own = sorted(list_bits(survey.own & reach), key=lambda node: not survey.home >> node & 1)
    start = 0 if kind == "freight" else 1
    for via in own:
        table = _list_arcs(survey, kind, closed)
        growth.own_end = survey.find_end(via, NOWHERE).number
        ways = table[via]
        for number, way in enumerate(ways):
            growth.rest = ways[number + 1 :]
            growth.grow_head((way,), 1 << via, start)
        closed |= 1 << via
    return growth.found


def _find_around(survey: Survey, closed: int) -> int:
    """Return the stops that runs can be connected with home by: track leads there, also beyond full cities."""
    seen, waiting = survey.home, list_bits(survey.home)
    dead_ends = closed if survey.rules.meet_anywhere else survey.areas | closed
    while waiting:
        for way in survey.graph.exits[waiting.pop()]:
            if not (seen | closed) >> way.to & 1:
                seen |= 1 << way.to
                if not dead_ends >> way.to & 1:
                    waiting.append(way.to)
    return seen


def _list_arcs(survey: Survey, kind: Kind, closed: int) -> list[list[_Arc]]:
    """Return for each node the ways out of it, but for those to closed nodes."""
    # A path ends in one port and one red area at most: each such end takes a bit of its own.
    port = 1 << (survey.links_at + len(survey.graph.links))
    red = port << 1
    length: Callable[[int, int], int]
    if kind == "freight":
        length = lambda to, link: survey.list_steps(link)  # noqa: E731, ARG005
    else:
        length = lambda to, link: (survey.large | survey.areas) >> to & 1  # noqa: E731, ARG005
    table: list[list[_Arc]] = [[] for _ in survey.nodes]
    for node, exits in enumerate(survey.graph.exits):
        if survey.terminal >> node & 1:
            continue
        for way in exits:
            to = way.to
            if closed >> to & 1:
                continue
            test = 1 << to | (port if survey.ports >> to & 1 else 0) | (red if survey.reds >> to & 1 else 0)
            taken = test | 1 << (survey.links_at + way.link)
            end = NO_END if survey.towns >> to & 1 else survey.find_end(to, way.link).number
            table[node].append(_Arc(table[to], end, test, taken, length(to, way.link)))
    return table


class _Growth:
    """The two arms of a path on trial, and the paths found."""

    def __init__(self, most: int, limit: int) -> None:
        self.most = most
        self.limit = limit
        self.found: list[Path] = []
        self.own_end = NO_END
        self.rest: Sequence[_Arc] = ()

    def grow_head(self, ways: Sequence[_Arc], used: int, length: int) -> None:
        """Grow the first arm, from the own marker; wherever it can end, grow the other."""
        for onward, end, test, taken, more in ways:
            longer = length + more
            if used & test or longer > self.most:
                continue
            now = used | taken
            if end != NO_END:
                self.found.append(Path(now, longer, self.own_end, end))
                self.grow_tail(self.rest, now, longer, end)
            self.grow_head(onward, now, longer)

    def grow_tail(self, ways: Sequence[_Arc], used: int, length: int, other: int) -> None:
        """Grow the second arm; wherever it can end, there is a path."""
        for onward, end, test, taken, more in ways:
            longer = length + more
            if used & test or longer > self.most:
                continue
            if end != NO_END:
                self.found.append(Path(used | taken, longer, end, other))
            self.grow_tail(onward, used | taken, longer, other)
        if len(self.found) > self.limit:
            raise SearchTooLarge
