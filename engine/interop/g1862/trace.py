"""The state of 1862 in the form by which recorded games are compared."""

from collections.abc import Callable, Sequence

from engine.finance import trading
from engine.interop.g1862.profile import SiteState
from engine.interop.translator import LegalMenu, list_holdings
from engine.interop.writing import DIVIDENDS
from engine.rails.laying import LayTile
from engine.rails.tiles import SIDES
from engine.record import Action
from engine.titles.g1862.actions import AddStation, BuyShare, Dividend, LinkLondon, PlaceMarker, Run, Sell, Start
from engine.titles.g1862.catalogue import find_plain_name, list_lines
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.running import search as run_search
from engine.titles.g1862.state import COMPANY, Company, Operating, State
from engine.titles.g1862.steps import running

DEAD = "PR 100"
"""The round in which 18xx.games ends a game where nothing can happen any more (differences 69)."""
_LONDON_CITY = {"B15": 3, "D15": 4}
"""The number of the London city of each box on 18xx.games."""


def dump_state(s: State, ids: Sequence[str]) -> dict[str, object]:
    """Return the state as plain values; players are told by their ids in the file."""
    return {
        "round": DEAD if s.over == "standstill" and isinstance(s, SiteState) and s.waits else s.name,
        "phase": s.phase,
        "players": {ids[seat]: _dump_player(s, seat) for seat in range(s.seats)},
        "companies": {code: _dump_company(s, company, ids) for code, company in s.companies.items() if company.started},
        "order": _dump_order(s),
        "tiles": {hex_: [find_plain_name(name), rotation] for hex_, (name, rotation) in s.board.laid.items()},
        "bank": s.bank,
    }


def _dump_order(s: State) -> list[str] | None:
    """Return the operating order; the site rewrites it before markers are removed (differences 52)."""
    r = s.round
    if not isinstance(r, Operating):
        return None
    m = r.merging
    if m is None or not m.moved:
        return list(r.order)
    partner = m.other if r.code == m.survivor else m.survivor
    return [*r.order[: r.index], m.survivor, *(code for code in r.order[r.index + 1 :] if code != partner)]


def _dump_player(s: State, seat: int) -> dict[str, object]:
    shares = list_holdings(s.companies.values(), seat)
    obliged = sorted(company.code for company in s.companies.values() if company.obliged == seat)
    return {"cash": s.cash[seat], "shares": shares, "privates": obliged}


def _dump_company(s: State, company: Company, ids: Sequence[str]) -> dict[str, object]:
    """Return a company; while its shares are merged the site keeps the old director and one treasury for both."""
    m = s.round.merging if isinstance(s.round, Operating) else None
    director, treasury, cash = company.director, company.treasury, company.cash
    if m is not None and company.code in (m.survivor, m.other):
        active = s.operating.code
        director = company.former if not m.moved or company.code == m.other else director
        if m.other and not m.moved:  # the active company holds what both have (differences 52)
            treasury = treasury if company.code == active else 0
            if m.holder == COMPANY:
                both = s.companies[m.survivor].cash + s.companies[m.other].cash
                cash = both if company.code == active else 0
    tokens: list[list[object]] = [[hex_, 0] for hex_ in company.places]
    if company.london:
        tokens.append([company.london, _LONDON_CITY[company.london]])
    return {
        "cash": cash,
        "price": company.price,
        "par": company.par if company.chartered else company.price,
        "director": ids[director] if director >= 0 else None,
        "receivership": director < 0,
        "floated": company.floated,
        "trains": sorted(train.name for train in company.trains),
        "tokens": sorted(tokens, key=str),
        "ipo": company.ipo * 10,
        "pool": company.pool * 10,
        "treasury": treasury * 10,
    }


def list_options(s: State, seat: int) -> dict[str, object]:
    """Return what is legal for a seat, by kind."""
    menu = LegalMenu()
    for action in turn.list_legal(s, seat):
        if isinstance(action, LayTile):
            menu.add("track", action.hex, action.tile, action.rotation)
        elif isinstance(action, PlaceMarker):
            menu.add("tokens", action.hex, 0)
        elif isinstance(action, LinkLondon):
            menu.add("tokens", action.place, _LONDON_CITY[action.place])
        elif isinstance(action, AddStation):
            menu.extend("track", _list_station_tiles(s, action))
        elif isinstance(action, BuyShare):
            menu.buy(s.companies[action.company], action.source)
        elif isinstance(action, Sell):
            menu.sell(action.company, action.count, s.companies[action.company].effective_price)
        elif isinstance(action, Start):
            menu.par(action.company, action.price)
        elif isinstance(action, Dividend):
            menu.dividend(DIVIDENDS[action.kind], _price_after(s, action))
    return menu.make_row()


def _list_station_tiles(s: State, action: AddStation) -> list[list[object]]:
    """Return a small station as the site's menu has it: the plain tile, in every rotation that shows the same lines."""
    name, rotation = s.board.laid[action.hex]
    shown = set(list_lines(name, rotation))
    return [[action.hex, find_plain_name(name), turn] for turn in SIDES if set(list_lines(name, turn)) == shown]


def _price_after(s: State, action: Dividend) -> int:
    company = s.companies[s.operating.code]
    return trading.find_price_after_dividend(company, running.check_dividend(s, 0, action).paid)


def prepare_search(s: State, action: Action) -> Callable[[], dict[str, object]] | None:
    """Return a search for the best run, if the action is a run of trains."""
    if not isinstance(action, Run):
        return None
    code, problem = s.operating.code, running.make_problem_now(s)

    def search() -> dict[str, object]:
        found = run_search.find_best_plan(problem)
        plan = found.plan
        return {"company": code, "best": {"revenue": plan.revenue, "subsidy": plan.subsidy, "exact": found.exact}}

    return search
