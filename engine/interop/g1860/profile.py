"""1860 as on 18xx.games: which switches of the rules it has otherwise, and what it remembers."""

from msgspec.structs import replace

from engine.finance.events import Declined, RoundBegun, TurnBegan
from engine.interop.profile import SiteProfile, play_as_on_18xx_games
from engine.rails.laying import TileLaid
from engine.record import Event
from engine.setup import Setup
from engine.title import Tell, Title
from engine.titles import g1860
from engine.titles.g1860 import setup as deals
from engine.titles.g1860.events import BasePlaced
from engine.titles.g1860.rules import read_options
from engine.titles.g1860.state import Company, Operating, State


class RememberingState(State):
    """A state of 1860 that remembers ways, which no rule asks for (differences 80).

    18xx.games remembers the ways that it has looked for until the next tile or base is built. A company that has had
    its turn since does not see a home base that a flotation brings, and is asked again for a base that it could have
    built before.

    Args:
        acting: company whose turn it is, or was last.
        looked: companies that have had a turn since a tile or a base was built.
        declined: companies that could have built a base since, and did not.
        unseen: whose home base came after which of them had looked: (who looked, whose base).
    """

    acting: str = ""
    looked: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    unseen: tuple[tuple[str, str], ...] = ()

    def find_unseen_homes(self, company: Company) -> tuple[str, ...]:
        """Return whose home base a company does not see, as it looked for its ways before."""
        return tuple(code for who, code in self.unseen if who == company.code)

    def is_asked_again_for_a_base(self, company: Company) -> bool:
        """Return whether a company could have built a base, as far as its ways are remembered."""
        return company.code in self.declined

    def note(self, event: Event) -> None:
        """Take note of a fact."""
        if isinstance(event, TurnBegan | RoundBegun):
            self._note_turn()
        if isinstance(self.round, Operating) and self.round.step:
            self.acting = self.round.code
        if isinstance(event, Declined) and event.what == "base":
            self.declined = tuple(sorted({*self.declined, event.company}))
        elif isinstance(event, BasePlaced) and event.cost == 0:  # a home base, placed as the company floats
            self.unseen = (*self.unseen, *((who, event.company) for who in self.looked))
        elif isinstance(event, BasePlaced | TileLaid):
            self.looked, self.declined, self.unseen = (), (), ()

    def _note_turn(self) -> None:
        """Note that the company whose turn is over has looked at its ways."""
        if self.acting:
            self.looked = tuple(sorted({*self.looked, self.acting}))
        self.acting = ""


def note_first(s: State, tell: Tell) -> Tell:
    """Return a way to tell facts by which a state that remembers ways takes note of them first."""
    if not isinstance(s, RememberingState):
        return tell

    def hear(event: Event) -> None:
        s.note(event)
        tell(event)

    return hear


SWITCHES: tuple[tuple[int, str, bool], ...] = (
    (3, "poor_bidders_passed_over", False),
    (8, "sold_privates_bought_back", False),
    (9, "exchange_in_own_turn", False),
    (9, "turn_goes_on_for_exchange_only", False),
    (10, "asked_for_starts_only_if_possible", False),
    (17, "full_price_in_score", True),
    (17, "operated_after_turn", False),
    (19, "marker_placed_on_flotation", False),
    (20, "unfitting_home_tile_skipped", False),
    (22, "asked_for_track_only_if_possible", False),
    (23, "any_train_reaches_upgrades", False),
    (24, "upgrades_reached_without_re_entry", False),
    (33, "run_ends_counted", False),
    (34, "run_joins_counted", False),
    (39, "paid_marker_goes_under", False),
    (44, "simplified_lease_pays_card", False),
    (45, "lease_half_rounded_up", False),
    (46, "exact_price_must_buy", False),
    (47, "insolvent_until_it_buys", False),
    (48, "insolvency_ends_with_train", False),
    (49, "receiverships_run_by_rule", False),
    (51, "bankruptcy_ends_insolvency", False),
    (61, "nationalisation_stops_building", False),
    (63, "nationalised_receiverships_idle", False),
    (65, "private_income_breaks_bank", False),
    (67, "shares_halved_one_by_one", False),
    (69, "asked_for_exchanges", False),
    (70, "towns_take_city_places", False),
    (73, "all_trains_run", False),
    (75, "director_certificate_stays_in_pool", False),
    (76, "asked_for_privates_only_if_affordable", False),
    (82, "hundredth_round_ends_game", True),
    (84, "exchange_after_flotation", False),
    (85, "upgrade_raises_station", False),
    (86, "nationalised_run_by_rule", False),
)
"""Each switch that has another value there: its row in the list of differences, its name, the value."""


def deal(setup: Setup) -> State:
    """Return the state a game of the profile begins with.

    Raises:
        RuleError: the number of players or the options are not allowed.
    """
    rules = replace(read_options(setup), **{name: value for _, name, value in SWITCHES})
    return deals.deal(setup, rules, RememberingState)


TITLE: Title[State] = play_as_on_18xx_games(g1860.TITLE, SiteProfile(2, deal, note_first), __package__)
