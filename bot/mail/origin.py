"""Where a mail comes from: a person or a machine, and which letter it answers."""

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from hashlib import sha256
from typing import Literal

import structlog
from flufl.bounce import all_failures

from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.body import TOO_LARGE, UnreadableError, clean_line, parse_mail
from bot.mail.phrases import join_words
from bot.service.contacts import fold_address
from engine import Record

Kind = Literal["person", "bounce", "late", "policy", "complaint", "machine"]
MAX_HEADERS = 200
SINGLE_FIELDS = ("From", "Subject", "Message-ID", "In-Reply-To", "References")
"""Fields by which a mail says who wrote it and what it answers: each stands once, or a stranger has added one."""
MAX_ADDRESS_LETTERS = 1 << 12
"""Characters of a field of addresses that are looked at: the time that Python takes grows faster than their length."""
MAX_SUBJECT_LETTERS = 2000
MAX_REPORT_LETTERS, MAX_REPORT_LINES = 60_000, 1000
"""Of a report: characters of a part that are looked at, and lines of all in which addresses are looked for."""

_MACHINES = ("mailer-daemon", "postmaster", "no-reply", "noreply", "bounce", "daemon", "autoresponder")
_AWAY = re.compile(rf"^\W*(?:{join_words('away')})", re.IGNORECASE)
_STATUS = re.compile(r"^status:\s*([245])\.(\d{1,3})\.(\d{1,3})", re.IGNORECASE | re.MULTILINE)
_NOT_FOR_GOOD = re.compile(r"quota|mailbox (?:is )?full|over (?:its )?limit|try(?:ing)? again|delayed|greylist", re.I)
_SOFT_STATUSES = {("2", "2"), ("2", "1")}
"""Statuses that pass though they claim to be for good: a full mailbox, one that is disabled for now."""
_log = structlog.get_logger(__name__)


class Sorted(Record, frozen=True):
    """A mail by its kind, and the letter of ours that came back with it, 0 if that is not known."""

    kind: Kind
    letter: int = 0


def sort_mail(message: Message, post: OwnMailbox, recipients: tuple[str, ...] = ()) -> Sorted:
    """Return what kind of mail it is."""
    report = str(message.get_param("report-type") or "").lower()
    came_to = [*recipients, *_list_receivers(message)]
    returned = next((number for each in came_to if (number := post.read_bounce(each)) is not None), 0)
    if report == "feedback-report":
        return Sorted("complaint", returned)
    local = _find_local_part(message)
    is_old_bounce = local in ("mailer-daemon", "postmaster") and message.get("Auto-Submitted") != "auto-replied"
    if report == "delivery-status" or returned or is_old_bounce:
        if returned and _is_policy(message):
            return Sorted("policy", returned)
        return Sorted("bounce" if returned and _is_hard(message) else "late", returned)
    return Sorted("machine" if _is_machine(message) else "person")


def _find_local_part(message: Message) -> str:
    """Return what stands before the @ of the sender, folded."""
    return next(iter(_parse_addresses([str(message.get("From", ""))])), "").partition("@")[0].lower()


def _is_machine(message: Message) -> bool:
    auto = str(message.get("Auto-Submitted", "no")).strip().lower()
    if auto and not auto.startswith("no"):
        return True
    if str(message.get("Return-Path", "<x>")).strip() == "<>":
        return True
    precedence = str(message.get("Precedence", "")).strip().lower()
    if precedence in ("bulk", "junk", "list", "auto_reply") or message.get_content_type() == "multipart/report":
        return True
    if any(message.get(name) is not None for name in ("X-Autoreply", "X-Autorespond", "List-Id", "X-Loop")):
        return True
    local = _find_local_part(message)
    if local.startswith(_MACHINES) or any(
        part.get_content_type() == "text/vnd.google.email-reaction+json" for part in message.walk()
    ):
        return True
    return bool(_AWAY.match(subject_of(message)))


def subject_of(message: Message) -> str:
    """Return the subject in plain letters."""
    try:
        subject = str(message.get("Subject", ""))[:MAX_SUBJECT_LETTERS]
        return clean_line(str(make_header(decode_header(subject)))).strip()
    except (MessageError, LookupError, ValueError, UnicodeError):
        return ""


def _is_policy(message: Message) -> bool:
    """Return whether a server refuses our letters, not the address: by what it thinks of our domain or our words."""
    status = _find_status(message)
    return status[:2] == ("5", "7") if status else "5.7." in _read_text(message)


def _is_hard(message: Message) -> bool:
    """Return whether an address is said to fail for good: a full mailbox is not, and policies were looked for before.

    What a report says by its status is taken from there; the many forms of older servers are known to a library.
    """
    status = _find_status(message)
    if not status:
        return _names_failures(message) and not _NOT_FOR_GOOD.search(_read_text(message))
    return status[0] == "5" and status[1:] not in _SOFT_STATUSES


def _names_failures(message: Message) -> bool:
    """Return whether the library finds an address that fails for good in the first lines of a report."""
    left = MAX_REPORT_LINES
    for part in message.walk():
        payload = part.get_payload()
        if isinstance(payload, str):
            lines = payload[:MAX_REPORT_LETTERS].split("\n", left)[:left]
            part.set_payload("\n".join(lines))
            left -= len(lines)
    try:
        return bool(all_failures(message)[1])
    except Exception as error:  # noqa: BLE001  # whatever a stranger's mail makes the library raise
        _log.warning("bounce", error=repr(error)[:300])
        return False


