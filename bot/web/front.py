"""The server of pages: what it answers to which address. It only reads, and every address may be hostile.

``/t/<token>/`` is a page, ``moves.json`` its course, ``live`` its events, ``at/<number>-<name>/<palette>/<figure>`` a
figure of a position, ``card-<name>.png`` what previews of the page show. ``/s/`` has what pages are made of, and holds
no word of any table.
"""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from functools import cache
from html import escape
from pathlib import Path
from weakref import WeakValueDictionary

import msgspec
import structlog
from aiohttp import web

from bot.model.errors import BotError
from bot.model.records import Position
from bot.service.boards import BoardViewer
from bot.service.services import Services
from bot.service.workers.pool import Kept
from bot.web.course import (
    AFTERWARDS,
    OpenPage,
    PageCourse,
    PageCourses,
    draw_afterwards,
    fingerprint_code,
    list_afterwards,
    make_asked,
    pack_course,
)
from bot.web.figures import FIGURE, PREVIEW, PreviewAsked
from bot.web.guard import (
    FOREVER,
    FRESH,
    KEPT,
    MAX_TARGET_CHARACTERS,
    NEVER,
    PREVIEW_COST,
    SECURITY,
    UNKNOWN_COST,
    FigureAddress,
    Guard,
    read_figure,
    reads_gzip,
)
from bot.web.live import News, Watch
from engine import LogError, RuleError
from render.fonts import FOLDER as FONTS

STATIC = Path(__file__).parent / "static"
KINDS = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2", ".txt": "text/plain"}
RETRY_MS, BREATH_SECONDS = 2000, 25.0
"""After which a browser connects again, and a stream that has nothing to say says so: proxies close silent lines."""
STREAM_HOURS, WRITE_SECONDS = 12.0, 20.0
"""For how long a stream lasts, and how long it waits for a browser that doesn't read."""
PREPARE_SECONDS = 0.7
"""How long the news of a move waits for its picture, so that a crowd finds it drawn."""
FRESH_SECONDS, MAX_VIEWERS_KNOWN = 0.9, 10_000
"""How long an address that was known is not looked up again for figures and streams."""
MAX_FIGURE_BYTES = 64 * 1024 * 1024
BUSY = "Too many pictures are being drawn; try again in a few seconds."
ADDRESS = web.RequestKey("address", str)
"""Who asks, as far as is known."""
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]
_log = structlog.get_logger(__name__)


