"""Scenes as SVG: well formed, complete, and with the names of what they show."""

import re
from xml.etree import ElementTree

import msgspec
import pytest

from engine.view import MapView, Network, Note
from render import PictureStyle, svg
from render.cache import build_scene
from render.scene import Chip, Inset, Item, Label, Scene, flatten_items
from render.svg import FACES
from tests.render.positions import BIG, picture
from tests.support.sure import as_a

SPACE = "{http://www.w3.org/2000/svg}"


def _parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314  # our own


def _list_words(scene: Scene) -> list[str]:
    """Return all that is written in a scene, that of insets too."""
    words: list[str] = []
    for item, _ in flatten_items(scene.items):
        words += [item.text] if isinstance(item, Label) else item.lines if isinstance(item, Chip) else ()
        words += _list_words(item.scene) if isinstance(item, Inset) else ()
    return words


@pytest.mark.parametrize("name", sorted(name for name in BIG if "-late-" in name))
def test_every_word_of_a_scene_is_written(name: str) -> None:
    """All letters of a scene stand in its SVG, each in one of the faces a page has, and no coordinate is nonsense."""
    view = msgspec.structs.replace(BIG[name](), banner=None, title="")
    text = svg(view, PictureStyle())
    found = [node for node in _parse(text).iter() if node.tag == f"{SPACE}text"]
    scene = build_scene(view)
    near = [item.text for item, _ in flatten_items(scene.near) if isinstance(item, Label)]
    assert sorted(node.text or "" for node in found) == sorted(filter(None, (*_list_words(scene), *near)))
    assert all((node.get("class") or "").split()[0] in FACES.values() for node in found)
    assert not re.search(r"nan|inf[^o]|NaN|\d{7}", re.sub(r"<text.*?</text>", "", text))


@pytest.mark.parametrize("title", ["1860", "1862"])
def test_hexes_and_companies_bear_their_names(title: str) -> None:
    """A tap finds the hex and the company that it meets."""
    view = as_a(MapView, picture(title, "late", "map"))
    abouts = {node.get("data-a") for node in _parse(svg(view, PictureStyle())).iter()}
    assert {f"hex:{h.coord}" for h in view.hexes if h.coord and (h.ink != "sea" or h.stops)} <= abouts
    tokens = {token.company for h in view.hexes for stop in h.stops for token in stop.tokens if token}
    assert {f"company:{code}" for code in tokens} <= abouts


def test_places_bear_their_names() -> None:
    """On a map of places too, a tap finds what it meets."""
    view = as_a(Network, picture("steel_driver", "late", "map"))
    abouts = {node.get("data-a") for node in _parse(svg(view, PictureStyle())).iter()}
    assert {f"place:{place.id}" for place in view.places} <= abouts


def test_a_hostile_name_is_shown_letter_by_letter() -> None:
    """What people call themselves is text, never markup."""
    rude = 'Bob <i a="1">&x;</i>]]>'
    parsed = _parse(svg(Note(rude, "words", (rude,)), PictureStyle()))
    assert parsed.get("aria-label") == rude
    assert [node.text for node in parsed.iter(f"{SPACE}text")] == [rude]


def test_only_colours_of_sheets_can_be_shown_dark() -> None:
    """The colours of a map mean something and stay; those of a sheet are variables of the page."""
    assert "var(" not in svg(picture("1860", "late", "map"), PictureStyle())
    assert "var(--r-paper,#" in svg(picture("1860", "late", "table"), PictureStyle())


def test_what_is_too_small_is_shown_from_near_by_only() -> None:
    """Each hex has its coordinate and the number of its tile somewhere, and each name that found no room."""
    view = as_a(MapView, picture("1860", "late", "map"))
    parsed = _parse(svg(view, PictureStyle()))
    (near,) = (node for node in parsed.iter(f"{SPACE}g") if node.get("class") == "near")
    small = " ".join(node.text or "" for node in near.iter(f"{SPACE}text"))
    large = " ".join(node.text or "" for node in parsed.iter(f"{SPACE}text"))
    for h in view.hexes:
        if h.ink != "sea":
            assert h.coord in small or h.coord in large
            assert h.tile in small or h.tile in large


def test_groups_are_not_told_in_golden_texts() -> None:
    """A layer is a class of its own."""
    layers: set[str] = set()

    def gather(items: tuple[Item, ...]) -> None:
        for item in items:
            layers.add(getattr(item, "layer", ""))
            gather(getattr(item, "items", ()))

    view = as_a(MapView, picture("1860", "late", "map"))
    gather(build_scene(view).items)
    assert {"runs", "acting", "name-plate"} <= layers
    classes = {node.get("class") for node in _parse(svg(view, PictureStyle())).iter()}
    assert {"s name", "name-plate"} <= classes
