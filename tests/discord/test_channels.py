"""Messages in a channel: sent once, edited, found again by the number of their post, deleted."""

import discord
import pytest

from bot.discord.channels import MIN_MESSAGES_SEARCHED, NO_PICTURES, Channels
from bot.discord.components import Image
from bot.screens.screen import Screen
from tests.discord.stand_in import Fault, StandIn

DAY = 24 * 3600
PICTURE = Image("map.png", "The map", b"\x89PNG")


@pytest.fixture
def place(server: StandIn) -> str:
    return str(server.games.id)


def count_requests(server: StandIn, words: str) -> int:
    return sum(request.startswith(words) for request in server.requests)


async def test_a_message_that_was_sent_already_gets_the_latest_words(
    server: StandIn, channels: Channels, place: str
) -> None:
    """Discord answers with the message it has: its words are those of the first try, whose answer was lost."""
    first = await channels.send(place, Screen("Ann bids £1"), number=7, nonce="n")
    assert await channels.send(place, Screen("Bob bids £2"), (PICTURE,), number=7, nonce="n") == first
    (message,) = server.games.public
    assert (message.text, len(message.files)) == ("Bob bids £2", 1)


async def test_a_message_that_reads_as_it_should_is_not_edited(server: StandIn, channels: Channels, place: str) -> None:
    """A new message, and one that Discord already had in the same words."""
    for _ in range(2):
        await channels.send(place, Screen("Ann bids £1"), number=7, nonce="n")
    assert count_requests(server, "PATCH") == 0


async def test_messages_are_found_by_the_numbers_of_their_posts(
    server: StandIn, channels: Channels, place: str
) -> None:
    """Also after an edit; a message of someone else, of another post, or one that is known already isn't."""
    one, two, _ = [await channels.send(place, Screen("Your turn"), number=each, nonce=f"{each}") for each in (1, 2, 3)]
    assert await channels.edit(place, one, Screen("Ann bids £1"), (), 1)
    server.person("alice").say(server.games, "Your turn")
    now = int(server.clock.now())
    assert await channels.find(place, (1, 2, 9), now) == {1: one, 2: two}
    assert await channels.find(place, (1, 2), now, excluded=two) == {1: one}


async def test_the_search_for_messages_ends_once_all_are_found(server: StandIn, channels: Channels, place: str) -> None:
    for _ in range(150):
        server.person("alice").say(server.games, "chatter")
    sent = await channels.send(place, Screen("Your turn"), number=1, nonce="1")
    assert await channels.find(place, (1,), int(server.clock.now())) == {1: sent}
    assert count_requests(server, "GET /channels") == 1, "a page of the newest"


async def test_the_search_for_messages_ends_where_they_are_much_older_than_the_post(
    server: StandIn, channels: Channels, place: str
) -> None:
    """A day is left for a wrong clock, and so many of the newest messages are looked at whatever it says."""
    for _ in range(2 * MIN_MESSAGES_SEARCHED):
        server.person("alice").say(server.games, "chatter")
    sent = server.clock.now()
    assert await channels.find(place, (1,), int(sent) + DAY // 2) == {}
    everything = count_requests(server, "GET /channels")
    assert await channels.find(place, (1,), int(sent) + 2 * DAY) == {}
    assert MIN_MESSAGES_SEARCHED / 100 < count_requests(server, "GET /channels") - everything < everything


async def test_a_channel_whose_history_is_closed_is_not_searched(
    server: StandIn, channels: Channels, place: str
) -> None:
    server.games.denied = frozenset({"read_message_history"})
    assert await channels.find(place, (1,), int(server.clock.now())) is None


async def test_a_message_goes_without_pictures_where_none_may_be_attached(
    server: StandIn, channels: Channels, place: str
) -> None:
    """It says so, when it is sent and when it is edited."""
    server.games.denied = frozenset({"attach_files"})
    sent = await channels.send(place, Screen("Your turn"), (PICTURE,), number=1, nonce="1")
    assert server.games.last.text == f"Your turn\n{NO_PICTURES}"
    assert await channels.edit(place, sent, Screen("Still your turn"), (PICTURE,), 1)
    assert server.games.last.text == f"Still your turn\n{NO_PICTURES}"


async def test_a_closed_thread_is_opened_for_an_edit_and_not_where_the_bot_may_not(
    server: StandIn, channels: Channels, place: str
) -> None:
    thread = await channels.find_or_make_thread(place, "", "Friday · 1")
    sent = await channels.send(thread, Screen("Your turn"), number=1, nonce="1")
    server.threads[0].archived = True
    assert await channels.edit(thread, sent, Screen("Ann bids £1"), (), 1)
    assert (server.threads[0].archived, server.threads[0].last.text) == (False, "Ann bids £1")
    server.threads[0].archived = True
    server.fault(Fault("PATCH", f"/messages/{sent}", 400, times=2, code=50083))
    with pytest.raises(discord.HTTPException, match="400"):
        await channels.edit(thread, sent, Screen("Bob bids £2"), (), 1)


async def test_deleting_a_message_says_whether_it_is_gone(server: StandIn, channels: Channels, place: str) -> None:
    """By us or by someone before us; not where Discord fails."""
    one, two = [await channels.send(place, Screen("Your turn"), number=each, nonce=f"{each}") for each in (1, 2)]
    assert await channels.delete(place, one)
    assert await channels.delete(place, one)
    assert not await channels.edit(place, one, Screen("Still your turn"), (), 1)
    server.fault(Fault("DELETE", f"/messages/{two}", 403))
    assert not await channels.delete(place, two)
    assert [message.text for message in server.games.public] == ["Your turn"]
