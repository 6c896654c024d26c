"""The command line: what it prints, and its exit codes."""

import asyncio
import json
import re
import sqlite3
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.operations import doctor, selfplay
from bot.operations.cli import app, find_document
from bot.operations.settings import Settings
from bot.service.duties import COMMANDS_DUTY, Declared, encode_declared
from bot.service.services import Services
from engine import Game, Rng, Setup
from engine.codec import encode_file
from engine.game import LogEntry
from engine.interop.exchange import import_log
from tests.playthroughs.record import read
from tests.support.toy import Bid, Pass


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return tmp_path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def test_without_a_token_the_local_table_opens() -> None:
    result = run("run", typed='/game new title:toy seats:2 players:"Ann, Bob"\n/act bid amount:2\n/quit\n')
    assert result.exit_code == 0
    assert "Ann bids £2 for lot 1." in result.stdout
    assert Path("data/stationmaster.sqlite").exists()
    assert Path("data/pictures/game-1-0001-map.png").exists()


def test_the_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_DATABASE", "elsewhere/s.sqlite")
    monkeypatch.setenv("DISCORD_TOKEN", "t0ken")
    settings = Settings()
    assert settings.database == "elsewhere/s.sqlite"
    assert "t0ken" not in repr(settings), "the token is never printed"
    assert run("migrate").exit_code == 0
    assert Path("elsewhere/s.sqlite").exists()


def test_a_stored_game_is_exported_and_replayed() -> None:
    run("run", typed="/game new title:toy seats:2\n/act pass\n/act bid amount:4\n/act pass\n/act pass\n/quit\n")
    result = run("export", "1", "--out", "game.json")
    assert result.exit_code == 0
    result = run("replay", "game.json", "--json")
    assert json.loads(result.stdout) == {
        "title": "toy", "finished": True, "reason": "all lots sold", "actions": 4, "result": {"1": 23, "0": 20},
        "repairs": [],
    }  # fmt: skip
    plain = run("replay", "game.json")
    assert plain.stdout.splitlines() == [
        "The Toy: 4 actions in force, over: all lots sold.",
        "  1. Player 2: 23",
        "  2. Player 1: 20",
    ]
    early = run("replay", "game.json", "--json", "--until", "2")
    assert json.loads(early.stdout) == {
        "title": "toy", "finished": False, "reason": "", "actions": 2, "result": {}, "repairs": [],
    }  # fmt: skip


def test_a_game_that_is_not_there_cannot_be_exported() -> None:
    result = run("export", "7")
    assert result.exit_code == 1
    assert "There is no table 7 here." in result.stderr


def test_a_replay_writes_pictures() -> None:
    Path("game.json").write_bytes(encode_file(Setup("toy", 2), [LogEntry(0, Bid(1)), LogEntry(1, Pass())]))
    assert run("replay", "game.json", "--images", "out").exit_code == 0
    assert Path("out/00000-map.png").read_bytes().startswith(b"\x89PNG")


def test_a_replay_writes_what_each_action_does_and_nothing_where_there_is_no_run() -> None:
    kept = read("1860-3")
    Path("game.json").write_bytes(encode_file(kept.setup, kept.read_log()[:2]))
    assert run("replay", "game.json", "--trace", "states", "--options", "legal", "--routes", "runs").exit_code == 0
    states, legal, runs = (Path(name).read_text().splitlines() for name in ("states", "legal", "runs"))
    assert [len(states), len(legal), len(runs)] == [2, 2, 0]
    assert all(isinstance(json.loads(row), dict) for row in (*states, *legal))
    assert run("replay", "game.json", "--trace", "states").exit_code == 0, "one of them alone"


def test_a_check_ends_with_1_only_where_something_is_damaged() -> None:
    run("run", typed="/game new title:toy seats:2\n/act bid amount:4\n/act pass\n/quit\n")
    assert run("check").exit_code == 0
    with sqlite3.connect(Settings().database) as connection:
        connection.execute("DELETE FROM log WHERE seq = 0")
    connection.close()
    result = run("check")
    assert (result.exit_code, "log entry 1 is missing" in result.stdout) == (1, True)


