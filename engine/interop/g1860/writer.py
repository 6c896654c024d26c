"""Games of 1860 for 18xx.games: our actions in its words, with its ids for tiles, shares and trains."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from engine.finance.events import GameEnded, Passed, PriorityGiven, RoundBegun
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import IPO, POOL
from engine.interop.g1860.shares import Shares
from engine.interop.routes import list_connections
from engine.interop.writing import (
    DIRECTORS,
    DIVIDENDS,
    TileIds,
    Written,
    find_writer,
    write_company,
    write_ids,
    write_player,
)
from engine.rails.laying import LayTile
from engine.record import Action, Event
from engine.titles.g1860 import actions as a
from engine.titles.g1860.catalogue import MARKET, PRIVATES
from engine.titles.g1860.events import WentBankrupt
from engine.titles.g1860.running import plan as run_plan
from engine.titles.g1860.running.runs import Problem, Run, Survey
from engine.titles.g1860.state import State, Stock
from engine.titles.g1860.steps import running, shares, trains


def _train_kind(train: str) -> str:
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
        self.shares = Shares()
        self._trains: dict[str, list[str]] = defaultdict(list)
        self._sold: Counter[str] = Counter()
        self._dealing = self._restarted = self._hangs = False

    def hear(self, event: Event) -> None:
        """Let certificates follow what was played, and note where the site hangs (differences 79).

        That is where a player passes who begins the stock round after a bankruptcy in one. If no one can do anything,
        it goes on to the next round automatically.
        """
        self.shares.hear(event)
        if isinstance(event, WentBankrupt):
            self._restarted = self._dealing
        elif isinstance(event, RoundBegun | GameEnded):
            self._hangs = False
        elif not isinstance(event, PriorityGiven):
            self._hangs |= self._restarted and isinstance(event, Passed)
            self._restarted = False

    def write_afterwards(self) -> list[Written]:
        """Return the end of a standing order, by no one, where the site hangs; it makes the site go on."""
        hangs, self._hangs = self._hangs, False
        return [{"type": "program_disable", "reason": "went bankrupt", **self._write_player(0)}] if hangs else []

    def find_stop(self) -> str:
        """Return nothing: the site never stops without a way on that its own log has."""
        return ""

    def write(self, s: State, seat: int, action: Action) -> Written | None:
        """Return the site's action for one of ours, asked before it is played; ``None`` where it logs nothing.

        Raises:
            UnreadableLogError: the site has no such action.
        """
        self.shares.begin_action()
        self._note_trains(s)
        self._dealing, self._restarted = isinstance(s.round, Stock), False
        writer = find_writer(_WRITERS, action)
        written = writer(self, s, seat, action)
        if written is None:
            return None
        company = s.operating.code if hasattr(s.round, "order") else ""
        if written.get("entity") is None:
            entity = write_company(company) if company else self._write_player(seat)
            written = {**written, **entity}
            if company and s.companies[company].director < 0:  # whose hand it was, as any player's may be
                written |= {"user": self._ids[seat]}
        return written

    def _write_player(self, seat: int) -> Written:
        return write_player(self._ids[seat])

    def _note_trains(self, s: State) -> None:
        """Note the trains that changed hands automatically: bought in receivership, returned, or gone."""
        lying = Counter(s.returned)
        for code, company in s.companies.items():
            for name, count in (Counter(map(_train_kind, self._trains[code])) - Counter(company.trains)).items():
                for _ in range(count):
                    found = self.return_train(code, name)
                    if Counter(map(_train_kind, self._trains[trains.BANK]))[name] > lying[name]:
                        self._trains[trains.BANK].remove(found)
        for code, company in s.companies.items():
            for name, count in (Counter(company.trains) - Counter(map(_train_kind, self._trains[code]))).items():
                for _ in range(count):
                    self._take_train(name, code, lying)

    def _take_train(self, name: str, buyer: str, lying: Counter[str]) -> None:
        """Give a company a train that it bought automatically: one of those returned, or the next of the pile."""
        bank = self._trains[trains.BANK]
        found = next((train for train in bank if _train_kind(train) == name), "")
        if found and Counter(map(_train_kind, bank))[name] > lying[name]:
            bank.remove(found)
        else:
            found = f"{name}-{self._sold[name]}"
            self._sold[name] += 1
        self._trains[buyer].append(found)

    def choose_share(self, company: str, place: int) -> Written:
        """Return the certificate that a player takes from the IPO or the pool: a single, if any lies there.

        For the director's, which stands for two shares, the pool gets one back.
        """
        number = next(iter(self.shares.list_singles(company, place)), DIRECTORS)
        self.shares.note_named([number], change=int(number == DIRECTORS))
        return {"shares": write_ids(company, [number]), "percent": 10 if number else 20}

    def move_train(self, s: State, name: str, seller: str, buyer: str) -> str:
        """Return the id of a train that changes hands."""
        if seller not in (trains.BANK, trains.PILE):
            found = next(train for train in self._trains[seller] if _train_kind(train) == name)
            self._trains[seller].remove(found)
        elif seller == trains.BANK and name in s.returned:
            found = next(train for train in self._trains[trains.BANK] if _train_kind(train) == name)
            self._trains[trains.BANK].remove(found)
        else:
            found = f"{name}-{self._sold[name]}"
            self._sold[name] += 1
        self._trains[buyer].append(found)
        return found

    def return_train(self, company: str, name: str) -> str:
        """Return the id of a train that goes back to the bank."""
        found = next(train for train in self._trains[company] if _train_kind(train) == name)
        self._trains[company].remove(found)
        self._trains[trains.BANK].append(found)
        return found

    def list_trains(self, s: State, company: str, names: list[str]) -> list[str]:
        """Return the ids of trains that run, owned or leased."""
        left = list(self._trains[company])
        found = []
        for name in names:
            own = next((train for train in left if _train_kind(train) == name), None)
            if own is None:
                found.append(self.find_leased_train(s, name))
            else:
                left.remove(own)
                found.append(own)
        return found

    def find_leased_train(self, s: State, name: str) -> str:
        """Return the id of a leased train: of the pile's next, or of the first of its kind among those returned."""
        if name == trains.find_next_train(s):
            return f"{name}-{self._sold[name]}"
        return next(train for train in self._trains[trains.BANK] if _train_kind(train) == name)


