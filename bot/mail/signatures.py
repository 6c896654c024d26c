"""Whether a mail is signed by the domain it comes from: found by ourselves, where no server of ours has looked.

The signature (DKIM) must hold for the whole mail and be of the sender's own
domain, and that domain must say that its mails are signed (DMARC). All of it
asks the DNS, so it belongs into a thread.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import authheaders
import dkim
import structlog
from dns.exception import DNSException
from dns.resolver import Resolver
from publicsuffix2 import PublicSuffixList

from bot.mail.authority import passes

MOST_SIGNATURES = 4
MAX_BLANKS = 200
"""Blanks in a row: the time that the library takes grows with their square."""
PATIENCE = 5.0
_HERE = "here"
_log = structlog.get_logger(__name__)

Lookup = Callable[..., str | None]
"""Returns the TXT record of a name, ``None`` if there is none; takes a name and perhaps a ``timeout``."""


def looked_up(name: str | bytes, timeout: float = PATIENCE) -> str | None:
    """Return the TXT record of a name in the DNS; ``None`` if there is none, or nobody answers.

    Of several records that which is a policy or a key is returned; two policies are none (RFC 7489, 6.6.3).
    """
    asked = name.decode("ascii", "replace") if isinstance(name, bytes) else name
    resolver = Resolver()
    try:
        answer = resolver.resolve(asked.rstrip("."), "TXT", lifetime=min(timeout, PATIENCE))
    except (DNSException, ValueError):
        return None
    found = [b"".join(each.strings).decode("utf-8", "replace") for each in answer]
    wanted = [each for each in found if each.startswith("v=D") or "p=" in each]
    return wanted[0] if len(wanted) == 1 else None


def is_signed(data: bytes, domain: str, lookup: Lookup = looked_up) -> bool:
    """Tell whether a mail is proven to come from a domain.

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
        return any(_holds(each, domain, lookup) for each in _signed_once(data, domain))
    except Exception as error:  # noqa: BLE001  # whatever a stranger's mail makes these libraries raise
        _log.warning("signature", error=repr(error)[:300])
        return False


def _signed_once(data: bytes, domain: str) -> list[bytes]:
    """Return the mail once for each signature that counts, with that one alone."""
    headers, body = dkim.rfc822_parse(data)
    places = [at for at, (name, _) in enumerate(headers) if name.lower() == b"dkim-signature"][:MOST_SIGNATURES]
    found = []
    for kept in places:
        tags = dkim.util.parse_tag_value(b"".join(headers[kept][1].split(b"\r\n")))
        if b"l" in tags or not _is_aligned(tags.get(b"d", b"").decode("ascii", "replace").lower(), domain.lower()):
            continue
        lines = [each for at, each in enumerate(headers) if at == kept or each[0].lower() != b"dkim-signature"]
        found.append(b"".join(name + b":" + value for name, value in lines) + b"\r\n" + body)
    return found


def _is_aligned(signer: str, domain: str) -> bool:
    """Tell whether a signature's domain is that of the sender, or belongs to the same people."""
    if signer == domain:
        return True
    owner = _endings().get_sld(domain, strict=True)
    return owner is not None and "." in owner and _endings().get_sld(signer, strict=True) == owner


@cache
def _endings() -> Any:  # noqa: ANN401  # the library brings no types
    """Return the list of endings below which strangers live side by side."""
    return PublicSuffixList()


def _holds(data: bytes, domain: str, lookup: Lookup) -> bool:
    found = authheaders.authenticate_message(data, _HERE, spf=False, dkim=True, arc=False, dmarc=True, dnsfunc=lookup)
    return passes(found.partition(":")[2], _HERE, domain)
