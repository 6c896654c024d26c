"""Phase 2: the control markers are auctioned."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.rounds import Pass
from engine.record import Record
from engine.title import Tell
from engine.titles.steel_driver import events
from engine.titles.steel_driver.actions import Open, Raise
from engine.titles.steel_driver.rules import AUCTIONS
from engine.titles.steel_driver.state import COMPANIES, NOBODY, TURNS, Sale, State, find_company
from engine.words import pluralise


class Opening(Record, frozen=True):
    """A checked opening bid."""

    seat: int
    company: int
    amount: int


class Raising(Record, frozen=True):
    """A checked raise."""

    seat: int
    amount: int


class Leaving(Record, frozen=True):
    """A pass, which is always allowed: out of the auction, or the marker to the next player."""

    seat: int


def find_actor(state: State) -> int:
    """Return the seat that must bid or pass."""
    return state.sale.asked if state.sale else state.marker


def list_available(state: State) -> list[int]:
    """Return the companies that can be put up in this turn."""
    return [number for number in range(COMPANIES) if state.companies[number].controller == NOBODY]


def list_options(state: State, seat: int) -> Iterator[Open | Raise | Pass]:
    """Yield every bid of the seat, then passing."""
    most = state.cubes[seat]
    if state.sale:
        for amount in range(state.sale.bid + 1, most + 1):
            yield Raise(amount)
    else:
        for company in list_available(state):
            for amount in range(1, most + 1):
                yield Open(state.board.ids[company], amount)
    yield Pass()


def check_open(state: State, seat: int, action: Open) -> Opening:
    """Return the opening bid, or refuse it with the reason.

    Raises:
        RuleError: the auction or the bid is not allowed.
    """
    company = find_company(state, action.company)
    if company == NOBODY:
        names = ", ".join(brand.name for brand in state.board.companies)
        raise RuleError(f"There is no company “{action.company[:24]}”; there are {names}.", AUCTIONS)
    name = state.board.companies[company].name
    if state.companies[company].controller != NOBODY:
        later = "; it will be available again next turn" if state.turn < TURNS else ""
        raise RuleError(f"{name} has already been auctioned this turn{later}.", AUCTIONS)
    if state.sale:
        selling = state.board.companies[state.sale.company].name
        raise RuleError(f"You can't put up {name} yet: {selling} is being auctioned; raise or drop out.", AUCTIONS)
    if not 1 <= action.amount <= state.cubes[seat]:
        held = pluralise(state.cubes[seat], "cube")
        raise RuleError(f"You can't bid {action.amount}: the minimum is 1, and you have {held}.", AUCTIONS)
    return Opening(seat, company, action.amount)


def check_raise(state: State, seat: int, action: Raise) -> Raising:
    """Return the raise, or refuse it with the reason.

    Raises:
        RuleError: the auction or the bid is not allowed.
    """
    sale = state.sale
    if sale is None:
        raise RuleError("No company is being auctioned; name the one you want to put up.", AUCTIONS)
    if action.amount <= sale.bid:
        raise RuleError(
            f"You can't bid {action.amount}: the high bid is {sale.bid}, so bid at least {sale.bid + 1}.", AUCTIONS
        )
    if action.amount > state.cubes[seat]:
        raise RuleError(
            f"You can't bid {action.amount}: you have only {pluralise(state.cubes[seat], 'cube')}.", AUCTIONS
        )
    return Raising(seat, action.amount)


def apply_open(state: State, plan: Opening, tell: Tell) -> None:
    """Put a company up for auction."""
    bidders = [(plan.seat + step) % state.seats for step in range(state.seats)]
    state.sale = Sale(plan.company, plan.amount, plan.seat, bidders[1], bidders)
    state.passes = 0
    tell(events.AuctionOpened(plan.seat, _name_company(state, plan.company), plan.amount))


def apply_raise(state: State, plan: Raising, tell: Tell) -> None:
    """Take the raise and ask the next bidder."""
    sale = state.sale
    assert sale is not None, "a raise is checked before it is applied"
    sale.bid, sale.leader = plan.amount, plan.seat
    sale.asked = _find_next_bidder(sale, plan.seat)
    tell(events.BidRaised(plan.seat, _name_company(state, sale.company), plan.amount))


def apply_pass(state: State, plan: Leaving, tell: Tell) -> None:
    """Take a bidder out of the auction, or hand the marker on."""
    del plan
    if state.sale:
        _drop(state, state.sale, tell, forced=False)
    else:
        _hand_on(state, tell, forced=False)


def settle(state: State, tell: Tell) -> bool:
    """Do one thing that needs no decision; return whether there was one.

    A bidder who cannot go higher is out, the last one left wins at once, and
    a marker holder without cubes hands it on.
    """
    sale = state.sale
    if sale is None:
        if not is_over(state) and state.cubes[state.marker] == 0:
            _hand_on(state, tell, forced=True)
            return True
        return False
    if sale.bidders == [sale.leader]:
        _win(state, sale, tell)
        return True
    if state.cubes[sale.asked] <= sale.bid:
        _drop(state, sale, tell, forced=True)
        return True
    return False


def is_over(state: State) -> bool:
    """Return whether the phase is over: all sold, or all passed in succession."""
    return state.sale is None and (state.passes >= state.seats or not list_available(state))


def _win(state: State, sale: Sale, tell: Tell) -> None:
    """Give the marker of the company and a share to the last bidder left."""
    company = state.companies[sale.company]
    state.cubes[sale.leader] -= sale.bid
    company.treasury += sale.bid
    company.controller = company.last = sale.leader
    company.shares[sale.leader] += 1
    state.sale = None
    state.marker = (state.marker + 1) % state.seats
    won = events.CompanyWon(sale.leader, _name_company(state, sale.company), sale.bid, company.treasury, state.marker)
    tell(won)


def _drop(state: State, sale: Sale, tell: Tell, *, forced: bool) -> None:
    """Take the player who is asked out of the auction."""
    seat = sale.asked
    following = _find_next_bidder(sale, seat)
    sale.bidders.remove(seat)
    sale.asked = following
    tell(events.DroppedOut(seat, _name_company(state, sale.company), sale.bid, forced))


def _hand_on(state: State, tell: Tell, *, forced: bool) -> None:
    """Pass the Active Player marker to the next player."""
    seat = state.marker
    state.marker = (seat + 1) % state.seats
    state.passes += 1
    tell(events.MarkerPassed(seat, state.marker, forced))


def _find_next_bidder(sale: Sale, seat: int) -> int:
    """Return the bidder next to a bidder."""
    return sale.bidders[(sale.bidders.index(seat) + 1) % len(sale.bidders)]


def _name_company(state: State, company: int) -> str:
    return state.board.companies[company].name
