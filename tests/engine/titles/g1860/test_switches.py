"""Each switch of the rules that 18xx.games sets otherwise, alone: its two values, with all others at the book's.

The name of a question is that of the switch; docs/differences.md says of each what it means.
"""

from collections.abc import Callable
from inspect import getdoc

import pytest

from engine.errors import RuleError
from engine.finance.rounds import Pass
from engine.interop.g1860.profile import SWITCHES, TITLE
from engine.interop.profile import SITE
from engine.setup import Setup
from engine.titles.g1860 import companies, worth
from engine.titles.g1860.actions import (
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Dividend,
    Exchange,
    Run,
    Sell,
    SellPrivate,
    Start,
)
from engine.titles.g1860.rounds import stock
from engine.titles.g1860.rules import Rules, read_options
from engine.titles.g1860.state import CLOSED, State
from engine.titles.g1860.steps import building as track_step
from engine.titles.g1860.steps import running, trains
from engine.titles.g1860.track import Builder
from tests.architecture.test_documents import rows
from tests.engine.titles.g1860.positions import begin_operating, legal, operating, play, settle, table

Set = dict[str, bool]
WAITING = "cash 0 20\nprivates RPSC 0\nIOW . 5* | at 82 | 2+1"
NOBODYS = "cash 0 0\nIOW 1 1 | pool 2* | at 90 | 0cc | 2+1"
COWES_LINE = "F2 787, F4 742/3"


def poor_bidders_passed_over(sets: Set) -> object:
    s = TITLE.deal(Setup("1860", 3))
    s.auction.lots = ["RPSC"]
    s.rules = read_options(Setup("1860", 3)) if not sets else table("cash 0 0", switches=sets).rules
    s.cash = [670, 134, 670]
    s.auction.high, s.auction.leader, s.auction.turn = 5, 0, 1
    settle(s)
    return s.auction.turn


def may_buy_back_privates(sets: Set) -> object:
    s = table("cash 500 500\nprivates YHC 0", switches=sets)
    play(s, SellPrivate("YHC"))
    return BuyPrivate("YHC") in legal(s)


def exchange_in_own_turn(sets: Set) -> object:
    s = table(WAITING, number=1, turn=1, switches=sets)
    try:
        play(s, Exchange("RPSC"), seat=0)
    except RuleError:
        return "refused"
    return s.companies["IOW"].shares


def turn_goes_on_for_exchange_only(sets: Set) -> object:
    s = table("cash 300 300\nprivates CMH bank", phase="6", switches=sets)
    play(s, BuyPrivate("CMH"))
    return s.stock.turn


def asks_for_starts_only_if_possible(sets: Set) -> object:
    s = table("cash 108 500", layer=1, switches=sets)
    s.privates = dict.fromkeys(s.privates, CLOSED)
    return stock.can_act(s, 0)


def full_price_in_score(sets: Set) -> object:
    s = table("cash 0 0\nIOW 4* 2 | at 90 | new", options={"full_price": "on"}, switches=sets)
    return worth.find_holding_worth(s, s.companies["IOW"], 1)


def marks_operated_after_turn(sets: Set) -> object:
    text = "cash 0 0\nIOW 5* | at 90 | 900cc | 2+1 | new\nC&N . 5* | at 50 | 9cc | 2+1"
    s = operating(text, "IOW", "dividend", revenue=50, switches=sets)
    play(s, Dividend("pay"))
    return s.companies["IOW"].operated


def marker_placed_on_flotation(sets: Set) -> object:
    s = table("cash 300 300", switches=sets)
    play(s, Start("IOW", 82))
    return s.companies["IOW"].cell is None


def unfitting_home_tile_skipped(sets: Set) -> object:
    s = table("cash 500 500\nFYN 4* | par 62 | new", switches=sets)
    hexes = iter(["A7", "B6", "F12", "I9", "J4", "J8", "L6"])
    for tile in ("5", "6", "57", "115"):
        while s.board.count_left(tile):
            s.board = s.board.with_tile(next(hexes, f"x{tile}{s.board.count_left(tile)}"), tile, 0)
    play(s, BuyShare("FYN", "ipo"))
    return TITLE.actors(s), s.stock.homes


def asks_for_track_only_if_possible(sets: Set) -> object:
    s = operating("cash 0 0\nIOW 5* | at 90 | 9cc | 2+1 | homeless", "IOW", "track", switches=sets)
    return track_step.is_track_open_for(s, s.companies["IOW"])


def _builder(sets: Set, trains_owned: str = "2+1 4+2 3+2") -> Builder:
    s = operating(f"cash 0 0\nIOW 5* | at 90 | 9cc | {trains_owned}", "IOW", "track", switches=sets)
    return track_step.survey(s, s.companies["IOW"]).builder


def any_train_reaches_upgrades(sets: Set) -> object:
    return _builder(sets).fleet.trains


def upgrades_reached_without_re_entry(sets: Set) -> object:
    return _builder(sets).fleet.re_enter


def towns_take_city_places(sets: Set) -> object:
    return _builder(sets).fleet.apart


