"""Mergers and acquisitions proposed, answered, and the options that follow; offers for trains too."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record, Rule
from engine.title import Tell
from engine.titles.g1862 import ground, mergers, share_merge
from engine.titles.g1862.actions import Answer, Merge, Option, Withdraw
from engine.titles.g1862.catalogue import rule
from engine.titles.g1862.events import OfferAccepted, OfferDeclined, OfferMade, OfferWithdrawn
from engine.titles.g1862.state import Company, Merging, Offer, State
from engine.titles.g1862.steps import shares, trains


class MergerPlan(Record, frozen=True):
    """A merger that may be made; with ``asks`` the other director is asked first."""

    company: str
    other: str
    survivor: str
    asks: int
    proposer: int


def open_for(s: State, company: Company) -> bool:
    """Tell whether the company could merge with another."""
    return any(True for _ in mergers.partners(s, company))


def merge_options(s: State, seat: int) -> Iterator[Merge]:
    """Yield every partner, with either company surviving."""
    del seat
    company = s.companies[s.operating.code]
    for other in mergers.partners(s, company):
        if not ground.joined(s, company, other, for_certain=True):
            continue
        yield Merge(other.code, company.code)
        yield Merge(other.code, other.code)


def check_merge(s: State, seat: int, action: Merge) -> MergerPlan:
    """Check a merger."""
    company = s.companies[s.operating.code]
    other = shares.find_company(s, action.company)
    refusal = mergers.refused(s, company, other)
    if refusal is not None:
        raise refusal
    if action.survivor not in (company.code, other.code):
        raise RuleError(f"The survivor is {company.code} or {other.code}, not {action.survivor[:20]}.", rule("7.5.1"))
    asks = other.director if other.director != seat and s.rules.mergers_need_consent else -1
    return MergerPlan(company.code, other.code, action.survivor, asks, seat)


def apply_merge(s: State, plan: MergerPlan, tell: Tell) -> None:
    """Begin the merger, or ask the other director."""
    if plan.asks >= 0:
        s.operating.offer = Offer("merge", plan.company, plan.other, plan.asks, plan.proposer, plan.survivor)
        price = mergers.new_price(s.companies[plan.company], s.companies[plan.other])
        tell(OfferMade("merge", plan.company, plan.other, plan.asks, f"{plan.survivor} survives at £{price}"))
        return
    mergers.begin(s, s.companies[plan.company], s.companies[plan.other], s.companies[plan.survivor], tell)


class ReplyPlan(Record, frozen=True):
    """What becomes of the proposal."""

    offer: Offer
    accepted: bool


def _offer(s: State) -> Offer:
    offer = s.operating.offer
    assert offer is not None
    return offer


def _consent(offer: Offer) -> Rule:
    """Return the rule about what is proposed: a merger, or a train."""
    return rule("7.5.1") if offer.kind == "merge" else rule("7.9")


def answer_options(s: State, seat: int) -> Iterator[Answer]:
    """Yield both answers for the one who is asked."""
    if seat == _offer(s).decider:
        yield Answer("accept")
        yield Answer("decline")


def check_answer(s: State, seat: int, action: Answer) -> ReplyPlan:
    """Check an answer."""
    offer = _offer(s)
    if seat != offer.decider:
        raise RuleError(f"The director of {offer.other} decides about this.", _consent(offer))
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
        raise RuleError(f"Only the director of {offer.company} can take the proposal back.", _consent(offer))
    return offer


def apply_withdraw(s: State, offer: Offer, tell: Tell) -> None:
    """Take the proposal back."""
    s.operating.offer = None
    tell(OfferWithdrawn(offer.proposer, offer.company, offer.other))


class OptionPlan(Record, frozen=True):
    """A decision about the open option."""

    redeem: bool


def _merging(s: State) -> Merging:
    merging = s.operating.merging
    assert merging is not None
    return merging


def option_options(s: State, seat: int) -> Iterator[Option]:
    """Yield both choices; who cannot pay is not asked."""
    del seat
    if share_merge.purse(s, _merging(s)) >= _merging(s).redeem:
        yield Option("redeem")
    yield Option("sell")


def check_option(s: State, seat: int, action: Option) -> OptionPlan:
    """Check a decision."""
    del seat
    m = _merging(s)
    money = share_merge.purse(s, m)
    if action.choice == "redeem" and money < m.redeem:
        raise RuleError(f"Redeeming costs £{m.redeem}; there is £{money}.", rule("5.2.4"))
    return OptionPlan(action.choice == "redeem")


def apply_option(s: State, plan: OptionPlan, tell: Tell) -> None:
    """Carry the decision out."""
    if plan.redeem:
        share_merge.redeem(s, _merging(s), tell)
    else:
        share_merge.give_up(s, _merging(s), tell)
