"""Every picture says what it is: the game, the table, what is shown, who acts; a result its headline first."""

import msgspec
import pytest

from engine import TITLES, Game, Request, Setup
from engine.view import Banner, MapView
from render.cache import build_scene
from render.scene import Chip, Disc, Item, Label, flatten_items
from render.theme import READABLE, load_theme, measure_contrast, measure_luminance, name_tinted_palette
from tests.render.collisions import rect
from tests.render.positions import NAMES, TABLE, choice, picture, state_at
from tests.render.samples import SMALL, small_board

SHOWN = [(title, name) for title in TITLES for name in ("map", "table")]


def list_items(items: tuple[Item, ...]) -> list[Item]:
    """Return all items of a picture, those in stamps too."""
    return [item for item, _ in flatten_items(items)]


@pytest.mark.parametrize(("title", "name"), SHOWN)
def test_the_picture_shows_the_game_and_the_current_player(title: str, name: str) -> None:
    """Game, table, what the game waits for, and who acts stand above every picture."""
    view = picture(title, "late", name)
    words = " ".join(item.text for item in list_items(build_scene(view).items) if isinstance(item, Label))
    assert TITLES[title].name.split(":")[0] in words
    assert TABLE in words
    assert view.banner is not None
    assert view.banner.who in NAMES
    assert f"▸ {view.banner.who}" in words


@pytest.mark.parametrize("kind", SMALL)
def test_a_banner_covers_nothing_and_is_whole(kind: str) -> None:
    """On a picture of every kind and shape, whatever table and players are called."""
    long = Banner("1862: Railway Mania", "A table with a name of forty signs", "x" * 60, "AB", "Bartholomew, " * 4)
    view = msgspec.structs.replace(SMALL[kind](), banner=long, headline="ECR ran for £1270")
    found = build_scene(view)
    high = found.height - build_scene(msgspec.structs.replace(view, banner=None, title="")).height
    head = [item for item in found.items if isinstance(item, Label | Chip)]
    frames = [rect(item) for item in head if isinstance(item, Label)]
    assert all(left >= 0 and right <= found.width and low <= high for left, _, right, low in frames)
    for k, a in enumerate(frames):
        for b in frames[k + 1 :]:
            assert min(a[2], b[2]) <= max(a[0], b[0]) or min(a[3], b[3]) <= max(a[1], b[1])
    assert "ECR ran for £1270" in [item.text for item in head if isinstance(item, Label)]


@pytest.mark.parametrize("table", ["Friday", "A table with a name of forty signs, or more"])
def test_the_leader_is_shown_in_full_or_not_at_all(table: str) -> None:
    """Between a long title and a long name of the table a shred of a name says nothing."""
    banner = Banner("Steel Driver", table, leads="Bartholomew leads")
    view = msgspec.structs.replace(SMALL["sheet"](), banner=banner, title="Goods within reach · turn 2 of 5, auctions")
    words = [item.text for item in list_items(build_scene(view).items) if isinstance(item, Label)]
    told = [each for each in words if "Bar" in each]
    assert told == (["· Bartholomew leads"] if table == "Friday" else [])


def test_a_run_is_reported_by_its_headline() -> None:
    """After a run the map says first what it earned."""
    view = picture("1862", "third", "map")
    for share in ("third", "late", "end"):
        view = picture("1862", share, "map")
        if isinstance(view, MapView) and view.lines:
            assert view.headline.split()[1:3] == ["ran", "for"]
    assert not Game.new(Setup("1862", 3)).look(Request("map")).headline


def test_tokens_of_the_company_that_acts_are_ringed() -> None:
    """All of them, and no others."""
    view = choice("1862", "Run")
    assert isinstance(view, MapView)
    assert view.banner is not None
    tokens = [t for h in view.hexes for stop in h.stops for t in stop.tokens if t and t.company == view.banner.company]
    whole = msgspec.structs.replace(view, close=False)
    rings = [item for item in list_items(build_scene(whole).items) if isinstance(item, Disc) and item.line == "acting"]
    assert len(rings) == len(tokens) > 1


def test_a_picture_without_a_banner_keeps_its_title() -> None:
    """What is drawn outside of a game."""
    assert "Three hexes" in [
        item.text for item in list_items(build_scene(small_board()).items) if isinstance(item, Label)
    ]


@pytest.mark.parametrize("title", TITLES)
def test_colours_of_a_title_can_be_read_and_stay_out_of_the_other_palettes(title: str) -> None:
    """Letters contrast by 4.5 on its paper, water and land; eyes that rely on a palette get that palette."""
    own = TITLES[title].views.identity
    theme = load_theme(name_tinted_palette("standard", own.colours))
    assert own.face
    assert theme.find_rgb("sea") != load_theme("standard").find_rgb("sea")
    for ink, ground in (("ink", "paper"), ("ink", "sea"), ("ink", "land"), ("ink", "country"), ("ink", "paper_2"),
                        ("ink_soft", "paper"), ("head_ink", "head"), ("head_who", "head"), ("sea_ink", "sea"),
                        ("hill", "land"), ("water", "land"), ("good", "paper"), ("bad", "paper")):  # fmt: skip
        assert measure_contrast(theme.find_rgb(ink), theme.find_rgb(ground)) >= READABLE, (ink, ground)
    assert measure_luminance(theme.find_rgb("land")) > measure_luminance(theme.find_rgb("yellow"))
    assert name_tinted_palette("deutan", own.colours) == "deutan"


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize(("moment", "word"), [("late", "ahead"), ("end", "won")])
def test_the_picture_shows_the_leading_player(title: str, moment: str, word: str) -> None:
    """Map, market and table name whoever is worth most, at the end the winner; the sheet of a company does not."""
    worth = TITLES[title].advice.worth(state_at(title, moment))
    ahead = NAMES[worth.index(max(worth))]
    for name in {"map", "market", "table"} & {each.name for each in TITLES[title].views.pictures}:
        banner = picture(title, moment, name).banner
        assert banner is not None
        assert banner.leads == f"{ahead} {word}"
    alone = picture(title, moment, "company").banner
    assert alone is not None
    assert alone.leads == ""


@pytest.mark.parametrize("title", TITLES)
def test_no_player_leads_when_all_are_equal(title: str) -> None:
    """At the start."""
    banner = picture(title, "start", "map").banner
    assert banner is not None
    assert banner.leads == ""


def test_a_chip_in_the_banner_of_a_part_of_a_map_is_as_readable_as_elsewhere() -> None:
    """Its unit is a hex side, of which the letters are a small part."""
    drawn = build_scene(choice("1862", "LayTile"))
    chip = next(item for item in drawn.items if isinstance(item, Chip))
    assert chip.size * 1600 / drawn.width > 30