def test_a_broken_rule_is_reported_with_its_number_and_exit_code_1() -> None:
    Path("game.json").write_bytes(encode_file(Setup("toy", 2), [LogEntry(0, Bid(3)), LogEntry(1, Bid(2))]))
    result = run("replay", "game.json")
    assert result.exit_code == 1
    assert "1" in result.stderr
    assert "A bid must be more than £3; you said £2. (Toy, bidding)" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n",
        b"null",
        b"[" * 1_000_000,
        b'{"a":' * 100_000,
        b'{"title": "1860"}',
        b'{"title": "1860", "players": [], "actions": []}',
        b'{"title": "1860", "players": [{"id": 1}, {"id": 2}], "actions": [{"type": "pass"}, {"type": 7}]}',
        b'{"title": "1860", "players": [{"id": 1}, {"id": 2}], "actions": [null]}',
        b'{"title": "Monopoly", "players": [{"id": 1}, {"id": 2}], "actions": []}',
        b'{"stationmaster": 1, "setup": {"title": "toy", "seats": 1e308}, "log": []}',
        b'{"stationmaster": "one", "setup": {}, "log": 7}',
        "{'stationmaster': 💥}".encode(),
        b" " * (17 * 1024 * 1024),
    ],
    ids=range(14),
)
def test_a_file_that_is_no_log_gets_one_clear_line_and_exit_code_2(content: bytes) -> None:
    Path("bad.json").write_bytes(content)
    result = run("replay", "bad.json", "--json")
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert result.exit_code == (1 if result.stderr.startswith("Action ") else 2)


def test_a_missing_file_or_a_folder_is_no_log() -> None:
    for name in ("nowhere.json", "."):
        result = run("replay", name)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1


def test_selfplay_plays_to_the_end_and_exports_a_log_that_replays() -> None:
    words = ("selfplay", "toy", "--players", "3", "--seed", "7", "--games", "3", "--options", "length=long")
    first, again = run(*words, "--export", "out"), run(*words)
    lines = first.stdout.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("seed 7: ")
    assert lines[3].startswith("3 games, ")
    assert "all lots sold: 3" in lines[3]
    assert scores(first) == scores(again), "the same seeds give the same games"
    files = sorted(Path("out").iterdir())
    assert [path.name for path in files] == [f"toy-3p-{seed}.json" for seed in (7, 8, 9)]
    for path, told in zip(files, scores(first), strict=True):
        result = json.loads(run("replay", str(path), "--json").stdout)["result"]
        assert ", ".join(f"seat {seat + 1}: {result[str(seat)]}" for seat in range(3)) == told


def test_selfplay_plays_one_game_and_makes_the_folder_for_it() -> None:
    assert len(scores(run("selfplay", "toy", "--export", "far/out"))) == 1
    assert [path.name for path in Path("far/out").iterdir()] == ["toy-3p-1.json"]


def test_processor_time_is_measured_in_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([2.0, 2.25])
    monkeypatch.setattr("bot.operations.selfplay.time.process_time", lambda: next(times))
    assert selfplay._time(lambda: 7) == (250.0, 7)


