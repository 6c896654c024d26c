"""Moves worth a button of their own, and what standing orders mean in 1862."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

import msgspec

from engine.errors import RuleError
from engine.finance import advice as finance
from engine.finance import trading
from engine.finance.advice import (
    NextTrain,
    find_alarm,
    find_director,
    find_holding,
    find_ordered_purchase,
    find_revenue,
    list_bid_tips,
    list_companies,
    rank_par_price,
    rank_sale,
    rank_seller,
)
from engine.finance.events import BidMade, Passed
from engine.finance.rounds import Pass
from engine.finance.trains import (
    PlanSummary,
    Suggestion,
    describe_plan,
    find_idle_trains,
    list_known_plans,
    make_tips,
    number_plans,
)
from engine.hints import Earning, Tip, make_earning
from engine.orders import Bidding, Moment, Orders
from engine.rails import runs as train_runs
from engine.rails.laying import LayTile, find_printed_value, order_lays, rate_home
from engine.rails.run_edits import EditableRuns
from engine.rails.runs import make_plan
from engine.record import Action
from engine.steps import Sorting, sort_actions
from engine.titles.g1862 import actions as a
from engine.titles.g1862.catalogue import BANDS, FACES, UNITS
from engine.titles.g1862.events import CharterWon, WentBankrupt
from engine.titles.g1862.ground import survey
from engine.titles.g1862.pictures import label
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.running import check as run_check
from engine.titles.g1862.running import plan as run_plan
from engine.titles.g1862.running import search as run_search
from engine.titles.g1862.running.runs import Aim, Plan, Problem, Run, Survey
from engine.titles.g1862.state import SHARES_TO_FLOAT, Company, Operating, Parliament, State, Stock, Train
from engine.titles.g1862.steps import bidding, merging, running, trains


def find_tips(s: State, seat: int) -> Sequence[Tip]:
    """Return at most four moves for buttons; at the run step this searches the best routes."""
    r = s.round
    if isinstance(r, Parliament) and r.lot and r.winner < 0:
        return list_bid_tips(r.high, bidding.find_max_bid(s, seat), UNITS, lambda amount: a.Bid(r.lot, amount))
    if isinstance(r, Operating):
        return _find_turn_tips(s, seat, r)
    return [Tip(Pass(), label.write_pass(s))] if Pass() in set(turn.list_legal(s, seat)) else []


def _find_turn_tips(s: State, seat: int, r: Operating) -> list[Tip]:
    """Return the moves of a company's turn."""
    if r.offer is not None:
        return (
            [Tip(a.Answer("accept"), "Accept"), Tip(a.Answer("decline"), "Decline")] if seat == r.offer.decider else []
        )
    if r.merging is not None and not r.removing:
        return [
            Tip(choice, label.write_label(s, choice, "choice")) for choice in (a.Option("redeem"), a.Option("sell"))
        ]
    found = _STEPS[r.step](s, seat) if r.step in _STEPS else []
    if r.step in turn.DECLINES and turn.find_pass_refusal(s, seat) is None:
        found.append(Tip(Pass(), label.write_pass(s)))
    return found


def _find_run_tips(s: State, seat: int) -> list[Tip]:
    del seat
    return make_tips(_suggest_runs(s), a.Run, running.BEST)


def prove(s: State, seat: int, known: Sequence[Tip], budget: int) -> Sequence[Tip]:
    """Search on for the best runs, from those that are known."""
    if known and all(tip.proven for tip in known):
        return known
    runs = list_known_plans(known, a.Run, running.BEST)
    if not isinstance(s.round, Operating) or s.round.step != "run" or seat not in turn.find_actors(s):
        return known
    return make_tips(_suggest_runs(s, runs, budget), a.Run, running.BEST)


def _make_tips(s: State, actions: Sequence[Action]) -> list[Tip]:
    return [Tip(action, label.write_label(s, action, "choice")) for action in actions]


def _find_dividend_tips(s: State, seat: int) -> list[Tip]:
    return _make_tips(s, [action for action in turn.list_legal(s, seat) if isinstance(action, a.Dividend)])


