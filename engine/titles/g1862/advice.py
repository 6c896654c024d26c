"""Moves worth a button of their own, and what standing orders mean in 1862."""

from collections.abc import Callable, Sequence
from typing import Literal

from engine.finance import trading
from engine.finance.advice import (
    find_alarm,
    find_holding,
    find_ordered_purchase,
    list_companies,
    list_raises,
    rank_par_price,
    rank_sale,
    rank_seller,
)
from engine.finance.rounds import Pass
from engine.finance.trains import list_known_plans, make_tips
from engine.orders import Moment, Orders
from engine.rails.laying import LayTile, find_printed_value, order_lays, rate_home
from engine.record import Action
from engine.steps import Sorting, sort_actions
from engine.title import Tip
from engine.titles.g1862 import actions as a
from engine.titles.g1862.catalogue import FACES
from engine.titles.g1862.events import WentBankrupt
from engine.titles.g1862.ground import survey
from engine.titles.g1862.pictures import label
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import SHARES_TO_FLOAT, Operating, Parliament, State, Stock
from engine.titles.g1862.steps import bidding, merging, running, trains


def find_tips(s: State, seat: int) -> Sequence[Tip]:
    """Return at most four moves for buttons; at the run step this searches the best routes."""
    r = s.round
    if isinstance(r, Parliament) and r.lot and r.winner < 0:
        bids = list_raises(r.high, bidding.find_max_bid(s, seat))
        return [Tip(a.Bid(r.lot, amount), f"Bid £{amount}") for amount in bids] + [Tip(Pass(), "Pass")]
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
    return make_tips(running.suggest_runs(s), a.Run, running.BEST)


def list_plans(s: State, seat: int, known: Sequence[Tip]) -> Sequence[Tip]:
    """Return the ways to run that differ in what matters; of what is known none is looked for again."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run" or seat not in turn.find_actors(s):
        return ()
    return running.list_plans(s, known)


def prove(s: State, seat: int, known: Sequence[Tip], budget: int) -> Sequence[Tip]:
    """Search on for the best runs, from those that are known."""
    if known and all(tip.proven for tip in known):
        return known
    runs = list_known_plans(known, a.Run, running.BEST)
    if not isinstance(s.round, Operating) or s.round.step != "run" or seat not in turn.find_actors(s):
        return known
    return make_tips(running.suggest_runs(s, runs, budget), a.Run, running.BEST)


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


def order_for_menu(s: State, seat: int, actions: Sequence[Action]) -> Sequence[Action]:
    """Return legal actions as menus list them: what most would do first, trains without a permit last."""
    sorting: Sorting = {
        a.Bid: lambda bids: sorted(bids, key=lambda bid: -_rate_home(s, bid.company)),
        a.Start: lambda starts: sorted(
            starts,
            key=lambda start: (
                -_rate_home(s, start.company),
                *rank_par_price(start.price, SHARES_TO_FLOAT, s.cash[seat]),
            ),
        ),
        a.Sell: lambda sales: sorted(sales, key=lambda sale: rank_sale(s.companies[sale.company], seat)),
        LayTile: lambda lays: order_lays(s.board, lays),
        a.AddStation: lambda stations: sorted(stations, key=lambda each: not _is_on_route(s, each)),
        a.PlaceMarker: lambda sites: sorted(sites, key=lambda site: -_find_site_value(s, site)),
        a.RemoveMarker: lambda sites: sorted(sites, key=lambda site: _find_site_value(s, site)),
        a.BuyShare: lambda buys: sorted(buys, key=lambda buy: _weigh_share(s, seat, buy)),
        a.BuyTrain: lambda buys: sorted(buys, key=lambda buy: _weigh_train(s, seat, buy)),
        a.Merge: lambda merges: sorted(merges, key=lambda each: _weigh_merger(s, seat, each)),
    }
    return sort_actions(actions, sorting)


def _rate_home(s: State, code: str) -> int:
    """Return how good the home of a company is."""
    return rate_home(s.board, s.companies[code].charter.home)


def _is_on_route(s: State, station: a.AddStation) -> bool:
    """Return whether a small station would lie on a route of the company."""
    sides = s.board.spec(station.hex).sides
    track = survey(s, s.companies[s.operating.code]).reach.track
    return bool(track & (sides[station.a] | sides[station.b]))


def _find_site_value(s: State, site: a.PlaceMarker | a.RemoveMarker) -> int:
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


def _find_revenue(s: State) -> int:
    return s.round.revenue if isinstance(s.round, Operating) else 0


def _list_companies(s: State) -> tuple[tuple[str, str], ...]:
    return list_companies(s.companies, [code for code, company in s.companies.items() if company.gone])


ORDERS: Orders[State] = Orders(
    moment=find_moment,
    passes=PASSES,
    companies=_list_companies,
    run=a.Run(running.BEST),
    pay=a.Dividend("pay"),
    revenue=_find_revenue,
    raised=raise_bid,
    bidders=list_bidders,
    purchase=lambda s, company, source: find_ordered_purchase(s.companies, company, source, _SOURCES, a.BuyShare),
    holding=lambda s, seat, company: find_holding(s.companies, seat, company),
    alarm=lambda s, event, seat: find_alarm(s.companies, event, seat),
    breaks=(WentBankrupt,),
)