class WebFront:
    """Serves the pages of tables.

    Args:
        services: the tables. guard: limits what each address may ask for.
    """

    def __init__(self, services: Services, guard: Guard | None = None) -> None:
        self.services = services
        self.guard = guard or Guard()
        self.courses = PageCourses(services)
        self.watch = Watch(services, self._prepare, self._has_viewer)
        self._figures = Kept(MAX_FIGURE_BYTES)
        self._viewers: dict[str, tuple[BoardViewer, float]] = {}
        self._looking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._preparing: set[asyncio.Task[bytes]] = set()

    def make_app(self) -> web.Application:
        """Return the application."""
        app = web.Application(middlewares=[self._protect])
        page = "/t/{token:[A-Za-z0-9_-]{22}}"
        app.router.add_get(page, _add_slash)
        app.router.add_get(f"{page}/", self._show_page)
        app.router.add_get(f"{page}/moves.json", self._show_moves)
        app.router.add_get(f"{page}/card-{{name:[0-9a-f]{{16}}}}.png", self._show_preview)
        app.router.add_get(f"{page}/live", self._stream, allow_head=False)
        app.router.add_get(f"{page}/at/{{figure:.*}}", self._show_figure)
        app.router.add_get("/s/{name}", _show_static)
        app.on_response_prepare.append(_add_headers)
        app.on_shutdown.append(self._end_streams)
        return app

    async def _end_streams(self, app: web.Application) -> None:
        del app
        self.watch.end()
        for work in self._preparing:
            work.cancel()

    @web.middleware
    async def _protect(self, request: web.Request, handler: Answer) -> web.StreamResponse:
        """Limit what each address asks for; give every answer its headers; tell nothing of what goes wrong."""
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", ()))  # a proxy may add one of its own
        address = self.guard.find_address(request.remote or "", forwarded)
        request[ADDRESS] = address
        if not self.guard.admit(address):
            return _refuse(429, "Too many requests; try again in a few seconds.", {"Retry-After": "5"})
        try:
            if len(request.raw_path) > MAX_TARGET_CHARACTERS:
                raise web.HTTPNotFound
            return await handler(request)
        except web.HTTPNotFound:
            self.guard.admit(address, UNKNOWN_COST - 1)
            return _refuse(404, "There is no such page. Its address may have been renewed, or turned off by the host.")
        except web.HTTPException as error:
            kept = {name: error.headers[name] for name in ("Location", "Allow") if name in error.headers}
            return _refuse(error.status, error.reason, kept)
        except (BotError, RuleError, LogError) as refusal:
            self.guard.admit(address, UNKNOWN_COST - 1)  # a worker may have looked for it
            return _refuse(404, str(refusal))
        except Exception as error:  # noqa: BLE001  # a defect of ours; the address, which is a key, isn't logged
            _log.error("page", exc_info=error)
            return _refuse(500, "Something went wrong on our side.")

    async def _find_page(self, request: web.Request) -> OpenPage:
        """Return the page of an address.

        Raises:
            HTTPNotFound: there is none.
        """
        viewer = await self.services.boards.find_viewer(request.match_info["token"])
        if viewer is None:
            raise web.HTTPNotFound
        return OpenPage(viewer, await self.services.table.load_position(viewer.game))

    async def _find_viewer(self, token: str) -> BoardViewer:
        """Return who looks by an address, as was known a moment ago: a crowd asks for many figures at once.

        Raises:
            HTTPNotFound: no one.
        """
        if (known := self._get_known_viewer(token)) is not None:
            return known
        async with self._looking.setdefault(token, asyncio.Lock()):  # of a crowd, one looks
            if (known := self._get_known_viewer(token)) is not None:
                return known
            now = self.guard.clock()
            viewer = await self.services.boards.find_viewer(token)
            if viewer is None:
                raise web.HTTPNotFound
            if len(self._viewers) > MAX_VIEWERS_KNOWN:
                self._viewers.clear()
            self._viewers[token] = (viewer, now + FRESH_SECONDS)
            return viewer

    def _get_known_viewer(self, token: str) -> BoardViewer | None:
        viewer, until = self._viewers.get(token, (None, 0.0))
        return viewer if until > self.guard.clock() else None

    async def _has_viewer(self, token: str) -> bool:
        try:
            await self._find_viewer(token)
        except web.HTTPNotFound:
            return False
        except (BotError, LogError):  # the database can't be read just now
            return True
        return True

    async def _show_page(self, request: web.Request) -> web.StreamResponse:
        """Show the page, a shell without content; that for all tells previews the name of the table."""
        page = await self._find_page(request)
        title, about = "Stationmaster", ""
        if not page.viewer.user:
            title = f"{page.here.table.name} · {page.here.game.title.short_name}"
            asks = page.here.ask().headline if page.here.actors else "The game is over"
            newest = (await self.courses.load(page.here, None)).moves[-1].name
            image = f"{self.services.boards.web}/t/{request.match_info['token']}/card-{newest}.png"
            told = {"og:title": title, "og:description": asks, "og:image": image, "twitter:card": "summary_large_image"}
            about = "".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in told.items())
        text = load_page().replace("{title}", escape(title)).replace("{about}", about)
        headers = {"Cache-Control": NEVER if page.viewer.user else FRESH}
        return web.Response(text=text, content_type="text/html", headers=headers)

    async def _show_moves(self, request: web.Request) -> web.StreamResponse:
        viewer = await self._find_viewer(request.match_info["token"])
        page = OpenPage(viewer, await self.services.table.load_position(viewer.game))
        course = await self.courses.load(page.here, page.seat)
        mark = f'"{course.moves[-1].name}-{course.seat}"'
        headers = {"Cache-Control": NEVER if page.viewer.user else FRESH, "ETag": mark}
        if not page.viewer.user and request.headers.get("If-None-Match") == mark:
            return web.Response(status=304, headers=headers)
        name = msgspec.msgpack.encode(("moves", page.viewer.game, mark))
        data = await self._figures.get_or_make(name, lambda: asyncio.to_thread(pack_course, course))
        return _send_packed(request, data, {**headers, "Content-Type": "application/json"})

    async def _show_figure(self, request: web.Request) -> web.StreamResponse:
        said = read_figure(request.match_info["figure"])
        if said is None:
            raise web.HTTPNotFound
        viewer = await self._find_viewer(request.match_info["token"])
        here = self.services.table.live.get_cached(viewer.game)
        if here is None or not await self._is_in_course(OpenPage(viewer, here), said):  # another process may have moved
            here = await self.services.table.load_position(viewer.game)
            if not await self._is_in_course(OpenPage(viewer, here), said):
                return _refuse(410, "That moment was taken back.")
        page = OpenPage(viewer, here)
        headers = {"Content-Type": "application/xhtml+xml", "Cache-Control": page.keeps, "ETag": f'"{said.name}"'}
        if not self.guard.drawings.take(request[ADDRESS]):
            return _refuse(503, BUSY, {"Retry-After": "2"})
        try:
            return _send_packed(request, await self._draw(page, said), headers)
        finally:
            self.guard.drawings.give_back(request[ADDRESS])

    async def _is_in_course(self, page: OpenPage, said: FigureAddress) -> bool:
        return (await self.courses.load(page.here, page.seat)).find(said.number, said.name)

    async def _show_preview(self, request: web.Request) -> web.StreamResponse:
        """Show the card of a table's position to what makes previews; a player's own page has none."""
        page, name = await self._find_page(request), request.match_info["name"]
        moves = (await self.courses.load(page.here, None)).moves
        at = next((number for number, move in enumerate(moves) if move.name == name), -1)
        if page.viewer.user or at < 0:
            raise web.HTTPNotFound
        self.guard.admit(request[ADDRESS], PREVIEW_COST - 1)
        if not self.guard.drawings.take(request[ADDRESS]):
            return _refuse(503, BUSY, {"Retry-After": "2"})
        try:
            asked, course = PreviewAsked(at, page.here.table.names, page.here.table.name), page.here.course
            key = msgspec.msgpack.encode(("preview", page.viewer.game, name))
            data = await self._figures.get_or_make(key, lambda: self.services.workers.do(PREVIEW, asked, course))
        finally:
            self.guard.drawings.give_back(request[ADDRESS])
        return web.Response(body=data, headers={"Content-Type": "image/png", "Cache-Control": KEPT})

    async def _draw(self, page: OpenPage, said: FigureAddress) -> bytes:
        """Return a figure, packed; those of a position are the same whatever is played after it."""
        if said.picture in AFTERWARDS:
            if said.picture not in list_afterwards(page.here):
                raise web.HTTPNotFound
            name = msgspec.msgpack.encode((page.viewer, page.here.version, said.palette, said.picture))
            return await self._figures.get_or_make(name, lambda: draw_afterwards(self.services, page, said))
        asked = make_asked(page, said)
        name = msgspec.msgpack.encode((page.viewer.game, said.name, asked))
        return await self._figures.get_or_make(name, lambda: self.services.workers.do(FIGURE, asked, page.here.course))

    async def _prepare(self, game: int) -> Position:
        """Draw the board of a table before its viewers are told of a move, and return its position."""
        here = await self.services.table.load_position(game)
        work = asyncio.create_task(self._draw_newest(game, here))
        self._preparing.add(work)
        work.add_done_callback(self._forget_prepared)
        await asyncio.wait({work}, timeout=PREPARE_SECONDS)  # where it takes longer, the first viewer waits for it
        return here

    async def _draw_newest(self, game: int, here: Position) -> bytes:
        board = next(each.name for each in here.game.title.views.pictures if each.every_turn)
        course = await self.courses.load(here, None)
        newest = FigureAddress(len(here.game.line), course.moves[-1].name, "standard", board)
        return await self._draw(OpenPage(BoardViewer(game), here), newest)

    def _forget_prepared(self, work: asyncio.Task[bytes]) -> None:
        self._preparing.discard(work)
        if not work.cancelled() and (error := work.exception()) is not None:  # its viewers ask again
            _log.error("drawing for a crowd", exc_info=error)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        """Tell a page of every move, as long as it is open."""
        page, address = await self._find_page(request), request[ADDRESS]
        if not self.guard.streams.take(address):
            return _refuse(503, "Too many pages are open.", {"Retry-After": "30"})
        queue = self.watch.join(page.viewer.game, page.here.version, request.match_info["token"])
        try:
            kind = {"Content-Type": "text/event-stream", "Cache-Control": NEVER, "X-Accel-Buffering": "no"}
            response = web.StreamResponse(headers=kind)
            await response.prepare(request)
            await response.write(f"retry: {RETRY_MS}\n\n".encode())
            async with asyncio.timeout(STREAM_HOURS * 3600):
                await self._tell_moves(request, response, queue, page)
        except (ConnectionError, TimeoutError, web.HTTPNotFound, BotError, LogError):
            pass  # it was closed, or its address or the database is gone: the page asks again, and is told
        finally:
            self.watch.leave(page.viewer.game, queue)
            self.guard.streams.give_back(address)
        return response

    async def _tell_moves(
        self, request: web.Request, response: web.StreamResponse, queue: News, page: OpenPage
    ) -> None:
        """Send the newest position whenever it is another than the page has seen."""
        seen = request.headers.get("Last-Event-ID") or request.query.get("since", "")
        while True:
            course = await self.courses.load(page.here, page.seat)
            if course.moves[-1].name != seen:
                await _write(response, _write_event(course, self.watch.measure_jitter(page.viewer.game)))
                seen = course.moves[-1].name
            while True:
                try:
                    async with asyncio.timeout(BREATH_SECONDS):
                        here = await queue.get()
                    break
                except TimeoutError:
                    await _write(response, b": still here\n\n")
            if here is None:
                return
            page = OpenPage(await self._find_viewer(request.match_info["token"]), here)


