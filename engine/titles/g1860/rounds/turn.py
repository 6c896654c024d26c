"""Whose turn it is, what kinds of action it allows, and the way of an action through its step."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import certificate, ending
from engine.finance.actions import EndGame, Pass
from engine.rails.laying import LayTile
from engine.record import Action
from engine.steps import Checked, Kind, Step, carry_out, check_at, offered, possible, wrong_time
from engine.title import Tell
from engine.titles.g1860.actions import (
    Answer,
    Bid,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ClosePrivate,
    Counter,
    Discard,
    Dividend,
    Exchange,
    PlaceBase,
    Run,
    Sell,
    SellPrivate,
    Start,
    Withdraw,
)
from engine.titles.g1860.rounds import operating, stock
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Auction, Operating, State, Stock, TurnStep
from engine.titles.g1860.steps import (
    base,
    bidding,
    buying,
    choosing,
    dealing,
    dividend,
    exchanging,
    offers,
    passing,
    private_trading,
    running,
    selling,
    starting,
    track,
    trains,
)
from engine.words import does

_STEPS: dict[Kind, Step] = {
    Bid: (bidding.options, bidding.check, bidding.apply),
    Pass: (passing.options, passing.check, passing.apply),
    Start: (starting.options, starting.check, starting.apply),
    BuyShare: (buying.options, buying.check, buying.apply),
    BuyPrivate: (private_trading.buy_options, private_trading.check_buy, private_trading.apply_buy),
    Sell: (selling.options, selling.check, selling.apply),
    SellPrivate: (private_trading.sell_options, private_trading.check_sell, private_trading.apply_sell),
    Exchange: (exchanging.options, exchanging.check, exchanging.apply),
    ClosePrivate: (exchanging.close_options, exchanging.check_close, exchanging.apply_close),
    LayTile: (track.options, track.check, track.apply),
    PlaceBase: (base.options, base.check, base.apply),
    Run: (running.options, running.check, running.apply),
    Dividend: (dividend.options, dividend.check, dividend.apply),
    BuyTrain: (trains.options, trains.check, trains.apply),
    Answer: (offers.answer_options, offers.check_answer, offers.apply_reply),
    Counter: (offers.counter_options, offers.check_counter, offers.apply_reply),
    Withdraw: (offers.withdraw_options, offers.check_withdraw, offers.apply_withdraw),
    Discard: (trains.discard_options, trains.check_discard, trains.apply_discard),
    EndGame: (ending.options, ending.check, ending.apply),
}
_CHOICE: Step = (choosing.options, choosing.check, choosing.apply)

_DEALS: tuple[Kind, ...] = (Pass, Sell, SellPrivate, Exchange, ClosePrivate, BuyShare, BuyPrivate, Start)
_TURN_STEPS: dict[TurnStep, tuple[Kind, ...]] = {
    "discard": (Discard,),
    "track": (LayTile, Pass),
    "base": (PlaceBase, Pass),
    "run": (Run,),
    "dividend": (Dividend,),
    "train": (BuyTrain, Pass),
}


def actors(s: State) -> tuple[int, ...]:
    """Return the seats that may act: who decides first, then who may take an offer back."""
    r = s.round
    if s.over:
        return ()
    if isinstance(r, Auction):
        return (r.chooser if r.won else r.turn,)
    if isinstance(r, Stock):
        return (s.companies[r.homes[0]].director if r.homes else r.turn,)
    if r.offer is not None:
        return (r.offer.decider, r.offer.proposer)
    director = s.companies[r.code].director
    # Where a company in receivership is asked at all, any player says what it does (7.7).
    return (director,) if director >= 0 else tuple(range(s.seats))


def kinds(s: State, seat: int) -> tuple[Kind, ...]:
    """Return the kinds of action that have their turn now."""
    r = s.round
    if isinstance(r, Auction):
        return (BuyPrivate, Start) if r.won else (Bid, Pass)
    if isinstance(r, Stock):
        return _deal_kinds(s, r, seat)
    if r.offer is not None:
        return (Answer, Counter, Withdraw)
    return _TURN_STEPS[r.step]


def _deal_kinds(s: State, r: Stock, seat: int) -> tuple[Kind, ...]:
    """Return what a player may do in a stock round (4.1, 4.14)."""
    if r.homes:
        return (LayTile,) if s.rules.unfitting_home_tile_skipped else (LayTile, Pass)
    if r.bought:
        return (Exchange, Pass)
    if dealing.over(s, seat) and any(selling.options(s, seat)):
        return (Sell,)
    return _DEALS


def _step_of(s: State, kind: Kind) -> Step:
    if isinstance(s.round, Auction) and kind in (BuyPrivate, Start):
        return _CHOICE
    return _STEPS[kind]


def legal(s: State, seat: int) -> Iterator[Action]:
    """Yield every legal action of a seat."""
    if seat not in actors(s):
        return
    if isinstance(s.round, Auction) and s.round.won:
        yield from choosing.options(s, seat)
        return
    yield from offered(_STEPS, kinds(s, seat), s, seat)


def check(s: State, seat: int, action: Action) -> Checked:
    """Check an action of a seat.

    Raises:
        RuleError: it is not the seat's turn, not the step for it, or the step refuses it.
    """
    kind = type(action)
    if seat not in actors(s) and not _out_of_turn(s, kind):
        raise RuleError("It is not your turn.", rule("4.1"))
    if kind is not EndGame and kind not in kinds(s, seat) and not _out_of_turn(s, kind):
        raise RuleError(_wrong_time(s, seat, kind), rule(_timing(s, seat)))
    return check_at(_step_of(s, kind), s, seat, action)


def _out_of_turn(s: State, kind: Kind) -> bool:
    """Return whether an action needs no turn, which only an exchange can (differences 9)."""
    return kind is Exchange and not s.rules.exchange_in_own_turn and isinstance(s.round, Stock) and not s.over


def _timing(s: State, seat: int) -> str:
    """Return where it is written what has its turn now."""
    if isinstance(s.round, Auction):
        return "2.5" if s.round.won else "2.2"
    if isinstance(s.round, Operating):
        return "6"
    if isinstance(s.round, Stock) and s.round.homes:
        return "5.3"
    return "4.14" if kinds(s, seat) == (Sell,) else "4.1"


def _wrong_time(s: State, seat: int, kind: Kind) -> str:
    """Word that an action has its turn at another time, and what has its turn now."""
    r = s.round
    if isinstance(r, Stock) and r.homes:
        home = s.companies[r.homes[0]].charter
        director = f"{{{s.companies[home.code].director}}}, its director,"
        return f"{home.code} has floated: {director} must first lay its home tile on {home.place} ({home.home[0]})."
    if kinds(s, seat) == (Sell,):
        return certificate.only_sell(s.certificates(seat), dealing.limit(s))
    if isinstance(r, Auction) and r.won:
        return f"You cannot {does(kind)} now: {{{seat}}} has won the auction and must first choose a lot."
    return wrong_time(kind, possible(_STEPS, kinds(s, seat), s, seat), _who(s, seat))


def _who(s: State, seat: int) -> str:
    """Return whose duty it is: "C&N (Ann)"."""
    operates = isinstance(s.round, Operating) and s.round.offer is None
    return f"{s.operating.code} ({{{seat}}})" if operates else f"{{{seat}}}"


def apply(s: State, checked: Checked, tell: Tell) -> None:
    """Carry an action out, and all that follows by itself until somebody must decide."""
    carry_out(s, checked, follows, tell)


def follows(s: State, tell: Tell) -> bool:
    """Do one thing that follows by itself; tell whether there was one."""
    if isinstance(s.round, Auction):
        return stock.settle_auction(s, tell)
    if isinstance(s.round, Stock):
        return stock.settle_stock(s, tell)
    return operating.settle(s, tell)
