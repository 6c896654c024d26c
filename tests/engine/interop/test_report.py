"""The reading report: what a file states that its moves do not lead to."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import LogError
from engine.game import Game
from engine.interop.exchange import Imported, export_game, import_log
from engine.interop.report import MAX_LINES, ReadingReport, Repair, compare_action, compare_order, compare_result
from engine.title import Result, Score
from engine.titles.g1862.actions import RemoveMarker
from engine.titles.g1862.events import MarkerRemoved
from tests.engine.interop.site_files import OUR_FIELDS
from tests.playthroughs.record import read as read_kept
from tests.support.sure import sure

Action = dict[str, Any]
File = dict[str, Any]


@pytest.fixture(scope="module")
def files() -> dict[str, File]:
    """Finished games by the rules of the site, one a title, as the site itself would write them."""
    found = {}
    for name in ("1860-3-site", "1862-3-site"):
        kept = read_kept(name)
        game = Game.replay(kept.setup, kept.read_log())
        file: File = json.loads(export_game(game, [f"P{seat}" for seat in range(game.setup.seats)]))
        del file["settings"]["stationmaster"]
        for action in file["actions"]:
            for field in OUR_FIELDS & action.keys():
                del action[field]
        found[kept.setup.title] = file
    return found


def copy_start(file: File) -> File:
    """Return a copy of the first half of a game, which is read in half the time."""
    return {
        **json.loads(json.dumps(file)),
        "actions": json.loads(json.dumps(file["actions"][: len(file["actions"]) // 2])),
        "status": "active",
        "result": {},
    }


def read(file: File) -> Imported:
    return import_log(json.dumps(file).encode())


def list_kind(file: File, kind: str, **having: object) -> list[Action]:
    """Return the actions of a kind with these fields, the last first."""
    actions: list[Action] = file["actions"][::-1]
    return [action for action in actions if action["type"] == kind and having.items() <= action.items()]


def change_train_price(file: File) -> None:
    list_kind(file, "buy_train")[-1]["price"] = 7


def change_variant(file: File) -> None:
    list_kind(file, "buy_train")[-1]["variant"] = "9+5"


def change_sale_price(file: File) -> None:
    list_kind(file, "sell_shares")[0]["share_price"] = 3


def change_percent(file: File) -> None:
    list_kind(file, "buy_shares", entity_type="player")[0]["percent"] = 15


def change_percent_sold(file: File) -> None:
    list_kind(file, "sell_shares")[0]["percent"] += 1


def change_lot_price(file: File) -> None:
    next(bid for bid in list_kind(file, "bid") if bid.get("company"))["price"] = 1


def change_owner(file: File) -> None:
    list_kind(file, "place_token")[0]["tokener"] = "XYZ"


def change_revenue(file: File) -> None:
    run = next(run for run in list_kind(file, "run_routes") if run["routes"])
    run["routes"][0]["revenue"] += 10


def drop_subsidy_of_route(file: File) -> None:
    """Say beside the routes that there is a subsidy, and on them that there is none."""
    run = next(
        run for run in list_kind(file, "run_routes") if sum(bool(route["subsidy"]) for route in run["routes"]) == 1
    )
    run["subsidy"] = sum(route["subsidy"] for route in run["routes"])
    for route in run["routes"]:
        route["subsidy"] = 0


def leave_pass_out(file: File) -> None:
    """Leave out the pass of a company that went on to run."""
    actions = file["actions"]
    at = next(
        at
        for at in range(len(actions) - 1, 0, -1)
        if actions[at - 1]["type"] == "pass" and actions[at]["type"] == "run_routes"
    )
    del actions[at - 1]


def put_pass_in(file: File) -> None:
    """Let a player pass who is not on turn."""
    actions = file["actions"]
    at = next(at for at in range(len(actions)) if actions[at]["type"] == "dividend")
    actions.insert(at, {"type": "pass", "entity": 1, "entity_type": "player", "id": 100_000})


CHANGES: tuple[tuple[Callable[[File], None], dict[str, str]], ...] = (
    (change_train_price, {"1862": "The file states the price 7, but it is "}),
    (change_variant, {"1860": "The file states a 9+5, but "}),
    (change_sale_price, dict.fromkeys(("1860", "1862"), "The file states the price 3, but it is ")),
    (change_percent, dict.fromkeys(("1860", "1862"), "The file states the percentage 15, but it is 10.")),
    (change_percent_sold, dict.fromkeys(("1860", "1862"), "The file states the percentage ")),
    (change_lot_price, {"1860": "The file states the price 1, but it is "}),
    (change_owner, dict.fromkeys(("1860", "1862"), "The file states a marker of XYZ, but it is one of ")),
    (change_revenue, dict.fromkeys(("1860", "1862"), "The file states £")),
    (drop_subsidy_of_route, dict.fromkeys(("1860", "1862"), "The file states £")),
    (leave_pass_out, dict.fromkeys(("1860", "1862"), "1 pass that the file leaves out came before it.")),
    (put_pass_in, dict.fromkeys(("1860", "1862"), "No one is asked for the pass of 1, so it was left out.")),
)


@pytest.mark.parametrize(
    ("title", "change", "sentence"),
    [(title, change, sentence) for change, said in CHANGES for title, sentence in said.items()],
)
def test_what_differs_has_its_line(
    files: dict[str, File], title: str, change: Callable[[File], None], sentence: str
) -> None:
    file = copy_start(files[title])
    change(file)
    (repair,) = read(file).report.repairs
    assert repair.words.startswith(sentence), repair
    assert repair.place in range(len(file["actions"]))


def test_what_is_as_stated_has_no_line(files: dict[str, File]) -> None:
    for file in files.values():
        report = read(file).report
        assert report.is_clean, report
        assert report.write_lines() == ()


def test_stated_revenue_of_1862_counts_and_is_told(files: dict[str, File]) -> None:
    """Differences 3: the result differs from the stated one by what the run was changed by, or not at all."""
    file = copy_start(files["1862"])
    change_revenue(file)
    assert sure(read(file).report.repairs[0]).words.endswith("; what the file states counts.")


def test_the_stated_result_is_compared(files: dict[str, File]) -> None:
    file = json.loads(json.dumps(files["1860"]))
    file["result"]["2"] += 216
    here = files["1860"]["result"]["2"]
    assert read(file).report.write_lines() == (
        "Read; the stated result differs by up to £216.",
        f"P1 has £{here:,}; the file states £{here + 216:,}.",
    )
    file["result"]["9"] = 5
    assert read(file).report.end == "The result names a player 9 who isn't in the file."
    del file["actions"][-40:]
    assert read(file).report.write_lines() == (
        "Read; the end differs.",
        "The file states that the game is over, but it goes on.",
    )
    file["status"] = "active"
    assert read(file).report.is_clean


def test_another_company_that_removes_a_marker_is_told() -> None:
    raw = {"type": "remove_token", "entity": "ENR"}
    events = [MarkerRemoved("EUR", "B5")]
    said = "The file states that ENR removes a marker, but EUR does."
    assert list(compare_action(raw, [RemoveMarker("B5")], events)) == [said]
    assert not list(compare_action({**raw, "entity": "EUR"}, [RemoveMarker("B5")], events))


def test_a_standing_order_that_lacks_something_is_told() -> None:
    """18xx.games can't read it, though no order changes the game."""
    order = {"type": "program_buy_shares", "corporation": "IOW", "until_condition": 5}
    assert not list(compare_order(order))
    assert not list(compare_order({"type": "program_share_pass"}))
    said = "This standing order has no corporation, so it was left out."
    assert list(compare_order({**order, "corporation": None})) == [said]
    assert list(compare_order({"type": "program_disable"})) == [said.replace("corporation", "reason")]
    by_company = {"type": "program_share_pass", "entity": "IOW", "entity_type": "corporation"}
    assert list(compare_order(by_company)) == ["IOW isn't a player, so its standing order was left out."]


