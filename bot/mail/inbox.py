"""Takes mails out of a mailbox: a thread waits for new ones (IDLE), and looks by itself now and then.

A mail counts as read only when it has been dealt with, so one that came while
the program died comes again. A line that is lost, or says nothing any more,
is made anew; it silences no table.
"""

import asyncio
import imaplib
import socket
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.query import AND

from bot.mail.body import MOST_BYTES
from bot.mail.quarantine import Quarantine
from bot.mail.tls import tls_context
from engine import Record

TIMEOUT = 30.0
LONGEST_REST = 300.0
MAX_FETCHES = 3
"""How often fetching a mail may break the line before the mail is set aside."""
_FETCH = f"(BODY.PEEK[]<0.{MOST_BYTES + 1}>)"
"""One byte more than is read: a larger mail is refused by its head, and never comes whole."""
_log = structlog.get_logger(__name__)

Receive = Callable[[bytes, tuple[str, ...]], Awaitable[str]]
"""Deals with a mail; returns a word for what became of it, "quarantined" for one that was set aside."""


class Imap(Record, frozen=True):
    """The mailbox that mails come to. ``tls``: "tls" from the start, "starttls", or "none".

    Args:
        poll: seconds after which the mailbox is looked at though nothing was announced.
        ca_file: certificates that are trusted besides those of the system.
    """

    host: str
    port: int = 993
    user: str = ""
    password: str = ""
    folder: str = "INBOX"
    tls: str = "tls"
    poll: float = 60.0
    ca_file: str = ""

    def opened(self) -> BaseMailBox:
        """Return the mailbox, logged in; the server's certificate and name have been verified by then.

        Raises:
            OSError, imaplib.IMAP4.error, imap_tools.ImapToolsError: it cannot be had.
        """
        if self.tls == "none":
            box: BaseMailBox = MailBoxUnencrypted(self.host, self.port, timeout=TIMEOUT)
        else:
            kind = MailBoxStartTls if self.tls == "starttls" else MailBox
            box = kind(self.host, self.port, timeout=TIMEOUT, ssl_context=tls_context(self.ca_file))
        try:
            opened: BaseMailBox = box.login(self.user, self.password, initial_folder=self.folder)
        except BaseException:
            box.client.shutdown()
            raise
        return opened


def announces(box: BaseMailBox) -> bool:
    """Return whether a mailbox announces new mails; many say so only after the login."""
    _, said = box.client.capability()
    return b"IDLE" in (said[0] or b"").upper().split()


class Inbox:
    """Reads a mailbox in a thread of its own; each mail is dealt with on the event loop, one at a time.

    Args:
        imap: the mailbox. receive: deals with a mail. quarantine: where a mail is noted that cannot be fetched.
    """

    def __init__(self, imap: Imap, receive: Receive, quarantine: Quarantine) -> None:
        self.imap = imap
        self.receive = receive
        self.quarantine = quarantine
        self._ends = threading.Event()
        self._box: BaseMailBox | None = None
        self._broken: Counter[str] = Counter()
        self._dealt_with: set[str] = set()
        self._failures = 0
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
        while not self._ends.is_set():
            try:
                self._box = self.imap.opened()
                self._watch(self._box, loop)
            except Exception as error:  # noqa: BLE001  # whatever it is: a new line
                if self._ends.is_set():
                    break
                self._failures += 1
                _log.warning("mailbox", error=repr(error)[:300], failures=self._failures)
                self._ends.wait(min(LONGEST_REST, 0.2 * 2**self._failures))
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
            self._dealt_with.clear()
        idles = announces(box)
        while not self._ends.is_set():
            while self._look(box, loop) and not self._ends.is_set():
                pass
            self._failures = 0
            if idles:
                with box.idle as idle:
                    idle.poll(timeout=self.imap.poll)
            else:
                self._ends.wait(self.imap.poll)
                box.client.noop()

    def _look(self, box: BaseMailBox, loop: asyncio.AbstractEventLoop) -> bool:
        """Deal with all mails that were not read; return whether there were any. One that fails holds up no other."""
        unseen = box.uids(AND(seen=False))
        self._dealt_with &= set(unseen)  # what somebody marks as unread again is read again
        left = sorted((uid for uid in unseen if uid not in self._dealt_with), key=lambda uid: self._broken[uid])
        found = False
        for uid in left:
            if self._ends.is_set():
                break
            word = self._deal_with(box, uid, loop)
            if word:
                self._dealt_with.add(uid)
                _mark(box, uid, "\\Seen \\Flagged" if word == "quarantined" else "\\Seen")
                found = True
        return found

    def _deal_with(self, box: BaseMailBox, uid: str, loop: asyncio.AbstractEventLoop) -> str:
        """Deal with a mail; return a word for what became of it, "" if it must come again."""
        if self._broken[uid] >= MAX_FETCHES:
            return self._wait_for(self._note_unfetched(uid), loop)
        self._broken[uid] += 1
        status, found = box.client.uid("fetch", uid, _FETCH)
        if status != "OK":
            _log.warning("a mail could not be fetched", uid=uid, status=status)
            return ""
        del self._broken[uid]
        data = next((bytes(part[1]) for part in found if isinstance(part, tuple)), None)
        return self._wait_for(self.receive(data, ()), loop) if data is not None else "gone"

    async def _note_unfetched(self, uid: str) -> str:
        why = f"Mail {uid} of {self.imap.folder} cannot be fetched; it is flagged there."
        await self.quarantine.add(f"Subject: {why}\r\n\r\n".encode(), why)
        return "quarantined"

    def _wait_for(self, work: Awaitable[str], loop: asyncio.AbstractEventLoop) -> str:
        """Have something done on the event loop; return what came of it, "" if it failed."""

        async def guarded() -> str:
            try:
                return await work
            except Exception as error:  # noqa: BLE001  # the store, most likely
                _log.error("a mail could not be dealt with", exc_info=error)
                return ""

        return asyncio.run_coroutine_threadsafe(guarded(), loop).result()


def _mark(box: BaseMailBox, uid: str, flags: str) -> None:
    """Put flags on a mail; where the line is broken, a mail that comes again is known."""
    with suppress(imaplib.IMAP4.error, OSError):
        box.client.uid("store", uid, "+FLAGS", f"({flags})")
