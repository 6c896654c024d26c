"""1860 as 0.2 played it: a rival, kept as it was."""

from collections.abc import Callable, Sequence

from engine.finance.advice import find_best_purchase
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.record import Action
from engine.setup import Rng
from engine.titles.g1860 import actions as a
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import Auction, State, Stock
from engine.titles.g1860.steps import bidding, running, trains
from engine.titles.g1860.track import has_city


def choose_temper(rng: Rng, seat: int) -> str:
    """Return what kind of player sits here; the game's seed deals the tempers, so that games end in all ways."""
    return Rng(2 * rng.seed + 1).shuffle(["steady", "steady", "hungry", "trader"])[seat % 4]


def choose(s: State, seat: int, rng: Rng) -> Action:
    """Return a legal action for a seat; the same seed plays the same game."""
    r = s.round
    if isinstance(r, Auction):
        return _choose_in_auction(s, seat, rng)
    if isinstance(r, Stock):
        return _choose_in_stock_round(s, r, seat, rng)
    if r.offer is not None:
        paid = r.offer.price <= s.companies[r.offer.buyer].cash
        fair = paid and 2 * r.offer.price >= TRAINS[r.offer.train].price
        return a.Answer("accept" if fair else "decline")
    return _STEPS[r.step](s, rng, list(turn.list_legal(s, seat)))


def _choose_in_auction(s: State, seat: int, rng: Rng) -> Action:
    """Bid up to a little over nothing; take a lot at random."""
    r = s.auction
    if r.is_won:
        return rng.choose(list(turn.list_legal(s, seat)))
    bid = r.high + bidding.MIN_RAISE
    return a.Bid(bid) if bid <= min(10 + rng.below(50), bidding.find_max_bid(s, seat)) else Pass()


def _choose_in_stock_round(s: State, r: Stock, seat: int, rng: Rng) -> Action:
    """Float what one directs, start what one can float, then buy what pays; sell what does not run."""
    moves = list(turn.list_legal(s, seat))
    if r.homes:
        return rng.choose(moves)
    swaps = [move for move in moves if isinstance(move, a.Exchange)]
    if swaps and rng.below(2):
        return rng.choose(swaps)
    buys = [move for move in moves if isinstance(move, a.BuyShare)]
    if isinstance(moves[0], a.Sell) and Pass() not in moves:
        return moves[0]
    unfloated = [
        buy for buy in buys if not s.companies[buy.company].floated and s.companies[buy.company].director == seat
    ]
    if unfloated:
        return unfloated[0]
    starts = [move for move in moves if isinstance(move, a.Start) and 5 * move.par <= s.cash[seat]]
    if starts and rng.below(3):
        return rng.choose(starts)
    return _choose_investment(s, seat, rng, moves)


def _choose_investment(s: State, seat: int, rng: Rng, moves: Sequence[Action]) -> Action:
    """Buy the share that earns most for its price, a private now and then, or sell a lame one."""
    buys = [move for move in moves if isinstance(move, a.BuyShare)]
    sales = [move for move in moves if isinstance(move, a.Sell)]
    if not s.stock.acted:
        lame = [
            sale for sale in sales
            if not s.companies[sale.company].trains and s.companies[sale.company].director != seat
        ]  # fmt: skip
        if lame and rng.below(4) == 0:
            return rng.choose(lame)
        if sales and rng.below(6 if choose_temper(rng, seat) == "trader" else 40) == 0:
            return rng.choose(sales)
    privates = [move for move in moves if isinstance(move, a.BuyPrivate)]
    if privates and rng.below(3) == 0:
        return rng.choose(privates)
    good = find_best_purchase(s.companies, buys)
    return good if good and rng.below(8) else Pass()


def _choose_lay(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Lay something most of the time, dearer tiles more often; keep money for a train at first."""
    lays = [move for move in moves if isinstance(move, LayTile)]
    company = s.companies[s.operating.code]
    if company.cash < 400 and not company.trains:
        lays = [lay for lay in lays if not s.board.spec(lay.hex).cost or lay.hex in s.board.laid]
    cities = [lay for lay in lays if has_city(s.board.map.manifest[lay.tile])]
    if cities and rng.below(3):
        return rng.choose(cities)
    return rng.choose(lays) if lays and rng.below(10) else Pass()


def _choose_base(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Build a base when there is money for it and a train too."""
    sites = [move for move in moves if isinstance(move, a.PlaceBase)]
    company = s.companies[s.operating.code]
    rich = company.trains and company.cash > 150
    return rng.choose(sites) if sites and rich and rng.below(2) else Pass()


def _choose_run(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Run the best routes that are found at a glance."""
    del rng, moves
    return running.find_best_at_a_glance(s)


def _choose_dividend(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Pay, unless the money is wanted for a train soon."""
    del moves
    r = s.operating
    company = s.companies[r.code]
    price = TRAINS[trains.find_cheapest(s)].price
    close = company.cash < price <= company.cash + r.revenue and len(company.trains) < s.train_limit
    if choose_temper(rng, company.director) == "hungry":
        close = len(company.trains) < s.train_limit and company.cash < price <= company.cash + 3 * r.revenue
    return a.Dividend("keep" if close and (len(company.trains) < 2 or rng.below(2)) else "pay")


def _choose_train(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Buy from the bank when a train is wanted; help oneself out with another company's train."""
    company = s.companies[s.operating.code]
    bank = [move for move in moves if isinstance(move, a.BuyTrain) and move.seller == trains.BANK]
    if bank and (not company.trains or rng.below(8) or choose_temper(rng, company.director) == "hungry"):
        return bank[-1]
    own = [
        move for move in moves
        if isinstance(move, a.BuyTrain) and move.seller in s.companies and not company.trains
        and s.companies[move.seller].director == company.director
    ]  # fmt: skip
    if own and not bank and len(s.companies[own[0].seller].trains) > 1:
        return own[-1]
    if Pass() in moves:
        return Pass()
    return bank[0] if bank else moves[0]


def _choose_discard(s: State, rng: Rng, moves: list[Action]) -> Action:
    """Return the smallest train."""
    del s, rng
    return min((move for move in moves if isinstance(move, a.Discard)), key=lambda move: TRAINS[move.train].cities)


_STEPS: dict[str, Callable[[State, Rng, list[Action]], Action]] = {
    "discard": _choose_discard,
    "track": _choose_lay,
    "base": _choose_base,
    "run": _choose_run,
    "dividend": _choose_dividend,
    "train": _choose_train,
}
