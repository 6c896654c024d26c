"""Mails that made the reader fail: kept beside the store for the operator, so that the next mail is read."""

import asyncio
import os
import re
from hashlib import sha256
from pathlib import Path

import structlog

from engine import Record

MAX_FILES = 200
"""Files kept; the oldest go first, as strangers can send any number."""
REASON = "X-Stationmaster-Reason"
_REASON = re.compile(rb"^X-Stationmaster-Reason: ([^\r\n]*)")
_log = structlog.get_logger(__name__)


class QuarantinedMail(Record, frozen=True):
    """A mail that was set aside: where its file lies, and why."""

    path: Path
    reason: str


class Quarantine:
    """The folder of mails that were set aside.

    Args:
        home: what lies beside the store lies here.
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
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.folder / f"{sha256(data).hexdigest()[:24]}.eml"
        head = f"{REASON}: {reason}\r\n".encode("utf-8", "replace")
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(head + data)
        for old in self._files()[MAX_FILES:]:
            old.unlink(missing_ok=True)
        return path

    def mails(self) -> list[QuarantinedMail]:
        """Return what was set aside and not removed since, the newest first."""
        found = []
        for path in self._files():
            with path.open("rb") as file:
                said = _REASON.match(file.read(1000))
            found.append(QuarantinedMail(path, said[1].decode("utf-8", "replace") if said else ""))
        return found

    def _files(self) -> list[Path]:
        """Return the files, the newest first."""
        return sorted(self.folder.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
