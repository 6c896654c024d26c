"""1862 as 0.2 played it: a rival, kept as it was."""

from collections.abc import Callable, Sequence

from engine.finance.advice import find_best_purchase
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.record import Action
from engine.setup import Rng
from engine.titles.g1862 import actions as a
from engine.titles.g1862.catalogue import FACES
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import SHARES_TO_FLOAT, Company, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import bidding, merging, running, trains

RUN_TRIES = 60_000
"""Tries of its search for runs: what it finds at a glance is good enough for it."""
HIGH_PRICE = 300
"""A price from which on every dividend is paid: the top is in sight."""


def choose(s: State, seat: int, rng: Rng) -> Action:
    """Return a legal action for a seat; the same seed plays the same game."""
    r = s.round
    if isinstance(r, Parliament):
        return _choose_in_parliament(s, r, seat, rng)
    if isinstance(r, Stock):
        return _choose_in_stock_round(s, r, seat, rng)
    return _choose_in_operating_round(s, r, seat, rng)


def _choose_in_parliament(s: State, r: Parliament, seat: int, rng: Rng) -> Action:
    """Propose a company that can be floated at once, raise a little, start it and buy it up to five shares."""
    if r.winner >= 0:
        moves = list(turn.list_legal(s, seat))
        starts = [move for move in moves if isinstance(move, a.Start)]
        if starts:
            safe = [move for move in starts if SHARES_TO_FLOAT * move.price <= s.cash[seat]]
            return rng.choose((safe if rng.below(6) else starts) or starts[:1])
        more = [move for move in moves if isinstance(move, a.BuyShare)]
        return more[0] if more and rng.below(6) else Pass()
    if r.lot:
        bid = a.Bid(r.lot, r.high + bidding.BID_STEP)
        keen = bid.amount <= 10 + rng.below(60) and _can_float(s, seat, bid.amount)
        return bid if keen and bidding.may_raise(s, seat) else Pass()
    if not _can_float(s, seat, 0) or rng.below(3) == 0:
        return Pass()
    return a.Bid(rng.choose(bidding.list_offered_companies(s)).code, 0)


def _can_float(s: State, seat: int, bid: int) -> bool:
    """Return whether a player could buy five shares at the lowest par, and then hold their certificates."""
    return s.cash[seat] - bid >= SHARES_TO_FLOAT * 54 and s.count_certificates(seat) + 3 <= s.limit


def _choose_in_stock_round(s: State, r: Stock, seat: int, rng: Rng) -> Action:
    """Float what one is obliged to or directs, start something, then buy what pays; sell what does not run."""
    moves = list(turn.list_legal(s, seat))
    if r.choosing or r.fines or len(moves) == 1 or isinstance(moves[0], a.Sell):
        return rng.choose(moves[: 3 + rng.below(3)])
    buys = [move for move in moves if isinstance(move, a.BuyShare)]
    own = [move for move in buys if not s.companies[move.company].floated
           and seat in (s.companies[move.company].director, s.companies[move.company].obliged)]  # fmt: skip
    if own:
        return own[0]
    starts = [move for move in moves if isinstance(move, a.Start) and SHARES_TO_FLOAT * move.price <= s.cash[seat]]
    if starts and rng.below(3) == 0:
        return rng.choose(starts)
    return _choose_investment(s, rng, moves)


def _choose_investment(s: State, rng: Rng, moves: Sequence[Action]) -> Action:
    """Sell a lame share, buy the one that earns most for its price, or pass."""
    sales = [move for move in moves if isinstance(move, a.Sell)]
    if sales and not s.stock.acted:
        lame = [move for move in sales if not s.companies[move.company].trains and s.companies[move.company].operated]
        if lame and rng.below(4) == 0:
            return rng.choose(lame)
        if rng.below(25) == 0:
            return rng.choose(sales)
    good = find_best_purchase(s.companies, (move for move in moves if isinstance(move, a.BuyShare)))
    return good if good and rng.below(8) else Pass()


