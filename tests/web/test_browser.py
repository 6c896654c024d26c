"""The page of a table in Debian's Chromium: opened, zoomed, slid, followed, restarted, read aloud; SVG against PNG.

``make browser`` installs Chromium and what drives it; without them these tests skip.
"""

import base64
import io
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops, ImageStat

from bot.service.services import Services
from bot.web.album import write_album
from bot.web.front import WebFront
from bot.web.server import open_pages
from render import PictureStyle, png, svg
from render.fonts import FOLDER
from render.svg import FACES
from tests.bot.conftest import BOB
from tests.render.positions import picture
from tests.web.conftest import find_path, play
from tests.web.test_album import pack_beginning

CHROMIUM = Path("/usr/bin/chromium")
pytest.importorskip("playwright", reason="make browser")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed (make browser)")
FLAGS = ["--no-sandbox", "--font-render-hinting=none", "--force-color-profile=srgb", "--disable-lcd-text"]
PHONE = {"viewport": {"width": 400, "height": 860}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}
MAX_MEAN, MAX_SHARE, STRONG = 6.5, 0.04, 40
"""Differences of a picture reduced to a quarter: in the mean, and how many pixels may differ strongly."""
TIMEOUT_MS = 20_000


@asynccontextmanager
async def _open_browser() -> AsyncIterator[Any]:
    from playwright.async_api import async_playwright

    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


async def _read_view(page: Any) -> list[float]:  # noqa: ANN401  # no types where it isn't installed
    await page.wait_for_timeout(50)
    view: str = await page.get_attribute("#stage article > svg", "viewBox")
    return [float(each) for each in view.split()]


async def _pinch(context: Any, page: Any, box: dict[str, float]) -> None:  # noqa: ANN401
    """Move two fingers apart on a picture."""
    session = await context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, far in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60), ("touchEnd", 0)):
        fingers = [{"x": x - far, "y": y, "id": 0}, {"x": x + far, "y": y, "id": 1}] if far else []
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


async def _wait_for_move(page: Any, number: int) -> None:  # noqa: ANN401
    await page.wait_for_selector(f"#move[max='{number}']", timeout=TIMEOUT_MS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [PHONE, DESK], ids=["phone", "desk"])
async def test_a_table_in_a_real_browser(services: Services, game: int, kind: dict[str, Any]) -> None:
    """Opens, zooms, slides, keeps a moment that is looked at, follows moves, survives a restart of the bot."""
    path, told = await find_path(services, game), list[str]()
    async with _open_browser() as browser:
        context = await browser.new_context(**kind)
        page = await context.new_page()
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        async with open_pages(WebFront(services), "127.0.0.1:0") as port:
            await page.goto(f"http://127.0.0.1:{port}{path}")
            await page.wait_for_selector("#stage article > svg", timeout=TIMEOUT_MS)
            assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            await _check_zoom(context, page, is_phone=kind is PHONE)
            await _check_moments(services, game, page)
            assert kind is DESK or await _list_barriers(page) == []
            await _check_panel(page)
            assert kind is PHONE or await _list_barriers(page) == []
            assert told == []
            if kind is DESK:
                await _check_end(services, game, page)
                return
        await page.wait_for_selector("body.lost", timeout=TIMEOUT_MS)
        async with open_pages(WebFront(services), f"127.0.0.1:{port}"):
            await play(services, game)
            await _wait_for_move(page, 8)
            await page.wait_for_selector("body:not(.lost)", timeout=TIMEOUT_MS)
            await context.close()


async def _check_zoom(context: Any, page: Any, *, is_phone: bool) -> None:  # noqa: ANN401
    whole = await _read_view(page)
    box = await (await page.query_selector("#stage article > svg")).bounding_box()
    if is_phone:
        await _pinch(context, page, box)
        assert await page.evaluate("visualViewport.scale") == 1
    else:
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.mouse.wheel(0, -400)
        await page.wait_for_selector("#stage.zoomed", timeout=TIMEOUT_MS)
    near = await _read_view(page)
    assert near[2] < whole[2] / 1.5
    await page.keyboard.press("Escape")
    await page.focus("#stage article > svg")
    await page.keyboard.press("ArrowRight")
    assert (await _read_view(page))[0] > near[0]
    await page.keyboard.press("0")
    assert await _read_view(page) == whole


