"""What the stand-in of 1862 does in Parliament and in stock rounds: charters, starts, purchases and sales."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.finance import trading
from engine.finance.rounds import Pass
from engine.record import Action
from engine.setup import Rng
from engine.title import ignore_event
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import advice, outlook
from engine.titles.g1862.catalogue import MARKET, UNITS
from engine.titles.g1862.companies import MARKER_COST
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import SHARES_TO_FLOAT, Parliament, State, Stock
from engine.titles.g1862.steps import bidding, shares, trains

MAX_BID_STEPS = 3
"""Tens of pounds that a charter is worth at most, beyond its director's certificate."""
MAX_MARKERS = 4
MIN_SWAP = 50
"""Pounds that another share must bring more for one to be sold to make room for it."""
CERTIFICATES_TO_FLOAT = 3
"""Certificates with which one player floats a company: the director's, and two more."""
SELL_BELOW, BUY_ABOVE = 0.9, 1.1
"""Times its price that a share brings: one that brings less is sold, one that brings more is bought."""
BOLD_STEP = 0.1
"""By which the bold sell later and buy sooner, and the steady the other way."""


class ReasonedMove(NamedTuple):
    """A move, and what speaks for it; may be ""."""

    action: Action
    why: str = ""


def make_move(s: State, seat: int, move: Action) -> State:
    """Return the position after a move."""
    after = s.clone()
    turn.apply(after, turn.check(after, seat, move), ignore_event)
    return after


# --- Parliament ------------------------------------------------------------------------------


def choose_in_parliament(s: State, r: Parliament, seat: int, rng: Rng) -> ReasonedMove:
    """Propose the company with the best home, and start it at the highest price at which it can be floated alone."""
    if r.winner >= 0:
        moves = list(turn.list_legal(s, seat))
        starts = [move for move in moves if isinstance(move, a.Start)]
        if starts:
            return _choose_price(s, seat, starts)
        more = next((move for move in moves if isinstance(move, a.BuyShare)), None)
        return ReasonedMove(more, f"{SHARES_TO_FLOAT} shares float it") if more else ReasonedMove(Pass())
    if r.lot:
        bid = a.Bid(r.lot, r.high + bidding.BID_STEP)
        keen = bid.amount <= 10 * (1 + rng.below(MAX_BID_STEPS)) and _can_float(s, seat, bid.amount)
        return ReasonedMove(bid if keen and bidding.may_raise(s, seat) else Pass())
    if not bidding.may_open(s, seat) or not _can_float(s, seat, 0):
        return ReasonedMove(Pass())
    if not _can_float(s, seat, _count_money_for_shares(s)):
        return ReasonedMove(Pass(), "the shares on offer bring more than a new company")
    best = max(bidding.list_offered_companies(s), key=lambda each: advice.rate_company_home(s, each.code))
    return ReasonedMove(a.Bid(best.code, 0), "the best home of those on offer")


def _count_money_for_shares(s: State) -> int:
    """Return what a player will rather spend on shares than on a new company: a fair part of those that bring more."""
    rate = outlook.forecast_start(s, MARKET.pars[-1], chartered=True) / MARKET.pars[-1]
    paid = 0
    for company in s.companies.values():
        for source in shares.SOURCES if company.operated and outlook.has_future(s, company) else ():
            price = trading.find_share_price(company, source)
            if price and _rate(s, company.code, a.BuyShare(company.code, source)) > rate:
                paid += price * shares.count_lying(company, source)
    return paid // s.seats


def _choose_price(s: State, seat: int, starts: Sequence[a.Start]) -> ReasonedMove:
    alone = [start for start in starts if SHARES_TO_FLOAT * start.price <= s.cash[seat]]
    if not alone:
        return ReasonedMove(min(starts, key=lambda start: start.price))
    chartered = isinstance(s.round, Parliament)
    enough = [start for start in alone if outlook.is_enough_for_trains(s, start.price, chartered=chartered)]
    if enough:
        best = max(enough, key=lambda start: (advice.rate_company_home(s, start.company), -start.price))
        return ReasonedMove(best, "the lowest price that pays for two trains")
    best = max(alone, key=lambda start: (advice.rate_company_home(s, start.company), start.price))
    return ReasonedMove(best, "the highest price at which one player can float it")


def _can_float(s: State, seat: int, bid: int) -> bool:
    """Return whether a player could buy five shares at the lowest par after a bid, and hold the certificates."""
    spare = s.cash[seat] - _count_money_owed(s, seat) - bid
    return spare >= SHARES_TO_FLOAT * MARKET.pars[0] and s.count_certificates(seat) + CERTIFICATES_TO_FLOAT <= s.limit


def _count_money_owed(s: State, seat: int) -> int:
    """Return what it costs to float the companies that a seat must float, or be fined for (§4.3)."""
    owed = [company for company in s.companies.values() if company.obliged == seat and not company.floated]
    return sum((SHARES_TO_FLOAT - sum(company.shares) - company.pool) * (company.par or 0) for company in owed)


# --- stock rounds ----------------------------------------------------------------------------


