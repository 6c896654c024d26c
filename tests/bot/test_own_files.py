"""A group's own board: a file beside the store, chosen in the lobby, carried by the table and its log."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.commands.command import Call, suggest
from bot.commands.game import build_game as game_commands
from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.service import options as lobby_options
from bot.service.services import Services
from bot.service.workers.files import FileAsked
from engine import TITLES, Game, LobbyOption, RuleError, Setup
from engine.codec import decode_file
from engine.setup import OwnFile, read_own_file
from engine.titles.steel_driver.board import load_shipped_board
from tests.bot.conftest import ANN, BOB, CID
from tests.bot.test_local import evening
from tests.support.boards import TWO_COASTS as COAST
from tests.support.settings import BareSettings
from tests.support.sure import sure

BAD = COAST.replace("west-middle = 3", "west-mars = 3")
BOARD = LobbyOption("board", "Board", "Which board.", (("shipped", "a reconstruction"),), "boards/*.toml")


@pytest.fixture
def boards(path: Path) -> Path:
    folder = path.parent / "boards"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Coast.toml").write_text(COAST, "utf-8")
    (folder / "bad.toml").write_text(BAD, "utf-8")
    return folder


def wish(board: str) -> NewTable:
    return NewTable("steel_driver", 3, options={"board": board}, seed=3)


async def open_on_board(services: Services, board: str) -> int:
    table = await services.lobby.create(ANN, wish(board))
    await services.lobby.join(table.id, BOB)
    await services.lobby.join(table.id, CID)
    return table.id


async def test_a_table_is_played_on_a_file_of_the_groups_own(services: Services, boards: Path) -> None:
    game = await open_on_board(services, "coast.toml")
    await services.lobby.start(game, ANN.id, "as joined")
    here = await services.table.load_position(game)
    assert here.game.replay().state.board.name == "Two coasts"


async def test_a_table_and_its_log_need_the_file_no_more(services: Services, boards: Path) -> None:
    game = await open_on_board(services, "coast.toml")
    for file in boards.iterdir():
        file.unlink()
    boards.rmdir()
    await services.lobby.start(game, ANN.id, "as joined")
    exported = (await services.transfer.export(game)).data
    assert Game.replay(*decode_file(exported)).state.board.name == "Two coasts"
    again = await services.transfer.import_file(BOB, FileAsked(exported))
    assert (await services.table.load_position(again.table.id)).game.replay().state.board.name == "Two coasts"


async def test_the_host_chooses_it_in_the_lobby_and_the_others_are_shown_its_name(
    services: Services, boards: Path
) -> None:
    game = await open_on_board(services, "shipped")
    table = await services.lobby.set_options(game, ANN.id, {"board": "coast.toml"})
    assert sure(read_own_file(table.options["board"])).name == "Coast.toml"
    told = [stored.post.text for stored in await services.outbox.list_due() if hasattr(stored.post, "text")]
    said = "Board: custom (Coast.toml)"
    told_all = (
        f"The host changed the variants of “Steel Driver”: {said}. If you don't want to play them, you can leave."
    )
    assert told == [told_all]
    back = await services.lobby.set_options(game, ANN.id, {"board": "shipped"})
    assert back.options == {"board": "shipped"}


async def test_a_bad_board_is_refused_with_file_place_and_reason(services: Services, boards: Path) -> None:
    with pytest.raises(RuleError, match=r"bad\.toml, routes\.west-mars: there is no place 'mars'"):
        await services.lobby.create(ANN, wish("bad.toml"))
    game = await open_on_board(services, "shipped")
    with pytest.raises(RuleError, match=r"bad\.toml, routes\.west-mars"):
        await services.lobby.set_options(game, ANN.id, {"board": "bad.toml"})
    assert (await services.lobby.get_table(game)).options == {"board": "shipped"}


@pytest.mark.parametrize(
    "name", ["nowhere.toml", "../store.sqlite", "../boards/coast.toml", "/etc/passwd", "coast", "", "x" * 100_000]
)
async def test_nothing_but_the_files_of_the_folder_is_read(services: Services, boards: Path, name: str) -> None:
    with pytest.raises(BotError, match=r"Board \(board\) must be shipped, Coast\.toml or bad\.toml, not") as refusal:
        await services.lobby.create(ANN, wish(name))
    assert len(str(refusal.value)) < 300


def test_only_plain_names_are_offered_and_not_too_many(boards: Path) -> None:
    for name in ("two words.toml", ".hidden.toml", "x" * 60 + ".toml", "notes.txt", "@all.toml"):
        (boards / name).write_text(COAST, "utf-8")
    (boards / "folder.toml").mkdir()
    os.mkfifo(boards / "pipe.toml")
    assert lobby_options.list_own_files(boards.parent, BOARD) == ["Coast.toml", "bad.toml"]
    for number in range(40):
        (boards / f"a{number}.toml").touch()
    assert len(lobby_options.list_own_files(boards.parent, BOARD)) == lobby_options.MAX_FILES_OFFERED
    assert lobby_options.list_own_files(boards.parent / "no such place", BOARD) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"name = '\xff'", "bad.toml, byte 8: it isn't UTF-8 text."),
        (b"#" * 300_000, "bad.toml is too large; the limit is 64 KiB"),
    ],
)
async def test_a_file_that_is_no_text_is_refused(
    services: Services, boards: Path, content: bytes, sentence: str
) -> None:
    (boards / "bad.toml").write_bytes(content)
    with pytest.raises(BotError, match=sentence):
        await services.lobby.create(ANN, wish("bad.toml"))


async def test_files_are_offered_while_typing(services: Services, boards: Path) -> None:
    new = next(command for command in game_commands().commands if command.name == "new")
    call = Call(services, ANN, {"title": "steel_driver", "options": "board=coast.toml fi"})
    assert next(each.value for each in await suggest(new, call, "options", "")) == "board=coast.toml first=drawn"
    call = Call(services, ANN, {"title": "steel_driver", "options": ""})
    found = [each.value for each in await suggest(new, call, "options", "board")]
    assert found == ["board=shipped", "board=Coast.toml", "board=bad.toml"]


async def test_the_local_table_plays_on_it_and_says_so(tmp_path: Path) -> None:
    settings = BareSettings(
        database=str(tmp_path / "store.sqlite"),
        pictures=tmp_path / "pictures",
    )
    folder = tmp_path / "boards"
    folder.mkdir()
    (folder / "coast.toml").write_text(COAST, "utf-8")
    (folder / "bad.toml").write_text(BAD, "utf-8")
    new = '/game new title:steel_driver players:"Ann, Bob, Cid" options:"board='
    said = await evening(settings, new + 'bad.toml"', new + 'coast.toml"', "/view map", new + 'shipped"')
    assert "bad.toml, routes.west-mars: there is no place 'mars'" in said
    assert "Board: custom (coast.toml)" in said
    assert "Board: a reconstruction, not the printed one" in said
    assert "Two coasts" in said


def test_a_title_without_such_an_option_takes_no_text_of_anybody() -> None:
    option = TITLES["steel_driver"].options[1]
    assert not option.admits("custom:x.toml\n")
    assert TITLES["steel_driver"].options[0].admits("custom:x.toml\nname = 1")
    assert load_shipped_board().name not in COAST


async def test_a_board_on_which_games_do_not_end_is_refused_when_it_is_chosen(
    services: Services, boards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded player tries whole games, by few and by many players, in a process with bounded time."""
    await lobby_options.try_file(
        services.workers, Setup("steel_driver", 3, {"board": OwnFile("Coast.toml", COAST).value})
    )
    monkeypatch.setattr(lobby_options, "TRY", replace(lobby_options.TRY, seconds=0))
    with pytest.raises(BotError, match=r"Coast\.toml can't be used: test games with it never end"):
        await services.lobby.create(ANN, wish("coast.toml"))
    assert await services.lobby.list_tables() == []
    assert (await services.lobby.create(ANN, wish("shipped"))).options == {"board": "shipped"}


def test_a_trial_ends_where_the_player_finds_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup("steel_driver", 3, {"board": OwnFile("Coast.toml", COAST).value})
    lobby_options.play_trial_games(setup)
    monkeypatch.setattr(lobby_options, "MAX_TRIAL_MOVES", 3)
    with pytest.raises(BotError, match=r"Coast\.toml can't be used: test games with it never end"):
        lobby_options.play_trial_games(setup)
