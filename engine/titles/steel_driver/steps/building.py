"""Phase 3: the companies build track, link by link, and once in a game the transcontinental link."""

from collections import deque
from collections.abc import Iterator
from itertools import combinations

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.steel_driver import events
from engine.titles.steel_driver.actions import Build
from engine.titles.steel_driver.rules import BUILDING
from engine.titles.steel_driver.state import (
    COMPANIES,
    NOBODY,
    Company,
    State,
    find_acting,
    find_place,
    let_next_act,
    list_members,
    skip_passed,
)
from engine.words import join_words, pluralise


class Lay(Record, frozen=True):
    """A link that may be built; ``value`` is what it adds to the profit."""

    company: int
    origin: int
    destination: int
    route: int
    cost: int
    value: int


def list_lays(state: State, number: int) -> Iterator[Lay]:
    """Yield every link a company may build.

    A link between two places that are both in the network is one option, not
    two: its origin is the place that comes first on the board.
    """
    company = state.companies[number]
    if company.controller == NOBODY or company.links == 0:
        return
    money, network, owner, places = company.treasury, company.network, state.owner, state.board.places
    for origin in list_members(network) if network else state.board.starts:
        for route, destination, cost in state.board.exits[origin]:
            if cost > money or owner[route] != NOBODY:
                continue
            if not network >> destination & 1:
                yield Lay(number, origin, destination, route, cost, places[destination].value)
            elif origin < destination:
                yield Lay(number, origin, destination, route, cost, 0)


def list_options(state: State) -> Iterator[Build]:
    """Yield every link of the company whose turn it is."""
    places = state.board.places
    for lay in list_lays(state, find_acting(state)):
        yield Build(places[lay.origin].id, places[lay.destination].id)


def check(state: State, action: Build) -> Lay:
    """Return the link, or say why it cannot be built.

    Raises:
        RuleError: the company cannot build this link.
    """
    number = find_acting(state)
    company, name = state.companies[number], state.board.companies[number].name
    origin, destination = (find_place(state, word) for word in (action.origin, action.destination))
    for place, word in ((origin, action.origin), (destination, action.destination)):
        if place == NOBODY:
            raise RuleError(f"There is no place “{word[:24]}” on this board.", BUILDING)
    here, there = state.board.places[origin].name, state.board.places[destination].name
    ways = [way for way in state.board.exits[origin] if way[1] == destination]
    if not ways:
        places = join_words([state.board.places[way[1]].name for way in state.board.exits[origin]])
        raise RuleError(f"There is no route from {here} to {there}; from {here} routes lead to {places}.", BUILDING)
    route, _, cost = ways[0]
    if state.owner[route] != NOBODY:
        builder = state.board.companies[state.owner[route]].name
        raise RuleError(f"{builder} has already built {here}–{there}; a route has room for only one link.", BUILDING)
    _check_origin(state, company, name, origin)
    if cost > company.treasury:
        raise RuleError(
            f"{here}–{there} costs {pluralise(cost, 'cube')}; {name} has {company.treasury} in its treasury.", BUILDING
        )
    known = company.network >> destination & 1
    if known and origin > destination:
        raise RuleError(f"{name} has track at both ends: write this link as {there}–{here}.", BUILDING)
    return Lay(number, origin, destination, route, cost, 0 if known else state.board.places[destination].value)


def _check_origin(state: State, company: Company, name: str, origin: int) -> None:
    """Refuse an origin the company cannot build from."""
    here = state.board.places[origin]
    if company.network == 0:
        if not here.start:
            starts = join_words([state.board.places[start].name for start in state.board.starts], "or")
            sentence = f"{name} can't start in {here.name}: a first link begins at a hexagon ({starts})."
            raise RuleError(sentence, BUILDING)
    elif not company.network >> origin & 1:
        raise RuleError(f"{name} has no track at {here.name}; it must build from a place it has reached.", BUILDING)


def turn_round(state: State, action: Build) -> Build:
    """Return a build said the other way round as the log has it.

    Once a company has track, only one direction of a route can be meant.
    """
    company = state.companies[find_acting(state)]
    origin, destination = (find_place(state, word) for word in (action.origin, action.destination))
    if NOBODY in (origin, destination):
        return action
    owned = (company.network >> origin & 1, company.network >> destination & 1)
    if owned == (0, 1):
        origin, destination = destination, origin
    elif owned == (1, 1):
        origin, destination = sorted((origin, destination))
    return Build(state.board.places[origin].id, state.board.places[destination].id)


def prefer_direction(state: State, action: Build) -> Build:
    """Return a company's first link in the direction that scores more; any other build as it is."""
    if NOBODY in (number := find_acting(state), origin := find_place(state, action.origin)):
        return action
    destination = find_place(state, action.destination)
    places = state.board.places
    here, there = places[origin], places[destination]
    if state.companies[number].network or destination == NOBODY or not (here.start and there.start):
        return action
    return Build(there.id, here.id) if (here.value, destination) > (there.value, origin) else action


def apply(state: State, lay: Lay, tell: Tell, *, forced: bool = False) -> None:
    """Build the link, score its destination, and pay a transcontinental bonus."""
    company, brand = state.companies[lay.company], state.board.companies[lay.company]
    first = company.network == 0
    if first:
        company.start = lay.origin
    company.network |= 1 << lay.origin | 1 << lay.destination
    company.treasury -= lay.cost
    company.links -= 1
    company.profit += lay.value
    state.owner[lay.route] = lay.company
    let_next_act(state)
    here, there = state.board.places[lay.origin].name, state.board.places[lay.destination].name
    seat = company.controller
    tell(events.LinkBuilt(seat, brand.name, here, there, lay.cost, lay.value, company.profit, first, forced))
    award_bonus(state, lay.company, tell)


def settle(state: State, tell: Tell) -> bool:
    """Do one thing that needs no decision; return whether there was one.

    A company that cannot build passes; one that has a single option builds it.
    """
    if is_over(state):
        return False
    if skip_passed(state):
        return True
    number = find_acting(state)
    found = list_lays(state, number)
    only = next(found, None)
    if only is None:
        _pass(state, number, tell)
        return True
    if next(found, None) is None:
        apply(state, only, tell, forced=True)
        return True
    return False


def is_over(state: State) -> bool:
    """Return whether all companies have passed."""
    return len(state.passed) == len(state.order)


def _pass(state: State, number: int, tell: Tell) -> None:
    """Move a company's token to the pass row."""
    company = state.companies[number]
    state.passed.append(number)
    let_next_act(state)
    if company.controller == NOBODY:
        reason = "no player controls it"
    elif company.links == 0:
        reason = "it has no links left"
    else:
        count = company.treasury
        reason = f"it can't build anything with {pluralise(count, 'cube')}" if count else "it has no cubes"
    tell(events.CompanyPassed(state.board.companies[number].name, reason, len(state.passed)))


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
