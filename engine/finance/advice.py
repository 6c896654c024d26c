"""Usual moves with shares and trains, standing orders about shares, what a story is made of, and facts in brief."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from engine.brief import BidFor, Bit, Heading, PassMade, Piece
from engine.finance import events as facts
from engine.finance.events import CompanyStarted, DirectorChanged, DividendPaid, ShareBought, SharesSold, TrainsRan
from engine.finance.rounds import Pass
from engine.finance.state import OperatingRound, ShareCompany, ShareState, StockRound
from engine.finance.trading import BuyOfShare, rate_purchase
from engine.hints import Tip
from engine.orders import Alarm, SharesHeld
from engine.printed import Units
from engine.record import Action, Event, Record
from engine.title import Flow, Ran
from engine.words import add_article, pluralise

B = TypeVar("B", bound=BuyOfShare)
P = TypeVar("P", bound=str)

BID_RAISES = (5, 10, 20)
"""What a button adds to the last bid."""


def rank_sale(company: ShareCompany, seat: int) -> tuple[bool, bool, int]:
    """Return a sort key for what to sell first: not directed by the seat, not earning, at a high price."""
    return company.director == seat, bool(company.trains) or not company.operated, -company.price


def rank_par_price(price: int, to_float: int, cash: int) -> tuple[bool, int]:
    """Return a sort key for the par of a new company.

    First the highest price at which a player can float it alone; then those that need other buyers, cheapest first.
    """
    beyond = price * to_float > cash
    return beyond, price if beyond else -price


def find_best_purchase(companies: Mapping[str, ShareCompany], buys: Iterable[B]) -> B | None:
    """Return the best purchase among companies that have trains or have yet to operate; ``None`` if there are none."""
    good = [buy for buy in buys if companies[buy.company].trains or not companies[buy.company].operated]
    return max(
        good, key=lambda buy: (rate_purchase(companies[buy.company], buy.source), buy.company, buy.source), default=None
    )


def list_bid_tips(high: int, most: int, units: Units, bid: Callable[[int], Action]) -> list[Tip]:
    """Return the bids worth a button, a little above the last one and up to ``most``, and to pass."""
    amounts = [high + step for step in BID_RAISES if high + step <= most]
    return [*(Tip(bid(amount), f"Bid {units.money(amount)}") for amount in amounts), Tip(Pass(), "Pass")]


def rank_seller(companies: Mapping[str, ShareCompany], seller: str, seat: int) -> int:
    """Return a sort key for sellers of trains: the bank, then companies the seat directs, then others."""
    if seller not in companies:
        return 0
    return 1 if companies[seller].director == seat else 2


ALARMING_GAP = 1
"""A rival with so many shares less than the director sets off an alarm."""


def find_source(companies: Mapping[str, ShareCompany], code: str, named: str, sources: Sequence[P]) -> P | None:
    """Return where to buy a share: the source named, else the IPO while it has any; ``None`` if nowhere."""
    found = companies.get(code)
    if found is None:
        return None
    at = named or ("ipo" if found.ipo else "pool")
    return next((each for each in sources if each == at), None)


def find_ordered_purchase(
    companies: Mapping[str, ShareCompany], code: str, named: str, sources: Sequence[P], buy: Callable[[str, P], Action]
) -> Action | None:
    """Return the purchase that an order means; see ``find_source``. ``None`` if no source fits."""
    at = find_source(companies, code, named, sources)
    return None if at is None else buy(code, at)


def find_holding(companies: Mapping[str, ShareCompany], seat: int, code: str) -> SharesHeld | None:
    """Return how many shares of a company a player has; ``None`` if it does not exist or has not been started."""
    found = companies.get(code)
    if found is None or not found.started:
        return None
    return SharesHeld(found.shares[seat], found.price, found.floated)


def find_director(companies: Mapping[str, ShareCompany], code: str) -> int:
    """Return the seat that directs a company, -1 if none does."""
    found = companies.get(code)
    return -1 if found is None else max(-1, found.director)


def find_revenue(s: ShareState) -> int:
    """Return what the company to act has run for this turn; 0 in other rounds."""
    return s.round.revenue if isinstance(s.round, OperatingRound) else 0


def find_alarm(companies: Mapping[str, ShareCompany], event: Event, seat: int) -> Alarm | None:
    """Return an event that a seat may want to react to.

    Another player started a company, sold shares, became director of a company the seat has shares of, or holds
    almost as many shares of a company as the seat, its director.
    """
    if isinstance(event, CompanyStarted):
        return Alarm(event.company, f"{{{event.seat}}} started {event.company}") if event.seat != seat else None
    if isinstance(event, SharesSold) and event.seat != seat:
        return Alarm(event.company, f"{{{event.seat}}} sold {event.company}")
    if isinstance(event, DirectorChanged) and event.seat != seat and companies[event.company].shares[seat]:
        return Alarm(event.company, f"{{{event.seat}}} now directs {event.company}")
    if isinstance(event, ShareBought) and 0 <= event.seat != seat:
        company = companies[event.company]
        rival, own = company.shares[event.seat], company.shares[seat]
        if company.director == seat and rival + ALARMING_GAP >= own:
            return Alarm(event.company, f"{{{event.seat}}} holds {rival} shares of {event.company}, you hold {own}")
    return None


def list_companies(companies: Mapping[str, ShareCompany], left_out: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return the companies that orders can be about, each with its words."""
    return tuple((code, code) for code in companies if code not in left_out)


def list_share_payments(event: Event) -> list[Flow]:
    """Return what players paid and received for shares in an event."""
    if isinstance(event, CompanyStarted | ShareBought):
        return [Flow(event.seat, event.company, -event.price)]
    if isinstance(event, SharesSold):
        return [Flow(event.seat, event.company, event.count * event.each)]
    return list_payouts(event.company, event.paid) if isinstance(event, DividendPaid) else []


