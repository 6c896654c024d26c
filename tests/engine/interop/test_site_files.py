"""Reading files as 18xx.games writes them, and files that no one should have written."""

import json
from typing import Any

import pytest

from engine.codec import encode_file
from engine.errors import LogError, UnreadableLogError
from engine.game import Game
from engine.interop.exchange import export_game, import_log
from engine.interop.site import SiteFile, SiteSettings, list_in_force, read_seed
from engine.setup import Rng, Setup
from tests.engine.interop.site_files import self_played, site_actions, site_file
from tests.support.sure import sure

SITE = {"profile": "18xx.games"}
ODD: tuple[object, ...] = (
    None,
    0,
    -1,
    10**9,
    "",
    "x",
    "E&H",
    "ECR_0",
    "ECR_9",
    "B15-0-3",
    [],
    ["ECR_1"],
    {},
    [None],
    [{}],
    True,
    1.5,
)


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of four that merges, redeems and refinances."""
    return self_played("1862-3-site")


@pytest.fixture(scope="module")
def actions(game: Game) -> list[dict[str, Any]]:
    """Its actions as the site writes them."""
    return site_actions(game)


def test_a_file_without_our_own_fields_comes_to_the_same_end(game: Game, actions: list[dict[str, Any]]) -> None:
    read = import_log(site_file(game.setup, actions))
    again = Game.replay(read.setup, read.log)
    assert again.result() == game.result()
    assert again.state.companies == game.state.companies, "tiles may lie in a rotation that looks alike"
    assert {"merge", "choose", "place_token"} <= {action["type"] for action in actions}


def test_a_pass_for_a_step_that_we_pass_by_is_left_out(game: Game, actions: list[dict[str, Any]]) -> None:
    """A second pass at the end of a purchase of trains would end the step after it."""
    at = next(
        place
        for place, action in enumerate(actions)
        if action["type"] == "buy_shares" and action["entity_type"] == "corporation"
    )
    more = {"type": "pass", "entity": actions[at]["entity"], "entity_type": "corporation"}
    read = import_log(site_file(game.setup, [*actions[:at], more, *actions[at:]]))
    assert Game.replay(read.setup, read.log).result() == game.result()


def test_a_company_does_not_pass_for_a_player(game: Game, actions: list[dict[str, Any]]) -> None:
    last = max(
        place
        for place, action in enumerate(actions[:-1])
        if action["entity_type"] == "corporation" and actions[place + 1]["entity_type"] == "player"
    )
    more = {"type": "pass", "entity": actions[last]["entity"], "entity_type": "corporation"}
    read = import_log(site_file(game.setup, [*actions[: last + 1], more, *actions[last + 1 :]]))
    assert Game.replay(read.setup, read.log).result() == game.result()


def test_a_share_of_someone_else_is_not_sold(game: Game, actions: list[dict[str, Any]]) -> None:
    at = next(place for place, action in enumerate(actions) if action["type"] == "sell_shares")
    code = actions[at]["shares"][0].rpartition("_")[0]
    for wrong in (f"{code}_9", f"{code}_x"):
        sale = {**actions[at], "shares": [*actions[at]["shares"][1:], wrong]}
        with pytest.raises(LogError, match=f"{wrong} isn't a share of the player who sells it"):
            import_log(site_file(game.setup, [*actions[:at], sale]))


def test_a_tile_is_one_of_the_copies(game: Game, actions: list[dict[str, Any]]) -> None:
    at = next(place for place, action in enumerate(actions) if action["type"] == "lay_tile")
    shape = actions[at]["tile"].rpartition("-")[0]
    with pytest.raises(LogError, match=f"There is no copy 40 of tile {shape}"):
        import_log(site_file(game.setup, [*actions[:at], {**actions[at], "tile": f"{shape}-40"}]))


def test_a_tile_lies_in_one_place_and_a_city_is_named_by_what_lies_there(
    game: Game, actions: list[dict[str, Any]]
) -> None:
    lays = [place for place, action in enumerate(actions) if action["type"] == "lay_tile"]
    first, at = next(
        (first, at)
        for at in lays
        for first in lays
        if first < at
        and actions[first]["hex"] != actions[at]["hex"]
        and actions[first]["tile"].rpartition("-")[0] == actions[at]["tile"].rpartition("-")[0]
        and all(actions[first]["hex"] != actions[each]["hex"] for each in lays if first < each < at)
    )
    again = {**actions[at], "tile": actions[first]["tile"]}
    with pytest.raises(LogError, match=f"Tile {again['tile']} lies on {actions[first]['hex']}"):
        import_log(site_file(game.setup, [*actions[:at], again]))
    place, hex_ = next(
        (place, actions[lay]["hex"])
        for place, action in enumerate(actions)
        for lay in lays
        if action["type"] == "place_token" and lay < place and action["city"].startswith(f"{actions[lay]['tile']}-")
    )
    wrong = {**actions[place], "city": f"{hex_}-0-0"}
    with pytest.raises(LogError, match=f"There is no city “{hex_}-0-0” on the map; {hex_} has another tile"):
        import_log(site_file(game.setup, [*actions[:place], wrong]))


def test_a_train_is_the_one_on_offer_and_has_a_price(game: Game, actions: list[dict[str, Any]]) -> None:
    at = next(place for place, action in enumerate(actions) if action["type"] == "buy_train")
    with pytest.raises(LogError, match=f"The bank sells the train {actions[at]['train']}, not A-7"):
        import_log(site_file(game.setup, [*actions[:at], {**actions[at], "train": "A-7"}]))
    unpriced = {name: value for name, value in actions[at].items() if name != "price"}
    with pytest.raises(LogError, match="no price"):
        import_log(site_file(game.setup, [*actions[:at], unpriced]))


def test_a_company_merges_in_its_own_turn(game: Game, actions: list[dict[str, Any]]) -> None:
    """A file can leave passes out, but the turn of another company doesn't come by that."""
    at = next(place for place, action in enumerate(actions) if action["type"] == "merge")
    other = {**actions[at], "entity": actions[at]["corporation"], "corporation": actions[at]["entity"]}
    with pytest.raises(LogError):
        import_log(site_file(game.setup, [*actions[:at], other, *actions[at + 1 :]]))


