"""The initial auction: bidding for the right to choose a lot, and the choice."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.events import BidMade, CompanyStarted, Passed
from engine.finance.rounds import list_clockwise
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860.actions import Bid, BuyPrivate, Start
from engine.titles.g1860.catalogue import CHARTERS, PRIVATES, rule
from engine.titles.g1860.events import AuctionWon, PrivateBought
from engine.titles.g1860.state import Auction, State
from engine.titles.g1860.steps import shares
from engine.words import join_words

MIN_RAISE = 5


class BidPlan(Record, frozen=True):
    """A bid that may be made."""

    seat: int
    amount: int


def find_lot_price(lot: str) -> int:
    """Return the least a lot costs: face value, or twice the lowest par."""
    return PRIVATES[lot].price if lot in PRIVATES else 2 * CHARTERS[lot].pars[0]


def find_max_bid(s: State, seat: int) -> int:
    """Return the highest bid a player may make: cash less the cheapest lot left."""
    return s.cash[seat] - min(find_lot_price(lot) for lot in s.auction.lots)


def list_bid_options(s: State, seat: int) -> Iterator[Bid]:
    """Yield every legal bid."""
    for amount in range(s.auction.high + MIN_RAISE, find_max_bid(s, seat) + 1):
        yield Bid(amount)


def check_bid(s: State, seat: int, action: Bid) -> BidPlan:
    """Check a bid."""
    least, most = s.auction.high + MIN_RAISE, find_max_bid(s, seat)
    cited = rule("Private Companies and the Initial Auction")
    cheapest = min(s.auction.lots, key=find_lot_price)
    price = f"£{find_lot_price(cheapest):,} for the cheapest lot, {cheapest}"
    if most < least:
        raise RuleError(
            f"You can only pass: a bid must be at least £{least}, and you have £{s.cash[seat]:,}, of which you must "
            f"keep {price}.",
            cited,
        )
    if action.amount < least:
        after = f"the high bid is £{s.auction.high:,}, so bid at least £{least:,}"
        raise RuleError(
            f"You can't bid £{action.amount:,}: {after if s.auction.high else f'bids start at £{least:,}'}.", cited
        )
    if action.amount > most:
        raise RuleError(f"You can bid at most £{most:,}: you have £{s.cash[seat]:,} and must keep {price}.", cited)
    return BidPlan(seat, action.amount)


def apply_bid(s: State, plan: BidPlan, tell: Tell) -> None:
    """Make the bid."""
    r = s.auction
    r.high, r.leader = plan.amount, plan.seat
    tell(BidMade(plan.seat, plan.amount))
    pass_on(s, tell)


def drop_out(s: State, seat: int, tell: Tell) -> None:
    """Pass: out of this auction only."""
    tell(Passed(seat))
    s.auction.passed.append(seat)
    pass_on(s, tell)


def pass_on(s: State, tell: Tell) -> None:
    """Go to the next player left in, or end the auction (Private Companies and the Initial Auction)."""
    r = s.auction
    left = [seat for seat in list_clockwise(r.turn + 1, s.seats) if seat not in r.passed]
    if r.leader >= 0 and left == [r.leader]:
        _win(s, r.leader, tell)
    elif not left:
        _win(s, r.passed[0], tell)
    else:
        r.turn = left[0]


def _win(s: State, seat: int, tell: Tell) -> None:
    """Let the winner pay the bid and choose; with no bid the first to pass takes a lot at value."""
    r = s.auction
    r.chooser = seat
    s.cash[seat] -= r.high
    tell(AuctionWon(seat, r.high))


class LotPlan(Record, frozen=True):
    """A lot to be taken; ``par`` is 0 for a private."""

    seat: int
    lot: str
    price: int
    par: int


def list_lot_options(s: State, seat: int) -> Iterator[BuyPrivate | Start]:
    """Yield every lot that can be paid for, director's certificates with each par."""
    short = _find_destitute_lot(s, seat)
    for lot in s.auction.lots:
        if short is not None and lot != short:
            continue
        if lot in PRIVATES:
            if short or PRIVATES[lot].price <= s.cash[seat]:
                yield BuyPrivate(lot)
        else:
            pars = CHARTERS[lot].pars[:1] if short else CHARTERS[lot].pars
            yield from (Start(lot, par) for par in pars if short or 2 * par <= s.cash[seat])