def _find_train_tips(s: State, seat: int) -> list[Tip]:
    """Return trains of the bank that may run, and the ways to raise money."""
    company = s.companies[s.operating.code]
    moves = list(turn.list_legal(s, seat))
    permitted = running.list_permits(s, company)
    band = trains.find_band_for_sale(s)
    bank = [
        Tip(move, label.write_label(s, move, ""))
        for kind in permitted
        for move in moves
        if isinstance(move, a.BuyTrain) and move == a.BuyTrain(getattr(band, kind).name, trains.BANK)
    ]
    return [*bank, *_make_tips(s, [move for move in moves if isinstance(move, a.RaiseMoney)])]


def _find_redeem_tips(s: State, seat: int) -> list[Tip]:
    del seat
    return [Tip(a.Redeem(), label.write_label(s, a.Redeem(), ""))]


_WANTED: dict[Aim, Callable[[Plan], tuple[int, int]]] = {
    "revenue": lambda plan: (plan.revenue, plan.subsidy),
    "both": lambda plan: (plan.revenue + plan.subsidy, plan.revenue),
    "subsidy": lambda plan: (plan.subsidy, plan.revenue),
}


_OF: dict[Aim, str] = {"revenue": "", "both": " together", "subsidy": " subsidy"}


def _suggest_runs(s: State, known: Sequence[str] = (), budget: int = run_search.MAX_TRIES) -> list[Suggestion]:
    """Return plans worth a button, best first; where a Local runs, also those that trade revenue for subsidy.

    The search goes on from the texts of plans that are ``known``.
    It tries ``budget`` claims for the best, half as many for each of the others.
    """
    now = running.make_problem_now(s)
    plans = [make_plan(run_plan.read_plan(now, text)) for text in known]
    local = any(face.kind == "local" for face in now.runnable)
    aims: tuple[Aim, ...] = (running.choose_aim(s.companies[s.operating.code]), *(("both", "subsidy") if local else ()))
    searched: dict[Aim, run_search.Best] = {}
    for each in dict.fromkeys(aims):
        start = max(plans, key=_WANTED[each], default=run_search.NOTHING)
        tries = budget // 2 if searched else budget  # what all wait for is the best run
        searched[each] = run_search.find_best_plan(now, each, budget=tries, known=start)
        plans = [searched[each].plan, *plans]
    found: dict[tuple[int, int], Suggestion] = {}
    for each, best in searched.items():
        plan = max((best.plan, *plans), key=_WANTED[each])  # a search cut short may have missed what another found
        most = best.bound == _WANTED[each](plan)[0]
        bound = "" if most else f" (at most £{best.bound:,}{_OF[each]})"
        words = "Run" if found else "Best run" if most else "Best found"
        text = run_plan.write_plan(now, plan) or running.BEST
        proven = best.exact or (most and not local)  # who earns no more may still use fewer trains; that is no matter
        found.setdefault(
            (plan.revenue, plan.subsidy), Suggestion(text, f"{words} {_write_earnings(plan)}{bound}", proven)
        )
    return list(found.values())


