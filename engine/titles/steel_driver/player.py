"""The program's player: a value for companies, links and cubes, with weights that were found by playing.

``data/player.toml`` says how. It sees the same as all others: nothing in this game is hidden.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from engine.finance.rounds import Pass
from engine.printed import read_data
from engine.record import Action, Record
from engine.setup import Rng
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.board import GOODS
from engine.titles.steel_driver.state import NOBODY, State, find_acting, list_members
from engine.titles.steel_driver.steps import bidding, building, goods
from engine.titles.steel_driver.steps.building import BUILDER_BONUS, Lay, find_joined_places

MAX_LINK_CUBES = 6


class Weights(Record, frozen=True):
    """What a player wants, as weights.

    A company's appeal: ``basis``, dollars a hundred cubes of its ``first`` and ``second`` best link, and for each cube
    of its ``treasury``, share ``held``, share of ``others``, colour of goods in its ``network``, and ``end`` for each
    place of it, times the turn. A limit: the part that this appeal is of all on offer, of the cubes of ``all`` players
    and so many times one's ``own``, times one weight a turn; ``opening`` is the part of it to open at, ``jump`` the
    part of what is left to raise by.

    A link: its dollars, ``colour`` more for a new one, and ``share`` more of that for each share; ``extension`` of the
    line; ``bonus`` times what the line pays; ``onward`` times the dollars of the best link that follows; ``contested``
    if another company can take it; each by its cost and ``overhead``.

    A cube to claim: ``scarce`` for each in reach of its colour, ``rivals`` for each company that can take it.
    """

    basis: float
    first: float
    second: float
    treasury: float
    held: float
    others: float
    network: float
    end: float
    all: float
    own: float
    turns: tuple[float, ...]
    opening: float
    jump: float
    colour: float
    share: float
    extension: float
    bonus: float
    onward: float
    contested: float
    overhead: float
    scarce: float
    rivals: float


class Prospect(Record, frozen=True):
    """What a company promises, whoever has it: dollars a cube earns with its two best links, colours it has reached."""

    first: float
    second: float
    colours: int


@cache
def read_weights() -> Weights:
    """Return the weights of the player as it plays."""
    return read_data(__package__, "player.toml", Weights)


def choose(state: State, seat: int, rng: Rng) -> Action:
    """Return a move for a seat that is to decide."""
    return choose_by(state, seat, rng, read_weights())


def choose_by(state: State, seat: int, rng: Rng, weights: Weights) -> Action:
    """Return a move by some weights."""
    if state.phase == "auction":
        return _raise_bid(state, seat, rng, weights) if state.sale else _open_auction(state, seat, rng, weights)
    if state.phase == "build":
        return _name_build(state, pick_lay(state, weights))
    return rank_claims(state, weights)[0]


def pick_lay(state: State, weights: Weights) -> Lay:
    """Return the link that pays best for the company to act."""
    return max(building.list_lays(state, find_acting(state)), key=_Gains(state, weights).per_cube)


def rank_builds(state: State) -> list[Build]:
    """Return the links of the company to act, the best paying first."""
    gains = _Gains(state, read_weights())
    ranked = sorted(building.list_lays(state, find_acting(state)), key=gains.per_cube, reverse=True)
    return [_name_build(state, lay) for lay in ranked]


def rank_claims(state: State, weights: Weights | None = None) -> list[Claim]:
    """Return the cubes the company to act may claim, the most wanted first.

    A cube that opens a wider set comes first, then one that others could take.
    """
    wanted = weights or read_weights()
    number = find_acting(state)
    company = state.companies[number]
    rivals = [state.companies[other].network for other in state.order if other != number and other not in state.passed]
    reach = list(list_members(goods.find_places_in_reach(state, number)))
    scarce = [0] * len(GOODS)
    for place in reach:
        scarce[state.board.places[place].goods] += 1

    def want(place: int) -> float:
        colour = state.board.places[place].goods
        contested = sum(network >> place & 1 for network in rivals)
        return company.goods[colour] + wanted.scarce * scarce[colour] - wanted.rivals * min(contested, 3)

    return [Claim(state.board.places[place].id) for place in sorted(reach, key=want)]


def rank_companies(state: State) -> list[int]:
    """Return the companies that can be put up, the most attractive first."""
    seat, weights = state.marker, read_weights()
    return sorted(
        bidding.list_available(state),
        key=lambda number: -rate_appeal(state, number, seat, weights, find_prospect(state, number)),
    )


def estimate_worth(state: State, number: int) -> int:
    """Return what a company is worth in cubes in this turn to the player who is asked."""
    return int(find_limit(state, number, bidding.find_actor(state), read_weights()))


def explain_link(state: State, lay: Lay) -> str:
    """Return what speaks for a link besides its money, or nothing: "new colour black"."""
    return ", ".join(_Gains(state, read_weights()).list_reasons(lay))


def _open_auction(state: State, seat: int, rng: Rng, weights: Weights) -> Action:
    """Put up the company liked best, at a part of what it is worth."""
    offered = {number: find_prospect(state, number) for number in bidding.list_available(state)}
    number = choose_company(state, seat, rng, weights, offered)
    limit = min(vary(share_limit(state, number, seat, weights, offered), rng), state.cubes[seat])
    return Open(state.board.ids[number], max(1, int(limit * weights.opening))) if limit >= 1 else Pass()


def choose_company(state: State, seat: int, rng: Rng, weights: Weights, offered: Mapping[int, Prospect]) -> int:
    """Return the company that a player would put up: mostly the one liked best."""
    return max(
        offered,
        key=lambda number: rate_appeal(state, number, seat, weights, offered[number]) * (90 + rng.below(21)),
    )


def _raise_bid(state: State, seat: int, rng: Rng, weights: Weights) -> Action:
    """Raise while the company is worth it."""
    sale = state.sale
    assert sale is not None, "bids are raised in an auction"
    limit = min(vary(find_limit(state, sale.company, seat, weights), rng), state.cubes[seat])
    return Raise(sale.bid + 1 + int((limit - sale.bid - 1) * weights.jump)) if sale.bid + 1 <= limit else Pass()


def vary(limit: float, rng: Rng) -> float:
    """Return a limit a little higher or lower, so that others can't read it."""
    return limit * (95 + rng.below(11)) / 100