def check_lot(s: State, seat: int, action: BuyPrivate | Start) -> LotPlan:
    """Check the choice of a lot."""
    r = s.auction
    lot = action.private if isinstance(action, BuyPrivate) else action.company
    if lot not in r.lots:
        left = [f"{PRIVATES[each].name} ({each})" if each in PRIVATES else each for each in r.lots]
        raise RuleError(
            f"“{lot[:40]}” isn't one of the lots left: {', '.join(left)}.",
            rule("Private Companies and the Initial Auction"),
        )
    short = _find_destitute_lot(s, seat)
    if short is not None and lot != short:
        raise RuleError(
            f"You can't pay for any lot, so you must take the cheapest, {short}, for all your cash.",
            rule("Private Companies and the Initial Auction"),
        )
    if isinstance(action, BuyPrivate) is not (lot in PRIVATES):
        how = "a private company: buy it" if lot in PRIVATES else "a railway: start it and set its par"
        raise RuleError(f"{lot} is {how}.", rule("Private Companies and the Initial Auction"))
    if short is not None:
        return _check_destitute(s, seat, action)
    if isinstance(action, BuyPrivate):
        price, par = PRIVATES[lot].price, 0
    else:
        par = shares.check_par(CHARTERS[lot].pars, lot, action.par, rule("Private Companies and the Initial Auction"))
        price = 2 * par
    if price > s.cash[seat]:
        others = join_words([each for each in r.lots if each != lot and find_lot_price(each) <= s.cash[seat]], "or")
        less = "choose a lower par" if find_lot_price(lot) <= s.cash[seat] else f"choose {others}"
        raise RuleError(
            f"{lot} costs £{price:,}; you have £{s.cash[seat]:,} left, so {less}.",
            rule("Private Companies and the Initial Auction"),
        )
    return LotPlan(seat, lot, price, par)


def _find_destitute_lot(s: State, seat: int) -> str | None:
    """Return the lot that a player who can't pay for any must take: the cheapest, for all their cash."""
    cheapest = min(s.auction.lots, key=find_lot_price)
    return cheapest if find_lot_price(cheapest) > s.cash[seat] else None


def _check_destitute(s: State, seat: int, action: BuyPrivate | Start) -> LotPlan:
    """Check how a player who can't pay for any lot takes the cheapest."""
    lot = action.private if isinstance(action, BuyPrivate) else action.company
    par = 0
    if isinstance(action, Start):
        par = CHARTERS[lot].pars[0]
        if action.par != par:
            raise RuleError(
                f"You can't pay for {lot} in full, so its par must be the lowest, £{par:,}.",
                rule("Private Companies and the Initial Auction"),
            )
    return LotPlan(seat, lot, s.cash[seat], par)


def apply_lot(s: State, plan: LotPlan, tell: Tell) -> None:
    """Take the lot and open the next auction left of the winner (Private Companies and the Initial Auction)."""
    r = s.auction
    s.cash[plan.seat] -= plan.price
    if plan.par:
        shares.take_certificate(s, plan.seat, s.companies[plan.lot], plan.par, tell)
        tell(CompanyStarted(plan.seat, plan.lot, plan.par, plan.price))
    else:
        s.privates[plan.lot] = plan.seat
        tell(PrivateBought(plan.seat, plan.lot, plan.price))
    lots = [lot for lot in r.lots if lot != plan.lot]
    s.round = Auction(lots, turn=(plan.seat + 1) % s.seats)


def find_first_dealer(s: State) -> int:
    """Return who gets the priority deal after the auction: most cash, then privates."""
    most = max(s.cash)
    tied = [seat for seat in range(s.seats) if s.cash[seat] == most]
    if len(tied) == 1:
        return tied[0]
    worth = {
        seat: sum(PRIVATES[code].price for code, owner in s.privates.items() if owner == seat)
        for seat in (range(s.seats) if s.rules.tie_of_all else tied)
    }
    owners = [seat for seat, value in worth.items() if value]
    return min(owners, key=lambda seat: worth[seat]) if owners else tied[0]
