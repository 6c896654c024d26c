"""What proves the sender of a mail: what our own server found when it took the mail in, or the mail's signature.

A signature (DKIM) proves a sender if it is of the sender's own domain and holds for the whole mail. That is enough, as
is the word of our own server that there was one, or that the domain's policy (DMARC) is met. A server writes its word
into fields called Authentication-Results above all that came with the mail; what stands below, a stranger may have
written. Checking a signature asks the DNS, so it belongs into a thread.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from email.message import Message
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import dkim
import structlog
from dns.exception import DNSException
from dns.resolver import Resolver
from publicsuffix2 import PublicSuffixList

from bot.service.contacts import fold_address
from engine import Record

MAX_RESULT_LETTERS = 1 << 12
MAX_RESULT_FIELDS = 12
MAX_SIGNATURES = 4
MAX_SIGNED_BYTES = 1 << 19
"""Of a mail, once for each of its signatures that is looked at; the first always is."""
MAX_BLANKS = 200
"""Blanks in a row: the time that the library takes grows with their square."""
DNS_TIMEOUT_SECONDS = 5.0
UNNAMED = "-"
"""The name of a server that writes none into its results, as Microsoft 365."""

_PAIR = re.compile(r'([a-z][a-z0-9.\-]*)(?:/\d+)?\s*=\s*("[^"]*"|[^\s;"]*)', re.IGNORECASE | re.ASCII)
_NAME = re.compile(r"[^\s;=]+")
_PASSES = {"pass", "success", "dkim_pass"}
"""The words for it; Yahoo has its own."""
_log = structlog.get_logger(__name__)

Lookup = Callable[..., str | None]
"""Returns the TXT record of a name, ``None`` if there is none; takes a name and perhaps a ``timeout``."""


class AuthResult(Record, frozen=True):
    """What a server found by one method: "dkim", "pass", and of what, by names as "header.d"."""

    method: str
    value: str
    of: dict[str, str]


class Results(Record, frozen=True):
    """One field of results, and the server that wrote it."""

    server: str
    found: tuple[AuthResult, ...]


def parse_results(field: str) -> Results:
    """Return what a field of results says (RFC 8601, and as Microsoft and others write it); bounded, and never fails.

    A server that names itself does so first; "spf=pass …" as the first piece means that it does not.
    """
    if len(field) > MAX_RESULT_LETTERS:
        return Results("", ())
    first, *rest = [" ".join(piece.split()) for piece in _drop_comments(field).split(";")]  # "" if it is in doubt
    named = _NAME.match(first)
    server = UNNAMED if "=" in first.split(" ")[0] else named[0] if named else ""
    pieces = [first, *rest] if server == UNNAMED else [first.partition(" ")[2], *rest]
    found = list[AuthResult]()
    for piece in pieces:
        pairs = [(name.lower(), value.strip('"')) for name, value in _PAIR.findall(piece)]
        if pairs:
            found.append(AuthResult(pairs[0][0], pairs[0][1].lower(), dict(pairs[1:])))
    return Results(fold_address(server.partition("/")[0]), tuple(found))  # some add a number of their job


def _drop_comments(field: str) -> str:
    """Return a field without what stands in brackets, each a blank; a bracket in quotation marks stays.

    A server repeats in brackets and quotation marks what a stranger called himself. Where it isn't certain where these
    end, nothing is left: "(… of "a); dmarc=pass …"@evil.example)".
    """
    kept, depth, quoted = list[str](), 0, False
    if "\\" in field or field.count('"') % 2:
        return ""
    for sign in field:
        if sign == '"' and depth:
            return ""
        quoted ^= sign == '"' and not depth
        if sign == "(" and not quoted:
            depth += 1
        elif sign == ")" and depth and not quoted:
            depth -= 1
            kept.append(" ")
        elif not depth:
            kept.append(" " if sign == ";" and quoted else sign)
    return "".join(kept)


def list_results(message: Message) -> list[Results]:
    """Return the results that stand on top, as far as our own servers can have written them.

    They end where the next server noted that it got the mail: what stands below came with it.
    """
    found = list[Results]()
    for name, value in message.raw_items():
        if name.lower() == "authentication-results":
            found.append(parse_results(str(value)))
        elif found and (name.lower() == "received" or len(found) >= MAX_RESULT_FIELDS):
            break
    return found


def is_proven(message: Message, servers: Sequence[str], domain: str) -> bool:
    """Return whether our own server found that a mail comes from the domain that it says.

    Args:
        message: the mail.
        servers: what our servers call themselves, "*.mail.example" for several; the topmost must be one of them.
        domain: of the sender's address.
    """
    results, domain = list_results(message), fold_address(domain)
    if not results or not _is_of(results[0].server, servers):
        return False
    ours = [field for field in results if _is_of(field.server, servers)]
    policies, signatures = _find_first(ours, "dmarc"), _find_first(ours, "dkim")
    signers = [(each, _domain_of(each.of.get("header.d") or each.of.get("header.i", ""))) for each in signatures]
    own = {each.value for each, signer in signers if is_aligned(signer, domain)}
    if any(each.value == "fail" for each in policies):
        return False
    if own & _PASSES:
        return True
    passes = bool(policies) and policies[0].value in _PASSES and "fail" not in own  # a list changed it on its way
    return passes and _domain_of(policies[0].of.get("header.from", "")) == domain


def _find_first(fields: Sequence[Results], method: str) -> list[AuthResult]:
    """Return what the first field says that has results of a method: a stranger may have written those below."""
    of_method = ([each for each in field.found if each.method == method] for field in fields)
    return next((found for found in of_method if found), [])


def _is_of(server: str, servers: Sequence[str]) -> bool:
    return bool(server) and any(fnmatchcase(server, fold_address(each)) for each in servers)


def _domain_of(address: str) -> str:
    return fold_address(address.strip("<> ").rpartition("@")[2]).rstrip(".")


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
    """Return whether a mail is proven to come from a domain by a signature of it.

    A signature that leaves a part of the text out proves nothing, nor one that says neither when nor as what the mail
    was sent, nor one of a whole ending like "co.uk": others live there too. Nor is a mail proven that takes too long
    to check.

    Args:
        data: the mail as it came.
        domain: of the sender's address.
        lookup: asks the DNS.
    """
    try:
        if b" " * (MAX_BLANKS + 1) in data.replace(b"\t", b" "):
            return False
        return any(bool(dkim.verify(each, dnsfunc=lookup)) for each in _keep_one_signature(data, domain))
    except Exception as error:  # noqa: BLE001  # whatever a stranger's mail makes these libraries raise
        _log.warning("signature", error=repr(error)[:300])
        return False


def _keep_one_signature(data: bytes, domain: str) -> Iterator[bytes]:
    """Yield the mail once for each signature that counts, with that one alone."""
    headers, body = dkim.rfc822_parse(data)
    if sum(name.lower() == b"from" for name, _ in headers) != 1:
        return
    most = max(1, min(MAX_SIGNATURES, MAX_SIGNED_BYTES // max(1, len(data))))
    places = [at for at, (name, _) in enumerate(headers) if name.lower() == b"dkim-signature"][:MAX_SIGNATURES]
    for kept in places:
        tags = dkim.util.parse_tag_value(b"".join(headers[kept][1].split(b"\r\n")))
        signed = {name.strip().lower() for name in tags.get(b"h", b"").split(b":")}
        signer = tags.get(b"d", b"").decode("ascii", "replace").lower()
        if b"l" in tags or not signed & {b"date", b"message-id"} or not is_aligned(signer, domain):
            continue
        lines = [each for at, each in enumerate(headers) if at == kept or each[0].lower() != b"dkim-signature"]
        yield b"".join(name + b":" + value for name, value in lines) + b"\r\n" + body
        most -= 1
        if not most:
            return


def is_aligned(signer: str, domain: str) -> bool:
    """Return whether a signature's domain is that of the sender, or belongs to the same people."""
    signer, domain = fold_address(signer), fold_address(domain)
    if not signer or signer == domain:
        return bool(signer)
    owner = _load_endings().get_sld(domain, strict=True)
    return owner is not None and "." in owner and _load_endings().get_sld(signer, strict=True) == owner


def name_servers(results: Sequence[Results]) -> str:
    """Return a name for the servers of a provider, the first of whom wrote the first of some results.

    That is its own name, or "*.mail.example" where servers have numbers, so that the next mail comes in by another, or
    where each method has its own.
    """
    server = results[0].server
    owner = _load_endings().get_sld(server, strict=True)
    if owner is None or "." not in owner or server == owner:
        return server
    ending = f".{owner}"
    has_others = any(each.server != server and each.server.endswith(ending) for each in results)
    is_numbered = any(sign.isdecimal() for sign in server.removesuffix(ending))
    return f"*{ending}" if has_others or is_numbered else server


@cache
def _load_endings() -> Any:  # noqa: ANN401  # the library brings no types
    """Return the list of endings below which strangers live side by side."""
    return PublicSuffixList()
