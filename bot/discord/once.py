"""Discord fails while it makes a message: nobody asks again without looking whether it stands.

Discord's library asks again by itself after a 5xx, some of which come although
the message was made. Its nonce guards for a while only; the sender of posts
knows better: it looks into the channel first.
"""

from types import SimpleNamespace

import aiohttp

ASKED_AGAIN = frozenset({500, 502, 504, 524})
_MAKE = ("/messages", "/threads")


class MaybeMadeError(aiohttp.ClientError):
    """Discord failed; what was to be made may stand all the same."""


def trace() -> aiohttp.TraceConfig:
    """Return what ends a request that makes a message or a thread when Discord fails at it."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_refuse_repetition)
    return config


async def _refuse_repetition(
    session: aiohttp.ClientSession, context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
) -> None:
    """End a request whose answer leaves open what was done.

    Raises:
        MaybeMadeError: it makes something, and Discord failed.
    """
    del session, context
    path = ended.url.path
    makes = ended.method == "POST" and "/channels/" in path and path.endswith(_MAKE)
    if makes and ended.response.status in ASKED_AGAIN:
        raise MaybeMadeError(f"Discord answered {ended.response.status} to {ended.method} {path}")
