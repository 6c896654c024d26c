"""Files of 1860 as 18xx.games writes them, in old and new forms, with all that people leave behind in them."""

import json
from typing import Any

import pytest

from engine.errors import UnreadableLogError
from engine.game import Game, LogEntry
from engine.interop.exchange import export_game, import_log
from engine.interop.g1860.profile import TITLE
from engine.setup import Rng, Setup
from engine.titles.g1860.state import State
from tests.support.sure import as_a

OUR_FIELDS = {"plan"}


@pytest.fixture(scope="module")
def game() -> Game:
    """The first moves of a game of two, some runs among them."""
    setup = Setup("1860", 2, {"profile": "18xx.games"}, 2)
    s, rng = TITLE.deal(setup), Rng(setup.seed)
    log: list[LogEntry] = []
    while len(log) < 260:
        seat = TITLE.actors(s)[0]
        action = TITLE.spell_out(s, seat, TITLE.advice.choose(s, seat, rng))
        TITLE.apply(s, TITLE.check(s, seat, action), lambda _: None)
        log.append(LogEntry(seat, action))
    return Game.replay(setup, log)


@pytest.fixture(scope="module")
def file(game: Game) -> dict[str, Any]:
    """The game as the site itself would write it."""
    found: dict[str, Any] = json.loads(export_game(game, ["Ann", "Bob"]))
    del found["settings"]["stationmaster"]
    found["actions"] = [
        {name: value for name, value in action.items() if name not in OUR_FIELDS} for action in found["actions"]
    ]
    assert any(action["type"] == "run_routes" for action in found["actions"])
    return found


def state_of(file: dict[str, Any]) -> State:
    read = import_log(json.dumps(file).encode())
    return as_a(State, Game.replay(read.setup, read.log).state)


def number_actions(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**action, "id": number} for number, action in enumerate(actions, 1)]


def test_the_same_state_comes_without_our_own_fields(game: Game, file: dict[str, Any]) -> None:
    assert state_of(file).companies == game.state.companies


def test_chat_undo_redo_and_standing_orders_change_nothing(game: Game, file: dict[str, Any]) -> None:
    person = {"entity": 1, "entity_type": "player"}
    out: list[dict[str, Any]] = []
    for at, action in enumerate(file["actions"]):
        out.append(action)
        if at % 40 == 7:
            out.append({**person, "type": "message", "message": "hi"})
            out += [{**person, "type": "undo"}, action]
            out += [{**person, "type": "undo"}, {**person, "type": "message"}, {**person, "type": "redo"}]
        if at % 90 == 11:
            out.append({**person, "type": "program_share_pass", "unconditional": True})
            out.append({**person, "type": "program_disable", "reason": "user"})
    assert state_of({**file, "actions": number_actions(out)}).companies == game.state.companies


def test_moves_of_a_standing_order_are_written_inside_an_action(game: Game, file: dict[str, Any]) -> None:
    """Passes and purchases of a standing order have no line of their own."""
    out: list[dict[str, Any]] = []
    for action in file["actions"]:
        if action["type"] in {"pass", "buy_shares"} and action["entity_type"] == "player" and out:
            out[-1] = {**out[-1], "auto_actions": [*out[-1].get("auto_actions", []), action]}
        else:
            out.append(action)
    assert len(out) < len(file["actions"])
    assert state_of({**file, "actions": number_actions(out)}).companies == game.state.companies


def test_old_files_have_less(game: Game, file: dict[str, Any]) -> None:
    """Players by name, routes by their connections alone, no shares' percent, no variant of a train."""
    names = {1: "Ann", 2: "Bob"}
    new = {"percent", "variant", "extra_revenue", "subsidy"}
    out = []
    for action in file["actions"]:
        old = {name: value for name, value in action.items() if name not in new or action["type"] == "sell_shares"}
        if old.get("entity_type") == "player":
            old["entity"] = names[old["entity"]]
        if old["type"] == "run_routes":
            keep = ("train", "connections", "halts")
            old["routes"] = [{name: route[name] for name in keep} for route in old["routes"]]
        out.append(old)
    read = {**file, "players": list(names.values()), "actions": out}
    assert state_of(read).companies == game.state.companies


def test_a_variant_that_we_lack_is_refused_with_its_name(file: dict[str, Any]) -> None:
    settings = {**file["settings"], "optional_rules": ["two_player_map", "flying_trains"]}
    with pytest.raises(UnreadableLogError, match="no optional rule “flying_trains” in 1860"):
        import_log(json.dumps({**file, "settings": settings}).encode())
