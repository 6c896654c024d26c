"""Files come in by a bounded process, one at a time; what a game hides does not go out before its end."""

import asyncio
import json
import signal
from typing import Any

import pytest
from msgspec.structs import replace

from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.screens.text import format_table
from bot.service.services import Services
from bot.service.table import Look
from bot.service.transfer import MAX_FILES_WAITING
from bot.service.workers import files
from bot.service.workers.files import FileAsked, ImportedGame, encode_export, read_game_file
from bot.service.workers.jobs import Job, Task
from bot.service.workers.pool import Crew, ThreadPipe, Worker, Workers
from bot.service.workers.processes import ProcessPipe
from engine import TITLES, Game, LogEntry, LogError, Redo, Rng, Setup, Undo, UnreadableLogError
from engine.codec import encode_file, fingerprint
from engine.interop.exchange import export_game
from tests.bot.conftest import ANN, BOB, EVE, close_together, seat_three
from tests.playthroughs.record import read as read_kept
from tests.support.toy import Bid, Pass


def play_game(title: str, seats: int, moves: int, seed: int = 7) -> Game:
    """Play a game by the seeded player, so many moves of it."""
    game, rng = Game.new(Setup(title, seats, {}, seed)), Rng(seed)
    while game.actors and len(game.log) < moves:
        seat = game.actors[0]
        game = game.play(seat, game.title.advice.choose(game.state, seat, rng)).game
    return game


@pytest.fixture(scope="module")
def steel() -> Game:
    return play_game("steel_driver", 3, 120)


async def apart(asked: FileAsked) -> ImportedGame:
    """Read a file as the bot does."""
    workers = Workers({lane: Crew([Worker(ThreadPipe())]) for lane in ("moves", "looks")})
    return await workers.do(files.READ_FILE, asked)


@pytest.fixture
def processes(services: Services) -> None:
    """Let files be read by processes, as the bot does."""
    services.workers._crews["files"] = Crew([Worker(ProcessPipe("files"))])


async def test_a_game_is_read_in_a_process_of_its_own(steel: Game) -> None:
    brought = await apart(FileAsked(encode_file(steel.setup, steel.log, ("Ann", "Bob", "Cid"))))
    assert brought == read_game_file(FileAsked(encode_file(steel.setup, steel.log, ("Ann", "Bob", "Cid"))))
    assert brought.names == ("Ann", "Bob", "Cid")
    assert len(brought.rows) == 120
    assert any("Ann" in sentence for row in brought.rows for sentence in row.told)


