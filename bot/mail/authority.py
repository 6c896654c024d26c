"""Whether the server that took a mail in for us has found its sender to be who they say."""

from email.message import Message

import authres
import structlog

PASSED = "pass"
MAX_RESULT = 1 << 12
"""Characters of a result: the time that the library takes grows faster than its length."""
_log = structlog.get_logger(__name__)


def is_proven(message: Message, server: str, domain: str) -> bool:
    """Tell whether our own server found that a mail comes from the domain that it says.

    Only the topmost result counts, and only if it names our server: whatever
    stands below, a stranger may have written.

    Args:
        message: the mail.
        server: what our server calls itself in its results.
        domain: of the sender's address.
    """
    headers = message.get_all("Authentication-Results", [])
    return bool(server and headers) and passes(str(headers[0]), server, domain)


def passes(result: str, server: str, domain: str) -> bool:
    """Tell whether a result is of a server, and says that a mail comes from a domain.

    Args:
        result: what stands behind "Authentication-Results:".
        server: what the server calls itself.
        domain: of the sender's address.
    """
    if len(result) > MAX_RESULT:
        return False
    try:
        said = " ".join(result.split())
        found = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {said}")
    except Exception as error:  # noqa: BLE001  # whatever a stranger's mail makes the library raise
        _log.warning("result", error=repr(error)[:300])
        return False
    if str(found.authserv_id).casefold() != server.casefold():
        return False
    for each in found.results:
        if each.method != "dmarc" or each.result != PASSED:
            continue
        of = next((p.value for p in each.properties if p.type == "header" and p.name == "from"), None)
        if of is not None and str(of).strip().casefold().rpartition("@")[2] == domain.casefold():
            return True
    return False
