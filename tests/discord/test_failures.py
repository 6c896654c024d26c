"""What each failure of Discord means, and what is left of a message when part of it is refused."""

from itertools import islice
from types import SimpleNamespace
from typing import cast

import aiohttp
import discord
import pytest

from bot.discord.answer import add_picture_words
from bot.discord.client import MaybeMadeError, _list_waits, _prevent_retry
from bot.discord.components import MAX_TEXT_LENGTH, make_layout
from bot.discord.errors import ARCHIVED, EDITED_TOO_OFTEN, LOCKED, UNKNOWN_CHANNEL, UNKNOWN_GUILD, classify_error
from bot.discord.placement import make_plain
from bot.screens.screen import Button, Control, Screen
from engine.view import Note


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (404, 0, "form"),
        (404, UNKNOWN_CHANNEL, "gone"),
        (404, UNKNOWN_GUILD, "gone"),
        (400, UNKNOWN_CHANNEL, "form"),
        (400, LOCKED, "forbidden"),
        (400, ARCHIVED, "forbidden"),
        (400, EDITED_TOO_OFTEN, "early"),
    ],
)
def test_codes_of_discord_say_more_than_the_status(status: int, code: int, kind: str) -> None:
    answer = SimpleNamespace(status=status, reason="", headers={})
    error = discord.HTTPException(cast("aiohttp.ClientResponse", answer), {"code": code, "message": ""})
    assert classify_error(error) == kind


async def end_request(method: str, path: str, status: int) -> None:
    ended = SimpleNamespace(method=method, url=SimpleNamespace(path=path), response=SimpleNamespace(status=status))
    nothing = cast("aiohttp.ClientSession", None)
    await _prevent_retry(nothing, SimpleNamespace(), cast("aiohttp.TraceRequestEndParams", ended))


@pytest.mark.parametrize("path", ["/api/v10/channels/7/messages", "/api/v10/channels/7/threads"])
async def test_what_discord_may_have_made_is_not_requested_again(path: str) -> None:
    with pytest.raises(MaybeMadeError, match=f"answered 502 to POST {path}"):
        await end_request("POST", path, 502)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/api/v10/channels/7/messages", 503),
        ("PATCH", "/api/v10/channels/7/messages", 502),
        ("POST", "/api/v10/channels/7/typing", 502),
        ("POST", "/api/v10/webhooks/7/messages", 502),
    ],
)
async def test_other_requests_may_be_repeated(method: str, path: str, status: int) -> None:
    await end_request(method, path, status)


def test_waits_double_up_to_a_minute() -> None:
    assert list(islice(_list_waits(), 8)) == [1, 2, 4, 8, 16, 32, 60, 60]


def test_pictures_described_in_words_fill_the_room_of_a_message() -> None:
    words = Note(title="Rules", alt="Rules", lines=("word " * 2000,))
    shown = add_picture_words(Screen("Above", (words,), "below"))
    assert MAX_TEXT_LENGTH - 20 <= len(shown.text) + len("below") <= MAX_TEXT_LENGTH
    assert shown.text.startswith("Above\n```\n")


def test_a_message_that_is_refused_keeps_its_words_and_first_button() -> None:
    buttons = tuple(Button(word, Control(7, 0, word)) for word in ("act", "log"))
    plain = make_plain(Screen("Ann to bid", rows=(buttons, buttons), mention=("1",)))
    assert plain == Screen("Ann to bid", rows=(buttons[:1],), mention=("1",))
    assert make_plain(Screen("Over")).rows == ()


def test_words_above_and_below_the_pictures_have_the_room_of_a_message_together() -> None:
    """The ones above give way."""
    shown = [part.content for part in make_layout(Screen("a" * 5000, (), "b" * 100)).children]  # type: ignore[attr-defined]
    assert sum(map(len, shown)) == MAX_TEXT_LENGTH
    assert shown[1] == "b" * 100
