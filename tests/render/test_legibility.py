"""What must be readable on a phone, where a picture 1600 pixels wide is shown 400 wide."""

import math
from collections.abc import Iterator

import msgspec
import pytest

from engine import Game, Request, Setup
from engine.setup import OwnFile
from engine.view import MapView, MarketView, Network, Panels, View
from render import fonts
from render.cache import build_scene
from render.geometry import find_point_at
from render.places.layout import NAME, RADIUS, STEP, NameBox, lay_out
from render.places.network import HEAD_ROOM
from render.places.spread import Frame
from render.scene import CAP, Box, Chip, Curve, Disc, Inset, Item, Label, Stamp, flatten_items
from tests.render.names import MIN_CAPITAL
from tests.render.positions import BIG, MOMENTS, choice, picture
from tests.support.boards import write_crowded_board
from tests.support.sure import as_a

PHONE = 400


def _flat(items: tuple[Item, ...], scale: float = 1.0) -> Iterator[tuple[Item, float]]:
    for item in items:
        if isinstance(item, Stamp):
            yield from _flat(item.items, scale)
        elif isinstance(item, Inset):
            yield from _flat(item.scene.items, scale * item.width / item.scene.width)
        else:
            yield item, scale


def on_phone(view: View) -> Iterator[tuple[str, float]]:
    """Return the labels and chips of a picture with the size of their letters on a phone."""
    the_scene = build_scene(view)
    for item, scale in _flat(the_scene.items):
        if isinstance(item, Label):
            yield item.text, item.size * scale * PHONE / the_scene.width
        elif isinstance(item, Chip):
            yield "".join(item.lines), item.size * scale * PHONE / the_scene.width


def test_letters_and_values_of_the_map_can_be_read_on_a_phone() -> None:
    """36 pixels in the source are 9 on the phone: edges, letters, costs, most values."""
    sizes = list(on_phone(picture("1860", "start", "map")))
    for wanted in ("A", "L", "1", "13", "B", "60", "30"):
        assert max(size for text, size in sizes if text == wanted) >= 9
    values = [size for text, size in on_phone(picture("1860", "late", "map")) if text in ("10", "20", "30", "40", "50")]
    assert sum(size >= 9 for size in values) > len(values) * 0.6
    assert min(values) >= 6


def test_names_and_tokens_of_the_map_can_be_made_out() -> None:
    """5 pixels are the least for what the coordinate and a tap tell as well."""
    view = as_a(MapView, picture("1860", "start", "map"))
    sizes = dict(on_phone(view))
    assert min(sizes[h.name] for h in view.hexes if h.name in sizes) >= 4.2
    assert sizes["Chale"] >= 6
    assert sizes["FYN"] >= 5.5


def test_prices_and_chips_of_the_market_can_be_read_on_a_phone() -> None:
    """Prices 10 pixels, codes of five letters 6.5."""
    view = as_a(MarketView, picture("1860", "late", "market"))
    sizes = dict(on_phone(view))
    assert sizes["340"] >= 10
    there = {code for cell in view.cells for code in cell.tokens}
    assert len(there) >= 4
    assert min(sizes[code] for code in there) >= 6.5


