"""Names for which their own hex has no room stand beside it, clear of everything."""

import pytest

from engine.hex_view import HexView
from engine.view import MapView
from render.cache import build_scene
from render.geometry import find_centre
from render.hexes.board import gather_area_values
from render.hexes.leaders import place_strayed_names
from render.hexes.tile import draw_hex
from render.scene import Label, flatten_items
from tests.render.collisions import Drawn, Rect, rect
from tests.render.positions import HEX_MAPS
from tests.support.sure import as_a


def _around(hexes: tuple[HexView, ...], label: Label) -> list[tuple[HexView, Rect]]:
    """Return the hexes near a label, with its frame as seen from the middle of each."""
    left, top, right, low = rect(label)
    found: list[tuple[HexView, Rect]] = []
    for h in hexes:
        cx, cy = find_centre(h.x, h.y, h.layout)
        if abs(label.x - cx) < 2 and abs(label.y - cy) < 2:
            found.append((h, (left - cx, top - cy, right - cx, low - cy)))
    return found


@pytest.mark.parametrize(("name", "nowhere"), [("1860-end-map", 0), ("1862-late-map", 3)])
def test_a_name_without_room_stands_beside_its_hex(name: str, nowhere: int) -> None:
    """Off every track, disc, plate and label of all hexes around, with a line to its stop if it is on another hex.

    Where everything around is built over, a name may stand nowhere: three of 1862 then, told below the map.
    """
    board = as_a(MapView, HEX_MAPS[name]())
    hexes = gather_area_values(board.hexes)
    arts = {h: draw_hex(h, board.brands, "standard") for h in hexes}
    left_out = [h for h in hexes if h.name in arts[h].missing]
    found = place_strayed_names(hexes, arts, ())
    assert len(left_out) >= 5
    assert len(found.missing) <= nowhere
    labels = [label for label in found.names if isinstance(label, Label)]
    assert len(labels) >= len(left_out) - len(found.missing)
    for label in labels:
        for h, frame in _around(hexes, label):
            own = Label((frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2, label.text, label.size, face=label.face)
            drawn = Drawn((*arts[h].items, own))
            assert not [fault for fault in drawn.faults() if label.text in fault], (label.text, h.coord)
    assert found.lines
    texts = "".join(
        "".join(item.text.split()) for item, _ in flatten_items(build_scene(board).items) if isinstance(item, Label)
    )
    assert not [h.name for h in hexes if "".join(h.name.split()) not in texts], "every name is in the picture"
    assert ("Noroomonthemapfor:" in texts) == bool(found.missing)


def test_a_name_keeps_off_frames_on_the_map() -> None:
    """Title, legend and compass are never covered: if all of the map is kept, no name strays."""
    board = as_a(MapView, HEX_MAPS["1860-end-map"]())
    arts = {h: draw_hex(h, board.brands, "standard") for h in board.hexes}
    found = place_strayed_names(board.hexes, arts, [(-99.0, -99.0, 99.0, 99.0)])
    assert not found.names
    assert len(found.missing) == len([h for h in board.hexes if h.name in arts[h].missing])