def test_a_purchase_takes_one_share(game: Game, actions: list[dict[str, Any]]) -> None:
    at = next(place for place, action in enumerate(actions) if action["type"] == "buy_shares")
    with pytest.raises(LogError, match="buys 2 certificates"):
        import_log(site_file(game.setup, [*actions[:at], {**actions[at], "shares": 2 * actions[at]["shares"]}]))


def test_a_route_stays_on_the_map(game: Game, actions: list[dict[str, Any]]) -> None:
    at = next(place for place, action in enumerate(actions) if action["type"] == "run_routes" and action["routes"])
    first, *others = actions[at]["routes"]
    assert import_log(site_file(game.setup, [*actions[:at], actions[at]])).log
    run = {**actions[at], "routes": [{**first, "hexes": [*first["hexes"], "Q7"]}, *others]}
    with pytest.raises(LogError, match="There is no hex “Q7” on the map"):
        import_log(site_file(game.setup, [*actions[:at], run]))


def test_players_told_by_their_names_alone(game: Game, actions: list[dict[str, Any]]) -> None:
    names = [f"P{seat}" for seat in range(game.setup.seats)]
    named = [
        {**action, "entity": names[action["entity"] - 1]} if action["entity_type"] == "player" else action
        for action in actions
    ]
    read = import_log(site_file(game.setup, named, players=names))
    assert read.names == tuple(names)
    assert Game.replay(read.setup, read.log).result() == game.result()


def test_an_action_after_the_end_is_refused_with_its_place(game: Game, actions: list[dict[str, Any]]) -> None:
    run = next(action for action in actions if action["type"] == "run_routes")
    with pytest.raises(LogError, match="over"):
        import_log(site_file(game.setup, [*actions, run]))


def test_an_action_without_a_type_is_no_log(game: Game, actions: list[dict[str, Any]]) -> None:
    with pytest.raises(UnreadableLogError, match="action 3"):
        import_log(site_file(game.setup, [*actions[:3], {**actions[3], "type": ["pass"]}]))
    for none in ("x", ["", actions[4]], {"type": "pass"}):
        with pytest.raises(UnreadableLogError, match="action 3 has auto_actions that are none"):
            import_log(site_file(game.setup, [*actions[:3], {**actions[3], "auto_actions": none}]))


@pytest.mark.parametrize("seed", range(12))
def test_a_spoilt_file_is_refused_or_read_but_never_breaks(
    game: Game, actions: list[dict[str, Any]], seed: int
) -> None:
    """Actions taken away, doubled, swapped, or with a field of nonsense."""
    rng = Rng(seed)
    spoilt = json.loads(json.dumps(actions[: 60 + 12 * seed]))
    for _ in range(2):
        at, other = rng.below(len(spoilt)), rng.below(len(spoilt))
        kind = rng.below(4)
        if kind == 0:
            del spoilt[at]
        elif kind == 1:
            spoilt.insert(at, spoilt[other])
        elif kind == 2:
            spoilt[at], spoilt[other] = spoilt[other], spoilt[at]
        else:
            spoilt[at][sorted(spoilt[at])[rng.below(len(spoilt[at]))]] = ODD[rng.below(len(ODD))]
    try:
        read = import_log(site_file(game.setup, spoilt))
    except (LogError, UnreadableLogError):
        return
    assert Game.replay(read.setup, read.log).log


