"""The program's player: given a seat by consent, marked, never called, gone when a person moves."""

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest

from bot.commands.command import Call, Value
from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.posts import STAND_IN_SECONDS, Errand, Ping, Prompt, Turn
from bot.model.records import Home, NewTable, Table
from bot.model.standing import Course, read_facts
from bot.screens.text import format_table
from bot.service.services import Services
from bot.service.workers.jobs import DefectError, Held, Task
from bot.service.workers.pool import TooMuchError
from bot.service.workers.stand_in import STAND_IN_THINKING, TRIES, SeatToPlay
from bot.service.workers.tasks import Followed
from bot.store import games
from bot.terminal import run
from engine import Game, Setup
from engine.player import Manner
from tests.bot.conftest import ANN, BOB, CID, Clock
from tests.bot.test_commands import find
from tests.bot.test_table_posts import send_all
from tests.support.toy import Bid


async def test_a_sleeping_seat_is_played_by_vote_until_its_holder_moves(
    services: Services, game: int, clock: Clock
) -> None:
    with pytest.raises(BotError, match="hasn't kept the table waiting"):
        await services.stand_ins.propose(game, BOB.id, 0)
    clock.now += 2 * DAY
    asked = await services.stand_ins.propose(game, BOB.id, 0)
    assert asked.proposal is not None
    assert (asked.proposal.deciders, asked.proposal.enough) == ((BOB.id, CID.id), 2)
    assert asked.sentences == ("Bob asks for the stand-in to play for Ann; Cid can vote within a day.",)
    await send_all(services)
    await services.consent.vote(game, CID.id, yes=True)
    posts = await send_all(services)
    assert [type(post) for post in posts if isinstance(post, Errand | Ping)] == [Errand]
    moved = await services.stand_ins.play_turn(game)
    assert moved is not None
    assert all(sentence.startswith("⚙ ") for sentence in moved.sentences)
    assert [seat.name for seat in moved.actors] == ["Bob"]
    assert await services.stand_ins.play_turn(game) is None, "it plays its own seat only"
    table = await services.lobby.get_table(game)
    assert table.seats[0].user == ANN.id, "the seat stays hers"
    await services.stand_ins.take_back(game, ANN.id, 0)
    assert not (await services.lobby.get_table(game)).seats[0].stand_in


async def test_a_move_ends_an_absence(services: Services, game: int) -> None:
    await services.stand_ins.propose(game, ANN.id, 0)
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, yes=True)
    await services.table.submit(game, ANN.id, Bid(3))
    assert not (await services.lobby.get_table(game)).seats[0].stand_in


async def test_the_stand_in_pauses_like_a_person_and_is_not_called(services: Services, clock: Clock) -> None:
    home = Home("g", "c")
    table = await services.lobby.create(ANN, NewTable("toy", 3, seed=5, stand_ins=1), home)
    assert table.names == ("Ann", "Stand-in 1")
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.table.submit(table.id, ANN.id, Bid(3))
    posts = await send_all(services)
    assert [post.mention for post in posts if isinstance(post, Turn) and post.version] == [()]
    assert not any(isinstance(post, Errand) for post in posts)
    clock.now += STAND_IN_SECONDS
    assert any(isinstance(post, Errand) for post in await send_all(services))
    await services.stand_ins.play_turn(table.id)
    clock.now += 9 * DAY
    called = {user for post in await send_all(services) if isinstance(post, Turn | Ping) for user in post.mention}
    assert called == {BOB.id}


@pytest.mark.parametrize("error", [TooMuchError("too long"), DefectError("a trace")])
async def test_a_stand_in_that_cannot_think_plays_at_once(
    services: Services, game: int, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    await services.stand_ins.propose(game, ANN.id, 0)
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, yes=True)
    do, tries = services.table.workers.do, list[int]()

    async def fail_to_think(task: Task[Any, Any], takes: object, course: Course | None = None) -> object:
        if isinstance(takes, SeatToPlay):
            tries.append(takes.tries)
        if task is STAND_IN_THINKING:
            raise error
        return await do(task, takes, course)

    monkeypatch.setattr(services.table.workers, "do", fail_to_think)
    assert await services.stand_ins.play_turn(game) is not None
    assert tries == [TRIES, 0]


async def test_a_lone_player_among_programs_needs_no_consent_and_one_of_two_decides_after_the_deadline(
    services: Services, clock: Clock
) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5, stand_ins=1))
    await services.lobby.start(table.id, ANN.id, "as joined")
    assert (await services.stand_ins.propose(table.id, ANN.id, 0)).proposal is None
    assert (await services.lobby.get_table(table.id)).seats[0].stand_in
    pair = await services.lobby.create(ANN, NewTable("toy", 2, seed=5))
    await services.lobby.join(pair.id, BOB)
    await services.lobby.start(pair.id, ANN.id, "as joined")
    clock.now += 2 * DAY
    with pytest.raises(BotError, match="only after waiting 7 days for it"):
        await services.stand_ins.propose(pair.id, BOB.id, 0)


