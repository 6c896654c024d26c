"""The renderer: off the event loop, once for each picture, within its memory."""

import asyncio

import msgspec
import pytest

from engine.view import View
from render import PictureStyle, Renderer, cache
from render.pixels import paint
from tests.render.samples import small_market, small_note


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[View, PictureStyle]]:
    """Count the pictures that are really drawn."""
    counted: list[tuple[View, PictureStyle]] = []

    def draw(view: View, style: PictureStyle) -> bytes:
        counted.append((view, style))
        return paint.paint_png(cache.build_scene(view, style.palette), style.palette, style.width)

    monkeypatch.setattr(cache, "png", draw)
    return counted


async def test_a_picture_is_drawn_once_and_then_remembered(drawings: list[tuple[View, PictureStyle]]) -> None:
    """Equal views share a picture, whoever made them."""
    renderer = Renderer()
    first = await renderer.png(small_note())
    assert first.startswith(b"\x89PNG")
    assert await renderer.png(small_note()) == first
    assert len(drawings) == 1


async def test_a_picture_that_is_reported_in_other_words_is_the_same(drawings: list[tuple[View, PictureStyle]]) -> None:
    """The map of the table message and that of the turn differ in their alt texts only; drawing it takes longest."""
    renderer = Renderer()
    told = msgspec.structs.replace(small_market(), alt="Buy a share. Stock market.")
    assert await renderer.png(told) == await renderer.png(small_market())
    assert len(drawings) == 1
    assert paint.paint_png(cache.build_scene(told), "standard", None) == paint.paint_png(
        cache.build_scene(small_market()), "standard", None
    )


async def test_two_requests_for_the_same_picture_share_the_work(drawings: list[tuple[View, PictureStyle]]) -> None:
    """Eight players open the table at once; it is drawn once."""
    renderer = Renderer()
    pictures = await asyncio.gather(*(renderer.png(small_note()) for _ in range(8)))
    assert len(set(pictures)) == 1
    assert len(drawings) == 1


async def test_palettes_and_widths_are_pictures_of_their_own(drawings: list[tuple[View, PictureStyle]]) -> None:
    """A viewer never gets another viewer's palette."""
    renderer = Renderer()
    for style in (PictureStyle(), PictureStyle("mono"), PictureStyle(width=500)):
        await renderer.png(small_market(), style)
    assert len(drawings) == 3


async def test_the_oldest_picture_is_forgotten_first(drawings: list[tuple[View, PictureStyle]]) -> None:
    """The memory is bounded by bytes; what was asked for lately stays."""
    market, note = cache.png(small_market(), PictureStyle()), cache.png(small_note(), PictureStyle())
    drawings.clear()
    renderer = Renderer(keep=len(market) + len(note))
    await renderer.png(small_market())
    await renderer.png(small_note())
    await renderer.png(small_market())
    await renderer.png(small_note(), PictureStyle("mono"))
    drawings.clear()
    await renderer.png(small_market())
    assert not drawings
    await renderer.png(small_note())
    assert len(drawings) == 1


async def test_a_caller_who_gives_up_does_not_spoil_it_for_others(drawings: list[tuple[View, PictureStyle]]) -> None:
    """A cancelled request leaves the drawing to those who still wait."""
    renderer = Renderer()
    impatient = asyncio.create_task(renderer.png(small_note()))
    patient = asyncio.create_task(renderer.png(small_note()))
    await asyncio.sleep(0)
    impatient.cancel()
    assert (await patient).startswith(b"\x89PNG")
    assert len(drawings) == 1


async def test_a_failure_is_reported_and_not_remembered(
    monkeypatch: pytest.MonkeyPatch, drawings: list[tuple[View, PictureStyle]]
) -> None:
    """The next request tries again."""
    renderer = Renderer()
    broken = paint.paint_png
    monkeypatch.setattr(paint, "paint_png", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await renderer.png(small_note())
    monkeypatch.setattr(paint, "paint_png", broken)
    assert (await renderer.png(small_note())).startswith(b"\x89PNG")
