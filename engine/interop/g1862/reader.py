"""Games of 1862 from 18xx.games: its actions in our words.

They are read with every question of the site asked (``waiting``), so that
each of its actions is one of ours; what old files leave out is put in.
"""

from collections.abc import Callable, Iterator, Mapping

from engine.errors import RuleError
from engine.finance.rounds import EndGame, Pass
from engine.interop.g1862 import shares, track_18xx, waiting
from engine.interop.g1862.track_18xx import Tiles
from engine.interop.profile import SITE
from engine.interop.site import (
    FORMAT,
    Raw,
    SiteSettings,
    amount,
    chosen_options,
    number,
    par,
    player_seat,
    reader_of,
    text,
    texts,
)
from engine.rails.laying import LayTile
from engine.record import Action, Event
from engine.titles.g1862 import actions as a
from engine.titles.g1862.catalogue import CHARTERS, LONDON, LONDON_BOXES
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Company, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import raising, running, trains

Said = tuple[int, Action]
MOST_PASSES = 12

_OPTIONS: dict[str, dict[str, str]] = {
    "short_length": {"length": "short"},
    "long_length": {"length": "long"},
    "eight_tokens": {"eight_markers": "on"},
}


def options(settings: SiteSettings) -> dict[str, str]:
    """Return our lobby options for the site's optional rules; see ``chosen_options``."""
    return chosen_options(settings, _OPTIONS, SITE, "1862")


class Reader:
    """Reads the actions of one file in order; knows where its tiles, shares and trains are.

    Args:
        seats: seat by player id as text.
    """

    def __init__(self, seats: Mapping[str, int]) -> None:
        self._seats = seats
        self.tiles = Tiles()
        self.shares = shares.Shares()
        self.partner = ""

    def told(self, event: Event) -> None:
        """Let certificates follow what was played."""
        self.shares.told(event)

    def read(self, s: State, raw: Raw) -> Iterator[Said]:
        """Yield what we say for one action of the site; old files leave out passes that the site asks for now.

        The caller plays each action before it asks for the next one.

        Raises:
            RuleError: the action cannot be read.
        """
        reader = reader_of(_READERS, raw, "1862")
        self.shares.begin(chartered=isinstance(s.round, Parliament))
        if raw["type"] == "pass":
            yield from self._pass(s, raw)
            return
        _refuse_after_end(s)
        action = reader(self, s, raw)
        if action is None:
            return
        for _ in range(MOST_PASSES):
            if self._has_turn(s, raw, type(action)):
                break
            yield waiting.idle(s)
            _refuse_after_end(s)
        yield self._seat(s, raw, type(action)), action
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
        seat = self._seat(s, raw, kind)
        return seat in turn.actors(s) and kind in turn.kinds(s, seat)

    def _seat(self, s: State, raw: Raw, kind: type[Action]) -> int:
        """Return the seat that acts: the player, or who acts for the company."""
        if raw.get("entity_type") == "player" and kind is not EndGame:
            return player_seat(self._seats, raw)
        return next(iter(turn.actors(s)), 0)

    def _pass(self, s: State, raw: Raw) -> Iterator[Said]:
        """Yield the pass, unless nobody is asked for one; old files have some more."""
        seat, r = self._seat(s, raw, Pass), s.round
        company = raw.get("entity_type") != "player"
        if s.over or company is not isinstance(r, Operating) or seat not in turn.actors(s):
            return
        if isinstance(r, Operating):
            if r.code != raw.get("entity"):
                return
            rescue = self._rescue(s)
            if rescue is not None:
                yield seat, rescue
                return
        if Pass in turn.kinds(s, seat):
            yield seat, Pass()

    def _rescue(self, s: State) -> Action | None:
        """Return how money is raised by a pass: treasury shares if they suffice, else refinancing (actions 6)."""
        if s.operating.step != "train" or not trains.short(s, trains.company_of(s)):
            return None
        ways = list(raising.raise_options(s, 0))
        return ways[0] if ways else None


def _bid(_reader: Reader, _s: State, raw: Raw) -> Action:
    return a.Bid(text(raw, "corporation"), number(raw, "price"))


def _par(_reader: Reader, s: State, raw: Raw) -> Action:
    company = _company(s, text(raw, "corporation"))
    return a.Start(company.code, par(raw))


def _buy(reader: Reader, s: State, raw: Raw) -> Action:
    code, certificate = shares.split(texts(raw, "shares")[0])
    company = _company(s, code)
    reader.shares.name([certificate])
    if raw.get("entity_type") != "player":
        return a.Redeem()
    return a.BuyShare(company.code, shares.source(reader.shares, code, certificate))


