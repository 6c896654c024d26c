"""Whose turn it is, what it allows, when it may be passed, and the way of an action through its step."""

from collections.abc import Iterator

from engine import steps
from engine.errors import RuleError
from engine.finance import rounds, trading
from engine.rails.laying import LayTile
from engine.record import Action, Rule
from engine.title import Tell
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import companies, share_merge
from engine.titles.g1862.catalogue import rule
from engine.titles.g1862.rounds import operating, stock
from engine.titles.g1862.state import Company, Operating, Parliament, State, Stock, TurnStep
from engine.titles.g1862.steps import bidding, building, merging, raising, running, shares, trains


def find_pass_refusal(s: State, seat: int) -> RuleError | None:
    """Return the refusal of passing a step of a company's turn, or nothing; else a pass has its turn or not."""
    del seat
    r = s.round
    if not isinstance(r, Operating):
        return None
    company = s.companies[r.code]
    if r.offer or r.merging or r.removing or r.step in ("home", "run", "dividend"):
        return RuleError("You can't pass: this must be decided now.", _cite_timing(s))
    if r.step == "track" and building.must_build(s):
        if not s.rules.first_build_at_home and r.laid:
            sentence = f"Until there is a tile at its home, {r.code} must build if it can."
            return RuleError(sentence, rule("7.2"))
        return RuleError(f"{r.code} can't pass: its first tile must give its home marker a space.", rule("7.2"))
    if r.step == "train":
        if r.rescued or trains.must_buy(s, company):
            return RuleError(f"{r.code} has no train and can pay for one, so it must buy one.", rule("7.11"))
        if trains.is_short(s, company) and not raising.is_lost(s, company):
            sentence = f"{r.code} has no train, so it must buy one from another company or raise the money for one."
            return RuleError(sentence, rule("7.11"))
    return None


def apply_pass(s: State, seat: int, tell: Tell) -> None:
    """Pass; at the train step of a company that can have no train this is its end."""
    r = s.round
    if isinstance(r, Parliament):
        if r.winner >= 0:
            stock.close_charter(s)
        else:
            bidding.drop_out(s, seat, tell)
    elif isinstance(r, Stock):
        stock.pass_turn(s, seat, tell)
    elif r.step == "train" and not s.companies[r.code].trains:
        companies.declare_bankrupt(s, s.companies[r.code], tell)
    else:
        rounds.decline_step(r, s.companies[r.code], DECLINES, tell)


DECLINES = {
    "merge": ("proposes", "merger"),
    "track": ("builds", "track"),
    "token": ("places", "marker"),
    "train": ("buys", "trains"),
    "redeem": ("redeems", "share"),
    "acquire": ("acquires", "company"),
}
"""What a company does not do where its director passes, by step."""


_STEPS: dict[steps.Kind, steps.Step] = {
    a.Bid: (bidding.list_options, bidding.check, bidding.apply),
    rounds.Pass: rounds.make_pass_step(find_pass_refusal, apply_pass),
    a.Start: (shares.list_start_options, shares.check_start, shares.apply_start),
    a.BuyShare: (shares.list_buy_options, shares.check_buy, shares.apply_buy),
    a.Sell: (shares.list_sell_options, shares.check_sell, shares.apply_sell),
    a.Markers: (building.list_count_options, building.check_count, building.apply_count),
    LayTile: (building.list_lay_options, building.check_lay, building.apply_lay),
    a.AddStation: (building.list_station_options, building.check_station, building.apply_station),
    a.LinkLondon: (building.list_london_options, building.check_london, building.apply_london),
    a.PlaceMarker: (building.list_place_options, building.check_place, building.apply_place),
    a.Run: (running.list_options, running.check, running.apply),
    a.Dividend: (running.list_dividend_options, running.check_dividend, running.apply_dividend),
    a.BuyTrain: (trains.list_options, trains.check, trains.apply),
    a.RaiseMoney: (raising.list_raise_options, raising.check_raise, raising.apply_raise),
    a.Redeem: (raising.list_redeem_options, raising.check_redeem, raising.apply_redeem),
    a.Merge: (merging.list_merge_options, merging.check_merge, merging.apply_merge),
    a.Answer: (merging.list_answer_options, merging.check_answer, merging.apply_answer),
    a.Withdraw: (merging.list_withdraw_options, merging.check_withdraw, merging.apply_withdraw),
    a.Option: (merging.list_option_options, merging.check_option, merging.apply_option),
    a.RemoveMarker: (merging.list_remove_options, merging.check_remove, merging.apply_remove),
    rounds.EndGame: (rounds.list_end_options, rounds.check_end, rounds.apply_end),
}

_DEALS: tuple[steps.Kind, ...] = (rounds.Pass, a.Sell, a.BuyShare, a.Start)
_TURN_STEPS: dict[TurnStep, tuple[steps.Kind, ...]] = {
    "home": (LayTile,),
    "merge": (a.Merge, rounds.Pass),
    "track": (LayTile, a.AddStation, rounds.Pass),
    "token": (a.PlaceMarker, a.LinkLondon, rounds.Pass),
    "run": (a.Run,),
    "dividend": (a.Dividend,),
    "train": (a.BuyTrain, a.RaiseMoney, rounds.Pass),
    "redeem": (a.Redeem, rounds.Pass),
    "acquire": (a.Merge, rounds.Pass),
}


