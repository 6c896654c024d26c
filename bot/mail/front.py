"""Mail as a front: letters go out, replies come in; tables that live in no chat are kept going."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from html import escape

import structlog
from aiohttp import web

from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.clerk import Clerk, Trust
from bot.mail.compose import Composer
from bot.mail.inbox import Inbox, listen_lmtp
from bot.mail.origin import find_addressee
from bot.mail.sender import Deliver, LetterSender, MailLimits
from bot.mail.servers import Imap
from bot.screens.drawing import Draw
from bot.service.sending import Sender, Sending
from bot.service.services import Services
from bot.store.outbox import POSTS, Place, StoredPost
from bot.web.guard import Guard, read_addresses
from bot.web.server import open_app
from engine import Record

RETRY_SECONDS = 15
NOT_OURS_SECONDS = 300
TIDY_SECONDS = 6 * 3600
SETTLE_SECONDS_MAX = 60.0
MAX_PAGE_BYTES = 2048
PROXIES = "127.0.0.1,::1"
"""Where the web server of the host is, which keeps connections in store."""
Stop = Callable[[ReplyToken], Awaitable[str]]
"""Ends the mails of a signed link; returns the link by which they begin again, "" if there is no such person."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
_ASK_PAGE = (
    '<p>Do you want to unsubscribe from Stationmaster?</p><form method="post"><button>Unsubscribe</button></form>'
)
_DONE_PAGE = (
    "<p>You're unsubscribed: this address gets no more e-mail. You keep your seats.</p>"
    '<p><a href="{again}">Subscribe again</a></p>'
)
_DEAD_LINK_PAGE = "<p>This link no longer works. To unsubscribe, reply stop to a newer e-mail.</p>"
_log = structlog.get_logger(__name__)


class Mailbox(Record, frozen=True):
    """How mails go out and come in.

    Args:
        lmtp: instead of ``imap`` where a server on this machine brings them.
        web: "host:port" at which the page that ends mails is served; "" without one.
    """

    post: OwnMailbox
    trust: Trust
    limits: MailLimits = MailLimits()
    imap: Imap | None = None
    lmtp: str = ""
    web: str = ""


class MailFront:
    """Everything that plays by mail.

    Args:
        services: the tables. draw: draws off the event loop.
        mailbox: where replies come in. deliver: takes mails that go out.
    """

    def __init__(self, services: Services, draw: Draw, mailbox: Mailbox, deliver: Deliver) -> None:
        self.services = services
        self.mailbox = mailbox
        self.sender = LetterSender(services, Composer(services, draw), mailbox.post, deliver, mailbox.limits)
        self.letters = Sending(services.outbox, self.sender, services.intervals.outbox)
        self.clerk = Clerk(services, mailbox.post, mailbox.trust)
        self._one = asyncio.Lock()

    async def receive(self, data: bytes, recipients: tuple[str, ...] = (), size: int = 0) -> str:
        """Deal with a mail that came in, one at a time; ``size`` is that of one of which only the head came."""
        async with self._one:
            return await self.clerk.receive(data, recipients, size)

    async def tidy(self) -> None:
        """Forget now and then what the ledger needn't keep."""
        while True:
            try:
                await self.clerk.ledger.tidy()
            except Exception as error:  # noqa: BLE001  # the next time
                _log.error("tidying the ledger", exc_info=error)
            await asyncio.sleep(TIDY_SECONDS)

    async def stop(self, token: ReplyToken) -> str:
        """End the mails of a signed link; return the link by which they begin again, "" for no one."""
        contact = await self.services.contacts.get_contact(token.contact)
        if contact is not None and contact.epoch == token.epoch:
            contact = await self.services.contacts.set_state(contact.id, "stopped")
        if contact is None or contact.state != "stopped":  # asked for mails again since that link was sent
            return ""
        return self.mailbox.post.make_mailto(ReplyToken(token.game, contact.id, contact.epoch), "start", "start")

    async def run(self, *, alone: bool) -> None:
        """Serve until cancelled; ``alone`` no chat is served beside, and what tables owe to a place is settled here."""
        jobs: list[Coroutine[None, None, None]] = [self.letters.run(), self.tidy()]
        if self.mailbox.imap is not None:
            find = partial(find_addressee, post=self.mailbox.post)
            jobs.append(Inbox(self.mailbox.imap, self.receive, self.clerk.set_aside, find).run())
        if self.mailbox.lmtp:
            jobs.append(listen_lmtp(self.mailbox.lmtp, self.mailbox.post, self.receive))
        if self.mailbox.web:
            jobs.append(serve_page(self.mailbox.web, self.mailbox.post, self.stop))
        if alone:
            jobs.append(Sending(self.services.outbox, Settler(self.services), self.services.intervals.outbox).run())
        async with asyncio.TaskGroup() as group:
            for job in jobs:
                group.create_task(job)


class Settler(Sender):
    """Settles what tables owe to a place that they do not have: stand-ins move, reminders follow one another."""

    head = POSTS
    most_seconds = SETTLE_SECONDS_MAX

    def __init__(self, services: Services) -> None:
        self.services = services

    async def put_off(self, stored: StoredPost) -> int:
        """Leave what belongs into a chat to the process that serves it."""
        home = (await self.services.lobby.get_table(stored.game)).home
        return self.services.clock() + NOT_OURS_SECONDS if home.channel or home.thread else 0

    async def send(self, stored: StoredPost) -> Place | None:
        """Do what a post is there for; its words go out as letters."""
        return await self.services.settle(stored)

    async def fail(self, stored: StoredPost, error: Exception) -> bool:
        """Try again soon."""
        _log.error("not settled", key=stored.key, exc_info=error)
        await self.services.outbox.note_failed(stored, repr(error), self.services.clock() + RETRY_SECONDS)
        return True


def make_unsubscribe_app(post: OwnMailbox, stop: Stop) -> web.Application:
    """Return the page; its last piece of the path says whose mails end."""

    async def ask(request: web.Request) -> web.Response:
        known = post.read_stop(_last_part(request)) is not None
        return _make_response(_ASK_PAGE) if known else _make_response(_DEAD_LINK_PAGE, 404)

    async def end(request: web.Request) -> web.Response:
        token = post.read_stop(_last_part(request))
        again = await stop(token) if token is not None else ""
        return _make_response(_DONE_PAGE.format(again=escape(again))) if again else _make_response(_DEAD_LINK_PAGE, 404)

    app = web.Application(client_max_size=MAX_PAGE_BYTES)
    app.router.add_get("/{path:.*}", ask)
    app.router.add_post("/{path:.*}", end)
    return app


async def serve_page(address: str, post: OwnMailbox, stop: Stop) -> None:
    """Serve the page at "host:port", behind the web server of the host, until cancelled."""
    async with open_app(make_unsubscribe_app(post, stop), Guard(read_addresses(PROXIES)), address):
        await asyncio.Event().wait()


def _last_part(request: web.Request) -> str:
    return request.path.rstrip("/").rpartition("/")[2]


def _make_response(body: str, status: int = 200) -> web.Response:
    head = '<!doctype html><meta name="viewport" content="width=device-width"><title>Stationmaster</title>'
    return web.Response(text=head + body, status=status, content_type="text/html", headers=_HEADERS)
