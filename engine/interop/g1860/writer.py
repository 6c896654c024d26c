"""Games of 1860 for 18xx.games: our actions in its words, with its ids for tiles, shares and trains."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from engine.finance.events import GameEnded, Passed, PriorityGiven, RoundBegun
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import IPO, POOL
from engine.interop.profile import without_profile
from engine.interop.site_routes import connections
from engine.interop.writing import DIRECTORS, DIVIDENDS, ShareRegister, TileIds, Written, corporation, person, writer_of
from engine.rails.laying import LayTile
from engine.record import Action, Event
from engine.setup import Setup
from engine.titles.g1860 import actions as a
from engine.titles.g1860.catalogue import CHARTERS, MARKET, PRIVATES
from engine.titles.g1860.events import WentBankrupt
from engine.titles.g1860.rules import read_options
from engine.titles.g1860.running import plan as run_plan
from engine.titles.g1860.running.runs import Problem, Run, Survey
from engine.titles.g1860.state import State, Stock
from engine.titles.g1860.steps import running, shares, trains


def optional_rules(options: Mapping[str, str]) -> list[str]:
    """Return the site's optional rules for our lobby options; some of ours it does not have."""
    rules = read_options(Setup("1860", 2, without_profile(options)))
    known = {
        "two_player_map": rules.map == "original",
        "original_insolvency": rules.insolvency == "original",
        "simplified_insolvency": rules.insolvency == "simplified",
        "no_skip_towns": not rules.skip_towns,
        "re_enter_hexes": rules.re_enter,
        "non_operated_full_value": rules.full_price,
    }
    return [name for name, chosen in known.items() if chosen]


def _kind(train: str) -> str:
    """Return the kind of a train from its id: ``2+1-0`` is a 2+1."""
    return train.rpartition("-")[0]