def find_actors(s: State) -> tuple[int, ...]:
    """Return the seats that may act: who decides first, then who may take a proposal back."""
    r = s.round
    if s.over:
        return ()
    if isinstance(r, Parliament):
        return (r.winner if r.winner >= 0 else r.turn,)
    if isinstance(r, Stock):
        return (_find_dealer(s, r),)
    if r.offer is not None:
        return (r.offer.decider, r.offer.proposer)
    if r.merging is not None and not r.removing:
        return (share_merge.find_decider(r.merging),)
    company = s.companies[r.removing or r.code]
    return (company.director if company.director >= 0 else find_acting_seat(s, company),)


def _find_dealer(s: State, r: Stock) -> int:
    if r.choosing:
        company = s.companies[r.choosing]
        return company.director if company.director >= 0 else find_acting_seat(s, company)
    return r.fines[0].seat if r.fines else r.turn


def find_acting_seat(s: State, company: Company) -> int:
    """Return who acts for a company in receivership: most shares, ties clockwise from the priority deal (§8.0)."""
    order = rounds.list_clockwise(s.priority, s.seats)
    return max(order, key=lambda seat: (company.shares[seat], -order.index(seat)))


def list_kinds(s: State, seat: int) -> tuple[steps.Kind, ...]:
    """Return the kinds of action that have their turn now."""
    r = s.round
    if isinstance(r, Parliament):
        if r.winner < 0:
            return (a.Bid, rounds.Pass)
        return (a.BuyShare, rounds.Pass) if s.companies[r.lot].started else (a.Start,)
    if isinstance(r, Stock):
        return _list_deal_kinds(s, r, seat)
    if r.offer is not None:
        return (a.Answer, a.Withdraw)
    if r.removing:
        return (a.RemoveMarker,)
    return (a.Option,) if r.merging is not None else _TURN_STEPS[r.step]


def _list_deal_kinds(s: State, r: Stock, seat: int) -> tuple[steps.Kind, ...]:
    """Return what a player may do in a stock round (§6.2, §6.5.2)."""
    if r.choosing:
        return (a.Markers,)
    if r.fines:
        return (a.Sell,)
    if shares.must_sell(s, seat) and any(shares.list_sell_options(s, seat)):
        return (a.Sell,)
    return _DEALS


def list_legal(s: State, seat: int) -> Iterator[Action]:
    """Yield every legal action of a seat."""
    if seat in find_actors(s):
        yield from steps.list_legal(_STEPS, list_kinds(s, seat), s, seat)


def check(s: State, seat: int, action: Action) -> steps.Checked:
    """Check an action of a seat.

    Raises:
        RuleError: it is not the seat's turn, not the step for it, or the step refuses it.
    """
    if seat not in find_actors(s):
        raise RuleError("It's not your turn.", _cite_timing(s))
    kind = type(action)
    if kind is not rounds.EndGame and kind not in list_kinds(s, seat):
        raise RuleError(_explain_wrong_time(s, seat, kind), _cite_timing(s))
    return steps.check_step(_STEPS[kind], s, seat, action)


def _explain_wrong_time(s: State, seat: int, kind: steps.Kind) -> str:
    """Word that an action has its turn at another time, and what has its turn now."""
    r = s.round
    if list_kinds(s, seat) == (a.Sell,):
        if s.stock.fines:
            return f"You owe £{s.stock.fines[0].owed} for a company that didn't float; you must sell shares to pay it."
        return trading.explain_only_sell(s.count_certificates(seat), s.limit)
    if isinstance(r, Operating) and r.offer and seat == r.offer.proposer:
        return steps.explain_wait_for_answer(kind, r.offer.decider)
    operates = isinstance(r, Operating) and r.offer is None and r.merging is None
    return steps.explain_wrong_time(
        kind, steps.list_possible_kinds(_STEPS, list_kinds(s, seat), s, seat), s.operating.code if operates else ""
    )


def _cite_timing(s: State) -> Rule:
    """Return the rule about what has its turn now."""
    r = s.round
    if isinstance(r, Parliament):
        return rule("4.2") if r.winner >= 0 else rule("4.1")
    if isinstance(r, Stock):
        if r.choosing:
            return rule("6.5.4.2")
        return rule("4.3") if r.fines else rule("6.5.2") if shares.must_sell(s, r.turn) else rule("6.2")
    if r.offer is not None:
        return rule("7.5.1") if r.offer.kind == "merge" else rule("7.9")
    if r.removing:
        return rule("7.5.6")
    return rule("7.1") if r.merging is None else rule("5.2.4")


def apply(s: State, checked: steps.Checked, tell: Tell) -> None:
    """Carry an action out, and everything that follows until a player must decide."""
    rounds.carry_out(s, checked, settle, tell)


def settle(s: State, tell: Tell) -> bool:
    """Do one thing that needs no decision; return whether there was one."""
    if not (isinstance(s.round, Operating) and s.round.merging) and companies.settle_bankruptcies(s, tell):
        return True
    if isinstance(s.round, Parliament):
        return stock.settle_parliament(s, tell)
    if isinstance(s.round, Stock):
        return stock.settle_stock(s, tell)
    return operating.settle(s, tell)
