"""Moves worth a button: worked out once, searched on in the background, told by an edit of the turn message."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any

import pytest
from msgspec.structs import replace

from bot.model.posts import Turn
from bot.model.records import Position
from bot.model.standing import Standing
from bot.service import advice
from bot.service.services import Services
from bot.service.table import Typed
from bot.service.workers.choices import NO_ADVICE, PROVE, Advised, decode_tips, encode_tips
from bot.service.workers.pool import TooMuchError
from engine import TITLES, Game, Rng, Setup, Tip
from tests.bot.conftest import ANN, Clock, seat_three
from tests.bot.test_table_posts import send_all
from tests.support.changed_title import change
from tests.support.sure import sure
from tests.support.toy import Bid, toy

FOUND = Tip(Bid(3), "Best found 3 (at most 5)", Bid(20), proven=False)
BETTER = Tip(Bid(4), "Best found 4 (at most 5)", Bid(20), proven=False)
BEST = Tip(Bid(5), "Best 5", Bid(20))


class Search:
    """A search that gives what it is told to, when it is told to."""

    def __init__(self) -> None:
        self.begun = 0
        self.under_way = 0
        self.results: asyncio.Queue[Tip | Exception | None] = asyncio.Queue()

    async def __call__(self, game: Standing, seat: int, tips: Sequence[Tip]) -> AsyncGenerator[tuple[Tip, ...], None]:
        assert tips == (FOUND,)
        self.begun += 1
        self.under_way += 1
        try:
            while (found := await self.results.get()) is not None:
                if isinstance(found, Exception):
                    raise found
                yield (found,)
        finally:
            self.under_way -= 1


@pytest.fixture
def search(services: Services, monkeypatch: pytest.MonkeyPatch) -> Search:
    """The toy's one tip is to bid 3, until something better is found."""
    monkeypatch.setitem(TITLES, "toy", change(toy(), tips=lambda s, seat: (FOUND,)))
    services.table.advice.prove = search = Search()
    return search


async def at(services: Services, game: int) -> tuple[Position, Advised]:
    """Return the position, and what is advised, as whoever writes the turn message asks."""
    here = await services.table.load_position(game)
    return here, await services.table.advice.find_tips(here, here.game.actors[0])


async def until(come: Callable[[], object]) -> None:
    """Let other tasks go on until something is true."""
    async with asyncio.timeout(60):
        while not come():
            await asyncio.sleep(0.005)


async def test_a_better_move_is_shown_by_an_edit_without_a_ping(services: Services, game: int, search: Search) -> None:
    await send_all(services)
    here, advised = await at(services, game)
    assert advised.tips == (FOUND,)
    before = sure(await services.posted.find_post(f"{game}:turn:0"))
    for tip in (BETTER, BEST):
        search.results.put_nowait(tip)
        async with asyncio.timeout(60):
            while not await services.outbox.list_due():
                await asyncio.sleep(0.005)
        (turn,) = await send_all(services)
        assert turn == before.post
    after = sure(await services.posted.find_post(f"{game}:turn:0"))
    assert after.message == before.message
    assert after.revision == before.revision + 2
    assert services.table.advice.get_known(here, 0).actions == (Bid(5), Bid(4), Bid(3))


async def test_cached_tips_are_for_the_seat_asked_about_last(services: Services, game: int, search: Search) -> None:
    """Two may have to decide at once; the search for the one that no one asks about any more ends."""
    here, _ = await at(services, game)
    await until(lambda: search.under_way)
    await services.table.advice.find_tips(here, 1)
    assert services.table.advice.get_known(here, 1) is not NO_ADVICE
    assert services.table.advice.get_known(here, 0) is NO_ADVICE
    await until(lambda: not search.under_way)


