"""Mail as a front: letters go out, replies come in; tables that live in no chat are kept going."""

import asyncio
from collections.abc import Coroutine

import structlog

from bot.mail import lmtp, web
from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.clerk import Clerk, Trust
from bot.mail.compose import Composer
from bot.mail.inbox import Imap, Inbox
from bot.mail.sender import Deliver, MailLimits, Sender
from bot.model.posts import Errand, Reminder, most_reminders
from bot.screens.drawing import Draw
from bot.service.owed.outbox import Batch
from bot.service.services import Services
from engine import Record

REST = 15.0
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
        self.sender = Sender(services, Composer(services, draw), mailbox.post, deliver, mailbox.limits)
        self.clerk = Clerk(services, mailbox.post, mailbox.trust)
        self._one = asyncio.Lock()

    async def receive(self, data: bytes, recipients: tuple[str, ...] = ()) -> str:
        """Deal with a mail that came in, one at a time."""
        async with self._one:
            return await self.clerk.receive(data, recipients)

    async def stop(self, token: ReplyToken) -> str:
        """End the mails of a signed link; return the address from which they begin again, "" for nobody."""
        contact = await self.services.contacts.get(token.contact)
        if contact is not None and contact.epoch == token.epoch:
            contact = await self.services.contacts.settle(contact.id, "stopped")
        if contact is None or contact.state != "stopped":  # asked for mails again since that link was sent
            return ""
        return self.mailbox.post.reply_to(ReplyToken(token.game, contact.id, contact.epoch))

    async def run(self, *, alone: bool) -> None:
        """Serve until cancelled; ``alone`` no chat is served beside, and what tables owe to a place is settled here."""
        jobs: list[Coroutine[None, None, None]] = [self.sender.run()]
        if self.mailbox.imap is not None:
            jobs.append(Inbox(self.mailbox.imap, self.receive, self.clerk.quarantine).run())
        if self.mailbox.lmtp:
            jobs.append(lmtp.listen(self.mailbox.lmtp, self.mailbox.post, self.receive))
        if self.mailbox.web:
            jobs.append(web.listen(self.mailbox.web, self.mailbox.post, self.stop))
        if alone:
            jobs.append(Settling(self.services).run())
        async with asyncio.TaskGroup() as group:
            for job in jobs:
                group.create_task(job)


class Settling:
    """Settles what tables owe to a place that they do not have: stand-ins move, reminders follow one another."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def run(self) -> None:
        """Settle until cancelled."""
        while True:
            try:
                wait = await self.round()
            except Exception as error:  # noqa: BLE001  # the next round
                _log.error("settling", exc_info=error)
                wait = REST
            await asyncio.sleep(wait)

    async def round(self) -> float:
        """Settle what is due; return the seconds until more may be."""
        outbox = self.services.outbox
        waiting = await outbox.waiting()
        for claim in await outbox.claim(waiting.tables) if waiting.tables else ():
            try:
                await self._settle(claim)
            finally:
                await outbox.release(claim.game)
        if waiting.tables:
            return 0.2
        due = waiting.next_due
        return REST if due is None else min(REST, max(0.2, due - self.services.clock()))

    async def _settle(self, claim: Batch) -> None:
        table = await self.services.lobby.info(claim.game)
        for stored in claim.posts:
            if table.home.channel or table.home.thread:
                await self.services.outbox.put_off(stored, self.services.clock() + int(REST) * 20)
                continue
            if isinstance(stored.post, Errand):
                await self.services.stand_ins.act(claim.game)
            await self.services.outbox.sent(stored, "", "mail")
            if isinstance(stored.post, Reminder) and stored.post.turn_from == table.turn_from:
                calls = await self.services.preferences.calls(*stored.post.mention)
                if stored.post.number >= most_reminders(list(calls.values())):
                    await self.services.calling.ask_table(stored.post)
