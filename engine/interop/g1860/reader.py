"""Games of 1860 from 18xx.games: its actions in our words.

The site logs less than we ask for in places and more in others
(``differences``): what is missing is put in, what has happened automatically
already is left out. The next logged action decides.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Literal

from engine.errors import RuleError
from engine.finance.rounds import EndGame, Pass
from engine.finance.state import IPO
from engine.interop.g1860.shares import Shares
from engine.interop.routes import ROUTES, PartialRoute, SiteRoute, check_hexes, find_partial_routes, read_site_routes
from engine.interop.site import (
    FORMAT,
    Raw,
    check_entity,
    find_reader,
    read_digits,
    read_number,
    read_par,
    read_seat,
    read_share,
    read_text,
    split_shares,
    split_tile,
)
from engine.interop.writing import TileIds
from engine.rails.laying import LayTile
from engine.rails.routes import make_mask
from engine.record import Action, Event
from engine.titles.g1860 import actions as a
from engine.titles.g1860.catalogue import MARKET, PRIVATES, TRAINS, TrainKind
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.running.plan import write_runs
from engine.titles.g1860.running.runs import Problem, Run, Survey
from engine.titles.g1860.state import Auction, Company, Operating, State, Stock
from engine.titles.g1860.steps import running, trains

SeatAction = tuple[int, Action]


class Reader:
    """Reads the actions of one file in order; knows where its tiles, shares and trains are.

    Args:
        seats: seat by player id as text.
    """

    def __init__(self, seats: Mapping[str, int]) -> None:
        self.seats = seats
        self.tiles = TileIds()
        self.shares = Shares()
        self.owner: dict[str, str] = {}
        self.sold: set[str] = set()

    def hear(self, event: Event) -> None:
        """Let certificates follow what was played."""
        self.shares.hear(event)

    def read(self, s: State, raw: Raw) -> Iterator[SeatAction]:
        """Yield what we say for one action of the site, with passes it leaves out.

        The caller plays each action before it asks for the next one.

        Raises:
            RuleError: the action cannot be read.
        """
        reader = find_reader(_READERS, raw, "1860")
        check_entity(raw, self.seats, s.companies, PRIVATES)
        self.shares.begin_action()
        if raw["type"] == "pass":
            yield from self._read_pass(s, raw)
            return
        action = reader(self, s, raw)
        while not s.over and not self._has_turn(s, raw, type(action)) and _may_pass(s):
            yield turn.find_actors(s)[0], Pass()
        entity, asked = str(raw.get("entity")), _find_asked_company(s)
        if asked and raw["type"] != "end_game" and entity in s.companies and entity != asked:
            raise RuleError(f"It's the turn of {asked}, not of {entity}.", FORMAT)
        yield self._find_seat(s, raw), action
        yield from self._agree(s)

    def _has_turn(self, s: State, raw: Raw, kind: type[Action]) -> bool:
        if kind is EndGame:
            return True
        if isinstance(s.round, Operating) and s.round.code != raw.get("entity"):
            return False
        seat = self._find_seat(s, raw)
        return kind is a.Exchange or (seat in turn.find_actors(s) and kind in turn.list_kinds(s, seat))

    def _find_seat(self, s: State, raw: Raw) -> int:
        """Return the seat that acts: the player, the owner of the private, the company's director.

        In receivership it is who entered the action (differences 49), if the file says who.
        """
        entity = str(raw.get("entity", ""))
        if raw["type"] == "end_game" and turn.find_actors(s):
            return turn.find_actors(s)[0]
        if raw.get("entity_type") == "player":
            return read_seat(self.seats, raw)
        if entity in PRIVATES:
            return s.privates[entity]
        director = _find_company(s, entity).director
        return director if director >= 0 else self.seats.get(str(raw.get("user")), 0)

    def _read_pass(self, s: State, raw: Raw) -> Iterator[SeatAction]:
        """Yield the pass, unless our game has gone on automatically."""
        seat = self._find_seat(s, raw)
        r = s.round
        if s.over or seat not in turn.find_actors(s) or Pass not in turn.list_kinds(s, seat):
            return
        asked = _find_asked_company(s)
        if asked != raw.get("entity") and (isinstance(r, Operating) or raw.get("entity_type") != "player"):
            return  # in a stock round a company passes only for its home tile (differences 72)
        yield seat, Pass()

    def check_trains(self, s: State, company: Company, routes: object) -> None:
        """Refuse routes of a train that another company owns, and routes off the map."""
        known = read_site_routes(routes)
        check_hexes(known, s.board.map.hexes)
        for route in known:
            owner = s.companies.get(self.owner.get(route.train, ""))
            if owner is not None and owner is not company and route.train.rpartition("-")[0] in owner.trains:
                raise RuleError(f"The {route.train[:20]} is a train of {owner.code}, not {company.code}.", ROUTES)

    def _agree(self, s: State) -> Iterator[SeatAction]:
        """Yield the other director's consent, which the site does not log (differences 54)."""
        if isinstance(s.round, Operating) and s.round.offer is not None:
            yield s.round.offer.decider, a.Answer("accept")