async def test_ways_to_run_are_waited_for_a_moment_only(
    services: Services, game: int, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks too soon, or is let down, gets none; who asks again gets what was found meanwhile."""
    here, advised = await at(services, game)
    found, fails = asyncio.Event(), True

    async def advise_with_plans(here: Position, seat: int) -> Advised:
        del here, seat
        if fails:
            raise OSError
        await found.wait()
        return replace(advised, plans=(BEST,))

    monkeypatch.setattr(services.table.advice, "find_plans", advise_with_plans)
    assert await services.table.advice.find_plans_soon(here, 0) == ()
    fails = False
    assert await services.table.advice.find_plans_soon(here, 0, 0.01) == ()
    found.set()
    assert await services.table.advice.find_plans_soon(here, 0) == (BEST,)


async def test_events_without_effect_are_not_reported(services: Services, game: int, search: Search) -> None:
    await send_all(services)
    here, _ = await at(services, game)
    search.results.put_nowait(FOUND)
    search.results.put_nowait(None)
    assert (await services.table.advice.await_proof(here, 0)).tips == (FOUND,)
    assert await send_all(services) == []


async def test_the_search_ends_when_the_table_moves_on(services: Services, game: int, search: Search) -> None:
    await send_all(services)
    await at(services, game)
    await until(lambda: search.under_way)
    await services.table.submit(game, ANN.id, Bid(1))
    await until(lambda: not search.under_way)
    assert (await services.table.load_position(game)).game.list_actions()[-1].action == Bid(1)


async def test_a_search_that_learns_too_late_that_another_process_moved_on_shows_nothing(
    services: Services, game: int, search: Search, clock: Clock
) -> None:
    here, _ = await at(services, game)
    other = await Services.open(services.database.address, clock)
    await other.table.submit(game, ANN.id, Bid(1))
    await send_all(other)
    await other.close()
    search.results.put_nowait(BEST)
    await until(lambda: search.begun and not search.under_way)
    assert services.table.advice.get_known(here, 0).tips == (FOUND,)
    assert await send_all(services) == []


async def test_a_queued_search_of_an_outdated_position_is_skipped(
    services: Services, search: Search, clock: Clock
) -> None:
    """Another process may have moved; the search for another table goes before."""
    first, second = [await seat_three(services) for _ in range(2)]
    await at(services, first)
    await at(services, second)
    await until(lambda: search.under_way)
    other = await Services.open(services.database.address, clock)
    await other.table.submit(second, ANN.id, Bid(1))
    await other.close()
    here = await services.table.load_position(first)
    search.results.put_nowait(None)
    await services.table.advice.await_proof(here, 0)
    await until(lambda: not services.table.advice._searching)
    assert search.begun == 1


async def test_after_a_restart_the_search_is_made_again(
    services: Services, game: int, search: Search, clock: Clock
) -> None:
    await send_all(services)
    await at(services, game)
    await until(lambda: search.under_way)
    await services.close()
    assert not search.under_way
    again = await Services.open(services.database.address, clock)
    try:
        again.table.advice.prove = search
        here = await again.table.load_position(game)
        search.results.put_nowait(BEST)
        search.results.put_nowait(None)
        assert (await again.table.advice.await_proof(here, 0)).tips == (BEST,)
        assert [type(post) for post in await send_all(again)] == [Turn]
        assert search.begun == 2
    finally:
        await again.close()


async def test_shorthand_means_the_move_of_the_button(services: Services, game: int, search: Search) -> None:
    """Before anybody has looked it is the title that spells it out; the toy takes it as it is."""
    assert "bids £20" in await services.table.explain(game, ANN.id, Typed("bid", {"amount": "20"}))
    here, _ = await at(services, game)
    assert "bids £3" in await services.table.explain(game, ANN.id, Typed("bid", {"amount": "20"}))
    search.results.put_nowait(BEST)
    search.results.put_nowait(None)
    await services.table.advice.await_proof(here, 0)
    await services.table.submit(game, ANN.id, Typed("bid", {"amount": "20"}))
    assert (await services.table.load_position(game)).game.list_actions()[-1].action == Bid(5)


async def test_one_search_at_a_time_in_the_whole_bot(services: Services, search: Search) -> None:
    games = [await seat_three(services) for _ in range(3)]
    for game in games:
        await at(services, game)
    await until(lambda: search.under_way)
    assert search.begun == 1
    await services.table.submit(games[1], ANN.id, Bid(1))  # it need not be searched any more
    search.results.put_nowait(None)
    await until(lambda: search.begun == 2)
    search.results.put_nowait(None)
    await until(lambda: not search.under_way)
    assert search.begun == 2


async def test_a_search_that_breaks_leaves_the_buttons_as_they_are(
    services: Services, game: int, search: Search
) -> None:
    await send_all(services)
    here, _ = await at(services, game)
    search.results.put_nowait(RuntimeError("out of memory"))
    assert (await services.table.advice.await_proof(here, 0)).tips == (FOUND,)
    assert await send_all(services) == []
    await services.table.submit(game, ANN.id, Bid(3))


async def test_when_the_time_is_up_the_best_so_far_remains(
    services: Services, game: int, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "PROOF_SECONDS", 0.3)
    here, _ = await at(services, game)
    search.results.put_nowait(BETTER)
    assert (await services.table.advice.await_proof(here, 0)).tips == (BETTER,)
    await until(lambda: not search.under_way)


async def test_a_proven_tip_needs_no_search(services: Services, game: int) -> None:
    here, advised = await at(services, game)
    assert [tip.label for tip in advised.tips] == ["Bid 1"]
    assert await services.table.advice.await_proof(here, 0) == advised
    assert services.table.advice.get_known(here, 1) is NO_ADVICE


async def test_a_few_tables_are_remembered(services: Services, search: Search) -> None:
    """The search for a table that is forgotten ends with the next thing it finds, and makes room for another."""
    services.table.advice._most = 2
    games = [await seat_three(services) for _ in range(3)]
    places = [(await at(services, game))[0] for game in games]
    assert [services.table.advice.get_known(here, 0) is NO_ADVICE for here in places] == [True, False, False]
    await until(lambda: search.under_way)
    search.results.put_nowait(BETTER)
    await until(lambda: search.begun == 2)


# --- the process that searches ------------------------------------------------------------------


def unproven() -> tuple[Game, tuple[Tip, ...]]:
    """Return a position of 1862 with what a far too short search finds there."""
    game, rng = Game.new(Setup("1862", 3, seed=4)), Rng(1)
    while game.ask().kind != "run trains":
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    tips = tuple(game.title.advice.prove(game.state, game.actors[0], (), 0))
    assert not tips[0].proven
    return game, tips


def test_tips_go_over_the_wire_and_back() -> None:
    _, tips = unproven()
    assert decode_tips("1862", encode_tips(tips)) == tips


async def test_searches_are_longer_and_longer_until_all_is_proven(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each goes on from the one before, in a process of its own."""
    game, tips = unproven()
    monkeypatch.setattr(advice, "SEARCH_BUDGETS", (0, 10, 10**6, 10**7))
    prove, standing = services.table.advice.prove, Standing.of(game)
    found = [each async for each in prove(standing, game.actors[0], tips)]
    assert len(found) == 3
    assert [tip.label for tip in found[-1]] == [tip.label for tip in game.tips(game.actors[0])]
    assert [each async for each in prove(standing, game.actors[0], found[-1])] == []


async def test_a_search_ends_with_its_caller(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = asyncio.create_subprocess_exec, list[asyncio.subprocess.Process]()

    async def start_stopped(*command: str, **how: Any) -> asyncio.subprocess.Process:  # noqa: ANN401  # as the library takes it
        started.append(await start(*command, **how))
        started[0].send_signal(signal.SIGSTOP)  # a search that would go on for ever
        return started[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_stopped)
    game, tips = unproven()

    async def first() -> tuple[Tip, ...]:
        async with aclosing(services.table.advice.prove(Standing.of(game), game.actors[0], tips)) as found:
            return await anext(found)

    asked = asyncio.create_task(first())
    await until(lambda: started)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    assert started[0].returncode == -signal.SIGKILL, "it stood still"


async def test_a_search_that_breaks_is_reported(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tips = unproven()
    monkeypatch.setattr(advice, "PROVE", replace(PROVE, seconds=0.01))
    with pytest.raises(TooMuchError):
        await anext(services.table.advice.prove(Standing.of(game), game.actors[0], tips))
