"""Answering a proposal: a merger, or the sale of a train (13.1, 17.1)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import mergers
from engine.titles.g1862.actions import Answer, Withdraw
from engine.titles.g1862.events import OfferAccepted, OfferDeclined, OfferWithdrawn
from engine.titles.g1862.rounds.records import Offer
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import State
from engine.titles.g1862.steps import trains


class ReplyPlan(Record, frozen=True):
    """What becomes of the proposal."""

    offer: Offer
    accepted: bool


def _offer(s: State) -> Offer:
    offer = s.operating.offer
    assert offer is not None
    return offer


def answer_options(s: State, seat: int) -> Iterator[Answer]:
    """Yield both answers for the one who is asked."""
    if seat == _offer(s).decider:
        yield Answer("accept")
        yield Answer("decline")


def check_answer(s: State, seat: int, action: Answer) -> ReplyPlan:
    """Check an answer."""
    offer = _offer(s)
    if seat != offer.decider:
        raise RuleError(f"The director of {offer.other} decides about this.", rule("13.1"))
    return ReplyPlan(offer, action.reply == "accept")


def apply_answer(s: State, reply: ReplyPlan, tell: Tell) -> None:
    """Do what was proposed, or let the turn go on as before."""
    offer = reply.offer
    s.operating.offer = None
    if not reply.accepted:
        tell(OfferDeclined(offer.decider, offer.company, offer.other))
        return
    tell(OfferAccepted(offer.decider, offer.company, offer.other))
    company, other = s.companies[offer.company], s.companies[offer.other]
    if offer.kind == "merge":
        mergers.begin(s, company, other, s.companies[offer.survivor], tell)
    else:
        trains.buy(s, trains.of_company(s, company, other, offer.train), tell)


def withdraw_options(s: State, seat: int) -> Iterator[Withdraw]:
    """Yield the withdrawal for the one who asked."""
    if seat == _offer(s).proposer:
        yield Withdraw()


def check_withdraw(s: State, seat: int, action: Withdraw) -> Offer:
    """Check a withdrawal."""
    del action
    offer = _offer(s)
    if seat != offer.proposer:
        raise RuleError(f"Only the director of {offer.company} can take the proposal back.", rule("13.1"))
    return offer


def apply_withdraw(s: State, offer: Offer, tell: Tell) -> None:
    """Take the proposal back."""
    s.operating.offer = None
    tell(OfferWithdrawn(offer.proposer, offer.company, offer.other))
