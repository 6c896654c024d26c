"""The page on which a mail program, or a person, ends the mails by one press (RFC 8058).

A look at the page changes nothing, for scanners look at every link of a mail.
"""

import asyncio
from collections.abc import Awaitable, Callable
from html import escape

from aiohttp import web

from bot.mail.address import OwnMailbox, ReplyToken

MOST_BYTES = 2048
Stop = Callable[[ReplyToken], Awaitable[str]]
"""Ends the mails of a signed link; returns the address from which they begin again, "" if there is no such person."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
_ASKED = '<p>No more mails of Stationmaster?</p><form method="post"><button>No more mails</button></form>'
_DONE = (
    "<p>No more mails come to this address. Your seats stay yours.</p>"
    '<p><a href="mailto:{again}?subject=start&amp;body=start">Mails again</a></p>'
)
_NOBODY = "<p>This link is of no use any more. Answer a newer mail with the word stop.</p>"


def application(post: OwnMailbox, stop: Stop) -> web.Application:
    """Return the page; its last piece of the path says whose mails end."""

    async def ask(request: web.Request) -> web.Response:
        known = post.stopped(_last(request)) is not None
        return _page(_ASKED) if known else _page(_NOBODY, 404)

    async def end(request: web.Request) -> web.Response:
        token = post.stopped(_last(request))
        again = await stop(token) if token is not None else ""
        return _page(_DONE.format(again=escape(again))) if again else _page(_NOBODY, 404)

    app = web.Application(client_max_size=MOST_BYTES)
    app.router.add_get("/{path:.*}", ask)
    app.router.add_post("/{path:.*}", end)
    return app


async def listen(address: str, post: OwnMailbox, stop: Stop) -> None:
    """Serve the page at "host:port", behind the web server of the host, until cancelled."""
    host, _, port = address.rpartition(":")
    runner = web.AppRunner(application(post, stop), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host or "127.0.0.1", int(port)).start()
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def _last(request: web.Request) -> str:
    return request.path.rstrip("/").rpartition("/")[2]


def _page(body: str, status: int = 200) -> web.Response:
    head = '<!doctype html><meta name="viewport" content="width=device-width"><title>Stationmaster</title>'
    return web.Response(text=head + body, status=status, content_type="text/html", headers=_HEADERS)
