"""Moves worth a button of their own, and what standing orders mean in 1860."""

from collections.abc import Sequence
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
from engine.finance.trains import make_tips
from engine.orders import Moment, Orders
from engine.rails.laying import LayTile, find_printed_value, order_lays, rate_home
from engine.record import Action
from engine.steps import Sorting, sort_actions
from engine.title import Tip
from engine.titles.g1860 import actions as a
from engine.titles.g1860.catalogue import PRIVATES, TRAINS
from engine.titles.g1860.companies import SHARES_TO_FLOAT
from engine.titles.g1860.events import WentBankrupt
from engine.titles.g1860.pictures import label
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.state import Auction, Operating, State, Stock
from engine.titles.g1860.steps import bidding, running, trains


def find_tips(s: State, seat: int) -> Sequence[Tip]:
    """Return at most four moves for buttons; at the run step this searches the best routes."""
    r = s.round
    if isinstance(r, Auction) and not r.is_won:
        bids = list_raises(r.high, bidding.find_max_bid(s, seat))
        return [Tip(a.Bid(amount), f"Bid £{amount}") for amount in bids] + [Tip(Pass(), "Pass")]
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
    return make_tips(running.suggest_runs(s, s.companies[r.code], budget), a.Run, running.BEST)


def list_plans(s: State, seat: int, known: Sequence[Tip]) -> Sequence[Tip]:
    """Return the ways to run that differ in what matters; of what is known none is looked for again."""
    r = s.round
    if not isinstance(r, Operating) or r.step != "run" or seat not in turn.find_actors(s):
        return ()
    return running.list_plans(s, known)


def _find_turn_tips(s: State, seat: int, r: Operating) -> list[Tip]:
    """Return the moves of a company's turn."""
    if r.offer is not None:
        if seat != r.offer.decider:
            return []
        replies = {"accept": f"Accept {r.offer.price}cc", "decline": "Decline"}
        return [Tip(answer, replies[answer.reply]) for answer in trains.list_answer_options(s, seat)]
    company = s.companies[r.code]
    found: list[Tip] = []
    if r.step == "run":
        found += make_tips(running.suggest_runs(s, company), a.Run, running.BEST)
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
        a.BuyTrain: lambda buys: sorted(buys, key=lambda buy: rank_seller(s.companies, buy.seller, seat)),
        a.Discard: lambda held: sorted(held, key=lambda each: TRAINS[each.train].cities),
    }
    return sort_actions(actions, sorting)


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


def _find_revenue(s: State) -> int:
    return s.round.revenue if isinstance(s.round, Operating) else 0


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
