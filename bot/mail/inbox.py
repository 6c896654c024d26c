"""Takes mails out of a mailbox: a thread waits for new ones (IDLE), and looks by itself now and then.

A mail counts as read only when it has been dealt with, so one that came while
the program died comes again. A line that is lost, or says nothing any more,
is made anew; it silences no table.
"""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError
from imap_tools.query import AND

from engine import Record

TIMEOUT = 30.0
LONGEST_IDLE = 25 * 60.0
MOST_AT_ONCE = 50
LONGEST_REST = 300.0
MOST_TRIES = 3
_log = structlog.get_logger(__name__)

Receive = Callable[[bytes, tuple[str, ...]], Awaitable[object]]


class Imap(Record, frozen=True):
    """The mailbox that mails come to. ``tls``: "tls" from the start, "starttls", or "none".

    Args:
        poll: seconds after which the mailbox is looked at though nothing was announced.
    """

    host: str
    port: int = 993
    user: str = ""
    password: str = ""
    folder: str = "INBOX"
    tls: str = "tls"
    poll: float = 60.0

    def opened(self) -> BaseMailBox:
        """Return the mailbox, logged in.

        Raises:
            OSError, imaplib.IMAP4.error, imap_tools.ImapToolsError: it cannot be had.
        """
        kinds = {"tls": MailBox, "starttls": MailBoxStartTls, "none": MailBoxUnencrypted}
        box = kinds[self.tls](self.host, self.port, timeout=TIMEOUT)
        try:
            opened: BaseMailBox = box.login(self.user, self.password, initial_folder=self.folder)
        except BaseException:
            box.client.shutdown()
            raise
        return opened


def announces(box: BaseMailBox) -> bool:
    """Tell whether a mailbox announces new mails; many say so only after the login."""
    _, said = box.client.capability()
    return b"IDLE" in (said[0] or b"").upper().split()


class Inbox:
    """Reads a mailbox in a thread of its own; each mail is dealt with on the event loop, one at a time.

    Args:
        imap: the mailbox. receive: deals with a mail.
    """

    def __init__(self, imap: Imap, receive: Receive) -> None:
        self.imap = imap
        self.receive = receive
        self.looked = 0
        self._ends = threading.Event()
        self._box: BaseMailBox | None = None
        self._broken: Counter[str] = Counter()
        self._validity: object = None

    async def run(self) -> None:
        """Read until cancelled."""
        loop = asyncio.get_running_loop()
        over = asyncio.Event()

        def work() -> None:
            try:
                self._read(loop)
            finally:
                with suppress(RuntimeError):  # the loop may be gone
                    loop.call_soon_threadsafe(over.set)

        threading.Thread(target=work, name="mailbox", daemon=True).start()
        try:
            await over.wait()
        finally:
            self._ends.set()
            self._hang_up()

    def _hang_up(self) -> None:
        """Shut the line from outside, so that the thread does not wait on it; only the thread closes what it reads."""
        box = self._box
        if box is not None:
            with suppress(Exception):
                box.client.sock.shutdown(socket.SHUT_RDWR)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        failures = 0
        while not self._ends.is_set():
            try:
                self._box = self.imap.opened()
                failures = 0
                self._watch(self._box, loop)
            except Exception as error:  # noqa: BLE001  # whatever it is: a new line
                if self._ends.is_set():
                    break
                failures += 1
                _log.warning("mailbox", error=repr(error)[:300], failures=failures)
                self._ends.wait(min(LONGEST_REST, 0.2 * 2**failures))
            finally:
                self._leave()

    def _leave(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            with suppress(Exception):
                box.client.shutdown()

    def _watch(self, box: BaseMailBox, loop: asyncio.AbstractEventLoop) -> None:
        """Look, wait until something is announced or it is time to look, and look again."""
        _, validity = box.client.response("UIDVALIDITY")
        if validity != self._validity:  # the mailbox was made anew: its numbers are other mails' now
            self._validity = validity
            self._broken.clear()
        idles = announces(box)
        while not self._ends.is_set():
            while self._look(box, loop) and not self._ends.is_set():
                pass
            self.looked += 1
            if idles:
                with box.idle as idle:
                    idle.poll(timeout=self.imap.poll)
            else:
                self._ends.wait(self.imap.poll)
                box.client.noop()

    def _look(self, box: BaseMailBox, loop: asyncio.AbstractEventLoop) -> bool:
        """Deal with the mails that were not read; tell whether there were any. One that fails holds up no other."""
        uids = box.uids(AND(seen=False))[:MOST_AT_ONCE]
        done: list[str] = []
        try:
            for uid in uids:
                if self._ends.is_set():
                    break
                if self._broken[uid] >= MOST_TRIES:  # it breaks the line whenever it is fetched
                    continue
                self._broken[uid] += 1
                data = self._fetched(box, uid)
                del self._broken[uid]
                if data is None or asyncio.run_coroutine_threadsafe(self._dealt_with(data), loop).result():
                    done.append(uid)
        finally:
            if done:
                with suppress(ImapToolsError, OSError):
                    box.flag(done, "\\Seen", value=True)
        return bool(done)

    def _fetched(self, box: BaseMailBox, uid: str) -> bytes | None:
        """Return the bytes of a mail, without marking it as read; ``None`` if it is gone."""
        _, found = box.client.uid("fetch", uid, "(BODY.PEEK[])")
        return next((bytes(part[1]) for part in found if isinstance(part, tuple)), None)

    async def _dealt_with(self, data: bytes) -> bool:
        """Deal with a mail; tell whether that is done, or it is to come again."""
        try:
            await self.receive(data, ())
        except Exception as error:  # noqa: BLE001  # the store, most likely
            _log.error("a mail could not be dealt with", exc_info=error)
            return False
        return True
