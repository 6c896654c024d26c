"""Games of 1862 for 18xx.games: our actions in its words, with its ids for tiles, shares and trains.

They are played with every question of the site asked (``profile``), so that
each is one of its actions.
"""

from collections.abc import Callable
from typing import Any

from engine.finance.events import RoundBegun, TurnBegan
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import POOL
from engine.interop import writing
from engine.interop.g1862 import shares, track_18xx
from engine.interop.g1862.track_18xx import name_tile
from engine.interop.writing import DIRECTORS, DIVIDENDS, TileIds, Written, find_writer, write_company, write_player
from engine.rails.laying import LayTile
from engine.record import Action, Event
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import catalogue, ground, track
from engine.titles.g1862.catalogue import BANDS, FACES, MARKET
from engine.titles.g1862.events import CharterFailed, DebtLapsed, WentBankrupt
from engine.titles.g1862.running import plan as run_plan
from engine.titles.g1862.state import COMPANY, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import building, merging, raising, running, trains
from engine.titles.g1862.steps.shares import check_sell

_LONDON_CITY = {"B15": 3, "D15": 4}


class Writer:
    """Writes the actions of one game in order; remembers the ids it has given out.

    Args:
        ids: the players' ids, by seat.
    """

    def __init__(self, ids: tuple[int, ...]) -> None:
        self._ids = ids
        self.tiles = TileIds()
        self.shares = shares.Shares()
        self.london: dict[str, list[str]] = {box: ["", ""] for box in catalogue.LONDON_BOXES}
        self._redeemers: set[str] = set()
        self._begun = ""
        self._hung = 0
        self._seller = -1
        self._fined: set[int] = set()
        self._stripped: dict[int, str] = {}
        self._stop = ""

    def hear(self, event: Event) -> None:
        """Let certificates follow what was played, and note where the site hangs (differences 64 and 66)."""
        if isinstance(event, CharterFailed):
            for debtor in self._fined - {event.seat}:
                if self.shares.count_shares(event.company, debtor):
                    self._stripped[debtor] = event.company
            self._fined.add(event.seat)
        elif isinstance(event, DebtLapsed) and event.seat in self._stripped and event.seat != self._seller:
            company = self._stripped[event.seat]
            self._stop = (
                self._stop or f"it waits forever for {{{event.seat}}} to sell shares of {company}, which failed"
            )
        elif isinstance(event, RoundBegun):
            self._fined, self._stripped = set(), {}
        self.shares.hear(event)
        if isinstance(event, TurnBegan):
            self._begun = event.company
        if isinstance(event, WentBankrupt) and event.company == self._begun and event.company in self._redeemers:
            self._hung += 1

    def write_afterwards(self) -> list[Written]:
        """Return the end of a standing order, by no one, for each company at which the site hangs."""
        hung, self._hung = self._hung, 0
        return [{"type": "program_disable", "reason": "went bankrupt", **self.write_player(0)} for _ in range(hung)]

    def find_stop(self) -> str:
        """Return at which sale the site waits forever."""
        return self._stop

    def write(self, s: State, seat: int, action: Action) -> Written | None:
        """Return the site's action for one of ours, asked before it is played; ``None`` where it logs nothing.

        Raises:
            UnreadableLogError: the site has no such action.
        """
        self.shares.begin_action(chartered=isinstance(s.round, Parliament))
        self._note_london(s)
        self._begun = ""
        self._seller = seat if isinstance(action, a.Sell) else -1
        self._redeemers = {
            code for code, company in s.companies.items() if s.lner and raising.is_redeem_open_for(s, company)
        }
        writer = find_writer(_WRITERS, action)
        written = writer(self, s, seat, action)
        if written is None or "entity" in written:
            return written
        r = s.round
        return {**written, **(write_company(r.code) if isinstance(r, Operating) else self.write_player(seat))}

    def _note_london(self, s: State) -> None:
        """Note who has which space of London: who takes over another company has its space."""
        for box, spaces in self.london.items():
            now = [company.code for company in s.companies.values() if company.london == box]
            new = [code for code in now if code not in spaces]
            for number, code in enumerate(spaces):
                if code and code not in now:
                    spaces[number] = new.pop() if new else ""
            for code in new:
                spaces[spaces.index("")] = code

    def write_player(self, seat: int) -> Written:
        """Return a player as the one who acts."""
        return write_player(self._ids[seat])

    def find_city_id(self, hex_: str) -> str:
        """Return the id of a city: its tile's, or its hex's where that is printed."""
        if hex_ in _LONDON_CITY:
            return f"{hex_}-0-{_LONDON_CITY[hex_]}"
        return self.tiles.find_city_id(hex_, 0)


