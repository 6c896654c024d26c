"""Moves worth a button of their own, and what standing orders mean in 1860."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

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
from engine.rails.route_packing import MAX_TRIES
from engine.rails.run_edits import EditableRuns
from engine.record import Action
from engine.steps import Sorting, sort_actions
from engine.titles.g1860 import actions as a
from engine.titles.g1860.catalogue import PRIVATES, TRAINS, UNITS
from engine.titles.g1860.companies import SHARES_TO_FLOAT
from engine.titles.g1860.events import AuctionWon, WentBankrupt
from engine.titles.g1860.pictures import label
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.running import plan as run_plan
from engine.titles.g1860.running import search as run_search
from engine.titles.g1860.running.runs import Plan, Problem, Run, Survey
from engine.titles.g1860.state import Auction, Company, Operating, State, Stock
from engine.titles.g1860.steps import bidding, running, trains


def find_tips(s: State, seat: int) -> Sequence[Tip]:
    """Return at most four moves for buttons; at the run step this searches the best routes."""
    r = s.round
    if isinstance(r, Auction) and not r.is_won:
        return list_bid_tips(r.high, bidding.find_max_bid(s, seat), UNITS, a.Bid)
    if isinstance(r, Operating):
        return _find_turn_tips(s, seat, r)
    return [Tip(Pass(), label.write_pass(s))] if Pass() in set(turn.list_legal(s, seat)) else []


def prove(s: State, seat: int, known: Sequence[Tip], budget: int) -> Sequence[Tip]:
    """Search on for the best runs; more tries never find less, so what is known need not be told."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run" or seat not in turn.find_actors(s):
        return known
    if all(tip.proven for tip in known):
        return known
    return make_tips(_suggest_runs(s, s.companies[r.code], budget), a.Run, running.BEST)


def _find_turn_tips(s: State, seat: int, r: Operating) -> list[Tip]:
    """Return the moves of a company's turn."""
    if r.offer is not None:
        if seat != r.offer.decider:
            return []
        replies = {"accept": f"Accept {r.offer.price:,}cc", "decline": "Decline"}
        return [Tip(answer, replies[answer.reply]) for answer in trains.list_answer_options(s, seat)]
    company = s.companies[r.code]
    found: list[Tip] = []
    if r.step == "run":
        found += make_tips(_suggest_runs(s, company), a.Run, running.BEST)
    if r.step == "dividend":
        found += [
            Tip(choice, label.write_label(s, choice, "choice")) for choice in (a.Dividend("pay"), a.Dividend("keep"))
        ]
    if r.step == "train" and s.rules.open_treasuries:  # a button that all see would tell what is in the treasury
        for buy in trains.list_bank_trains(s):
            if buy.price <= company.cash and len(company.trains) < s.train_limit:
                found.append(Tip(buy, label.write_label(s, buy, "")))
    if r.step in turn.DECLINES and turn.find_pass_refusal(s, seat) is None:
        found.append(Tip(Pass(), label.write_pass(s)))
    return found


def _suggest_runs(s: State, company: Company, tries: int = 0) -> list[Suggestion]:
    """Return plans worth a button, best first, after the usual number of tries or more."""
    now = running.make_current_problem(s, company)
    if now is None:
        return []
    best = run_search.search_best_plan(now, max(tries, MAX_TRIES))
    most = "" if best.exact else f" (at most £{best.bound:,})"
    words = f"{'Best found' if most else 'Best run'} {_write_earnings(best.plan)}{most}"
    others = run_search.find_alternatives(now, 2, best.plan) if best.exact else ()
    return [
        Suggestion(run_plan.write_plan(now, best.plan) or running.BEST, words, best.exact),
        *(Suggestion(run_plan.write_plan(now, plan), f"Run {_write_earnings(plan)}", best.exact) for plan in others),
    ]


