"""Games of 1862 for 18xx.games: our actions in its words, with its ids for tiles, shares and trains.

They are played with every question of the site asked (``waiting``), so that
each is one of its actions.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.finance.events import TurnBegan
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import POOL
from engine.interop import writing
from engine.interop.g1862 import shares, track_18xx
from engine.interop.g1862.track_18xx import shape
from engine.interop.writing import DIVIDENDS, TileIds, Written, corporation, person, writer_of
from engine.rails.laying import LayTile
from engine.record import Action, Event
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import catalogue, ground, track
from engine.titles.g1862.catalogue import BANDS, FACES, MARKET
from engine.titles.g1862.events import WentBankrupt
from engine.titles.g1862.running import plan as run_plan
from engine.titles.g1862.state import COMPANY, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import markers, merging, raising, running, trains
from engine.titles.g1862.steps import track as track_step
from engine.titles.g1862.steps.shares import check_sell

_LONDON_CITY = {"B15": 3, "D15": 4}
_RULES = (
    ("length", "short", "short_length"),
    ("length", "long", "long_length"),
    ("eight_markers", "on", "eight_tokens"),
)


def optional_rules(options: Mapping[str, str]) -> list[str]:
    """Return the site's optional rules for our lobby options; some of ours it does not have."""
    return writing.optional_rules(_RULES, options)


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

    def told(self, event: Event) -> None:
        """Let certificates follow what was played, and note where the site hangs (differences 64)."""
        self.shares.told(event)
        if isinstance(event, TurnBegan):
            self._begun = event.company
        if isinstance(event, WentBankrupt) and event.company == self._begun and event.company in self._redeemers:
            self._hung += 1

    def afterwards(self) -> list[Written]:
        """Return a standing order that is ended, of nobody, for each company with which the site hangs."""
        hung, self._hung = self._hung, 0
        return [{"type": "program_disable", "reason": "went bankrupt", **self.player(0)} for _ in range(hung)]

    def write(self, s: State, seat: int, action: Action) -> Written | None:
        """Return the site's action for one of ours, asked before it is played; ``None`` where it logs nothing.

        Raises:
            UnreadableLogError: the site has no such action.
        """
        self.shares.begin(chartered=isinstance(s.round, Parliament))
        self._note_london(s)
        self._begun = ""
        self._redeemers = {
            code for code, company in s.companies.items() if s.lner and raising.redeem_open_for(s, company)
        }
        writer = writer_of(_WRITERS, action)
        written = writer(self, s, seat, action)
        if written is None or "entity" in written:
            return written
        r = s.round
        return {**written, **(corporation(r.code) if isinstance(r, Operating) else self.player(seat))}

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

    def player(self, seat: int) -> Written:
        """Return a player as the one who acts."""
        return person(self._ids[seat])

    def city(self, hex_: str) -> str:
        """Return the id of a city: its tile's, or its hex's where that is printed."""
        if hex_ in _LONDON_CITY:
            return f"{hex_}-0-{_LONDON_CITY[hex_]}"
        return self.tiles.city(hex_, 0)


def _pass(w: Writer, s: State, seat: int, action: Pass) -> Written:
    del w, s, seat, action
    return {"type": "pass"}


def _start(w: Writer, s: State, seat: int, action: a.Start) -> Written:
    del w, s, seat
    price = f"{action.price},0,{MARKET.prices.index(action.price)}"
    return {"type": "par", "corporation": action.company, "share_price": price}


def _buy(w: Writer, s: State, seat: int, action: a.BuyShare) -> Written:
    del s, seat
    return _bought(w, action.company, shares.OWNERS[action.source])


def _bought(w: Writer, code: str, holder: int) -> Written:
    """Return the purchase of the certificate that a holder has had longest, not the director's."""
    numbers = w.shares.singles(code, holder)[:1]
    w.shares.name(numbers)
    return {"type": "buy_shares", "shares": shares.ids(code, numbers), "percent": 10}


def _redeem(w: Writer, s: State, seat: int, action: a.Redeem) -> Written:
    del seat, action
    return _bought(w, s.operating.code, POOL)


def _sell(w: Writer, s: State, seat: int, action: a.Sell) -> Written:
    plan = check_sell(s, seat, action)
    numbers = w.shares.for_sale(action.company, seat, action.count)
    w.shares.name(numbers)
    named = shares.ids(action.company, numbers)
    written: Written = {"type": "sell_shares", "shares": named, "percent": 10 * action.count}
    return (
        written if plan.terms.each == s.companies[action.company].price else {**written, "share_price": plan.terms.each}
    )


def _tile(w: Writer, s: State, seat: int, action: LayTile) -> Written:
    fit = track_step.check(s, seat, action).fit
    name, rotation = shape(fit.tile, fit.rotation)
    written: Written = {"type": "lay_tile", "hex": action.hex, "tile": w.tiles.lay(action.hex, name)}
    return {**written, "rotation": rotation, "turned": action.rotation}


