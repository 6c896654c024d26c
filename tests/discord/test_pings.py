"""What a ping says and where it goes; those that were answered, and those that Discord doesn't deliver."""

from collections.abc import AsyncIterator
from typing import Literal

import pytest
from msgspec.structs import replace

from bot.discord.channels import Channels
from bot.discord.pings import MAX_PRIVATE_ATTEMPTS, OUTDATED, PingWriter, drop_repeated_mentions
from bot.discord.placement import PostPlacement
from bot.model.posts import Notice, OldCall, OnDeck, Ping, Post, Prompt, Whisper
from bot.model.records import Calls, Home, NewTable
from bot.model.records import Person as Player
from bot.screens.screen import Screen
from bot.service.services import Services
from bot.store.outbox import StoredPost
from tests.discord.conftest import Desk
from tests.discord.stand_in import Fault, StandIn
from tests.support.toy import Bid

TURN = "1:turn:0"


@pytest.fixture
async def pings(
    server: StandIn, desk: Desk, channels: Channels, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[PingWriter]:
    """The writer of pings of table 1, at which Alice must bid before Bob; nothing of it is posted yet."""
    services = await Services.open(desk.path, desk.clock)
    home = Home(str(server.guild.id), str(server.games.id), str(server.games.id))
    table = await services.lobby.create(Player(get_id(server), "Alice"), NewTable("toy", 2, name="Friday"), home)
    await services.lobby.join(table.id, Player(get_id(server, "bob"), "Bob"))
    await services.lobby.start(table.id, get_id(server), "as joined")
    monkeypatch.setattr(services.outbox, "holds", lambda _: True)
    yield PingWriter(services, channels, PostPlacement(services, channels))
    await services.close()


def get_id(server: StandIn, name: str = "alice") -> str:
    return str(server.person(name).id)


def store(post: Post, message: str = "", channel: str = "", attempts: int = 0) -> StoredPost:
    """Return post 7 of table 1, as it lies in the outbox."""
    return StoredPost(7, "posts:1", 1, "1:x", post, 0, 1, attempts, channel, message)


async def list_owed(services: Services) -> dict[str, Post]:
    return {stored.key: stored.post for stored in await services.outbox.list_due()}


async def test_an_answered_ping_that_cannot_be_deleted_says_that_it_is_out_of_date(
    server: StandIn, pings: PingWriter
) -> None:
    table, place = await pings.services.lobby.get_table(1), str(server.games.id)
    sent = [
        await pings.channels.send(place, Screen("your turn"), number=number, nonce=f"{number}") for number in (7, 8)
    ]
    server.fault(Fault("DELETE", f"/messages/{sent[1]}", 403))
    for message in (*sent, ""):
        assert await pings.delete_old_call(store(OldCall(1), message, place), OldCall(1), table) == ("", "")
    assert [message.text for message in server.games.public] == [OUTDATED]
    assert not any(request.startswith("PATCH") and sent[0] in request for request in server.requests)


@pytest.mark.parametrize(
    ("number", "note", "words"),
    [
        (0, "", "It's your turn."),
        (1, "", "It's still your turn."),
        (0, "Your order stopped.", "Your order stopped."),
    ],
)
async def test_a_private_ping_says_what_is_asked_and_leads_there(
    server: StandIn, pings: PingWriter, number: int, note: str, words: str
) -> None:
    table = await pings.services.lobby.get_table(1)
    ping = Ping(1, TURN, (get_id(server),), number=number, private=True, note=note)
    place = await pings.write_ping(store(ping), ping, table)
    said = server.world.dm(server.person("alice").user).last
    assert place == (str(said.channel.id), str(said.id))
    assert said.text == f"“Friday” <#{server.games.id}>: Auction of lot 1. {words}"
    assert said.labels[:2] == ["Act", "Snooze 4 h"]
    assert server.games.public == []


async def test_a_private_ping_links_the_message_of_the_turn(
    server: StandIn, pings: PingWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, ping = store(OldCall(1), "55", "44"), Ping(1, TURN, (get_id(server),), private=True)

    async def find(_: str) -> StoredPost:
        return turn

    monkeypatch.setattr(pings.services.posted, "find_post", find)
    await pings.write_ping(store(ping), ping, await pings.services.lobby.get_table(1))
    link = f"[See the turn](https://discord.com/channels/{server.guild.id}/44/55)"
    assert link in server.world.dm(server.person("alice").user).last.text


async def test_whoever_has_answered_is_not_pinged(server: StandIn, pings: PingWriter) -> None:
    await pings.services.table.submit(1, get_id(server), Bid(1))
    ping = Ping(1, TURN, (get_id(server),))
    assert await pings.write_ping(store(ping), ping, await pings.services.lobby.get_table(1)) is None
    assert server.games.public == []


@pytest.mark.parametrize(
    ("status", "attempts", "owed"),
    [(403, 0, True), (503, MAX_PRIVATE_ATTEMPTS - 1, False), (503, MAX_PRIVATE_ATTEMPTS, True)],
)
async def test_a_private_ping_that_is_refused_or_fails_again_and_again_goes_to_the_table(
    server: StandIn, pings: PingWriter, monkeypatch: pytest.MonkeyPatch, status: int, attempts: int, *, owed: bool
) -> None:  # fmt: skip
    """One failure of the connection is tried again in private."""
    monkeypatch.setattr("discord.http.asyncio.sleep", _no_sleep)
    server.fault(Fault("POST", "/users/@me/channels", status, times=99))
    ping = Ping(1, TURN, (get_id(server),), private=True)
    table = await pings.services.lobby.get_table(1)
    if owed:
        assert await pings.write_ping(store(ping, attempts=attempts), ping, table) is None
    else:
        with pytest.raises(Exception, match="503"):
            await pings.write_ping(store(ping, attempts=attempts), ping, table)
    found = [post for post in (await list_owed(pings.services)).values() if isinstance(post, Ping)]
    assert found == [replace(ping, private=False, refused=True)] * owed


async def _no_sleep(_: float) -> None:
    """Wait for nothing."""


@pytest.mark.parametrize("silent", [False, True])
async def test_a_digest_that_is_refused_is_reported_at_the_table_but_not_what_was_only_told(
    server: StandIn, pings: PingWriter, *, silent: bool
) -> None:
    server.fault(Fault("POST", "/users/@me/channels", 403, times=9))
    whisper = Whisper(1, get_id(server), "Two turns wait.", silent=silent)
    assert await pings.write_whisper(store(whisper), whisper, await pings.services.lobby.get_table(1)) is None
    assert ("1:x:refused" in await list_owed(pings.services)) != silent


async def test_a_vote_is_described_though_its_post_is_lost(server: StandIn, pings: PingWriter) -> None:
    asked = (await pings.services.agreements.propose_close(1, get_id(server))).proposal
    assert asked is not None
    table = await pings.services.lobby.get_table(1)
    for number, words in ((asked.id, "close"), (asked.id + 1, "Your vote is needed")):
        ping = Ping(1, f"1:ballot:{number}", (get_id(server, "bob"),))
        assert words in await pings._describe_question(ping, None, table)


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_ping_replies_to_the_turn_where_that_stands_in_the_same_channel(
    server: StandIn, pings: PingWriter, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    """Elsewhere it names what is asked itself."""
    place = str(server.games.id)
    turn = await pings.channels.send(place, Screen("Bid on lot 1"), number=1, nonce="1")

    async def find(_: str) -> StoredPost:
        return store(OldCall(1), turn, place if is_there else "44")

    monkeypatch.setattr(pings.services.posted, "find_post", find)
    ping = Ping(1, TURN, (get_id(server),))
    assert await pings.write_ping(store(ping), ping, await pings.services.lobby.get_table(1)) is not None
    assert server.games.last.reply_to == (int(turn) if is_there else None)
    assert server.games.last.text.endswith("— still your turn." if is_there else "— Auction of lot 1: still your turn.")
    assert server.pings() == ["alice"]


@pytest.mark.parametrize(("place", "rings"), [("dm", True), ("both", False)])
async def test_a_ping_that_private_messages_refused_rings_at_the_table_unless_it_rang_there_already(
    server: StandIn, pings: PingWriter, place: Literal["dm", "both"], *, rings: bool
) -> None:
    await pings.services.people.set_calls(get_id(server), Calls(place=place))
    ping = Ping(1, TURN, (get_id(server),), refused=True)
    await pings.write_ping(store(ping), ping, await pings.services.lobby.get_table(1))
    assert "doesn't deliver my private messages" in server.games.last.text
    assert server.pings() == ["alice"] * rings


async def test_the_next_player_is_named_while_the_turn_lasts(server: StandIn, pings: PingWriter) -> None:
    """Not in another turn, nor where it pings no one here."""
    table, next_one = await pings.services.lobby.get_table(1), get_id(server, "bob")
    post = OnDeck(1, 0, (next_one,), "the auction", (next_one,))
    for other, at in ((replace(post, turn_from=1), table), (post, replace(table, state="finished"))):
        assert await pings.write_on_deck(store(other), other, at) is None
    quiet = replace(post, pings=())
    assert await pings.write_on_deck(store(quiet), quiet, table) == ("", "")
    assert server.games.public == []
    assert await pings.write_on_deck(store(post), post, table) is not None
    assert server.pings() == ["bob"]


@pytest.mark.parametrize("lost", ["message", "silent", "unsure"])
async def test_what_may_have_rung_before_rings_no_more(server: StandIn, lost: str) -> None:
    post = replace(store(OldCall(1)), **{lost: "55" if lost == "message" else True})
    screen = Screen("your turn", mention=(get_id(server),))
    assert drop_repeated_mentions(post, screen).mention == ()
    assert drop_repeated_mentions(store(OldCall(1)), screen) == screen


async def test_people_of_a_table_without_a_place_read_in_private_what_does_not_ping_them(
    server: StandIn, pings: PingWriter
) -> None:
    """Without a ring; whom the words ask is pinged apart."""
    table = await pings.services.lobby.get_table(1)
    for post, readers in (
        (Notice(1, "The channel is gone."), ("alice", "bob")), (Prompt(1, "Vote.", (get_id(server),)), ("bob",))
    ):  # fmt: skip
        before = await list_owed(pings.services)
        await pings.tell_in_private(store(post), post, table)
        told = [each for key, each in (await list_owed(pings.services)).items() if key not in before]
        words = f"“Friday” (game 1): {post.text}"
        assert told == [Whisper(1, get_id(server, name), words, silent=True) for name in readers]
        await pings.services.outbox.note_sent([(each, ("", "")) for each in await pings.services.outbox.list_due()])
