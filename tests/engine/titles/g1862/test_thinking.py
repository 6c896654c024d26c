"""The stand-in of 1862: what it plays is legal, has a reason, and is the same for the same chance."""

from functools import cache

import pytest

from engine import Rng, Setup
from engine.finance.rounds import Pass
from engine.game import LogEntry, play_entry
from engine.player import think
from engine.title import ignore_event
from engine.titles.g1862 import TITLE, outlook, thinking
from engine.titles.g1862 import actions as a
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Merging, State
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
    assert thinking._choose_option(s, [a.Option("redeem"), a.Option("sell")]) == choice
    assert thinking._choose_option(s, [a.Option("sell")]) == a.Option("sell")


def test_a_share_of_a_company_without_a_run_loses_and_one_that_pays_gains() -> None:
    """A dividend of at least the price moves it up two spaces, none moves it down."""
    s = next(s for s, _ in reversed(list_positions()) if any(each.trains for each in s.companies.values()))
    company = next(each for each in s.companies.values() if each.trains)
    assert outlook.forecast_share(s, company, 0) <= (0, company.price // 2)
    paid, price = outlook.forecast_share(s, company, 4 * company.price)
    assert paid >= outlook.count_rounds_left(s) * 4 * company.price // 10
    assert price > company.price
