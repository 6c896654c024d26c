"""The answer to an interaction by itself: who pressed what and where, what is retried, what the person is told."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest
from discord import app_commands

from bot.commands.command import ChannelOrRole
from bot.discord.answer import ANSWER_RETRY_SECONDS, NEEDED_PERMISSIONS, DiscordAnswer, dispatch, run_safely
from bot.discord.client import DiscordClient
from bot.discord.components import allow_mentions, make_modal
from bot.discord.first_response import Rush, TooLateError
from bot.discord.slash import (
    LEASE_SECONDS,
    MAX_FILE_BYTES,
    MAX_RETRY_SECONDS,
    MIN_RETRY_SECONDS,
    CommandSync,
    _is_operator,
    normalise,
    read_value,
)
from bot.model.clock import Intervals
from bot.model.errors import BotError
from bot.model.records import Person
from bot.screens.screen import Control, Form, Screen, write_custom_id
from tests.discord.test_refusals import make_refusal

EVERYTHING = SimpleNamespace(**dict.fromkeys(NEEDED_PERMISSIONS, True))


def make_answer(**known: Any) -> DiscordAnswer:  # noqa: ANN401  # of an interaction
    """Return the answer to an interaction of which so much is known."""
    response = SimpleNamespace(is_done=lambda: False, send_message=AsyncMock(), edit_message=AsyncMock())
    interaction = SimpleNamespace(
        id=5, user=SimpleNamespace(id=1, display_name="Ann"), guild_id=7, channel_id=70, channel=None, message=None,
        data={}, response=response, edit_original_response=AsyncMock(), followup=SimpleNamespace(send=AsyncMock()),
        app_permissions=EVERYTHING, guild=None, type=discord.InteractionType.component,
    )  # fmt: skip
    for name, value in known.items():
        setattr(interaction, name, value)
    services = SimpleNamespace(measures=SimpleNamespace(acknowledged=SimpleNamespace(add=lambda _: None)))
    return DiscordAnswer(cast("Any", interaction), cast("Any", services), cast("Any", None), Rush())


def make_thread(parent: object = None) -> Any:  # noqa: ANN401  # stands for a thread
    thread = object.__new__(discord.Thread)
    thread.id, thread.parent_id, thread.name = 71, 70, "Friday"
    thread.guild = cast("Any", SimpleNamespace(get_channel=lambda _: parent))
    return thread


def test_people_who_were_chosen_have_the_names_that_others_see() -> None:
    """Of the server, else of the person, else of the account; only those who were chosen."""
    users = {
        "1": {"global_name": "Annie", "username": "ann1"}, "2": {"global_name": "Bobby", "username": "bob1"},
        "3": {"global_name": None, "username": "cid1"}, "4": {}, "5": {"username": "eve1"},
    }  # fmt: skip
    data = {"values": ["1", "2", "3", "4"], "resolved": {"members": {"1": {"nick": "Ann"}, "2": {}}, "users": users}}
    assert make_answer(data=data).people == [
        Person("1", "Ann"), Person("2", "Bobby"), Person("3", "cid1"), Person("4", "Someone")
    ]  # fmt: skip
    assert make_answer(data=None).people == []


def test_values_are_found_wherever_they_stand_in_a_form_or_menu() -> None:
    label = {"type": 18, "component": {"custom_id": "value", "value": "7"}}
    assert make_answer(data={"components": [label, {"type": 18, "component": {"values": ["a", "b"]}}]}).values == [
        "7", "a", "b"
    ]  # fmt: skip
    assert make_answer(data={"values": None, "value": "no field"}).values == []


def test_a_table_opened_in_a_thread_lives_in_the_channel_above() -> None:
    """A post of a forum holds one table."""
    assert make_answer().channels == ("70", "70")
    assert make_answer(channel=make_thread()).channels == ("70", "70")
    with pytest.raises(BotError, match="This post already has a table"):
        _ = make_answer(channel=make_thread(object.__new__(discord.ForumChannel))).channels


def test_the_permissions_that_the_bot_lacks_are_named() -> None:
    """Here, or in a channel that it knows; in a thread it needs no Send Messages."""
    none = SimpleNamespace(**dict.fromkeys(NEEDED_PERMISSIONS, False))
    assert make_answer().describe_missing_permissions() == ""
    words = make_answer(app_permissions=none).describe_missing_permissions()
    assert words == f"I can't post in here: I need {', '.join(NEEDED_PERMISSIONS.values())}."
    unread = SimpleNamespace(**{**vars(EVERYTHING), "read_message_history": False})
    in_thread = make_answer(app_permissions=unread, channel=make_thread())
    assert in_thread.describe_missing_permissions().startswith("I can't read earlier messages in #Friday: I need ")
    mute = SimpleNamespace(**{**vars(EVERYTHING), "send_messages": False})
    assert make_answer(app_permissions=mute, channel=make_thread()).describe_missing_permissions() == ""
    assert make_answer(app_permissions=mute).describe_missing_permissions() != ""


def test_only_people_and_roles_that_are_named_are_notified() -> None:
    """Whatever a message says: not everyone, and not whoever is replied to."""
    some, none = (cast("Any", allow_mentions(who)).to_dict() for who in (["5", "&7"], []))
    assert some == {"parse": [], "users": [5], "roles": [7]}
    assert none == {"parse": []}


def test_a_form_has_one_line_with_its_hint_that_takes_long_text() -> None:
    form = Form("Bid", Control(1, 2, "say", "bid"), "How much?", "1 to 20")
    (label,) = make_modal(form).to_dict()["components"]
    field = label["component"]
    assert (label["label"], field["placeholder"]) == ("How much?", "1 to 20")
    assert field["max_length"] >= 500
    (plain,) = make_modal(Form("Bid", form.control, "How much?")).to_dict()["components"]
    assert "placeholder" not in plain["component"]


@pytest.mark.parametrize(
    ("channel", "me", "is_known", "words"),
    [
        ("70", 1, True, ""),
        ("", 1, True, ""),
        ("99", 1, True, "I can't post in #there"),
        ("99", None, True, ""),
        ("99", 1, False, ""),
    ],
)
def test_the_permissions_in_another_channel_are_known_where_that_is(
    channel: str, me: int | None, words: str, *, is_known: bool
) -> None:
    none = SimpleNamespace(**dict.fromkeys(NEEDED_PERMISSIONS, False))
    there = SimpleNamespace(name="there", permissions_for=lambda _: none)
    guild = SimpleNamespace(me=me, get_channel_or_thread=lambda _: there if is_known else None)
    assert make_answer(guild=guild).describe_missing_permissions(channel).startswith(words)
    assert bool(make_answer(guild=guild).describe_missing_permissions(channel)) == bool(words)
    assert make_answer(guild=None).describe_missing_permissions("99") == ""


async def test_an_answer_that_the_line_loses_is_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as there are waits and once more; what Discord refuses is not."""
    slept = AsyncMock()
    monkeypatch.setattr("bot.discord.answer.asyncio.sleep", slept)
    tries = len(ANSWER_RETRY_SECONDS) + 1
    for error, asked in ((make_refusal(503), tries), (make_refusal(400), 1)):
        answer = make_answer(edit_original_response=AsyncMock(side_effect=error))
        answer.first.claim = AsyncMock(return_value=False)  # type: ignore[method-assign]
        with pytest.raises(discord.HTTPException):
            await answer.show(Screen("✓"))
        assert cast("Any", answer.interaction.edit_original_response).await_count == asked
    assert [each.args[0] for each in slept.await_args_list] == [*ANSWER_RETRY_SECONDS]
    answer = make_answer(edit_original_response=AsyncMock(side_effect=[make_refusal(503), None]))
    answer.first.claim = AsyncMock(return_value=False)  # type: ignore[method-assign]
    await answer.show(Screen("✓"))