class Writer:
    """Writes the actions of one game in order; remembers the ids it has given out.

    Args:
        ids: the players' ids, by seat.
    """

    def __init__(self, ids: tuple[int, ...]) -> None:
        self._ids = ids
        self.tiles = TileIds()
        self.shares = {code: ShareRegister(code, 9, len(ids), (IPO, POOL)) for code in CHARTERS}
        self._trains: dict[str, list[str]] = defaultdict(list)
        self._sold: Counter[str] = Counter()
        self._dealing = self._restarted = self._hangs = False

    def told(self, event: Event) -> None:
        """Note where the site hangs: who begins the stock round after a bankruptcy in one passes (differences 79).

        Where nobody can do anything it goes on to the next round by itself.
        """
        if isinstance(event, WentBankrupt):
            self._restarted = self._dealing
        elif isinstance(event, RoundBegun | GameEnded):
            self._hangs = False
        elif not isinstance(event, PriorityGiven):
            self._hangs |= self._restarted and isinstance(event, Passed)
            self._restarted = False

    def afterwards(self) -> list[Written]:
        """Return a standing order that is ended, of nobody, where the site hangs: it makes it go on."""
        hangs, self._hangs = self._hangs, False
        return [{"type": "program_disable", "reason": "went bankrupt", **self._player(0)}] if hangs else []

    def write(self, s: State, seat: int, action: Action) -> Written | None:
        """Return the site's action for one of ours, asked before it is played; ``None`` where it logs nothing.

        Raises:
            UnreadableLogError: the site has no such action.
        """
        self._note_bankruptcies(s)
        self._note_trains(s)
        self._dealing, self._restarted = isinstance(s.round, Stock), False
        writer = writer_of(_WRITERS, action)
        written = writer(self, s, seat, action)
        if written is None:
            return None
        company = s.operating.code if hasattr(s.round, "order") else ""
        if written.get("entity") is None:
            entity = corporation(company) if company else self._player(seat)
            written = {**written, **entity}
            if company and s.companies[company].director < 0:  # whose hand it was, as any player's may be
                written |= {"user": self._ids[seat]}
        return written

    def _player(self, seat: int) -> Written:
        return person(self._ids[seat])

    def _note_bankruptcies(self, s: State) -> None:
        """Put the certificates of companies that have gone bankrupt back into the IPO (Bankrupt Companies)."""
        for code, company in s.companies.items():
            if not company.started and not self.shares[code].fresh:
                self.shares[code].reset()

    def _note_trains(self, s: State) -> None:
        """Note the trains that changed hands by themselves: bought in receivership, returned, or gone."""
        lying = Counter(s.returned)
        for code, company in s.companies.items():
            for name, count in (Counter(map(_kind, self._trains[code])) - Counter(company.trains)).items():
                for _ in range(count):
                    found = self.give_back(code, name)
                    if Counter(map(_kind, self._trains[trains.BANK]))[name] > lying[name]:
                        self._trains[trains.BANK].remove(found)
        for code, company in s.companies.items():
            for name, count in (Counter(company.trains) - Counter(map(_kind, self._trains[code]))).items():
                for _ in range(count):
                    self._take(name, code, lying)

    def _take(self, name: str, buyer: str, lying: Counter[str]) -> None:
        """Give a company a train that it bought by itself: one that lay among the returned, or the next of the pile."""
        bank = self._trains[trains.BANK]
        found = next((train for train in bank if _kind(train) == name), "")
        if found and Counter(map(_kind, bank))[name] > lying[name]:
            bank.remove(found)
        else:
            found = f"{name}-{self._sold[name]}"
            self._sold[name] += 1
        self._trains[buyer].append(found)

    def next_share(self, company: str, place: int, seat: int) -> Written:
        """Return the certificate that a player takes from the IPO or the pool: a single, if any lies there."""
        register = self.shares[company]
        number = next(iter(register.singles(place)), DIRECTORS)
        register.transfer([number], seat, 1)
        return {"shares": register.ids([number]), "percent": 10 if number else 20}

    def train(self, s: State, name: str, seller: str, buyer: str) -> str:
        """Return the id of a train that changes hands."""
        if seller not in (trains.BANK, trains.PILE):
            found = next(train for train in self._trains[seller] if _kind(train) == name)
            self._trains[seller].remove(found)
        elif seller == trains.BANK and name in s.returned:
            found = next(train for train in self._trains[trains.BANK] if _kind(train) == name)
            self._trains[trains.BANK].remove(found)
        else:
            found = f"{name}-{self._sold[name]}"
            self._sold[name] += 1
        self._trains[buyer].append(found)
        return found

    def give_back(self, company: str, name: str) -> str:
        """Return the id of a train that goes back to the bank."""
        found = next(train for train in self._trains[company] if _kind(train) == name)
        self._trains[company].remove(found)
        self._trains[trains.BANK].append(found)
        return found

    def of(self, s: State, company: str, names: list[str]) -> list[str]:
        """Return the ids of trains that run, owned or leased."""
        left = list(self._trains[company])
        found = []
        for name in names:
            own = next((train for train in left if _kind(train) == name), None)
            if own is None:
                found.append(self.leased(s, name))
            else:
                left.remove(own)
                found.append(own)
        return found

    def leased(self, s: State, name: str) -> str:
        """Return the id of a leased train: of the pile's next, or of the first of its kind among those returned."""
        if name == trains.next_train(s):
            return f"{name}-{self._sold[name]}"
        return next(train for train in self._trains[trains.BANK] if _kind(train) == name)


def _pass(w: Writer, s: State, seat: int, action: Pass) -> Written:
    """Return a pass; for a home tile that cannot be laid it is the company that passes."""
    del w, seat, action
    homes = s.stock.homes if hasattr(s.round, "homes") else []
    return {"type": "pass", **(corporation(homes[0]) if homes else {})}


def _par(w: Writer, s: State, seat: int, action: a.Start) -> Written:
    del s
    w.shares[action.company].transfer([DIRECTORS], seat)
    return {
        "type": "par",
        "corporation": action.company,
        "share_price": f"{action.par},0,{MARKET.prices.index(action.par)}",
    }


def _buy(w: Writer, s: State, seat: int, action: a.BuyShare) -> Written:
    del s
    place = IPO if action.source == "ipo" else POOL
    return {"type": "buy_shares", **w.next_share(action.company, place, seat)}


def _exchange(w: Writer, s: State, seat: int, action: a.Exchange) -> Written:
    del s
    railway = PRIVATES[action.private].railway
    share = w.next_share(railway, IPO, seat)
    return {"type": "buy_shares", "entity": action.private, "entity_type": "company", **share}


def _sell(w: Writer, s: State, seat: int, action: a.Sell) -> Written:
    plan = shares.check_sell(s, seat, action)
    register = w.shares[action.company]
    sold = register.for_sale(seat, action.count)
    register.transfer(sold, POOL, action.count)
    written: Written = {"type": "sell_shares", "shares": register.ids(sold), "percent": 10 * action.count}
    return written if plan.each == s.companies[action.company].price else {**written, "share_price": plan.each}