def _find_status(message: Message) -> tuple[str, ...]:
    """Return the status of the first report that has one, as ("5", "1", "1"); () if none has."""
    said = (found for part in _find_reports(message) if (found := _STATUS.search(part)))
    return next((found.groups() for found in said), ())


def _find_reports(message: Message) -> Iterator[str]:
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status":
            yield from (str(each) for each in part.get_payload())


def _read_text(message: Message) -> str:
    datas = [part.get_payload(decode=True) for part in message.walk() if part.get_content_type() == "text/plain"]
    return "\n".join(data.decode("utf-8", "replace")[:8000] for data in datas if isinstance(data, bytes))


def _list_receivers(message: Message) -> list[str]:
    """Return the addresses that a mail says it went to."""
    fields = ("To", "Cc", "Delivered-To", "X-Original-To", "X-Delivered-To", "Envelope-To")
    said = [str(each) for name in fields for each in message.get_all(name, [])[:MAX_HEADERS]]
    return _parse_addresses(said)[:MAX_HEADERS]


def find_addressee(head: bytes, post: OwnMailbox) -> tuple[str, str]:
    """Return whose signed address a mail went to, and who is said to have written it, by its header; "" for neither.

    A bounce counts for the letter that it is about.
    """
    try:
        message = message_from_bytes(head)
        letters = (post.read_bounce(each) for each in _list_receivers(message))
        if (letter := next(filter(None, letters), None)) is not None:
            return f"bounce-{letter}", ""
        if (token := find_origin(message, post).token) is not None:
            return str(token.contact), str(message.get("From", ""))[:200]
    except Exception as error:  # noqa: BLE001  # whatever a stranger's header does to its reader
        _log.warning("addressee", error=repr(error)[:300])
    return "", ""


def find_doubled_field(message: Message) -> str:
    """Return a field that a mail has twice though it says who wrote it or what it answers; "" if there is none."""
    return next((name for name in SINGLE_FIELDS if len(message.get_all(name, [])) > 1), "")


def hash_content(message: Message, data: bytes) -> str:
    """Return a name for the date and text of a mail; "" where it has no date.

    Signatures hold for both, whatever else is changed, so it is the same mail if it comes once more.
    """
    date = " ".join(str(message.get("Date", "")).split())[:100]
    text = b"".join(data.replace(b"\r\n", b"\n").partition(b"\n\n")[2].split())
    return sha256(date.encode("utf-8", "replace") + text).hexdigest()[:40] if date else ""


class ReplyOrigin(Record, frozen=True):
    """Where a reply comes from and what it answers.

    Args:
        sender: the address in From, folded; empty if there is not exactly one.
        token: whom the address it went to stands for; where that is our one address, the letter that it answers.
        letter: the letter of ours that it answers, 0 if unknown.
        name: its Message-ID.
    """

    sender: str
    token: ReplyToken | None
    letter: int
    name: str


def find_origin(message: Message, post: OwnMailbox, recipients: tuple[str, ...] = ()) -> ReplyOrigin:
    """Return where a reply comes from, by what only we can have written."""
    addresses = [*recipients, *_list_receivers(message)]
    references = " ".join(str(message.get(name, "")) for name in ("In-Reply-To", "References"))[:20_000]
    named = post.find_letters(" ".join(references.split()))
    token = next(filter(None, map(post.read_token, addresses)), None)
    if token is None and post.address.casefold() in (each.strip().casefold() for each in addresses):
        token = next((each.token for each in named if each.token), None) or post.read_subject(subject_of(message))
    senders = _parse_addresses([str(each) for each in message.get_all("From", [])])
    sender = fold_address(senders[0]) if len(senders) == 1 else ""
    name = " ".join(str(message.get("Message-ID", "")).split())[:300]
    letter = next((each.letter for each in named if token is None or each.game == token.game), 0)
    return ReplyOrigin(sender, token, letter, name)


def _parse_addresses(fields: Sequence[str]) -> list[str]:
    """Return the addresses in fields of a header, as far as these are looked at; none if they are nested too deep."""
    try:
        return [address for each in fields for _, address in getaddresses([each[:MAX_ADDRESS_LETTERS]])]
    except RecursionError:
        return []


class Mail(Record, frozen=True):
    """A mail as it was looked at: what kind it is, and where it comes from.

    Args:
        content: made of its date and text. why: why it is not read any further, "" if it is.
    """

    data: bytes
    message: Message
    sorted: Sorted
    origin: ReplyOrigin
    content: str
    why: str


def look_at(data: bytes, post: OwnMailbox, recipients: tuple[str, ...] = (), size: int = 0) -> Mail:
    """Return what a mail says of itself; of one that is too large, or too deep, by its head alone.

    Raises:
        UnreadableError: not even its head can be read.
    """
    why = ""
    try:
        if size:
            raise UnreadableError(TOO_LARGE)
        message = parse_mail(data)
    except UnreadableError as error:
        message, why = parse_mail(data[:20_000].partition(b"\r\n\r\n")[0].partition(b"\n\n")[0] + b"\n\n"), str(error)
    if doubled := find_doubled_field(message):
        why = f"It has two lines “{doubled}”, so it isn't certain who sent it and what it answers."
    found = sort_mail(message, post, recipients)
    return Mail(data, message, found, find_origin(message, post, recipients), hash_content(message, data), why)
