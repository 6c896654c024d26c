"""Two Valleys: a tiny title of the 18xx family, made of data; pointy hexes, a market of rows and columns, dollars."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from engine.errors import RuleError
from engine.finance import dividends, holdings, rounds, trading
from engine.finance import events as e
from engine.finance.holdings import heads, owner_row
from engine.finance.market import Grid, PrintedMarket, RoundEnd, show_market, worth_over_time
from engine.finance.rounds import EndGame, Pass
from engine.finance.say import Words, round_called, words
from engine.finance.trains import draw, on_sale
from engine.hex_view import Line
from engine.pictures import drawn, listed, own_row
from engine.printed import Units
from engine.rails import views
from engine.rails.board import Board
from engine.rails.graph import worth_in
from engine.rails.laying import LayTile, TileLaid, board_after, carried, following, laid, plain_lay
from engine.rails.maps import Map, PrintedHex
from engine.rails.places import plain
from engine.rails.reach import Bases, bases_of, nodes_of, reachable, tokened_out
from engine.rails.routes import PathTerms, in_order, paths
from engine.rails.tiles import SIDES, Manifest, read_tiles
from engine.record import Action, Event, Rule
from engine.setup import Rng, Setup
from engine.steps import settle
from engine.title import Ask, Hints, Request, Result, Score, Tell, Tip, Title, Views, Wording
from engine.view import Brand, Entry, MapView, Sheet, TableView, View
from engine.words import spoken

DATA = tomllib.loads((Path(__file__).parent / "tiny.toml").read_text(encoding="utf-8"))
CHARTERS, TRAINS, REASONS = DATA["companies"], {train["name"]: train for train in DATA["trains"]}, DATA["reasons"]
GRID, UNITS = msgspec.convert(DATA["market"], Grid), msgspec.convert(DATA["units"], Units)
MANIFEST = Manifest(read_tiles("tiny", DATA["tiles"], DATA["inks"]), DATA["counts"])
MAP = Map("valleys", msgspec.convert(DATA["hexes"], dict[str, PrintedHex]), [], MANIFEST, DATA["layout"])
BRANDS = tuple(Brand(code, of["name"], of["colour"], of["ink"], k) for k, (code, of) in enumerate(CHARTERS.items()))
RULE, SHARES, CERTIFICATE = Rule("Two Valleys", "the whole game"), 100 // UNITS.share, 2
MARKET = PrintedMarket(GRID.spaces, DATA["zones"], BRANDS, UNITS)


class Buy(Action, frozen=True, tag="buy"):
    """Buy a share, start a railway at a par, or buy the next train for one."""

    verb = "buy"
    what: str
    at: str


class Sell(Action, frozen=True, tag="sell"):
    """Sell shares of one railway to the pool."""

    verb = "sell"
    company: str
    count: int


class Company(msgspec.Struct):
    code: str
    shares: list[int]
    ipo: int = SHARES
    pool: int = 0
    director: int = -1
    par: int | None = None
    cell: int | None = None
    stamp: int = 0
    cash: int = 0
    train: str = ""

    @property
    def price(self) -> int:
        return 0 if self.cell is None else GRID.price(self.cell)


class State(msgspec.Struct):
    seats: int
    cash: list[int]
    companies: dict[str, Company]
    board: Board
    depot: dict[str, int]
    turn: int = 0
    passes: int = 0
    number: int = 1
    order: list[str] = []
    step: str = "deal"
    clock: int = 0
    topped: bool = False
    over: str = ""
    marks: list[RoundEnd] = []

    @property
    def name(self) -> str:
        return f"{'SR' if self.step == 'deal' else 'OR'} {self.number}"

    @property
    def company(self) -> Company:
        return self.companies[self.order[0]]

    @property
    def bases(self) -> Bases:
        homes = ((code, CHARTERS[code]["home"]) for code, c in self.companies.items() if c.par is not None)
        return bases_of((code, [(home, 0)], False) for code, home in homes)

    def worth(self, seat: int) -> int:
        return self.cash[seat] + sum(company.shares[seat] * company.price for company in self.companies.values())

    def cost(self, coord: str) -> int:
        return 0 if coord in self.board.laid else self.board.spec(coord).cost

    def clone(self) -> "State":
        again = {code: msgspec.structs.replace(c, shares=c.shares.copy()) for code, c in self.companies.items()}
        lists = {name: getattr(self, name).copy() for name in ("cash", "depot", "order", "marks")}
        return msgspec.structs.replace(self, companies=again, **lists)


def deal(setup: Setup) -> State:
    cash = DATA["cash"].get(str(setup.seats))
    if cash is None or setup.options:
        raise RuleError("Two Valleys is for 2 to 4 players and has no options.", RULE)
    companies = {code: Company(code, [0] * setup.seats) for code in CHARTERS}
    depot = {name: train["count"] for name, train in TRAINS.items()}
    return State(setup.seats, [cash] * setup.seats, companies, Board(MAP), depot)


def actors(s: State) -> tuple[int, ...]:
    return () if s.over else (s.turn if s.step == "deal" else s.company.director,)


def legal(s: State, seat: int) -> Iterator[Action]:
    if seat in actors(s):
        yield from {"deal": deals, "track": lays, "train": trains}[s.step](s)
        yield Pass()


def deals(s: State) -> Iterator[Action]:
    cash = s.cash[s.turn]
    for c in s.companies.values():
        if c.par is None:
            yield from (Buy(c.code, str(par)) for par in GRID.par_prices if CERTIFICATE * par <= cash)
        elif c.price <= cash:
            yield from (Buy(c.code, at) for at in ("ipo", "pool") if getattr(c, at))
        held = c.shares[s.turn] - CERTIFICATE * (c.director == s.turn)  # whoever starts a railway directs it to the end
        yield from (Sell(c.code, count) for count in range(1, min(held, CERTIFICATE - c.pool) + 1))


def lays(s: State) -> Iterator[Action]:
    graph, code, home = s.board.graph, s.company.code, CHARTERS[s.company.code]["home"]
    reach = reachable(graph, nodes_of(graph, s.bases, code), tokened_out(graph, s.bases, code))
    for coord, spec in MAP.hexes.items():
        before = s.board.tile(coord)
        for name in following(MAP, spec, before) if s.company.cash >= s.cost(coord) else ():
            open_ = s.board.left(name) and MANIFEST[name].colour in TRAINS[on_sale(s.depot)]["colours"]
            for rotation in SIDES if open_ else ():
                tile = MANIFEST.turned(name, rotation)
                stops = carried(before, tile, lambda old, new: old.kind == new.kind)
                joined = coord == home or spec.side_bits(tile.sides) & reach.track
                if joined and not tile.sides & ~spec.open and stops is not None and len(stops) == len(tile.stops):
                    yield LayTile(coord, name, rotation)


def trains(s: State) -> Iterator[Action]:
    if not s.company.train and s.company.cash >= TRAINS[on_sale(s.depot)]["price"]:
        yield Buy(on_sale(s.depot), "bank")


def best_run(s: State, c: Company) -> tuple[int, int]:
    """Return what the best run earns, and its bits."""
    graph, blocked = s.board.graph, tokened_out(s.board.graph, s.bases, c.code)
    values = [worth_in(node, TRAINS[on_sale(s.depot)]["colours"][-1]) for node in graph.nodes]
    calling = tuple(1 | value << 8 for value in values)  # stops are counted in three bits; the fourth is one too many
    passing = tuple(8 * (blocked >> node.id & 1) for node in graph.nodes)
    via = tuple(node for node in nodes_of(graph, s.bases, c.code) if graph.exits[node] and c.train)
    start = 7 - TRAINS[c.train or "2"]["stops"]
    found = paths(graph, PathTerms(via, start, calling, passing, (0,) * len(values), 8))
    return max(((load >> 8, bits) for bits, load in found), default=(0, 0))


def check(s: State, seat: int, action: Action) -> Action:
    if seat not in actors(s) or (not isinstance(action, EndGame) and action not in legal(s, seat)):
        raise RuleError(f"“{action.verb}” is not possible like that now, or not your turn.", RULE)
    return action


def apply(s: State, action: Action, tell: Tell) -> None:
    if isinstance(action, EndGame):
        rounds.apply_end(s, action, tell)
    elif s.step == "deal":
        apply_deal(s, action, tell)
    else:
        operate(s, s.company, action, tell)
    settle(s, follows, tell)


def apply_deal(s: State, action: Action, tell: Tell) -> None:
    seat, s.passes = s.turn, s.passes + 1 if isinstance(action, Pass) else 0
    s.turn = (seat + 1) % s.seats
    if isinstance(action, Sell):
        c = s.companies[action.company]
        s.cash[seat] += action.count * c.price
        trading.give_up(c, seat, action.count, c.price, tell)
        GRID.move(s, c, "sold", action.count, tell)
    elif isinstance(action, Buy):
        c = s.companies[action.what]
        if action.at.isdecimal():
            c.par, cost = int(action.at), CERTIFICATE * int(action.at)
            trading.sell_first(c, seat, CERTIFICATE)
            GRID.place(s, c, c.par)
            tell(e.CompanyStarted(seat, c.code, c.par, cost))
        else:
            cost = c.price
            trading.take_share(c, seat, action.at, cost, tell)
        s.cash[seat], c.cash = s.cash[seat] - cost, c.cash + cost
    else:
        tell(e.Passed(seat))


def operate(s: State, c: Company, action: Action, tell: Tell) -> None:
    if isinstance(action, LayTile):
        cost, s.board = s.cost(action.hex), board_after(s.board, action)
        c.cash -= cost
        tell(TileLaid(c.code, action.hex, action.tile, action.rotation, cost))
    elif isinstance(action, Buy):
        draw(s.depot, action.what)
        c.train, c.cash = action.what, c.cash - TRAINS[action.what]["price"]
        tell(e.TrainBought(c.code, c.train, "bank", TRAINS[c.train]["price"]))
        for other in s.companies.values():
            other.train = "" if other.train == TRAINS[action.what]["rusts"] else other.train
    if s.step == "train":
        s.order = s.order[1:]
        next_turn(s, tell)
        return
    revenue, s.step = best_run(s, c)[0], "train"
    if revenue:
        dividends.pay_out(s, UNITS, c, revenue, tell)
    else:
        tell(e.RevenueKept(c.code, 0))
    GRID.move(s, c, "paid" if revenue else "kept", 1, tell)


def follows(s: State, tell: Tell) -> bool:
    """Do what follows by itself; tell whether anything did."""
    if s.step == "deal" and s.passes >= s.seats:
        started = [c for c in s.companies.values() if c.par is not None]
        for c in started:
            GRID.move(s, c, "sold_out", int(not c.ipo + c.pool), tell)
        s.order, s.step = rounds.in_order(started, GRID.rank), "track"
        tell(e.RoundBegun(s.name))
        next_turn(s, tell)
        return True
    stuck = (s.step == "track" and not any(lays(s))) or (s.step == "train" and not any(trains(s)))
    if stuck:
        operate(s, s.company, Pass(), tell)
    return stuck


def next_turn(s: State, tell: Tell) -> None:
    if s.order:
        s.step = "track"
        tell(e.TurnBegan(s.company.code))
        return
    holdings.note_round(s, tuple(map(s.worth, range(s.seats))), s.companies.values())
    if s.number >= DATA["rounds"]:
        rounds.finish(s, "last_round", tell)
        return
    s.number, s.step, s.passes = s.number + 1, "deal", 0
    tell(e.RoundBegun(s.name))


def ask(s: State) -> Ask:
    kind = {"deal": "buy, sell or pass", "track": "lay track", "train": "buy a train"}[s.step]
    who = "the players" if s.over or s.step == "deal" else s.company.code
    return Ask(actors(s), "The game is over" if s.over else f"{s.name}: {who}", kind)


def label(s: State, action: Action, parameter: str) -> str:
    said = spoken(action)
    return said[parameter] if parameter else " ".join([action.verb, *said.values()])


def board(s: State, notes: tuple[str, ...] = (), numbers: Mapping[str, str] = views.NO_CHOICES) -> MapView:
    waiting = [c.code for c in s.companies.values() if c.par is None]
    revenue, bits = best_run(s, s.company) if s.step == "train" and s.order else (0, 0)
    way = views.legs(s.board.graph, *in_order(s.board.graph, bits)) if revenue else ()
    lines = (Line(s.company.train, 1, way, UNITS.money(revenue)),) if revenue else ()
    lying, kind = views.board_hexes(s.board, s.bases, waiting, choices=numbers), on_sale(s.depot)
    frame = views.MapFrame(s.name, round_called(s.name).lower(), kind, BRANDS, lines, notes)
    return views.map_view(frame, views.worth_now(lying, TRAINS[kind]["colours"][-1]), (views.tiles_told(s.board),))


def table(s: State, request: Request) -> View:
    companies, rows = s.companies.values(), []
    for seat in range(s.seats):
        owned = owner_row(UNITS, companies, seat, request.called(seat), s.cash[seat])
        rows.append((*owned, Entry(UNITS.money(s.worth(seat)))))
    shown = TableView("Shares in per cent, * director", heads(companies, "Worth"), tuple(rows), own_row(request))
    return Sheet(f"Table · {s.name}", "Who has what.", (shown,), BRANDS)


def illustrate(s: State, request: Request, actions: Sequence[Action]) -> View | None:
    lays = [lay for lay in actions if isinstance(lay, LayTile)]
    hexes = list(dict.fromkeys(lay.hex for lay in lays))
    if len(hexes) > 1:
        return views.numbered(s.board, hexes, "Where to lay a tile", lambda notes, numbers: board(s, notes, numbers))
    there = ((lay, views.hex_and_neighbours(board_after(s.board, lay), lay.hex)) for lay in lays)
    shown = ((views.caption(lay, s.board.left(lay.tile)), hexes) for lay, hexes in there)
    return views.tiles(MAP, hexes[0], shown, BRANDS) if lays else None


def result(s: State) -> Result | None:
    return holdings.final_result(s.over, (Score(seat, s.worth(seat)) for seat in range(s.seats)), REASONS, UNITS)


def choose(s: State, seat: int, rng: Rng) -> Action:
    moves = list(legal(s, seat))
    return rng.choice([action for action in moves if not isinstance(action, (Pass, Sell))] or moves[-1:])


VIEWS: dict[str, Callable[[State, Request], View]] = {
    "map": lambda s, _: board(s),
    "market": lambda s, _: show_market(MARKET, s.name, s.companies.values(), GRID.rank),
    "table": table,
    "tiles": lambda s, _: views.tiles_left(MANIFEST, s.board.left, MAP.layout),
    "chart": lambda s, request: worth_over_time(s.marks, s.seats, request, UNITS, BRANDS),
}
SAY: dict[type[Event], Words] = {
    **words(UNITS, REASONS),
    TileLaid: lambda event, _: laid(event, plain(MAP.hexes, event.hex), UNITS.money(event.cost)),
}
TITLE: Title[State] = Title(
    id="tiny18", name="Two Valleys", seats=(2, 4), options=(), open_verbs=frozenset(),
    actions=(Buy, Sell, Pass, LayTile, EndGame), deal=deal, clone=State.clone, actors=actors,
    legal=legal, check=check, apply=apply, spell_out=lambda s, seat, action: action, result=result,
    words=Wording(
        ask, label, lambda event, names: SAY[type(event)](event, names),
        lambda options: [("1", "Two Valleys", "The richest after nine rounds wins.")],
    ),
    views=Views(
        listed(VIEWS, every_turn=("map", "market")), lambda s, request: drawn(VIEWS, s, s.seats, request),
        illustrate, lambda s, about: []),
    advice=Hints(choose, lambda s, seat: [Tip(Pass(), "Pass")] if seat in actors(s) else [], plain=plain_lay),
)  # fmt: skip