def estimate_earning(s: State, parts: int) -> Earning | None:
    """Return what the company to act would earn if it ran now; ``None`` if it does not."""
    r = s.round
    if not isinstance(r, Operating) or r.step not in ("track", "base", "run"):
        return None
    now = running.make_current_problem(s, s.companies[r.code])
    if now is None or now.home is None:
        return None
    found = run_search.search_best_plan(now, running.GLANCE_TRIES // parts)
    plan = found.plan
    return make_earning(_write_earnings(plan).removesuffix(" halts"), plan.revenue + plan.subsidy, proven=found.exact)


def _write_earnings(plan: Plan) -> str:
    return train_runs.write_earnings(UNITS, plan, running.HALTS)


MAX_TRADES = 4
"""Plans with more halts that are looked for."""


def list_plans(s: State, seat: int, known: Sequence[Tip]) -> Sequence[Tip]:
    """Return at most five ways to run, the best first; ``known`` are those with a button, which need no search."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run" or seat not in turn.find_actors(s):
        return ()
    company = s.companies[s.operating.code]
    now = running.make_current_problem(s, company)
    texts = list_known_plans(known, a.Run, running.BEST)
    if now is None or not texts:
        return []
    best, *others = (run_plan.check_plan(now, run_plan.read_plan(now, text)) for text in texts)
    others += [*run_search.find_alternatives(now, MAX_TRADES, best), *_list_sparing_plans(s, company, now)]
    names = [train.name for train in now.trains]
    ways = [
        PlanSummary(
            run_plan.write_plan(now, plan),
            plan.revenue,
            plan.subsidy,
            find_idle_trains(names, (run.train for run in plan.runs)),
        )
        for plan in (best, *others)
    ]
    return number_plans(ways, lambda way, first: _describe_way(s, company, way, first), a.Run)


def _list_sparing_plans(s: State, company: Company, now: Problem) -> Iterator[Plan]:
    """Yield for each train the best plan without it, where it may stay idle: it could not run beside the others."""
    for name in dict.fromkeys(company.trains) if len(company.trains) > 1 else ():
        fewer = running.make_problem(s, company, list(find_idle_trains(company.trains, [name])))
        try:
            yield run_plan.check_plan(now, run_search.search_best_plan(fewer, running.GLANCE_TRIES).plan.runs)
        except RuleError:
            continue


def _describe_way(s: State, company: Company, way: PlanSummary, best: PlanSummary) -> str:
    open_for = not (s.operating.leased or company.insolvent or s.nationalised)
    price = UNITS.move(company.price, trading.find_price_after_dividend(company, way.revenue)) if open_for else ""
    return describe_plan(way, best, UNITS, "{0}cc{1} for halts", price)


def find_editable_runs(s: State, seat: int) -> EditableRuns[Run] | None:
    """Return the runs that a seat may plan now; ``None`` if it has none before it."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run" or seat not in turn.find_actors(s):
        return None
    now = running.make_current_problem(s, s.companies[s.operating.code])
    if now is None:
        return None
    trains = [train.name for train in now.trains]
    read, write = partial(run_plan.read_plan, now), partial(run_plan.write_plan, now)
    survey, check = Survey(now), partial(run_plan.check_plan, now)
    fit, combine = partial(run_plan.fit_run, survey), partial(run_plan.combine_runs, survey)
    choose = partial(run_plan.choose_stops, survey)
    return EditableRuns(s.board, trains, read, write, check, fit, choose, combine, _write_earnings)


def order_for_menu(s: State, seat: int, actions: Sequence[Action]) -> Sequence[Action]:
    """Return legal actions as menus list them: what most would do first."""
    sorting: Sorting = {
        LayTile: lambda lays: order_lays(s.board, lays),
        a.PlaceBase: lambda sites: sorted(sites, key=lambda site: -find_printed_value(s.board, site.hex)),
        a.BuyShare: lambda buys: sorted(buys, key=lambda buy: _weigh_share(s, seat, buy)),
        a.BuyPrivate: lambda buys: sorted(
            buys, key=lambda buy: -PRIVATES[buy.private].revenue / PRIVATES[buy.private].price
        ),
        a.Start: lambda starts: sorted(starts, key=lambda start: _weigh_start(s, seat, start)),
        a.Sell: lambda sales: sorted(sales, key=lambda sale: rank_sale(s.companies[sale.company], seat)),
        a.BuyTrain: lambda buys: _order_purchases(s, seat, buys),
        a.Discard: lambda held: sorted(held, key=lambda each: TRAINS[each.train].cities),
    }
    return sort_actions(actions, sorting)


def _order_purchases(s: State, seat: int, buys: Sequence[a.BuyTrain]) -> list[a.BuyTrain]:
    """Return purchases of trains by seller and train, of each the prices first that most name.

    From a company of one's own that is the least, then what leaves enough for a train of the bank, then all there is;
    from another's the printed price.
    """
    least, cash = trains.MIN_TRAIN_PRICE, s.companies[s.operating.code].cash
    deals = [*dict.fromkeys((buy.train, buy.seller) for buy in buys)]
    own = (least, *(each // least * least for each in (cash - TRAINS[trains.find_cheapest(s)].price, cash)))

    def weigh(buy: a.BuyTrain) -> tuple[int, int, int, int]:
        rank = rank_seller(s.companies, buy.seller, seat)
        is_own = buy.seller in s.companies and s.companies[buy.seller].director == seat
        usual = own if is_own else (TRAINS[buy.train].price,)
        place = usual.index(buy.price) if buy.price in usual else len(usual)
        return rank, deals.index((buy.train, buy.seller)), place, buy.price

    return sorted(buys, key=weigh)


def _weigh_start(s: State, seat: int, start: a.Start) -> tuple[int, bool, int]:
    """Return what speaks against a company and its par: a poor home, a par at which one cannot float it alone."""
    home, _ = s.companies[start.company].charter.home
    return -rate_home(s.board, home), *rank_par_price(start.par, SHARES_TO_FLOAT, s.cash[seat])


def _weigh_share(s: State, seat: int, buy: a.BuyShare) -> tuple[bool, int]:
    """Return what speaks against a share: that it floats no company of one's own; a price below its cost, no trains."""
    company = s.companies[buy.company]
    floats = company.director == seat and not company.floated
    return not floats, -trading.rate_purchase(company, buy.source)


PASSES = {"track": "building track", "base": "building a base", "train": "buying trains"}
CHOICE = "choice"
"""The lot of the initial auction: who wins chooses among the lots."""

_SOURCES: tuple[Literal["ipo", "pool"], ...] = ("ipo", "pool")


def find_moment(s: State) -> Moment:
    """Return where the game stands; each choice of the auction counts as a round of its own."""
    r = s.round
    if s.over:
        return Moment(s.name)
    if isinstance(r, Auction):
        return Moment(f"{s.name}, {len(r.lots)} lots left", "" if r.is_won else "bid", CHOICE)
    if isinstance(r, Stock):
        return Moment(s.name, "" if r.homes else "stock", bought=r.bought)
    return Moment(s.name, "" if r.offer else r.step, r.code)


def raise_bid(s: State, seat: int, company: str, most: int) -> Action | None:
    """Return the next bid for the choice (Private Companies and the Initial Auction)."""
    amount = s.auction.high + bidding.MIN_RAISE
    fits = company == CHOICE and amount <= min(most, bidding.find_max_bid(s, seat))
    return a.Bid(amount) if fits else None


def list_bidders(s: State) -> tuple[int, ...]:
    """Return the seats that may still outbid the leader."""
    r = s.auction
    return tuple(seat for seat in range(s.seats) if seat not in r.passed and seat != r.leader)


def _list_companies(s: State) -> tuple[tuple[str, str], ...]:
    if isinstance(s.round, Auction):
        return ((CHOICE, "the choice of a lot"),)
    return list_companies(s.companies, [code for code, company in s.companies.items() if company.closed])


ORDERS: Orders[State] = Orders(
    moment=find_moment,
    passes=PASSES,
    companies=_list_companies,
    run=a.Run(running.BEST),
    pay=a.Dividend("pay"),
    revenue=find_revenue,
    raised=raise_bid,
    bidders=list_bidders,
    bidding=Bidding(BidMade, Passed, AuctionWon, UNITS.money),
    purchase=lambda s, company, source: find_ordered_purchase(s.companies, company, source, _SOURCES, a.BuyShare),
    holding=lambda s, seat, company: find_holding(s.companies, seat, company),
    director=lambda s, company: find_director(s.companies, company),
    alarm=lambda s, event, seat: find_alarm(s.companies, event, seat),
    breaks=(WentBankrupt,),
)


def list_regrets(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield what a beginner would regret."""
    name, kinds = trains.find_next_train(before), list(TRAINS)
    scraps = {TRAINS[kind].rusts for kind in kinds[kinds.index(name) :][:2] if TRAINS[kind].phase > before.phase}
    ahead = NextTrain(name, TRAINS[name].price, lambda train: train not in scraps)
    yield from finance.list_regrets(UNITS, ahead, before, after, seat)
