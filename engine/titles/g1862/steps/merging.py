"""Mergers: proposed, answered, carried out, and the options that follow (§7.5); offers for trains too."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import market
from engine.record import Record, Rule
from engine.title import Tell
from engine.titles.g1862 import companies, ground, share_merge
from engine.titles.g1862.actions import Answer, Merge, Option, RemoveMarker, Withdraw
from engine.titles.g1862.catalogue import KINDS, LONDON, MARKET, rule
from engine.titles.g1862.events import (
    MarkerRemoved,
    MergerBegan,
    MergerEnded,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfferWithdrawn,
)
from engine.titles.g1862.setup import make_company
from engine.titles.g1862.state import Company, Merging, Offer, State
from engine.titles.g1862.steps import shares, trains
from engine.words import join_words


def find_new_price(one: Company, other: Company) -> int:
    """Return the price after a merger: the lower plus half of the higher, both as for a sale (§7.5.3)."""
    low, high = sorted((one.effective_price, other.effective_price))
    return companies.find_space_at_most(low, halves=high)


def find_merger_refusal(s: State, company: Company, other: Company) -> RuleError | None:
    """Return the refusal of a merger of two companies, or nothing."""
    if s.lner:
        return RuleError("Companies can't merge once the LNER has formed.", rule("10.3"))
    if other is company:
        return RuleError(f"{other.code} can't merge with itself.", rule("7.5.2"))
    if not other.floated or not (other.markers or other.waiting):
        return RuleError(f"{other.code} has no station marker on the map, so it can't merge.", rule("7.5.2"))
    for party in (company, other):
        if party.receivership:
            return RuleError(f"{party.code} is in receivership, so it can't merge.", rule("8.0"))
    if not ground.are_joined(s, company, other):
        why = f"No track connects a marker of {company.code} with one of {other.code}; London doesn't count."
        return RuleError(why, rule("7.5.2"))
    return None


def list_partners(s: State, company: Company) -> Iterator[Company]:
    """Yield the companies that the active one could merge with."""
    if company.receivership or s.lner:
        return
    for other in s.companies.values():
        if not find_merger_refusal(s, company, other):
            yield other


def begin_merger(s: State, company: Company, other: Company, survivor: Company, tell: Tell) -> None:
    """Begin a merger that both directors want: the price, then the shares (§7.5.1, §7.5.3, §5.2.4)."""
    gone = other if survivor is company else company
    price = find_new_price(company, other)
    survivor.par = MARKET.find_par(price)
    kind = "merge" if s.operating.step == "merge" else "acquire"
    merging = Merging(survivor.code, gone.code, kind, company.director, price, [])
    tell(MergerBegan(survivor.code, gone.code, price, survivor.par))
    market.place_marker(s, survivor, price)
    if s.rules.merger_may_end_game:
        market.note_top(s, survivor, tell)
    share_merge.begin(s, merging)


def move_assets(s: State, tell: Tell) -> None:
    """Settle who directs the survivor and move to it what the other owns, but for markers on the map (§7.5.6)."""
    m = s.operating.merging
    assert m is not None
    survivor, other = share_merge.find_parties(s, m)
    assert other is not None
    assert other.pool == 10, other.code
    m.moved = True
    share_merge.settle_survivor_director(s, m, tell)
    survivor.cash, other.cash = survivor.cash + other.cash, 0
    survivor.trains, other.trains = survivor.trains + other.trains, []
    survivor.permits = [kind for kind in KINDS if kind in {*survivor.permits, *other.permits}]
    # Nothing is left in the IPO, so the charter is turned (§7.5.6), unless it stays where both had one.
    survivor.chartered = survivor.chartered and other.chartered and s.rules.merged_charter_stays
    survivor.due = [*survivor.due, *other.due] if s.rules.home_first else []
    survivor.operated = survivor.operated or other.operated
    _drop_doubles(survivor, other)
    if count_surplus_markers(s) > 0:
        s.operating.removing = survivor.code


def _drop_doubles(survivor: Company, other: Company) -> None:
    """Lose one of two markers in a hex, the one beside a city if one is (§7.5.6)."""
    survivor.waiting = [hex_ for hex_ in survivor.waiting if hex_ not in other.places]
    other.markers = [marker for marker in other.markers if marker.hex not in survivor.places]
    other.waiting = [hex_ for hex_ in other.waiting if hex_ not in (*survivor.places, *survivor.waiting)]
    other.london = "" if survivor.london else other.london


def count_surplus_markers(s: State) -> int:
    """Return how many markers of the two companies on the map are beyond the limit (§7.5.6)."""
    m = s.operating.merging
    assert m is not None
    return sum(company.marker_count for company in share_merge.find_parties(s, m) if company) - s.rules.markers


def complete_merger(s: State, tell: Tell) -> None:
    """Replace the other's markers, free its charter, and settle whose turn it is (§7.5, §7.5.6, §7.5.7)."""
    m = s.operating.merging
    assert m is not None
    survivor, other = share_merge.find_parties(s, m)
    assert other is not None
    survivor.markers = [*survivor.markers, *other.markers]
    survivor.waiting = [*survivor.waiting, *other.waiting]
    survivor.london = survivor.london or other.london
    room = s.rules.markers - survivor.marker_count
    survivor.unplaced = max(0, min(survivor.unplaced + other.unplaced, room))
    s.companies[other.code] = make_company(other.code, s.seats, other.group, other.permit)
    tell(MergerEnded(survivor.code, other.code))
    _settle_turns(s, m)
    s.operating.merging = None


