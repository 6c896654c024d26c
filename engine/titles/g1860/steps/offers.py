"""Trains between companies of different directors: the other director decides (6.32)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860.actions import Answer, Counter, Withdraw
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.events import OfferDeclined, OfferWithdrawn
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Offer, State
from engine.titles.g1860.steps import trains


class ReplyPlan(Record, frozen=True):
    """An answer to the offer on the table; ``price`` above 0 is a counter-offer."""

    accept: bool = False
    price: int = 0


class Recall(Record, frozen=True):
    """The offer is to be taken back."""


def _offer(s: State) -> Offer:
    offer = s.operating.offer
    assert offer is not None
    return offer


def answer_options(s: State, seat: int) -> Iterator[Answer]:
    """Yield the answers of the director who decides; a price beyond the treasury cannot be accepted."""
    offer = _offer(s)
    if seat == offer.decider:
        if offer.price <= s.companies[offer.buyer].cash:
            yield Answer("accept")
        yield Answer("decline")


def check_answer(s: State, seat: int, action: Answer) -> ReplyPlan:
    """Check an answer."""
    _check_decider(s, seat)
    offer, cash = _offer(s), s.companies[_offer(s).buyer].cash
    if action.reply == "accept" and offer.price > cash:
        raise RuleError(f"{offer.buyer} has {cash}cc, not the {offer.price}cc asked.", rule("6.32"))
    return ReplyPlan(accept=action.reply == "accept")


def _check_decider(s: State, seat: int) -> None:
    if seat != _offer(s).decider:
        raise RuleError("The other director must answer this offer; you may take it back.", rule("6.32"))


def most_asked(s: State, seat: int) -> int:
    """Return the highest price worth naming: what the buyer has, as far as the seller may know it (10.4).

    A treasury that is hidden from him bounds nothing; then it is what the dearest train costs.
    """
    buyer = s.companies[_offer(s).buyer]
    if s.rules.open_treasuries or buyer.shares[seat]:
        return buyer.cash
    return max(kind.price for kind in TRAINS.values())


def counter_options(s: State, seat: int) -> Iterator[Counter]:
    """Yield every other price the buyer could pay."""
    offer = _offer(s)
    if seat == offer.decider:
        most = most_asked(s, seat)
        step = trains.LEAST_PRICE
        yield from (Counter(price) for price in range(step, most + 1, step) if price != offer.price)


def check_counter(s: State, seat: int, action: Counter) -> ReplyPlan:
    """Check a counter-offer."""
    _check_decider(s, seat)
    offer, most = _offer(s), most_asked(s, seat)
    if action.price < trains.LEAST_PRICE or action.price % trains.LEAST_PRICE or action.price > most:
        raise RuleError(f"The price is a multiple of 10cc, from 10cc to {most}cc.", rule("6.32"))
    if action.price == offer.price:
        raise RuleError(f"{action.price}cc is what is offered; accept it, or name another price.", rule("6.32"))
    return ReplyPlan(price=action.price)


def apply_reply(s: State, reply: ReplyPlan, tell: Tell) -> None:
    """Sell the train, decline, or ask the other side about another price."""
    offer = _offer(s)
    if reply.price:
        asked = Offer(offer.buyer, offer.seller, offer.train, reply.price, offer.proposer, offer.decider)
        trains.ask(s, asked, tell)
        return
    s.operating.offer = None
    if reply.accept:
        trains.buy(s, trains.Plan(offer.buyer, offer.train, offer.seller, offer.price), tell)
    else:
        tell(OfferDeclined(offer.buyer, offer.seller, offer.train, offer.decider))


def withdraw_options(s: State, seat: int) -> Iterator[Withdraw]:
    """Yield the withdrawal, for whoever made the offer."""
    if seat == _offer(s).proposer:
        yield Withdraw()


def check_withdraw(s: State, seat: int, action: Withdraw) -> Recall:
    """Check a withdrawal."""
    del action
    if seat != _offer(s).proposer:
        raise RuleError("Only who made the offer can take it back; accept or decline it.", rule("6.32"))
    return Recall()


def apply_withdraw(s: State, recall: Recall, tell: Tell) -> None:
    """Take the offer back."""
    del recall
    offer = _offer(s)
    s.operating.offer = None
    tell(OfferWithdrawn(offer.buyer, offer.seller, offer.train))
