"""Whose turn it is, what it allows, when it may be passed, and the way of an action through its step."""

from collections.abc import Iterator

from engine import steps
from engine.errors import RuleError
from engine.finance import rounds, trading
from engine.rails.laying import LayTile
from engine.record import Action, Rule
from engine.title import Tell
from engine.titles.g1860 import actions as a
from engine.titles.g1860.catalogue import rule
from engine.titles.g1860.rounds import operating, stock
from engine.titles.g1860.state import Auction, Operating, State, Stock, TurnStep
from engine.titles.g1860.steps import bidding, building, privates, running, shares, trains
from engine.titles.g1860.track import list_home_lays


def find_pass_refusal(s: State, seat: int) -> RuleError | None:
    """Return the refusal of a pass now, or nothing."""
    r = s.round
    if isinstance(r, Auction):
        return RuleError("You won the auction, so you must choose a lot.", _cite_timing(s)) if r.is_won else None
    if isinstance(r, Stock):
        if r.homes:
            if not any(True for _ in list_home_lays(s.board, s.companies[r.homes[0]].charter.home[0])):
                return None  # a table that skips the tile is not asked
            return RuleError(f"{r.homes[0]} has floated, so its home tile must be laid.", _cite_timing(s))
        if shares.is_above_limit(s, seat) and any(shares.list_sell_options(s, seat)):
            sentence = trading.explain_too_many(s.count_certificates(seat), shares.find_certificate_limit(s))
            return RuleError(sentence, rule("Certificate Limit"))
        return None
    return _find_step_refusal(s, r)


def _find_step_refusal(s: State, r: Operating) -> RuleError | None:
    """Return the refusal of passing a step of a company's turn, or nothing."""
    company = s.companies[r.code]
    if r.step == "discard":
        sentence = f"{r.code} has {len(company.trains)} trains and the limit is {s.train_limit}; return one."
        return RuleError(sentence, rule("Buying Trains"))
    if r.step == "run":
        return RuleError(f"{r.code} must run its trains.", rule("Running Trains"))
    if r.step == "dividend":
        return RuleError(f"{r.code} must pay out or keep its revenue.", rule("Dividends and the Share Price"))
    if r.step == "train" and trains.must_buy(s, company):
        return RuleError(f"{r.code} has no train and can pay for one, so it must buy one.", rule("Insolvency"))
    return None


def apply_pass(s: State, seat: int, tell: Tell) -> None:
    """Pass."""
    r = s.round
    if isinstance(r, Auction):
        bidding.drop_out(s, seat, tell)
    elif isinstance(r, Stock) and r.homes:
        r.homes.pop(0)
    elif isinstance(r, Stock):
        stock.pass_turn(s, seat, tell)
    else:
        rounds.decline_step(r, s.companies[r.code], DECLINES, tell)


DECLINES = {"track": ("lays", "track"), "base": ("builds", "base"), "train": ("buys", "trains")}
"""What a company does not do where its director passes, by step."""


_STEPS: dict[steps.Kind, steps.Step] = {
    a.Bid: (bidding.list_bid_options, bidding.check_bid, bidding.apply_bid),
    rounds.Pass: rounds.make_pass_step(find_pass_refusal, apply_pass),
    a.Start: (shares.list_start_options, shares.check_start, shares.apply_start),
    a.BuyShare: (shares.list_buy_options, shares.check_buy, shares.apply_buy),
    a.BuyPrivate: (privates.list_buy_options, privates.check_buy, privates.apply_buy),
    a.Sell: (shares.list_sell_options, shares.check_sell, shares.apply_sell),
    a.SellPrivate: (privates.list_sell_options, privates.check_sell, privates.apply_sell),
    a.Exchange: (privates.list_exchange_options, privates.check_exchange, privates.apply_exchange),
    a.ClosePrivate: (privates.list_close_options, privates.check_close, privates.apply_close),
    LayTile: (building.list_lay_options, building.check_lay, building.apply_lay),
    a.PlaceBase: (building.list_base_options, building.check_base, building.apply_base),
    a.Run: (running.list_options, running.check, running.apply),
    a.Dividend: (running.list_dividend_options, running.check_dividend, running.apply_dividend),
    a.BuyTrain: (trains.list_options, trains.check, trains.apply),
    a.Answer: (trains.list_answer_options, trains.check_answer, trains.apply_reply),
    a.Counter: (trains.list_counter_options, trains.check_counter, trains.apply_reply),
    a.Withdraw: (trains.list_withdraw_options, trains.check_withdraw, trains.apply_withdraw),
    a.Discard: (trains.list_discard_options, trains.check_discard, trains.apply_discard),
    rounds.EndGame: (rounds.list_end_options, rounds.check_end, rounds.apply_end),
}
_CHOICE: steps.Step = (bidding.list_lot_options, bidding.check_lot, bidding.apply_lot)

_DEALS: tuple[steps.Kind, ...] = (
    rounds.Pass,
    a.Sell,
    a.SellPrivate,
    a.Exchange,
    a.ClosePrivate,
    a.BuyShare,
    a.BuyPrivate,
    a.Start,
)
_TURN_STEPS: dict[TurnStep, tuple[steps.Kind, ...]] = {
    "discard": (a.Discard,),
    "track": (LayTile, rounds.Pass),
    "base": (a.PlaceBase, rounds.Pass),
    "run": (a.Run,),
    "dividend": (a.Dividend,),
    "train": (a.BuyTrain, rounds.Pass),
}