@pytest.mark.parametrize("kind", ["native", "18xx.games"])
async def test_an_import_plays_each_move_once_and_its_first_picture_once_more(
    services: Services, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Checked when it is read, and by the worker that looks at it first; of 1862 the site asks more questions."""
    kept, applies, title = read_kept("1862-2-site"), list[str](), TITLES["1862"]
    game = Game.replay(kept.setup, kept.read_log())
    names = ("Ann", "Bob")
    file = encode_export(game, names, kind)

    def count_apply(*args: Any) -> None:  # noqa: ANN401  # as the title has it
        applies.append(phase)
        title.apply(*args)

    monkeypatch.setitem(TITLES, "1862", replace(title, apply=count_apply))
    phase = "import"
    table = (await services.transfer.import_file(ANN, FileAsked(file))).table
    phase = "picture"
    await services.table.look(table.id, EVE.id, Look("map"))
    assert len(game.log) <= applies.count("import") <= 1.1 * len(game.log)
    assert len(game.log) <= applies.count("picture") <= 1.1 * len(game.log)


async def test_people_do_not_play_on_from_a_file_that_states_something_else(services: Services) -> None:
    """A finished game is read with a report; one that goes on only if the host says that it may be repaired."""
    file = json.loads(export_game(play_game("1860", 3, 60), ("Ann", "Bob", "Cid")))
    at, bid = next((at, each) for at, each in enumerate(file["actions"]) if each["type"] == "bid" and "company" in each)
    bid["price"] += 1
    changed = json.dumps(file).encode()
    line = f"Action {at}: The file states the price {bid['price']}, but it is {bid['price'] - 1}."
    with pytest.raises(BotError) as refusal:
        await services.transfer.import_file(ANN, FileAsked(changed))
    assert str(refusal.value).splitlines() == ["Read; 1 thing repaired.", line, files.NOT_STRICT]
    assert await services.lobby.list_tables() == []
    outcome = await services.transfer.import_file(ANN, FileAsked(changed, repair=True))
    assert outcome.sentences[1:] == ("Read; 1 thing repaired.", line)


async def test_a_refusal_comes_back_as_its_sentence() -> None:
    with pytest.raises(UnreadableLogError, match="This isn't a game log"):
        await apart(FileAsked(b"hello"))
    with pytest.raises(LogError, match="Action 0: There is no seat 5"):
        await apart(FileAsked(encode_file(Setup("steel_driver", 3), [LogEntry(5, Undo(0))])))


def test_undone_entries_are_skipped_not_replayed(steel: Game) -> None:
    """20,000 valid entries, nearly all of them undo and redo of a whole game: its 120 moves are played once."""
    log = [*steel.log, *(LogEntry(0, Undo(0) if number % 2 == 0 else Redo()) for number in range(19_880))]
    counted = 0
    title = TITLES["steel_driver"]
    brought = read_game_file(FileAsked(encode_file(steel.setup, log)))
    counted = len(brought.rows)
    assert counted == 120
    assert Game.replay(brought.setup, steel.log).state == steel.state
    assert title.result(steel.state) is None
    assert brought.facts.result is None


async def test_a_file_of_the_site_full_of_undo_is_read_within_its_bounds() -> None:
    """20,000 entries, nearly all of them undo and redo: looking them up one by one took more than the four seconds."""
    game = play_game("1860", 3, 60)
    file = json.loads(export_game(game, ("Ann", "Bob", "Cid")))
    first, last = len(file["actions"]), file["actions"][-1]
    for number in range(20_000 - first):
        kind = "redo" if number % 2 else "undo"
        entry = {"type": kind, "entity": last["entity"], "entity_type": "player", "id": last["id"] + 1 + number}
        file["actions"].append(entry)
    brought = await apart(FileAsked(json.dumps(file).encode()))
    assert len(brought.rows) in (59, 60), "an odd number of entries ends with an undo"


def test_a_log_with_more_entries_is_refused(steel: Game) -> None:
    log = [*steel.log, *(LogEntry(0, Undo(0) if number % 2 == 0 else Redo()) for number in range(20_000))]
    with pytest.raises(BotError, match="20120 entries; the limit is 20000"):
        read_game_file(FileAsked(encode_file(steel.setup, log)))


@pytest.mark.usefixtures("processes")
async def test_a_file_that_needs_too_much_is_refused(
    services: Services, steel: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "READ_FILE", replace(files.READ_FILE, seconds=0.001))
    with pytest.raises(BotError, match="takes more than 4 seconds or 512 MB; nothing was stored"):
        await services.transfer.import_file(ANN, FileAsked(encode_file(steel.setup, steel.log)))
    assert await services.lobby.list_tables() == []


async def test_files_are_read_one_at_a_time_and_few_wait(services: Services) -> None:
    begun, going_on = 0, asyncio.Event()

    class Slow(ThreadPipe):
        async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
            nonlocal begun
            begun += 1
            await going_on.wait()
            return await super().exchange(task, job)

    services.workers._crews["files"] = Crew([Worker(Slow())])
    file = FileAsked(encode_file(Setup("toy", 2), [LogEntry(0, Bid(3))]))
    waiting = [asyncio.create_task(services.transfer.import_file(ANN, file)) for _ in range(MAX_FILES_WAITING)]
    while services.transfer._waiting < MAX_FILES_WAITING or not begun:
        await asyncio.sleep(0)
    with pytest.raises(BotError, match="Many files are being read"):
        await services.transfer.import_file(BOB, file)
    assert begun == 1
    going_on.set()
    assert len({outcome.table.id for outcome in await asyncio.gather(*waiting)}) == MAX_FILES_WAITING
    assert begun == MAX_FILES_WAITING


@pytest.mark.usefixtures("processes")
async def test_no_other_table_notices_that_a_long_log_is_read(
    services: Services, steel: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two valid logs of 20,000 entries: the first is held in the middle, and all the others play on meanwhile."""
    game, start = await seat_three(services), asyncio.create_subprocess_exec
    begun: asyncio.Queue[asyncio.subprocess.Process] = asyncio.Queue()

    async def start_held(*command: str, **how: Any) -> asyncio.subprocess.Process:  # noqa: ANN401  # as the library takes it
        process = await start(*command, **how)
        if begun.empty():
            process.send_signal(signal.SIGSTOP)
        begun.put_nowait(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_held)
    entries = [*steel.log, *(LogEntry(0, Undo(0) if number % 2 == 0 else Redo()) for number in range(19_880))]
    file = FileAsked(encode_file(steel.setup, entries))
    reading_them = [asyncio.create_task(services.transfer.import_file(EVE, file)) for _ in range(2)]
    process = await begun.get()
    begun.put_nowait(process)
    for amount in range(1, 7):
        here = await services.table.load_position(game)
        await services.table.submit(game, here.actors[0].user, Bid(amount))
    assert not any(task.done() for task in reading_them)
    process.send_signal(signal.SIGCONT)
    for outcome in await asyncio.gather(*reading_them):
        assert outcome.sentences == ("Imported 120 moves.",)


async def test_a_running_game_goes_out_to_its_players_only_and_without_its_seed(services: Services) -> None:
    game = await seat_three(services)
    with pytest.raises(BotError, match="Only players of “The Toy” can see its log"):
        await services.transfer.export(game, user=EVE.id)
    file = await services.transfer.export(game, user=ANN.id)
    document = json.loads(file.data)
    assert document["setup"] == {"title": "toy", "seats": 3, "options": {}, "rules": Setup("toy", 3).rules}
    assert document["sealed"] == fingerprint(5) == (await services.lobby.get_table(game)).fingerprint
    assert document["sealed"] in file.words
    assert '"seed"' not in file.data.decode()
    whole = await services.transfer.export(game)  # whoever has the store has it all
    assert json.loads(whole.data)["setup"]["seed"] == 5


async def test_a_sealed_log_plays_through_with_its_seed_and_with_no_other(services: Services) -> None:
    game = await seat_three(services)
    await services.table.submit(game, ANN.id, Bid(2))
    file = await services.transfer.export(game, user=BOB.id)
    with pytest.raises(UnreadableLogError, match="When the game is over, the table shows the seed"):
        await services.transfer.import_file(BOB, FileAsked(file.data))
    with pytest.raises(UnreadableLogError, match="The seed 6 isn't the seed of this log"):
        await services.transfer.import_file(BOB, FileAsked(file.data, 6))
    again = await services.transfer.import_file(BOB, FileAsked(file.data, 5))
    assert (await services.table.load_position(again.table.id)).game.replay().state == (
        await services.table.load_position(game)
    ).game.replay().state


async def test_after_the_end_anyone_may_export_it_with_the_seed(services: Services) -> None:
    game = await seat_three(services)
    while (here := await services.table.load_position(game)).actors:
        await services.table.submit(game, here.actors[0].user, Pass())
    file = await services.transfer.export(game, user=EVE.id)
    assert json.loads(file.data)["setup"]["seed"] == 5
    assert file.words == f"{file.name}, {len(file.data)} bytes."


async def test_a_table_that_hides_something_gives_no_log_before_the_end(services: Services) -> None:
    """The log of a game tells all: played through, it would show the treasuries of 1860 to everyone (10.4)."""
    table = await services.lobby.create(ANN, NewTable("1860", 2, options={"treasuries": "hidden"}, seed=1))
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    for kind in ("native", "18xx.games"):
        with pytest.raises(BotError, match="hides the treasuries until the end"):
            await services.transfer.export(table.id, kind, ANN.id)
    await close_together(services, table.id)
    assert (await services.transfer.export(table.id, user=ANN.id)).data


async def test_the_two_formats_have_names_of_their_own(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("1860", 2, seed=1))
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    names = {(await services.transfer.export(table.id, kind)).name for kind in ("native", "18xx.games")}
    assert names == {f"1860-{table.id}-0.json", f"1860-{table.id}-0-18xx-games.json"}
    sealed = json.loads((await services.transfer.export(table.id, "18xx.games", BOB.id)).data)
    assert "seed" not in sealed["settings"]
    assert sealed["settings"]["sealed"] == fingerprint(1)


async def test_lobby_and_export_say_what_keeps_a_table_from_18xx_games(services: Services) -> None:
    why = "18xx.games can't continue this game, because it is played by the rulebook and has “Two 7+4 trains”."
    table = await services.lobby.create(ANN, NewTable("1860", 2, options={"two_7_4": "on"}, seed=1))
    assert why in format_table(table).splitlines()
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    assert why not in format_table(await services.lobby.get_table(table.id)), "who plays has chosen"
    file = await services.transfer.export(table.id, "18xx.games")
    assert file.words == f"{file.name}, {len(file.data)} bytes. {why} It can be imported here."
    assert why not in (await services.transfer.export(table.id)).words
    there = await services.lobby.create(ANN, NewTable("1860", 2, options={"profile": "18xx.games"}, seed=1))
    assert "18xx.games can't" not in format_table(there)