def scores(result: Result) -> list[str]:
    return [line.partition(" — ")[2] for line in result.stdout.splitlines()[:-1]]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("--profile", "18xx.games"), "actions"),
        (("profile=18xx.games",), "actions"),
        (("--profile", "18xx.games", "--format", "native"), "stationmaster"),
        ((), "stationmaster"),
    ],
)
@pytest.mark.parametrize("title", ["1860", "1862"])
def test_the_profile_of_18xx_games_implies_its_format(
    title: str, words: tuple[str, ...], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A format that is named wins; a game of three moves will do."""
    monkeypatch.setattr(selfplay, "MAX_MOVES", 3)
    played = run("selfplay", title, *words, "--export", "out")
    assert played.exit_code == 0
    data = Path(f"out/{title}-3p-1.json").read_bytes()
    assert {"actions", "stationmaster"} & set(json.loads(data)) == {kind}
    assert len(import_log(data).log) == 3


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ((), []),
        (("length=short",), ["short_length"]),
        (("length=long", "eight_markers=on"), ["long_length", "eight_tokens"]),
    ],
)
def test_a_self_played_file_of_1862_names_the_optional_rules_of_the_site(
    options: tuple[str, ...], rules: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "MAX_MOVES", 3)
    assert run("selfplay", "1862", "--profile", "18xx.games", *options, "--export", "out").exit_code == 0
    file = json.loads(Path("out/1862-3p-1.json").read_text())
    assert (file["title"], file["settings"]["seed"], file["settings"]["optional_rules"]) == ("1862", 1, rules)


def test_the_help_of_selfplay_says_which_format_a_profile_writes() -> None:
    """As one line: the terminal folds it anywhere."""
    said = " ".join(run("selfplay", "--help").stdout.replace("│", " ").split())
    assert "18xx.games also sets the format of files" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "There is no game “chess”"),
        (["toy", "--players", "9"], "The toy is for 2 to 4 players, not 9."),
        (["toy", "--options", "colour=red"], "The Toy has no option “colour”"),
        (["toy", "--profile", "nonsense"], "The Toy has no option “profile”"),
    ],
)
def test_selfplay_refuses_invalid_options(words: list[str], sentence: str) -> None:
    result = run("selfplay", *words)
    assert result.exit_code == 1
    assert sentence in result.stderr


def test_options_may_follow_one_another() -> None:
    assert run("selfplay", "toy", "--options", "length=long").exit_code == 0
    assert run("selfplay", "toy", "--players", "2", "--options", "length=long", "--seed", "3").exit_code == 0


def test_doctor_shows_missing_and_sound_parts() -> None:
    sick = run("doctor", "--discord", "1", "--mail", "ann@home.example")
    assert "BAD mail mailbox: E-mail isn't set up" in sick.stdout
    assert "BAD discord login: DISCORD_TOKEN isn't set." in sick.stdout
    assert sick.exit_code == 1
    fresh = run("doctor")
    assert (fresh.exit_code, "BAD" in fresh.stdout) == (0, False), "nothing is wrong before the first start"
    assert "ok  database: none at data/stationmaster.sqlite yet; the first start creates it" in fresh.stdout
    Path("data/backups").mkdir(parents=True)
    Path("data/backups/stationmaster-20260101T000000Z.sqlite").touch()
    assert "BAD database" in run("doctor").stdout, "there was one, and it is gone"
    run("migrate")
    well = run("doctor")
    assert well.exit_code == 0
    assert "BAD" not in well.stdout


def test_doctor_shows_that_the_commands_were_refused() -> None:
    run("migrate")
    note_declared(Declared(7, "400 Bad Request: max_value"))
    sick = run("doctor")
    assert sick.exit_code == 1
    assert "BAD commands" in sick.stdout
    assert "max_value" in sick.stdout
    note_declared(Declared(7))
    assert "7 registered" in run("doctor").stdout


def note_declared(how: Declared) -> None:
    async def note() -> None:
        services = await Services.open(Settings().database)
        await services.duties.write_note(COMMANDS_DUTY, encode_declared(how))
        await services.close()

    asyncio.run(note())


def test_health_wants_a_young_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    run("migrate")
    assert run("health").exit_code == 1
    beat = doctor.beat_path(Settings().home)
    beat.touch()
    assert run("health").exit_code == 0
    monkeypatch.setattr(doctor, "BEAT_SECONDS_MAX", -1)
    result = run("health")
    assert result.exit_code == 1
    assert "heartbeat" in result.stderr


def test_a_store_that_is_no_store_is_found_out() -> None:
    path = Path(Settings().database)
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 100)
    assert run("health").exit_code == 1
    assert "BAD database" in run("doctor").stdout


def test_a_store_that_cannot_be_opened_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("data").write_text("a file where the folder should be")
    result = run("migrate")
    assert (result.exit_code, result.stderr) == (
        1,
        "The database at data/stationmaster.sqlite can't be created: File exists.\n",
    )
    Path("bad.sqlite").write_bytes(b"this is no database" * 100)
    monkeypatch.setenv("STATIONMASTER_DATABASE", "bad.sqlite")
    result = run("run")
    assert result.exit_code == 1
    assert result.stderr == "The database at bad.sqlite can't be opened: file is not a database.\n"


def test_a_store_of_a_newer_version_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    run("migrate")
    with sqlite3.connect(Settings().database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    result = run("migrate")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"The database at data/stationmaster.sqlite was last migrated by Stationmaster {version('stationmaster')}: its"
    )


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_LIVE_GAMES", "many")
    result = run("migrate")
    assert result.exit_code == 2
    assert result.stderr.startswith("STATIONMASTER_LIVE_GAMES “many” is wrong: ")
    monkeypatch.setenv("STATIONMASTER_BACKUPS", "daily")
    assert "STATIONMASTER_BACKUPS “daily” is wrong: write it like 24h,7 or off." in run("migrate").stderr


@pytest.mark.slow
def test_bench_measures_replay_and_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of milliseconds for a person; a line of JSON a figure for whoever compares."""
    monkeypatch.setattr(selfplay, "png", lambda view: view.alt.encode())  # what it costs is not of interest here
    monkeypatch.setattr(selfplay.measure, "__defaults__", (2,))
    game, rng = Game.new(Setup("steel_driver", 3)), Rng(1)
    for _ in range(2):
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    Path("game.json").write_bytes(encode_file(game.setup, game.log))
    shown = run("bench", "--log", "game.json").stdout.splitlines()
    assert shown[0].split()[-5:] == ["median", "min", "max", "total", "times"]
    assert re.fullmatch(r"replay, every check on +(\d+\.\d +){4}5  2 actions", shown[2])
    written = [json.loads(line) for line in run("bench", "--log", "game.json", "--json").stdout.splitlines()]
    assert [row["figure"] for row in written[:2]] == ["read and check game.json", "replay, every check on"]
    assert len(written) == len(shown) - 1
    for row in written:
        assert 0 <= row["least"] <= row["median"] <= row["most"] <= row["total"] + 1e-9, row
    named = {row["figure"]: row for row in written}
    for title in ("1860", "1862", "Steel Driver"):
        assert named[f"{title} map, again"]["times"] == 3
        assert named[f"{title}, all pictures of a turn, first"]["total"] >= named[f"{title} map, first"]["total"]


def test_bench_measures_best_runs_of_a_game_that_is_played_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn in which trains ran is one time; without a log there is nothing to read."""
    monkeypatch.setattr(selfplay, "MAX_MOVES", 160)
    monkeypatch.setattr(selfplay, "_draw", lambda game: iter(()))
    written = [json.loads(line) for line in run("bench", "--json").stdout.splitlines()]
    assert [row["figure"] for row in written] == ["replay, every check on", "best runs of a turn"]
    assert written[1]["times"] > 2


def test_a_sealed_log_is_replayed_with_its_seed_only() -> None:
    Path("game.json").write_bytes(encode_file(Setup("toy", 2, {}, 5), [LogEntry(0, Bid(1))], sealed=True))
    without = run("replay", "game.json")
    assert without.exit_code == 2
    assert "When the game is over, the table shows the seed" in without.stderr
    other = run("replay", "game.json", "--seed", "6")
    assert other.exit_code == 2
    assert "isn't the seed of this log" in other.stderr
    assert run("replay", "game.json", "--seed", "5").exit_code == 0


def test_version_is_that_of_the_installed_package() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"stationmaster {version('stationmaster')}\n"


def test_a_checkout_names_its_own_page_for_a_damaged_database() -> None:
    page = find_document("hosting.md")
    assert page.samefile(Path(__file__).parents[2] / "docs" / "hosting.md")
    assert "\n## When the database is damaged\n" in page.read_text()
