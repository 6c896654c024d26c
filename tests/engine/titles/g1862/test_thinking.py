"""The stand-in of 1862: what it plays is legal, has a reason, and is the same for the same chance."""

from functools import cache
from typing import Literal

import pytest

from engine import Rng, Setup
from engine.finance.rounds import Pass
from engine.game import LogEntry, play_entry
from engine.player import read_manner, think
from engine.title import ignore_event
from engine.titles.g1862 import TITLE, outlook, thinking
from engine.titles.g1862 import actions as a
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Merging, State
from tests.engine.titles.g1862.positions import operating, parliament, play, stock, table
from tests.playthroughs.record import read

TRIES = 12


@cache
def list_positions() -> list[tuple[State, int]]:
    """Return positions all over a game, each with the seat that is asked."""
    kept = read("1862-3")
    s, found = TITLE.deal(kept.setup), list[tuple[State, int]]()
    for number, entry in enumerate(kept.read_log()):
        if number % 23 == 0:
            found.append((s.clone(), entry.seat))
        play_entry(TITLE, s, entry, ignore_event)
    return found


def test_each_thought_is_legal_and_the_same_for_the_same_chance() -> None:
    for s, seat in list_positions():
        thought = think(TITLE, s, seat, Rng(1), TRIES)
        before = s.clone()
        TITLE.check(s.clone(), seat, TITLE.spell_out(s, seat, thought.action))
        assert s == before
        assert not thought.reason.endswith(".")
        assert thought == think(TITLE, s, seat, Rng(1), TRIES)


def find_position(step: str) -> tuple[State, int]:
    """Return the last position in which a company is at a step and may pass."""
    fitting = [
        (s, seat) for s, seat in list_positions()
        if getattr(s.round, "step", "") == step and Pass() in list(turn.list_legal(s, seat))
    ]  # fmt: skip
    return fitting[-1]


def test_a_game_goes_from_parliament_to_an_operating_turn() -> None:
    """Each player starts a company that can be floated by one alone."""
    s = TITLE.deal(Setup("1862", 3, seed=3))
    while s.name != "OR 1.1":
        seat = TITLE.actors(s)[0]
        action = think(TITLE, s, seat, Rng(len(s.marks)), TRIES).action
        play_entry(TITLE, s, LogEntry(seat, action), ignore_event)
    started = [company for company in s.companies.values() if company.started]
    assert {company.director for company in started} == {0, 1, 2}
    assert all(company.floated for company in started)


def test_a_train_is_bought_only_if_a_run_grows_or_others_rust() -> None:
    s, seat = find_position("train")
    company = s.companies[s.operating.code]
    company.cash = 10_000
    thought = think(TITLE, s, seat, Rng(1), TRIES)
    gains = outlook.find_best_face(s, company)[1] > outlook.estimate_run(s, company)
    rust = not outlook.list_lasting_faces(s, company)
    assert isinstance(thought.action, a.BuyTrain) == (gains or rust)


@pytest.mark.parametrize(("worth", "choice"), [(10_000, a.Option("redeem")), (0, a.Option("sell"))])
def test_an_option_is_paid_for_where_the_share_brings_more(
    worth: int, choice: a.Option, monkeypatch: pytest.MonkeyPatch
) -> None:
    s, _ = find_position("train")
    s = s.clone()
    s.operating.merging = Merging("FDR", "L&E", "merge", 0, 100, [], redeem=50, sell=50, parts=1)
    monkeypatch.setattr(outlook, "forecast_share", lambda s, company: (worth, 0))
    assert thinking._choose_option(s, [a.Option("redeem"), a.Option("sell")]).action == choice
    assert thinking._choose_option(s, [a.Option("sell")]).action == a.Option("sell")