def has_operated(s: State, code: str) -> bool:
    """Return whether a company has had its turn in this round."""
    r = s.operating
    return code in r.order[: r.index] or code in r.done


def _settle_turns(s: State, m: Merging) -> None:
    """Settle who goes on (§7.5).

    A merger with a company that has not operated: the survivor goes on in
    the active one's place, the other turn vanishes. Else the turn is over.
    """
    r = s.operating
    active = r.code
    partner = m.other if active == m.survivor else m.survivor
    operated = has_operated(s, partner)
    r.order[r.index] = m.survivor
    r.order[r.index + 1 :] = [code for code in r.order[r.index + 1 :] if code != partner]
    if m.kind == "merge" and not operated:
        runs = s.rules.merged_receivership_runs or not s.companies[m.survivor].receivership
        r.step = "track" if runs else "dividend"
        return
    r.done = [*r.done, m.survivor]
    r.step = "end"


class MergerPlan(Record, frozen=True):
    """A merger that may be made; with ``asks`` the other director is asked first."""

    company: str
    other: str
    survivor: str
    asks: int
    proposer: int


def is_open_for(s: State, company: Company) -> bool:
    """Return whether the company could merge with another."""
    return any(True for _ in list_partners(s, company))


def list_merge_options(s: State, seat: int) -> Iterator[Merge]:
    """Yield every partner, with either company surviving."""
    del seat
    company = s.companies[s.operating.code]
    for other in list_partners(s, company):
        if not ground.are_joined(s, company, other, for_certain=True):
            continue
        yield Merge(other.code, company.code)
        yield Merge(other.code, other.code)


def check_merge(s: State, seat: int, action: Merge) -> MergerPlan:
    """Check a merger."""
    company = s.companies[s.operating.code]
    other = shares.find_company(s, action.company)
    refusal = find_merger_refusal(s, company, other)
    if refusal is not None:
        raise refusal
    if action.survivor not in (company.code, other.code):
        sentence = f"The survivor must be {company.code} or {other.code}, not “{action.survivor[:20]}”."
        raise RuleError(sentence, rule("7.5.1"))
    asks = other.director if other.director != seat and s.rules.mergers_need_consent else -1
    return MergerPlan(company.code, other.code, action.survivor, asks, seat)


def apply_merge(s: State, plan: MergerPlan, tell: Tell) -> None:
    """Begin the merger, or ask the other director."""
    if plan.asks >= 0:
        s.operating.offer = Offer("merge", plan.company, plan.other, plan.asks, plan.proposer, plan.survivor)
        price = find_new_price(s.companies[plan.company], s.companies[plan.other])
        detail = f"{plan.survivor} survives at £{price:,}"
        tell(OfferMade("merge", plan.company, plan.other, plan.proposer, plan.asks, detail))
        return
    begin_merger(s, s.companies[plan.company], s.companies[plan.other], s.companies[plan.survivor], tell)


class ReplyPlan(Record, frozen=True):
    """What becomes of the proposal."""

    offer: Offer
    accepted: bool


def _get_offer(s: State) -> Offer:
    offer = s.operating.offer
    assert offer is not None
    return offer


def _cite_consent(offer: Offer) -> Rule:
    """Return the rule about what is proposed: a merger, or a train."""
    return rule("7.5.1") if offer.kind == "merge" else rule("7.9")


def list_answer_options(s: State, seat: int) -> Iterator[Answer]:
    """Yield both answers for the one who is asked."""
    if seat == _get_offer(s).decider:
        yield Answer("accept")
        yield Answer("decline")


def check_answer(s: State, seat: int, action: Answer) -> ReplyPlan:
    """Check an answer."""
    offer = _get_offer(s)
    if seat != offer.decider:
        raise RuleError(f"You made this offer, so the director of {offer.other} must answer it.", _cite_consent(offer))
    return ReplyPlan(offer, action.reply == "accept")


