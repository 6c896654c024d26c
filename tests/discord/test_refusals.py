"""Posts that Discord refuses: how long each waits, when it is dropped, in which form and where it is tried again."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest
from msgspec.structs import replace

from bot.discord import first_response
from bot.discord.channels import Channels
from bot.discord.components import Image
from bot.discord.errors import EDITED_TOO_OFTEN, LOCKED, MAX_REFUSALS, UNKNOWN_CHANNEL, BlindError
from bot.discord.first_response import RUSH, Rush
from bot.discord.placement import MAX_BLIND_ATTEMPTS, PostPlacement
from bot.discord.post_sender import MAX_ATTEMPTS, PostSender, find_rank
from bot.discord.post_writer import PostWriter
from bot.model.posts import Bulletin, Card, Notice, Post, Ring, Summary
from bot.model.records import Home, Table
from bot.screens.screen import Button, Control, Screen
from bot.store.outbox import StoredPost
from tests.discord.stand_in import Fault, StandIn
from tests.discord.test_lost_places import make_error, make_post, make_services, make_table

HOME = Home("1", "7", "70")
ACT, LOG = (Button(word, Control(3, 0, word)) for word in ("act", "log"))
WHOLE = Screen("Ann to bid", rows=((ACT, LOG),), mention=("1",))
PICTURE = Image("map.png", "The map", b"\x89PNG")


def make_refusal(status: int, code: int = 0) -> discord.HTTPException:
    answer = SimpleNamespace(status=status, reason="", headers={})
    kind = discord.Forbidden if status == 403 else discord.HTTPException
    return kind(cast("aiohttp.ClientResponse", answer), {"code": code, "message": ""})


class Refused:
    """What a sender notes of failures, and which tables it has recovered."""

    def __init__(self) -> None:
        self.outbox, self.recovery = AsyncMock(), AsyncMock()
        services = make_services(HOME, outbox=self.outbox)
        self.placement = PostPlacement(services, cast("Any", None))
        writer = cast("PostWriter", SimpleNamespace(placement=self.placement, homes={}))
        self.sender = PostSender(services, writer, self.recovery, card_gap=0)

    async def fail(self, error: Exception, attempts: int = 0, post: Post | None = None) -> tuple[int | None, bool]:
        """Return when a post is tried again, ``None`` if it is dropped, and whether the others of its table wait."""
        stored = replace(make_post(post or Notice(3, "Hello")), attempts=attempts)
        others_wait = await self.sender.fail(stored, error)
        return self.outbox.note_failed.await_args.args[2], others_wait


@pytest.fixture
def refused() -> Refused:
    return Refused()


@pytest.mark.parametrize(
    ("error", "waits", "others_wait"),
    [
        (make_refusal(400), (1, 2, 8, 600), False),
        (ValueError(), (1, 2, 8, 600), False),
        (make_refusal(400, EDITED_TOO_OFTEN), (1, 2, 8, 60), False),
        (make_refusal(503), (1, 2, 8, 60), True),
        (make_refusal(401), (4, 8, 32, 45), True),
        (make_refusal(403), (4, 8, 32, 45), False),
        (make_error(404, UNKNOWN_CHANNEL), (4, 8, 32, 45), True),
        (discord.RateLimited(30.2), (31, 31, 31, 60), True),
        (discord.RateLimited(9000.0), (3600, 3600, 3600, 3600), True),
    ],
)
async def test_each_trouble_has_its_own_waits(
    refused: Refused, error: Exception, waits: tuple[int, ...], *, others_wait: bool
) -> None:
    """Ten minutes at most where we are at fault, else a minute, so that a table speaks soon once it can."""
    assert [await refused.fail(error, attempts) for attempts in (0, 1, 3, 20)] == [
        (each, others_wait) for each in waits
    ]
    assert refused.recovery.recover.await_count == 4 * (getattr(error, "status", 0) == 403)
    assert refused.placement.form_refusals[9] == 4 * (getattr(error, "status", 0) == 400 and waits[3] == 600)


@pytest.mark.parametrize(
    ("post", "dropped"), [(Notice(3, "Hello"), True), (Summary(3, 1, 0, 1, "Ann bids", "x"), False)]
)
async def test_a_refused_post_is_dropped_at_last_unless_the_table_cannot_go_on_without_it(
    refused: Refused, post: Post, *, dropped: bool
) -> None:
    """For a failing connection none is."""
    assert (await refused.fail(make_refusal(400), MAX_ATTEMPTS - 2, post))[0] == 600
    assert (await refused.fail(make_refusal(400), MAX_ATTEMPTS - 1, post))[0] == (None if dropped else 600)
    assert (await refused.fail(make_refusal(503), MAX_ATTEMPTS - 1, post))[0] == 60


async def test_after_very_many_refusals_one_post_a_server_is_tried_soon(refused: Refused) -> None:
    """Discord bans an address that is refused ten thousand times in ten minutes."""
    for _ in range(MAX_REFUSALS):
        refused.sender._refusals.note()
    assert [(await refused.fail(make_refusal(403)))[0] for _ in range(3)] == [45, 600, 600]
    refused.sender.services = make_services(replace(HOME, guild="2"), outbox=refused.outbox)
    assert [(await refused.fail(make_refusal(403)))[0] for _ in range(2)] == [45, 600]


def test_pings_are_written_first_and_the_table_message_is_edited_last() -> None:
    """A table message that isn't there yet is made in its turn."""
    ring, card, notice, bulletin = (make_post(each) for each in (Ring(3), Card(3), Notice(3, "Hello"), Bulletin(3)))
    ordered = sorted((bulletin, replace(card, message="5"), notice, ring), key=find_rank)
    assert [type(each.post) for each in ordered] == [Ring, Notice, Card, Bulletin]
    assert find_rank(card) == find_rank(notice)