def test_a_share_of_a_company_without_a_run_loses_and_one_that_pays_gains() -> None:
    """A dividend of at least the price moves it up two spaces, none moves it down."""
    s = next(s for s, _ in reversed(list_positions()) if any(each.trains for each in s.companies.values()))
    company = next(each for each in s.companies.values() if each.trains)
    assert outlook.forecast_share(s, company, 0) <= (0, company.price // 2)
    paid, price = outlook.forecast_share(s, company, 4 * company.price)
    assert paid >= outlook.count_rounds_left(s) * 4 * company.price // 10
    assert price > company.price


TILES = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
MANNERS = ("", "bold", "steady", "club", "beginner")


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(("asks", "asked", "reply"), [("N&E", "WStI", "accept"), ("WStI", "N&E", "decline")])
def test_a_good_merger_is_accepted_and_a_bad_one_declined(
    manner: str, asks: str, asked: str, reply: Literal["accept", "decline"]
) -> None:
    """At every level and in every temper, a fair answer: N&E runs for £80 a round, WStI for nothing."""
    holders = {asks: "5*,0,0,0", asked: "0,5*,0,0"}
    able, idle = f"N&E 90 {holders['N&E']} trains=2L at=B13", f"WStI 82 {holders['WStI']} at=B5,B13"
    text = f"{able} permits=local cash=0\n{idle} permits=local cash=0"
    s = operating(table(text, tiles=TILES), asks, "merge")
    play(s, a.Merge(asked, "N&E"))
    assert think(TITLE, s, 1, Rng(1), TRIES, read_manner(manner)).action == a.Answer(reply)


@pytest.mark.parametrize("manner", MANNERS[:3])
def test_a_director_who_is_last_pays_though_the_leader_gets_most(manner: str) -> None:
    """No company is harmed out of spite."""
    s = table("N&E 90 3*,6,0,0 trains=2L at=B13 permits=local cash=0", tiles=TILES, cash=[0, 5000, 900, 900])
    operating(s, "N&E", "dividend").operating.revenue = 80
    assert think(TITLE, s, 0, Rng(1), TRIES, read_manner(manner)).action == a.Dividend("pay")


@pytest.mark.parametrize("manner", MANNERS[:3])
def test_a_player_whom_nothing_pays_passes(manner: str) -> None:
    """No one has to wait for moves that lead nowhere; a director keeps the shares of a company without a train."""
    s = stock(table("N&E 90 5*,0,0,0 at=B13 permits=local cash=0", tiles=TILES, cash=[50, 900, 900, 900]))
    assert len(list(turn.list_legal(s, 0))) > 1
    assert think(TITLE, s, 0, Rng(1), TRIES, read_manner(manner)).action == Pass()


def test_of_the_bold_money_that_lies_idle_buys_a_train_that_no_run_needs_yet() -> None:
    bold = read_manner("strong-bold")
    s = table("N&E 90 5*,0,0,0 trains=2L at=B13 permits=local cash=900", tiles=TILES)
    thought = think(TITLE, operating(s, "N&E", "train"), 0, Rng(1), TRIES, bold)
    assert thought.action == a.BuyTrain("2L", "bank")
    assert "lies idle" in thought.reason
    assert think(TITLE, s, 0, Rng(1), TRIES).action == Pass()
    s.companies["N&E"].cash = 150
    assert think(TITLE, s, 0, Rng(1), TRIES, bold).action == Pass()


def test_no_train_is_bought_that_others_will_have_rusted_before_it_runs() -> None:
    """Thirteen trains are left before the 1F, 2L and 2E rust; three rich companies buy one each."""
    rich = "\n".join(f"{code} 90 0,5*,0,0 cash=900" for code in ("ESR", "FDR", "WVR"))
    s = table(f"N&E 90 5*,0,0,0 at=B13 trains=2L permits=local cash=900\n{rich}", tiles=TILES)
    operating(s, "N&E", "train")
    assert not outlook.will_rust_soon(s, s.companies["N&E"])
    s.depot |= {"A": 1, "B": 2}
    assert outlook.will_rust_soon(s, s.companies["N&E"])
    assert think(TITLE, s, 0, Rng(1), TRIES).action == Pass()


@pytest.mark.parametrize(
    ("shares", "rounds", "waits"), [("5*,0,0,0", 3, True), ("5*,0,0,0", 4, False), ("0,5*,0,0", 3, False)]
)
def test_a_train_that_rusts_those_of_other_companies_of_ones_own_waits(
    shares: str, rounds: int, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """N&E runs for £80 and has no money for another train; WStI runs for nothing."""
    poor = f"N&E 90 {shares} at=B13 trains=2L permits=local cash=0"
    text = f"{poor}\nWStI 82 3*,0,0,0 at=B5,B13 trains=2L permits=local cash=300"
    s = operating(table(text, tiles=TILES, phase="B"), "WStI", "train")
    s.depot |= {"A": 0, "B": 0}
    monkeypatch.setattr(outlook, "count_rounds_played", lambda _: rounds)
    thought = think(TITLE, s, 0, Rng(1), TRIES)
    assert (thought.action == Pass()) == waits
    assert ("would rust" in thought.reason) == waits


def test_a_share_makes_room_for_a_better_one_where_no_more_certificates_may_be_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    s = stock(table("N&E 90 4*,0,0,0\nWStI 90 1,4*,0,0", tiles=TILES), turn_of=0)
    s.limit = s.count_certificates(0)
    worth = {"N&E": 400, "WStI": 100}
    monkeypatch.setattr(outlook, "forecast_share", lambda _, company, __=None: (0, worth[company.code]))
    thought = think(TITLE, s, 0, Rng(1), TRIES)
    assert thought.action == a.Sell("WStI", 1)
    assert thought.reason.startswith("a share of N&E brings about £")
    worth["N&E"] = 100
    assert think(TITLE, s, 0, Rng(1), TRIES).action == Pass()


@pytest.mark.parametrize(("worth", "free", "starts"), [(10_000, 9, False), (0, 9, True), (0, 2, False)])
def test_a_company_is_started_where_no_share_brings_more_and_it_can_be_floated(
    worth: int, free: int, starts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A share costs par in the IPO, however high the price has risen; a company needs three certificates to float."""
    s = stock(table("N&E 275 0,5*,0,0 ipo=5 trains=2L at=B13 permits=local", tiles=TILES), turn_of=0)
    s.limit = s.count_certificates(0) + free
    monkeypatch.setattr(outlook, "forecast_share", lambda *_: (worth, 0))
    action = think(TITLE, s, 0, Rng(1), TRIES).action
    assert isinstance(action, a.Start) == starts
    assert (action == a.BuyShare("N&E", "ipo")) == bool(worth)


def test_a_company_that_could_buy_no_train_is_not_started() -> None:
    """Five shares at £100 bring it £420 after two markers; a 9F, 6L or 6E costs £800."""
    s = stock(table(tiles=TILES, phase="H", cash=[520, 0, 0, 0]), turn_of=0)
    s.depot |= dict.fromkeys("ABCDEFG", 0)
    assert any(isinstance(move, a.Start) for move in turn.list_legal(s, 0))
    assert think(TITLE, s, 0, Rng(1), TRIES).action == Pass()
    s.cash[0] = 950
    assert isinstance(think(TITLE, s, 0, Rng(1), TRIES).action, a.Start)


def test_a_company_starts_at_the_lowest_price_that_pays_for_two_trains() -> None:
    """At £54 a chartered company gets £540 and pays £180 for markers; the first trains cost £100 and £200."""
    s = parliament(table(tiles=TILES), turn_of=0)
    play(s, think(TITLE, s, 0, Rng(1), TRIES).action)
    s.parliament.winner = 0
    thought = think(TITLE, s, 0, Rng(1), TRIES)
    assert thought.action == a.Start(s.parliament.lot, 54)
    assert thought.reason == "the lowest price that pays for two trains"


@pytest.mark.parametrize(("worth", "cash", "opens"), [(10_000, 100, False), (0, 100, True), (10_000, 99, True)])
def test_no_charter_is_bid_for_with_money_that_shares_need(
    worth: int, cash: int, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of companies that can pay £100 for their next train; others end when their trains rust."""
    lines = [
        f"{code} 275 0,5*,0,0 ipo=5 trains=2L permits=local cash={cash}"
        for code in ("N&E", "WStI", "ESR", "FDR", "WVR")
    ]
    s = parliament(table("\n".join(lines), tiles=TILES, cash=[700, 0, 0, 0]), turn_of=0)
    monkeypatch.setattr(outlook, "forecast_share", lambda *_: (worth, 0))
    thought = think(TITLE, s, 0, Rng(1), TRIES)
    assert isinstance(thought.action, a.Bid) == opens
    assert ("shares on offer" in thought.reason) == (not opens)


@pytest.mark.parametrize(("best", "keeps"), [(120, True), (50, False)])
def test_money_is_kept_for_a_train_that_will_be_bought(best: int, keeps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A train that adds nothing to the run isn't bought when its time comes."""
    s = table("N&E 200 5*,0,0,0 at=B13 trains=2L permits=local cash=60", tiles=TILES)
    operating(s, "N&E", "dividend").operating.revenue = 50
    monkeypatch.setattr(outlook, "is_keeping_better", lambda *_: True)
    monkeypatch.setattr(outlook, "find_best_face", lambda *_: ("2L", best))
    monkeypatch.setattr(outlook, "estimate_run", lambda *_: 50)
    thought = think(TITLE, s, 0, Rng(1), TRIES)
    assert (thought.action == a.Dividend("keep")) == keeps
    assert (thought.reason == "for a train that earns about £70 more a round") == keeps


@pytest.mark.parametrize(("trains", "buys"), [("4L", True), ("4L,4/5L", False)])
def test_a_company_buys_the_first_train_that_stays_before_the_run_needs_it(trains: str, buys: bool) -> None:
    """The 4L rusts in phase G, when all others cost more."""
    s = table(f"N&E 90 5*,0,0,0 at=B13 trains={trains} permits=local cash=520", tiles=TILES, phase="E")
    s.depot |= dict.fromkeys("ABCD", 0)
    thought = think(TITLE, operating(s, "N&E", "train"), 0, Rng(1), TRIES)
    assert (thought.action == a.BuyTrain("4/5L", "bank")) == buys
    assert (thought.reason == "it stays, the others will rust") == buys


@pytest.mark.parametrize(("rounds", "buys"), [(1, False), (2, True)])
def test_where_a_game_stands_still_idle_money_buys_a_train(
    rounds: int, buys: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rounds after the first trains, someone must buy the next ones, though no run needs them yet."""
    s = table("N&E 90 5*,0,0,0 trains=2L at=B13 permits=local cash=250", tiles=TILES)
    monkeypatch.setattr(outlook, "count_rounds_played", lambda _: rounds)
    thought = think(TITLE, operating(s, "N&E", "train"), 0, Rng(1), TRIES)
    assert (thought.action == a.BuyTrain("2L", "bank")) == buys


@pytest.mark.parametrize(
    ("trains", "gain", "buys"),
    [("3L,3L", 90, False), ("3L,3L", 100, True), ("3L", 10, True), ("2L,3L", 10, False)],
)
def test_a_train_that_adds_little_leaves_the_last_place_of_its_type_to_a_better_one(
    trains: str, gain: int, buys: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A company may have three trains of a type; a third 3L, which will rust, must earn its £280 in three rounds."""
    s = table(f"N&E 90 5*,0,0,0 trains={trains} at=B13 permits=local cash=800", tiles=TILES, phase="C")
    s.depot |= {"A": 0, "B": 0}
    monkeypatch.setattr(outlook, "estimate_run", lambda *_: 100)
    monkeypatch.setattr(outlook, "find_best_face", lambda *_: ("3L", 100 + gain))
    thought = think(TITLE, operating(s, "N&E", "train"), 0, Rng(1), TRIES)
    assert (thought.action == a.BuyTrain("3L", "bank")) == buys
    assert (thought.reason == "it would add little, and leave no place for a better one") != buys


def test_revenue_is_kept_once_for_a_better_train_and_twice_for_a_much_better_one() -> None:
    s = table("N&E 90 5*,0,0,0 at=B13 trains=2L permits=local cash=0", tiles=TILES)
    better = [
        [outlook.is_keeping_better(s, s.companies["N&E"], 80, later, times) for times in (1, 2)]
        for later in (80, 90, 110)
    ]
    assert better == [[False, False], [True, False], [True, True]]


def test_shares_of_a_company_that_has_just_floated_are_bought() -> None:
    """No train could run on its track yet, but it will build some; after a turn without a run it has no excuse."""
    s = stock(table("N&E 54 0,5*,0,0 ipo=5 at=B13 permits=local cash=360", cash=[60, 0, 0, 0]), turn_of=0)
    assert think(TITLE, s, 0, Rng(1), TRIES).action == Pass()
    s.companies["N&E"].operated = False
    assert think(TITLE, s, 0, Rng(1), TRIES).action == a.BuyShare("N&E", "ipo")


def test_a_company_that_needs_a_train_takes_it_from_one_that_keeps_another() -> None:
    rich = "WStI 82 5*,0,0,0 at=B5 trains=2L,2L\nFDR 82 5*,0,0,0 at=C6 trains=2L"
    s = table(f"N&E 90 5*,0,0,0 at=B13 permits=local cash=60\n{rich}", tiles=TILES, phase="B")
    s.depot |= {"A": 0}
    action = think(TITLE, operating(s, "N&E", "train"), 0, Rng(1), TRIES).action
    assert isinstance(action, a.BuyTrain)
    assert action.seller == "WStI"


def test_a_place_that_a_train_of_a_new_phase_makes_free_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first 3L rusts the 2L."""
    s = table("N&E 90 5*,0,0,0 trains=2L,2/3L at=B13 permits=local cash=800", tiles=TILES, phase="B")
    s.depot |= {"A": 0, "B": 0}
    monkeypatch.setattr(outlook, "estimate_run", lambda *_: 100)
    monkeypatch.setattr(outlook, "find_best_face", lambda *_: ("3L", 110))
    monkeypatch.setattr(thinking, "_is_harmful", lambda *_: False)
    thought = think(TITLE, operating(s, "N&E", "train"), 0, Rng(1), TRIES)
    assert thought.action == a.BuyTrain("3L", "bank")
