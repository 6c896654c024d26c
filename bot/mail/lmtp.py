"""Takes mails in by LMTP, from a mail server on the same machine, instead of out of a mailbox."""

import asyncio

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from bot.mail.address import OwnMailbox
from bot.mail.body import MOST_BYTES
from bot.mail.inbox import Receive

_log = structlog.get_logger(__name__)


class Door:
    """What happens to a mail that is brought: only to a signed address, only of a reasonable size."""

    def __init__(self, post: OwnMailbox, receive: Receive) -> None:
        self.post = post
        self.receive = receive

    async def handle_RCPT(self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]) -> str:  # noqa: N802
        """Take a recipient, if the address is one that we made."""
        if self.post.token(address) is None and self.post.bounced(address) is None:
            return "550 5.1.1 There is nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:  # noqa: N802
        """Deal with a mail; where that fails it is to come again."""
        try:
            content = envelope.content
            await self.receive(content if isinstance(content, bytes) else b"", tuple(envelope.rcpt_tos))
        except Exception as error:  # noqa: BLE001  # it comes again
            _log.error("a mail could not be dealt with", exc_info=error)
            return "451 4.3.0 Try again later"
        return "250 OK"


async def listen(address: str, post: OwnMailbox, receive: Receive) -> None:
    """Take mails in at "host:port" or the path of a socket, until cancelled."""
    door = Door(post, receive)
    loop = asyncio.get_running_loop()

    def made() -> LMTP:
        return LMTP(door, data_size_limit=MOST_BYTES, enable_SMTPUTF8=True, loop=loop)

    host, _, port = address.rpartition(":")
    if port.isdecimal() and not address.startswith("/"):
        server: asyncio.AbstractServer = await loop.create_server(made, host or "127.0.0.1", int(port))
    else:
        server = await loop.create_unix_server(made, address)
    async with server:
        await server.serve_forever()
