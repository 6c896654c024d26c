"""1862 as on 18xx.games: which switches of the rules it has otherwise, what it deals, remembers and asks.

It asks where there is but one answer, too: it waits for a pass of the merger at the start of every turn and of the
acquisition at its end, for a run of companies that have no legal one, and for players who can do nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from types import MappingProxyType

from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance.events import RoundBegun, TrainBought, TurnBegan
from engine.finance.rounds import Pass
from engine.interop.profile import SiteProfile, play_as_on_18xx_games
from engine.interop.travel import list_obstacles
from engine.rails.board import Board
from engine.rails.routes import list_bits
from engine.record import Action, Event, Record
from engine.setup import LOBBY, Setup
from engine.title import Tell, Title
from engine.titles import g1862
from engine.titles.g1862 import companies
from engine.titles.g1862 import setup as deals
from engine.titles.g1862.actions import Run
from engine.titles.g1862.catalogue import CHARTERS, MARKET, Kind
from engine.titles.g1862.events import MergerEnded, WentBankrupt
from engine.titles.g1862.ground import list_markers, survey
from engine.titles.g1862.rounds import stock, turn
from engine.titles.g1862.rules import OPTIONS, read_options
from engine.titles.g1862.running.runs import RunRules, Survey
from engine.titles.g1862.setup import COMPANIES_PER_PHASE, Deal, count_extra_companies, group_companies
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Operating, Parliament, Placed, State, Stock, Train
from engine.titles.g1862.steps import building, merging, running, shares


class Ways(Record, frozen=True):
    """What is remembered of ways until a tile or a marker is placed (differences 65).

    Args:
        board, placed: tiles and markers since when.
        looked: companies that have had a turn since. gone: markers that went with bankrupt companies since.
        stale: companies that may still go by the ways there were with those markers.
    """

    board: Board
    placed: Placed
    looked: tuple[str, ...] = ()
    gone: Placed = ()
    stale: tuple[str, ...] = ()


class SiteState(State):
    """A state with the memory of 18xx.games, which no rule asks for; only its profile and its files have it.

    It knows the trains that a company had when it went bankrupt, the ways it has looked for since the last tile or
    marker, and which companies had track to run on once. The first two are noted from the facts of the game.

    Args:
        remembers: trains and ways are remembered: in the profile, not where a file of another table is written.
        waits: every question is asked that 18xx.games asks, also where there is but one answer: for files alone.
        active: the company whose turn it is, or was last; empty between rounds.
        ghosts: trains that companies had when they went bankrupt, still for sale (differences 12).
        ways: what is remembered of ways. routed: companies that had track to run on once (differences 60).
    """

    remembers: bool = True
    waits: bool = False
    active: str = ""
    ghosts: dict[str, tuple[Train, ...]] = {}
    ways: Ways | None = None
    routed: tuple[str, ...] = ()

    def list_trains_for_sale(self, company: Company) -> list[Train]:
        """Return its own trains, and those it had when it went bankrupt, as long as they would not have rusted."""
        ghosts = self.ghosts.get(company.code, ())
        return [*company.trains, *(train for train in ghosts if train.stars or not companies.is_rusted(self, train))]

    def find_believed_markers(self, code: str) -> Placed:
        """Return the markers of bankrupt companies that a company may still go by."""
        ways = self._recall_ways()
        return ways.gone if code in ways.stale else ()

    def _recall_ways(self) -> Ways:
        """Return what is remembered of ways: nothing from before the last tile or marker."""
        ways, markers = self.ways, list_markers(self)
        if ways is not None and ways.board is self.board and ways.placed == markers:
            return ways
        return Ways(self.board, markers)

    def note_turn(self, code: str) -> None:
        """Note that a company has had its turn, and has looked at its ways."""
        ways = self._recall_ways()
        self.ways = replace(ways, looked=tuple(sorted({*ways.looked, code})))

    def note_bankruptcy(self, company: Company) -> None:
        """Note that a company is bankrupt: its trains stay for sale, its markers are about to leave unnoticed."""
        self.ghosts[company.code] = (*self.ghosts.get(company.code, ()), *company.trains)
        ways = self._recall_ways()
        gone = tuple((marker.slot, marker.hex, company.code) for marker in company.markers)
        left = tuple(one for one in ways.placed if one[2] != company.code)
        stale = tuple(sorted({*ways.stale, *ways.looked}))
        self.ways = replace(ways, placed=left, gone=(*ways.gone, *gone), stale=stale)

    def asks_without_choice(self) -> bool:
        """Return whether 18xx.games asks what has but one answer; only files are asked (differences 60)."""
        r = self.round
        if not self.waits:
            return False
        if isinstance(r, Parliament):
            return True  # what could not be paid for has ended what may be added
        if isinstance(r, Stock):
            return _has_means(self, r.turn)
        company = self.companies[r.code]
        if r.step == "run":
            return self._asks_for_routes(company)
        if company.receivership or self.lner:
            return False
        return r.step != "token" or _sees_london(self, r, company)

    def _asks_for_routes(self, company: Company) -> bool:
        """Return whether routes are asked for, be there any or not; note that the company has had track.

        They are if track leads from a marker to another stop. It is never forgotten that it did, not even when the
        markers are gone and the company is started again; but that is looked at only where a player builds for
        the company, or a train may run.
        """
        now = running.make_problem(self, company)
        if not now.runnable and (company.receivership or self.lner):
            return False
        graph = Survey(now)
        if any(way.to != node for node in list_bits(graph.own) for way in graph.graph.exits[node]):
            self.routed = tuple(sorted({*self.routed, company.code}))
        return bool(now.runnable) and company.code in self.routed


def _sees_london(s: State, r: Operating, company: Company) -> bool:
    """Return whether a route of the company leads to London, be that full or not."""
    return bool(company.unplaced and not r.laid and not company.london and survey(s, company).reaches_london)


def _has_means(s: State, seat: int) -> bool:
    """Return whether a player who can do nothing has the money for something.

    That is a company that has not been started, be it available or not, or a director's certificate in the pool.
    """
    if shares.is_full(s, seat):
        return False
    for company in s.companies.values():
        if not company.gone and not shares.has_sold(s, seat, company.code):
            price = company.price * (1 if company.ordinary_in_pool else DIRECTOR_SHARES)
            if (company.pool or not company.started) and (price or DIRECTOR_SHARES * MARKET.pars[0]) <= s.cash[seat]:
                return True
    return False


def remember(s: State, *, remembers: bool = True, waits: bool = False) -> SiteState:
    """Return a state with a memory, in which nothing is remembered yet."""
    fields = {name: getattr(s, name) for name in State.__struct_fields__}
    return SiteState(**fields, remembers=remembers, waits=waits)


def note_first(s: State, tell: Tell) -> Tell:
    """Return a way to tell facts by which a state takes note of them first."""
    if not isinstance(s, SiteState) or not s.remembers:
        return tell

    def note(event: Event) -> None:
        _note(s, event)
        tell(event)

    return note


def _note(s: SiteState, event: Event) -> None:
    if isinstance(event, TurnBegan | RoundBegun):
        if s.active:
            s.note_turn(s.active)
        s.active = event.company if isinstance(event, TurnBegan) else ""
    elif isinstance(event, MergerEnded) and s.active == event.other:
        s.active = event.survivor
    elif isinstance(event, WentBankrupt):
        s.note_bankruptcy(s.companies[event.company])
    elif isinstance(event, TrainBought) and event.seller in s.ghosts:
        owned = s.companies[event.company].trains
        s.ghosts[event.seller] = tuple(train for train in s.ghosts[event.seller] if train not in owned)


RUNS = RunRules(
    all_run=False,  # differences 27
    touching_joins=True,  # differences 42
    port_to_port=True,  # differences 23
    crossing=True,  # differences 49
    meet_anywhere=True,  # differences 22
)
"""What companies run there."""

SWITCHES: Mapping[str, bool | int | RunRules] = MappingProxyType(
    {
        "operating_restacks": False,  # differences 1
        "chartered_marker_waits": False,  # differences 2
        "stated_results_count": True,  # differences 3
        "spare_option_rounds_up": False,  # differences 4
        "failed_in_parliament": True,  # differences 5
        "stated_prices_count": True,  # differences 6
        "certificate_scores_whole": True,  # differences 7
        "late_treasury_sales_keep_price": False,  # differences 8
        "merger_may_end_game": False,  # differences 9
        "last_slot_gives_way": True,  # differences 10
        "receivership_limit_by_type": True,  # differences 13
        "mergers_need_consent": False,  # differences 20
        "train_sales_need_consent": False,  # differences 21
        "runs": RUNS,
        "first_build_at_home": False,  # differences 24
        "home_upgrade_adds_slot": False,  # differences 25
        "own_trains_before_money": False,  # differences 26
        "hudson_from": 11,  # differences 40
        "sold_shares_give_change": False,  # differences 41
        "home_upgrade_first": True,  # differences 43
        "eighth_marker_at_start": False,  # differences 44
        "green_home_needs_n": True,  # differences 48
        "merged_receivership_runs": False,  # differences 51
        "fines_taken_together": True,  # differences 56
        "fines_spare_new_shares": False,  # differences 56
        "fines_from_new_deal": False,  # differences 73
        "only_way_asked": False,  # differences 57
        "stations_on_turned_lines": True,  # differences 59
        "receivership_markers_chosen": True,  # differences 61
        "tiles_by_stations": True,  # differences 62
        "merged_charter_stays": True,  # differences 63
        "hundredth_parliament_ends": True,  # differences 70
        "forced_sales_in_one_block": False,  # differences 71
        "excess_waits_for_next_turn": False,  # differences 72
        "idle_builders_asked": True,  # differences 74
        "subsidy_with_dividend": True,  # differences 75
        "receiverships_run_by_rule": False,  # differences 76
        "money_raised_once": False,  # differences 77
        "parliament_adds_own_company": False,  # differences 81
        "odd_share_counts": False,  # differences 78
        "refinancing_keeps_train_money": False,  # differences 79
        "excess_sold_in_parts": False,  # differences 80
    }
)
"""The value on 18xx.games of each switch that it has otherwise, with the row of the differences that says how."""


def deal(setup: Setup) -> SiteState:
    """Return the state a game of the profile begins with.

    Raises:
        RuleError: the number of players or the options are not allowed, or 18xx.games does not have one of them.
    """
    rules = replace(read_options(setup), **SWITCHES)
    for option in list_obstacles("1862", OPTIONS, setup.options):
        raise RuleError(f"18xx.games doesn't offer “{option.label}”; to use it, choose the rulebook's profile.", LOBBY)
    return remember(deals.deal(setup, rules, deal_18xx(setup.seed, setup.seats)))


def deal_18xx(seed: int, seats: int) -> Deal:
    """Deal as 18xx.games does, by its linear congruential generator (differences 58)."""
    numbers = _generate_numbers(seed)
    drawn = dict(zip(CHARTERS, numbers, strict=False))
    removed = 4 - count_extra_companies(seats)
    order = sorted(CHARTERS, key=lambda code: drawn[code])[removed:]
    groups = group_companies(order, len(order) - 2 * COMPANIES_PER_PHASE)
    kinds: list[Kind] = list(islice(cycle(("freight", "express", "local")), 18))
    if seats <= 6:
        kinds = kinds[:-2]
    lots = [next(numbers) for _ in kinds]
    permits = [kind for _, kind in sorted(zip(lots, kinds, strict=True))]
    return Deal(groups, dict(zip((code for code in CHARTERS if code in groups), permits, strict=False)))


def _generate_numbers(seed: int) -> Iterator[int]:
    """Yield the numbers of the site's generator for a seed."""
    state = seed
    while True:
        state = (1103515245 * state + 12345) % 2**31
        yield state