def find_limit(state: State, number: int, seat: int, weights: Weights) -> float:
    """Return how many cubes a player pays for a company at the most: its part of the cubes that are left."""
    offered = {each: find_prospect(state, each) for each in (*bidding.list_available(state), number)}
    return share_limit(state, number, seat, weights, offered)


def share_limit(state: State, number: int, seat: int, weights: Weights, offered: Mapping[int, Prospect]) -> float:
    """Return the limit of a player for a company, given what all that are on offer promise."""
    appeals = sum(rate_appeal(state, each, seat, weights, prospect) for each, prospect in offered.items())
    spending = weights.all * sum(state.cubes) + weights.own * state.cubes[seat]
    return (
        weights.turns[state.turn - 1] * spending * rate_appeal(state, number, seat, weights, offered[number]) / appeals
    )


def rate_appeal(state: State, number: int, seat: int, weights: Weights, prospect: Prospect) -> float:
    """Return how attractive a company is to a seat, at least a little."""
    company = state.companies[number]
    held = company.shares[seat]
    appeal = (
        weights.basis
        + weights.first * prospect.first
        + weights.second * prospect.second
        + weights.treasury * company.treasury
        + weights.held * held
        + weights.others * (sum(company.shares) - held)
        + weights.network * prospect.colours
        + weights.end * state.turn * company.network.bit_count()
    )
    return max(appeal, 1.0)


def find_prospect(state: State, number: int) -> Prospect:
    """Return what a company promises."""
    company, board, owner = state.companies[number], state.board, state.owner
    network, first, second = company.network, 0.0, 0.0
    colours = sum(1 for places in board.colours if places & network)
    if not company.links:
        return Prospect(first, second, colours)
    for origin in list_members(network) if network else board.starts:
        for route, other, cost in board.exits[origin]:
            if owner[route] == NOBODY and not network >> other & 1 and cost <= MAX_LINK_CUBES:
                rate = board.places[other].value / cost
                if rate > first:
                    first, second = rate, first
                elif rate > second:
                    second = rate
    return Prospect(first, second, colours)


class _Gains:
    """What links are worth to the company that is to build, for one decision."""

    def __init__(self, state: State, weights: Weights) -> None:
        self._state, self._weights = state, weights
        number = find_acting(state)
        company = state.companies[number]
        self._network = company.network
        self._colours = {state.board.places[place].goods for place in list_members(company.network)}
        self._share = 1 + weights.share * company.shares[company.controller] if company.controller != NOBODY else 1
        self._rivals = 0
        for other in state.order:
            if other != number and other not in state.passed:
                self._rivals |= state.companies[other].network
        self._west, self._east = (
            (0, 0) if state.joined else (find_joined_places(state, end) for end in state.board.ends)
        )

    def per_cube(self, lay: Lay) -> float:
        """Return dollars earned, with what the goods promise, for a cube."""
        weights = self._weights
        gain = lay.value + weights.onward * self._find_onward(lay)
        if self._brings_new_colour(lay):
            gain += weights.colour * self._share
        ends = 1 << lay.origin | 1 << lay.destination
        if ends & self._west:
            gain += weights.bonus * BUILDER_BONUS if ends & self._east else weights.extension
        if ends & self._rivals & ~self._network or self._rivals >> lay.origin & 1:
            gain += weights.contested
        return gain / (lay.cost + weights.overhead)

    def _find_onward(self, lay: Lay) -> float:
        """Return the most dollars a cube earns with a link beyond this one."""
        state, best = self._state, 0.0
        if not lay.value:
            return best
        for route, other, cost in state.board.exits[lay.destination]:
            if state.owner[route] == NOBODY and route != lay.route and not self._network >> other & 1:
                best = max(best, state.board.places[other].value / cost)
        return best

    def list_reasons(self, lay: Lay) -> Iterator[str]:
        """Yield what speaks for a link besides the dollars of its destination."""
        board = self._state.board
        if self._brings_new_colour(lay):
            yield f"new colour {GOODS[board.places[lay.destination].goods]}"
        ends = 1 << lay.origin | 1 << lay.destination
        if ends & self._west and not ends & self._east:
            yield f"extends the line from {board.places[board.ends[0]].name}"

    def _brings_new_colour(self, lay: Lay) -> bool:
        return bool(lay.value) and self._state.board.places[lay.destination].goods not in self._colours


def _name_build(state: State, lay: Lay) -> Build:
    return Build(state.board.places[lay.origin].id, state.board.places[lay.destination].id)
