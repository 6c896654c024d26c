"""Mails are ended by one press in the mail program (RFC 8058), where the host has a web address."""

import re
from urllib.parse import urlsplit

import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from bot.mail.clerk import Trust
from bot.mail.front import Mailbox, MailFront, make_unsubscribe_app
from tests.mail.conftest import POST, Begun, tiny, version

WEB = msgspec.structs.replace(POST, web="https://games.example/mail/")


@pytest.fixture
def on_the_web(begun: Begun) -> Begun:
    """The mails of a table whose host has a web address."""
    mails = begun[0]
    mails.front = MailFront(mails.services, tiny, Mailbox(WEB, Trust(("mx.games.example",))), mails.caught)
    return begun


async def test_one_press_ends_the_mails_and_a_look_at_the_page_does_not(on_the_web: Begun) -> None:
    """Scanners follow every link of a mail; only the press counts, and mails can be asked for again."""
    mails, game, first, second = on_the_web
    await mails.answer(first, "bid 10")
    mail = mails.last(second)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link, by_mail = re.findall(r"<([^>]*)>", mail["List-Unsubscribe"])
    assert by_mail.startswith("mailto:")
    assert link.startswith("https://games.example/mail/")
    path = urlsplit(link).path
    async with TestClient(TestServer(make_unsubscribe_app(WEB, mails.front.stop))) as client:
        assert "button" in await (await client.get(path)).text()
        assert await mails.front.receive(mails.reply(second, "bid 15")) == "answered"
        await mails.send_all()
        assert await version(mails, game) == 2
        for _ in range(2):  # a program may press twice
            pressed = await client.post(path, data={"List-Unsubscribe": "One-Click"})
            assert pressed.status == 200
            (again,) = re.findall(r'href="mailto:([^?"]+)', await pressed.text())
        count = len(mails.out)
        await mails.answer(first, "bid 20")
        assert {to for to, _ in mails.out[count:]} == {first}
        start = mails.reply(second, "start").decode().replace(mails.last(second)["Reply-To"], again)
        assert await mails.front.receive(start.encode()) == "answered"
        assert {to for to, _ in await mails.send_all()} == {second}
        assert (await client.post(path)).status == 404, "an old link ends nothing that was asked for again"


@pytest.mark.parametrize("changed", ["", "1.1.1.aaaaaaaaaaaaaaaa", "../../x", "9" * 500])
async def test_a_link_that_we_did_not_make_ends_nothing(on_the_web: Begun, changed: str) -> None:
    """Nor does the address of a reply, though it is signed by the same key."""
    mails, _, first, _ = on_the_web
    reply_to = str(mails.last(first)["Reply-To"]).partition("+")[2].partition("@")[0]
    async with TestClient(TestServer(make_unsubscribe_app(WEB, mails.front.stop))) as client:
        for path in (changed, reply_to):
            assert (await client.get(f"/{path}")).status == 404
            assert (await client.post(f"/{path}", data=b"x" * 9000)).status == 404
    contact = await mails.services.contacts.find_contact(first)
    assert contact is not None
    assert contact.state == "confirmed"
