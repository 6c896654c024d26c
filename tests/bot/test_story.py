"""The story of a finished game: what it says, and that its sums are those of the game."""

import msgspec
import pytest

from bot.screens.story import MAX_STORY_LENGTH, MORE, format_account, format_chapters, shorten
from bot.service.workers.account import Account, RunReport, Stake, build_account
from bot.service.workers.jobs import Held
from engine import TITLES, Game
from engine.finance.rounds import EndGame
from engine.game import play_entry
from engine.title import Ran
from engine.view import Chart, Series
from tests.playthroughs.record import read
from tests.support.changed_title import change
from tests.support.sure import sure

NAMES = ("Ann", "Bob", "Cid")
VALUES = ((0, 30, 40, 90), (0, 20, 60, 80), (0, 20, 10, 5))
STEPS = ("SR 1", "OR 1", "SR 2", "OR 2")


def lines(found: Account) -> dict[str, str]:
    return {each.about: each.text for each in format_account(found, NAMES)}


def test_turning_points_are_changes_of_the_lead() -> None:
    """Who is level with the leader has not taken it; all level at the start lead no one."""
    found = lines(Account(STEPS, VALUES, "£"))
    assert found["Turning points"] == "in the lead: Ann from OR 1, Bob from SR 2, Ann only at the end."
    assert found["Biggest gain"] == "Ann £50 in OR 2; biggest loss: Cid £10 in SR 2."
    assert found["Worth"].startswith("after SR 1, OR 1, SR 2, OR 2\n• Ann £0 → £30 → £40 → £90\n• Bob")


def test_a_tie_is_broken_as_the_rules_say() -> None:
    """Who is level at the end has not won by points: the game's result says who has won."""
    rows = ((0, 10, 1540), (0, 30, 1540), (0, 20, 900))
    level = "in the lead: Bob from turn 1; Ann and Bob finish level at $1,540, and"
    for winners, told in (((0,), "Ann wins the tie-break"), ((0, 1), "Ann and Bob share the win")):
        found = lines(Account(("start", "turn 1", "end"), rows, "$", winners=winners))
        assert found["Turning points"] == f"{level} {told}."
    of_three = lines(Account(("start", "turn 1", "end"), ((0, 5, 9), (0, 5, 9), (0, 5, 9)), "$", winners=(2, 1)))
    assert of_three["Turning points"].startswith("Ann, Bob and Cid finish level at $9, and Cid and Bob share")


def test_the_final_count_is_no_ones_biggest_gain() -> None:
    found = lines(Account(("start", "turn 1", "end"), ((0, 30, 930), (0, 40, 900), (0, 0, 800)), "$", winners=(0,)))
    assert found["Biggest gain"] == "Bob $40 in turn 1."
    assert found["Worth"].startswith("at the start, after turn 1, at the end\n• Ann $0 → $30 → $930")


def test_a_lead_that_changes_often_is_counted() -> None:
    rows = tuple(tuple(10 * (at % 2 == seat) for at in range(9)) for seat in range(2))
    found = lines(Account(tuple(f"OR {at}" for at in range(9)), rows, "£"))
    assert found["Turning points"] == "the lead changed 8 times, last in OR 8, to Ann."


def test_of_a_long_course_six_moments_are_shown() -> None:
    """Evenly spread, the first and the last among them."""
    steps = tuple(f"OR {at}" for at in range(9))
    runs = tuple(RunReport(step, "ECR", 0, 10 * at) for at, step in enumerate(steps))
    found = lines(Account(steps, (tuple(range(9)), (0,) * 9, (0,) * 9), "£", runs))
    assert found["Worth"].startswith("after OR 0, OR 2, OR 3, OR 5, OR 6, OR 8\n• Ann £0 → £2 → £3 → £5 → £6 → £8\n")
    assert found["Revenue"].endswith(
        "Total per round: £0 (OR 0) → £20 (OR 2) → £30 (OR 3) → £50 (OR 5) → £60 (OR 6) → £80 (OR 8)."
    )


def test_missed_earnings_are_shown_for_each_player() -> None:
    """Runs that a company makes by itself are no one's; the dearest miss is named."""
    runs = (
        RunReport("OR 1", "ECR", 0, 80, 30, proven=True),
        RunReport("OR 2", "ECR", 0, 90, 10, proven=True),
        RunReport("OR 2", "N&E", 1, 120, proven=True),
        RunReport("OR 2", "GYS", -1, 200, left=50),
    )
    found = lines(Account(unit="£", runs=runs))
    assert found["Left on the table"] == "Ann £40 in 2 runs (£30 of it by ECR in OR 1) · Bob and Cid nothing."
    assert found["Revenue"] == "4 runs, the best £200 by GYS (OR 2). Total per round: £80 (OR 1) → £410 (OR 2)."
    assert lines(Account(runs=runs[2:3]))["Left on the table"] == "nothing; every run was the best possible."


def test_no_more_is_said_of_runs_than_a_search_has_proven() -> None:
    runs = (RunReport("OR 1", "ECR", 0, 80, proven=True), RunReport("OR 2", "N&E", 1, 120))
    assert lines(Account(runs=runs))["Left on the table"] == (
        "nothing; a short search found no better run. The best is certain for 1 run of 2 only."
    )
    missed = (*runs, RunReport("OR 3", "N&E", 1, 120, left=40))
    assert lines(Account(unit="£", runs=missed))["Left on the table"] == (
        "at least: Bob £40 in 1 run (N&E in OR 3) · Ann and Cid nothing that was found. "
        "The best is certain for 1 run of 3 only."
    )


