"""A mailbox that fails in the ways that mailboxes fail: it speaks as much IMAP as is asked of it."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.mail.servers import Imap

READ_SECONDS = 0.05
"""In which a client has read that the server waits: imap_tools misses an announcement that comes with that word."""


class Mailbox:
    """One folder with what lies in it.

    Args:
        idles: it announces new mails. refused: how many logins it refuses. tls: for STARTTLS.
    """

    def __init__(self, *, idles: bool = True, refused: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.idles = idles
        self.tls = tls
        self.refused = refused
        self.mails: dict[int, bytes] = {}
        self.seen: set[int] = set()
        self.flagged: set[int] = set()
        self.unfetchable: set[int] = set()
        self.read_only = False
        self.cut_marks = 0
        self.fetches: list[int] = []
        self.told: set[int] = set()
        self.validity = 1
        self.cuts: set[int] = set()
        self.waiting: list[asyncio.StreamWriter] = []
        self.changed = asyncio.Event()
        self.silent: asyncio.StreamWriter | None = None
        self.logins = 0

    def put(self, number: int, mail: bytes) -> None:
        """Lay a mail into the folder, and announce it."""
        self.mails[number] = mail
        for line in self.waiting:
            if line is not self.silent:
                line.write(b"* %d EXISTS\r\n" % len(self.mails))

    async def until_waiting(self) -> asyncio.StreamWriter:
        """Wait, bounded, until someone waits for an announcement; return their line."""
        async with asyncio.timeout(30):
            while not self.waiting:
                self.changed.clear()
                await self.changed.wait()
        return self.waiting[-1]

    async def serve(self, reader: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
        """Serve one line until it ends."""
        line.write(b"* OK here\r\n")
        idle = b""
        try:
            while said := await reader.readline():
                if line is self.silent:
                    continue
                if idle and said.strip().upper() == b"DONE":
                    self.waiting.remove(line)
                    line.write(idle + b" OK done\r\n")
                    idle = b""
                    continue
                tag, command = said.strip().split(b" ", 1)
                if command.upper() == b"IDLE":
                    idle = tag
                    line.write(b"+ waiting\r\n")
                    await asyncio.sleep(READ_SECONDS)
                    self.waiting.append(line)
                    self.changed.set()
                    if set(self.mails) - self.seen - self.told:  # came since the last look
                        line.write(b"* %d EXISTS\r\n" % len(self.mails))
                elif command.upper() == b"STARTTLS":
                    line.write(tag + b" OK begin\r\n")
                    await line.start_tls(self.tls)  # type: ignore[arg-type]
                elif not self._answer(line, tag, command.decode()):
                    return
        except (ConnectionError, ValueError, ssl.SSLError, asyncio.CancelledError):
            pass  # asyncio logs a traceback for a handler that ends cancelled, as with its loop
        finally:
            if line in self.waiting:
                self.waiting.remove(line)
            line.close()

    def _answer(self, line: asyncio.StreamWriter, tag: bytes, command: str) -> bool:
        """Answer a command; return whether the line goes on."""
        verb = command.upper().removeprefix("UID ").split()[0]
        numbers = [int(each) for each in re.findall(r"\d+", command)]
        if verb == "CAPABILITY":
            kinds = (b" IDLE" if self.idles else b"") + (b" STARTTLS" if self.tls is not None else b"")
            line.write(b"* CAPABILITY IMAP4rev1" + kinds + b"\r\n")
        elif verb == "LOGOUT":
            line.write(b"* BYE\r\n")
        elif verb == "LOGIN":
            self.logins += 1
            if self.logins <= self.refused:
                line.write(tag + b" NO [AUTHENTICATIONFAILED] wrong\r\n")
                return True
        elif verb in ("SELECT", "EXAMINE"):
            line.write(b"* %d EXISTS\r\n* OK [UIDVALIDITY %d] valid\r\n" % (len(self.mails), self.validity))
        elif verb == "SEARCH":
            self.told = set(self.mails)
            to = re.search(r'TO "([^"]*)"', command)
            unseen = [each for each in self.mails if each not in self.seen or "UNSEEN" not in command]
            wanted = [each for each in unseen if to is None or f"To: {to[1]}".encode() in self.mails[each]]
            found = " ".join(str(each) for each in sorted(wanted))
            line.write(f"* SEARCH {found}".rstrip().encode() + b"\r\n")
        elif verb == "FETCH":
            return self._give(line, tag, numbers[0], command)
        elif verb == "STORE" and self.cut_marks:
            self.cut_marks -= 1
            return False
        elif verb == "STORE" and not self.read_only:
            self.seen |= set(numbers) if "\\Seen" in command else set()
            self.flagged |= set(numbers) if "\\Flagged" in command else set()
        line.write(tag + b" OK done\r\n")
        return True

    def _give(self, line: asyncio.StreamWriter, tag: bytes, number: int, command: str) -> bool:
        """Give a mail, or the part of it that was asked for; return whether the line goes on."""
        if "HEADER.FIELDS" in command:
            for each in map(int, command.split()[2].split(",")):
                head = self.mails[each].partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if each in self.mails else b""
                line.write(b"* 1 FETCH (UID %d BODY[HEADER.FIELDS (FROM)] {%d}\r\n%b)\r\n" % (each, len(head), head))
            line.write(tag + b" OK done\r\n")
            return True
        if number in self.cuts:
            return False
        if number in self.unfetchable:
            line.write(tag + b" NO cannot be read\r\n")
            return True
        if number not in self.mails:  # it was removed
            line.write(tag + b" OK done\r\n")
            return True
        if "RFC822.SIZE" in command:
            line.write(b"* 1 FETCH (UID %d RFC822.SIZE %d)\r\n" % (number, len(self.mails[number])))
            line.write(tag + b" OK done\r\n")
            return True
        part = re.search(r"<0\.(\d+)>", command)
        mail = self.mails[number][: int(part[1]) if part else None]
        self.fetches.append(len(mail))
        line.write(b"* 1 FETCH (UID %d BODY[] {%d}\r\n%b)\r\n" % (number, len(mail), mail))
        line.write(tag + b" OK done\r\n")
        return True


@asynccontextmanager
async def serve_mailbox(mailbox: Mailbox, poll: float = 0.1, tls: ssl.SSLContext | None = None) -> AsyncIterator[Imap]:
    """Serve a mailbox on the loopback, with ``tls`` from the start if it is given."""
    server = await asyncio.start_server(mailbox.serve, "127.0.0.1", 0, ssl=tls)
    port: int = server.sockets[0].getsockname()[1]
    try:
        yield Imap("127.0.0.1", port, "ann", "secret", tls="none", poll=poll)
    finally:
        server.close()
