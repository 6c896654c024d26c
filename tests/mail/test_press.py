"""What players say to each other by mail."""

import msgspec
import pytest

from bot.mail.orders import read_orders, take_messages
from bot.mail.reply import ReadReply
from bot.model.errors import BotError
from bot.service.press import MAX_MESSAGE_CHARACTERS, MAX_MESSAGES_AN_HOUR, Message, find_addressees, tidy_message
from tests.mail.conftest import Begun, version
from tests.mail.letters import text_part


def test_all_below_a_line_to_a_player_belongs_to_the_message() -> None:
    """A choice below it is part of what is said, and plays nothing; orders above it are played."""
    read = ReadReply((("bid 20", "to Bob: would you sell IOW?"), ("A",), ("to all: 2",)))
    orders = read_orders(read)
    assert orders.orders == ("bid 20",)
    assert orders.messages == (Message("Bob", "would you sell IOW? A"), Message("all", "2"))
    assert take_messages(ReadReply((("bid 20",),)))[1] == ()


def test_a_message_cannot_ring_link_or_hide() -> None:
    """Mentions and links of Discord are broken; what cannot be seen shows; the length has a limit."""
    assert tidy_message("<@12> @everyone\n[x](http://e) \u202e a < b") == "< @ 12> @ everyone (x)(http://e) � a < b"
    for text in (" \n ", "\x00", "x" * (MAX_MESSAGE_CHARACTERS + 1)):
        with pytest.raises(BotError):
            tidy_message(text)


async def test_messages_reach_players_by_mail_and_can_be_muted_and_turned_off(begun: Begun) -> None:
    """Said with a move, by name and to all; unread words are offered as a message; mute, and off by the host."""
    mails, game, first, second = begun
    table = await mails.services.lobby.get_table(game)
    to_first, to_second = table.find_name(table.seats[0].user), table.find_name(table.seats[1].user)
    host, other = "p1@home.example", "p2@home.example"
    told = await mails.answer(host, f"to {to_second.upper()}: hello <@1>")
    assert "✓ Sent to all: “hello < @ 1>”" in told
    assert f"{to_first} to all: hello < @ 1>" in text_part(mails.last(other))
    assert "No other player here is called" in await mails.answer(host, "to Zoe: hello")
    assert await version(mails, game) == 0
    assert "reply yes to send it to them" in await mails.answer(other, "What a lovely island this is today")
    assert "✓ Sent to all" in await mails.answer(other, "yes")
    assert "lovely island" in text_part(mails.last(host))
    assert "no messages" in await mails.answer(other, "mute")
    assert f"{to_second} muted messages" in await mails.answer(host, "to all: hello?")
    assert "hello?" not in text_part(mails.last(other))
    assert "Only the host" in await mails.answer(other, "mute all")
    assert "Messages are off" in await mails.answer(host, "mute all")
    assert "Messages are off" in await mails.answer(other, "to all: hello")
    assert first != second


async def test_a_player_sends_a_few_messages_an_hour_to_others_at_the_table(begun: Begun) -> None:
    """Strangers send none; one more than the limit waits; alone there is no one to write to."""
    mails, game, _, _ = begun
    table, press = await mails.services.lobby.get_table(game), mails.services.press
    user = table.people[0]
    with pytest.raises(BotError, match="You have no seat"):
        await press.send(game, "stranger", Message("all", "hello"), "x")
    for number in range(MAX_MESSAGES_AN_HOUR):
        await press.send(game, user, Message("all", "hello"), f"{number}")
    with pytest.raises(BotError, match="messages an hour"):
        await press.send(game, user, Message("all", "hello"), "more")
    alone = msgspec.structs.replace(table, seats=table.seats[:1])
    with pytest.raises(BotError, match="no other player"):
        find_addressees(alone, alone.people[0], "all")
