"""What a game of shares and trains is reported by: lots, falling prices, rust, revenue kept for trains."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from engine.finance import events as facts
from engine.finance.lots import Lots
from engine.finance.state import ShareState
from engine.finance.trading import compute_dividend_per_share
from engine.printed import Units
from engine.record import Event, Record
from engine.report import CharterFine, Findings, PriceFall, RustCaused, RustVictim, TrainSaving
from engine.title import Flow

_STOCKS = ("bank", "pile")
"""Sellers of trains that are no companies."""


class Conversion(Record, frozen=True):
    """A company's shares became others: two made one; or, if it is ``void``, none, and ``each`` was paid for one.

    ``gone`` is the company whose shares became those of ``company``; "" if there is none.
    """

    company: str
    gone: str = ""
    void: bool = False
    each: int = 0


class FineStep(Record, frozen=True):
    """A step of a fine for a charter: what became ``due`` for a company, or what of it was ``paid`` or waived."""

    seat: int
    company: str = ""
    due: int = 0
    paid: int = 0


class ShareGame(Record, frozen=True):
    """What differs from title to title.

    Args:
        units: of the title. flows: payments of players about shares, as for the stakes.
        convert: what a fact does to the shares of a company, if anything. find_exchange: the seat that a fact gave a
            share of a company for something else, and what that cost.
        worth, worth_each: at the end, of all shares of a company that a seat holds, and of one.
        list_trains: names of the trains of a company. find_rust: the company and the trains that a fact took.
        find_fine: what a fact says of a fine for a charter.
    """

    units: Units
    flows: Callable[[Event], Sequence[Flow]]
    convert: Callable[[Any, Event], Conversion | None]
    worth: Callable[[Any, str, int], int]
    worth_each: Callable[[Any, str], int]
    list_trains: Callable[[Any], Sequence[str]]
    find_rust: Callable[[Event], tuple[str, Sequence[str]] | None] = lambda _event: None
    find_exchange: Callable[[Event], tuple[int, str, int] | None] = lambda _event: None
    find_fine: Callable[[Event], FineStep | None] = lambda _event: None


class ShareReporter:
    """Follows a game of shares and trains."""

    def __init__(self, game: ShareGame) -> None:
        self._game = game
        self._lots = Lots()
        self._falls: list[PriceFall] = []
        self._rust: list[RustCaused] = []
        self._savings: list[TrainSaving] = []
        self._fines: list[CharterFine] = []
        self._open: list[int] = []  # fines that are being paid
        self._ahead: Counter[tuple[int, str]] = Counter()  # paid for what is bought next, or in a merger
        self._conversions: list[Conversion] = []
        self._sold: facts.SharesSold | None = None
        self._bought: facts.TrainBought | None = None
        self._owned: dict[str, Sequence[str]] = {}
        self._victims: list[RustVictim] | None = None
        self._kept: dict[str, TrainSaving] = {}

    def note(self, s: ShareState, event: Event) -> None:
        """Note a fact, with the state as it was told."""
        for note in (self._note_fine, self._note_shares, self._note_fall, self._note_rust, self._note_savings):
            note(s, event)
        conversion = self._game.convert(s, event)
        if conversion is not None:
            self._conversions.append(conversion)
            if not conversion.void:
                self._lots.merge(conversion.company, conversion.gone)

    def _note_fine(self, s: ShareState, event: Event) -> None:
        """Note a fine; what is paid belongs to the fine that came first, what is waived ends all of a seat."""
        step = self._game.find_fine(event)
        if step is None:
            return
        if step.due:
            self._open.append(len(self._fines))
            self._fines.append(CharterFine(step.seat, step.company, s.name, step.due))
            return
        left = step.paid
        for at in [at for at in self._open if self._fines[at].seat == step.seat]:
            fine = self._fines[at]
            part = min(left, fine.due - fine.paid)
            if part:
                self._lots.fine(fine.seat, fine.company, fine.round, part)
                self._fines[at], left = replace(fine, paid=fine.paid + part), left - part
            if not step.paid or self._fines[at].paid == fine.due:
                self._open.remove(at)

    def _owes(self, seat: int) -> bool:
        return any(self._fines[at].seat == seat for at in self._open)

    def _note_shares(self, s: ShareState, event: Event) -> None:
        lots, exchange = self._lots, self._game.find_exchange(event)
        if exchange is not None:
            seat, code, cost = exchange
            lots.buy(seat, code, s.name, 1, cost)
        elif isinstance(event, facts.CompanyStarted | facts.ShareBought):
            started = isinstance(event, facts.CompanyStarted)
            if event.seat >= 0:
                ahead = self._ahead.pop((event.seat, event.company), 0) + self._ahead.pop((event.seat, ""), 0)
                count = s.companies[event.company].certificate if started else 1
                lots.buy(event.seat, event.company, s.name, count, event.price + ahead)
        elif isinstance(event, facts.SharesSold):
            if event.seat >= 0:
                lots.sell(event.seat, event.company, s.name, event.count, event.each, forced=self._owes(event.seat))
        elif isinstance(event, facts.DividendPaid):
            lots.pay(event.company, compute_dividend_per_share(self._game.units, event.revenue))
        else:
            for flow in self._game.flows(event):
                if not flow.company or flow.company in s.companies:
                    self._ahead[flow.seat, flow.company] -= flow.amount
                elif flow.amount < 0:
                    self._ahead.pop((flow.seat, ""), None)  # the bid was for a private company

    def _note_fall(self, s: ShareState, event: Event) -> None:
        """Note a price that a sale has lowered, and who had shares then."""
        if isinstance(event, facts.SharesSold):
            self._sold = event
        elif isinstance(event, facts.RoundBegun | facts.TurnBegan):
            self._sold = None
        elif isinstance(event, facts.PriceMoved) and self._sold is not None and event.company == self._sold.company:
            sold, self._sold = self._sold, None
            fall = event.before - event.after
            held = [
                (seat, count, count * fall)
                for seat, count in enumerate(s.companies[event.company].shares)
                if count and seat != sold.seat
            ]
            if fall > 0 and held and sold.seat >= 0:
                self._falls.append(
                    PriceFall(
                        s.name, event.company, sold.seat, sold.count, event.before, event.after, tuple(held),
                        forced=self._owes(sold.seat),
                    )
                )  # fmt: skip

    def _note_rust(self, s: ShareState, event: Event) -> None:
        """Note which trains rust with the first of a kind, from its purchase to the next fact of another sort."""
        rusted = self._game.find_rust(event)
        if isinstance(event, facts.TrainBought) and event.seller in _STOCKS:
            self._end_rust(s)
            self._bought = event
            self._owned = {code: tuple(self._game.list_trains(company)) for code, company in s.companies.items()}
        elif isinstance(event, facts.PhaseBegun) and self._bought is not None:
            self._victims = []
            for code, owned in self._owned.items():
                if event.rusted in owned:
                    self._add_victim(s, code, [event.rusted] * list(owned).count(event.rusted))
        elif rusted is not None and self._victims is not None:
            self._add_victim(s, *rusted)
        elif self._victims is not None:  # before the phase begins, an insolvency may end with the purchase
            self._end_rust(s)

    def _add_victim(self, s: ShareState, code: str, trains: Sequence[str]) -> None:
        company = s.companies[code]
        assert self._victims is not None
        self._victims.append(RustVictim(code, company.director, tuple(trains), not company.trains))

    def _end_rust(self, s: ShareState) -> None:
        bought, victims = self._bought, self._victims
        self._bought = self._victims = None
        if bought is not None and victims:
            director = s.companies[bought.company].director
            self._rust.append(RustCaused(s.name, bought.company, director, bought.train, tuple(victims)))

    def _note_savings(self, s: ShareState, event: Event) -> None:
        """Note revenue that is kept, by a director, and the next train that it buys."""
        if isinstance(event, facts.RevenueKept):
            director, old = s.companies[event.company].director, self._kept.get(event.company)
            if director >= 0 and event.revenue:
                each = compute_dividend_per_share(self._game.units, event.revenue)
                kept, runs, before = (0, 0, 0) if old is None else (old.kept, old.runs, old.each)
                self._kept[event.company] = TrainSaving(
                    event.company, director, kept + event.revenue, runs + 1, before + each
                )
        elif isinstance(event, facts.TrainBought) and event.company in self._kept:
            saved = self._kept.pop(event.company)
            buyer = s.companies[event.company].director
            self._savings.append(replace(saved, train=event.train, price=event.price, round=s.name, buyer=buyer))

    def end_move(self, s: ShareState) -> None:
        """Note that a move is over: shares of merged and of bankrupt companies are counted."""
        self._end_rust(s)
        for conversion in self._conversions:
            gone, code = conversion.gone, conversion.company
            for seat in range(s.seats):
                paid = self._ahead.pop((seat, code), 0) + self._ahead.pop((seat, gone), 0) * bool(gone)
                if not conversion.void and self._lots.count(seat, code):
                    self._lots.settle(seat, code, s.companies[code].shares[seat], -paid)
                elif conversion.void and paid > 0:
                    self._lots.buy(seat, code, s.name, 0, paid)
            if conversion.void:
                self._lots.close(code, conversion.each)
        self._conversions = []
        self._lots.moves += 1

    def finish(self, s: ShareState) -> Findings:
        """Return what was found, at the end of the game."""
        game = self._game
        self._lots.count_worth(lambda code, seat: game.worth(s, code, seat), lambda code: game.worth_each(s, code))
        return Findings(
            self._lots.list_deals(),
            self._lots.list_sales(),
            tuple(self._rust),
            tuple(self._falls),
            (*self._savings, *self._kept.values()),
            fines=tuple(self._fines),
        )