def _write_pass(w: Writer, s: State, seat: int, action: Pass) -> Written:
    """Return a pass; for a home tile that cannot be laid it is the company that passes."""
    del w, seat, action
    homes = s.stock.homes if hasattr(s.round, "homes") else []
    return {"type": "pass", **(write_company(homes[0]) if homes else {})}


def _write_par(w: Writer, s: State, seat: int, action: a.Start) -> Written:
    del w, s, seat
    return {
        "type": "par",
        "corporation": action.company,
        "share_price": f"{action.par},0,{MARKET.prices.index(action.par)}",
    }


def _write_purchase(w: Writer, s: State, seat: int, action: a.BuyShare) -> Written:
    del s, seat
    return {"type": "buy_shares", **w.choose_share(action.company, IPO if action.source == "ipo" else POOL)}


def _write_exchange(w: Writer, s: State, seat: int, action: a.Exchange) -> Written:
    del s, seat
    share = w.choose_share(PRIVATES[action.private].railway, IPO)
    return {"type": "buy_shares", "entity": action.private, "entity_type": "company", **share}


def _write_sale(w: Writer, s: State, seat: int, action: a.Sell) -> Written:
    plan = shares.check_sell(s, seat, action)
    sold = w.shares.choose_for_sale(action.company, seat, action.count)
    w.shares.note_named(sold)
    shown = write_ids(action.company, sold)
    written: Written = {"type": "sell_shares", "shares": shown, "percent": 10 * action.count}
    return written if plan.each == s.companies[action.company].price else {**written, "share_price": plan.each}


def _write_private_purchase(w: Writer, s: State, seat: int, action: a.BuyPrivate) -> Written:
    del w, seat
    price = PRIVATES[action.private].price
    kind = "buy_company" if hasattr(s.round, "homes") else "bid"
    return {"type": kind, "company": action.private, "price": price}


def _write_private_sale(w: Writer, s: State, seat: int, action: a.SellPrivate) -> Written:
    del w, s, seat
    return {"type": "sell_company", "company": action.private, "price": PRIVATES[action.private].sold_for}


