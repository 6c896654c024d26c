"""Refusals of commands: each says what is missing, and what works."""

from pathlib import Path

import pytest

from bot.commands import build_tree, typed
from bot.commands.command import Call, Value
from bot.commands.typed import find_command, read_line
from bot.model.errors import BotError
from bot.model.records import Home, NewTable
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB


@pytest.mark.parametrize(("typed", "values", "refusal"), [
    ("admin limits", {}, "needs a Discord server"),
    ("game new", {"title": "toy", "seats": "many"}, "^seats must be a whole number"),
    ("game invite", {}, "^Name the person to invite"),
    ("game invite", {"mail": "bob@home.example"}, "has no mailbox; its operator can set one up"),
    ("game import", {}, "^Attach the file"),
    ("game replace", {"seat": "Bob"}, "^Choose who takes the seat with user:"),
    ("game replace", {"seat": "Zoe", "user": ANN}, "called “Zoe”; there are Ann, Bob and Cid"),
    ("game proxy", {"seat": "Bob"}, "^Choose who acts for the seat with user:"),
    ("me remind", {"place": "moon"}, "^place must be one of: table, dm, both, none"),
    ("me mail", {"address": "ann@home.example"}, "has no mailbox; its operator can set one up"),
    ("view boxes", {}, "^The Toy has no picture “boxes”; it has map, table and player"),
    ("stats head_to_head", {"other": ANN}, "^Choose two different players"),
])  # fmt: skip
async def test_a_command_says_what_it_lacks(
    services: Services, game: int, typed: str, values: dict[str, Value], refusal: str
) -> None:
    _, command = find_command(build_tree(), *typed.split())
    with pytest.raises(BotError, match=refusal):
        await command.run(Call(services, ANN, values, game, Home(), manages=True))


@pytest.mark.parametrize(("typed", "values", "refusal"), [
    ("me mail", {"address": "ann@home.example"}, "run “stationmaster mail new”"),
    ("me forget", {"sure": True}, "delete the database file instead"),
])  # fmt: skip
async def test_the_local_table_suggests_an_alternative(
    services: Services, game: int, typed: str, values: dict[str, Value], refusal: str
) -> None:
    _, command = find_command(build_tree(), *typed.split())
    with pytest.raises(BotError, match=refusal):
        await command.run(Call(services, ANN, values, game, hot_seat=True))


@pytest.mark.parametrize(("line", "refusal"), [
    ("/game replace seat:Bob", r"^/game replace needs user \(who takes the seat; they must agree\)\.$"),
    ("/game import file:game.json", "^file can't be named in an e-mail; attach the file"),
])  # fmt: skip
def test_a_mail_cannot_use_commands_that_need_more_than_text(line: str, refusal: str) -> None:
    with pytest.raises(BotError, match=refusal):
        read_line(build_tree(), line, from_afar=True)


async def test_a_company_that_could_be_several_is_not_guessed(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("1860", 2, seed=5))
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id)
    _, command = find_command(build_tree(), "view", "company")
    with pytest.raises(BotError, match=r"^“isle” could be IOW or IWNJ; choose one\.$"):
        await command.run(Call(services, ANN, {"company": "isle"}, table.id, Home()))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed, "MAX_FILE_BYTES", 1000)
    file = tmp_path / "game.json"
    file.write_bytes(bytes(1001))
    with pytest.raises(BotError, match=r"^The file is too large; the limit is 1,000 bytes\.$"):
        read_line(build_tree(), f'/game import file:"{file}"')