def _private(w: Writer, s: State, seat: int, action: a.BuyPrivate) -> Written:
    del w, seat
    price = PRIVATES[action.private].price
    kind = "buy_company" if hasattr(s.round, "homes") else "bid"
    return {"type": kind, "company": action.private, "price": price}


def _sell_private(w: Writer, s: State, seat: int, action: a.SellPrivate) -> Written:
    del w, s, seat
    return {"type": "sell_company", "company": action.private, "price": PRIVATES[action.private].sold_for}


def _tile(w: Writer, s: State, seat: int, action: LayTile) -> Written:
    del seat
    written: Written = {
        "type": "lay_tile",
        "hex": action.hex,
        "tile": w.tiles.lay(action.hex, action.tile),
        "rotation": action.rotation,
    }
    if hasattr(s.round, "homes"):
        written |= corporation(s.stock.homes[0])
    return written


def _token(w: Writer, s: State, seat: int, action: a.PlaceBase) -> Written:
    del seat
    return {
        "type": "place_token",
        "city": w.tiles.city(action.hex, action.city),
        "slot": 0,
        "tokener": s.operating.code,
    }


def _run(w: Writer, s: State, seat: int, action: a.Run) -> Written:
    del seat
    company = s.companies[s.operating.code]
    written: Written = {"type": "run_routes", "extra_revenue": 0, "plan": action.plan}
    if action.plan == running.NONE:
        return {**written, "routes": [], "subsidy": 0}
    now = running.current(s, company)
    assert now is not None
    runs = run_plan.read_plan(now, action.plan)
    ids = w.of(s, company.code, [run.train for run in runs])
    routes = [_route(now, run, train) for run, train in zip(runs, ids, strict=True)]
    return {**written, "routes": routes, "subsidy": sum(run.subsidy for run in runs)}


def _route(now: Problem, run: Run, train: str) -> Written:
    """Return one route: its links hex by hex in the direction of travel, and what it counts."""
    graph, halts = now.graph, Survey(now).halts & run.counted
    nodes = [graph.nodes[node] for node in run.nodes]
    hexes = [node.coord for node in nodes]
    return {
        "train": train,
        "connections": connections(graph, run.nodes, run.links),
        "hexes": hexes,
        "revenue": run.revenue,
        "revenue_str": "-".join(hexes),
        "subsidy": run.subsidy,
        "halts": halts.bit_count(),
        "nodes": [f"{node.coord}-{node.index}" for node in nodes],
    }


def _dividend(w: Writer, s: State, seat: int, action: a.Dividend) -> Written:
    del w, s, seat
    return {"type": "dividend", "kind": DIVIDENDS[action.kind]}


def _train(w: Writer, s: State, seat: int, action: a.BuyTrain) -> Written | None:
    """Return a purchase; one that must be agreed to is written when it is (``_answer``)."""
    if trains.check(s, seat, action).asks >= 0:
        return None
    return _bought(w, s, action.train, action.seller, action.price)


def _answer(w: Writer, s: State, seat: int, action: a.Answer) -> Written | None:
    del seat
    offer = s.operating.offer
    if action.reply != "accept" or offer is None:
        return None
    return _bought(w, s, offer.train, offer.seller, offer.price)


def _bought(w: Writer, s: State, train: str, seller: str, price: int) -> Written:
    written: Written = {"type": "buy_train", "train": w.train(s, train, seller, s.operating.code), "price": price}
    if seller not in s.companies:
        return {**written, "variant": train}
    if s.rules.receiverships_run_by_rule:
        written["seller"] = seller  # by the rulebook it may have bought it by itself, of which no action tells
    return written


def _discard(w: Writer, s: State, seat: int, action: a.Discard) -> Written:
    del seat
    return {"type": "discard_train", "train": w.give_back(s.operating.code, action.train)}


# One function an action; each takes its own type, which the key names.
_WRITERS: dict[type[Action], Callable[[Writer, State, int, Any], Written | None]] = {
    a.Bid: lambda _w, _s, _seat, action: {"type": "bid", "price": action.amount},
    Pass: _pass,
    a.Start: _par,
    a.BuyShare: _buy,
    a.BuyPrivate: _private,
    a.Sell: _sell,
    a.SellPrivate: _sell_private,
    a.Exchange: _exchange,
    LayTile: _tile,
    a.PlaceBase: _token,
    a.Run: _run,
    a.Dividend: _dividend,
    a.BuyTrain: _train,
    a.Answer: _answer,
    a.Counter: lambda *_: None,
    a.Withdraw: lambda *_: None,
    a.Discard: _discard,
    EndGame: lambda *_: {"type": "end_game"},
}
