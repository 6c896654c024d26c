"""Migrating finds out which release's rules each log was played by, and stops at what none plays."""

import sqlite3
import stat
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from bot.model.errors import BotError
from bot.operations.cli import app
from bot.service.services import Services
from bot.service.workers.files import FileAsked, read_game_file
from bot.store.upgrading import open_database
from engine import Game, LogError, Setup
from engine.codec import encode_file, read_file
from engine.game import replay_as_written
from engine.interop.exchange import import_log
from tests.releases.kept import OldGame, games
from tests.support.older import form_and_rows, write_older_store


def only_0_1_plays() -> OldGame:
    """Return a game of 1862 that 0.2 could not read."""
    return next(game for game in games("0.1", "1862") if not _plays(game, 3))


def _plays(game: OldGame, rules: int) -> bool:
    try:
        Game.replay(msgspec.structs.replace(game.setup, rules=rules), game.read_log())
    except LogError:
        return False
    return True


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of 0.1 whose table 5 only 0.1's rules play whole."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    path, game = write_older_store("0.1", Path("data/stationmaster.sqlite")), only_0_1_plays()
    with sqlite3.connect(path) as file:
        columns = [row[1] for row in file.execute("PRAGMA table_info(game)")]
        values = dict(zip(columns, file.execute("SELECT * FROM game WHERE id = 2").fetchone(), strict=True))
        values |= {"id": 5, "name": "Eastern", "options": msgspec.json.encode(game.setup.options).decode(),
                   "seed": game.setup.seed, "places": game.setup.seats, "guild": "77", "interaction": None}  # fmt: skip
        file.execute(f"INSERT INTO game VALUES ({', '.join('?' * len(columns))})", list(values.values()))  # noqa: S608
        for seat in range(game.setup.seats):
            file.execute(
                "INSERT INTO seat (game, number, user, name, joined) VALUES (5, ?, ?, ?, 1)",
                (seat, f"{seat}", f"P{seat}"),
            )
        for seq, (seat, action) in enumerate(game.log):
            file.execute(
                "INSERT INTO log (game, seq, seat, user, payload, told, at) VALUES (5, ?, ?, '1', ?, '[]', 1)",
                (seq, seat, bytes(action).decode()),
            )
    file.close()
    return path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def rules_of(path: Path) -> dict[int, int]:
    with sqlite3.connect(path) as file:
        found = dict(file.execute("SELECT id, rules FROM game"))
    file.close()
    return found


def test_migrating_records_the_rules_that_play_each_log_whole(older: Path) -> None:
    """0.2's if both releases' do; an open table begins by today's."""
    checked = run("check")
    assert (checked.exit_code, checked.stdout) == (0, "The database is intact and contains 5 tables.\n")
    assert run("migrate").exit_code == 0
    assert rules_of(older) == {1: 3, 2: 3, 3: 3, 4: 4, 5: 2}
    assert "is intact and contains 5 tables" in run("doctor").stdout
    assert run("check").stdout == "The database is intact and contains 5 tables.\n"


@pytest.fixture
def broken(older: Path) -> Path:
    """The same with a table 1 that no version of the rules plays."""
    with sqlite3.connect(older) as file:
        file.execute('UPDATE log SET payload = \'{"do":"bid","amount":7}\' WHERE game = 1 AND seq = 2')
        file.execute("UPDATE game SET guild = '77', name = 'Friday' WHERE id = 1")
    file.close()
    return older


@pytest.mark.parametrize("command", ["migrate", "run"])
def test_a_game_that_cannot_be_replayed_stops_the_migration(broken: Path, command: str) -> None:
    before, files = form_and_rows(broken), {path.name for path in broken.parent.glob("*") if "lock" not in path.name}
    result = run(command)
    assert result.exit_code == 1
    assert "Table 1 “Friday” (1860, server 77) can't be replayed: Action 2: " in result.stderr
    assert "Nothing was changed. “stationmaster migrate --set-aside” saves such games as files" in result.stderr
    assert form_and_rows(broken) == before
    assert {path.name for path in broken.parent.glob("*") if "lock" not in path.name} == files


def test_set_aside_keeps_the_game_as_a_file_and_starts_the_rest(broken: Path) -> None:
    result = run("migrate", "--set-aside")
    assert result.exit_code == 0, result.stderr
    kept = Path("data/set-aside/table-1.json")
    assert f"It is saved as {kept}, and its table is closed." in result.stdout
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    file = read_file(kept.read_bytes())
    assert (file.setup.title, len(file.log), file.names) == ("1860", 40, ("Ann", "Bob", "Cid"))
    assert rules_of(broken) == {1: 4, 2: 3, 3: 3, 4: 4, 5: 2}
    assert run("check").stdout == "The database is intact and contains 5 tables.\n"


async def test_a_table_set_aside_is_closed_for_good(broken: Path) -> None:
    await (await open_database(broken, set_aside=True)).close()
    services = await Services.open(broken, folder=broken.parent)
    assert len((await services.table.load_position(5)).game.log) > 0
    with pytest.raises(BotError, match="was closed"):
        await services.table.load_position(1)
    await services.close()


def test_files_of_both_releases_are_read_by_the_rules_that_play_them() -> None:
    """Rules 1 in a file is either release's."""
    game, newer = only_0_1_plays(), games("0.2", "steel_driver")[0]
    for old, rules in ((game, 2), (newer, 3)):
        data = encode_file(msgspec.structs.replace(old.setup, rules=1), old.read_log())
        assert import_log(data).setup.rules == read_game_file(FileAsked(data)).setup.rules == rules


def test_the_refusal_is_that_of_the_reading_that_gets_furthest() -> None:
    game = only_0_1_plays()
    said = [*game.read_log(), game.read_log()[0]]
    with pytest.raises(LogError) as refusal:
        replay_as_written(Setup("1862", game.setup.seats, game.setup.options, game.setup.seed, 1), said)
    assert refusal.value.index == len(said) - 1
