"""What kind of mail came in: from a person, or from a machine that must not be answered."""

import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parseaddr
from typing import Literal

from flufl.bounce import all_failures

from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.body import cleaned
from engine import Record

Kind = Literal["person", "bounce", "late", "policy", "complaint", "machine"]
MOST_HEADERS = 200

_MACHINES = ("mailer-daemon", "postmaster", "no-reply", "noreply", "bounce", "daemon", "autoresponder")
_AWAY = re.compile(
    r"^\W*(?:out of (?:the )?office|auto(?:matic|matische)?[- ]?(?:reply|response|antwort)|automatic reply|abwesen|"
    r"away from|r.{1,4}ponse automatique|absence du bureau|respuesta automática|risposta automatica|"
    r"resposta automática|automatyczna odpow|автоответ|vacation|delivery status|"
    r"undeliver|mail delivery|returned mail|failure notice|unzustellbar|read:|gelesen:)",
    re.IGNORECASE,
)
_STATUS = re.compile(r"^status:\s*([245])\.(\d{1,3})\.(\d{1,3})", re.IGNORECASE | re.MULTILINE)
_NOT_FOR_GOOD = re.compile(r"quota|mailbox (?:is )?full|over (?:its )?limit|try(?:ing)? again|delayed|greylist", re.I)
_SOFT = {("2", "2"), ("2", "1")}
"""Statuses that pass though they claim to be for good: a full mailbox, one that is disabled for now."""


class Sorted(Record, frozen=True):
    """A mail by its kind, and the letter of ours that came back with it, 0 if that is not known."""

    kind: Kind
    letter: int = 0


def sort(message: Message, post: OwnMailbox, recipients: tuple[str, ...] = ()) -> Sorted:
    """Return what kind of mail it is."""
    report = str(message.get_param("report-type") or "").lower()
    returned = next((number for each in recipients if (number := post.bounced(each)) is not None), 0)
    if report == "feedback-report":
        return Sorted("complaint", returned or _quoted(message, post))
    if report == "delivery-status" or returned or _is_old_bounce(message):
        letter = returned or _quoted(message, post)
        if letter and _is_policy(message):
            return Sorted("policy", letter)
        return Sorted("bounce" if letter and _is_hard(message) else "late", letter)
    return Sorted("machine" if _is_machine(message) else "person")


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
    local = parseaddr(str(message.get("From", "")))[1].partition("@")[0].lower()
    if local.startswith(_MACHINES) or any(
        part.get_content_type() == "text/vnd.google.email-reaction+json" for part in message.walk()
    ):
        return True
    return bool(_AWAY.match(subject_of(message)))


def subject_of(message: Message) -> str:
    """Return the subject in plain letters."""
    try:
        return cleaned(str(make_header(decode_header(str(message.get("Subject", "")))))).strip()
    except (LookupError, ValueError, UnicodeError):
        return ""


def _is_old_bounce(message: Message) -> bool:
    local = parseaddr(str(message.get("From", "")))[1].partition("@")[0].lower()
    return local in ("mailer-daemon", "postmaster") and message.get("Auto-Submitted") != "auto-replied"


def _is_policy(message: Message) -> bool:
    """Tell whether a server refuses our letters, not the address: by what it thinks of our domain or our words."""
    status = _status(message)
    return status[:2] == ("5", "7") if status else "5.7." in _text(message)


def _is_hard(message: Message) -> bool:
    """Tell whether an address is said to fail for good; a full mailbox is not that, and a policy was looked for before.

    What a report says by its status is taken from there; the many forms of older servers are known to a library.
    """
    status = _status(message)
    if not status:
        return bool(all_failures(message)[1]) and not _NOT_FOR_GOOD.search(_text(message))
    return status[0] == "5" and status[1:] not in _SOFT


def _status(message: Message) -> tuple[str, ...]:
    """Return the status of the first report that has one, as ("5", "1", "1"); () if none has."""
    said = (found for part in _reports(message) if (found := _STATUS.search(part)))
    return next((found.groups() for found in said), ())


def _reports(message: Message) -> Iterator[str]:
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status":
            yield from (str(each) for each in part.get_payload())


def _text(message: Message) -> str:
    datas = [part.get_payload(decode=True) for part in message.walk() if part.get_content_type() == "text/plain"]
    return "\n".join(data.decode("utf-8", "replace")[:8000] for data in datas if isinstance(data, bytes))


def _quoted(message: Message, post: OwnMailbox) -> int:
    """Return the letter of ours whose header stands in a bounce."""
    found = post.letters(message.as_string()[:60_000])
    return found[0][1] if found else 0


class ReplyOrigin(Record, frozen=True):
    """Where a reply comes from and what it answers.

    Args:
        sender: the address in From, folded; empty if there is not exactly one.
        token: whom the address it went to stands for. letter: the letter of ours that it answers, 0 if unknown.
        name: its Message-ID.
    """

    sender: str
    token: ReplyToken | None
    letter: int
    name: str


def origin(message: Message, post: OwnMailbox, recipients: tuple[str, ...] = ()) -> ReplyOrigin:
    """Return where a reply comes from, by what only we can have written."""
    said = [str(each) for name in ("To", "Cc", "Delivered-To", "X-Original-To") for each in message.get_all(name, [])]
    addresses = [*recipients, *(address for _, address in getaddresses(said)[:MOST_HEADERS])]
    token = next((found for each in addresses if (found := post.token(each)) is not None), None)
    references = " ".join(str(message.get(name, "")) for name in ("In-Reply-To", "References"))[:20_000]
    named = post.letters(" ".join(references.split()))
    senders = getaddresses([str(each) for each in message.get_all("From", [])])
    sender = senders[0][1].strip().casefold() if len(senders) == 1 else ""
    name = " ".join(str(message.get("Message-ID", "")).split())[:300]
    letter = next((number for game, number in named if token is None or game == token.game), 0)
    return ReplyOrigin(sender, token, letter, name)
