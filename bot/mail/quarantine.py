"""The quarantine: mails that the reader failed at, kept for the operator; and a note of each that is being read."""

import asyncio
import os
import re
from hashlib import sha256
from pathlib import Path

import structlog

from bot.store.address import make_folder
from engine import Record

MIN_FAILING_SECONDS = 60.0
"""For how long a mail fails, or can't be fetched, before it is set aside."""
MAX_QUARANTINED_FILES = 200
"""Files of mails that were set aside which are kept; the oldest go first, as strangers can send any number."""
REASON_HEADER = "X-Stationmaster-Reason"
_REASON_LINE = re.compile(rb"^X-Stationmaster-Reason: ([^\r\n]*)")
_log = structlog.get_logger(__name__)


class QuarantinedMail(Record, frozen=True):
    """A mail that was set aside: where its file lies, and why."""

    path: Path
    reason: str


class Quarantine:
    """The folder of mails that were set aside.

    Args:
        home: what lies beside the database lies here.
    """

    def __init__(self, home: Path) -> None:
        self.folder = home / "quarantine"

    async def add(self, data: bytes, reason: str) -> None:
        """Keep a mail, once, with the reason above its first line, and note it in the log.

        Raises:
            OSError: it cannot be written.
        """
        path = await asyncio.to_thread(self._write, data, " ".join(reason.split())[:300])
        _log.error("a mail was set aside; look at its file", file=str(path), reason=reason[:300])

    def _write(self, data: bytes, reason: str) -> Path:
        make_folder(self.folder)
        path = self.folder / f"{sha256(data).hexdigest()[:24]}.eml"
        head = f"{REASON_HEADER}: {reason}\r\n".encode("utf-8", "replace")
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(head + data)
        for old in self._list_files()[MAX_QUARANTINED_FILES:]:
            old.unlink(missing_ok=True)
        return path

    async def begin(self, data: bytes) -> int:
        """Note that a mail is being dealt with; return how often that was begun since it last came to an end.

        The note outlives the process: a mail that ends it each time is known when it comes again.

        Raises:
            OSError: it cannot be noted.
        """

        def note() -> int:
            make_folder(self.folder)
            path = self._note_path(data)
            begun = path.stat().st_size + 1 if path.exists() else 1
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "wb") as file:
                file.write(b"+")
            return begun

        return await asyncio.to_thread(note)

    async def end(self, data: bytes) -> None:
        """Note that a mail was dealt with, or that the process has outlived the attempt."""
        await asyncio.to_thread(self._note_path(data).unlink, missing_ok=True)

    def _note_path(self, data: bytes) -> Path:
        return self.folder / f"{sha256(data).hexdigest()[:24]}.begun"

    def list_mails(self) -> list[QuarantinedMail]:
        """Return what was set aside and not removed since, the newest first."""
        found = []
        for path in self._list_files():
            with path.open("rb") as file:
                said = _REASON_LINE.match(file.read(1000))
            found.append(QuarantinedMail(path, said[1].decode("utf-8", "replace") if said else ""))
        return found

    def _list_files(self) -> list[Path]:
        """Return the files, the newest first."""
        return sorted(self.folder.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