def test_a_message_of_a_company_is_told(files: dict[str, File]) -> None:
    """18xx.games refuses it, even if it was undone."""
    first = files["1862"]["actions"][0]
    message = {"type": "message", "message": "hi", "entity": 1, "entity_type": "player"}
    by_company = message | {"entity": "ECR", "entity_type": "corporation"}
    said = [first, message, by_company, {"type": "undo", "entity": 1, "entity_type": "player"}]
    found = read(copy_start(files["1862"]) | {"actions": [each | {"id": at} for at, each in enumerate(said, 1)]})
    assert not found.log
    assert found.report.repairs == (Repair(2, "ECR isn't a player, so its message was left out."),)
    assert list(compare_order(message | {"entity_type": 0})) == ["1 isn't a player, so its message was left out."]
    assert list(compare_order({"type": "message"})) == ["This message has no text, so it was left out."]


def test_a_result_without_scores_differs_in_nothing() -> None:
    result = Result("bank", (Score(0, 7),), (0,), currency="£")
    assert compare_result(None, "finished", result, [("5", "Ann")]).is_clean
    assert compare_result({}, "finished", result, [("5", "Ann")]).is_clean
    assert compare_result({"5": 9}, "", result, [("5", "Ann")]) == ReadingReport((), (("Ann", 9, 7),), "", "£")


def test_what_the_players_of_a_dead_game_have_so_far_is_no_result() -> None:
    """18xx.games goes on with it (differences 69), so shares still count that are worth nothing at the end."""
    result = Result("standstill", (Score(0, 7),), (0,), currency="£")
    assert compare_result({"5": 14}, "active", result, [("5", "Ann")]).is_clean
    assert not compare_result({"5": 14}, "finished", result, [("5", "Ann")]).is_clean


def test_the_first_repairs_are_told_and_the_others_counted() -> None:
    report = ReadingReport(tuple(Repair(place, "It differs.") for place in range(MAX_LINES + 2)))
    first, *told, last = report.write_lines()
    assert first == f"Read; {MAX_LINES + 2} things repaired."
    assert told == [f"Action {place}: It differs." for place in range(MAX_LINES)]
    assert last == "There are 2 more."


@pytest.mark.parametrize(
    ("kind", "field", "words"),
    [
        ("dividend", "kind", "“variable” isn't one of the choices payout, withhold or hudson."),
        ("choose", "choice", "“variable” isn't one of the choices "),
    ],
)
def test_a_choice_that_is_none_is_refused(files: dict[str, File], kind: str, field: str, words: str) -> None:
    file = copy_start(files["1862"])
    list_kind(file, kind)[0][field] = "variable"
    with pytest.raises(LogError) as refusal:
        read(file)
    assert words in refusal.value.cause
