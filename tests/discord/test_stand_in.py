"""The stand-in itself, before a tiny client: it answers like Discord and sees broken limits."""

import asyncio
import contextlib
import io
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

import aiohttp
import discord
import pytest
from discord import app_commands

from tests.discord.command_limits import check_tree
from tests.discord.limits import check_choices, check_message, check_modal
from tests.discord.request_limits import check_callback, check_channel, check_history, check_thread
from tests.discord.stand_in import Fault, StandIn
from tests.discord.world import V2
from tests.support.sure import as_a


class Knob(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"knob:(?P<count>\d+)"):
    def __init__(self, count: int) -> None:
        super().__init__(discord.ui.Button(label=f"knob {count}", custom_id=f"knob:{count}"))
        self.count = count

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str]
    ) -> Self:
        return cls(int(match["count"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        view = discord.ui.View(timeout=None)
        view.add_item(Knob(self.count + 1))
        await interaction.response.edit_message(content=f"turned {self.count + 1}", view=view)


class Form(discord.ui.Modal, title="A form"):
    amount: discord.ui.Label[discord.ui.LayoutView] = discord.ui.Label(
        text="How much", component=discord.ui.TextInput(custom_id="amount")
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(
            f"you said {as_a(discord.ui.TextInput, self.amount.component).value}", ephemeral=True
        )


class Tiny(discord.Client):
    """A client with one command for each thing to try."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Knob)

        @self.tree.command(description="Say it back")
        async def echo(interaction: discord.Interaction, words: str, times: int = 1) -> None:
            await interaction.response.defer(ephemeral=True)
            file = discord.File(io.BytesIO(b"bytes"), "a.png", description="five bytes")
            await interaction.followup.send(words * times, file=file)

        @echo.autocomplete("words")
        async def offer(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name=f"{typed}!", value=typed + "!")]

        @self.tree.command(description="Show a knob")
        async def knob(interaction: discord.Interaction) -> None:
            view = discord.ui.View(timeout=None)
            view.add_item(Knob(0))
            await interaction.response.send_message("a knob", view=view)

        @self.tree.command(description="Ask with a form")
        async def form(interaction: discord.Interaction) -> None:
            await interaction.response.send_modal(Form())

        @self.tree.command(description="Post to a thread")
        async def post(interaction: discord.Interaction, who: discord.User) -> None:
            await interaction.response.defer()
            thread = await as_a(discord.TextChannel, interaction.channel).create_thread(
                name="t", type=discord.ChannelType.public_thread
            )
            await thread.send(f"hello {who.mention}", allowed_mentions=discord.AllowedMentions(users=[who]))
            await thread.send(f"quiet {who.mention}")
            await interaction.followup.send("posted")

        await self.tree.sync()


@contextlib.asynccontextmanager
async def running(server: StandIn) -> AsyncIterator[Tiny]:
    before = server.gateway.identified
    async with Tiny() as client:
        task = asyncio.create_task(client.start("token"))
        await server.world.until(lambda: server.gateway.identified > before or task.done())
        try:
            yield client
        finally:
            await client.close()
            await task


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    async with StandIn(life=30) as server:
        yield server


async def test_slash_command_with_autocomplete_and_file(server: StandIn) -> None:
    async with running(server):
        alice = server.person("alice")
        assert await alice.complete(server.games, "echo", "words", words="ho") == [{"name": "ho!", "value": "ho!"}]
        answer = await alice.slash(server.games, "echo", words="ho", times=2)
        assert (answer.text, answer.message.ephemeral) == ("hoho", True)
        assert (answer.message.image("a.png"), answer.message.files[0].alt) == (b"bytes", "five bytes")
        assert server.games.public == []
        with pytest.raises(LookupError, match="needs"):
            await alice.slash(server.games, "echo")
        with pytest.raises(LookupError, match="knows no"):
            await alice.slash(server.games, "shout")
    server.check()


async def test_button_lives_through_a_restart(server: StandIn) -> None:
    alice = server.person("alice")
    async with running(server):
        shown = await alice.slash(server.games, "knob")
        await alice.click(shown.message, "knob")
    async with running(server):
        turned = await alice.click(shown.message, "knob 1")
    assert turned.message.text == "turned 2"
    server.check()


async def test_modal(server: StandIn) -> None:
    async with running(server):
        bob = server.person("bob")
        asked = await bob.slash(server.games, "form")
        with pytest.raises(LookupError, match="required"):
            await bob.submit(asked)
        assert (await bob.submit(asked, amount="12")).text == "you said 12"
    server.check()


async def test_only_allowed_mentions_ring(server: StandIn) -> None:
    async with running(server):
        bob = server.person("bob")
        await server.person("alice").slash(server.games, "post", who=bob.user)
        assert server.pings() == ["bob"]
        assert [m.content[:5] for m in server.threads[0].public] == ["hello", "quiet"]
    server.check()


async def test_missing_permission_is_refused(server: StandIn) -> None:
    server.games.denied = frozenset({"create_public_threads"})
    async with running(server) as client:
        channel = client.get_partial_messageable(server.games.id)
        with pytest.raises(discord.Forbidden, match="Missing Permissions"):
            await client.http.start_thread_without_message(server.games.id, name="t", auto_archive_duration=60, type=11)
        await channel.send("may")


async def test_faults(server: StandIn) -> None:
    async with running(server) as client:
        channel = client.get_partial_messageable(server.games.id)
        server.fault(Fault("POST", "/messages", 429, retry_after=0.01))
        await channel.send("late")
        server.fault(Fault("POST", "/messages", 429, via=False))
        with pytest.raises(discord.HTTPException):
            await channel.send("banned")
        server.fault(Fault("POST", "/messages", -2))
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await channel.send("lost", nonce="n1")
        await channel.send("lost", nonce="n1")
    assert [m.content for m in server.games.public] == ["late", "lost"]


async def test_resume_delivers_missed_events(server: StandIn) -> None:
    async with running(server):
        await server.gateway.drop()
        await server.world.until(lambda: not server.gateway.online)
        answer = await server.person("alice").slash(server.games, "echo", words="hi")
        assert answer.text == "hi"
        assert server.gateway.resumed == 1
    server.check()


async def test_a_late_answer_a_double_answer_and_token_life(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(server) as client:
        seen: asyncio.Queue[discord.Interaction] = asyncio.Queue()
        monkeypatch.setattr(client, "on_interaction", seen.put, raising=False)
        client.tree.clear_commands(guild=None)
        monkeypatch.setattr(client.tree, "on_error", lambda interaction, error: asyncio.sleep(0))
        alice = server.person("alice")
        await alice.slash(server.games, "knob", wait="no")
        late = await asyncio.wait_for(seen.get(), 60)
        server.clock.forward(server.patience + 0.1)
        with pytest.raises(discord.NotFound, match="10062"):
            await late.response.defer()
        await alice.slash(server.games, "knob", wait="no")
        good = await asyncio.wait_for(seen.get(), 60)
        await good.response.send_message("once")
        server.clock.forward(901)
        with pytest.raises(discord.HTTPException, match="50027"):
            await good.followup.send("too late")
    assert len(server.violations) == 2


async def test_archived_threads(server: StandIn) -> None:
    async with running(server) as client:
        await server.person("alice").slash(server.games, "post", who=server.person("bob").user)
        thread = server.threads[0]
        channel = client.get_partial_messageable(thread.id)
        thread.archived = True
        with pytest.raises(discord.HTTPException, match="archived"):
            await channel.get_partial_message(thread.public[0].id).edit(content="x")
        await channel.send("wakes it")
        assert not thread.archived


async def test_the_stand_in_stops_at_the_end_of_its_life() -> None:
    async with StandIn(life=0.05) as server:
        await server.world.until(lambda: server.violations)
        assert "stopped by itself" in server.violations[0]


def row(*inner: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(inner)}


def button(number: int, **more: object) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "b", "custom_id": f"b{number}", **more}


def select(count: int) -> dict[str, Any]:
    return {"type": 3, "custom_id": "s", "options": [{"label": f"l{n}", "value": f"v{n}"} for n in range(count)]}


def text(count: int) -> list[dict[str, Any]]:
    return [{"type": 10, "content": "x"} for _ in range(count)]


GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
PNG = ("a.png", b"x")


@pytest.mark.parametrize(
    ("payload", "files", "what"),
    [
        ({"content": "x" * 2001}, [], "2001"),
        ({"contents": "x"}, [], "unknown keys"),
        ({"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]}, [], "6001"),
        ({"embeds": [{"title": "x" * 257}]}, [], "257"),
        ({"embeds": [{"fields": [{"name": "n", "value": "x" * 1025}]}]}, [], "value"),
        ({"embeds": [{}] * 11}, [], "11 embeds"),
        ({"components": [row(button(n)) for n in range(6)]}, [], "6 action rows"),
        ({"components": [row(*(button(n) for n in range(6)))]}, [], "6 buttons"),
        ({"components": [row(button(1), button(1))]}, [], "twice"),
        ({"components": [row(button(1, custom_id="x" * 101))]}, [], "custom_id"),
        ({"components": [row(button(1, label="x" * 81))]}, [], "81"),
        ({"components": [row(select(26))]}, [], "26 options"),
        ({"components": [row(select(2), button(1))]}, [], "alone"),
        ({"components": text(1)}, [], "v2 flag"),
        ({"attachments": [{"id": 0, "description": "x" * 1025}]}, [PNG], "1025"),
        ({}, [(f"{n}.png", b"x") for n in range(11)], "11 attachments"),
        ({}, [("a.png", b"x" * (10 * 1024 * 1024 + 1))], "bytes"),
        ({"flags": V2, "components": text(41)}, [], "41 components"),
        ({"flags": V2, "components": text(1), "content": "x"}, [], "beside v2"),
        ({"flags": V2, "components": text(1)}, [PNG], "not shown"),
        ({"flags": V2, "components": [GALLERY]}, [], "not attached"),
        ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": [1]}}, [], "exclude"),
    ],
)  # fmt: skip
def test_message_limits(payload: dict[str, Any], files: list[Any], what: str) -> None:
    assert any(what in sentence for sentence in check_message(payload, files))


def test_messages_within_the_limits_pass() -> None:
    assert list(check_message({"content": "x" * 2000, "components": [row(select(25))]}, [PNG])) == []
    assert list(check_message({"flags": V2, "components": [*text(38), GALLERY]}, [PNG])) == []


def test_choice_and_modal_limits() -> None:
    assert list(check_choices([{"name": "n", "value": "v"}] * 26)) == ["26 choices, at most 25"]
    label = {"type": 18, "label": "l", "component": {"type": 4, "custom_id": "c", "style": 1}}
    assert list(check_modal({"title": "t", "custom_id": "m", "components": [label]})) == []
    assert "twice" in next(check_modal({"title": "t", "custom_id": "m", "components": [label, label]}))
    assert "46" not in next(check_modal({"title": "x" * 46, "custom_id": "m", "components": [label]}))
    assert any("6 components" in s for s in check_modal({"title": "t", "custom_id": "m", "components": [label] * 6}))
    assert any("button" in s for s in check_modal({"title": "t", "custom_id": "m", "components": [row(button(1))]}))


def option(name: str, **more: object) -> dict[str, Any]:
    return {"type": 3, "name": name, "description": "d", **more}


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ({"name": "Big"}, "lower-case"),
        ({"options": [option("a"), option("b", required=True)]}, "after optional"),
        ({"options": [option(f"o{n}") for n in range(26)]}, "26 options"),
        ({"options": [option("a", autocomplete=True, choices=[{"name": "n", "value": "v"}])]}, "autocomplete"),
        ({"options": [option(f"o{n}", choices=[{"name": "x" * 90, "value": "y" * 90}] * 5) for n in range(9)]}, "8000"),
        ({"description": "x" * 101}, "description"),
        ({"options": [option("a", type=4, max_value=2**53)]}, "2^53-1"),
        ({"options": [option("a", type=4, min_value=-(2**53))]}, "2^53-1"),
        ({"options": [option("a", type=4, min_value=2, max_value=1)]}, "wrong way"),
        ({"options": [option("a", min_value=1)]}, "no number"),
        ({"options": [option("a", max_length=6001)]}, "6000"),
        ({"options": [option("a", hint="x")]}, "unknown keys"),
        ({"options": [option("a", type=7, channel_types=[0, 16])]}, "channel types [16]"),
        ({"contexts": None}, "contexts"),
        ({"integration_types": [0, 7]}, "integration_types"),
    ],
)
def test_command_limits(command: dict[str, Any], what: str) -> None:
    assert any(what in sentence for sentence in check_tree([FITTING | command]))
    number = option("b", type=4, min_value=-(2**53) + 1, max_value=2**53 - 1)
    assert list(check_tree([FITTING | {"options": [option("a", required=True), number]}])) == []


FITTING = {"name": "c", "description": "d", "contexts": [0], "integration_types": [0]}


@pytest.mark.parametrize(
    ("found", "what"),
    [
        (check_thread({"name": ""}, at_message=True, in_forum=False), "1 to 100"),
        (check_thread({"name": "x"}, at_message=False, in_forum=False), "private"),
        (check_thread({"name": "x"}, at_message=False, in_forum=True), "needs a message"),
        (check_thread({"name": "x", "auto_archive_duration": 7}, at_message=True, in_forum=False), "none of 60"),
        (check_channel({"title": "x"}), "unknown keys"),
        (check_history({"limit": "101"}), "1 to 100"),
        (check_history({"before": "1", "after": "2"}), "exclude"),
        (check_callback({"type": 3}), "type 3"),
        (check_message({"flags": V2, "components": [{"type": 10, "content": "x", "id": 1 << 31}]}), "31 bits"),
        (check_message({"flags": V2, "components": [{"type": 10, "content": "x", "id": 7}] * 2}), "id 7 is used twice"),
    ],
)
def test_request_limits(found: Iterator[str], what: str) -> None:
    assert any(what in sentence for sentence in found)
