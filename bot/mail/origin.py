"""Where a mail comes from: a person or a machine, which letter it answers, and whether its sender is proven.

A sender is proven by what the server found that took the mail in for us, or,
where none has looked, by the signature (DKIM): it must hold for the whole mail
and be of the sender's own domain, and that domain must say that its mails are
signed (DMARC). That asks the DNS, so it belongs into a thread.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from functools import cache
from itertools import islice
from typing import Any, Literal

import authheaders
import authres
import dkim
import structlog
from dns.exception import DNSException
from dns.resolver import Resolver
from flufl.bounce import all_failures
from publicsuffix2 import PublicSuffixList

from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.body import clean_line
from bot.service.contacts import fold_address
from engine import Record

Kind = Literal["person", "bounce", "late", "policy", "complaint", "machine"]
MAX_HEADERS = 200
MAX_ADDRESS_LETTERS = 1 << 12
"""Characters of a field of addresses that are looked at: the time that Python takes grows faster than their length."""
MAX_SUBJECT_LETTERS = 2000
MAX_REPORT_PARTS, MAX_REPORT_LETTERS, MAX_REPORT_LINES = 60, 60_000, 1000
"""Of a report: parts that are looked at, characters of each, and lines of all in which addresses are looked for."""
MAX_RESULT_LETTERS = 1 << 12
"""Characters of a result: the time that the library takes grows faster than its length."""
MAX_SIGNATURES = 4
MAX_SIGNED_BYTES = 1 << 19
"""Of a mail, once for each of its signatures that is looked at; the first always is."""
MAX_BLANKS = 200
"""Blanks in a row: the time that the library takes grows with their square."""
DNS_TIMEOUT_SECONDS = 5.0

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
_SOFT_STATUSES = {("2", "2"), ("2", "1")}
"""Statuses that pass though they claim to be for good: a full mailbox, one that is disabled for now."""
_OWN_SERVER = "here"
_log = structlog.get_logger(__name__)

Lookup = Callable[..., str | None]
"""Returns the TXT record of a name, ``None`` if there is none; takes a name and perhaps a ``timeout``."""


class Sorted(Record, frozen=True):
    """A mail by its kind, and the letter of ours that came back with it, 0 if that is not known."""

    kind: Kind
    letter: int = 0


def sort_mail(message: Message, post: OwnMailbox, recipients: tuple[str, ...] = ()) -> Sorted:
    """Return what kind of mail it is."""
    report = str(message.get_param("report-type") or "").lower()
    returned = next((number for each in recipients if (number := post.read_bounce(each)) is not None), 0)
    if report == "feedback-report":
        return Sorted("complaint", returned or _find_quoted_letter(message, post))
    local = _find_local_part(message)
    is_old_bounce = local in ("mailer-daemon", "postmaster") and message.get("Auto-Submitted") != "auto-replied"
    if report == "delivery-status" or returned or is_old_bounce:
        letter = returned or _find_quoted_letter(message, post)
        if letter and _is_policy(message):
            return Sorted("policy", letter)
        return Sorted("bounce" if letter and _is_hard(message) else "late", letter)
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


def _find_quoted_letter(message: Message, post: OwnMailbox) -> int:
    """Return the letter of ours whose header stands in a bounce."""
    found = post.find_letters("".join(_list_source(message))[:MAX_REPORT_LETTERS])
    return found[0][1] if found else 0


def _list_source(message: Message) -> Iterator[str]:
    """Yield what stands in the first parts of a mail, heads and texts, each cut short."""
    for part in islice(message.walk(), MAX_REPORT_PARTS):
        yield "".join(f"{name}: {value}\n" for name, value in part.raw_items())[:MAX_REPORT_LETTERS]
        payload = part.get_payload()
        yield f"\n{payload[:MAX_REPORT_LETTERS]}\n" if isinstance(payload, str) else "\n"


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


def find_origin(message: Message, post: OwnMailbox, recipients: tuple[str, ...] = ()) -> ReplyOrigin:
    """Return where a reply comes from, by what only we can have written."""
    said = [str(each) for name in ("To", "Cc", "Delivered-To", "X-Original-To") for each in message.get_all(name, [])]
    addresses = [*recipients, *_parse_addresses(said)[:MAX_HEADERS]]
    token = next((found for each in addresses if (found := post.read_token(each)) is not None), None)
    references = " ".join(str(message.get(name, "")) for name in ("In-Reply-To", "References"))[:20_000]
    named = post.find_letters(" ".join(references.split()))
    senders = _parse_addresses([str(each) for each in message.get_all("From", [])])
    sender = fold_address(senders[0]) if len(senders) == 1 else ""
    name = " ".join(str(message.get("Message-ID", "")).split())[:300]
    letter = next((number for game, number in named if token is None or game == token.game), 0)
    return ReplyOrigin(sender, token, letter, name)


def _parse_addresses(fields: Sequence[str]) -> list[str]:
    """Return the addresses in fields of a header, as far as these are looked at; none if they are nested too deep."""
    try:
        return [address for each in fields for _, address in getaddresses([each[:MAX_ADDRESS_LETTERS]])]
    except RecursionError:
        return []


def is_proven(message: Message, server: str, domain: str) -> bool:
    """Return whether our own server found that a mail comes from the domain that it says.

    Only the topmost result counts, and only if it names our server: whatever
    stands below, a stranger may have written.

    Args:
        message: the mail.
        server: what our server calls itself in its results.
        domain: of the sender's address.
    """
    headers = message.get_all("Authentication-Results", [])
    return bool(server and headers) and passes_dmarc(str(headers[0]), server, domain)


def passes_dmarc(result: str, server: str, domain: str) -> bool:
    """Return whether a result is of a server, and says that a mail comes from a domain.

    Args:
        result: what stands behind "Authentication-Results:".
        server: what the server calls itself.
        domain: of the sender's address.
    """
    if len(result) > MAX_RESULT_LETTERS:
        return False
    try:
        one_line = " ".join(result.split())
        found = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {one_line}")
    except Exception as error:  # noqa: BLE001  # whatever a stranger's mail makes the library raise
        _log.warning("result", error=repr(error)[:300])
        return False
    if fold_address(str(found.authserv_id)) != fold_address(server):
        return False
    for each in found.results:
        if each.method != "dmarc" or each.result != "pass":
            continue
        of = next((p.value for p in each.properties if p.type == "header" and p.name == "from"), None)
        if of is not None and fold_address(str(of)).rpartition("@")[2] == fold_address(domain):
            return True
    return False


def lookup_txt(name: str | bytes, timeout: float = DNS_TIMEOUT_SECONDS) -> str | None:
    """Return the TXT record of a name in the DNS; ``None`` if there is none, or no one answers.

    Of several records that which is a policy or a key is returned; two policies are none (RFC 7489, 6.6.3).
    """
    asked = name.decode("ascii", "replace") if isinstance(name, bytes) else name
    resolver = Resolver()
    try:
        answer = resolver.resolve(asked.rstrip("."), "TXT", lifetime=min(timeout, DNS_TIMEOUT_SECONDS))
    except (DNSException, ValueError):
        return None
    found = [b"".join(each.strings).decode("utf-8", "replace") for each in answer]
    wanted = [each for each in found if each.startswith("v=D") or "p=" in each]
    return wanted[0] if len(wanted) == 1 else None


def is_signed(data: bytes, domain: str, lookup: Lookup = lookup_txt) -> bool:
    """Return whether a mail is proven to come from a domain.

    A signature that leaves a part of the text out proves nothing, nor does one of a whole ending like "co.uk":
    others live there too. Nor is a mail proven that takes too long to check.

    Args:
        data: the mail as it came.
        domain: of the sender's address.
        lookup: asks the DNS.
    """
    try:
        if b" " * (MAX_BLANKS + 1) in data.replace(b"\t", b" "):
            return False
        for each in _keep_one_signature(data, domain):
            found = authheaders.authenticate_message(
                each, _OWN_SERVER, spf=False, dkim=True, arc=False, dmarc=True, dnsfunc=lookup
            )
            if passes_dmarc(found.partition(":")[2], _OWN_SERVER, domain):
                return True
        return False
    except Exception as error:  # noqa: BLE001  # whatever a stranger's mail makes these libraries raise
        _log.warning("signature", error=repr(error)[:300])
        return False


def _keep_one_signature(data: bytes, domain: str) -> list[bytes]:
    """Return the mail once for each signature that counts, with that one alone."""
    headers, body = dkim.rfc822_parse(data)
    most = max(1, min(MAX_SIGNATURES, MAX_SIGNED_BYTES // max(1, len(data))))
    places = [at for at, (name, _) in enumerate(headers) if name.lower() == b"dkim-signature"][:MAX_SIGNATURES]
    found = []
    for kept in places:
        tags = dkim.util.parse_tag_value(b"".join(headers[kept][1].split(b"\r\n")))
        if b"l" in tags or not _is_aligned(tags.get(b"d", b"").decode("ascii", "replace").lower(), domain.lower()):
            continue
        lines = [each for at, each in enumerate(headers) if at == kept or each[0].lower() != b"dkim-signature"]
        found.append(b"".join(name + b":" + value for name, value in lines) + b"\r\n" + body)
    return found[:most]


def _is_aligned(signer: str, domain: str) -> bool:
    """Return whether a signature's domain is that of the sender, or belongs to the same people."""
    if signer == domain:
        return True
    owner = _load_endings().get_sld(domain, strict=True)
    return owner is not None and "." in owner and _load_endings().get_sld(signer, strict=True) == owner


@cache
def _load_endings() -> Any:  # noqa: ANN401  # the library brings no types
    """Return the list of endings below which strangers live side by side."""
    return PublicSuffixList()