@pytest.mark.parametrize(
    ("error", "told"), [(None, True), (make_refusal(403), False), (make_refusal(400), False), (make_refusal(503), None)]
)
async def test_a_private_message_is_delivered_refused_or_lost(error: Exception | None, *, told: bool | None) -> None:
    answer = make_answer(user=SimpleNamespace(id=1, display_name="Ann", send=AsyncMock(side_effect=error)))
    if told is None:
        with pytest.raises(BotError, match="Discord isn't responding"):
            await answer.send_private("Hello")
    else:
        assert await answer.send_private("Hello") is told


@pytest.mark.parametrize(
    ("shown", "private", "way"),
    [(False, False, "response.send_message"), (True, True, "followup.send"), (True, False, "edit_original_response")],
)
async def test_a_refusal_reaches_only_who_pressed(way: str, *, shown: bool, private: bool) -> None:
    """At first, after "thinking", or beside the private message that was pressed, which stays as it is."""
    message = SimpleNamespace(flags=SimpleNamespace(ephemeral=private), components=[])
    answer = make_answer(message=message)
    answer.first.claim = AsyncMock(return_value=not shown)  # type: ignore[method-assign]
    await answer.send_text("It's *not* your turn.")
    sent: Any = answer.interaction
    for name in way.split("."):
        sent = getattr(sent, name)
    assert sent.await_args.kwargs.get("ephemeral", True) is True
    assert sent.await_args.kwargs["view"].children[0].content == "It's \\*not\\* your turn."


