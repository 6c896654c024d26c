"""Mails come in: out of a mailbox (IMAP), or brought by a mail server on the same machine (LMTP).

A thread waits for new mails (IDLE), and also looks on its own now and then. A mail
counts as read only when it has been dealt with, so one that came while the
program died comes again. A line that is lost, or says nothing any more, is
recreated; it silences no table. What makes the reader fail is set aside for
the operator, so that the next mail is read.
"""

import asyncio
import imaplib
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from imap_tools import BaseMailBox
from imap_tools.query import AND

from bot.mail.address import OwnMailbox
from bot.mail.body import MAX_BYTES
from bot.mail.quarantine import MIN_FAILING_SECONDS
from bot.mail.servers import Imap, can_announce

RETRY_SECONDS_MIN, RETRY_SECONDS_MAX = 0.2, 300.0
MAX_IDLE_SECONDS = 29 * 60.0
"""That a line may wait for announcements: a server may log it off after half an hour (RFC 2177)."""
MIN_FAILED_FETCHES = 3
"""How often a mail can't be fetched before it is set aside; others must come through meanwhile.

A mailbox that fails for a while fails with good mails too.
"""
_SIZE = re.compile(rb"RFC822\.SIZE (\d{1,18})", re.IGNORECASE)
HEAD_BYTES = 1 << 16
"""Of a mail that is too large, by which it is refused."""
MAX_OTHERS_A_LOOK = 20
"""Mails to no address of ours that are dealt with before it is looked for replies again."""
MAX_OF_ADDRESS_A_LOOK = 3
"""Mails to one player's address that are dealt with before."""
HEADS_A_FETCH = 200
_HEAD = (
    "(BODY.PEEK[HEADER.FIELDS (FROM TO CC DELIVERED-TO X-ORIGINAL-TO X-DELIVERED-TO ENVELOPE-TO SUBJECT IN-REPLY-TO "
    "REFERENCES)]<0.8192>)"
)
_UID = re.compile(rb"UID (\d+)", re.IGNORECASE)
LATER_SECONDS = 300.0
"""After which a mail is looked at again that is to be read later."""
SetAside = Callable[[bytes, str], Awaitable[object]]
"""Keeps a mail, or a note about one, for the operator, with the reason."""
_log = structlog.get_logger(__name__)

FindAddressee = Callable[[bytes], tuple[str, str]]
Receive = Callable[..., Awaitable[str]]
"""Deals with a mail: its bytes, its recipients, and its size if the bytes are only its head.

It returns a word for what became of it: "quarantined" if it was set aside, "later" if it is to come again.
"""


class FailedFetches(NamedTuple):
    """Attempts to fetch a mail that failed.

    Args:
        times: how many. since: moment of the first. fetched: how many mails had been fetched before it.
    """

    times: int
    since: float
    fetched: int


