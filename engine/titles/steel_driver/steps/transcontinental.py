"""The transcontinental link, once in a game."""

from collections import deque
from itertools import combinations

from engine.record import Record
from engine.title import Tell
from engine.titles.steel_driver import events
from engine.titles.steel_driver.state import COMPANIES, NOBODY, State

BUILDER_BONUS = 50
OTHER_BONUS = 30
_FAR = 1 << 20


class PaidLine(Record, frozen=True):
    """Who is paid for a line from end to end, builder included, and its length in links."""

    companies: frozenset[int]
    links: int


def award_bonus(state: State, builder: int, tell: Tell) -> None:
    """Pay the bonus when the link just built joins the two ends."""
    if state.joined:
        return
    line = find_paid_line(state, builder)
    if line is None:
        return
    state.joined = True
    others = sorted(line.companies - {builder})
    state.companies[builder].profit += BUILDER_BONUS
    for other in others:
        state.companies[other].profit += OTHER_BONUS
    brands = state.board.companies
    names = tuple(brands[other].name for other in others)
    tell(events.LineJoined(brands[builder].name, BUILDER_BONUS, names, OTHER_BONUS, line.links))


def find_paid_line(state: State, builder: int) -> PaidLine | None:
    """Return the companies that share in the line, ``None`` while there is none.

    Fewest companies first, then fewest links; all companies of tied paths are
    paid. With the option ``all_links`` off, links of companies that belong to
    every candidate path are not counted.
    """
    everyone = (1 << COMPANIES) - 1
    if measure_distance(state, everyone, everyone) is None:
        return None
    others = [number for number in range(COMPANIES) if number != builder]
    for size in range(1, COMPANIES + 1):
        sets = [1 << builder | sum(1 << number for number in rest) for rest in combinations(others, size - 1)]
        lengths = {members: measure_distance(state, members, everyone) for members in sets}
        able = {members: length for members, length in lengths.items() if length is not None}
        if able:
            return _join_shortest(state, able)
    return None


def _join_shortest(state: State, able: dict[int, int]) -> PaidLine:
    """Return the union of the sets whose path has the fewest links that count."""
    counted = able
    if not state.rules.all_links:
        shared = (1 << COMPANIES) - 1
        for members in able:
            shared &= members
        counted = {members: measure_distance(state, members, ~shared) or 0 for members in able}
    least = min(counted.values())
    best = [members for members, length in counted.items() if length == least]
    paid = frozenset(number for number in range(COMPANIES) if any(members >> number & 1 for members in best))
    return PaidLine(paid, min(able[members] for members in best))


def measure_distance(state: State, allowed: int, counted: int) -> int | None:
    """Return the fewest counted links on a path between the two ends.

    Args:
        state: the position.
        allowed: set of companies whose links may be used.
        counted: set of companies whose links count; the others are free.
    """
    start, goal = state.board.ends
    exits, owner = state.board.exits, state.owner
    best = [_FAR] * len(exits)
    best[start] = 0
    queue = deque([start])
    while queue:
        place = queue.popleft()
        so_far = best[place]
        for route, other, _ in exits[place]:
            company = owner[route]
            if company == NOBODY or not allowed >> company & 1:
                continue
            step = counted >> company & 1
            if so_far + step < best[other]:
                best[other] = so_far + step
                if step:
                    queue.append(other)
                else:
                    queue.appendleft(other)
    return None if best[goal] == _FAR else best[goal]


def would_join(state: State, a: int, b: int) -> bool:
    """Return whether a link between two places would make the transcontinental link."""
    if state.joined:
        return False
    west, east = (find_joined_places(state, end) for end in state.board.ends)
    ends = 1 << a | 1 << b
    return bool(ends & west and ends & east)


def find_joined_places(state: State, end: int) -> int:
    """Return the set of places joined to a place by links of any companies, itself included."""
    seen = 1 << end
    stack = [end]
    while stack:
        for route, other, _ in state.board.exits[stack.pop()]:
            if state.owner[route] != NOBODY and not seen >> other & 1:
                seen |= 1 << other
                stack.append(other)
    return seen
