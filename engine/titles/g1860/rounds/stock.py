"""The course of the auction and of the stock rounds."""

from engine.finance.events import PriorityGiven, RoundBegun
from engine.finance.rounds import MAX_ROUNDS, end_game, next_player, note_pass
from engine.finance.state import POOL
from engine.title import Tell
from engine.titles.g1860 import companies, track, worth
from engine.titles.g1860.catalogue import MARKET, PHASES, PRIVATES
from engine.titles.g1860.events import TrackStopped
from engine.titles.g1860.state import Company, Operating, State, Stock
from engine.titles.g1860.steps import bidding, privates, shares
from engine.titles.g1860.steps.privates import find_private_revenue


def settle_auction(s: State, tell: Tell) -> bool:
    """Do what needs no decision in the auction; return whether anything did."""
    r = s.auction
    if not r.lots:
        give_priority(s, bidding.find_first_dealer(s), tell)
        begin_stock(s, tell)
        return True
    if (
        not r.is_won
        and s.rules.poor_bidders_passed_over
        and bidding.find_max_bid(s, r.turn) < r.high + bidding.MIN_RAISE
    ):
        bidding.drop_out(s, r.turn, tell)
        return True
    return False


def give_priority(s: State, seat: int, tell: Tell) -> None:
    """Hand over the priority deal card."""
    s.priority = seat
    tell(PriorityGiven(seat))


def begin_stock(s: State, tell: Tell) -> None:
    """Begin the next stock round; with the Southern Railway formed, building stops here."""
    s.turn += 1
    s.round = shares.make_round(s)
    tell(RoundBegun(s.name))
    if s.formed and not s.stopped:
        s.stopped = True
        tell(TrackStopped())


def settle_stock(s: State, tell: Tell) -> bool:
    """Do what needs no decision in a stock round; return whether anything did."""
    r = s.stock
    if r.homes:
        return _skip_unlayable_home(s)
    if r.passes >= s.seats:
        _end_stock(s, tell)
        return True
    if r.bought:
        if _waits_for_exchange(s, r):
            return False
        end_turn(s)
        return True
    if not can_act(s, r.turn):
        pass_turn(s, r.turn, tell)
        return True
    return False


def _waits_for_exchange(s: State, r: Stock) -> bool:
    """Return whether the turn goes on after its purchase, because that made an exchange possible."""
    if not r.opened or s.rules.turn_goes_on_for_exchange_only:
        return bool(r.opened) and any(privates.list_exchange_options(s, r.turn))
    linked = (code for code, private in PRIVATES.items() if private.railway == r.opened)
    return r.opened in PRIVATES or any(s.privates[code] == r.turn for code in linked)


def _skip_unlayable_home(s: State) -> bool:
    """Skip a home tile that cannot be laid (Flotation & Capitalisation)."""
    r = s.stock
    home = s.companies[r.homes[0]].charter.home[0]
    if not s.rules.unfitting_home_tile_skipped or any(True for _ in track.list_home_lays(s.board, home)):
        return False
    r.homes.pop(0)
    return True


def can_act(s: State, seat: int) -> bool:
    """Return whether a player is asked: there is something to do but pass, or might be (differences 10, 69, 76)."""
    if (
        any(shares.list_sell_options(s, seat))
        or any(privates.list_sell_options(s, seat))
        or any(shares.list_buy_options(s, seat))
    ):
        return True
    if _waits_for_private(s, seat) or _waits_for_start(s, seat):
        return True
    moves = (privates.list_exchange_options, privates.list_close_options)
    return s.rules.asked_for_exchanges and any(any(options(s, seat)) for options in moves)


def _waits_for_private(s: State, seat: int) -> bool:
    """Return whether a player is waited for because of a private that the bank sells."""
    if s.rules.asked_for_privates_only_if_affordable:
        return any(privates.list_buy_options(s, seat))
    offered = (privates.is_on_offer(s, code) and not shares.has_sold(s, seat, code) for code in PRIVATES)
    return s.cash[seat] > 0 and not shares.is_full(s, seat) and any(offered)


def _waits_for_start(s: State, seat: int) -> bool:
    """Return whether a player is waited for because of a director's certificate, in the IPO or in the pool."""
    if s.rules.asked_for_starts_only_if_possible:
        return any(shares.list_start_options(s, seat))
    return not shares.is_full(s, seat) and any(
        not shares.has_sold(s, seat, company.code) and s.cash[seat] >= 2 * _find_min_price(company)
        for company in s.companies.values()
        if not company.started or (company.director == POOL and not company.ordinary_in_pool)
    )


def _find_min_price(company: Company) -> int:
    """Return what a share of a director's certificate costs at least."""
    if company.started:
        return company.price
    return MARKET.lowest_new_par if company.bankrupt else MARKET.pars[0]


def pass_turn(s: State, seat: int, tell: Tell) -> None:
    """Pass, or end a turn in which something was sold (Buying and Selling Shares)."""
    note_pass(s.stock, seat, tell)
    end_turn(s)


def end_turn(s: State) -> None:
    """Go to the next player clockwise."""
    next_player(s.stock, s.seats)
    s.stock.just_sold.clear()
    s.stock.opened = ""


def is_standstill(s: State) -> bool:
    """Return whether nothing can happen any more: no company runs, no private pays, no one can act.

    The rulebook does not foresee it; rounds would follow rounds without end.
    """
    if s.stock.last >= 0 or any(company.running for company in s.companies.values()):
        return False
    if any(owner >= 0 and find_private_revenue(s, code) for code, owner in s.privates.items()):
        return False
    return not any(can_act(s, seat) for seat in range(s.seats))


def _end_stock(s: State, tell: Tell) -> None:
    """End the round: priority, nationalisation, then the set of operating rounds."""
    r = s.stock
    if r.last >= 0:
        give_priority(s, (r.last + 1) % s.seats, tell)
    worth.mark_round_end(s)
    if is_standstill(s):
        end_game(s, "standstill", tell)
        return
    if s.rules.hundredth_round_ends_game and s.turn >= MAX_ROUNDS:
        end_game(s, "hundredth_round", tell)
        return
    companies.nationalise_if_due(s, tell)
    s.round = Operating(0, PHASES[s.phase].rounds, [])
