"""How a game of 1860 may go on: some rounds in which nothing is built, so that best runs are found only once.

Companies pay and buy trains as most do, players buy what earns most for its price. What companies will build is a
guess: their runs grow a little with every round, as far as their trains can.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from engine.finance import trading
from engine.finance.rounds import Pass
from engine.rails.board import Board
from engine.record import Action
from engine.setup import Rng
from engine.title import ignore_event
from engine.titles.g1860 import actions as a
from engine.titles.g1860 import worth
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.companies import SHARES_TO_FLOAT
from engine.titles.g1860.rounds import turn
from engine.titles.g1860.running.runs import Problem, RunRules
from engine.titles.g1860.running.search import search_best_plan
from engine.titles.g1860.state import Base, Company, Operating, State, Stock
from engine.titles.g1860.steps import running, shares, trains

RUN_TRIES = 3000
"""Of a search for runs: enough for a guess."""
GROWTH = 6
"""Pounds by which a run grows with every operating round."""
PER_CITY, PER_TOWN = 28, 8
"""Pounds that a train can hardly earn more of a stop."""
FIRST_RUN = 60
"""Pounds that a company may earn with its first train."""
MAX_STEPS = 4000
"""Decisions of a game played on."""
ROUNDS_AHEAD, ROUNDS_BEYOND = 9, 4
"""Rounds that are played, and rounds after them for which companies are taken to pay as they did last."""


class Forecast:
    """Games played on from one position; it keeps what companies can run for."""

    def __init__(self, s: State) -> None:
        self._bases = tuple((company.code, base) for company in s.companies.values() if not company.bankrupt
                            for base in company.bases)  # fmt: skip
        self._board, self._rounds = s.board, count_rounds(s)
        self._earned: dict[tuple[str, ...], tuple[int, int]] = {}

    def copy(self, s: State) -> State:
        """Return a copy of a position for ``play_on``: no one is asked for track, and no search is run."""
        twin = s.clone()
        twin.rules = replace(
            s.rules,
            asked_for_track_only_if_possible=False,
            receiverships_run_by_rule=False,
            nationalised_run_by_rule=False,
            asked_for_exchanges=False,
            asked_for_starts_only_if_possible=True,
        )
        return twin

    def play_on(self, s: State, rng: Rng) -> list[int]:
        """Play a copy on for some rounds; return what each seat is worth then, with dividends to come."""
        for _ in range(MAX_STEPS):
            r = s.round
            if s.over or count_rounds(s) >= self._rounds + ROUNDS_AHEAD:
                break
            if isinstance(r, Operating):
                self.operate(s, r, rng)
                while not s.over and turn.settle(s, ignore_event):
                    pass
            elif isinstance(r, Stock) and r.homes:
                r.homes.pop(0)
                while not s.over and turn.settle(s, ignore_event):
                    pass
            else:
                seat = turn.find_actors(s)[0]
                deal: Action = Pass()  # no bid in the auction, and any lot for a winner
                if isinstance(r, Stock):
                    deal = self.choose_deal(s, r, seat, rng)
                elif r.is_won:
                    deal = rng.choose(list(turn.list_legal(s, seat)))
                turn.apply(s, turn.check(s, seat, deal), ignore_event)

        totals = [*worth.list_totals(s)]
        for company in s.companies.values() if not s.over else ():
            each = ROUNDS_BEYOND * (self.estimate_run(s, company)[0] // 10)
            totals = [total + each * held for total, held in zip(totals, company.shares, strict=True)]
        return totals

    # --- operating rounds ------------------------------------------------------------------

    def operate(self, s: State, r: Operating, rng: Rng) -> None:
        """Play the rest of a company's turn."""
        r.offer = None
        company = s.companies[r.code]
        while len(company.trains) > s.train_limit:
            trains.give_back(s, company, min(company.trains, key=lambda name: TRAINS[name].cities), ignore_event)
        if r.step in ("discard", "track", "base", "run"):
            self.run_trains(s, r, company)
        if r.step == "dividend":
            self.pay_revenue(s, r, company, rng)
        price = TRAINS[trains.find_cheapest(s)].price
        has_room = len(company.trains) < s.train_limit
        if company.cash >= price and has_room and (not company.trains or (not company.receivership and rng.below(4))):
            trains.buy(s, trains.Plan(company.code, trains.find_cheapest(s), trains.BANK, price), ignore_event)
        company.insolvent = not company.trains
        r.step = "end"

    def run_trains(self, s: State, r: Operating, company: Company) -> None:
        """Run for what the company can earn."""
        idle = company.receivership and s.nationalised
        leased = not company.trains and company.insolvent and not idle
        r.leased = trains.find_cheapest(s) if leased else ""
        r.revenue, r.subsidy = (0, 0) if idle else self.estimate_run(s, company, leased=leased)
        if not company.receivership:
            r.earned[company.code] = r.revenue
        r.step = "dividend"

    def pay_revenue(self, s: State, r: Operating, company: Company, rng: Rng) -> None:
        """Pay the revenue, or keep it now and then where that buys the next train."""
        if not running.is_dividend_open_for(s, company):
            running.settle_dividend(s, company, ignore_event)
            return
        company.cash += r.subsidy
        price = TRAINS[trains.find_cheapest(s)].price
        close = company.cash < price <= company.cash + r.revenue and len(company.trains) < min(2, s.train_limit)
        if close and rng.below(2):
            running.keep_revenue(s, company, ignore_event)
        else:
            running.pay_out(s, company, ignore_event)

    def estimate_run(
        self, s: State, company: Company, *, leased: bool = False, more: Sequence[str] = ()
    ) -> tuple[int, int]:
        """Return revenue and subsidy of a company's next run: the best there is, and what it may build until then.

        ``more`` are trains that it could have besides its own.
        """
        names = [trains.find_cheapest(s)] if leased else [*company.trains, *more]
        if not names:
            return 0, 0
        key = (company.code, *sorted(names))
        known = self._earned.get(key)
        if known is None:
            known = self._find_run(s, company, names)
            self._earned[key] = known
        most = sum(PER_CITY * TRAINS[name].cities + PER_TOWN * TRAINS[name].towns for name in names)
        grown = known[0] + (0 if s.stopped else GROWTH * (count_rounds(s) - self._rounds))
        return max(known[0], min(most, grown)) // 10 * 10, 0 if s.stopped else known[1]

    def find_run_on(self, s: State, company: Company, names: tuple[str, ...]) -> tuple[int, int]:
        """Return revenue and subsidy of a company's best run with some trains on the track of a position."""
        if company.bankrupt or not company.bases:
            return 0, 0
        bases = tuple((each.code, base) for each in s.companies.values() if not each.bankrupt for base in each.bases)
        return find_run(s.board, bases, company.code, names, s.colours[-1])

    def _find_run(self, s: State, company: Company, names: list[str]) -> tuple[int, int]:
        home = company.charter.home
        if not company.home_placed or not self._board.tile(home[0]).track:
            return PER_CITY * min(3, max(TRAINS[name].cities for name in names)), 0
        bases = self._bases if (company.code, company.bases[0]) in self._bases else (*self._bases, (company.code, home))
        return find_run(self._board, bases, company.code, tuple(sorted(names)), s.colours[-1])

    # --- stock rounds -----------------------------------------------------------------------

    def choose_deal(self, s: State, r: Stock, seat: int, rng: Rng) -> Action:
        """Return what a player does in a stock round who sells what is lame now and then, and buys what pays."""
        if not r.acted and rng.below(3) == 0 and not shares.is_above_limit(s, seat):
            for company in s.companies.values():
                lame = company.operated and not company.trains and company.shares[seat] and company.director != seat
                if lame and company.code not in r.just_sold:
                    return a.Sell(company.code, company.shares[seat])
        return self.choose_purchase(s, r, seat, rng)

    def choose_purchase(self, s: State, r: Stock, seat: int, rng: Rng) -> Action:
        """Return what a player does in a stock round who buys what pays, and sells only if it must."""
        if shares.is_above_limit(s, seat):
            sale = next(iter(shares.list_sell_options(s, seat)), None)
            if sale is not None:
                return sale
        buys = [] if r.bought else list(shares.list_buy_options(s, seat))
        for buy in buys:
            company = s.companies[buy.company]
            if company.director == seat and not company.floated:
                return buy
        if not r.bought and s.cash[seat] >= SHARES_TO_FLOAT * 54 and not shares.is_full(s, seat):
            starts = [
                start for start in shares.list_start_options(s, seat) if SHARES_TO_FLOAT * start.par <= s.cash[seat]
            ]
            if starts and rng.below(3):
                return rng.choose(starts[-4:])
        best = max(buys, key=lambda buy: self.rate_share(s, buy) * (90 + rng.below(21)), default=None)
        return best if best is not None and self.rate_share(s, best) > 0 else Pass()

    def rate_share(self, s: State, buy: a.BuyShare) -> float:
        """Return what part of its price a share brings in one round, by dividend and price."""
        company = s.companies[buy.company]
        if company.trains:
            earned = self.estimate_run(s, company)[0]
        else:
            can_buy = not company.floated or company.cash >= TRAINS[trains.find_cheapest(s)].price
            earned = FIRST_RUN if can_buy else 0
        gain = (
            earned / 10 + trading.find_price_after_dividend(company, earned) - company.price
            if company.cell is not None
            else earned / 10
        )
        return gain / max(1, trading.find_share_price(company, buy.source))


def count_rounds(s: State) -> int:
    """Return how many rounds have ended."""
    return len(s.marks)


@lru_cache(maxsize=4096)
def find_run(
    board: Board, bases: tuple[tuple[str, Base], ...], code: str, names: tuple[str, ...], colour: str
) -> tuple[int, int]:
    """Return revenue and subsidy of the best run that is found quickly."""
    standing: dict[Base, tuple[str, ...]] = {}
    for owner, base in bases:
        standing[base] = (*standing.get(base, ()), owner)
    home = next(base for owner, base in bases if owner == code)
    problem = Problem(
        graph=board.graph,
        company=code,
        bases=standing,
        home=home,
        trains=tuple(TRAINS[name] for name in names),
        colour=colour,
        rules=RunRules(),
    )
    plan = search_best_plan(problem, RUN_TRIES).plan
    return plan.revenue, plan.subsidy