@pytest.mark.parametrize(
    ("refusals", "text", "buttons", "pictures"),
    [
        (1, "Ann to bid", 2, 1),
        (2, "Ann to bid", 1, 0),
        (3, "Ann to bid\n-# **/act menu** opens your desk.", 0, 0),
        (4, "Ann to bid", 2, 1),
        (5, "Ann to bid", 1, 0),
        (6, "Ann to bid", 2, 1),
        (7, "Ann to bid", 1, 0),
    ],
)
def test_a_refused_form_is_tried_plainer_and_then_in_turns(
    refused: Refused, refusals: int, text: str, buttons: int, pictures: int
) -> None:
    """Its words and first button, its words, then all of it again, and the plain one above the thread."""
    refused.placement.form_refusals[9] = refusals
    screen, images = refused.placement._simplify(make_post(Notice(3, "Hello")), WHOLE, (PICTURE,))
    assert (screen.text, sum(map(len, screen.rows)), len(images)) == (text, buttons, pictures)
    assert screen.mention == ("1",)


class Board:
    """A table whose thread and channel are channels of the stand-in, and where its posts go."""

    def __init__(self, server: StandIn, channels: Channels) -> None:
        self.server, self.barred = server, list[str]()
        self.thread = server.world.thread(server.games, "Friday", server.world.me)
        self.table = make_table(Home(str(server.guild.id), str(server.games.id), str(self.thread.id)))
        self.outbox = SimpleNamespace(holds=lambda _: True, add_known_place=lambda stored: stored)
        lobby = SimpleNamespace(set_barred=self.set_barred)
        self.placement = PostPlacement(cast("Any", SimpleNamespace(lobby=lobby, outbox=self.outbox)), channels)

    async def set_barred(self, table: Table, why: str) -> Table:
        """Note why the thread takes nothing."""
        self.barred.append(why)
        return replace(table, barred=why)

    async def post(self, stored: StoredPost) -> str:
        """Return the id of the channel into which a post was put."""
        return (await self.placement.post_at_table(stored, self.table, str(self.thread.id), WHOLE))[0]


@pytest.fixture
def board(server: StandIn, channels: Channels) -> Board:
    return Board(server, channels)


async def test_a_post_goes_into_the_thread(board: Board) -> None:
    assert await board.post(make_post(Notice(3, "Hello"))) == str(board.thread.id)
    assert board.thread.last.text == "Ann to bid"
    assert board.barred == [""]


