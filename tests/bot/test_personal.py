"""What an operator can list, hand out and delete: of all servers, of one, and of one person."""

import asyncio
import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.model.records import Home, NewTable
from bot.operations.cli import app
from bot.service.services import Services
from bot.store import census, servers
from bot.store.people import collect_rows
from bot.store.servers import DELETED
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock
from tests.bot.test_table_posts import send_all
from tests.support.toy import Bid, Pass

HERE, THERE = Home("guild", "channel"), Home("other", "channel")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


async def run_beside(*words: str) -> Result:
    """Run a command that has an event loop of its own."""
    return await asyncio.to_thread(run, *words)


@pytest.fixture
def as_operator(services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATIONMASTER_DATABASE", str(services.database.address))


async def play(services: Services, home: Home) -> int:
    """Ann and Bob have begun a game on a server, and Ann has bid."""
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5), home)
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.table.submit(table.id, ANN.id, Bid(1))
    return table.id


async def test_tables_are_listed_by_server_state_and_person(services: Services, game: int) -> None:
    begun = await play(services, HERE)
    waiting = (await services.lobby.create(EVE, NewTable("toy", 2), THERE)).id
    async with services.database.reading() as session:
        assert [line.number for line in await census.list_tables(session)] == [game, begun, waiting]
        (here,) = await census.list_tables(session, guild="guild")
        assert (here.entries, here.seats, here.state) == (1, 2, "running")
        assert [line.number for line in await census.list_tables(session, states=["open"])] == [waiting]
        assert [line.number for line in await census.list_tables(session, user=CID.id)] == [game]


async def test_the_cost_of_each_server_is_counted(services: Services, game: int, clock: Clock) -> None:
    """Moves and messages of the last days, the busiest server first; tables without a server have a line, too."""
    await play(services, HERE)
    await services.lobby.create(EVE, NewTable("toy", 2), THERE)
    await send_all(services)
    async with services.database.reading() as session:
        found = await census.list_servers(session, clock())
        later = await census.list_servers(session, clock() + 1)
    assert [(line.guild, line.tables, line.running, line.moves) for line in found] == [
        ("guild", 1, 1, 1), ("", 1, 1, 0), (THERE.guild, 1, 0, 0),
    ]  # fmt: skip
    assert found[0].bytes > 20
    assert found[0].messages > found[2].messages > 0
    assert {(line.moves, line.messages, line.bytes) for line in later} == {(0, 0, 0)}


async def test_a_server_that_is_deleted_leaves_numbers_and_no_more(services: Services, clock: Clock) -> None:
    """An old button must not come to mean another table; those of other servers stay as they are."""
    gone, stays = await play(services, HERE), await play(services, THERE)
    await services.agreements.propose_close(gone, ANN.id)
    async with services.database.writing() as session:
        assert await servers.delete_server(session, "guild", clock()) == 1
    async with services.database.reading() as session:
        left = {line.number: line for line in await census.list_tables(session)}
        found = await collect_rows(session, ANN.id)
    assert (left[gone].state, left[gone].name, left[gone].entries, left[gone].seats) == ("closed", DELETED, 0, 0)
    assert left[gone].guild == ""
    assert left[stays].entries == 1
    assert {row.get("game", stays) for rows in found.values() for row in rows} == {stays}


async def test_what_is_stored_of_a_person_holds_no_secret(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.people.set_note(game, ANN.id, "sell early")
    await services.people.set_note(game, BOB.id, "Ann sells early")
    async with services.database.reading() as session:
        found: dict[str, list[dict[str, Any]]] = await collect_rows(session, ANN.id)
    assert [row["words"] for row in found["own_note"]] == ["sell early"]
    assert [row["seq"] for row in found["log"]] == [0]
    assert [row["id"] for row in found["game"]] == [game]
    assert not {"seed", "code", "token"} & {name for rows in found.values() for row in rows for name in row}


async def test_the_command_line_shows_before_it_deletes(services: Services, game: int, as_operator: None) -> None:
    await services.close()
    listed = (await run_beside("tables", "--state", "running")).stdout
    assert "toy" in listed
    assert listed.endswith("1 table.\n")
    assert (await run_beside("servers")).stdout == "guild,tables,running,moves,messages,bytes\n,1,1,0,0,0\n"
    assert "seat: 1" in (await run_beside("person", ANN.id, "--export", "ann.json")).stdout
    assert json.loads(Path("ann.json").read_text())["seat"][0]["name"] == "Ann"
    preview = (await run_beside("forget", "--user", ANN.id)).stdout
    assert preview.startswith("1 table, 1 of them running: --sure deletes the person's name and data.")
    assert "seat: 1" in (await run_beside("person", ANN.id)).stdout
    assert "Deleted at 1 table." in (await run_beside("forget", "--user", ANN.id, "--sure")).stdout
    assert (await run_beside("person", ANN.id)).stdout == "Nothing is stored about this person.\n"
    assert "Deleted: no table." in (await run_beside("forget", "--server", "7", "--sure")).stdout


async def test_all_games_are_exported_at_once(services: Services, game: int, as_operator: None) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.close()
    result = await run_beside("export", "--all", "logs")
    assert "1 game written to logs." in result.stdout
    (file,) = Path("logs").iterdir()
    assert file.name.startswith(f"{game}-toy")
    assert file.stat().st_mode & 0o777 == 0o600
    assert (await run_beside("replay", str(file))).exit_code == 0


async def test_a_league_is_written_as_csv(services: Services, as_operator: None) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5), HERE)
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    while (here := await services.table.load_position(table.id)).actors:
        user = here.actors[0].user
        await services.table.submit(table.id, user, Bid(1) if user == ANN.id else Pass())
    await services.close()
    rows = csv.DictReader((await run_beside("league", "--server", "guild")).stdout.splitlines())
    won = {row["name"]: (row["title"], row["players"], row["won"], row["rating"]) for row in rows}
    assert won == {"Ann": ("toy", "2", "1", ""), "Bob": ("toy", "2", "0", "")}
    assert len((await run_beside("league", "--server", "other")).stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("forget",), "Name either --user or --server."),
        (("forget", "--user", "1", "--server", "2"), "Name either --user or --server."),
        (("export",), "Name either a game or --all FOLDER."),
        (("tables", "--state", "lost"), "There is no state “lost”; choose from open, running, finished, closed."),
    ],
)
def test_what_is_named_by_half_is_refused(words: tuple[str, ...], why: str) -> None:
    result = run(*words)
    assert (result.exit_code, result.stderr.strip()) == (1, why)


def test_a_damaged_database_is_copied_only_where_that_is_wished(monkeypatch: pytest.MonkeyPatch) -> None:
    wished = list[bool]()

    async def back_up(*_: object, whole: bool) -> str:
        wished.append(whole)
        return ""

    monkeypatch.setattr("bot.operations.backup.back_up", back_up)
    run("backup", "copy.sqlite")
    run("backup", "copy.sqlite", "--whole")
    assert wished == [False, True]