def _write_pass(w: Writer, s: State, seat: int, action: Pass) -> Written:
    del w, s, seat, action
    return {"type": "pass"}


def _write_start(w: Writer, s: State, seat: int, action: a.Start) -> Written:
    del w, s, seat
    price = f"{action.price},0,{MARKET.prices.index(action.price)}"
    return {"type": "par", "corporation": action.company, "share_price": price}


def _write_purchase(w: Writer, s: State, seat: int, action: a.BuyShare) -> Written:
    del s, seat
    holder = shares.OWNERS[action.source]
    if w.shares.list_numbers(action.company, holder) == [DIRECTORS]:
        w.shares.note_named([DIRECTORS], shares.CHANGE)
        return {"type": "buy_shares", "shares": writing.write_ids(action.company, [DIRECTORS]), "percent": 30}
    return _write_bought(w, action.company, holder)


def _write_bought(w: Writer, code: str, holder: int) -> Written:
    """Return the purchase of the certificate that a holder has had longest, not the director's."""
    numbers = w.shares.list_singles(code, holder)[:1]
    w.shares.note_named(numbers)
    return {"type": "buy_shares", "shares": writing.write_ids(code, numbers), "percent": 10}


def _write_redemption(w: Writer, s: State, seat: int, action: a.Redeem) -> Written:
    del seat, action
    return _write_bought(w, s.operating.code, POOL)


def _write_sale(w: Writer, s: State, seat: int, action: a.Sell) -> Written:
    plan = check_sell(s, seat, action)
    numbers = w.shares.choose_for_sale(action.company, seat, action.count)
    w.shares.note_named(numbers)
    named = writing.write_ids(action.company, numbers)
    written: Written = {"type": "sell_shares", "shares": named, "percent": 10 * action.count}
    return (
        written if plan.terms.each == s.companies[action.company].price else {**written, "share_price": plan.terms.each}
    )


def _write_tile(w: Writer, s: State, seat: int, action: LayTile) -> Written:
    fit = building.check_lay(s, seat, action).fit
    name, rotation = name_tile(fit.tile, fit.rotation)
    written: Written = {"type": "lay_tile", "hex": action.hex, "tile": w.tiles.take_copy(action.hex, name)}
    return {**written, "rotation": rotation, "turned": action.rotation}


def _write_station(w: Writer, s: State, seat: int, action: a.AddStation) -> Written:
    del seat
    line = (min(action.a, action.b), max(action.a, action.b))
    name, rotation = name_tile(*track.add_station(s.board, action.hex, line).laid[action.hex])
    return {"type": "lay_tile", "hex": action.hex, "tile": w.tiles.take_copy(action.hex, name), "rotation": rotation}


def _write_token(w: Writer, s: State, seat: int, action: a.PlaceMarker | a.LinkLondon) -> Written:
    del seat
    if isinstance(action, a.LinkLondon):
        city, slot = w.find_city_id(action.place), w.london[action.place].index("")
    else:
        city, taken = (
            w.find_city_id(action.hex),
            {marker.slot for marker, _ in ground.list_standing_markers(s, action.hex)},
        )
        slot = next(number for number in range(len(taken) + 1) if number not in taken)
    return {"type": "place_token", "city": city, "slot": slot, "tokener": s.operating.code}


def _write_removal(w: Writer, s: State, seat: int, action: a.RemoveMarker) -> Written:
    """Return the removal of a marker by the survivor, from the slot that it lies in."""
    del seat
    parties = merging.find_merging_parties(s)
    if action.hex == catalogue.LONDON:
        owner = next(company for company in parties if company.london)
        hex_, slot = owner.london, w.london[owner.london].index(owner.code)
    else:
        hex_ = action.hex
        slot = next(marker.slot for company in parties for marker in company.markers if marker.hex == hex_)
    return {"type": "remove_token", "city": w.find_city_id(hex_), "slot": slot, **write_company(s.operating.removing)}


