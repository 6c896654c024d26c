"""Whose turn it is, what kinds of action it allows, and the way of an action through its step."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import certificate, ending
from engine.finance.actions import EndGame, Pass
from engine.finance.stock_turn import clockwise
from engine.rails.laying import LayTile
from engine.record import Action
from engine.steps import Checked, Kind, Step, carry_out, check_at, offered, possible, wrong_time
from engine.title import Tell
from engine.titles.g1862 import bankruptcy, share_merge
from engine.titles.g1862.actions import (
    AddStation,
    Answer,
    Bid,
    BuyShare,
    BuyTrain,
    Dividend,
    LinkLondon,
    Markers,
    Merge,
    Option,
    PlaceMarker,
    RaiseMoney,
    Redeem,
    RemoveMarker,
    Run,
    Sell,
    Start,
    Withdraw,
)
from engine.titles.g1862.rounds import operating, parliament, stock
from engine.titles.g1862.rounds.records import Operating, Parliament, Stock, TurnStep
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import (
    bidding,
    buying,
    dealing,
    dividend,
    markers,
    merging,
    offers,
    option,
    passing,
    raising,
    redeeming,
    removing,
    running,
    selling,
    starting,
    tokens,
    track,
    trains,
)

_STEPS: dict[Kind, Step] = {
    Bid: (bidding.options, bidding.check, bidding.apply),
    Pass: (passing.options, passing.check, passing.apply),
    Start: (starting.options, starting.check, starting.apply),
    BuyShare: (buying.options, buying.check, buying.apply),
    Sell: (selling.options, selling.check, selling.apply),
    Markers: (markers.options, markers.check, markers.apply),
    LayTile: (track.options, track.check, track.apply),
    AddStation: (track.station_options, track.check_station, track.apply_station),
    LinkLondon: (tokens.london_options, tokens.check_london, tokens.apply_london),
    PlaceMarker: (tokens.options, tokens.check, tokens.apply),
    Run: (running.options, running.check, running.apply),
    Dividend: (dividend.options, dividend.check, dividend.apply),
    BuyTrain: (trains.options, trains.check, trains.apply),
    RaiseMoney: (raising.options, raising.check, raising.apply),
    Redeem: (redeeming.options, redeeming.check, redeeming.apply),
    Merge: (merging.options, merging.check, merging.apply),
    Answer: (offers.answer_options, offers.check_answer, offers.apply_answer),
    Withdraw: (offers.withdraw_options, offers.check_withdraw, offers.apply_withdraw),
    Option: (option.options, option.check, option.apply),
    RemoveMarker: (removing.options, removing.check, removing.apply),
    EndGame: (ending.options, ending.check, ending.apply),
}

_DEALS: tuple[Kind, ...] = (Pass, Sell, BuyShare, Start)
_TURN_STEPS: dict[TurnStep, tuple[Kind, ...]] = {
    "home": (LayTile,),
    "merge": (Merge, Pass),
    "track": (LayTile, AddStation, Pass),
    "token": (PlaceMarker, LinkLondon, Pass),
    "run": (Run,),
    "dividend": (Dividend,),
    "train": (BuyTrain, RaiseMoney, Pass),
    "redeem": (Redeem, Pass),
    "acquire": (Merge, Pass),
}


def actors(s: State) -> tuple[int, ...]:
    """Return the seats that may act: who decides first, then who may take a proposal back."""
    r = s.round
    if s.over:
        return ()
    if isinstance(r, Parliament):
        return (r.winner if r.winner >= 0 else r.turn,)
    if isinstance(r, Stock):
        return (_dealer(s, r),)
    if r.offer is not None:
        return (r.offer.decider, r.offer.proposer)
    if r.merging is not None and not r.removing:
        return (share_merge.decider(r.merging),)
    company = s.companies[r.removing or r.code]
    return (company.director if company.director >= 0 else acting(s, company),)


def _dealer(s: State, r: Stock) -> int:
    if r.choosing:
        company = s.companies[r.choosing]
        return company.director if company.director >= 0 else acting(s, company)
    return r.fines[0].seat if r.fines else r.turn


def acting(s: State, company: Company) -> int:
    """Return who acts for a company in receivership: most shares, ties clockwise from the priority deal (20.1)."""
    order = clockwise(s.priority, s.seats)
    return max(order, key=lambda seat: (company.shares[seat], -order.index(seat)))


def kinds(s: State, seat: int) -> tuple[Kind, ...]:
    """Return the kinds of action that have their turn now."""
    r = s.round
    if isinstance(r, Parliament):
        if r.winner < 0:
            return (Bid, Pass)
        return (BuyShare, Pass) if s.companies[r.lot].started else (Start,)
    if isinstance(r, Stock):
        return _deal_kinds(s, r, seat)
    if r.offer is not None:
        return (Answer, Withdraw)
    if r.removing:
        return (RemoveMarker,)
    return (Option,) if r.merging is not None else _TURN_STEPS[r.step]


def _deal_kinds(s: State, r: Stock, seat: int) -> tuple[Kind, ...]:
    """Return what a player may do in a stock round (5.1, 5.2)."""
    if r.choosing:
        return (Markers,)
    if r.fines:
        return (Sell,)
    if dealing.over(s, seat) and any(selling.options(s, seat)):
        return (Sell,)
    return _DEALS


def legal(s: State, seat: int) -> Iterator[Action]:
    """Yield every legal action of a seat."""
    if seat in actors(s):
        yield from offered(_STEPS, kinds(s, seat), s, seat)


def check(s: State, seat: int, action: Action) -> Checked:
    """Check an action of a seat.

    Raises:
        RuleError: it is not the seat's turn, not the step for it, or the step refuses it.
    """
    if seat not in actors(s):
        raise RuleError("It is not your turn.", rule("8.1"))
    kind = type(action)
    if kind is not EndGame and kind not in kinds(s, seat):
        raise RuleError(_wrong_time(s, seat, kind), rule(_timing(s)))
    return check_at(_STEPS[kind], s, seat, action)


def _wrong_time(s: State, seat: int, kind: Kind) -> str:
    """Word that an action has its turn at another time, and what has its turn now."""
    r = s.round
    if kinds(s, seat) == (Sell,):
        if s.stock.fines:
            return f"You owe £{s.stock.fines[0].owed} for a company that did not float; sell shares to pay it."
        return certificate.only_sell(s.certificates(seat), s.limit)
    operates = isinstance(r, Operating) and r.offer is None and r.merging is None
    now = possible(_STEPS, kinds(s, seat), s, seat)
    return wrong_time(kind, now, f"{s.operating.code} ({{{seat}}})" if operates else f"{{{seat}}}")


def _timing(s: State) -> str:
    """Return where it is written what has its turn now."""
    r = s.round
    if isinstance(r, Parliament):
        return "3.4" if r.winner >= 0 else "3.1"
    if isinstance(r, Stock):
        return "5.6" if r.choosing else "4.1" if r.fines else "5.2" if dealing.over(s, r.turn) else "5.1"
    return "8.2"


def apply(s: State, checked: Checked, tell: Tell) -> None:
    """Carry an action out, and all that follows by itself until somebody must decide."""
    carry_out(s, checked, follows, tell)


def follows(s: State, tell: Tell) -> bool:
    """Do one thing that follows by itself; tell whether there was one."""
    if not (isinstance(s.round, Operating) and s.round.merging) and bankruptcy.settle(s, tell):
        return True
    if isinstance(s.round, Parliament):
        return parliament.settle(s, tell)
    if isinstance(s.round, Stock):
        return stock.settle(s, tell)
    return operating.settle(s, tell)