def _sell(reader: Reader, s: State, raw: Raw) -> Action:
    named = [shares.split(share) for share in texts(raw, "shares")]
    company = _company(s, named[0][0])
    reader.shares.name([certificate for _, certificate in named])
    is_full = s.rules.stated_prices_count and "share_price" not in raw and not company.trains
    return a.Sell(company.code, number(raw, "percent") // 10, company.price if is_full else 0)


def _choose(reader: Reader, s: State, raw: Raw) -> Action:
    choice = str(raw.get("choice"))
    if isinstance(s.round, Stock):
        return a.Markers(int(choice) if choice.isdecimal() and len(choice) == 1 else 0)
    if reader.partner and isinstance(s.round, Operating):
        other, reader.partner = reader.partner, ""
        return a.Merge(other, s.operating.code if choice == "first" else other)
    return a.Option("redeem" if choice == "redeem" else "sell")


def _merge(reader: Reader, s: State, raw: Raw) -> None:
    """Keep the partner; which company survives is the next thing said."""
    reader.partner = _company(s, text(raw, "corporation")).code


def _tile(reader: Reader, s: State, raw: Raw) -> Action:
    action = reader.tiles.action(s, text(raw, "hex"), text(raw, "tile"), number(raw, "rotation"))
    turned = raw.get("turned")  # a game we exported: how it lies here, where stops are told by their number
    if isinstance(action, LayTile) and isinstance(turned, int):
        return LayTile(action.hex, action.tile, turned)
    return action


def _token(reader: Reader, _s: State, raw: Raw) -> Action:
    hex_ = reader.tiles.hex_of(text(raw, "city"))
    if hex_ in LONDON_BOXES:
        return a.LinkLondon("D15" if hex_ == "D15" else "B15")
    return a.PlaceMarker(hex_)


def _remove(reader: Reader, _s: State, raw: Raw) -> Action:
    hex_ = reader.tiles.hex_of(text(raw, "city"))
    return a.RemoveMarker(LONDON if hex_ in LONDON_BOXES else hex_)


def _run(_reader: Reader, s: State, raw: Raw) -> Action:
    plan = raw.get("plan")
    routes = raw.get("routes")
    if isinstance(plan, str):
        recorded = raw.get("recorded")  # a game we exported: the plan as it was kept
        return a.Run(plan, tuple(recorded) if isinstance(recorded, list) else ())
    if not isinstance(routes, list):
        raise RuleError("The action has no routes.", FORMAT)
    if not routes:
        return a.Run(running.NONE)
    company = _company(s, text(raw, "entity"))
    total = _sum(routes, "revenue") + amount(raw, "extra_revenue")
    # Newer files have the subsidy on the routes, and 0 beside them.
    subsidy = _sum(routes, "subsidy") or amount(raw, "subsidy")
    faces = {train.id: train.face for train in company.trains}
    return a.Run(track_18xx.plan_text(running.problem(s, company), routes, faces), (total, subsidy))


def _dividend(_reader: Reader, _s: State, raw: Raw) -> Action:
    kind = text(raw, "kind")
    return a.Dividend("pay" if kind == "payout" else "hudson" if kind == "hudson" else "keep")


def _train(_reader: Reader, s: State, raw: Raw) -> Action:
    """Return the purchase of the card that is named, from whoever has it."""
    card = text(raw, "train")
    for company in s.companies.values():
        theirs = s.trains_for_sale(company)
        train = next((train for train in theirs if train.id == card), None)
        if train is not None and company.code != raw.get("entity"):
            first = next(other for other in theirs if other.name == train.name)
            return a.BuyTrain(train.name if first is train else card, company.code)
    face = text(raw, "variant").rstrip("*") if "variant" in raw else ""
    return a.BuyTrain(face, trains.BANK, amount(raw, "warranties"))


_READERS: dict[str, Callable[[Reader, State, Raw], Action | None]] = {
    "pass": lambda _reader, _s, _raw: Pass(),
    "bid": _bid,
    "par": _par,
    "buy_shares": _buy,
    "sell_shares": _sell,
    "choose": _choose,
    "merge": _merge,
    "lay_tile": _tile,
    "place_token": _token,
    "remove_token": _remove,
    "run_routes": _run,
    "dividend": _dividend,
    "buy_train": _train,
    "convert": lambda _reader, _s, _raw: a.RaiseMoney("refinance"),
    "end_game": lambda _reader, _s, _raw: EndGame(),
}


def _refuse_after_end(s: State) -> None:
    if s.over:
        raise RuleError("The game is over before this action.", FORMAT)


def _company(s: State, code: str) -> Company:
    company = s.companies.get(code)
    if company is None:
        known = "is not in play" if code in CHARTERS else "is no company of 1862"
        raise RuleError(f"“{code[:40]}” {known}.", FORMAT)
    return company


def _sum(routes: list[object], name: str) -> int:
    return sum(amount(route, name) for route in routes if isinstance(route, dict))