def _find_asked_company(s: State) -> str:
    """Return the company whose turn it is, or whose home tile must be laid; nothing where players act."""
    if isinstance(s.round, Stock):
        return "".join(s.round.homes[:1])
    return s.round.code if isinstance(s.round, Operating) else ""


def _read_bid(_reader: Reader, _s: State, raw: Raw) -> Action:
    price = read_number(raw, "price")
    return a.BuyPrivate(read_text(raw, "company")) if raw.get("company") else a.Bid(price)


def _read_par(_reader: Reader, s: State, raw: Raw) -> Action:
    return a.Start(_find_company(s, read_text(raw, "corporation")).code, read_par(raw, MARKET.prices))


def _read_purchase(reader: Reader, _s: State, raw: Raw) -> Action:
    share = read_share(raw)
    if raw.get("entity_type") == "corporation":
        raise RuleError("In 1860, companies can't buy shares.", FORMAT)
    holder = reader.shares.note_bought(share, change=1)  # a single, for what the director's stands for
    code = share.rpartition("_")[0]
    if raw.get("entity_type") == "company":
        private = read_text(raw, "entity")
        if code != PRIVATES[private].railway:
            raise RuleError(f"{PRIVATES[private].name} isn't exchanged for a share of {code}.", FORMAT)
        return a.Exchange(private)
    return a.BuyShare(code, "ipo" if holder == IPO else "pool")


def _read_private(raw: Raw) -> str:
    """Return the private that an action buys or sells; RuleError without a price."""
    read_number(raw, "price")
    return read_text(raw, "company")