def estimate_earning(s: State, parts: int) -> Earning | None:
    """Return what the company to act would earn if it ran now; ``None`` if it does not."""
    r = s.round
    if not isinstance(r, Operating) or r.step not in ("track", "token", "run") or not s.companies[r.code].trains:
        return None
    best = run_search.find_best_plan(running.make_problem_now(s), budget=running.GLANCE // parts)
    return make_earning(_write_earnings(best.plan), best.plan.revenue + best.plan.subsidy, proven=best.exact)


def _write_earnings(plan: Plan) -> str:
    return train_runs.write_earnings(UNITS, plan, run_plan.SUBSIDY)


def list_plans(s: State, seat: int, known: Sequence[Tip]) -> Sequence[Tip]:
    """Return at most five ways to run, the best first; ``known`` are those with a button, which need no search."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run" or seat not in turn.find_actors(s):
        return ()
    company, now = s.companies[s.operating.code], running.make_problem_now(s)
    texts = list_known_plans(known, a.Run, running.BEST)
    if not texts:
        return []
    found = [run_check.check_plan(now, run_plan.read_plan(now, text)) for text in texts]
    names = [face.name for face in now.runnable]
    ways = [
        PlanSummary(
            run_plan.write_plan(now, plan),
            plan.revenue,
            plan.subsidy,
            find_idle_trains(names, (run.train for run in plan.runs)),
        )
        for plan in (*found, *_list_sparing_plans(now))
    ]
    return number_plans(ways, lambda way, first: _describe_way(company, way, first), a.Run)


def _list_sparing_plans(now: Problem) -> Iterator[Plan]:
    """Yield for each train the best plan without it, where it may stay idle: it could not run beside the others."""
    trains = now.runnable
    for face in dict.fromkeys(trains) if len(trains) > 1 else ():
        left = list(trains)
        left.remove(face)
        fewer = msgspec.structs.replace(now, trains=tuple(left))
        plan = run_search.find_best_plan(fewer, budget=running.GLANCE).plan
        try:
            yield run_check.check_plan(now, plan.runs)
        except RuleError:
            continue


def _describe_way(company: Company, way: PlanSummary, best: PlanSummary) -> str:
    after = trading.find_price_after_dividend(company, way.revenue)
    price = "" if company.receivership else UNITS.move(company.price, after)
    return describe_plan(way, best, UNITS, "£{0}{1} subsidy", price)


def find_editable_runs(s: State, seat: int) -> EditableRuns[Run] | None:
    """Return the runs that a seat may plan now; ``None`` if it has none before it."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run" or seat not in turn.find_actors(s):
        return None
    now = running.make_problem_now(s)
    trains = [face.name for face in now.runnable]
    read, write = partial(run_plan.read_plan, now), partial(run_plan.write_plan, now)
    survey, check = Survey(now), partial(run_check.check_plan, now)
    fit, combine = partial(run_check.fit_run, survey), partial(run_check.combine_runs, survey)
    choose = run_plan.count_all
    return EditableRuns(now.board, trains, read, write, check, fit, choose, combine, _write_earnings)


def order_for_menu(s: State, seat: int, actions: Sequence[Action]) -> Sequence[Action]:
    """Return legal actions as menus list them: what most would do first, trains without a permit last."""
    sorting: Sorting = {
        a.Bid: lambda bids: sorted(bids, key=lambda bid: -rate_company_home(s, bid.company)),
        a.Start: lambda starts: sorted(
            starts,
            key=lambda start: (
                -rate_company_home(s, start.company),
                *rank_par_price(start.price, SHARES_TO_FLOAT, s.cash[seat]),
            ),
        ),
        a.Sell: lambda sales: sorted(sales, key=lambda sale: rank_sale(s.companies[sale.company], seat)),
        LayTile: lambda lays: order_lays(s.board, lays),
        a.AddStation: lambda stations: sorted(stations, key=lambda each: not _is_on_route(s, each)),
        a.PlaceMarker: lambda sites: sorted(sites, key=lambda site: -find_site_value(s, site)),
        a.RemoveMarker: lambda sites: sorted(sites, key=lambda site: find_site_value(s, site)),
        a.BuyShare: lambda buys: sorted(buys, key=lambda buy: _weigh_share(s, seat, buy)),
        a.BuyTrain: lambda buys: sorted(buys, key=lambda buy: _weigh_train(s, seat, buy)),
        a.Merge: lambda merges: sorted(merges, key=lambda each: _weigh_merger(s, seat, each)),
    }
    return sort_actions(actions, sorting)


def rate_company_home(s: State, code: str) -> int:
    """Return how good the home of a company is."""
    return rate_home(s.board, s.companies[code].charter.home)


def _is_on_route(s: State, station: a.AddStation) -> bool:
    """Return whether a small station would lie on a route of the company."""
    sides = s.board.spec(station.hex).sides
    track = survey(s, s.companies[s.operating.code]).reach.track
    return bool(track & (sides[station.a] | sides[station.b]))


def find_site_value(s: State, site: a.PlaceMarker | a.RemoveMarker) -> int:
    """Return what the stop that a marker stands at, or would, is printed with; 0 beside the map."""
    return find_printed_value(s.board, site.hex) if site.hex in s.board else 0


def _weigh_share(s: State, seat: int, buy: a.BuyShare) -> tuple[bool, int]:
    """Return what speaks against a share: that it floats no company one directs or owes; a poor price, no trains."""
    company = s.companies[buy.company]
    floats = seat in (company.director, company.obliged) and not company.floated
    return not floats, -trading.rate_purchase(company, buy.source)


def _weigh_train(s: State, seat: int, buy: a.BuyTrain) -> tuple[bool, int]:
    """Return what speaks against a train: no permit to run it; that another player must be asked for it."""
    allowed = FACES[buy.train.rstrip("*")].kind in running.list_permits(s, s.companies[s.operating.code])
    return not allowed, rank_seller(s.companies, buy.seller, seat)


def _weigh_merger(s: State, seat: int, merge: a.Merge) -> tuple[bool, int, bool]:
    """Return what speaks against a merger: that another director must agree, a low price, that one's own goes under."""
    company, other = s.companies[s.operating.code], s.companies[merge.company]
    return other.director != seat, -merging.find_new_price(company, other), merge.survivor != company.code


_STEPS: dict[str, Callable[[State, int], list[Tip]]] = {
    "run": _find_run_tips,
    "dividend": _find_dividend_tips,
    "train": _find_train_tips,
    "redeem": _find_redeem_tips,
}


PASSES = {
    "merge": "merging before the turn",
    "track": "building track",
    "token": "placing a marker",
    "train": "buying trains",
    "redeem": "redeeming a share",
    "acquire": "acquiring at the end of the turn",
}

_SOURCES: tuple[Literal["ipo", "pool", "treasury"], ...] = ("ipo", "pool", "treasury")


def find_moment(s: State) -> Moment:
    """Return where the game stands; choosing markers, fines, offers and mergers are for people."""
    r = s.round
    if s.over:
        return Moment(s.name)
    if isinstance(r, Parliament):
        return Moment(s.name, "bid" if r.lot and r.winner < 0 else "", r.lot)
    if isinstance(r, Stock):
        return Moment(s.name, "" if r.choosing or r.fines else "stock", bought=r.bought)
    free = r.offer is None and r.merging is None and not r.removing
    return Moment(s.name, r.step if free else "", r.code if free else "")


def raise_bid(s: State, seat: int, company: str, most: int) -> Action | None:
    """Return the next bid for the charter that is sold (§4.1)."""
    r = s.parliament
    amount = r.high + bidding.BID_STEP
    if r.lot != company or amount > min(most, bidding.find_max_bid(s, seat)) or not bidding.may_raise(s, seat):
        return None
    return a.Bid(company, amount)


def list_bidders(s: State) -> tuple[int, ...]:
    """Return the seats that may still outbid the leader (§4.1)."""
    r = s.parliament
    return tuple(
        seat for seat in range(s.seats) if seat not in r.out and seat != r.leader and bidding.may_raise(s, seat)
    )


def _list_companies(s: State) -> tuple[tuple[str, str], ...]:
    return list_companies(s.companies, [code for code, company in s.companies.items() if company.gone])


ORDERS: Orders[State] = Orders(
    moment=find_moment,
    passes=PASSES,
    companies=_list_companies,
    run=a.Run(running.BEST),
    pay=a.Dividend("pay"),
    revenue=find_revenue,
    raised=raise_bid,
    bidders=list_bidders,
    bidding=Bidding(BidMade, Passed, CharterWon, UNITS.money),
    purchase=lambda s, company, source: find_ordered_purchase(s.companies, company, source, _SOURCES, a.BuyShare),
    holding=lambda s, seat, company: find_holding(s.companies, seat, company),
    director=lambda s, company: find_director(s.companies, company),
    alarm=lambda s, event, seat: find_alarm(s.companies, event, seat),
    breaks=(WentBankrupt,),
)


def list_regrets(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield what a beginner would regret."""
    band, names = trains.find_band_for_sale(before), list(BANDS)
    coming = [name for name in names[names.index(band.name) :][:2] if not before.has_begun(name)]
    kept = "D" if before.rules.shorter else ""

    def lasts(train: Train) -> bool:
        printed = BANDS[train.printed.band]
        return bool(train.stars) or printed.name == kept or printed.rusts_at not in coming

    yield from finance.list_regrets(UNITS, NextTrain(band.name, band.price, lasts), before, after, seat)