def test_stakes_are_sorted_by_their_profit() -> None:
    stakes = (Stake(0, "ECR", 100, 500), Stake(0, "N&E", 900, 0), Stake(1, "ECR", 200, 650))
    found = lines(Account(unit="£", stakes=stakes))
    assert found["Stakes"] == "the best Bob's in ECR (paid £200, got £650); the worst Ann's in N&E (paid £900, got £0)."
    assert found["Ann"] == "best ECR (paid £100, got £500), worst N&E (paid £900, got £0)."
    assert "Bob" not in found, "one stake is no choice"


def test_a_story_fits_into_a_message_and_says_where_the_rest_is() -> None:
    steps = tuple(f"OR {at}.{at}" for at in range(400))
    runs = tuple(RunReport(step, "ECR", 0, 100) for step in steps)
    long = format_account(Account(steps, tuple(tuple(range(400)) for _ in range(8)), "£", runs), ["N" * 80] * 8)
    story = shorten(long)
    assert story[-1] == MORE
    assert {each.about for each in long} - {each.about for each in story} >= {"Revenue", "Left on the table"}
    assert len(format_chapters(story)) <= MAX_STORY_LENGTH
    assert shorten(long[:1]) == long[:1], "a game of which there is no more to read"


def test_the_account_of_a_kept_game_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cash at the start, and what all stakes brought beyond their cost, is each player's score, mergers included."""
    monkeypatch.setattr("bot.service.workers.account.MAX_RUNS_EXAMINED", 24)
    kept = read("1862-4")
    game = Game.new(kept.setup)
    start, state = tuple(game.state.cash), game.title.clone(game.state)
    for said in kept.read_log():
        play_entry(game.title, state, said, lambda _: None)
    found = build_account(Held(Game(kept.setup, kept.read_log(), tuple(range(len(kept.read_log()))), state)), None)
    gains = [sum(stake.got - stake.paid for stake in found.stakes if stake.seat == seat) for seat in range(4)]
    scores = {score.seat: score.total for score in sure(game.title.result(state)).scores}
    assert {seat: cash + gain for seat, (cash, gain) in enumerate(zip(start, gains, strict=True))} == scores
    assert [(run.company, run.round, run.left) for run in found.runs if run.left] == [("ECR", "OR 5.1", 30)]
    assert 0 < sum(run.seat < 0 for run in found.runs) < 10


@pytest.mark.parametrize("name", ["1860-3", "1860-variable_privates-on"])
def test_private_companies_and_bids_belong_to_the_stakes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is missing between the cash at the start and the score."""
    monkeypatch.setattr("bot.service.workers.account.MAX_RUNS_EXAMINED", 1)
    kept = read(name)
    game = Game.replay(kept.setup, kept.read_log())
    found, start = build_account(Held(game), None), Game.new(kept.setup).state.cash
    gains = [sum(stake.got - stake.paid for stake in found.stakes if stake.seat == seat) for seat in range(3)]
    assert tuple(cash + gain for cash, gain in zip(start, gains, strict=True)) == kept.totals
    assert any(stake.company == "private companies" for stake in found.stakes)
    turns = [(run.round, run.company) for run in found.runs]
    assert len(set(turns)) == len(turns) > 100, "a company runs once in a round, those too that run after the last move"


def test_a_game_that_a_vote_ended_is_counted_where_it_stood() -> None:
    """Of the round under way the chart has no step; the scores have."""
    kept = read("1860-3")
    game = Game.replay(kept.setup, [*kept.read_log()[:200]])
    found = build_account(Held(game.play(game.actors[0], EndGame()).game), None)
    assert found.steps[-1] == "end"
    assert len(found.winners) == 1
    assert found.values[found.winners[0]][-1] == max(row[-1] for row in found.values)


def test_runs_all_over_a_long_game_are_compared_with_their_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """A glance at each takes time. What a run left is what the best one earns more, with the subsidies of both."""
    kept = read("1860-insolvency-simplified")
    game = Game.replay(kept.setup, kept.read_log()[:107])
    asked = []

    def best(state: object) -> Ran:
        asked.append(state)
        return Ran("C&N" if len(asked) != 2 else "another", 50, 20)

    story = msgspec.structs.replace(sure(game.title.story), best=best)
    chart = Chart("Worth", "", ("SR 1",), (Series("Ann", (None,)), Series("Bob", (7,))), unit="£")
    changed = change(game.title, story=story, look=lambda _state, _request: chart)
    monkeypatch.setitem(TITLES, "1860", changed)
    monkeypatch.setattr("bot.service.workers.account.MAX_RUNS_EXAMINED", 3)
    found = build_account(Held(game), None)
    runs = found.runs
    assert (found.steps, found.values, found.unit) == (("SR 1",), ((0,), (7,)), "£"), "who was not there had nothing"
    assert len(asked) == 3
    assert [(run.round, run.company, run.seat, run.revenue, run.left) for run in runs] == [
        ("OR 2.1", "C&N", 1, 40, 30),
        ("OR 2.1", "IOW", 0, 60, 0),
        ("OR 2.2", "C&N", 1, 40, 0),
        ("OR 2.2", "IOW", 0, 150, 0),
        ("OR 3.1", "C&N", 1, 40, 30),
    ]
