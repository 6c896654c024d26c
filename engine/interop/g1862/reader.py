"""Games of 1862 from 18xx.games: its actions in our words.

They are read with every question of the site asked (``profile``), so that
each of its actions is one of ours; what old files leave out is put in.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeVar

from engine.errors import RuleError
from engine.finance.rounds import EndGame, Pass
from engine.interop.g1862 import shares, track_18xx
from engine.interop.g1862.profile import answer_idly
from engine.interop.g1862.track_18xx import Tiles
from engine.interop.routes import check_hexes, read_site_routes
from engine.interop.site import (
    FORMAT,
    Raw,
    check_entity,
    find_reader,
    read_amount,
    read_digits,
    read_number,
    read_par,
    read_seat,
    read_share,
    read_subsidy,
    read_text,
    split_shares,
)
from engine.rails.laying import LayTile
from engine.record import Action, Event
from engine.titles.g1862 import actions as a
from engine.titles.g1862 import ground
from engine.titles.g1862.catalogue import CHARTERS, LONDON, LONDON_BOXES, MARKET
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Company, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import raising, running, trains
from engine.words import join_words

SeatAction = tuple[int, Action]
T = TypeVar("T")
MAX_PASSES = 12


class Reader:
    """Reads the actions of one file in order; knows where its tiles, shares and trains are.

    Args:
        seats: seat by player id as text.
    """

    def __init__(self, seats: Mapping[str, int]) -> None:
        self.seats = seats
        self.tiles = Tiles()
        self.shares = shares.Shares()
        self.partner = ""

    def hear(self, event: Event) -> None:
        """Let certificates follow what was played."""
        self.shares.hear(event)

    def read(self, s: State, raw: Raw) -> Iterator[SeatAction]:
        """Yield what we say for one action of the site; old files leave out passes that the site asks for now.

        The caller plays each action before it asks for the next one.

        Raises:
            RuleError: the action cannot be read.
        """
        reader = find_reader(_READERS, raw, "1862")
        check_entity(raw, self.seats, s.companies)
        self.shares.begin_action(chartered=isinstance(s.round, Parliament))
        if raw["type"] == "pass":
            yield from self._read_pass(s, raw)
            return
        _refuse_after_end(s)
        action = reader(self, s, raw)
        kind = a.Merge if action is None else type(action)
        for _ in range(MAX_PASSES):
            if self._has_turn(s, raw, kind):
                break
            yield answer_idly(s)
            _refuse_after_end(s)
        if action is None:
            if not self._has_turn(s, raw, kind):
                raise RuleError(f"{str(raw.get('entity'))[:20]} isn't asked for a merger now.", FORMAT)
            return
        yield self._find_seat(s, raw, type(action)), action
        offer = s.round.offer if isinstance(s.round, Operating) else None
        if offer is not None:
            yield offer.decider, a.Answer("accept")  # the site does not ask (differences 20, 21)

    def _has_turn(self, s: State, raw: Raw, kind: type[Action]) -> bool:
        if kind is EndGame:
            return True
        r = s.round
        own_turn = isinstance(r, Operating) and r.merging is None and not r.removing
        if own_turn and raw.get("entity_type") != "player" and s.operating.code != raw.get("entity"):
            return False
        seat = self._find_seat(s, raw, kind)
        return seat in turn.find_actors(s) and kind in turn.list_kinds(s, seat)

    def _find_seat(self, s: State, raw: Raw, kind: type[Action]) -> int:
        """Return the seat that acts: the player, or who acts for the company."""
        if raw.get("entity_type") == "player" and kind is not EndGame:
            return read_seat(self.seats, raw)
        return next(iter(turn.find_actors(s)), 0)

    def _read_pass(self, s: State, raw: Raw) -> Iterator[SeatAction]:
        """Yield the pass, unless no one is asked for one, as in old files."""
        seat, r = self._find_seat(s, raw, Pass), s.round
        company = raw.get("entity_type") != "player"
        if s.over or company is not isinstance(r, Operating) or seat not in turn.find_actors(s):
            return
        if isinstance(r, Operating):
            if r.code != raw.get("entity"):
                return
            rescue = self._choose_rescue(s)
            if rescue is not None:
                yield seat, rescue
                return
        if Pass in turn.list_kinds(s, seat):
            yield seat, Pass()

    def _choose_rescue(self, s: State) -> Action | None:
        """Return how money is raised by a pass: treasury shares if they suffice, else refinancing (actions 6)."""
        if s.operating.step != "train" or not trains.is_short(s, trains.get_acting_company(s)):
            return None
        ways = list(raising.list_raise_options(s, 0))
        return ways[0] if ways else None


def _read_bid(_reader: Reader, _s: State, raw: Raw) -> Action:
    return a.Bid(read_text(raw, "corporation"), read_number(raw, "price"))


def _read_par(_reader: Reader, s: State, raw: Raw) -> Action:
    company = _find_company(s, read_text(raw, "corporation"))
    return a.Start(company.code, read_par(raw, MARKET.prices))


def _read_purchase(reader: Reader, s: State, raw: Raw) -> Action:
    share = read_share(raw)
    company = _find_company(s, share.rpartition("_")[0])
    holder = reader.shares.note_bought(share, change=shares.CHANGE if isinstance(s.round, Parliament) else 0)
    if raw.get("entity_type") != "player":
        return a.Redeem()
    return a.BuyShare(company.code, shares.find_source(holder))


def _read_sale(reader: Reader, s: State, raw: Raw) -> Action:
    code, certificates = split_shares(raw)
    company = _find_company(s, code)
    reader.shares.note_sold(code, certificates, read_seat(reader.seats, raw))
    is_full = s.rules.stated_prices_count and "share_price" not in raw and not company.trains
    return a.Sell(company.code, read_number(raw, "percent") // 10, company.price if is_full else 0)


def _read_choice(reader: Reader, s: State, raw: Raw) -> Action:
    choice = str(raw.get("choice"))
    if isinstance(s.round, Stock):
        return a.Markers(read_digits(choice) or 0)
    if reader.partner and isinstance(s.round, Operating):
        other, reader.partner = reader.partner, ""
        survivors = {"first": s.operating.code, "last": other}
        return a.Merge(other, _choose(survivors, choice))
    options: dict[str, Literal["redeem", "sell"]] = {"redeem": "redeem", "sell": "sell"}
    return a.Option(_choose(options, choice))


def _choose(known: Mapping[str, T], choice: str) -> T:
    """Return what a choice means; RuleError if it is none."""
    if choice not in known:
        raise RuleError(f"“{choice[:40]}” isn't one of the choices {join_words([*known], 'or')}.", FORMAT)
    return known[choice]


def _keep_partner(reader: Reader, s: State, raw: Raw) -> None:
    """Keep the partner; which company survives is the next thing said."""
    reader.partner = _find_company(s, read_text(raw, "corporation")).code


def _read_tile(reader: Reader, s: State, raw: Raw) -> Action:
    action = reader.tiles.read_lay(s, read_text(raw, "hex"), read_text(raw, "tile"), read_number(raw, "rotation"))
    turned = raw.get("turned")  # a game we exported: how it lies here, where stops are told by their number
    if isinstance(action, LayTile) and isinstance(turned, int):
        return LayTile(action.hex, action.tile, turned)
    return action


def _read_token(reader: Reader, _s: State, raw: Raw) -> Action:
    hex_ = reader.tiles.find_hex(read_text(raw, "city"))
    if hex_ in LONDON_BOXES:
        return a.LinkLondon("D15" if hex_ == "D15" else "B15")
    return a.PlaceMarker(hex_)


def _read_removal(reader: Reader, s: State, raw: Raw) -> Action:
    hex_ = reader.tiles.find_hex(read_text(raw, "city"))
    slot, slots = read_number(raw, "slot"), ground.count_slots(s.board.tile(hex_)) if hex_ in s.board else 0
    if slots and slot >= slots:
        raise RuleError(f"{hex_} has no space {slot}.", FORMAT)
    return a.RemoveMarker(LONDON if hex_ in LONDON_BOXES else hex_)


def _read_run(_reader: Reader, s: State, raw: Raw) -> Action:
    plan = raw.get("plan")
    routes = raw.get("routes")
    if isinstance(plan, str):
        recorded = raw.get("recorded")  # a game we exported: the plan as it was kept
        return a.Run(plan, tuple(recorded) if isinstance(recorded, list) else ())
    if not isinstance(routes, list):
        raise RuleError("The action has no routes.", FORMAT)
    if not routes:
        return a.Run(running.NONE)
    check_hexes(read_site_routes(routes), s.board.map.hexes)
    company = _find_company(s, read_text(raw, "entity"))
    total = sum(read_amount(route, "revenue") for route in routes if isinstance(route, dict))
    total += read_amount(raw, "extra_revenue")
    subsidy = read_subsidy(raw, routes)
    faces = {train.id: train.face for train in company.trains}
    return a.Run(track_18xx.write_plan(running.make_problem(s, company), routes, faces), (total, subsidy))


def _read_dividend(_reader: Reader, _s: State, raw: Raw) -> Action:
    kinds: dict[str, Literal["pay", "keep", "hudson"]] = {"payout": "pay", "withhold": "keep", "hudson": "hudson"}
    return a.Dividend(_choose(kinds, read_text(raw, "kind")))


def _read_train(_reader: Reader, s: State, raw: Raw) -> Action:
    """Return the purchase of the named card, from its owner."""
    card = read_text(raw, "train")
    read_number(raw, "price")
    for company in s.companies.values():
        theirs = s.list_trains_for_sale(company)
        train = next((train for train in theirs if train.id == card), None)
        if train is not None and company.code != raw.get("entity"):
            first = next(other for other in theirs if other.name == train.name)
            return a.BuyTrain(train.name if first is train else card, company.code)
    band = trains.find_band_for_sale(s).name
    if card != (on_top := f"{band}-{s.sold[band]}"):
        raise RuleError(f"The bank sells the train {on_top}, not {card[:20]}.", FORMAT)
    face = read_text(raw, "variant").rstrip("*") if "variant" in raw else ""
    return a.BuyTrain(face, trains.BANK, read_amount(raw, "warranties"))


_READERS: dict[str, Callable[[Reader, State, Raw], Action | None]] = {
    "pass": lambda _reader, _s, _raw: Pass(),
    "bid": _read_bid,
    "par": _read_par,
    "buy_shares": _read_purchase,
    "sell_shares": _read_sale,
    "choose": _read_choice,
    "merge": _keep_partner,
    "lay_tile": _read_tile,
    "place_token": _read_token,
    "remove_token": _read_removal,
    "run_routes": _read_run,
    "dividend": _read_dividend,
    "buy_train": _read_train,
    "convert": lambda _reader, _s, _raw: a.RaiseMoney("refinance"),
    "end_game": lambda _reader, _s, _raw: EndGame(),
}


def _refuse_after_end(s: State) -> None:
    if s.over:
        raise RuleError("The game is over before this action.", FORMAT)


def _find_company(s: State, code: str) -> Company:
    company = s.companies.get(code)
    if company is None:
        known = "isn't in play" if code in CHARTERS else "isn't a company of 1862"
        raise RuleError(f"“{code[:40]}” {known}.", FORMAT)
    return company