async def _write(response: web.StreamResponse, data: bytes) -> None:
    """Write to a stream.

    Raises:
        TimeoutError: its browser does not read.
    """
    async with asyncio.timeout(WRITE_SECONDS):
        await response.write(data)


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Protect an answer, whoever made it."""
    del request
    response.headers.update(SECURITY)


def _write_event(course: PageCourse, wait: int) -> bytes:
    """Return the event of the latest move: enough for a page that knows the one before."""
    number, newest = len(course.moves) - 1, course.moves[-1]
    before = course.moves[number - 1].name if number else ""
    said = {"number": number, "move": newest, "before": before, "over": course.over, "wait": wait}
    return b"id: %s\nevent: move\ndata: %s\n\n" % (newest.name.encode(), msgspec.json.encode(said))


def _refuse(status: int, sentence: str, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(status=status, text=sentence, headers={"Cache-Control": NEVER, **(headers or {})})


def _send_packed(request: web.Request, data: bytes, headers: dict[str, str]) -> web.Response:
    """Send what is compressed already; whoever can't read it so gets it as it is."""
    headers = {**headers, "Content-Type": f"{headers['Content-Type']}; charset=utf-8", "Vary": "Accept-Encoding"}
    if reads_gzip(request.headers.get("Accept-Encoding", "")):
        return web.Response(body=data, headers={**headers, "Content-Encoding": "gzip"})
    return web.Response(body=gzip.decompress(data), headers=headers)