async def test_a_form_is_no_answer_to_a_form() -> None:
    form = Form("Bid", Control(1, 0, "ask"), "How much")
    with pytest.raises(BotError):
        await make_answer(type=discord.InteractionType.modal_submit).open_form(form)
    answer = make_answer()
    answer.interaction.response.send_modal = AsyncMock()  # type: ignore[method-assign]
    await answer.open_form(form)
    assert cast("Any", answer.interaction.response.send_modal).await_count == 1


@pytest.mark.parametrize(
    ("control", "told"), [("", 1), ("knob:1", 1), (write_custom_id(Control(0, 0, "trial", "press")), 0)]
)
async def test_a_button_that_is_none_of_ours_is_explained_but_none_of_the_trial(control: str, told: int) -> None:
    answer = make_answer(data={"custom_id": control})
    answer.send_text = AsyncMock()  # type: ignore[method-assign]
    answer.first.settle = AsyncMock()  # type: ignore[method-assign]
    await dispatch(lambda _: answer, answer.interaction)
    assert answer.send_text.await_count == told


@pytest.mark.parametrize(
    ("error", "told"),
    [(BotError("There is no table 7."), "There is no table 7."), (ValueError(), "Something went wrong"),
     (TooLateError(), ""), (make_refusal(503), ""), (TimeoutError(), "")],
)  # fmt: skip
async def test_whatever_goes_wrong_is_told_in_a_sentence_where_it_can_still_be_told(
    error: Exception, told: str
) -> None:
    """A defect has a reference; what was done but not answered stands at the table."""
    answer = make_answer()
    answer.send_text = AsyncMock()  # type: ignore[method-assign]
    answer.first.settle = AsyncMock()  # type: ignore[method-assign]
    await run_safely(answer, AsyncMock(side_effect=error)())
    assert answer.first.settle.await_count == 1
    assert [told in each.args[0] for each in answer.send_text.await_args_list] == [True] * bool(told)


async def test_a_parameter_is_read_as_commands_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A role may be one that all may mention; a file has a size, and may not be had."""
    role = object.__new__(discord.Role)
    role.id, role.name = 6, "Players"
    for mentionable in (True, False):
        role.mentionable = mentionable
        assert await read_value(role) == ChannelOrRole("6", "Players", mentionable)
    channel = object.__new__(app_commands.AppCommandChannel)
    channel.id, channel.name = 8, "games"
    assert await read_value(channel) == ChannelOrRole("8", "games")
    assert (await read_value(7), await read_value("seven"), await read_value(value=True)) == (7, "seven", True)
    file = object.__new__(discord.Attachment)
    monkeypatch.setattr(discord.Attachment, "read", AsyncMock(return_value=b"log"))
    file.size = MAX_FILE_BYTES
    assert await read_value(file) == b"log"
    file.size += 1
    with pytest.raises(BotError, match="The file is too large"):
        await read_value(file)
    file.size = 3
    monkeypatch.setattr(discord.Attachment, "read", AsyncMock(side_effect=make_refusal(404)))
    with pytest.raises(BotError, match="couldn't get the file"):
        await read_value(file)


@pytest.mark.parametrize(
    ("user", "team", "operates"),
    [(1, None, True), (2, None, False), (2, "accepted admin", True), (2, "accepted read_only", False),
     (2, "invited admin", False), (1, "accepted admin", False)],
)  # fmt: skip
def test_the_operator_owns_the_application_or_works_on_it_in_its_team(
    user: int, team: str | None, *, operates: bool
) -> None:
    """Not by an invitation, nor with the right to read alone; of a team, its owner is one of its members."""
    application = SimpleNamespace(owner=SimpleNamespace(id=1), team=None)
    if team is not None:
        state, role = team.split()
        member = SimpleNamespace(
            id=2, membership_state=discord.TeamMembershipState[state], role=discord.TeamMemberRole[role]
        )
        application.team = SimpleNamespace(members=[member])
    for known, expected in ((application, operates), (None, False)):
        client = SimpleNamespace(application=known)
        assert _is_operator(cast("Any", SimpleNamespace(client=client, user=SimpleNamespace(id=user)))) is expected


async def test_commands_that_were_refused_are_declared_again_after_longer_and_longer_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Six hours at most; soon if another process is at it."""
    sync, waits = CommandSync(cast("Any", None), cast("Any", None), 900.0), list[float]()

    async def rest(seconds: float) -> None:
        waits.append(seconds)
        sync._refusals += 1
        sync._is_left_to_another = len(waits) == 2
        if len(waits) == 13:
            raise KeyboardInterrupt

    monkeypatch.setattr(sync, "sync", AsyncMock())
    monkeypatch.setattr("bot.discord.slash.asyncio.sleep", rest)
    with pytest.raises(KeyboardInterrupt):
        await sync.run()
    assert waits[:5] == [900.0, MIN_RETRY_SECONDS, LEASE_SECONDS, 4 * MIN_RETRY_SECONDS, 8 * MIN_RETRY_SECONDS]
    assert waits[-1] == MAX_RETRY_SECONDS


