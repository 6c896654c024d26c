"""Workers: positions they hold, lanes and ranks, and ends that are bad."""

import asyncio
from typing import Any

import msgspec
import pytest

from bot.model.errors import BotError
from bot.model.standing import Course, Standing
from bot.service.workers.jobs import DefectError, Held, Job, Lane, Positions, Task
from bot.service.workers.pool import TOO_MUCH_REFUSAL, Crew, Kept, ThreadPipe, Worker, Workers
from bot.service.workers.processes import PipeBrokenError
from bot.service.workers.tasks import BACK, DEAL, LOOK, PLAY, STAND, PictureAsked, UndoAsked, Wish
from engine import Game, LogEntry, Request, Rng, RuleError, Setup, Undo
from engine.codec import decode_entry, encode_action
from tests.support.toy import Bid


def course_of(game: Game, number: int = 1) -> Course:
    return Course(number, game.setup, game.log)


def play_moves(setup: Setup, moves: int) -> Game:
    """Return a game of the seeded player."""
    game, rng = Game.new(setup), Rng(setup.seed)
    for _ in range(moves):
        seat = game.actors[0]
        game = game.play(seat, game.title.advice.choose(game.state, seat, rng)).game
    return game


class Counted(ThreadPipe):
    """A pipe that notes what was sent of each position."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[bool, int]] = []

    async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
        if job.place is not None:
            self.sent.append((job.place.setup is not None, len(job.place.rows)))
        return await super().exchange(task, job)


async def stand(worker: Worker, game: Game) -> None:
    await worker.do(STAND, msgspec.msgpack.encode(None), course_of(game))


async def test_a_position_is_sent_whole_once_and_then_only_the_new_entries() -> None:
    game = Game.new(Setup("toy", 3))
    worker = Worker(pipe := Counted())
    await stand(worker, game)
    for amount in (1, 2):
        game = game.play(game.actors[0], Bid(amount)).game
    await stand(worker, game)
    await stand(worker, game)
    assert pipe.sent == [(True, 0), (False, 2), (False, 0)]


async def test_a_position_that_a_worker_has_lost_is_sent_again() -> None:
    game = play_moves(Setup("toy", 3), 2)
    worker = Worker(pipe := Counted())
    await stand(worker, game)
    pipe._positions = Positions(8)
    await stand(worker, game)
    assert pipe.sent == [(True, 2), (False, 0), (True, 2)]


async def test_an_earlier_position_is_no_later_one() -> None:
    """A question about a position that was left meanwhile is answered for it, and the later one stays."""
    later = play_moves(Setup("toy", 3), 3)
    workers = Workers.in_threads()
    for game in (later, Game.replay(later.setup, later.log[:1]), later):
        told = await workers.do(STAND, None, course_of(game))
        assert told == Standing.of(game).facts


async def test_a_move_that_was_tried_and_not_stored_leaves_no_trace() -> None:
    """Another player was first: the position after the other move is not that after the one tried."""
    game = Game.new(Setup("toy", 3))
    workers = Workers.in_threads()
    wish = Wish((0,), ("Ann", "Bob", "Cid"), action=encode_action(Bid(5)))
    made = await workers.do(PLAY, wish, course_of(game))
    assert decode_entry("toy", made.seat, made.said) == LogEntry(0, Bid(5))
    other = game.play(0, Bid(2)).game
    assert (await workers.do(STAND, None, course_of(other))) == Standing.of(other).facts
    with pytest.raises(RuleError):
        await workers.do(
            PLAY, msgspec.structs.replace(wish, seats=(1,), action=encode_action(Bid(2))), course_of(other)
        )


async def test_moves_taken_back_lead_where_the_log_says() -> None:
    game = play_moves(Setup("1860", 3, seed=3), 30)
    workers = Workers.in_threads()
    told = await workers.do(BACK, UndoAsked(0, 11), course_of(game))
    after = Standing.of(game).add_entry(LogEntry(0, Undo(11)), told)
    assert after == Standing.of(game.undo(0, 11))
    assert await workers.do(STAND, None, Course(1, after.setup, after.log)) == after.facts


@pytest.mark.parametrize("title", ["1860", "1862", "steel_driver"])
def test_a_look_back_from_the_nearest_position_is_that_from_the_beginning(title: str) -> None:
    game = play_moves(Setup(title, 3, seed=4), 60)
    held = Held(Game.new(game.setup))
    from bot.service.workers import jobs

    for start in range(0, 60, 7):
        held = held.add_entries([jobs.encode_row(said) for said in game.log[start : start + 7]])
    for count in (0, 13, 40, 59, 60):
        assert held.replay_to(count).state == game.at(count).state
    with pytest.raises(RuleError):
        held.replay_to(61)


async def test_waiting_tasks_are_served_by_rank_then_in_order() -> None:
    crew = Crew([Worker(ThreadPipe())])
    served: list[str] = []

    async def waits(name: str, rank: int) -> None:
        async with crew.borrow(rank, None):
            served.append(name)

    async with crew.borrow(0, None):
        waiting = [asyncio.create_task(waits(name, rank)) for name, rank in (("c", 2), ("a", 0), ("d", 2), ("b", 1))]
        gone = asyncio.create_task(waits("never", 0))
        await asyncio.sleep(0)
        gone.cancel()
    await asyncio.gather(*waiting)
    assert served == ["a", "b", "c", "d"]


async def test_a_search_goes_before_the_pictures_that_wait() -> None:
    """The words of a turn wait for a search, and never for more than the one picture that is being drawn."""
    crew, served = Crew([Worker(ThreadPipe()), Worker(ThreadPipe())]), []

    async def waits(name: str, rank: int) -> None:
        async with crew.borrow(rank, None, is_long=True):
            served.append(name)

    async with crew.borrow(2, None, is_long=True):
        waiting = [asyncio.create_task(waits(name, rank)) for name, rank in (("map", 2), ("cash", 2), ("tips", 1))]
        await asyncio.sleep(0)
        assert served == []
        async with crew.borrow(0, None):
            pass
    await asyncio.gather(*waiting)
    assert served == ["tips", "map", "cash"]


async def test_long_tasks_leave_one_worker_free() -> None:
    crew, go_on, under_way = Crew([Worker(ThreadPipe()) for _ in range(4)]), asyncio.Event(), 0

    async def lasts() -> None:
        nonlocal under_way
        async with crew.borrow(0, None, is_long=True):
            under_way += 1
            await go_on.wait()

    waiting = [asyncio.create_task(lasts()) for _ in range(5)]
    await asyncio.sleep(0)
    async with crew.borrow(2, None):
        await asyncio.sleep(0)
        assert under_way == 3
    go_on.set()
    await asyncio.gather(*waiting)


@pytest.mark.parametrize("lane", ["searches", "pictures"])
async def test_searches_and_pictures_leave_a_worker_for_the_others(lane: Lane) -> None:
    """However many of them are asked for, a look is answered while they last."""
    go_on, searching = asyncio.Event(), 0

    class Slow(ThreadPipe):
        async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
            nonlocal searching
            if task.lane == lane:
                searching += 1
                await go_on.wait()
            return await super().exchange(task, job)

    workers = Workers({"moves": Crew([Worker(Slow())]), "looks": Crew([Worker(Slow()), Worker(Slow())])})
    game = Game.new(Setup("toy", 3))
    search = msgspec.structs.replace(STAND, lane=lane)
    under_way = [asyncio.create_task(workers.do(search, None, course_of(game))) for _ in range(5)]
    await workers.do(LOOK, PictureAsked(Request("map")), course_of(game))
    await workers.do(STAND, None, course_of(game))
    assert searching == 1
    go_on.set()
    assert len(set(map(str, await asyncio.gather(*under_way)))) == 1


async def test_running_searches_are_cancelled_at_the_end() -> None:
    begun = asyncio.Event()

    class Endless(ThreadPipe):
        async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
            begun.set()
            await asyncio.Event().wait()
            return await super().exchange(task, job)

    workers = Workers({"moves": Crew([Worker(Endless())]), "looks": Crew([Worker(Endless())])})
    asked = asyncio.create_task(workers.do(STAND, None, course_of(Game.new(Setup("toy", 3)))))
    await begun.wait()
    await workers.close()
    with pytest.raises(asyncio.CancelledError):
        await asked


async def test_a_picture_no_one_waits_for_is_not_drawn() -> None:
    """Whoever asks and hangs up leaves no work behind; a second who waits for the same one still gets it."""
    asked, goes_on = list[bytes](), asyncio.Event()

    class Slow(ThreadPipe):
        async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
            asked.append(job.takes)
            await goes_on.wait()
            return await super().exchange(task, job)

    workers, kept = Workers({"moves": Crew([]), "looks": Crew([Worker(Slow())])}), Kept()
    draw: Task[str, bytes] = Task("draw", lambda _, text: text.encode(), str, bytes, lane="pictures")

    def ask(text: str) -> asyncio.Task[bytes]:
        return asyncio.create_task(kept.get_or_make(text.encode(), lambda: workers.do(draw, text)))

    first, given_up, one, other = ask("a"), ask("b"), ask("c"), ask("c")
    while not asked:
        await asyncio.sleep(0)
    for each in (given_up, one):
        each.cancel()
    await asyncio.gather(given_up, one, return_exceptions=True)
    goes_on.set()
    assert [await first, await other] == [b"a", b"c"]
    assert len(asked) == 2
    assert await ask("b") == b"b", "asked for again, it is drawn"


class Broken(ThreadPipe):
    """A pipe that breaks so many times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
        self.times -= 1
        if self.times >= 0:
            raise PipeBrokenError("as the test wants it")
        return await super().exchange(task, job)