async def _add_slash(request: web.Request) -> web.StreamResponse:
    raise web.HTTPPermanentRedirect(f"{request.path.rpartition('/')[2]}/")


async def _show_static(request: web.Request) -> web.StreamResponse:
    found = load_static().get(request.match_info["name"])
    if found is None:
        raise web.HTTPNotFound
    data, kind = found
    headers = {"Content-Type": kind, "Cache-Control": FOREVER}
    if kind == KINDS[".woff2"]:
        return web.Response(body=data, headers=headers)
    return _send_packed(request, pack_static(data), headers)


@cache
def load_static() -> dict[str, tuple[bytes, str]]:
    """Return what pages are made of, by name, with its type."""
    files = [*STATIC.glob("*.js"), *STATIC.glob("*.css"), *(FONTS / "web").glob("*.woff2")]
    found = {path.name: (path.read_bytes(), KINDS[path.suffix]) for path in files}
    notices = [FONTS / name for name in ("NOTICE.txt", "IBMPlex-OFL.txt", "DejaVu-LICENSE.txt")]
    found["licences.txt"] = (b"\n\n".join(path.read_bytes() for path in notices), KINDS[".txt"])
    return found


@cache
def pack_static(data: bytes) -> bytes:
    """Return a file compressed."""
    return gzip.compress(data, mtime=0)


@cache
def load_page() -> str:
    """Return the page without its title; its parts have the version of the code in their address."""
    text = (STATIC / "page.html").read_text(encoding="utf-8")
    return text.replace("{version}", fingerprint_code()[:12])