class Inbox:
    """Reads a mailbox in a thread of its own; each mail is dealt with on the event loop, one at a time.

    Args:
        imap: the mailbox. receive: deals with a mail. set_aside: notes a mail that cannot be fetched.
        find_addressee: says whose address a mail went to and who wrote it, by its header: among thousands of mails,
            replies come first, and no one's wait for all of another's.
    """

    def __init__(
        self, imap: Imap, receive: Receive, set_aside: SetAside, find_addressee: FindAddressee | None = None
    ) -> None:
        self.imap = imap
        self.find_addressee = find_addressee
        self._addressees: dict[str, tuple[str, str]] = {}
        self.receive = receive
        self.set_aside = set_aside
        self._later: dict[str, float] = {}
        self._ends = threading.Event()
        self._box: BaseMailBox | None = None
        self._failed: dict[str, FailedFetches] = {}
        self._fetched = 0
        self._dealing: asyncio.Task[None] | None = None
        self._dealt_with: set[str] = set()
        self._unmarked: dict[str, str] = {}
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
            self._shut_line()

    def _shut_line(self) -> None:
        """Shut the line from outside, so that the thread does not wait on it; only the thread closes what it reads."""
        box = self._box
        if box is not None:
            with suppress(Exception):
                box.client.sock.shutdown(socket.SHUT_RDWR)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._ends.is_set():
            try:
                self._box = self.imap.open()
                self._watch(self._box, loop)
            except Exception as error:  # noqa: BLE001  # whatever it is: a new line
                if self._ends.is_set():
                    break
                self._failures += 1
                _log.warning("mailbox", error=repr(error)[:300], failures=self._failures)
                self._ends.wait(min(RETRY_SECONDS_MAX, RETRY_SECONDS_MIN * 2**self._failures))
            finally:
                box, self._box = self._box, None
                if box is not None:
                    with suppress(Exception):
                        box.client.shutdown()

    def _watch(self, box: BaseMailBox, loop: asyncio.AbstractEventLoop) -> None:
        """Look, wait until something is announced or it is time to look, and look again."""
        _, validity = box.client.response("UIDVALIDITY")
        if validity != self._validity:  # the mailbox was recreated: its numbers are other mails' now
            self._validity = validity
            self._failed.clear()
            self._dealt_with.clear()
            self._unmarked.clear()
            self._later.clear()
        idles = can_announce(box)
        while not self._ends.is_set():
            while self._read_unseen(box, loop) and not self._ends.is_set():
                pass
            self._failures = 0
            if idles:
                with box.idle as idle:
                    idle.poll(timeout=min(self.imap.poll, MAX_IDLE_SECONDS))
            else:
                self._ends.wait(self.imap.poll)
                box.client.noop()

    def _read_unseen(self, box: BaseMailBox, loop: asyncio.AbstractEventLoop) -> bool:
        """Deal with all mails that were not read; return whether there were any. One that fails holds up no other."""
        unseen = box.uids(AND(seen=False))
        self._dealt_with &= set(unseen)  # what a person marks as unread again is read again
        now = time.monotonic()
        left = [uid for uid in unseen if uid not in self._dealt_with and self._later.get(uid, now) <= now]
        left.sort(key=lambda uid: self._failed[uid].times if uid in self._failed else 0)
        left = self._choose(box, left) if len(left) > MAX_OTHERS_A_LOOK else left
        found = False
        for uid in sorted(self._unmarked.keys() & set(unseen)):  # the line broke
            self._mark(box, uid)
        for uid in left:
            if self._ends.is_set():
                break
            word = self._deal_with(box, uid, loop)
            if word == "later":
                self._later[uid] = time.monotonic() + LATER_SECONDS
            elif word:
                self._later.pop(uid, None)
                self._dealt_with.add(uid)
                self._unmarked[uid] = "\\Seen \\Flagged" if word == "quarantined" else "\\Seen"
                self._mark(box, uid)
                found = True
        return found

    def _choose(self, box: BaseMailBox, left: list[str]) -> list[str]:
        """Return what is dealt with in this look of many mails: a few of each player, in turn, and of all others."""
        find = self.find_addressee
        if find is None:
            return left
        self._addressees = {uid: self._addressees[uid] for uid in left if uid in self._addressees}
        unknown = [uid for uid in left if uid not in self._addressees]
        for at in range(0, len(unknown), HEADS_A_FETCH):
            _, parts = box.client.uid("fetch", ",".join(unknown[at : at + HEADS_A_FETCH]), _HEAD)
            heads = {
                said[1].decode(): each[1]
                for each in parts
                if isinstance(each, tuple) and (said := _UID.search(each[0]))
            }
            for uid in unknown[at : at + HEADS_A_FETCH]:
                self._addressees[uid] = find(heads.get(uid, b""))
        others = [uid for uid in left if not self._addressees[uid][0]]
        written, replies = Counter[tuple[str, str]](), list[tuple[int, str]]()
        for uid in (uid for uid in left if self._addressees[uid][0]):
            replies.append((written[self._addressees[uid]], uid))
            written[self._addressees[uid]] += 1
        addressed, chosen = Counter[str](), list[tuple[int, str]]()
        for _, uid in sorted(replies, key=itemgetter(0)):  # of each player, first one of each writer
            chosen.append((addressed[self._addressees[uid][0]], uid))
            addressed[self._addressees[uid][0]] += 1
        first = [uid for place, uid in sorted(chosen, key=itemgetter(0)) if place < MAX_OF_ADDRESS_A_LOOK]
        return [*first, *others[:MAX_OTHERS_A_LOOK]]

    def _mark(self, box: BaseMailBox, uid: str) -> None:
        """Mark a mail that was dealt with; if that fails, it is marked at the next look."""
        with suppress(imaplib.IMAP4.error, OSError):
            status, _ = box.client.uid("store", uid, "+FLAGS", f"({self._unmarked[uid]})")
            if status == "OK":
                del self._unmarked[uid]

    def _deal_with(self, box: BaseMailBox, uid: str, loop: asyncio.AbstractEventLoop) -> str:
        """Deal with a mail; return a word for what became of it, "" if it must come again."""
        now = time.monotonic()
        failed = self._failed.get(uid, FailedFetches(0, now, self._fetched))
        is_long = failed.times >= MIN_FAILED_FETCHES and now - failed.since >= MIN_FAILING_SECONDS
        if is_long and self._fetched > failed.fetched:
            return self._wait_for(partial(self._note_unfetched, uid), loop)
        self._failed[uid] = failed._replace(times=failed.times + 1)  # before the line may break
        status, found = box.client.uid("fetch", uid, "(RFC822.SIZE)")
        said = _SIZE.search(b" ".join(each for each in found if isinstance(each, bytes))) if status == "OK" else None
        size = int(said[1]) if said else 0
        most = HEAD_BYTES if size > MAX_BYTES else MAX_BYTES + 1  # whatever the size is said to be, not more comes
        if status == "OK":
            status, found = box.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{most}>)")
        if status != "OK":
            _log.warning("a mail could not be fetched", uid=uid, status=status)
            return ""
        del self._failed[uid]
        self._fetched += 1
        data = next((bytes(part[1]) for part in found if isinstance(part, tuple)), None)
        if data is None:
            return "gone"
        is_head = len(data) < size > MAX_BYTES
        return self._wait_for(partial(self.receive, data, (), *((size,) if is_head else ())), loop)

    async def _note_unfetched(self, uid: str) -> str:
        why = f"Mail {uid} in {self.imap.folder} can't be fetched; it's flagged there."
        await self.set_aside(f"Subject: {why}\r\n\r\n".encode(), why)
        return "quarantined"

    def _wait_for(self, work: Callable[[], Awaitable[str]], loop: asyncio.AbstractEventLoop) -> str:
        """Have something done on the event loop; return what came of it, "" if it failed.

        It is begun there, so that nothing is left half begun where the loop ends first.
        """
        answer: Future[str] = Future()

        async def deal() -> None:
            try:
                answer.set_result(await work())
            except Exception as error:  # noqa: BLE001  # the database, most likely
                _log.error("a mail could not be processed", exc_info=error)
                answer.set_result("")
            finally:
                answer.cancel()  # does nothing where there is a result

        def begin() -> None:
            self._dealing = loop.create_task(deal())

        loop.call_soon_threadsafe(begin)
        return answer.result()


