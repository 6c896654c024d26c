"""Merging two companies: price, assets, markers, turns (§7.5)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import market
from engine.title import Tell
from engine.titles.g1862 import companies, ground, share_merge
from engine.titles.g1862.catalogue import KINDS, MARKET, rule
from engine.titles.g1862.events import MergerBegan, MergerEnded
from engine.titles.g1862.setup import fresh_company
from engine.titles.g1862.state import Company, Merging, State


def new_price(one: Company, other: Company) -> int:
    """Return the price after a merger: the lower plus half of the higher, both as for a sale (§7.5.3)."""
    low, high = sorted((one.effective, other.effective))
    return companies.at_most(low, halves=high)


def refused(s: State, company: Company, other: Company) -> RuleError | None:
    """Return the refusal of a merger of two companies, or nothing."""
    if s.lner:
        return RuleError("After the LNER no companies merge.", rule("10.3"))
    if other is company:
        return RuleError(f"{other.code} cannot merge with itself.", rule("7.5.2"))
    if not other.floated or not (other.markers or other.waiting):
        return RuleError(f"{other.code} has no station marker on the map yet.", rule("7.5.2"))
    for party in (company, other):
        if party.receivership:
            return RuleError(f"{party.code} is in receivership and cannot merge.", rule("8.0"))
    if not ground.joined(s, company, other):
        why = f"No track joins a marker of {company.code} and one of {other.code}; London does not count."
        return RuleError(why, rule("7.5.2"))
    return None


def partners(s: State, company: Company) -> Iterator[Company]:
    """Yield the companies that the active one could merge with."""
    if company.receivership or s.lner:
        return
    for other in s.companies.values():
        if not refused(s, company, other):
            yield other


def begin(s: State, company: Company, other: Company, survivor: Company, tell: Tell) -> None:
    """Begin a merger that both directors want: the price, then the shares (§7.5.1, §7.5.3, §5.2.4)."""
    gone = other if survivor is company else company
    price = new_price(company, other)
    survivor.par = MARKET.par(price)
    kind = "merge" if s.operating.step == "merge" else "acquire"
    merging = Merging(survivor.code, gone.code, kind, company.director, price, [])
    tell(MergerBegan(survivor.code, gone.code, price, survivor.par))
    market.place(s, survivor, MARKET.prices, price)
    if s.rules.merger_may_end_game:
        market.watch_top(s, survivor, MARKET.prices, tell)
    share_merge.begin(s, merging)


def move_assets(s: State, tell: Tell) -> None:
    """Settle who directs the survivor and move to it what the other owns, but for markers on the map (§7.5.6)."""
    m = s.operating.merging
    assert m is not None
    survivor, other = share_merge.parties(s, m)
    assert other is not None
    assert other.pool == 10, other.code
    m.moved = True
    share_merge.crown(s, m, tell)
    survivor.cash, other.cash = survivor.cash + other.cash, 0
    survivor.trains, other.trains = survivor.trains + other.trains, []
    survivor.permits = [kind for kind in KINDS if kind in {*survivor.permits, *other.permits}]
    # Nothing is left in the IPO, so the charter is turned (§7.5.3), unless it stays where both had one.
    survivor.chartered = survivor.chartered and other.chartered and s.rules.merged_charter_stays
    survivor.due = [*survivor.due, *other.due] if s.rules.home_first else []
    survivor.operated = survivor.operated or other.operated
    _drop_doubles(survivor, other)
    if too_many(s) > 0:
        s.operating.removing = survivor.code


def _drop_doubles(survivor: Company, other: Company) -> None:
    """Lose one of two markers in a hex, the one beside a city if one is (§7.5.6)."""
    survivor.waiting = [hex_ for hex_ in survivor.waiting if hex_ not in other.places]
    other.markers = [marker for marker in other.markers if marker.hex not in survivor.places]
    other.waiting = [hex_ for hex_ in other.waiting if hex_ not in (*survivor.places, *survivor.waiting)]
    other.london = "" if survivor.london else other.london


def too_many(s: State) -> int:
    """Return how many markers of the two companies on the map are beyond the limit (§7.5.6)."""
    m = s.operating.merging
    assert m is not None
    return sum(company.marker_count for company in share_merge.parties(s, m) if company) - s.rules.markers


def complete(s: State, tell: Tell) -> None:
    """Replace the other's markers, free its charter, and settle whose turn it is (§7.5, §7.5.6, §7.5.7)."""
    m = s.operating.merging
    assert m is not None
    survivor, other = share_merge.parties(s, m)
    assert other is not None
    survivor.markers = [*survivor.markers, *other.markers]
    survivor.waiting = [*survivor.waiting, *other.waiting]
    survivor.london = survivor.london or other.london
    room = s.rules.markers - survivor.marker_count
    survivor.unplaced = max(0, min(survivor.unplaced + other.unplaced, room))
    s.companies[other.code] = fresh_company(other.code, s.seats, other.group, other.permit)
    tell(MergerEnded(survivor.code, other.code))
    _settle_turns(s, m)
    s.operating.merging = None


def has_operated(s: State, code: str) -> bool:
    """Tell whether a company has had its turn in this round."""
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