def find_actors(s: State) -> tuple[int, ...]:
    """Return the seats that may act: who decides first, then who may take an offer back."""
    r = s.round
    if s.over:
        return ()
    if isinstance(r, Auction):
        return (r.chooser if r.is_won else r.turn,)
    if isinstance(r, Stock):
        return (s.companies[r.homes[0]].director if r.homes else r.turn,)
    if r.offer is not None:
        return (r.offer.decider, r.offer.proposer)
    director = s.companies[r.code].director
    # Where a company in receivership is asked at all, any player says what it does (Companies In Receivership).
    return (director,) if director >= 0 else tuple(range(s.seats))


def list_kinds(s: State, seat: int) -> tuple[steps.Kind, ...]:
    """Return the kinds of action that have their turn now."""
    r = s.round
    if isinstance(r, Auction):
        return (a.BuyPrivate, a.Start) if r.is_won else (a.Bid, rounds.Pass)
    if isinstance(r, Stock):
        return _list_deal_kinds(s, r, seat)
    if r.offer is not None:
        return (a.Answer, a.Counter, a.Withdraw)
    return _TURN_STEPS[r.step]


def _list_deal_kinds(s: State, r: Stock, seat: int) -> tuple[steps.Kind, ...]:
    """Return what a player may do in a stock round."""
    if r.homes:
        return (LayTile,) if s.rules.unfitting_home_tile_skipped else (LayTile, rounds.Pass)
    if r.bought:
        return (a.Exchange, rounds.Pass)
    if shares.is_above_limit(s, seat) and any(shares.list_sell_options(s, seat)):
        return (a.Sell,)
    return _DEALS


def list_legal(s: State, seat: int) -> Iterator[Action]:
    """Yield every legal action of a seat."""
    if seat not in find_actors(s):
        return
    if isinstance(s.round, Auction) and s.round.is_won:
        yield from bidding.list_lot_options(s, seat)
        return
    yield from steps.list_legal(_STEPS, list_kinds(s, seat), s, seat)


def check(s: State, seat: int, action: Action) -> steps.Checked:
    """Check an action of a seat.

    Raises:
        RuleError: it is not the seat's turn, not the step for it, or the step refuses it.
    """
    kind = type(action)
    if seat not in find_actors(s) and not _needs_no_turn(s, kind):
        raise RuleError("It's not your turn.", _cite_timing(s))
    if kind is not rounds.EndGame and kind not in list_kinds(s, seat) and not _needs_no_turn(s, kind):
        raise RuleError(_explain_wrong_time(s, seat, kind), _cite_timing(s))
    chooses = isinstance(s.round, Auction) and kind in (a.BuyPrivate, a.Start)
    return steps.check_step(_CHOICE if chooses else _STEPS[kind], s, seat, action)


def _needs_no_turn(s: State, kind: steps.Kind) -> bool:
    """Return whether an action needs no turn, which only an exchange can (differences 9); a home tile comes first."""
    if kind is not a.Exchange or s.rules.exchange_in_own_turn or not isinstance(s.round, Stock) or s.over:
        return False
    return not (s.round.homes and s.rules.exchange_waits_for_home)


def _cite_timing(s: State) -> Rule:
    """Return the rule about what has its turn now."""
    if isinstance(s.round, Auction):
        return rule("Private Companies and the Initial Auction")
    if isinstance(s.round, Operating):
        return rule("Buying Trains") if s.round.offer else rule("Operating Public Companies")
    if s.round.homes:
        return rule("Flotation & Capitalisation")
    return rule("Certificate Limit") if list_kinds(s, s.round.turn) == (a.Sell,) else rule("Buying and Selling Shares")


def _explain_wrong_time(s: State, seat: int, kind: steps.Kind) -> str:
    """Word that an action has its turn at another time, and what has its turn now."""
    r = s.round
    if isinstance(r, Stock) and r.homes:
        home = s.companies[r.homes[0]].charter
        return f"{home.code} has floated; you must first lay its home tile on {home.place} ({home.home[0]})."
    if list_kinds(s, seat) == (a.Sell,):
        return trading.explain_only_sell(s.count_certificates(seat), shares.find_certificate_limit(s))
    if isinstance(r, Auction) and r.is_won:
        return f"You can't {kind.brief} now; you won the auction and must first choose a lot."
    if isinstance(r, Operating) and r.offer and seat == r.offer.proposer:
        return steps.explain_wait_for_answer(kind, r.offer.decider)
    company = r.code if isinstance(r, Operating) and r.offer is None else ""
    return steps.explain_wrong_time(kind, steps.list_possible_kinds(_STEPS, list_kinds(s, seat), s, seat), company)


def apply(s: State, checked: steps.Checked, tell: Tell) -> None:
    """Carry an action out, and everything that follows until a player must decide."""
    rounds.carry_out(s, checked, settle, tell)


def settle(s: State, tell: Tell) -> bool:
    """Do one thing that needs no decision; return whether there was one."""
    if isinstance(s.round, Auction):
        return stock.settle_auction(s, tell)
    if isinstance(s.round, Stock):
        return stock.settle_stock(s, tell)
    return operating.settle(s, tell)