def _choose_in_operating_round(s: State, r: Operating, seat: int, rng: Rng) -> Action:
    if r.offer is not None:
        if seat != r.offer.decider:
            return next(iter(turn.list_legal(s, seat)))
        return a.Answer("accept" if rng.below(2) else "decline")
    moves = list(turn.list_legal(s, seat))
    if r.removing:
        return rng.choose(moves)
    if r.merging is not None:
        return a.Option("redeem") if a.Option("redeem") in moves and rng.below(3) else a.Option("sell")
    return _STEPS[r.step](s, rng, moves)


def _choose_merger(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Merge now and then, rather with a company of one's own and where it lifts the price."""
    company = s.companies[s.operating.code]
    found = [move for move in moves if isinstance(move, a.Merge) and _is_worth_merging(s, company, move)]
    return rng.choose(found) if found and rng.below(4) == 0 else Pass()


def _is_worth_merging(s: State, company: Company, move: a.Merge) -> bool:
    other = s.companies[move.company]
    price = merging.find_new_price(company, other)
    poor = not company.trains or not other.trains
    return poor or 10 * price >= 11 * max(company.price, other.price)


def _choose_lay(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Lay something most of the time, dearer stations more often."""
    lays = [move for move in moves if isinstance(move, LayTile)]
    tiles = s.board.map.manifest
    cities = [lay for lay in lays if tiles[lay.tile].has_stop("city")]
    if cities and rng.below(3):
        return rng.choose(cities)
    if lays and (rng.below(10) or Pass() not in moves):
        return rng.choose(lays)
    stations = [move for move in moves if not isinstance(move, Pass)]
    return rng.choose(stations) if stations and (Pass() not in moves or rng.below(8) == 0) else Pass()


def _choose_marker(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Link London if possible, else place a marker now and then."""
    del s
    links = [move for move in moves if isinstance(move, a.LinkLondon)]
    if links and rng.below(3):
        return links[0]
    sites = [move for move in moves if isinstance(move, a.PlaceMarker)]
    return rng.choose(sites) if sites and rng.below(2) else Pass()


def _choose_run(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Run the best routes it finds."""
    del rng, moves
    return running.find_best_within(s, RUN_TRIES)


def _choose_dividend(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Pay, topped up where that is possible, unless the money is wanted for a train soon."""
    r = s.operating
    company = s.companies[r.code]
    if a.Dividend("hudson") in moves and rng.below(2):
        return a.Dividend("hudson")
    price = trains.find_band_for_sale(s).price
    close = company.price < HIGH_PRICE and company.cash < price <= company.cash + r.revenue
    return a.Dividend("keep" if close and len(company.trains) < 2 and rng.below(2) else "pay")


def _choose_train(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Buy what can run when a train is wanted; else help oneself out, or raise the money."""
    company = s.companies[s.operating.code]
    permitted = running.list_permits(s, company)
    bank = [move for move in moves if isinstance(move, a.BuyTrain) and move.seller == trains.BANK]
    useful = [move for move in bank if FACES[move.train].kind in permitted]
    wanted = not company.trains or (len(company.trains) < 3 and rng.below(2))
    if useful and wanted:
        plain = [move for move in useful if not move.warranties]
        return rng.choose(plain if rng.below(3) else useful)
    if Pass() in moves and (company.trains or rng.below(2)):
        return Pass()
    own = [move for move in moves if isinstance(move, a.BuyTrain) and move.seller != trains.BANK
           and s.companies[move.seller].director == company.director]  # fmt: skip
    if own and not bank:
        return rng.choose(own)
    raising = [move for move in moves if not isinstance(move, a.BuyTrain | Pass)]
    if raising:
        return rng.choose(raising)
    if Pass() in moves:
        return Pass()
    return rng.choose(bank or moves)


def _choose_redemption(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Redeem a share when there is money to spare."""
    company = s.companies[s.operating.code]
    spare = company.cash > trains.find_band_for_sale(s).price + company.price
    return a.Redeem() if spare and a.Redeem() in moves and rng.below(3) == 0 else Pass()


_STEPS: dict[str, Callable[[State, Rng, list[Action]], Action]] = {
    "home": _choose_lay,
    "merge": _choose_merger,
    "track": _choose_lay,
    "token": _choose_marker,
    "run": _choose_run,
    "dividend": _choose_dividend,
    "train": _choose_train,
    "redeem": _choose_redemption,
    "acquire": _choose_merger,
}