def upgrade_raises_station(sets: Set) -> object:
    return _builder(sets).raises_station


def _run(sets: Set, text: str, plan: str) -> object:
    s = operating(f"cash 0 0\n{text}", "C&N", "run", switches=sets, tiles=COWES_LINE)
    try:
        play(s, Run(plan))
    except RuleError:
        return "refused"
    return s.operating.revenue


def run_ends_counted(sets: Set) -> object:
    return _run(sets, "C&N 5* | at 90 | 9cc | 2+1 | bases G5", "2+1 F2.0-[F2.1]")


def all_trains_run(sets: Set) -> object:
    return _run(sets, "C&N 5* | at 90 | 9cc | 2+1 2+1 | bases G5", "2+1 F2.0-F2.1")


def run_joins_counted(sets: Set) -> object:
    s = table("cash 0 0\nC&N 5* | at 90 | 2+1", switches=sets)
    return running.make_problem(s, s.companies["C&N"], ["2+1"]).rules.join_counted


def puts_paid_marker_under(sets: Set) -> object:
    text = "cash 0 0\nIOW 5* 2 | at 90 | 2+1\nFYN 5* | at 90 | 2+1"
    s = operating(text, "IOW", "dividend", revenue=50, switches=sets)
    play(s, Dividend("pay"))
    return s.companies["IOW"].stamp > s.companies["FYN"].stamp


def pays_card_of_simplified_lease(sets: Set) -> object:
    s = table("cash 0 0\nIOW 5* | at 90", options={"insolvency": "simplified"}, switches=sets)
    return running.make_problem(s, s.companies["IOW"], ["3+2"], leased=True).rules.lease


def lease_half_rounded_up(sets: Set) -> object:
    s = table("cash 0 0\nIOW 5* | at 90", options={"insolvency": "original"}, switches=sets)
    return running.make_problem(s, s.companies["IOW"], ["3+2"], leased=True).rules.half_up


def exact_price_must_buy(sets: Set) -> object:
    s = operating("cash 90 0\nIOW 5* | at 90 | 250cc", "IOW", "train", switches=sets)
    return trains.must_buy(s, s.companies["IOW"])


def insolvent_until_it_buys(sets: Set) -> object:
    s = operating("cash 0 0\nIOW 5* | at 90 | 260cc | insolvent", "IOW", "run", switches=sets)
    settle(s)
    return s.companies["IOW"].insolvent


def insolvency_ends_with_train(sets: Set) -> object:
    text = "cash 0 0\nIOW 5* | at 90 | 40cc | insolvent\nC&N 5* | at 50 | 9cc | 2+1 2+1 2+1"
    s = operating(text, "IOW", "train", switches=sets)
    play(s, BuyTrain("2+1", "C&N", 10))
    return s.companies["IOW"].insolvent


def receiverships_run_by_rule(sets: Set) -> object:
    s = table(NOBODYS, tiles="J4 5/1", switches=sets)
    begin_operating(s)
    return s.companies["IOW"].cash > 0


def _nationalise(sets: Set, company: str) -> State:
    s = table(company, tiles="J4 5/1", switches=sets)
    s.formed = s.stopped = s.nationalised = True
    begin_operating(s)
    return s


def runs_nationalised_by_rule(sets: Set) -> object:
    s = _nationalise(sets, "cash 0 0\nIOW 5* | at 90 | 9cc | 2+1\nC&N . 5* | at 50 | 9cc | 2+1\nFYN 5* | at 40 | 2+1")
    return bool(s.over) or s.operating.step


def idles_nationalised_receiverships(sets: Set) -> object:
    s = _nationalise(sets, NOBODYS)
    return s.companies["IOW"].cash


def bankruptcy_ends_insolvency(sets: Set) -> object:
    text = "cash 300 400\nIOW 5* | at 7 | 0cc | insolvent\nC&N . 5* | at 90 | 0cc | 2+1"
    s = table(text, tiles="J4 5/1", switches=sets)
    play(s, Sell("IOW", 2))
    return s.companies["IOW"].insolvent


def nationalisation_stops_building(sets: Set) -> object:
    s = table("cash 0 0\nIOW 5* | at 90 | 9+5", formed=True, phase="9", switches=sets)
    companies.nationalise_if_due(s, lambda _: None)
    return s.stopped


def private_income_breaks_bank(sets: Set) -> object:
    s = table("cash 9980 0\nprivates RPSC 0\nIOW 5* 2 | at 90 | 9cc | 2+1", tiles="J4 5/1", switches=sets)
    begin_operating(s)
    return s.broken


def shares_halved_one_by_one(sets: Set) -> object:
    s = table("cash 0 0\nC&N 3* 3 | at 95", switches=sets)
    return worth.find_holding_worth(s, s.companies["C&N"], 0)


def asks_for_exchanges(sets: Set) -> object:
    return stock.can_act(table(WAITING, number=1, switches=sets), 0)