def _read_sale(reader: Reader, _s: State, raw: Raw) -> Action:
    code, certificates = split_shares(raw)
    reader.shares.note_sold(code, certificates, read_seat(reader.seats, raw))
    # Less than the certificates are worth where half of the director's is sold.
    return a.Sell(code, read_number(raw, "percent") // 10)


def _read_tile(reader: Reader, s: State, raw: Raw) -> Action:
    tile, hex_ = read_text(raw, "tile"), read_text(raw, "hex")
    shape = split_tile(tile, s.board.map.manifest.counts)
    reader.tiles.note_copy(hex_, tile)
    return LayTile(hex_, shape, read_number(raw, "rotation"))


def _read_token(reader: Reader, _s: State, raw: Raw) -> Action:
    city = read_text(raw, "city")
    number = read_digits(city.rpartition("-")[2])
    if number is None:
        raise RuleError(f"There is no city “{city[:20]}” on the map.", FORMAT)
    return a.PlaceBase(reader.tiles.find_hex(city), number)


def _read_run(reader: Reader, s: State, raw: Raw) -> Action:
    company = _find_company(s, read_text(raw, "entity"))
    routes, plan = raw.get("routes"), raw.get("plan")
    if isinstance(plan, str):
        return a.Run(plan)  # a game we exported: the plan as it was kept
    if not routes:
        return a.Run(running.NONE)
    now = running.make_current_problem(s, company)
    if now is None:
        raise RuleError(f"{company.code} has no train to run.", FORMAT)
    reader.check_trains(s, company, routes)
    return a.Run(write_plan(now, routes))


def _read_dividend(_reader: Reader, _s: State, raw: Raw) -> Action:
    kinds: dict[str, Literal["pay", "keep"]] = {"payout": "pay", "withhold": "keep"}
    if read_text(raw, "kind") not in kinds:
        raise RuleError(f"“{read_text(raw, 'kind')[:40]}” isn't a kind of dividend.", FORMAT)
    return a.Dividend(kinds[read_text(raw, "kind")])


def _read_train(reader: Reader, s: State, raw: Raw) -> Action:
    train = read_text(raw, "train")
    kind = train.rpartition("-")[0]
    is_new = train not in reader.sold and trains.is_in_two_places(s, kind)
    known = reader.owner.get(train, trains.PILE if is_new else trains.BANK)
    if known in s.companies and kind not in s.companies[known].trains:
        known = trains.BANK  # returned in receivership, of which no action tells (Companies In Receivership)
    if train not in reader.sold:
        _check_next(reader, train, kind)
    if raw.get("variant") is not None:
        read_text(raw, "variant")
    seller = read_text(raw, "seller") if "seller" in raw else known
    reader.owner[train] = read_text(raw, "entity")
    reader.sold.add(train)
    return a.BuyTrain(kind, seller, read_number(raw, "price"))


def _check_next(reader: Reader, train: str, kind: str) -> None:
    """Refuse a card that doesn't lie on top of the pile."""
    first = next(card for number in count() if (card := f"{kind}-{number}") not in reader.sold)
    if train != first:
        raise RuleError(f"The {train[:20]} isn't on top of the pile; the {first[:20]} is.", FORMAT)


def _read_discard(reader: Reader, _s: State, raw: Raw) -> Action:
    train = read_text(raw, "train")
    reader.owner.pop(train, None)
    return a.Discard(train.rpartition("-")[0])


def _may_pass(s: State) -> bool:
    """Return whether a pass that the site leaves out may stand here: after a purchase, or to end a step."""
    if isinstance(s.round, Auction) or (isinstance(s.round, Stock) and not s.round.bought):
        return False
    seat = turn.find_actors(s)[0]
    return Pass in turn.list_kinds(s, seat) and turn.find_pass_refusal(s, seat) is None


_READERS: dict[str, Callable[[Reader, State, Raw], Action]] = {
    "pass": lambda _reader, _s, _raw: Pass(),
    "bid": _read_bid,
    "par": _read_par,
    "buy_shares": _read_purchase,
    "sell_shares": _read_sale,
    "buy_company": lambda _reader, _s, raw: a.BuyPrivate(_read_private(raw)),
    "sell_company": lambda _reader, _s, raw: a.SellPrivate(_read_private(raw)),
    "lay_tile": _read_tile,
    "place_token": _read_token,
    "run_routes": _read_run,
    "dividend": _read_dividend,
    "buy_train": _read_train,
    "discard_train": _read_discard,
    "end_game": lambda _reader, _s, _raw: EndGame(),
}


def _find_company(s: State, code: str) -> Company:
    company = s.companies.get(code)
    if company is None:
        raise RuleError(f"There is no company “{code[:40]}” in 1860.", FORMAT)
    return company


def write_plan(problem: Problem, routes: object) -> str:
    """Return routes of the site as a plan in our own words; see ``read_routes``."""
    return write_runs(problem.graph, read_routes(problem, routes))


def read_routes(problem: Problem, routes: object) -> tuple[Run, ...]:
    """Return our runs for routes of the site, as decoded JSON.

    Raises:
        RuleError: they are no routes, or no track fits one of them.
    """
    survey = Survey(problem)
    runs: list[Run] = []
    for route in read_site_routes(routes):
        name = route.train.rpartition("-")[0] or route.train
        if name not in TRAINS:
            raise RuleError(f"There is no train {name[:20]}.", ROUTES)
        used = 0
        for run in runs:
            used |= survey.find_track(run)
        way = _follow(survey, route, used)
        counted = _count_stops(survey, TRAINS[name], way, route.halts)
        runs.append(survey.make_run(TRAINS[name], way.nodes, way.links, counted))
    return tuple(runs)


def _follow(survey: Survey, route: SiteRoute, used: int) -> PartialRoute:
    """Return the way a route goes: with most of its nodes, then with a base of the company, then as written."""
    graph = survey.problem.graph
    stops = ((coord, read_digits(index)) for coord, _, index in (node.rpartition("-") for node in route.nodes))
    named = {graph.node_at[stop] for stop in stops if stop in graph.node_at}
    ways = find_partial_routes(graph, route, used)
    first = route.connections[0][0].split(" ")[0]
    return min(
        ways,
        key=lambda way: (
            len(named - set(way.nodes)),
            not make_mask(way.nodes) & survey.own,
            graph.nodes[way.nodes[0]].coord != first,
        ),
    )


def _count_stops(survey: Survey, train: TrainKind, way: PartialRoute, wanted: int | None) -> int:
    """Return the stops that the site counts: cities, the halts asked for, the dearest towns that fit."""
    passed = make_mask(way.nodes)
    cities = passed & survey.cities
    towns = sorted((node for node in way.nodes if survey.towns >> node & 1), key=lambda node: -survey.values[node])
    halts = [node for node in way.nodes if survey.halts & survey.countable & 1 << node]
    room = max(0, survey.count_room(train, cities.bit_count()))
    spare = max(0, room - len(towns))
    if wanted is None:
        wanted = spare if not survey.rules.lease else 0
    if survey.rules.total or not survey.rules.skip_towns:
        wanted = min(wanted, spare)
    chosen = halts[: min(wanted, room)]
    chosen += towns[: room - len(chosen)]
    if survey.rules.one_number and survey.rules.lease:
        chosen += [halt for halt in halts if halt not in chosen][: room - len(chosen)]
    return cities | make_mask(chosen)