def choose_deal(s: State, r: Stock, seat: int, boldness: int) -> ReasonedMove:
    """Float what one directs or owes, start a company, sell what brings too little, buy what brings most."""
    moves = list(turn.list_legal(s, seat))
    if r.choosing:
        return ReasonedMove(_choose_marker_count(s, r.choosing, moves))
    sales = [move for move in moves if isinstance(move, a.Sell)]
    if len(moves) == 1 or (sales and Pass() not in moves):
        return ReasonedMove(min(sales, key=lambda sale: (_rate(s, sale.company), sale.count)) if sales else moves[0])
    buys = [move for move in moves if isinstance(move, a.BuyShare)]
    for buy in buys:
        company = s.companies[buy.company]
        if not company.floated and seat in (company.director, company.obliged):
            return ReasonedMove(buy, f"{SHARES_TO_FLOAT} shares float it")
    starts = [move for move in moves if isinstance(move, a.Start) and SHARES_TO_FLOAT * move.price <= s.cash[seat]]
    owed = [move for move in starts if s.companies[move.company].obliged == seat]
    if owed:
        return _choose_price(s, seat, owed)
    free = s.limit - s.count_certificates(seat)
    start = _choose_price(s, seat, starts) if starts and free >= CERTIFICATES_TO_FLOAT else None
    best = _find_best_share(s, seat, buys, free)
    if start and _is_start_better(s, seat, start.action, best, free):
        return start
    if not r.acted:
        floor = SELL_BELOW - BOLD_STEP * boldness
        others = [sale for sale in sales if s.companies[sale.company].director != seat]
        lame = [sale for sale in others if s.companies[sale.company].operated and _rate(s, sale.company) < floor]
        if lame:
            worst = min(lame, key=lambda sale: (_rate(s, sale.company), -sale.count))
            return ReasonedMove(worst, f"a share of {worst.company} will bring less than its price")
    enough = 1 if s.lner else BUY_ABOVE - BOLD_STEP * boldness  # what is left in the last rounds buys nothing
    if best is not None and _rate(s, best.company, best) > enough:
        paid, price = outlook.forecast_share(s, s.companies[best.company])
        return ReasonedMove(
            best, f"about {UNITS.money(paid)} in dividends, and worth about {UNITS.money(price)} at the end"
        )
    swap = _choose_swap(s, seat, sales) if free <= 0 and not r.acted else None
    return swap or ReasonedMove(Pass(), "no share on offer brings enough" if buys and not r.acted else "")


def _is_start_better(s: State, seat: int, start: Action, best: a.BuyShare | None, free: int) -> bool:
    """Return whether a new company brings more than the best share: for its price, or for a certificate."""
    assert isinstance(start, a.Start)
    brings = outlook.forecast_start(s, start.price, chartered=False)
    if brings <= BUY_ABOVE * start.price:
        return False
    if best is None:
        return True
    price = trading.find_share_price(s.companies[best.company], best.source)
    if s.cash[seat] >= free * price:
        return SHARES_TO_FLOAT * (brings - start.price) > CERTIFICATES_TO_FLOAT * _find_profit(s, best)
    return brings / start.price > _rate(s, best.company, best)


def _find_best_share(s: State, seat: int, buys: Sequence[a.BuyShare], free: int) -> a.BuyShare | None:
    """Return the share that brings most for its price; for all it brings, where only certificates are scarce."""
    prices = [trading.find_share_price(s.companies[buy.company], buy.source) for buy in buys]
    if prices and s.cash[seat] >= free * max(prices):
        return max(buys, key=lambda buy: _find_profit(s, buy))
    return max(buys, key=lambda buy: _rate(s, buy.company, buy), default=None)


def _find_profit(s: State, buy: a.BuyShare) -> int:
    """Return what a share brings beyond its price."""
    company = s.companies[buy.company]
    return sum(outlook.forecast_share(s, company)) - trading.find_share_price(company, buy.source)


def _choose_swap(s: State, seat: int, sales: Sequence[a.Sell]) -> ReasonedMove | None:
    """Sell a share of another's company to make room for a better one, where no more certificates may be held."""
    found: list[tuple[int, a.Sell, str]] = []
    for sale in sales:
        company = s.companies[sale.company]
        if sale.count == 1 and company.director != seat:
            after = make_move(s, seat, sale)
            legal = turn.list_legal(after, seat) if seat in turn.find_actors(after) else ()
            buys = [move for move in legal if isinstance(move, a.BuyShare) and move.company != sale.company]
            best = max(buys, key=lambda buy: _find_profit(after, buy), default=None)
            if best is not None:
                kept = sum(outlook.forecast_share(s, company)) - company.price
                found.append((_find_profit(after, best) - kept, sale, best.company))
    gain, swap, other = max(found, key=lambda each: each[0], default=(0, None, ""))
    if swap is None or gain < MIN_SWAP:
        return None
    return ReasonedMove(swap, f"a share of {other} brings about {UNITS.money(gain)} more")


def _choose_marker_count(s: State, code: str, moves: Sequence[Action]) -> Action:
    """Return the most markers that leave the money for a train."""
    counts = [move for move in moves if isinstance(move, a.Markers)]
    left = s.companies[code].cash - trains.find_band_for_sale(s).price
    good = [move for move in counts if move.count <= min(MAX_MARKERS, left // MARKER_COST)]
    return max(good, key=lambda move: move.count) if good else min(counts, key=lambda move: move.count)


def _rate(s: State, code: str, buy: a.BuyShare | None = None) -> float:
    """Return how many times its price a share will have brought at the end of the game, about."""
    company = s.companies[code]
    price = company.price if buy is None else trading.find_share_price(company, buy.source)
    return sum(outlook.forecast_share(s, company)) / max(1, price)
