"""The declaration of the commands: within the limits, refused, wiped, declared again."""

from typing import Any

import pytest

from bot.commands import command
from bot.discord.slash import normalise
from bot.model.errors import BotError
from bot.service.duties import COMMANDS_DUTY, decode_declared
from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import Fault, StandIn


@pytest.fixture(autouse=True)
def _syncs(desk: Desk) -> None:
    desk.syncs = True


async def test_every_command_says_where_it_may_be_used(server: StandIn, desk: Desk) -> None:
    async with desk.running():
        assert {tuple(each["contexts"]) for each in server.world.commands} == {(0,)}
        assert {tuple(each["integration_types"]) for each in server.world.commands} == {(0,)}
    server.check()


async def test_numbers_end_where_those_of_discord_end(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound of 2^53 was taken by no one's test, and refused by Discord in 49 places."""
    assert command.MAX_INT == 2**53 - 1
    async with desk.running():
        bounds = [bound for each in server.world.commands for bound in _bounds(each)]
    assert max(bounds) == 2**53 - 1
    assert min(bounds) == -(2**53) + 1


def _bounds(node: dict[str, Any]) -> list[int]:
    own = [node[key] for key in ("min_value", "max_value") if node.get(key) is not None]
    return own + [bound for option in node.get("options") or [] for bound in _bounds(option)]


async def test_a_refused_declaration_ends_nothing(server: StandIn, desk: Desk) -> None:
    """The bot starts, the commands that stand are answered, doctor hears of it, and the next try succeeds."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        standing = server.world.commands
    server.world.commands = standing[:-1]
    server.fault(Fault("PUT", "/commands", 400))
    async with desk.running() as client:
        await client.command_sync.checked.wait()
        note = decode_declared(await desk.services.duties.read_note(COMMANDS_DUTY))
        assert note is not None
        assert "400" in note.refused
        assert server.world.commands == standing[:-1]
        thread = await open_table(desk, alice, bob)
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
        await client.command_sync.sync()
        assert normalise(server.world.commands) == normalise(standing)
        note = decode_declared(await desk.services.duties.read_note(COMMANDS_DUTY))
        assert note is not None
        assert note.refused == ""
    server.check()


async def test_a_line_that_is_down_at_the_declaration_ends_nothing(server: StandIn, desk: Desk) -> None:
    server.fault(Fault("GET", "/commands", -1, times=9))
    async with desk.running() as client:
        assert server.world.commands == []
        server.faults.clear()
        await client.command_sync.sync()
        assert len(server.world.commands) > 4
    server.check()


async def test_a_declaration_that_takes_long_holds_nothing_up(server: StandIn, desk: Desk) -> None:
    """Discord does not list the commands: the bot listens, posts and answers meanwhile."""
    async with desk.running():
        pass
    server.fault(Fault("GET", "/commands", 503, wait=600))
    async with desk.running() as client:
        thread = await open_table(desk, server.person("alice"), server.person("bob"))
        assert "Act" in turn_of(thread).labels
        assert not client.command_sync.checked.is_set()
    server.check()


async def test_a_store_that_is_held_at_the_declaration_ends_nothing(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again later, as after a refusal of Discord's."""
    async with desk.running() as client:
        declared, server.world.commands = server.world.commands, []
        with monkeypatch.context() as held:
            held.setattr(desk.services.duties, "take_duty", _refuse_duty)
            await client.command_sync.sync()
        assert server.world.commands == []
        await client.command_sync.sync()
        assert normalise(server.world.commands) == normalise(declared)
    server.check()


async def _refuse_duty(duty: str, seconds: int) -> bool:
    raise BotError("The database is locked by another program; nothing was changed.")


async def test_a_declaration_wiped_on_discords_side_is_noticed(server: StandIn, desk: Desk) -> None:
    async with desk.running() as client:
        declared = server.world.commands
        server.world.commands = []
        await client.command_sync.sync()
        assert normalise(server.world.commands) == normalise(declared)
        assert server.world.syncs == 2
        await client.command_sync.sync()
        assert server.world.syncs == 2
        server.world.commands[0]["description"] = "Something else."
        server.world.commands = []
    async with desk.running():
        assert normalise(server.world.commands) == normalise(declared)
        assert server.world.syncs == 3
    server.check()


async def test_commands_that_discord_normalises_are_not_declared_again(server: StandIn, desk: Desk) -> None:
    """Whatever it makes of our words: what it listed after taking them is what should stand."""
    async with desk.running() as client:
        server.world.commands = []
        server.rewording = lambda each: {**each, "description": each["description"].upper()}
        await client.command_sync.sync()
        assert server.world.syncs == 2
        await client.command_sync.sync()
        assert server.world.syncs == 2