async def test_what_the_thread_does_not_take_stands_above_it_with_the_reason(board: Board) -> None:
    board.thread.denied = frozenset({"send_messages_in_threads"})
    assert await board.post(make_post(Notice(3, "Hello"))) == str(board.server.games.id)
    text = board.server.games.last.text
    assert text.startswith(
        f"**Friday** — Ann to bid\n-# I can't post in <#{board.thread.id}>: I lack a permission there."
    )
    assert board.barred == ["I lack a permission there"]


async def test_a_form_refused_in_the_thread_five_times_is_tried_above_it(board: Board) -> None:
    board.placement.form_refusals[9] = 5
    assert await board.post(make_post(Notice(3, "Hello"))) == str(board.server.games.id)
    assert board.barred == ["Discord refuses my post there"]


async def test_a_post_that_may_be_in_the_thread_is_not_put_above_it(board: Board) -> None:
    board.thread.denied = frozenset({"send_messages_in_threads"})
    with pytest.raises(discord.Forbidden):
        await board.post(replace(make_post(Notice(3, "Hello")), unsure=True))
    assert board.server.games.public == []


async def test_a_post_of_a_table_without_a_thread_has_no_other_place(board: Board) -> None:
    board.server.games.denied = frozenset({"send_messages"})
    here = str(board.server.games.id)
    with pytest.raises(discord.Forbidden):
        await board.placement.post_at_table(make_post(Notice(3, "Hello")), board.table, here, WHOLE)


async def test_a_locked_thread_is_opened_for_a_post(board: Board) -> None:
    """Without the permission its post stands above, and says why."""
    board.thread.archived = board.thread.locked = True
    board.server.fault(Fault("POST", f"/channels/{board.thread.id}/messages", 403, code=LOCKED))
    assert await board.post(make_post(Notice(3, "Hello"))) == str(board.thread.id)
    assert not board.thread.locked
    board.server.guild.granted -= {"manage_threads"}
    board.thread.archived = board.thread.locked = True
    assert await board.post(replace(make_post(Notice(3, "Hello")), id=10)) == str(board.server.games.id)
    assert board.barred == ["", "it's locked"]


async def test_a_post_with_a_message_is_edited_or_sent_anew_where_that_is_gone(board: Board) -> None:
    sent = await board.placement.channels.send(str(board.thread.id), Screen("Ann"), number=9, nonce="1")
    stored = replace(make_post(Notice(3, "Hello")), channel=str(board.thread.id), message=sent)
    assert await board.post(stored) == str(board.thread.id)
    assert [message.text for message in board.thread.public] == ["Ann to bid"]
    board.thread.last.deleted = True
    await board.post(stored)
    assert board.thread.last.id != int(sent)


@pytest.mark.parametrize("attempts", [0, MAX_BLIND_ATTEMPTS])
async def test_a_post_that_may_have_been_sent_is_looked_for(board: Board, attempts: int) -> None:
    """In each place it may be; where we may not look it waits, and in the end is sent as one that may be there."""
    above, thread = str(board.server.games.id), str(board.thread.id)
    stored = replace(
        make_post(Notice(3, "Hello")), unsure=True, attempts=attempts, created=int(board.server.clock.now())
    )
    assert await board.placement.locate(replace(stored, unsure=False), thread) == replace(stored, unsure=False)
    assert await board.placement.locate(stored, thread, "", above) == replace(stored, unsure=False)
    sent = await board.placement.channels.send(above, Screen("Ann"), number=9, nonce="1")
    assert await board.placement.locate(stored, thread, above) == replace(stored, channel=above, message=sent)
    board.thread.denied = frozenset({"read_message_history"})
    if attempts:
        assert await board.placement.locate(stored, thread, above) == stored
    else:
        with pytest.raises(BlindError):
            await board.placement.locate(stored, thread, above)


async def test_many_who_wait_for_a_first_response_get_it_before_the_work_of_any_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The work waits until none waits any more, but not for long."""
    rush = Rush()
    waits = [rush.wait_in() for _ in range(RUSH)]
    for number, each in enumerate(waits, 1):
        each.__enter__()
        assert rush.is_on == (number == RUSH)
    work = asyncio.create_task(rush.wait_for_others())
    for each in waits:
        await asyncio.sleep(0)
        assert not work.done()
        each.__exit__(None, None, None)
    await work
    monkeypatch.setattr(first_response, "MAX_RUSH_SECONDS", 0.01)
    with rush.wait_in():
        await rush.wait_for_others()