def list_payouts(company: str, paid: Sequence[int]) -> list[Flow]:
    """Return what a company paid to each seat."""
    return [Flow(seat, company, amount) for seat, amount in enumerate(paid) if amount]


def find_run(event: Event) -> Ran | None:
    """Return what a company ran for; ``None`` if the event is something else."""
    return Ran(event.company, event.revenue, event.subsidy) if isinstance(event, TrainsRan) else None


TellPiece = Callable[[Any, Sequence[str], int], Piece | None]
"""Each takes its own type of fact, which its key names."""


def make_pieces(units: Units, cash: Callable[[int], str]) -> Mapping[type[Event], TellPiece]:
    """Return what facts of games with shares are in few words; ``cash`` writes money of companies."""

    def tell_purchase(event: facts.ShareBought, names: Sequence[str], _: int) -> Piece:
        return Bit(names[event.seat], f"buys #% {event.company}", key=f"+{event.company}", amount=units.share)

    def tell_sale(event: facts.SharesSold, names: Sequence[str], _: int) -> Piece:
        return Bit(
            names[event.seat], f"sells #% {event.company}", key=f"-{event.company}", amount=units.share * event.count
        )

    def tell_dividend(event: facts.DividendPaid, _: Sequence[str], seat: int) -> Piece:
        mine = f" (you {units.money(event.paid[seat])})" if seat >= 0 and event.paid[seat] else ""
        return Bit(event.company, f"pays {units.money(event.revenue)}{mine}")

    def tell_kept(event: facts.RevenueKept, *_: object) -> Piece:
        return Bit(event.company, f"{'keeps' if event.revenue else 'earns'} {cash(event.revenue)}")

    def tell_train(event: facts.TrainBought, *_: object) -> Piece:
        seller = f" from {event.seller}" if event.seller not in ("bank", "pile") else ""
        what, price = f"{event.train}{seller}", cash(event.price)
        one, many = f"buys {add_article(what)} for {price}", f"buys # × {what} at {price}"
        return Bit(event.company, one, many, f"{what} {price}", 1)

    return {
        facts.RoundBegun: lambda event, *_: Heading(event.name),
        facts.TurnBegan: lambda *_: None,
        facts.Passed: lambda event, names, _: PassMade(names[event.seat]),
        facts.Declined: lambda *_: None,
        facts.PriorityGiven: lambda *_: None,
        facts.PriceHeld: lambda *_: None,
        facts.PriceStayed: lambda *_: None,
        facts.TrainsRan: lambda *_: None,  # what is paid or kept of it says as much
        facts.BidMade: lambda event, names, _: BidFor(names[event.seat], units.money(event.amount), event.company),
        facts.CompanyStarted: lambda event, names, _: Bit(
            names[event.seat], f"starts {event.company} at {units.money(event.par)}"
        ),
        facts.CompanyFloated: lambda event, *_: Bit(event.company, "floats"),
        facts.ShareBought: tell_purchase,
        facts.SharesSold: tell_sale,
        facts.DirectorChanged: lambda event, names, _: Bit(event.company, f"{names[event.seat]} directs it", key="dir"),
        facts.ReceivershipBegan: lambda event, *_: Bit(event.company, "in receivership", key="dir"),
        facts.DividendPaid: tell_dividend,
        facts.RevenueKept: tell_kept,
        facts.TrainBought: tell_train,
        facts.PhaseBegun: lambda event, *_: Bit(
            "", f"Phase {event.phase}" + (f": all {event.rusted} rust" if event.rusted else "")
        ),
        facts.PriceMoved: lambda event, *_: Bit(
            event.company, units.money(event.after), key="price", first=units.money(event.before)
        ),
    }


class NextTrain(Record, frozen=True):
    """The train on top of the pile, and what it and the one after it will scrap.

    Args:
        name, price: of the train. lasts: whether a company's trains outlive both.
    """

    name: str
    price: int
    lasts: Callable[[Any], bool]


def list_regrets(units: Units, ahead: NextTrain, before: ShareState, after: ShareState, seat: int) -> Iterator[str]:
    """Yield what a beginner would regret: control and trains lost, no float, an empty treasury before trains rust.

    Args:
        units: writes money.
        ahead: the train to expect next, before the move.
        before: the position before it.
        after: that after it.
        seat: whose regrets.
    """
    round_over = isinstance(before.round, StockRound) and before.name != after.name
    for code, was in before.companies.items():
        now = after.companies.get(code)
        if was.director != seat or now is None:
            continue
        if now.director != seat and now.started:
            heir = f"{{{now.director}}} will direct it" if now.director >= 0 else "no one will direct it"
            money = f" Its treasury has {units.money(now.cash)}." if now.cash > 0 else ""
            yield f"You lose control of {code}: {heir}.{money}"
        elif round_over and was.started and not now.floated:
            yield f"If the others pass too, this round ends and {code} hasn't floated."
        if before.phase != after.phase and len(was.trains) > len(now.trains):
            yield f"This scraps {pluralise(len(was.trains) - len(now.trains), 'train')} of {code}."
        ends = before.broken or before.topped
        if ends and now.cash > was.cash and after.cash[seat] == before.cash[seat]:
            yield f"The game is about to end: what stays in {code}'s treasury counts for no one."
        doomed = bool(now.trains) and not any(map(ahead.lasts, now.trains))
        if doomed and before.phase == after.phase and now.cash < ahead.price <= was.cash:
            price = f"a {ahead.name} costs {units.money(ahead.price)}"
            yield f"{code} keeps {units.money(now.cash)}. Its trains will soon be scrapped, and {price}."
