"""What becomes of posts whose thread or channel is gone or can't be made, by what Discord says to each request."""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest

from bot.discord.errors import UNKNOWN_CHANNEL, NoThreadError
from bot.discord.placement import PostPlacement
from bot.discord.post_sender import PostSender
from bot.discord.post_writer import PostWriter
from bot.model.posts import Ballot, End, Leftover, Prompt, Story
from bot.model.records import Home, Table
from bot.screens.screen import Screen
from bot.store.outbox import StoredPost

OLD, NEW = Home("1", "7", "70"), Home("1", "7", "71")


def make_table(home: Home) -> Table:
    return Table(3, "Friday", "toy", {}, 1, 1, 2, "5", "running", "live", "open", "random", home, created=0, expires=0)


def make_post(post: Any) -> StoredPost:  # noqa: ANN401  # any post
    return StoredPost(9, "posts:3", 3, "3:it", post, 0, 0, 0, "", "")


def make_error(status: int, code: int) -> discord.NotFound:
    answer = SimpleNamespace(status=status, reason="", headers={})
    return discord.NotFound(cast("aiohttp.ClientResponse", answer), {"code": code, "message": ""})


def make_services(home: Home, **others: Any) -> Any:  # noqa: ANN401  # stands for all services
    async def get_table(game: int) -> Table:
        del game
        return make_table(home)

    return SimpleNamespace(lobby=SimpleNamespace(get_table=get_table), clock=lambda: 0, **others)


@pytest.mark.parametrize(("now", "hurries"), [(OLD, 0), (NEW, 1)])
async def test_what_failed_at_the_old_place_of_a_table_is_sent_at_once_to_the_new_one(now: Home, hurries: int) -> None:
    """It was tried four seconds later there, and stood below newer turns."""
    outbox, recovery = AsyncMock(), AsyncMock()
    writer = cast("PostWriter", SimpleNamespace(homes={3: OLD}))
    sender = PostSender(make_services(now, outbox=outbox), writer, recovery, card_gap=0)
    await sender.recover(make_post(Prompt(3, "“Friday” continues here.", ())), make_error(404, UNKNOWN_CHANNEL))
    assert (outbox.hurry.await_count, recovery.recover.await_count) == (hurries, 1 - hurries)


async def test_a_thread_that_cannot_be_made_says_nothing_about_the_form_of_a_post() -> None:
    """It counted as a refusal of the turn, which then stood in the channel above though the thread was there again."""
    refuse = AsyncMock(side_effect=make_error(404, 0))
    channels = cast("Any", SimpleNamespace(find_or_make_thread=refuse))
    services = make_services(OLD, outbox=AsyncMock(), posted=SimpleNamespace(find_post=AsyncMock(return_value=None)))
    placement = PostPlacement(services, channels)
    with pytest.raises(NoThreadError) as refused:
        await placement.find_or_make_thread(make_table(Home("1", "7")))
    writer = cast("PostWriter", SimpleNamespace(placement=placement))
    stored = make_post(Prompt(3, "“Friday” continues here.", ()))
    assert await PostSender(services, writer, AsyncMock(), card_gap=0).fail(stored, refused.value), (
        "the others of the table wait"
    )
    assert not placement.form_refusals


async def test_nothing_is_left_to_take_away_where_the_channel_is_gone() -> None:
    """It was looked for again and again, and what the table owed waited each time."""
    find = AsyncMock(side_effect=[make_error(404, UNKNOWN_CHANNEL), {}])
    now = SimpleNamespace(id=4, message="40")
    services = make_services(NEW, posted=SimpleNamespace(find_post=AsyncMock(return_value=now)))
    writer = PostWriter(services, cast("Any", None), cast("Any", SimpleNamespace(find=find)))
    leftover = Leftover(3, "3:turn:1", ("70", "7"), "", 0)
    assert await writer.rewrite_leftover(make_post(leftover), leftover, make_table(NEW)) is None
    assert find.await_count == 2


async def test_a_ballot_a_story_and_an_end_are_written_where_there_is_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """And while they are wanted: the proposal is known, the end has not been undone, there is something to tell."""
    asked = SimpleNamespace(state="done")
    consent = SimpleNamespace(get_proposal=AsyncMock(return_value=asked))
    writer = PostWriter(make_services(OLD, consent=consent), cast("Any", None), cast("Any", None))
    find, put = AsyncMock(return_value="70"), AsyncMock(return_value=("70", "9"))
    monkeypatch.setattr(writer.placement, "find_or_make_thread", find)
    monkeypatch.setattr(writer.placement, "post_at_table", put)
    tell = AsyncMock(return_value=["told"])
    for name, answer in (("make_ballot", Screen("Vote")), ("make_end", Screen("Over"))):
        monkeypatch.setattr(f"bot.discord.post_writer.notices.{name}", lambda *_, answer=answer: answer)
    monkeypatch.setattr("bot.discord.post_writer.stories.fetch_story", tell)
    monkeypatch.setattr("bot.discord.post_writer.stories.format_chapters", lambda _: "The story")
    monkeypatch.setattr("bot.discord.post_writer.stories.list_curves", AsyncMock(return_value=[]))
    table = make_table(OLD)
    here = cast("Any", SimpleNamespace(table=table, version=7))
    ballot, end, story = Ballot(3, 4, ()), End(3, 7, 7, "", (), ()), Story(3, 7)

    async def write() -> list[bool]:
        return [
            await writer.write_ballot(make_post(ballot), ballot, table) is not None,
            await writer.write_end(make_post(end), end, table) is not None,
            await writer.write_story(make_post(story), story, here) is not None,
        ]

    assert await write() == [True, True, True]
    find.return_value = ""
    assert await write() == [False, False, False]
    find.return_value, consent.get_proposal.return_value, tell.return_value = "70", None, []
    assert await write() == [False, True, False]
    tell.return_value, here.version = ["told"], 8
    assert (await write())[2] is False