def _station(w: Writer, s: State, seat: int, action: a.AddStation) -> Written:
    del seat
    line = (min(action.a, action.b), max(action.a, action.b))
    name, rotation = shape(*track.with_station(s.board, action.hex, line).laid[action.hex])
    return {"type": "lay_tile", "hex": action.hex, "tile": w.tiles.lay(action.hex, name), "rotation": rotation}


def _token(w: Writer, s: State, seat: int, action: a.PlaceMarker | a.LinkLondon) -> Written:
    del seat
    if isinstance(action, a.LinkLondon):
        city, slot = w.city(action.place), w.london[action.place].index("")
    else:
        city, taken = w.city(action.hex), {marker.slot for marker, _ in ground.standing(s, action.hex)}
        slot = next(number for number in range(len(taken) + 1) if number not in taken)
    return {"type": "place_token", "city": city, "slot": slot, "tokener": s.operating.code}


def _remove(w: Writer, s: State, seat: int, action: a.RemoveMarker) -> Written:
    """Return the removal of a marker by the survivor, from the slot that it lies in."""
    del seat
    parties = markers.merging_parties(s)
    if action.hex == catalogue.LONDON:
        owner = next(company for company in parties if company.london)
        hex_, slot = owner.london, w.london[owner.london].index(owner.code)
    else:
        hex_ = action.hex
        slot = next(marker.slot for company in parties for marker in company.markers if marker.hex == hex_)
    return {"type": "remove_token", "city": w.city(hex_), "slot": slot, **corporation(s.operating.removing)}


def _run(w: Writer, s: State, seat: int, action: a.Run) -> Written:
    del w, seat
    company = s.companies[s.operating.code]
    now = running.current(s)
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


def _dividend(w: Writer, s: State, seat: int, action: a.Dividend) -> Written:
    del w, s, seat
    return {"type": "dividend", "kind": DIVIDENDS[action.kind]}


def _train(w: Writer, s: State, seat: int, action: a.BuyTrain) -> Written | None:
    """Return a purchase; one that must be agreed to is written when it is (``_answer``)."""
    del w
    plan = trains.check(s, seat, action)
    if plan.asks >= 0:
        return None
    written: Written = {"type": "buy_train", "train": plan.train.id, "price": plan.price}
    if plan.seller != trains.BANK:
        return written
    free = BANDS[FACES[action.train].band].warranties
    return {**written, "variant": action.train + "*" * free, "warranties": action.warranties}


def _merge(w: Writer, s: State, seat: int, action: a.Merge) -> Written | None:
    """Return a merger with the choice of the survivor; one that must be agreed to is written when it is."""
    del w
    return None if merging.check_merge(s, seat, action).asks >= 0 else _merger(s.operating.code, action)


def _merger(code: str, action: a.Merge) -> Written:
    choice = {"type": "choose", "choice": "first" if action.survivor == code else "last", **corporation(code)}
    return {"type": "merge", "corporation": action.company, "auto_actions": [choice], **corporation(code)}


def _answer(w: Writer, s: State, seat: int, action: a.Answer) -> Written | None:
    del w, seat
    offer = s.operating.offer
    if action.reply != "accept" or offer is None:
        return None
    if offer.kind == "merge":
        return _merger(offer.company, a.Merge(offer.other, offer.survivor))
    plan = trains.of_company(s, s.companies[offer.company], s.companies[offer.other], offer.train)
    return {"type": "buy_train", "train": plan.train.id, "price": plan.price}


def _option(w: Writer, s: State, seat: int, action: a.Option) -> Written:
    """Return the choice of a holder; of the companies the one whose turn it is holds what is in both treasuries."""
    m = s.operating.merging
    assert m is not None
    who = corporation(s.operating.code) if m.holder == COMPANY else w.player(seat)
    return {"type": "choose", "choice": action.choice, **who}


def _raise(w: Writer, s: State, seat: int, action: a.RaiseMoney) -> Written:
    """Return how money is raised: ``convert`` where the site gives the choice, else its pass does what is possible."""
    del w, seat
    both = len(list(raising.raise_options(s, 0))) > 1
    return {"type": "convert"} if action.how == "refinance" and both else {"type": "pass"}


def _markers(w: Writer, s: State, seat: int, action: a.Markers) -> Written:
    assert isinstance(s.round, Stock)
    return {"type": "choose", "choice": action.count, **w.player(seat)}


# One function an action; each takes its own type, which the key names.
_WRITERS: dict[type[Action], Callable[[Writer, State, int, Any], Written | None]] = {
    a.Bid: lambda _w, _s, _seat, action: {"type": "bid", "corporation": action.company, "price": action.amount},
    Pass: _pass,
    a.Start: _start,
    a.BuyShare: _buy,
    a.Sell: _sell,
    a.Markers: _markers,
    LayTile: _tile,
    a.AddStation: _station,
    a.LinkLondon: _token,
    a.PlaceMarker: _token,
    a.RemoveMarker: _remove,
    a.Run: _run,
    a.Dividend: _dividend,
    a.BuyTrain: _train,
    a.RaiseMoney: _raise,
    a.Redeem: _redeem,
    a.Merge: _merge,
    a.Answer: _answer,
    a.Withdraw: lambda *_: None,
    a.Option: _option,
    EndGame: lambda *_: {"type": "end_game"},
}
