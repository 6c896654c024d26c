"""Steel Driver as 0.2 played it: a rival, kept as it was.

It values companies by what their next links can earn, builds what pays most
for a cube, reaches for colours a company lacks, and claims cubes others could
take. It sees the same as all others: nothing in this game is hidden.
"""

from engine.finance.rounds import Pass
from engine.record import Action
from engine.setup import Rng
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.state import NOBODY, TURNS, State, find_acting, list_members
from engine.titles.steel_driver.steps import bidding, building, goods
from engine.titles.steel_driver.steps.building import BUILDER_BONUS, Lay, find_joined_places

NEW_COLOUR = 28
EXTENSION = 14
MAX_LINK_CUBES = 6


def choose(state: State, seat: int, rng: Rng) -> Action:
    """Return a move for a seat that is to decide."""
    if state.phase == "auction":
        return _raise_bid(state, seat, rng) if state.sale else _open_auction(state, seat, rng)
    if state.phase == "build":
        gains = _Gains(state)
        lay = max(
            building.list_lays(state, find_acting(state)), key=lambda lay: gains.per_cube(lay) * (75 + rng.below(51))
        )
        return _name_build(state, lay)
    return rank_claims(state)[0]


def rank_claims(state: State) -> list[Claim]:
    """Return the cubes the company to act may claim, the most wanted first.

    A cube that opens a wider set comes first, then one that others could take.
    """
    number = find_acting(state)
    company = state.companies[number]
    rivals = [state.companies[other].network for other in state.order if other != number and other not in state.passed]
    reach = list(list_members(goods.find_places_in_reach(state, number)))
    scarce = [0] * len(GOODS)
    for place in reach:
        scarce[state.board.places[place].goods] += 1

    def want(place: int) -> tuple[int, int, int]:
        colour = state.board.places[place].goods
        contested = sum(network >> place & 1 for network in rivals)
        return (company.goods[colour] * 3 - min(contested, 3), scarce[colour], -contested)

    return [Claim(state.board.places[place].id) for place in sorted(reach, key=want)]


def _open_auction(state: State, seat: int, rng: Rng) -> Action:
    """Put up the company liked best, at about half of what it is worth."""
    number = max(
        bidding.list_available(state), key=lambda number: _estimate_appeal(state, number) * (80 + rng.below(41))
    )
    limit = min(_choose_limit(state, number, rng), state.cubes[seat])
    if limit < 1:
        return Pass()
    return Open(state.board.ids[number], max(1, limit // 2))


def _raise_bid(state: State, seat: int, rng: Rng) -> Action:
    """Raise while the company is worth it."""
    sale = state.sale
    if sale is None or sale.bid >= min(_choose_limit(state, sale.company, rng), state.cubes[seat]):
        return Pass()
    return Raise(sale.bid + 1)


def _choose_limit(state: State, number: int, rng: Rng) -> int:
    """Return how high a player goes: what the company is worth, more or less."""
    return _estimate_worth_in_percent(state, number) * (80 + rng.below(41)) // 10_000


def _estimate_worth_in_percent(state: State, number: int) -> int:
    """Return the worth of a company in hundredths of a cube."""
    offered = bidding.list_available(state)
    appeals = sum(_estimate_appeal(state, other) for other in offered)
    spending = sum(state.cubes) * (100 if state.turn == TURNS else 95)
    return spending * _estimate_appeal(state, number) // appeals


def _estimate_appeal(state: State, number: int) -> int:
    """Return how attractive a company is: what a cube earns with its best links, and what lies in its box."""
    company, board = state.companies[number], state.board
    first = second = 0
    if company.links:
        for origin in list_members(company.network) if company.network else board.starts:
            for route, other, cost in board.exits[origin]:
                if state.owner[route] == NOBODY and not company.network >> other & 1 and cost <= MAX_LINK_CUBES:
                    rate = 100 * board.places[other].value // cost
                    if rate > first:
                        first, second = rate, first
                    elif rate > second:
                        second = rate
    return 1000 + first + second + 60 * company.treasury


class _Gains:
    """What links are worth to the company that is to build, for one decision."""

    def __init__(self, state: State) -> None:
        self._state = state
        network = state.companies[find_acting(state)].network
        self._colours = {state.board.places[place].goods for place in list_members(network)}
        self._west, self._east = (
            (0, 0) if state.joined else (find_joined_places(state, end) for end in state.board.ends)
        )

    def per_cube(self, lay: Lay) -> int:
        """Return dollars earned, with what the goods promise, for a hundred cubes."""
        gain = lay.value
        if self._brings_new_colour(lay):
            gain += NEW_COLOUR
        ends = 1 << lay.origin | 1 << lay.destination
        if ends & self._west:
            gain += BUILDER_BONUS if ends & self._east else EXTENSION
        return 100 * gain // lay.cost + 1

    def _brings_new_colour(self, lay: Lay) -> bool:
        return bool(lay.value) and self._state.board.places[lay.destination].goods not in self._colours


def _name_build(state: State, lay: Lay) -> Build:
    return Build(state.board.places[lay.origin].id, state.board.places[lay.destination].id)