async def test_a_worker_that_breaks_costs_a_second_try() -> None:
    crew = Crew([Worker(Broken(1))])
    workers = Workers({"moves": crew, "looks": Crew([Worker(ThreadPipe())])})
    game = play_moves(Setup("toy", 3), 2)
    assert await workers.do(STAND, None, course_of(game)) == Standing.of(game).facts


async def test_two_failing_jobs_are_reported_in_a_sentence_and_the_next_one_runs() -> None:
    crew = Crew([Worker(Broken(2))])
    workers = Workers({"moves": crew, "looks": Crew([Worker(ThreadPipe())])})
    with pytest.raises(BotError, match=TOO_MUCH_REFUSAL):
        await workers.do(DEAL, Setup("toy", 3))
    assert (await workers.do(DEAL, Setup("toy", 3))).actors == (0,)


async def test_a_defect_is_reported_with_its_trace_and_not_tried_again() -> None:
    tried = []

    def fails(_: None, __: None) -> None:
        tried.append(1)
        message = "a hole"
        raise ZeroDivisionError(message)

    with pytest.raises(DefectError, match="ZeroDivisionError: a hole"):
        await Workers.in_threads().do(Task("fails", fails, None, None), None)
    assert tried == [1]


async def test_half_a_character_is_refused() -> None:
    game = Game.new(Setup("toy", 3))
    wish = Wish((0,), ("Ann", "Bob", "Cid"), "bid", {"amount": "\ud800"})
    with pytest.raises(BotError, match="can't be read"):
        await Workers.in_threads().do(PLAY, wish, course_of(game))