@pytest.mark.parametrize("moment", ["start", "late", "end"])
def test_the_map_of_1862_can_be_read_on_a_phone(moment: str) -> None:
    """Its 20 x 15 hexes are smaller: values 7 pixels, nothing below 4.5."""
    view = as_a(MapView, picture("1862", moment, "map"))
    sizes = list(on_phone(view))
    values = [size for text, size in sizes if text in ("20", "30", "40", "50", "60", "80")]
    assert len(values) >= 10
    assert sorted(values)[len(values) // 2] >= 7
    assert min(size for _, size in sizes) >= 4.4
    names = {h.name for h in view.hexes if h.name}
    assert min(size for text, size in sizes if text in names) >= 4.4


def test_the_market_of_1862_can_be_read_on_a_phone() -> None:
    """Codes of up to four letters 6.5 pixels, prices 6.5."""
    assert min(size for _, size in on_phone(picture("1862", "late", "market"))) >= 6.4


SHEETS = [name for name in BIG if name.endswith(("-table", "-company", "-player", "-trains", "-order", "-goods"))]


@pytest.mark.parametrize("name", SHEETS)
def test_words_of_sheets_can_be_read_on_a_phone(name: str) -> None:
    """28 pixels of 1200 are 9 on the phone."""
    sizes = sorted(size for _, size in on_phone(BIG[name]()))
    assert sizes[len(sizes) // 8] >= 8.5


@pytest.mark.parametrize("title", ["1860", "1862"])
def test_captions_of_panels_can_be_read_on_a_phone(title: str) -> None:
    """Captions and letters of the tiles to choose from."""
    view = as_a(Panels, choice(title, "LayTile", narrow=True))
    words = {word for panel in view.panels for word in (panel.caption, panel.letter)}
    sizes = [size for text, size in on_phone(view) if text in words]
    assert len(sizes) >= len(view.panels)
    assert min(sizes) >= 8.5


def test_values_of_the_network_can_be_read_on_a_phone() -> None:
    """The worth of a place is what a link is built for."""
    assert (
        min(size for text, size in on_phone(picture("steel_driver", "late", "map")) if text in ("20", "30", "40", "50"))
        >= 9
    )


@pytest.mark.parametrize("name", BIG)
def test_nothing_lies_outside_the_picture(name: str) -> None:
    """No label, chip or box leaves the frame."""
    from tests.render.collisions import rect

    the_scene = build_scene(BIG[name]())
    slack = the_scene.width * 0.004
    for item, (x, y) in flatten_items(the_scene.items):
        if isinstance(item, Label):
            left, top, right, low = rect(item)
        elif isinstance(item, Chip):
            left, top = item.x - item.width / 2, item.y - item.height / 2
            right, low = left + item.width, top + item.height
        elif isinstance(item, Disc):
            left, top, right, low = item.x - item.r, item.y - item.r, item.x + item.r, item.y + item.r
        elif isinstance(item, Box):
            left, top, right, low = item.x, item.y, item.x + item.width, item.y + item.height
        else:
            continue
        assert left + x >= -slack, item
        assert right + x <= the_scene.width + slack, item
        assert top + y >= -slack, item
        assert low + y <= the_scene.height + slack, item


@pytest.mark.parametrize("moment", MOMENTS)
def test_labels_of_the_network_cover_no_place(moment: str) -> None:
    """Names stay off the places and the chips of companies, off one another, and on track they hide what they cover."""
    from tests.render.collisions import rect

    view = msgspec.structs.replace(as_a(Network, picture("steel_driver", moment, "map")), banner=None)
    ((stamp,),) = (build_scene(msgspec.structs.replace(view, title="")).items,)
    items = [item for item, _ in flatten_items(as_a(Stamp, stamp).items)]
    discs = [item for item in items if isinstance(item, Disc) and item.r == 31]
    labels = [item for item in items if isinstance(item, Label) and item.halo == "country"]
    assert sorted("".join(p.name.split()) for p in view.places) == sorted(_join_names(labels))
    names = [rect(item) for item in labels]
    tracks = [item.points for item in items if isinstance(item, Curve) and item.width == 17 and len(item.points) == 2]
    first = min(k for k, item in enumerate(items) if isinstance(item, Disc | Label))
    last = max(k for k, item in enumerate(items) if isinstance(item, Curve) and item.width == 17) if tracks else 0
    plates = [item for k, item in enumerate(items) if last < k < first and isinstance(item, Box)]
    for k, (left, top, right, low) in enumerate(names):
        for disc in discs:
            dx, dy = max(left - disc.x, 0, disc.x - right), max(top - disc.y, 0, disc.y - low)
            assert dx**2 + dy**2 > 27**2
        for chip in (item for item in items if isinstance(item, Chip)):
            wide = min(right, chip.x + chip.width / 2) - max(left, chip.x - chip.width / 2)
            high = min(low, chip.y + chip.height / 2) - max(top, chip.y - chip.height / 2)
            assert min(wide, high) < 8, (chip.lines, left, top)  # rims may touch
        for other in names[k + 1 :]:
            assert min(right, other[2]) - max(left, other[0]) < 4 or min(low, other[3]) - max(top, other[1]) < 4
        hidden = any(p.x < left and p.y < top and p.x + p.width > right and p.y + p.height > low for p in plates)
        frame = Frame((left + right) / 2, (top + low) / 2, right - left, low - top)
        assert hidden or not any(
            frame.measure_distance(find_point_at(line, t / 64)) < 8 for line in tracks for t in range(65)
        )


def test_an_own_board_of_sixty_places_with_long_names_can_be_read_on_a_phone() -> None:
    """Without land; capitals of 5 pixels, no name on another, on a place, a cost, or the goods of a place."""
    board = OwnFile("plains.toml", write_crowded_board())
    game = Game.new(Setup("steel_driver", 3, seed=1, options={"board": board.value}))
    view = as_a(Network, game.look(Request("map")))
    spots, badges = (lay_out(view).spots, lay_out(view).badges)
    names = [line for spot in spots.values() for line in _frame_lines(spot.name)]
    costs = [Frame(badge.x, badge.y, 33, 33) for badge in badges]
    goods = [Frame(*spot.cube, 32, 32) for spot in spots.values()]
    for k, name in enumerate(names):
        assert not [other for other in (*names[k + 1 :], *costs, *goods) if _is_covered(name, other)], name
        assert all(name.measure_distance(spot.at) > RADIUS - 3 for spot in spots.values()), name
        assert name.y - name.height / 2 > HEAD_ROOM
    assert min(size for text, size in on_phone(view) if text == "Upper") * CAP >= MIN_CAPITAL


def _frame_lines(name: NameBox) -> list[Frame]:
    """Return the frames of the capitals of each line of a name."""
    middle, count = name.frame, len(name.lines)
    return [
        Frame(middle.x, middle.y + (k - (count - 1) / 2) * STEP, fonts.measure_text(line, NAME, "semi"), NAME * CAP)
        for k, line in enumerate(name.lines)
    ]


def _is_covered(one: Frame, other: Frame) -> bool:
    """Return whether two frames share more than their rims."""
    wide = (one.width + other.width) / 2 - abs(one.x - other.x)
    return wide > 4 and (one.height + other.height) / 2 - abs(one.y - other.y) > 4


def _join_names(labels: list[Label]) -> list[str]:
    """Return names without their blanks; the two lines of one follow each other, in the order of the places."""
    joined: list[str] = []
    for label, before in zip(labels, [None, *labels], strict=False):
        same = before and label.x == before.x and 0 < label.y - before.y < 40
        text = "".join(label.text.split())
        joined = [*joined[:-1], joined[-1] + text] if same else [*joined, text]
    return joined


def test_the_sea_of_a_network_has_its_name_and_a_compass() -> None:
    """In the same empty places whatever is built; nothing else stands there."""
    frames = set()
    for moment in MOMENTS:
        view = as_a(Network, picture("steel_driver", moment, "map"))
        items = list(flatten_items(build_scene(view).items))
        words = [(item, at) for item, at in items if isinstance(item, Label) and item.face == "woodtype"][1:]
        assert [item.text for item, _ in words] == list(view.land)
        (north, (ox, oy)) = next((item, at) for item, at in items if isinstance(item, Label) and item.text == "N")
        frames.add((words[0][1], round(ox + north.x), round(oy + north.y)))
    assert len(frames) == 1


def test_on_a_board_without_land_its_name_and_compass_keep_off_the_links() -> None:
    """A board of one's own may have no outline: then all of it is sea."""
    view = as_a(Network, picture("steel_driver", "late", "map"))
    items = list(flatten_items(build_scene(msgspec.structs.replace(view, outlines=(), banner=None)).items))
    links = [
        ((item.points[0][0] + x, item.points[0][1] + y), (item.points[1][0] + x, item.points[1][1] + y))
        for item, (x, y) in items
        if isinstance(item, Curve) and item.colour == "link" and len(item.points) == 2
    ]
    assert len(links) > 20
    plates = [(item, at) for item, at in items if isinstance(item, Box) and item.fill == "shoal_1"]
    for plate, (x, y) in plates:
        frame = Frame(x + plate.x + plate.width / 2, y + plate.y + plate.height / 2, plate.width, plate.height)
        assert not any(frame.measure_distance(find_point_at(link, k / 64)) < 8 for link in links for k in range(65))
    compass = [(item.x + x, item.y + y) for item, (x, y) in items if isinstance(item, Label) and item.text == "N"]
    for at in compass:
        assert not any(math.dist(at, find_point_at(link, k / 64)) < 40 for link in links for k in range(65))
    assert plates or compass
