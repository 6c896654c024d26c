"""The addresses that replies go to, signed; and the names of our mails, by which a reply says what it answers.

A mailbox without plus addressing has one address for all. Then the name alone tells whose mail is answered: programs
repeat it in a reply, and what begins a new mail, such as a choice to tap, has it in its subject.
"""

import base64
import hmac
import os
import re
import secrets
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from bot.store.address import make_folder
from engine import Record

_VERSION = "stationmaster-mail-v1"
_TOKEN = re.compile(r"^(\d{1,9})\.(\d{1,9})\.(\d{1,6})(?:\.(\d{1,7}))?\.([a-z2-7]{16})$")
_NAME = re.compile(r"<g(\d{1,9})\.l(\d{1,12})(?:\.(\d{1,9})\.(\d{1,6})(?:\.(\d{1,7}))?)?\.([a-z2-7]{16})@")
REFERENCE = re.compile(r"\(ref ([\d.]{5,36}\.[a-z2-7]{16})\)", re.IGNORECASE)
"""In a subject, whose mail is answered."""
_BOUNCE = re.compile(r"^bounce-(\d{1,12})\.([a-z2-7]{16})$")
KEY_BYTES = 32


class ReplyToken(Record, frozen=True):
    """Whom a reply comes from, if its sender is who they say: a table, an address by its number and epoch.

    ``turn``: the version at which the turn began in which it was written to; ``None`` where that is not said.
    """

    game: int
    contact: int
    epoch: int
    turn: int | None = None

    @property
    def signed_part(self) -> str:
        """As it stands in an address, before its signature."""
        head = f"{self.game}.{self.contact}.{self.epoch}"
        return head if self.turn is None else f"{head}.{self.turn}"


class LetterName(Record, frozen=True):
    """A letter of ours by its Message-ID: its table, its number, and whom it went to; older names don't say that."""

    game: int
    letter: int
    token: ReplyToken | None = None


class OwnMailbox(Record, frozen=True):
    """Our own mailbox, and the key by which its addresses are signed.

    Args:
        address: as "turns@games.example". plus: what stands between its local part and what is signed; "" for a mailbox
            that has this one address only.
        web: the address, as "https://games.example/mail", of the page that ends mails; "" without one.
    """

    address: str
    key: bytes
    plus: str = "+"
    web: str = ""

    @property
    def local(self) -> str:
        """What stands before the @."""
        return self.address.rpartition("@")[0]

    @property
    def domain(self) -> str:
        """What stands after the @."""
        return self.address.rpartition("@")[2]

    def make_reply_address(self, token: ReplyToken) -> str:
        """Return the address at which a person answers a table."""
        return self._add_detail(f"{token.signed_part}.{self._sign(token.signed_part)}") if self.plus else self.address

    def make_mailto(self, token: ReplyToken, subject: str, body: str = "") -> str:
        """Return the link that begins a mail to a table."""
        reference = "" if self.plus else f" (ref {token.signed_part}.{self._sign(token.signed_part)})"
        address, about = self.make_reply_address(token), quote(f"{subject}{reference}", safe="")
        if not body:  # for a program that unsubscribes
            return f"mailto:{address}?subject={about}"
        return f"mailto:{quote(address, safe='@')}?subject={about}&body={quote(body)}"

    def make_bounce_address(self, letter: int) -> str:
        """Return the address to which what cannot be delivered is returned."""
        said = f"bounce-{letter}"
        return self._add_detail(f"{said}.{self._sign(said)}") if self.plus else self.address

    def make_stop_link(self, token: ReplyToken) -> str:
        """Return the link by which a person ends all mails; "" where there is no page for it."""
        return (
            f"{self.web.rstrip('/')}/{token.signed_part}.{self._sign(f'stop-{token.signed_part}')}" if self.web else ""
        )

    def read_stop(self, said: str) -> ReplyToken | None:
        """Return whose mails the last piece of a link ends, if it is signed by us."""
        found = _TOKEN.match(said.lower())
        if found is None or not self._is_signed(f"stop-{said.lower().rpartition('.')[0]}", found[5]):
            return None
        return _make_token(found)

    def _add_detail(self, detail: str) -> str:
        return f"{self.local}{self.plus}{detail}@{self.domain}"

    def format_message_id(self, letter: int, token: ReplyToken) -> str:
        """Return the Message-ID of a letter; it holds what an address without room for a token cannot."""
        said = f"g{token.game}.l{letter}.{token.signed_part.partition('.')[2]}"
        return f"<{said}.{self._sign(said)}@{self.domain}>"

    def format_thread_id(self, game: int) -> str:
        """Return the Message-ID that all mails of a table go back to."""
        return f"<g{game}@{self.domain}>"

    def read_token(self, address: str) -> ReplyToken | None:
        """Return what an address says, if it is signed by us."""
        return self._read_signed(self._read_detail(address))

    def read_subject(self, subject: str) -> ReplyToken | None:
        """Return whose mail a subject refers to, if we wrote that."""
        found = REFERENCE.search(subject)
        return self._read_signed(found[1].lower()) if found else None

    def _read_signed(self, said: str) -> ReplyToken | None:
        found = _TOKEN.match(said)
        if found is None or not self._is_signed(said.rpartition(".")[0], found[5]):
            return None
        return _make_token(found)

    def read_bounce(self, address: str) -> int | None:
        """Return the number of the letter that an address gets the bounce of, if it is signed by us."""
        found = _BOUNCE.match(self._read_detail(address))
        return int(found[1]) if found and self._is_signed(f"bounce-{found[1]}", found[2]) else None

    def _read_detail(self, address: str) -> str:
        local, _, domain = address.strip().lower().rpartition("@")
        head = f"{self.local}{self.plus}".lower()
        return (
            local.removeprefix(head) if self.plus and domain == self.domain.lower() and local.startswith(head) else ""
        )

    def find_letters(self, references: str) -> list[LetterName]:
        """Return our letters that a line of references names, the last first."""
        found = list[LetterName]()
        for each in _NAME.finditer(references.lower()):
            game, letter, contact, epoch, turn, sign = each.groups()
            if self._is_signed(each[0][1:-18], sign):
                to = None
                if contact:
                    to = ReplyToken(int(game), int(contact), int(epoch), int(turn) if turn else None)
                found.append(LetterName(int(game), int(letter), to))
        return found[::-1]

    def _sign(self, said: str) -> str:
        signed = hmac.new(self.key, f"{_VERSION}|{said}".encode(), sha256).digest()[:10]
        return base64.b32encode(signed).decode().lower()

    def _is_signed(self, said: str, sign: str) -> bool:
        return hmac.compare_digest(self._sign(said).encode(), sign.encode())


def _make_token(found: re.Match[str]) -> ReplyToken:
    return ReplyToken(int(found[1]), int(found[2]), int(found[3]), int(found[4]) if found[4] else None)


def load_key(said: str, folder: Path) -> bytes:
    """Return the key that addresses are signed by: the one that was set, else the one kept beside the database."""
    if said:
        return sha256(said.encode()).digest()
    path = folder / "mail.key"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        make_folder(folder)
        key = secrets.token_bytes(KEY_BYTES)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
        return key