class LmtpDoor:
    """What happens to a mail that is brought: only to an address that we wrote, only of a reasonable size."""

    def __init__(self, post: OwnMailbox, receive: Receive) -> None:
        self.post = post
        self.receive = receive

    async def handle_RCPT(self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]) -> str:  # noqa: N802
        """Take a recipient, if the address is one that we made."""
        is_only = not self.post.plus and address.casefold() == self.post.address.casefold()
        if not is_only and self.post.read_token(address) is None and self.post.read_bounce(address) is None:
            return "550 5.1.1 No such recipient"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:  # noqa: N802
        """Deal with a mail; where that fails it is to come again."""
        try:
            content = envelope.content
            word = await self.receive(content if isinstance(content, bytes) else b"", tuple(envelope.rcpt_tos))
        except Exception as error:  # noqa: BLE001  # it comes again
            _log.error("a mail could not be processed", exc_info=error)
            return "451 4.3.0 Try again later"
        return "451 4.7.1 Too many at once, try again later" if word == "later" else "250 OK"


async def listen_lmtp(address: str, post: OwnMailbox, receive: Receive) -> None:
    """Take mails in at "host:port" or the path of a socket, until cancelled."""
    door = LmtpDoor(post, receive)
    loop = asyncio.get_running_loop()

    def make_server() -> LMTP:
        return LMTP(door, data_size_limit=MAX_BYTES, enable_SMTPUTF8=True, loop=loop)

    host, _, port = address.rpartition(":")
    if port.isdecimal() and not address.startswith("/"):
        server: asyncio.AbstractServer = await loop.create_server(make_server, host or "127.0.0.1", int(port))
    else:
        server = await loop.create_unix_server(make_server, address)
    async with server:
        await server.serve_forever()