TITLE: Title[State] = play_as_on_18xx_games(g1862.TITLE, SiteProfile(1, deal, note_first), __package__)


def ask_everything(s: State) -> SiteState:
    """Return a state that asks all that 18xx.games asks."""
    return remember(s, remembers=isinstance(s, SiteState), waits=True)


def ask_as_usual(s: SiteState) -> State:
    """Return a state that asks no more than a table of ours is asked."""
    if not s.remembers:
        return State(**{name: getattr(s, name) for name in State.__struct_fields__})
    s.waits, s.routed = False, ()
    return s


def goes_on_alone(s: State) -> bool:
    """Return whether a table of ours would have gone on from a state automatically."""
    r = s.round
    if s.over:
        return False
    if isinstance(r, Operating):
        return _goes_on_alone_in_turn(s, r)
    if isinstance(r, Parliament):
        return bool(r.winner >= 0 and r.extra and not shares.may_add(s, r.winner))
    return not (r.fines or r.choosing or stock.can_act(s, r.turn))


def _goes_on_alone_in_turn(s: State, r: Operating) -> bool:
    is_open = _OPEN.get(r.step)
    if is_open is None or r.offer is not None or r.merging is not None or r.removing:
        return False
    return not is_open(s, s.companies[r.code])


_OPEN: dict[str, Callable[[State, Company], bool]] = {
    "merge": merging.is_open_for,
    "acquire": merging.is_open_for,
    "token": building.is_marker_open_for,
    "run": running.can_run,
}


def answer_idly(s: State) -> tuple[int, Action]:
    """Return who answers such a question, and the answer."""
    seat = turn.find_actors(s)[0]
    return seat, Run(running.NONE) if Run in turn.list_kinds(s, seat) else Pass()


def may_be_idle_answer(action: Action) -> bool:
    """Return whether an action may be the answer to such a question."""
    return isinstance(action, Pass) or (isinstance(action, Run) and action.plan.strip().lower() in ("", running.NONE))


def is_silent(s: State) -> bool:
    """Return whether a table of ours skips a step silently; of a player's turn we say that it passes."""
    return not isinstance(s.round, Stock)
