"""Two Valleys: a tiny title of the 18xx family, made of data; pointy hexes, a market of rows and columns, dollars."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from engine.errors import RuleError
from engine.finance import events as e
from engine.finance import holdings, rounds, trading
from engine.finance.events import Words, make_sentences, name_round
from engine.finance.holdings import chart_worth, make_heads, make_owner_row
from engine.finance.market import Grid, PrintedMarket, view_market
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import OperatingRound, ShareCompany, ShareState, StockRound
from engine.finance.trains import find_on_sale, take_from_pile
from engine.hex_view import Line
from engine.hints import Tip
from engine.pictures import find_own_row, find_view, make_pictures
from engine.printed import Units
from engine.rails import views
from engine.rails.board import Board, find_stop_value
from engine.rails.laying import (
    LayTile,
    TileLaid,
    lay_on_board,
    list_upgrades,
    match_old_stops,
    say_tile_laid,
    simplify_rotation,
)
from engine.rails.maps import Map, PrintedHex
from engine.rails.places import write_hex
from engine.rails.reach import Bases, find_base_nodes, find_full_cities, find_reach, place_bases
from engine.rails.routes import PathTerms, find_paths, order_along_path
from engine.rails.tiles import SIDES, Manifest, read_tiles
from engine.record import Action, Event, Rule
from engine.setup import Rng, Setup
from engine.title import Ask, Hints, Request, Result, Score, Tell, Title, Views, Wording
from engine.view import Brand, Entry, MapView, Sheet, TableView, View
from engine.words import write_parameters

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


class Company(ShareCompany):
    prices = GRID.prices
    certificate = CERTIFICATE

    ipo: int = SHARES
    trains: list[str] = []


class Operating(OperatingRound):
    steps = ("", "track", "train")


class State(ShareState, kw_only=True):
    companies: dict[str, Company]
    board: Board
    round: StockRound | Operating
    turn: int = 1

    @property
    def company(self) -> Company:
        return self.companies[self.get_round(Operating).code]

    @property
    def step(self) -> str:
        return self.round.step if isinstance(self.round, Operating) else "deal"

    @property
    def bases(self) -> Bases:
        homes = ((code, CHARTERS[code]["home"]) for code, c in self.companies.items() if c.started)
        return place_bases((code, [(home, 0)], False) for code, home in homes)

    def worth(self, seat: int) -> int:
        return self.cash[seat] + sum(company.shares[seat] * company.price for company in self.companies.values())

    def cost(self, coord: str) -> int:
        return 0 if coord in self.board.laid else self.board.spec(coord).cost


def deal(setup: Setup) -> State:
    cash = DATA["cash"].get(str(setup.seats))
    if cash is None or setup.options:
        raise RuleError("Two Valleys is for 2 to 4 players and has no options.", RULE)
    companies = {code: Company(code, [0] * setup.seats) for code in CHARTERS}
    depot = {name: train["count"] for name, train in TRAINS.items()}
    return State(
        seats=setup.seats, cash=[cash] * setup.seats, companies=companies, board=Board(MAP), depot=depot,
        round=StockRound(0),
    )  # fmt: skip


def actors(s: State) -> tuple[int, ...]:
    return () if s.over else (s.round.turn if isinstance(s.round, StockRound) else s.company.director,)


def legal(s: State, seat: int) -> Iterator[Action]:
    if seat in actors(s):
        yield from (
            deals(s, s.round.turn) if isinstance(s.round, StockRound) else {"track": lays, "train": trains}[s.step](s)
        )
        yield Pass()


def deals(s: State, seat: int) -> Iterator[Action]:
    cash = s.cash[seat]
    for c in s.companies.values():
        if c.par is None:
            yield from (Buy(c.code, str(par)) for par in GRID.par_prices if CERTIFICATE * par <= cash)
        elif c.price <= cash:
            yield from (Buy(c.code, at) for at in ("ipo", "pool") if getattr(c, at))
        held = c.shares[seat] - CERTIFICATE * (c.director == seat)  # whoever starts a railway directs it to the end
        yield from (Sell(c.code, count) for count in range(1, min(held, CERTIFICATE - c.pool) + 1))


def lays(s: State) -> Iterator[Action]:
    graph, code, home = s.board.graph, s.company.code, CHARTERS[s.company.code]["home"]
    reach = find_reach(graph, find_base_nodes(graph, s.bases, code), find_full_cities(graph, s.bases, code))
    for coord, spec in MAP.hexes.items():
        before = s.board.tile(coord)
        for name in list_upgrades(MAP, spec, before) if s.company.cash >= s.cost(coord) else ():
            open_ = s.board.count_left(name) and MANIFEST[name].colour in TRAINS[find_on_sale(s.depot)]["colours"]
            for rotation in SIDES if open_ else ():
                tile = MANIFEST.find_turned(name, rotation)
                stops = match_old_stops(before, tile, lambda old, new: old.kind == new.kind)
                joined = coord == home or spec.side_bits(tile.sides) & reach.track
                if joined and not tile.sides & ~spec.open and stops is not None and len(stops) == len(tile.stops):
                    yield LayTile(coord, name, rotation)


def trains(s: State) -> Iterator[Action]:
    if not s.company.trains and s.company.cash >= TRAINS[find_on_sale(s.depot)]["price"]:
        yield Buy(find_on_sale(s.depot), "bank")


def best_run(s: State, c: Company) -> tuple[int, int]:
    """Return what the best run earns, and its bits."""
    graph, blocked = s.board.graph, find_full_cities(s.board.graph, s.bases, c.code)
    values = [find_stop_value(node, TRAINS[find_on_sale(s.depot)]["colours"][-1]) for node in graph.nodes]
    calling = tuple(1 | value << 8 for value in values)  # stops are counted in three bits; the fourth is one too many
    passing = tuple(8 * (blocked >> node.id & 1) for node in graph.nodes)
    via = tuple(node for node in find_base_nodes(graph, s.bases, c.code) if graph.exits[node] and c.trains)
    start = 7 - TRAINS[c.trains[0] if c.trains else "2"]["stops"]
    found = find_paths(graph, PathTerms(via, start, calling, passing, (0,) * len(values), 8))
    return max(((load >> 8, bits) for bits, load in found), default=(0, 0))


def check(s: State, seat: int, action: Action) -> Action:
    if seat not in actors(s) or (not isinstance(action, EndGame) and action not in legal(s, seat)):
        raise RuleError(f"“{action.verb}” is not possible like that now, or not your turn.", RULE)
    return action


def apply(s: State, action: Action, tell: Tell) -> None:
    if isinstance(action, EndGame):
        rounds.apply_end(s, action, tell)
    elif isinstance(s.round, StockRound):
        apply_deal(s, s.round, action, tell)
    else:
        operate(s, s.company, action, tell)
    rounds.run_automatic_steps(s, follows, tell)


def apply_deal(s: State, r: StockRound, action: Action, tell: Tell) -> None:
    seat, r.passes = r.turn, r.passes + 1 if isinstance(action, Pass) else 0
    rounds.next_player(r, s.seats)
    if isinstance(action, Sell):
        c = s.companies[action.company]
        s.cash[seat] += action.count * c.price
        trading.sell_to_pool(c, seat, action.count, c.price, tell)
        GRID.move_marker(s, c, "sold", action.count, tell)
    elif isinstance(action, Buy):
        c = s.companies[action.what]
        if action.at.isdecimal():
            c.par, cost = int(action.at), CERTIFICATE * int(action.at)
            trading.give_director_certificate(c, seat)
            GRID.place_marker(s, c, c.par)
            tell(e.CompanyStarted(seat, c.code, c.par, cost))
        else:
            cost = c.price
            trading.take_share(c, seat, action.at, cost, tell)
        s.cash[seat], c.cash = s.cash[seat] - cost, c.cash + cost
    else:
        tell(e.Passed(seat))


def operate(s: State, c: Company, action: Action, tell: Tell) -> None:
    if isinstance(action, LayTile):
        cost, s.board = s.cost(action.hex), lay_on_board(s.board, action)
        c.cash -= cost
        tell(TileLaid(c.code, action.hex, action.tile, action.rotation, cost))
    elif isinstance(action, Buy):
        take_from_pile(s.depot, action.what)
        c.trains, c.cash = [action.what], c.cash - TRAINS[action.what]["price"]
        tell(e.TrainBought(c.code, action.what, "bank", TRAINS[action.what]["price"]))
        for other in s.companies.values():
            other.trains = [train for train in other.trains if train != TRAINS[action.what]["rusts"]]
    r = s.get_round(Operating)
    if r.step == "train":
        next_turn(s, r, tell)
        return
    revenue = best_run(s, c)[0]
    r.begin_next_step()
    if revenue:
        trading.pay_out(s, UNITS, c, revenue, tell)
    else:
        tell(e.RevenueKept(c.code, 0))
    GRID.move_marker(s, c, "paid" if revenue else "kept", 1, tell)


def follows(s: State, tell: Tell) -> bool:
    """Do what follows by itself; return whether anything did."""
    r = s.round
    if isinstance(r, StockRound):
        if r.passes < s.seats:
            return False
        started = [c for c in s.companies.values() if c.started]
        for c in started:
            GRID.move_marker(s, c, "sold_out", int(not c.ipo + c.pool), tell)
        s.priority, s.round = r.turn, Operating(0, 1, rounds.sort_companies(started, GRID.rank_company))
        rounds.begin_round(s, s.round, tell)
        next_turn(s, s.round, tell)
        return True
    stuck = not any({"track": lays, "train": trains}[r.step](s))
    if stuck:
        operate(s, s.company, Pass(), tell)
    return stuck


def next_turn(s: State, r: Operating, tell: Tell) -> None:
    if rounds.next_company(r, lambda _: True):
        r.step = "track"
        tell(e.TurnBegan(s.company.code))
        return
    holdings.note_round(s, tuple(map(s.worth, range(s.seats))), s.companies.values())
    if s.turn >= DATA["rounds"]:
        rounds.end_game(s, "last_round", tell)
        return
    s.turn, s.round = s.turn + 1, StockRound(s.priority)
    tell(e.RoundBegun(s.name))


def ask(s: State) -> Ask:
    kind = {"deal": "buy, sell or pass", "track": "lay track", "train": "buy a train"}[s.step]
    who = "the players" if s.over or s.step == "deal" else s.company.code
    return Ask(actors(s), "The game is over" if s.over else f"{s.name}: {who}", kind)


def label(s: State, action: Action, parameter: str) -> str:
    said = write_parameters(action)
    return said.get(parameter, "") if parameter else " ".join([action.verb, *said.values()])


def board(s: State, notes: tuple[str, ...] = (), numbers: Mapping[str, str] = views.NO_CHOICES) -> MapView:
    waiting = [c.code for c in s.companies.values() if not c.started]
    revenue, bits = best_run(s, s.company) if s.step == "train" and not s.over else (0, 0)
    way = views.list_legs(s.board.graph, *order_along_path(s.board.graph, bits)) if revenue else ()
    lines = (Line(s.company.trains[0], 1, way, UNITS.money(revenue)),) if revenue else ()
    lying, kind = views.view_hexes(s.board, s.bases, waiting, choices=numbers), find_on_sale(s.depot)
    frame = views.MapFrame(s.name, name_round(s.name).lower(), kind, BRANDS, lines, notes)
    return views.view_map(
        frame, views.add_area_values(lying, TRAINS[kind]["colours"][-1]), (views.describe_tiles(s.board),)
    )


def table(s: State, request: Request) -> View:
    companies, rows = s.companies.values(), []
    for seat in range(s.seats):
        owned = make_owner_row(UNITS, companies, seat, request.find_name(seat), s.cash[seat])
        rows.append((*owned, Entry(UNITS.money(s.worth(seat)))))
    shown = TableView("Shares in %, * director", make_heads(companies, "Worth"), tuple(rows), find_own_row(request))
    return Sheet(f"Table · {s.name}", "Who has what.", (shown,), BRANDS)


def illustrate(s: State, request: Request, actions: Sequence[Action]) -> View | None:
    lays = [lay for lay in actions if isinstance(lay, LayTile)]
    hexes = list(dict.fromkeys(lay.hex for lay in lays))
    if len(hexes) > 1:
        return views.view_numbered_map(
            s.board, hexes, "where to lay a tile", lambda notes, numbers: board(s, notes, numbers)
        )
    there = ((lay, views.view_hex_and_neighbours(lay_on_board(s.board, lay), lay.hex)) for lay in lays)
    shown = ((views.write_caption(lay, s.board.count_left(lay.tile)), hexes) for lay, hexes in there)
    return views.view_tile_choices(MAP, hexes[0], shown, BRANDS) if lays else None


def result(s: State) -> Result | None:
    return holdings.make_result(s, (Score(seat, s.worth(seat)) for seat in range(s.seats)), REASONS, UNITS)


def choose(s: State, seat: int, rng: Rng) -> Action:
    moves = list(legal(s, seat))
    return rng.choose([action for action in moves if not isinstance(action, (Pass, Sell))] or moves[-1:])


VIEWS: dict[str, Callable[[State, Request], View]] = {
    "map": lambda s, _: board(s),
    "market": lambda s, _: view_market(MARKET, s.name, s.companies.values(), rank=GRID.rank_company),
    "table": table,
    "tiles": lambda s, _: views.view_tiles_left(MANIFEST, s.board.count_left, MAP.layout),
    "chart": lambda s, request: chart_worth(s, request, UNITS, BRANDS, tuple(map(s.worth, range(s.seats)))),
}
SAY: dict[type[Event], Words] = {
    **make_sentences(UNITS, REASONS),
    TileLaid: lambda event, _: say_tile_laid(event, write_hex(MAP.hexes, event.hex), UNITS.money(event.cost)),
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
        make_pictures(VIEWS, every_turn=("map", "market")), lambda s, request: find_view(VIEWS, s, s.seats, request),
        illustrate, lambda s, about: []),
    advice=Hints(
        choose, lambda s, seat: [Tip(Pass(), "Pass")] if seat in actors(s) else [],
        plain=lambda s, action: simplify_rotation(s.board, action),
    ),
)  # fmt: skip