def _write_tile(w: Writer, s: State, seat: int, action: LayTile) -> Written:
    del seat
    written: Written = {
        "type": "lay_tile",
        "hex": action.hex,
        "tile": w.tiles.take_copy(action.hex, action.tile),
        "rotation": action.rotation,
    }
    if hasattr(s.round, "homes"):
        written |= write_company(s.stock.homes[0])
    return written


def _write_token(w: Writer, s: State, seat: int, action: a.PlaceBase) -> Written:
    del seat
    return {
        "type": "place_token",
        "city": w.tiles.find_city_id(action.hex, action.city),
        "slot": 0,
        "tokener": s.operating.code,
    }


def _write_run(w: Writer, s: State, seat: int, action: a.Run) -> Written:
    del seat
    company = s.companies[s.operating.code]
    written: Written = {"type": "run_routes", "extra_revenue": 0, "plan": action.plan}
    if action.plan == running.NONE:
        return {**written, "routes": [], "subsidy": 0}
    now = running.make_current_problem(s, company)
    assert now is not None
    runs = run_plan.read_plan(now, action.plan)
    ids = w.list_trains(s, company.code, [run.train for run in runs])
    routes = [_write_route(now, run, train) for run, train in zip(runs, ids, strict=True)]
    return {**written, "routes": routes, "subsidy": sum(run.subsidy for run in runs)}


def _write_route(now: Problem, run: Run, train: str) -> Written:
    """Return one route: its links hex by hex in the direction of travel, and what it counts."""
    graph, halts = now.graph, Survey(now).halts & run.counted
    nodes = [graph.nodes[node] for node in run.nodes]
    hexes = [node.coord for node in nodes]
    return {
        "train": train,
        "connections": list_connections(graph, run.nodes, run.links),
        "hexes": hexes,
        "revenue": run.revenue,
        "revenue_str": "-".join(hexes),
        "subsidy": run.subsidy,
        "halts": halts.bit_count(),
        "nodes": [f"{node.coord}-{node.index}" for node in nodes],
    }


def _write_dividend(w: Writer, s: State, seat: int, action: a.Dividend) -> Written:
    del w, s, seat
    return {"type": "dividend", "kind": DIVIDENDS[action.kind]}


def _write_train(w: Writer, s: State, seat: int, action: a.BuyTrain) -> Written | None:
    """Return a purchase; one that must be agreed to is written when it is (``_write_answer``)."""
    if trains.check(s, seat, action).asks >= 0:
        return None
    return _write_agreed_train(w, s, action.train, action.seller, action.price)


def _write_answer(w: Writer, s: State, seat: int, action: a.Answer) -> Written | None:
    del seat
    offer = s.operating.offer
    if action.reply != "accept" or offer is None:
        return None
    return _write_agreed_train(w, s, offer.train, offer.seller, offer.price)


def _write_agreed_train(w: Writer, s: State, train: str, seller: str, price: int) -> Written:
    written: Written = {"type": "buy_train", "train": w.move_train(s, train, seller, s.operating.code), "price": price}
    if seller not in s.companies:
        return {**written, "variant": train}
    if s.rules.receiverships_run_by_rule:
        written["seller"] = seller  # by the rulebook it may have bought it automatically, without an action
    return written


def _write_discard(w: Writer, s: State, seat: int, action: a.Discard) -> Written:
    del seat
    return {"type": "discard_train", "train": w.return_train(s.operating.code, action.train)}


# One function an action; each takes its own type, which the key names.
_WRITERS: dict[type[Action], Callable[[Writer, State, int, Any], Written | None]] = {
    a.Bid: lambda _w, _s, _seat, action: {"type": "bid", "price": action.amount},
    Pass: _write_pass,
    a.Start: _write_par,
    a.BuyShare: _write_purchase,
    a.BuyPrivate: _write_private_purchase,
    a.Sell: _write_sale,
    a.SellPrivate: _write_private_sale,
    a.Exchange: _write_exchange,
    LayTile: _write_tile,
    a.PlaceBase: _write_token,
    a.Run: _write_run,
    a.Dividend: _write_dividend,
    a.BuyTrain: _write_train,
    a.Answer: _write_answer,
    a.Counter: lambda *_: None,
    a.Withdraw: lambda *_: None,
    a.Discard: _write_discard,
    EndGame: lambda *_: {"type": "end_game"},
}
