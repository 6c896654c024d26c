"""The games that are kept replay to the same states, action by action, and end as they did."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine import TITLES
from engine.setup import ADVICE, RULES
from tests.playthroughs.cases import cases, in_full
from tests.playthroughs.record import FOLDER, INDEX, digest, line, plain, read, states
from tests.support.sure import sure

GAMES = dict(cases())
LOOKED_AT = 64


def list_differences(ours: Any, kept: Any, path: str = "") -> list[str]:  # noqa: ANN401  # as JSON has them
    """Return where two states differ, as paths into the second."""
    if type(ours) is not type(kept) or not isinstance(ours, (dict, list)):
        return [] if ours == kept else [f"{path}: {kept!r} is now {ours!r}"]
    if isinstance(ours, dict):
        keys = sorted(ours.keys() | kept.keys())
        return [one for key in keys for one in list_differences(ours.get(key), kept.get(key), f"{path}.{key}")]
    if len(ours) != len(kept):
        return [f"{path}: {kept!r} is now {ours!r}"]
    return [
        one for k, (a, b) in enumerate(zip(ours, kept, strict=True)) for one in list_differences(a, b, f"{path}[{k}]")
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_replays_to_the_same_states(name: str) -> None:
    """Every action is legal and leads to the state that is kept; the result is the same.

    If a rule has changed by intention, ``python -m tests.playthroughs`` writes
    the games anew, and the commit tells why.
    """
    kept = read(name)
    assert replace(kept.setup, rules=RULES) == GAMES[name]  # kept under older rules, as stored games are
    in_detail, said, state = dict(kept.states), kept.read_log(), None
    for count, (_, state) in enumerate(states(kept.setup, said), 1):
        if count in in_detail:
            assert list_differences(plain(state), in_detail[count]) == [], f"after {count} actions"
        if count % LOOKED_AT == 0 or count == len(said):  # a digest costs more than an action
            assert digest(state) == kept.digest(count), f"after {count} actions, {kept.log[count - 1]}"
    result = sure(TITLES[kept.setup.title].result(state))
    totals = {score.seat: score.total for score in result.scores}
    assert (result.reason, tuple(totals[seat] for seat in range(kept.setup.seats))) == (kept.reason, kept.totals)


def test_the_index_shows_the_games_that_are_kept() -> None:
    assert {path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz")} == set(GAMES)
    assert INDEX.read_text(encoding="utf-8").splitlines() == [line(name, read(name)) for name in GAMES]


def test_every_title_number_of_players_option_and_ending_is_kept() -> None:
    """Every value of every option, with players from the fewest to the most, and each way a game can end."""
    for title in TITLES.values():
        games = [read(name) for name, setup in GAMES.items() if setup.title == title.id]
        assert {game.setup.seats for game in games} == set(range(title.seats[0], title.seats[1] + 1))
        played = {chosen for game in games for chosen in game.setup.options.items()}
        rules = [option for option in title.options if option != ADVICE]  # on which no rule depends
        offered = {(option.name, value) for option in rules for value, _ in option.values[1:]}
        assert offered <= played
        assert any(in_full(name) and read(name).states for name, setup in GAMES.items() if setup.title == title.id)
    reasons = {(game.setup.title, game.reason) for game in map(read, GAMES)}
    assert reasons >= {
        ("1860", "bank"), ("1860", "nationalization"), ("1862", "stock_market"), ("1862", "lner"),
    }  # fmt: skip


def test_the_games_stay_small() -> None:
    """All of them together are less than a megabyte."""
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000