async def test_a_table_chooses_how_the_program_plays_and_may_change_it(services: Services) -> None:
    """It is kept with the seat, shown where the players are listed, and reaches the worker."""
    table = await services.lobby.create(ANN, NewTable("toy", 3, seed=5, stand_ins=2, manner="beginner, bold"))
    assert "Seats: Ann (host), Stand-in 1 (beginner, bold), Stand-in 2 (beginner, bold)" in format_table(table)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.table.submit(table.id, ANN.id, Bid(3))
    done, seen = services.table.workers.do, list[str]()

    async def note_manner(task: Task[Any, Any], takes: object, course: Course | None = None) -> object:
        seen.extend([takes.manner] if isinstance(takes, SeatToPlay) else [])
        return await done(task, takes, course)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(services.table.workers, "do", note_manner)
        assert await services.stand_ins.play_turn(table.id) is not None
    assert seen == ["beginner, bold"]
    changed = await services.stand_ins.propose(table.id, ANN.id, 1, manner=Manner("club"))
    assert changed.sentences == ("The stand-in (club) plays for Stand-in 1 from now on.",)
    with pytest.raises(BotError, match="already plays for Stand-in 1"):
        await services.stand_ins.propose(table.id, ANN.id, 1, manner=Manner("club"))
    assert [seat.manner for seat in (await services.lobby.get_table(table.id)).seats] == ["", "club", "beginner, bold"]


async def test_a_level_that_there_is_not_is_refused(services: Services) -> None:
    values: dict[str, Value] = {"title": "toy", "seats": 2, "stand_ins": 1, "level": "Genius"}
    with pytest.raises(BotError, match="The level must be beginner, club or strong, not “genius”"):
        await find("game new").run(Call(services, ANN, values))


async def test_a_table_of_programs_only_has_no_people(services: Services) -> None:
    with pytest.raises(BotError, match="A table for 3 can have 0 to 2 stand-ins"):
        await services.lobby.create(ANN, NewTable("toy", 3, stand_ins=3))


def test_a_practice_table_plays_on_at_the_keyboard(tmp_path: Path) -> None:
    out = io.StringIO()
    lines = '/game new title:1860 players:"Ann" stand_ins:1 seed:3\n/act bid amount:5\n/act pass\n'
    asyncio.run(run(tmp_path / "s.sqlite", tmp_path / "p", io.StringIO(lines), out))
    assert "⚙ Stand-in 1 " in out.getvalue()


@pytest.mark.parametrize("title", ["steel_driver", "1862"])
@pytest.mark.parametrize("says_why", [True, False])
def test_a_move_of_the_stand_in_says_why_where_it_may(title: str, says_why: bool) -> None:
    game = Game.new(Setup(title, 3, seed=3))
    sitting = SeatToPlay(game.actors[0], ("Ann", "Bob", "Cid"), (), 4, says_why=says_why)
    made = STAND_IN_THINKING.do(Held(game), sitting).further[0]
    assert made.told[0].startswith("⚙ ")
    assert (": " in made.told[0]) == says_why


@pytest.mark.parametrize(
    ("advice", "people", "says_why"),
    [("off", 1, False), ("private", 1, True), ("private", 2, False), ("public", 2, True)],
)
async def test_why_it_moves_is_for_all_to_read_where_advice_is_public_or_one_player_reads_it(
    services: Services, monkeypatch: pytest.MonkeyPatch, advice: str, people: int, says_why: bool
) -> None:
    wish = NewTable("steel_driver", 3, seed=5, stand_ins=3 - people, options={"advice": advice})
    table = await services.lobby.create(ANN, wish)
    for other in (BOB,)[: people - 1]:
        await services.lobby.join(table.id, other)
    outcome = await services.lobby.start(table.id, ANN.id, "as joined")
    asked = list[bool]()

    async def note_asked(_: Task[Any, Any], takes: SeatToPlay, __: Course) -> Followed:
        asked.append(takes.says_why)
        return Followed(None, (), (), read_facts(Game.new(table.setup)))

    monkeypatch.setattr(services.table.workers, "do", note_asked)
    seat = outcome.actors[0].number
    async with services.database.writing(table.id) as session:
        await games.set_stand_in(session, table.id, seat, on=True)
    await services.stand_ins.play_turn(table.id)
    assert asked == [says_why]


async def start_alone(services: Services, title: str) -> Table:
    """Start a game that programs play alone."""
    table = await services.lobby.create(ANN, NewTable(title, 2, seed=5, stand_ins=1), Home("g", "c"))
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.stand_ins.propose(table.id, ANN.id, 0)
    return table


async def test_a_turn_longer_than_a_chain_goes_on_with_another_errand(
    services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.service.workers.stand_in.MAX_CHAIN_MOVES", 1)
    table = await start_alone(services, "1860")
    here, before = await services.table.load_position(table.id), None
    while before is None or here.table.turn_from != before.table.turn_from:
        clock.now += STAND_IN_SECONDS
        assert [post.version for post in await send_all(services) if isinstance(post, Errand)] == [here.version]
        await services.stand_ins.play_turn(table.id)
        here, before = await services.table.load_position(table.id), here
    clock.now += STAND_IN_SECONDS
    assert [post.version for post in await send_all(services) if isinstance(post, Errand)] == [here.version]


async def test_programs_alone_play_only_so_long(
    services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.service.stand_ins.MAX_MOVES_ALONE", 3)
    table = await start_alone(services, "toy")
    while (await services.table.load_position(table.id)).version < 3:
        assert await services.stand_ins.play_turn(table.id) is not None
    await send_all(services)
    assert await services.stand_ins.play_turn(table.id) is None
    (prompt,) = [post for post in await send_all(services) if isinstance(post, Prompt)]
    assert prompt.mention == (ANN.id,)
    assert "has stopped" in prompt.text