@pytest.mark.parametrize(
    ("file_id", "seed", "found"),
    [
        (7, 12, 12), (7, None, 7), (7, "", 7), ("hs_ab12_3", None, 12), ("hs", None, 0), (7, 0, 0),
        (7, int("9" * 18), int("9" * 18)), (7, int("9" * 19), None),
    ],
)  # fmt: skip
def test_the_seed_of_a_file_is_its_own_or_the_first_digits_of_its_id(
    file_id: int | str, seed: int | str | None, found: int | None
) -> None:
    """Of more than eighteen digits it is refused: it would not be kept as a number."""
    file = SiteFile("1862", (), (), SiteSettings(seed=seed), file_id)
    if found is not None:
        assert read_seed(file) == found
    else:
        with pytest.raises(UnreadableLogError, match="more than 18 digits"):
            read_seed(file)


@pytest.mark.parametrize(
    ("log", "kept"),
    [
        ("a b undo", "0"),
        ("a b undo redo", "01"),
        ("a undo undo b", "3"),
        ("a b message undo", "0"),
        ("a b undo message redo", "01"),
        ("a b c undo=1", "0"),
        ("a b c undo=0", ""),
        ("a b c undo=2 undo", "0"),
        ("a b c undo=2 undo redo redo", "012"),
        ("undo redo a", "2"),
    ],
)
def test_entries_in_force_after_undo_and_redo(log: str, kept: str) -> None:
    """``undo=2`` goes back to action 2, the second; what is new after an undo can no longer be redone."""
    actions: list[dict[str, object]] = []
    for number, word in enumerate(log.split(), 1):
        kind, _, target = word.partition("=")
        actions.append({"type": kind, "id": number, **({"action_id": int(target)} if target else {})})
    assert "".join(map(str, list_in_force(actions))) == kept


@pytest.mark.parametrize(
    ("undo", "sentence"),
    [
        ({"type": "undo", "action_id": 9}, "There is no action 9 to go back to."),
        ({"type": "undo", "action_id": [1]}, "There is no action [1] to go back to."),
        ({"type": "redo"}, "There is no undone action to restore."),
    ],
)
def test_an_undo_of_what_is_not_there_is_refused(undo: dict[str, object], sentence: str) -> None:
    with pytest.raises(LogError) as refusal:
        list_in_force([{"type": "pass", "id": 1}, {"type": "undo", "id": 2}, {"type": "pass", "id": 3}, undo])
    assert (refusal.value.index, str(refusal.value.cause)) == (3, sentence)


@pytest.mark.parametrize("names", [("Ann", "Bob"), ()])
def test_players_of_our_own_files_are_called_by_their_seats_where_no_name_is_kept(names: tuple[str, ...]) -> None:
    read = import_log(encode_file(Setup("1860", 2), (), names))
    assert read.names == (names or ("Player 1", "Player 2"))
    assert read.ids == ("0", "1")


@pytest.mark.parametrize("sealed", [False, True])
def test_metadata_of_a_file(game: Game, *, sealed: bool) -> None:
    """Players have numbers from 1; a game that goes on has no result, and its seed may be kept back."""
    start = json.loads(export_game(Game.new(game.setup), ["Ann", "Bob", "Cid"], sealed=sealed))
    assert {name: start[name] for name in ("id", "title", "status", "result", "game_end_reason", "actions")} == {
        "id": 0, "title": "1862", "status": "active", "result": {}, "game_end_reason": None, "actions": [],
    }  # fmt: skip
    assert start["players"] == [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}, {"id": 3, "name": "Cid"}]
    assert start["settings"].get("seed") == (None if sealed else game.setup.seed)
    assert bool(start["settings"].get("sealed")) is sealed
    if not sealed:
        ended, result = json.loads(export_game(game, ["Ann", "Bob", "Cid"])), sure(game.result())
        assert (ended["status"], ended["game_end_reason"]) == ("finished", result.reason)
        assert ended["result"] == {str(score.seat + 1): score.total for score in result.scores}
        assert [action["id"] for action in ended["actions"]] == list(range(1, len(ended["actions"]) + 1))