def director_certificate_stays_in_pool(sets: Set) -> object:
    s = table("cash 164 81\nIOW 1 . | pool 2* | par 82 at 82 | 2+1", switches=sets)
    return BuyShare("IOW", "pool") in legal(s)


def asks_for_privates_only_if_affordable(sets: Set) -> object:
    return stock.can_act(table("cash 1 107\nprivates CMH bank", switches=sets, layer=1), 0)


def hundredth_round_ends_game(sets: Set) -> object:
    s = table("cash 300 300\nIOW 5* 2 | at 90 | 450cc | 2+1", number=100, switches=sets)
    play(s, Pass(), Pass())
    return s.over


def exchange_after_flotation(sets: Set) -> object:
    s = table("cash 500 500\nprivates RPSC 0\nIOW 2* 2 | par 40 | bankrupt", switches=sets)
    return Exchange("RPSC") in legal(s)


ANSWERS: list[tuple[str, Callable[[Set], object], object, object]] = [
    ("poor_bidders_passed_over", poor_bidders_passed_over, 2, 1),
    ("sold_privates_bought_back", may_buy_back_privates, True, False),
    ("exchange_in_own_turn", exchange_in_own_turn, "refused", [1, 5]),
    ("turn_goes_on_for_exchange_only", turn_goes_on_for_exchange_only, 1, 0),
    ("asked_for_starts_only_if_possible", asks_for_starts_only_if_possible, False, True),
    ("full_price_in_score", full_price_in_score, 90, 180),
    ("operated_after_turn", marks_operated_after_turn, False, True),
    ("marker_placed_on_flotation", marker_placed_on_flotation, True, False),
    ("unfitting_home_tile_skipped", unfitting_home_tile_skipped, ((1,), []), ((0,), ["FYN"])),
    ("asked_for_track_only_if_possible", asks_for_track_only_if_possible, False, True),
    ("any_train_reaches_upgrades", any_train_reaches_upgrades, ((2, 1), (4, 2), (3, 2)), ((4, 2),)),
    ("upgrades_reached_without_re_entry", upgrades_reached_without_re_entry, False, True),
    ("towns_take_city_places", towns_take_city_places, False, True),
    ("upgrade_raises_station", upgrade_raises_station, True, False),
    ("run_ends_counted", run_ends_counted, "refused", 20),
    ("run_joins_counted", run_joins_counted, True, False),
    ("all_trains_run", all_trains_run, "refused", 30),
    ("paid_marker_goes_under", puts_paid_marker_under, True, False),
    ("simplified_lease_pays_card", pays_card_of_simplified_lease, "card", "stops"),
    ("lease_half_rounded_up", lease_half_rounded_up, True, False),
    ("exact_price_must_buy", exact_price_must_buy, True, False),
    ("insolvent_until_it_buys", insolvent_until_it_buys, True, False),
    ("insolvency_ends_with_train", insolvency_ends_with_train, False, True),
    ("receiverships_run_by_rule", receiverships_run_by_rule, True, False),
    ("nationalised_run_by_rule", runs_nationalised_by_rule, True, "run"),
    ("nationalised_receiverships_idle", idles_nationalised_receiverships, 0, 50),
    ("bankruptcy_ends_insolvency", bankruptcy_ends_insolvency, False, True),
    ("nationalisation_stops_building", nationalisation_stops_building, True, False),
    ("private_income_breaks_bank", private_income_breaks_bank, True, False),
    ("shares_halved_one_by_one", shares_halved_one_by_one, 3 * 47, 95 + 47),
    ("asked_for_exchanges", asks_for_exchanges, True, False),
    ("director_certificate_stays_in_pool", director_certificate_stays_in_pool, False, True),
    ("asked_for_privates_only_if_affordable", asks_for_privates_only_if_affordable, False, True),
    ("hundredth_round_ends_game", hundredth_round_ends_game, "", "hundredth_round"),
    ("exchange_after_flotation", exchange_after_flotation, False, True),
]
IDS = [switch for switch, *_ in ANSWERS]


@pytest.mark.parametrize(("name", "question", "book", "other"), ANSWERS, ids=IDS)
def test_a_switch_changes_its_own_rule_alone(
    name: str, question: Callable[[Set], object], book: object, other: object
) -> None:
    value = getattr(read_options(Setup("1860", 2)), name)
    assert question({}) == question({name: value}) == book
    assert question({name: not value}) == other


def test_every_switch_of_the_profile_is_asked_and_told() -> None:
    """Each has a question above, a line in ``Rules``, a row in the list of differences, and its value in the deal."""
    by_book, there = TITLE.deal(Setup("1860", 2)).rules, TITLE.deal(Setup("1860", 2, {"profile": SITE})).rules
    names = [name for _, name, _ in SWITCHES]
    assert sorted(names) == sorted(IDS)
    assert {name for name in Rules.__struct_fields__ if getattr(by_book, name) != getattr(there, name)} == set(names)
    for row, name, value in SWITCHES:
        assert getattr(there, name) is value
        assert f"`{name}`" in rows("differences.md")["g1860"][str(row)], name
        assert f"{name}: " in (getdoc(Rules) or ""), name
