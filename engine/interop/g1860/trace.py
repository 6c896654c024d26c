"""The state of 1860 in the form by which recorded games are compared."""

from collections.abc import Callable, Sequence

from engine.finance import trading
from engine.finance.state import POOL
from engine.interop.g1860.profile import RememberingState
from engine.interop.translator import LegalMenu, list_holdings
from engine.interop.writing import DIVIDENDS
from engine.rails.laying import LayTile
from engine.record import Action
from engine.titles.g1860 import companies
from engine.titles.g1860.actions import BuyShare, Dividend, PlaceBase, Run, Sell, Start
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.running import search as run_search
from engine.titles.g1860.state import Company, Operating, State
from engine.titles.g1860.steps import running


def dump_state(s: State, ids: Sequence[str]) -> dict[str, object]:
    """Return the state as plain values; players are told by their ids in the file."""
    return {
        "round": s.name,
        "phase": s.phase,
        "players": {ids[seat]: _dump_player(s, seat) for seat in range(s.seats)},
        "companies": {code: _dump_company(s, company, ids) for code, company in s.companies.items() if company.started},
        "order": s.round.order if isinstance(s.round, Operating) else None,
        "tiles": {hex_: list(tile) for hex_, tile in s.board.laid.items()},
        "bank": s.bank,
    }


def _dump_player(s: State, seat: int) -> dict[str, object]:
    shares = list_holdings(s.companies.values(), seat)
    return {
        "cash": s.cash[seat],
        "shares": shares,
        "privates": sorted(code for code, owner in s.privates.items() if owner == seat),
    }


def _dump_company(s: State, company: Company, ids: Sequence[str]) -> dict[str, object]:
    # On 18xx.games there is receivership before a company floats, too (differences 74).
    headless = company.director == POOL if isinstance(s, RememberingState) else company.receivership
    return {
        "cash": company.cash,
        "price": company.price,
        "par": company.par,
        "director": ids[company.director] if company.director >= 0 else None,
        "receivership": headless,
        "floated": company.floated,
        "trains": sorted(company.trains),
        "tokens": sorted([hex_, city] for hex_, city in company.bases),
        "ipo": company.ipo * 10,
        "pool": company.pool * 10,
        "treasury": 0,
    }


def list_options(s: State, seat: int) -> dict[str, object]:
    """Return what is legal for a seat, by kind."""
    menu = LegalMenu()
    for action in turn.list_legal(s, seat):
        if isinstance(action, LayTile):
            menu.add("track", action.hex, action.tile, action.rotation)
        elif isinstance(action, PlaceBase):
            menu.add("tokens", action.hex, action.city)
        elif isinstance(action, BuyShare):
            menu.buy(s.companies[action.company], action.source)
        elif isinstance(action, Sell):
            menu.sell(action.company, action.count, companies.find_sale_price(s, s.companies[action.company]))
        elif isinstance(action, Start):
            menu.par(action.company, action.par)
        elif isinstance(action, Dividend):
            menu.dividend(DIVIDENDS[action.kind], _price_after(s, action))
    return menu.make_row()


def _price_after(s: State, action: Dividend) -> int:
    company = s.companies[s.operating.code]
    return trading.find_price_after_dividend(company, s.operating.revenue if action.kind == "pay" else 0)


def prepare_search(s: State, action: Action) -> Callable[[], dict[str, object]] | None:
    """Return a search for the best run, if the action is a run of trains."""
    if not isinstance(action, Run):
        return None
    company = s.companies[s.operating.code]
    problem = running.make_current_problem(s, company)
    if problem is None:
        return None

    def search() -> dict[str, object]:
        plan = run_search.find_best_plan(problem)
        found = {"revenue": plan.revenue, "subsidy": plan.subsidy, "exact": True}
        return {"company": company.code, "best": found}

    return search
