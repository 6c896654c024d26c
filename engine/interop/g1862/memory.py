"""What 18xx.games remembers in 1862 that no rule asks for, in a state that only its profile and its files have.

It knows the trains that a company had when it went bankrupt, the ways it has looked for since the last tile or
marker, and which companies had track to run on once. The first two are noted from the facts of the game.
"""

from msgspec.structs import replace

from engine.finance.events import RoundBegun, TrainBought, TurnBegan
from engine.rails.board import Board
from engine.rails.routes import bit_numbers
from engine.record import Event, Record
from engine.title import Tell
from engine.titles.g1862 import rusting
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.events import MergerEnded, WentBankrupt
from engine.titles.g1862.ground import placed, survey
from engine.titles.g1862.rounds.records import Operating, Parliament, Stock
from engine.titles.g1862.running.runs import Survey
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, Placed, State, Train
from engine.titles.g1862.steps import dealing, running


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
    """A state with the memory of 18xx.games.

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

    def trains_for_sale(self, company: Company) -> list[Train]:
        """Return its own trains, and those it had when it went bankrupt, as long as they would not have rusted."""
        ghosts = self.ghosts.get(company.code, ())
        return [*company.trains, *(train for train in ghosts if train.stars or not rusting.doomed(self, train))]

    def believed_markers(self, code: str) -> Placed:
        """Return the markers of bankrupt companies that a company may still go by."""
        ways = self._ways()
        return ways.gone if code in ways.stale else ()

    def _ways(self) -> Ways:
        """Return what is remembered of ways: nothing from before the last tile or marker."""
        ways, markers = self.ways, placed(self)
        if ways is not None and ways.board is self.board and ways.placed == markers:
            return ways
        return Ways(self.board, markers)

    def look(self, code: str) -> None:
        """Note that a company has had its turn, and has looked at its ways."""
        ways = self._ways()
        self.ways = replace(ways, looked=tuple(sorted({*ways.looked, code})))

    def bury(self, company: Company) -> None:
        """Note that a company is bankrupt: its trains stay for sale, its markers are about to leave unnoticed."""
        self.ghosts[company.code] = (*self.ghosts.get(company.code, ()), *company.trains)
        ways = self._ways()
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
            return (self.companies[r.lot].par or 0) <= self.cash[r.winner]
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
        now = running.problem(self, company)
        if not now.runnable and (company.receivership or self.lner):
            return False
        graph = Survey(now)
        if any(way.to != node for node in bit_numbers(graph.own) for way in graph.graph.exits[node]):
            self.routed = tuple(sorted({*self.routed, company.code}))
        return bool(now.runnable) and company.code in self.routed


def _sees_london(s: State, r: Operating, company: Company) -> bool:
    """Return whether a route of the company leads to London, be that full or not."""
    return bool(company.unplaced and not r.laid and not company.london and survey(s, company).reaches_london)


def _has_means(s: State, seat: int) -> bool:
    """Return whether a player who can do nothing has the money for something.

    That is a company that has not been started, be it available or not, or a director's certificate in the pool.
    """
    if dealing.full(s, seat):
        return False
    for company in s.companies.values():
        if not company.gone and not dealing.sold(s, seat, company.code):
            price = company.price * (1 if company.ordinary_in_pool else DIRECTOR_SHARES)
            if (company.pool or not company.started) and (price or DIRECTOR_SHARES * MARKET.pars[0]) <= s.cash[seat]:
                return True
    return False


def remember(s: State, *, remembers: bool = True, waits: bool = False) -> SiteState:
    """Return a state with a memory, in which nothing is remembered yet."""
    fields = {name: getattr(s, name) for name in State.__struct_fields__}
    return SiteState(**fields, remembers=remembers, waits=waits)


def listen(s: State, tell: Tell) -> Tell:
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
            s.look(s.active)
        s.active = event.company if isinstance(event, TurnBegan) else ""
    elif isinstance(event, MergerEnded) and s.active == event.other:
        s.active = event.survivor
    elif isinstance(event, WentBankrupt):
        s.bury(s.companies[event.company])
    elif isinstance(event, TrainBought) and event.seller in s.ghosts:
        owned = s.companies[event.company].trains
        s.ghosts[event.seller] = tuple(train for train in s.ghosts[event.seller] if train not in owned)
