"""What players say to each other by mail."""

import msgspec
import pytest

from bot.mail.orders import read_orders, take_messages
from bot.mail.reply import ReadReply
from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.service.hosting import Guest
from bot.service.press import MAX_MESSAGE_CHARACTERS, MAX_MESSAGES_AN_HOUR, Message, find_addressees, tidy_message
from bot.store import leases
from tests.mail.conftest import ONE, TWO, Begun, Mails, version
from tests.mail.letters import text_part
from tests.support.sure import sure


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


async def test_a_mute_belongs_to_the_person_who_links_another_account(begun: Begun) -> None:
    """Who muted messages by mail and then links the address in Discord gets none afterwards; forgetting ends it."""
    mails = begun.mails
    await mails.answer(TWO, "mute")
    user = sure(await mails.services.contacts.find_contact(TWO)).user
    await mails.services.seats.merge_people(user, "77")
    assert "muted messages" in await mails.answer(ONE, "to all: hello")
    assert await read_mute(mails, user) == ""
    await mails.services.seats.forget_person("77")
    assert await read_mute(mails, "77") == ""


async def read_mute(mails: Mails, user: str) -> str:
    """Return what is noted of a person's mute."""
    async with mails.services.database.reading() as session:
        return await leases.read_note(session, leases.name_mute(user))


async def test_players_talk_before_the_start_and_not_after_the_table_is_closed(mails: Mails) -> None:
    """At an open table those who have accepted; once it is closed no message goes out, nor is one offered."""
    wish = NewTable("1860", 3, name="Isle")
    table = await mails.services.hosting.open_table(
        wish, [Guest(each, each[:2]) for each in (ONE, TWO, "p3@home.example")]
    )
    for address in (ONE, TWO):
        await mails.send_all()
        await mails.answer(address, "yes")
    assert "✓ Sent to all" in await mails.answer(ONE, "to all: hello")
    assert "p1 to all: hello" in text_part(mails.last(TWO))
    assert "hello" not in text_part(mails.last("p3@home.example")), "who has not accepted is not written to"
    assert "Reply yes to take a seat" in await mails.answer("p3@home.example", "to all: me too")
    await mails.answer(ONE, "/game close")
    assert (await mails.services.lobby.get_table(table.id)).state == "closed"
    assert "Messages are off" in await mails.answer(TWO, "to all: why?")
    assert "reply yes to send" not in await mails.answer(TWO, "What a pity that it is over now")


async def test_players_talk_while_they_vote_on_closing(begun: Begun) -> None:
    """While the players decide whether to close a running table, they can talk about it."""
    mails, game, _, _ = begun
    await mails.answer(ONE, "/game close sure:true")
    asked = mails.last(TWO)
    assert "✓ Sent to all" in await mails.answer(TWO, "to all: let us play on")
    assert "let us play on" in text_part(mails.last(ONE))
    await mails.answer(TWO, "yes", asked)
    assert (await mails.services.lobby.get_table(game)).state == "closed"
    assert "Messages are off" in await mails.answer(ONE, "to all: bye")
