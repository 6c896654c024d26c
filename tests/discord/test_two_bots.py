"""Two bots on one store, each with its half of the servers: one dies, the other posts and listens for both."""

import asyncio

import pytest
from sqlmodel import col, select

from bot.screens.screen import read_custom_id
from bot.store.database import Database
from bot.store.tables import LeaseRow
from tests.discord.gateway import shard_of
from tests.discord.person import Person
from tests.discord.play import texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.discord.test_kill import process
from tests.discord.world import TEXT, Channel
from tests.support import postgres


@pytest.fixture
def store(server_store: str) -> str:
    asyncio.run(postgres.empty_tables(server_store))
    return server_store


def other_place(server: StandIn) -> Channel:
    """Return a channel of a server of the other shard."""
    while True:
        guild = server.world.guild("Sunday crew")
        if shard_of(guild.id, 2) != shard_of(server.guild.id, 2):
            return server.world.channel(guild, "games", TEXT)


async def open_and_start(server: StandIn, place: Channel, people: tuple[Person, Person]) -> Channel:
    """Open and start a table; return its thread, where the first of the two is asked."""
    host, guest = people
    before = len(server.threads)
    await host.slash(place, "game new", title="toy", seats=2, name="Friday")
    await server.world.until(lambda: place.public, what="a lobby message")
    await guest.click(place.last, "Join")
    control = read_custom_id(place.last.controls[0]["custom_id"])
    assert control is not None
    await host.slash(place, "game start", order="as joined", game=control.game)
    await server.world.until(lambda: len(server.threads) > before, what="a thread")
    thread = server.threads[before]
    await server.world.until(lambda: "Highest bid £0" in texts(thread) and turn_of(thread).files, what="a turn")
    return thread


async def bid(server: StandIn, thread: Channel, person: Person, amount: int) -> None:
    """Bid, and wait until the next turn tells of it."""
    answer = await person.click(turn_of(thread), f"Bid {amount}")
    assert "✓" in answer.text, answer.text
    await server.world.until(lambda: f"Highest bid £{amount}" in texts(thread), what="the next turn")


@pytest.mark.slow
async def test_one_dies_and_the_other_posts_and_listens_for_both_until_it_is_back(server: StandIn, store: str) -> None:
    ours = (server.person("alice"), server.person("bob"))
    theirs = (server.person("cid"), server.person("dora"))
    here, there = server.games, other_place(server)
    shard = shard_of(server.guild.id, 2)
    async with process(server, store, f"{shard}/2") as dying, process(server, store, f"{1 - shard}/2"):
        friday, sunday = await open_and_start(server, here, ours), await open_and_start(server, there, theirs)
        await asyncio.gather(bid(server, friday, ours[0], 1), bid(server, sunday, theirs[0], 1))
        await _both_are_known(store)
        friday.denied = frozenset({"send_messages_in_threads"})  # whoever posts there is refused, in thread and channel
        here.denied = frozenset({"send_messages"})
        assert "✓" in (await ours[1].click(turn_of(friday), "Bid 2")).text
        dying.kill()
        await asyncio.to_thread(dying.join)
        await asyncio.gather(bid(server, sunday, theirs[1], 2), _wait_for_refusal(server, friday))
        friday.denied = frozenset()  # the channel above still refuses: a try that is on its way ends in neither
        await server.world.until(lambda: "Highest bid £2" in texts(friday), what="the turn of the bot that died")
        here.denied = frozenset()
        server.fault(Fault("POST", f"/channels/{sunday.id}/messages", -2))
        await bid(server, sunday, theirs[0], 3)
        await bid(server, sunday, theirs[1], 4)
        await _heard_by(server, 1)  # the living one has opened the shard of the dead one
        await bid(server, friday, ours[0], 3)
        async with process(server, store, f"{shard}/2"):
            await _heard_by(server, 1)  # it hears again, and the other has given its shard back
            await bid(server, friday, ours[1], 4)
            assert len([session for session in server.gateway.sessions.values() if session.socket]) == 2
    for thread in (friday, sunday):
        for amount in range(5):
            assert sum(f"\nHighest bid £{amount}" in f"\n{message.text}" for message in thread.public) <= 1
        assert texts(thread).count("Auction of lot 1** · ") == 1
    assert server.violations == []


async def _both_are_known(store: str) -> None:
    """Wait until each has been seen to hear its shard: one that never did may be starting, and is waited for longer."""
    database = await Database.open(store)
    async with asyncio.timeout(30):
        while True:
            async with database.reading() as session:
                rows = await session.exec(select(LeaseRow.holder).where(col(LeaseRow.name).startswith("shard:")))
            if all(holders := list(rows)) and len(holders) == 2:
                break
            await asyncio.sleep(0.1)
    await database.close()


async def _heard_by(server: StandIn, clients: int) -> None:
    """Wait until so many clients hear what happens in the server of the bot that died."""
    heard = lambda: server.gateway.listeners(server.guild.id) == clients  # noqa: E731
    await server.world.until(heard, 30, "a client that hears")


async def _wait_for_refusal(server: StandIn, thread: Channel) -> None:
    """Wait until the other bot has tried to post in a thread, in vain."""
    before = len(server.refusals)
    await server.world.until(lambda: any(str(thread.id) in each for each in server.refusals[before:]), what="a refusal")