def test_commands_are_compared_without_what_discord_adds_or_leaves_out() -> None:
    ours: list[dict[str, Any]] = [
        {"name": "b", "options": [{"type": 3, "name": "x", "required": False, "choices": []}]},
        {"name": "a"},
    ]
    theirs: list[dict[str, Any]] = [
        {"name": "a", "type": 1, "id": "5", "version": "1", "nsfw": False},
        {"name": "b", "type": 1, "options": [{"type": 3, "name": "x"}], "default_member_permissions": None},
    ]
    assert normalise(ours) == normalise(theirs)
    for change in (
        {"type": 2},
        {"name": "c"},
        {"options": [{"type": 3, "name": "x"}]},
        {"default_member_permissions": "8"},
    ):
        assert normalise([{**theirs[0], **change}, theirs[1]]) != normalise(theirs)


@pytest.fixture
def client() -> DiscordClient:
    """A client that hears what a test tells it."""
    services = MagicMock(outbox=MagicMock(hurry=AsyncMock()), intervals=Intervals())
    return DiscordClient(cast("Any", services), cast("Any", None), only_listens=True)


Hear = Callable[[DiscordClient, bool], Any]


async def _hear_member(client: DiscordClient, changed: bool) -> None:  # of a table of events
    guild = SimpleNamespace(id=7)
    me = SimpleNamespace(id=1, guild=guild, roles=["a"])
    guild.me = me
    await client.on_member_update(cast("Any", SimpleNamespace(roles=["b" if changed else "a"])), cast("Any", me))
    other = SimpleNamespace(id=2, guild=guild, roles=["a"])
    await client.on_member_update(cast("Any", SimpleNamespace(roles=["b"])), cast("Any", other))


async def _hear_role(client: DiscordClient, changed: bool) -> None:  # of a table of events
    one, other = (SimpleNamespace(permissions=each, guild=SimpleNamespace(id=7)) for each in (1, 2 if changed else 1))
    await client.on_guild_role_update(cast("Any", one), cast("Any", other))


async def _hear_channel(client: DiscordClient, changed: bool) -> None:  # of a table of events
    guild = SimpleNamespace(id=7, me=None)
    one, other = (
        SimpleNamespace(permissions_for=lambda _, each=each: each, guild=guild) for each in (1, 2 if changed else 1)
    )
    await client.on_guild_channel_update(cast("Any", one), cast("Any", other))


async def _hear_thread(client: DiscordClient, changed: bool) -> None:  # of a table of events
    payload = SimpleNamespace(data={"thread_metadata": {"locked": not changed}}, guild_id=7)
    await client.on_raw_thread_update(cast("Any", payload))


@pytest.mark.parametrize("changed", [True, False])
@pytest.mark.parametrize("hear", [_hear_member, _hear_role, _hear_channel, _hear_thread])
async def test_posts_of_a_server_are_tried_again_once_the_bot_may_do_more(
    client: DiscordClient, hear: Hear, *, changed: bool
) -> None:
    """What happens to others, or changes nothing for the bot, is no reason."""
    await hear(client, changed)
    assert client._errands.qsize() == changed
    if changed:
        await client._errands.get_nowait()()
        assert cast("Any", client.services.outbox.hurry).await_args.args == ("7",)
