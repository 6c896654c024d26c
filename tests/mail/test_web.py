"""Mails are ended by one press in the mail program (RFC 8058), where the host has a web address."""

import asyncio
import re
from urllib.parse import unquote, urlsplit

import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from bot.mail.address import ReplyToken
from bot.mail.clerk import Trust
from bot.mail.front import Mailbox, MailFront, make_unsubscribe_app, serve_page
from tests.mail.conftest import POST, Begun, tiny, version
from tests.mail.test_servers import free_port

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
        start = mails.reply(second, "start").decode().replace(mails.last(second)["Reply-To"], unquote(again))
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


async def test_what_is_no_http_is_answered_without_repeating_or_logging_the_link(
    on_the_web: Begun, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever reads the log could end a player's mails with it."""
    mails = on_the_web.mails
    contact = await mails.services.contacts.find_contact(on_the_web.first)
    assert contact is not None
    token = WEB.make_stop_link(ReplyToken(1, contact.id, contact.epoch)).rpartition("/")[2]
    port = free_port()
    serving = asyncio.create_task(serve_page(f"127.0.0.1:{port}", WEB, mails.front.stop))
    try:
        for line in (b"GET /mail/%s/\xff HTTP/1.1", b"POST /mail/%s HTTP/9.9"):
            answer = await ask(port, line % token.encode())
            assert b" 400 " in answer.split(b"\r\n")[0]
            assert token.encode() not in answer
        assert b" 200 " in (await ask(port, b"GET /mail/%s HTTP/1.1" % token.encode())).split(b"\r\n")[0]
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
    assert token not in caplog.text


async def ask(port: int, line: bytes) -> bytes:
    """Send a request as it stands; return the answer."""
    async with asyncio.timeout(20):
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.01)
        writer.write(line + b"\r\nHost: games.example\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        return answer