async def _check_moments(services: Services, game: int, page: Any) -> None:  # noqa: ANN401
    """Whoever looks back stays there when a move is played, and can go to the latest one."""
    await page.evaluate("move.value = 2; move.dispatchEvent(new Event('input'))")
    assert "4 moves ago" in await page.inner_text("#status")
    await play(services, game)
    await _wait_for_move(page, 7)
    assert await page.input_value("#move") == "2"
    assert "5 moves ago" in await page.inner_text("#status")
    await page.keyboard.press("l")
    assert await page.input_value("#move") == "7"
    await page.keyboard.press(",")
    assert await page.input_value("#move") == "6"
    await page.click("#last")


async def _check_panel(page: Any) -> None:  # noqa: ANN401
    """A tap on a place shows it, a company its charter; a table is one that can be read aloud."""
    await page.locator("#stage [data-a^='place:']").first.click()
    await page.wait_for_selector("#panel article.place li", timeout=TIMEOUT_MS)
    await page.select_option("#companies", index=1)
    await page.wait_for_selector("#panel article svg", timeout=TIMEOUT_MS)
    await page.keyboard.press("Escape")
    assert await page.is_hidden("#panel")
    await page.click("#tabs [data-name=table]")
    await page.wait_for_selector("#stage table td", timeout=TIMEOUT_MS)


async def _check_end(services: Services, game: int, page: Any) -> None:  # noqa: ANN401
    """A page whose address has ended says so, and asks no more."""
    await services.boards.renew(game, BOB.id)
    await page.wait_for_selector("body.ended", timeout=TIMEOUT_MS)
    assert "no longer works" in await page.inner_text("#status")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert asked == []


async def _list_barriers(page: Any) -> list[str]:  # noqa: ANN401
    """Return what axe-core finds serious on a page."""
    import axe_playwright_python

    script = Path(axe_playwright_python.__file__ or "").with_name("axe.min.js").read_text(encoding="utf-8")
    await page.evaluate(script)
    found = await page.evaluate("axe.run().then((each) => each.violations)")
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.slow
async def test_an_album_is_opened_from_disk(tmp_path: Path) -> None:
    """It asks no server for anything, its policy refuses nothing of its own, and each position can be seen."""
    file, told = tmp_path / "album.html", list[str]()
    file.write_bytes(write_album(*pack_beginning(), "Sunday", "woodtype"))
    async with _open_browser() as browser:
        page = await browser.new_page()
        page.on("console", lambda message: told.append(message.text))
        page.on("request", lambda request: told.extend([request.url] * request.url.startswith("http")))
        await page.goto(file.as_uri())
        await page.wait_for_selector("#stage article > svg", timeout=TIMEOUT_MS)
        await page.keyboard.press("f")
        assert await page.input_value("#move") == "0"
        await page.click("#tabs [data-name=story]")
        await page.wait_for_selector("#stage li", timeout=TIMEOUT_MS)
    assert told == []


@pytest.mark.slow
async def test_svg_is_as_like_png_as_browsers_draw() -> None:
    """The same scene in Chromium and by Pillow; a lost shape or a wrong width would be far beyond the limits."""
    async with _open_browser() as browser:
        page = await browser.new_page()
        for title, name in (("1860", "map"), ("1860", "company"), ("steel_driver", "card")):
            view = msgspec.structs.replace(picture(title, "late", name), banner=None, title="")
            painted = Image.open(io.BytesIO(png(view))).convert("RGB")
            await page.set_viewport_size({"width": painted.width, "height": painted.height})
            await page.set_content(f"<style>{_write_faces()}</style>{svg(view, PictureStyle())}")
            await page.wait_for_function("document.fonts.ready.then(() => true)")
            shown = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
            quarter = (painted.width // 4, painted.height // 4)
            one, other = (each.resize(quarter, Image.Resampling.BOX) for each in (painted, shown))
            differs = ImageChops.difference(one, other).convert("L")
            strong = sum(differs.histogram()[STRONG:]) / (differs.width * differs.height)
            mean = ImageStat.Stat(differs).mean[0]
            assert mean < MAX_MEAN, (title, name, mean)
            assert strong < MAX_SHARE, (title, name, strong)


def _write_faces() -> str:
    return "".join(_list_faces()) + "body{margin:0}svg{width:100%;display:block}"


def _list_faces() -> Iterator[str]:
    for face, name in FACES.items():
        data = base64.b64encode((FOLDER / "web" / f"{face}.woff2").read_bytes()).decode()
        yield f"@font-face{{font-family:{name};src:url(data:font/woff2;base64,{data})}}.{name}{{font-family:{name}}}"
