"""Proposing companies in Parliament, and bidding for their charters (§4.1, §4.2)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.events import BidMade, Passed
from engine.finance.rounds import list_clockwise
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import ground
from engine.titles.g1862.actions import Bid
from engine.titles.g1862.catalogue import MARKET, rule
from engine.titles.g1862.events import CharterWon
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, State
from engine.titles.g1862.steps import shares

BID_STEP = 5
RESERVE = DIRECTOR_SHARES * MARKET.pars[0]
"""What must be left after a bid: the cheapest director's certificate, £162."""


class Plan(Record, frozen=True):
    """A bid that may be made."""

    seat: int
    company: str
    amount: int


def find_max_bid(s: State, seat: int) -> int:
    """Return the highest bid a player may make, a multiple of £5; below zero when he must pass (§4.1)."""
    return (s.cash[seat] - RESERVE) // BID_STEP * BID_STEP


def list_offered_companies(s: State) -> list[Company]:
    """Return the companies that may be proposed (§4.1); a failed one waits for a stock round (§4.3)."""
    return [company for code in s.offer if ground.is_startable(s, company := s.companies[code]) and not company.barred]


def may_open(s: State, seat: int) -> bool:
    """Return whether a player may propose a company (§4.1)."""
    return (
        seat not in s.parliament.won
        and find_max_bid(s, seat) >= 0
        and not shares.is_full(s, seat)
        and bool(list_offered_companies(s))
    )


def may_raise(s: State, seat: int) -> bool:
    """Return whether a player can stay in the auction (§4.1)."""
    return find_max_bid(s, seat) >= s.parliament.high + BID_STEP and not shares.is_full(s, seat)


def list_options(s: State, seat: int) -> Iterator[Bid]:
    """Yield every legal bid."""
    r = s.parliament
    if r.lot:
        if may_raise(s, seat):
            yield from (Bid(r.lot, amount) for amount in range(r.high + BID_STEP, find_max_bid(s, seat) + 1, BID_STEP))
    elif may_open(s, seat):
        for company in list_offered_companies(s):
            yield from (Bid(company.code, amount) for amount in range(0, find_max_bid(s, seat) + 1, BID_STEP))


def check(s: State, seat: int, action: Bid) -> Plan:
    """Check a bid."""
    r = s.parliament
    company = shares.find_company(s, action.company)
    if shares.is_full(s, seat):
        sentence = f"You hold {s.count_certificates(seat)} certificates; the limit is {s.limit}, so you must pass."
        raise RuleError(sentence, rule("4.1"))
    least, most = r.high + BID_STEP if r.lot else 0, find_max_bid(s, seat)
    kept = f"you have £{s.cash[seat]:,} and must keep £{RESERVE:,} for the director's certificate"
    if most < least:
        raise RuleError(f"You must pass: a bid must be at least £{least:,}, but {kept}.", rule("4.1"))
    if r.lot and company.code != r.lot:
        raise RuleError(f"The charter of {r.lot} is being auctioned; bid for that or pass.", rule("4.1"))
    if not r.lot:
        _check_open(s, seat, company)
    if action.amount % BID_STEP:
        raise RuleError(f"Bids are multiples of £{BID_STEP:,}, so you can't bid £{action.amount:,}.", rule("4.1"))
    if action.amount < least:
        first = f"the high bid is £{r.high:,}, so bid at least £{least:,}" if r.lot else "bids start at £0"
        raise RuleError(f"You can't bid £{action.amount:,}: {first}.", rule("4.1"))
    if action.amount > most:
        raise RuleError(f"You can bid at most £{most:,}: {kept}.", rule("4.1"))
    return Plan(seat, company.code, action.amount)


def _check_open(s: State, seat: int, company: Company) -> None:
    """Refuse a proposal of this player or for this company."""
    if seat in s.parliament.won:
        sentence = "You won a charter in this Parliament, so you can bid on proposals but not make one."
        raise RuleError(sentence, rule("4.1"))
    if company.started:
        raise RuleError(f"{company.code} has already been started.", rule("4.1"))
    if not s.has_begun(company.group):
        raise RuleError(f"{company.code} can't be started before phase {company.group}.", rule("3.2"))
    if company.barred:
        sentence = f"{company.code} failed to float, so it can't be started before the next stock round."
        raise RuleError(sentence, rule("4.3"))
    ground.check_startable(s, company)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Make the bid."""
    r = s.parliament
    if not r.lot:
        r.lot, r.out = plan.company, []
    r.high, r.leader = plan.amount, plan.seat
    tell(BidMade(plan.seat, plan.amount, plan.company))
    _pass_on(s)


def drop_out(s: State, seat: int, tell: Tell) -> None:
    """Pass: out of this auction, or declining to propose a company."""
    r = s.parliament
    tell(Passed(seat))
    if r.lot:
        r.out.append(seat)
        _pass_on(s)
    else:
        r.passes += 1
        r.turn = (r.turn + 1) % s.seats


def _pass_on(s: State) -> None:
    """Go to the next player left in the auction."""
    r = s.parliament
    r.turn = next(seat for seat in list_clockwise(r.turn + 1, s.seats) if seat not in r.out)


def settle_auction(s: State, tell: Tell) -> bool:
    """Drop who cannot raise, and let the last one win (§4.1); return whether anything happened."""
    r = s.parliament
    if r.turn == r.leader:
        r.winner = r.leader
        s.cash[r.winner] -= r.high
        r.won.append(r.winner)
        s.companies[r.lot].obliged = r.winner
        tell(CharterWon(r.winner, r.lot, r.high))
        return True
    if not may_raise(s, r.turn):
        drop_out(s, r.turn, tell)
        return True
    return False