def _write_run(w: Writer, s: State, seat: int, action: a.Run) -> Written:
    del w, seat
    company = s.companies[s.operating.code]
    now = running.make_problem_now(s)
    written: Written = {"type": "run_routes", "extra_revenue": 0, "plan": action.plan}
    if action.recorded:
        written |= {"recorded": list(action.recorded)}
    if action.plan == running.NONE:
        return {**written, "routes": [], "subsidy": 0}
    ids: dict[str, list[str]] = {}
    for train in company.trains:
        ids.setdefault(train.face, []).append(train.id)
    outcome = running.check(s, company.director, action)
    runs = outcome.plan.runs if outcome.plan else run_plan.read_plan(now, action.plan)
    return {**written, "routes": track_18xx.write_routes(now, runs, ids), "subsidy": outcome.subsidy}


def _write_dividend(w: Writer, s: State, seat: int, action: a.Dividend) -> Written:
    del w, s, seat
    return {"type": "dividend", "kind": DIVIDENDS[action.kind]}


def _write_train(w: Writer, s: State, seat: int, action: a.BuyTrain) -> Written | None:
    """Return a purchase; one that must be agreed to is written when it is (``_write_answer``)."""
    del w
    plan = trains.check(s, seat, action)
    if plan.asks >= 0:
        return None
    written: Written = {"type": "buy_train", "train": plan.train.id, "price": plan.price}
    if plan.seller != trains.BANK:
        return written
    free = BANDS[FACES[action.train].band].warranties
    return {**written, "variant": action.train + "*" * free, "warranties": action.warranties}


def _write_merger(w: Writer, s: State, seat: int, action: a.Merge) -> Written | None:
    """Return a merger with the choice of the survivor; one that must be agreed to is written when it is."""
    del w
    return None if merging.check_merge(s, seat, action).asks >= 0 else _write_agreed_merger(s.operating.code, action)


def _write_agreed_merger(code: str, action: a.Merge) -> Written:
    choice = {"type": "choose", "choice": "first" if action.survivor == code else "last", **write_company(code)}
    return {"type": "merge", "corporation": action.company, "auto_actions": [choice], **write_company(code)}


def _write_answer(w: Writer, s: State, seat: int, action: a.Answer) -> Written | None:
    del w, seat
    offer = s.operating.offer
    if action.reply != "accept" or offer is None:
        return None
    if offer.kind == "merge":
        return _write_agreed_merger(offer.company, a.Merge(offer.other, offer.survivor))
    plan = trains.plan_purchase_from_company(s, s.companies[offer.company], s.companies[offer.other], offer.train)
    return {"type": "buy_train", "train": plan.train.id, "price": plan.price}


def _write_option(w: Writer, s: State, seat: int, action: a.Option) -> Written:
    """Return the choice of a holder; of the companies the one whose turn it is holds what is in both treasuries."""
    m = s.operating.merging
    assert m is not None
    who = write_company(s.operating.code) if m.holder == COMPANY else w.write_player(seat)
    return {"type": "choose", "choice": action.choice, **who}


def _write_rescue(w: Writer, s: State, seat: int, action: a.RaiseMoney) -> Written:
    """Return how money is raised: ``convert`` where the site gives the choice, else its pass does what is possible."""
    del w, seat
    both = len(list(raising.list_raise_options(s, 0))) > 1
    return {"type": "convert"} if action.how == "refinance" and both else {"type": "pass"}


def _write_markers(w: Writer, s: State, seat: int, action: a.Markers) -> Written:
    assert isinstance(s.round, Stock)
    return {"type": "choose", "choice": action.count, **w.write_player(seat)}


# One function an action; each takes its own type, which the key names.
_WRITERS: dict[type[Action], Callable[[Writer, State, int, Any], Written | None]] = {
    a.Bid: lambda _w, _s, _seat, action: {"type": "bid", "corporation": action.company, "price": action.amount},
    Pass: _write_pass,
    a.Start: _write_start,
    a.BuyShare: _write_purchase,
    a.Sell: _write_sale,
    a.Markers: _write_markers,
    LayTile: _write_tile,
    a.AddStation: _write_station,
    a.LinkLondon: _write_token,
    a.PlaceMarker: _write_token,
    a.RemoveMarker: _write_removal,
    a.Run: _write_run,
    a.Dividend: _write_dividend,
    a.BuyTrain: _write_train,
    a.RaiseMoney: _write_rescue,
    a.Redeem: _write_redemption,
    a.Merge: _write_merger,
    a.Answer: _write_answer,
    a.Withdraw: lambda *_: None,
    a.Option: _write_option,
    EndGame: lambda *_: {"type": "end_game"},
}
