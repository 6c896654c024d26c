"""Thinking ahead: what comes of a few moves when games are played on from them to the end.

All seats go on as the program's player plays, the others in more than one way, so that a move isn't chosen for a
weakness of one of them.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from engine.finance.rounds import Pass
from engine.record import Action
from engine.setup import Rng
from engine.thinking import Thought, compare, rate_lead
from engine.title import ignore_event
from engine.titles.steel_driver import player
from engine.titles.steel_driver.actions import Build, Open, Raise
from engine.titles.steel_driver.pictures.label import write_cubes
from engine.titles.steel_driver.player import Prospect, Weights, read_weights
from engine.titles.steel_driver.rounds import turn
from engine.titles.steel_driver.state import NOBODY, Sale, State, find_company
from engine.titles.steel_driver.steps import bidding, building

MAX_OPENED, MAX_RANKED = 3, 5
"""Companies to put up, and links or cubes, that are thought about."""
LAVISH = 1.25
"""How much more some rivals pay than the player would."""


def think(state: State, seat: int, rng: Rng, tries: int, boldness: int = 0) -> Thought:
    """Return the move that does best when games are played on from it, so many in all."""
    moves = _list_candidates(state, seat, rng)
    if len(moves) == 1 or tries < len(moves):
        return Thought(moves[0], find_reason(state, moves[0]))
    chance = rng.below(1 << 32)

    def try_out(action: Action, number: int) -> float:
        after = state.clone()
        turn.apply(after, turn.check(after, seat, action), ignore_event)
        _play_on(after, seat, Rng(chance + number), _list_others()[number % len(_list_others())])
        return rate_lead(after.cash, seat, boldness)

    found = compare(moves, try_out, tries)
    return Thought(found[0].action, find_reason(state, found[0].action), tuple(found))


def play_on(state: State, rng: Rng, games: int) -> list[list[int]]:
    """Return what each seat has at the end of so many games played on from a position."""
    chance, found = rng.below(1 << 32), []
    for number in range(games):
        after = state.clone()
        _play_on(after, NOBODY, Rng(chance + number), _list_others()[number % len(_list_others())])
        found.append(after.cash)
    return found


def _list_candidates(state: State, seat: int, rng: Rng) -> list[Action]:
    """Return the moves worth a thought, what the player would do at once first."""
    first = player.choose(state, seat, rng)
    if state.phase == "build":
        found = [first, *player.rank_builds(state)[:MAX_RANKED]]
    elif state.phase == "goods":
        found = [first, *player.rank_claims(state)[:MAX_RANKED]]
    elif state.sale:
        bid, most = state.sale.bid, state.cubes[seat]
        found = [first, Pass(), *(Raise(bid + more) for more in (1, 3) if bid + more <= most)]
    else:
        found = [first, Pass()]
        for number in player.rank_companies(state)[:MAX_OPENED]:
            limit = int(min(player.find_limit(state, number, seat, read_weights()), state.cubes[seat]))
            found += [Open(state.board.ids[number], bid) for bid in (1, limit // 2, limit) if bid > 0]
    return list(dict.fromkeys(found))


@cache
def _list_others() -> tuple[Weights, ...]:
    """Return how rivals may play: as the player itself, or paying more."""
    own = read_weights()
    lavish = msgspec.structs.replace(own, turns=tuple(LAVISH * each for each in own.turns))
    return own, lavish


def _play_on(state: State, mine: int, rng: Rng, others: Weights) -> None:
    """Play a game to its end; auctions are settled at once by how high each would go."""
    own = read_weights()
    by_seat = [own if seat == mine else others for seat in range(state.seats)]
    if state.sale:
        _settle_sale(state, state.sale, rng, by_seat, _list_prospects(state, state.sale.company))
    while (seat := turn.find_actor(state)) >= 0:
        if state.phase == "auction":
            _hold_auctions(state, rng, by_seat)
        elif state.phase == "build":
            turn.apply(state, player.pick_lay(state, by_seat[seat]), ignore_event)
        else:
            turn.apply(state, turn.check(state, seat, player.choose_by(state, seat, rng, by_seat[seat])), ignore_event)


def _list_prospects(state: State, *more: int) -> dict[int, Prospect]:
    return {number: player.find_prospect(state, number) for number in (*bidding.list_available(state), *more)}


def _hold_auctions(state: State, rng: Rng, by_seat: Sequence[Weights]) -> None:
    """Hold the auctions of a turn; what companies promise doesn't change before they build."""
    offered = _list_prospects(state)
    while state.phase == "auction" and (seat := state.marker) >= 0:
        number = player.choose_company(state, seat, rng, by_seat[seat], offered)
        limit = min(
            player.vary(player.share_limit(state, number, seat, by_seat[seat], offered), rng), state.cubes[seat]
        )
        if limit < 1:
            turn.apply(state, bidding.Leaving(seat), ignore_event)
            continue
        bid = max(1, int(limit * by_seat[seat].opening))
        sale = Sale(number, bid, seat, seat, [(seat + step) % state.seats for step in range(state.seats)])
        _settle_sale(state, sale, rng, by_seat, offered)
        del offered[number]


def _settle_sale(
    state: State, sale: Sale, rng: Rng, by_seat: Sequence[Weights], offered: Mapping[int, Prospect]
) -> None:
    """Sell a company to the bidder who goes highest, at one more than the second goes."""
    limits = []
    for seat in sale.bidders:
        limit = player.vary(player.share_limit(state, sale.company, seat, by_seat[seat], offered), rng)
        most = min(int(limit), state.cubes[seat])
        limits.append((max(most, sale.bid) if seat == sale.leader else most, seat == sale.leader, seat))
    (highest, leads, winner), (second, _, loser) = sorted(limits, reverse=True)[:2]
    price = max(sale.bid if leads else sale.bid + 1, min(highest, second + 1))
    state.sale = Sale(sale.company, price, winner, loser, [loser, winner])
    turn.apply(state, bidding.Leaving(loser), ignore_event)


def find_reason(state: State, action: Action) -> str:
    """Return what speaks for a move at a glance, or nothing."""
    if isinstance(action, Build):
        return player.explain_link(state, building.check(state, action))
    sale = state.sale
    number = sale.company if sale else find_company(state, action.company) if isinstance(action, Open) else NOBODY
    if number == NOBODY:
        return ""
    worth = player.estimate_worth(state, number)
    if isinstance(action, Pass) and sale and sale.bid < worth:
        return "the cubes do more elsewhere"
    if isinstance(action, Raise) and action.amount > worth:
        return "games played on end better with it"
    return f"{state.board.companies[number].name} is worth about {write_cubes(worth)}"