def apply_answer(s: State, reply: ReplyPlan, tell: Tell) -> None:
    """Do what was proposed, or let the turn go on as before."""
    offer = reply.offer
    s.operating.offer = None
    if not reply.accepted:
        tell(OfferDeclined(offer.decider, offer.company, offer.other))
        return
    tell(OfferAccepted(offer.decider, offer.kind, offer.company, offer.other))
    company, other = s.companies[offer.company], s.companies[offer.other]
    if offer.kind == "merge":
        begin_merger(s, company, other, s.companies[offer.survivor], tell)
    else:
        trains.buy(s, trains.plan_purchase_from_company(s, company, other, offer.train), tell)


def list_withdraw_options(s: State, seat: int) -> Iterator[Withdraw]:
    """Yield the withdrawal for the one who asked."""
    if seat == _get_offer(s).proposer:
        yield Withdraw()


def check_withdraw(s: State, seat: int, action: Withdraw) -> Offer:
    """Check a withdrawal."""
    del action
    offer = _get_offer(s)
    if seat != offer.proposer:
        sentence = f"Only the director of {offer.company}, who made the offer, can take it back; you can decline it."
        raise RuleError(sentence, _cite_consent(offer))
    return offer


def apply_withdraw(s: State, offer: Offer, tell: Tell) -> None:
    """Take the proposal back."""
    s.operating.offer = None
    tell(OfferWithdrawn(offer.proposer, offer.company, offer.other))


class OptionPlan(Record, frozen=True):
    """A decision about the open option."""

    redeem: bool


def _get_merging(s: State) -> Merging:
    merging = s.operating.merging
    assert merging is not None
    return merging


def list_option_options(s: State, seat: int) -> Iterator[Option]:
    """Yield both choices; who cannot pay is not asked."""
    del seat
    if share_merge.find_purse(s, _get_merging(s)) >= _get_merging(s).redeem:
        yield Option("redeem")
    yield Option("sell")


def check_option(s: State, seat: int, action: Option) -> OptionPlan:
    """Check a decision."""
    del seat
    m = _get_merging(s)
    money = share_merge.find_purse(s, m)
    if action.choice == "redeem" and money < m.redeem:
        sentence = f"Redeeming this option costs £{m.redeem:,}, but only £{money:,} is available; give it up."
        raise RuleError(sentence, rule("5.2.4"))
    return OptionPlan(action.choice == "redeem")


def apply_option(s: State, plan: OptionPlan, tell: Tell) -> None:
    """Carry the decision out."""
    if plan.redeem:
        share_merge.redeem(s, _get_merging(s), tell)
    else:
        share_merge.give_up(s, _get_merging(s), tell)


class RemovalPlan(Record, frozen=True):
    """A marker to be removed."""

    company: str
    hex: str


def find_merging_parties(s: State) -> list[Company]:
    """Return the survivor and the company that ends."""
    m = s.operating.merging
    assert m is not None
    return [s.companies[m.survivor], s.companies[m.other]]


def list_removable_places(s: State) -> list[str]:
    """Return where a marker of either may be taken from: anywhere but the survivor's home, which must stay runnable."""
    both = find_merging_parties(s)
    found = [hex_ for company in both for hex_ in (*company.places, *company.waiting)]
    found = [hex_ for hex_ in found if hex_ != both[0].charter.home]
    return [*found, LONDON] if any(company.london for company in both) else found


def list_remove_options(s: State, seat: int) -> Iterator[RemoveMarker]:
    """Yield every marker that may go."""
    del seat
    yield from (RemoveMarker(hex_) for hex_ in list_removable_places(s))


def check_remove(s: State, seat: int, action: RemoveMarker) -> RemovalPlan:
    """Check a removal."""
    del seat
    code = s.operating.removing
    if action.hex not in list_removable_places(s):
        places = join_words(list_removable_places(s), "or")
        raise RuleError(f"{code} can't remove a marker from {action.hex[:20]}; choose {places}.", rule("7.5.6"))
    return RemovalPlan(code, action.hex)


def apply_remove(s: State, plan: RemovalPlan, tell: Tell) -> None:
    """Remove the marker; it is lost."""
    for company in find_merging_parties(s):
        if plan.hex == LONDON:
            company.london = ""
        company.waiting = [hex_ for hex_ in company.waiting if hex_ != plan.hex]
        company.markers = [marker for marker in company.markers if marker.hex != plan.hex]
    tell(MarkerRemoved(plan.company, plan.hex))
    if count_surplus_markers(s) <= 0:
        s.operating.removing = ""
