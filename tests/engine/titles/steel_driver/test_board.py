"""The board as data: what is shipped, and what is said about a board that cannot be played on."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.codec import decode_file, encode_file
from engine.errors import RuleError
from engine.game import Game
from engine.setup import Rng, Setup
from engine.titles.steel_driver import TITLE
from engine.titles.steel_driver.board import GOODS, BoardError, load_shipped_board, read_board
from engine.titles.steel_driver.rules import OPTIONS
from engine.titles.steel_driver.state import find_company, find_place
from tests.support.boards import TWO_COASTS as SMALL


def test_the_shipped_board_has_every_known_feature_of_the_printed_one() -> None:
    board = load_shipped_board()
    assert (len(board.places), len(board.routes), len(board.companies)) == (38, 87, 6)
    counts = [sum(place.goods == colour for place in board.places) for colour in range(len(GOODS))]
    assert dict(zip(GOODS, counts, strict=True)) == {"black": 12, "white": 12, "silver": 6, "orange": 5, "red": 3}
    assert {route.cost for route in board.routes} == {2, 3, 4, 5, 6}
    assert [board.places[end].id for end in board.ends] == ["san_francisco", "new_york"]


def test_the_shipped_board_fits_the_rulebooks_examples() -> None:
    board = load_shipped_board()
    named = {place.name: place for place in board.places}
    costs = {frozenset((board.places[r.a].name, board.places[r.b].name)): r.cost for r in board.routes}
    assert named["Baltimore"].start
    assert (named["Pittsburgh"].start, named["Pittsburgh"].value) == (False, 40)
    assert costs[frozenset(("Baltimore", "Pittsburgh"))] == 3
    assert costs[frozenset(("Denver", "Omaha"))] <= 5
    assert costs[frozenset(("Denver", "Kansas City"))] <= 5
    assert frozenset(("Buffalo", "New York")) in costs


def test_the_outline_lies_on_the_canvas_and_around_the_places() -> None:
    board = load_shipped_board()
    (outline,) = board.outlines
    assert len(outline) >= 60
    assert all(0 <= x <= board.width and 0 <= y <= board.height for x, y in outline)
    inland = [place for place in board.places if place.id in ("denver", "kansas_city", "atlanta", "salt_lake_city")]
    assert all(inside(outline, place.x, place.y) for place in inland)
    assert not inside(outline, 20, 600)


def inside(outline: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Return whether a point lies inside a closed line (crossings to the right)."""
    crossings = 0
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True):
        crossings += (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return crossings % 2 == 1


def test_the_lobby_says_that_the_board_is_a_reconstruction() -> None:
    (option,) = [option for option in OPTIONS if option.name == "board"]
    assert "reconstruction" in option.help
    assert "reconstruction" in option.describe_value("shipped")
    assert "econstruction" in load_shipped_board().note


def test_a_group_can_bring_its_own_board() -> None:
    board = read_board(SMALL, "small.toml")
    assert [place.name for place in board.places] == ["West", "Middle", "East"]
    assert board.starts == (0, 2)


def test_a_game_on_an_own_board_is_played_stored_and_replayed() -> None:
    setup = Setup("steel_driver", 3, {"board": f"custom:{SMALL}"}, 5)
    game, rng = Game.new(setup), Rng(1)
    while game.actors:
        seat = game.actors[0]
        game = game.play(seat, TITLE.advice.choose(game.state, seat, rng)).game
    assert game.state.board.name == "Two coasts"
    again = Game.replay(*decode_file(encode_file(setup, game.log)))
    assert again.state == game.state
    assert again.result() == game.result()


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        ("value = 20", 'value = "20"', "places.middle.value", "expected `int`, got `str`"),
        ("value = 20", "value = 25", "places.middle", "a value must be 0, 10, 20"),
        ("value = 20", "value = 210", "places.middle", "a value must be 0, 10, 20"),
        ("value = 20, ", "", "places.middle", "missing required field `value`"),
        ('shape = "circle"', 'shape = "star"', "places.middle.shape", "invalid enum value 'star'"),
        ('goods = "white"', 'goods = "pink"', "places.middle.goods", "invalid enum value 'pink'"),
        ("x = 100", "x = 300", "places.middle", "outside the canvas"),
        ("x = 100", "x = nan", "places.middle", "outside the canvas"),
        ('name = "Middle"', 'name = "West"', "places", "two places have the same name"),
        ('name = "Middle"', 'name = "@everyone"', "places.middle.name", "plain characters"),
        ('name = "Middle"', 'colour = "blue", name = "Middle"', "places.middle", "unknown field `colour`"),
        ("middle = {", "Middle = {", "places.Middle", "lower-case letters"),
        ("west-middle = 3", "west-middle = 0", "routes.west-middle", "a cost must be 1 to 60"),
        ("west-middle = 3", 'west-middle = "3"', "routes.west-middle", "expected `int`, got `str`"),
        ("west-middle = 3", "west-mars = 3", "routes.west-mars", "there is no place 'mars'"),
        ("west-middle = 3", "west-west = 3", "routes.west-west", "two different places"),
        ("west-middle = 3", "westmiddle = 3", "routes.westmiddle", "a dash between"),
        ("west-middle = 3", "west-middle = 3\nmiddle-west = 3", "routes.middle-west", "already has a route"),
        ("west-middle = 3\n", "", "places.west", "no route leads there"),
        ('"west", "east"', '"west", "west"', "ends", "must differ"),
        ('"west", "east"', '"west", "mars"', "ends", "no place 'mars'"),
        ('shape = "hexagon"', 'shape = "circle"', "places", "at least one shape must be a hexagon"),
        (
            'black = { name = "Black", code = "K", colour = "#212121" }\n',
            "",
            "companies",
            "there are 5; there should be 6",
        ),
        ('code = "K"', 'code = "R"', "companies", "same code"),
        ('code = "K"', f'code = "K", emblem = "{"x" * 25}"', "companies.black", "emblem is too long"),
        ('name = "Black"', 'name = "Red"', "companies", "same name"),
        ("#212121", "#21", "companies.black", "a colour such as"),
        ("steel-driver-board/1", "steel-driver-board/9", "format", "should be 'steel-driver-board/1'"),
        ("width = 200", "width = inf", "canvas", "100 to 5000"),
        ("width = 200", "width = 5001", "canvas", "100 to 5000"),
        ("height = 100", "height = 99", "canvas", "100 to 5000"),
        ("west-middle = 3", "west-middle = 3 3", "", "it isn't valid TOML"),
        ("[routes]", f"[routes]\nz = {'[' * 3000}", "line 21", "more than 6 deep"),
        ("[routes]", "[routes]\nz = 1979-05-27", "routes.z", "a dash between"),
        ('name = "Middle"', 'name = "[click](https://evil.example)"', "places.middle.name", "plain characters"),
        ('name = "Two coasts"', 'name = "Two coasts"\nnote = "https://evil.example"', "note", "plain characters"),
        ("[routes]", "[land]\noutlines = [[]]\n[routes]", "land.outlines[0]", "it has 0 points"),
        ("[routes]", "[land]\noutlines = [[[1, 1]]]\n[routes]", "land.outlines[0]", "it has 1 points"),
        ("[routes]", "[land]\noutlines = [[[1, 1], [2, nan], [3, 1]]]\n[routes]", "land.outlines[0]", "far outside"),
        ("[routes]", "[land]\noutlines = [[[1, 1], [2, inf], [3, 1]]]\n[routes]", "land.outlines[0]", "far outside"),
        ("[routes]", "[land]\noutlines = [[[-201, 0], [2, 1], [3, 1]]]\n[routes]", "land.outlines[0]", "far outside"),
        ("[routes]", "[land]\noutlines = [[[401, 0], [2, 1], [3, 1]]]\n[routes]", "land.outlines[0]", "far outside"),
        ("[routes]", "[land]\noutlines = [[[0, 201], [2, 1], [3, 1]]]\n[routes]", "land.outlines[0]", "far outside"),
        ("[routes]", "z = ]\ny = [[[[[[1]]]]]]\n[routes]", "", "it isn't valid TOML"),
        ("x = 100", "x = 189", "places.east", "it lies too close to middle; places must be at least 2 apart"),
        ('name = "Red"', 'name = "Yellow "', "companies.red.name", "plain characters"),
        ('name = "Red"', 'name = "Green"', "companies", "same name"),
        (
            'name = "Red", code = "R"',
            'name = "R", code = "blue"',
            "companies.red",
            "'blue' would also mean companies.blue",
        ),
        ('name = "Red"', 'name = "G"', "companies.green", "'G' would also mean companies.red"),
        ('name = "Middle"', 'name = "East"', "places", "two places have the same name"),
        ("west-middle = 3", f"west-middle = 0x{'f' * 60_000}", "line 21", "the limit for a line is 4000"),
        ("west-middle = 3", f"west-middle = 0x{'f' * 3_000}", "line 21", "has 3002 characters; the limit is 80"),
        ("west-middle = 3", f"west-middle = {'9' * 70}", "routes.west-middle", "a cost must be 1 to 60"),
        ("west-middle = 3", f"{'9' * 3_000} = 3", "line 21", "has 3000 characters; the limit is 80"),
        ("west-middle = 3", f"{'a.' * 1_900}b = 3", "line 21", "more than 3 dots"),
        ("west-middle = 3", f"{'a . ' * 900}b = 3", "line 21", "more than 3 dots"),
        ("west-middle = 3", "'a'.\"b\".c.d.e = 3", "line 21", "more than 3 dots"),
        ("[routes]", f"[{'a.' * 1_900}b]\n[routes]", "line 20", "more than 3 dots"),
        ("west-middle = 3", '"' + '\\"' * 1_900, "line 21", "a text has"),
        ("west-middle = 3", 'x = """\ny', "line 21", "must end on its line"),
        ("west-middle = 3", "\n".join(f"k{number} = 1" for number in range(1_600)), "line 1169", "more than 1200 keys"),
        ("west-middle = 3", "\n".join(f"[k{number}]" for number in range(300)), "line 168", "more than 150 tables"),
        ("[routes]", "[land]\noutlines = [\n" + "[[1, 1]],\n" * 2_000 + "]\n[routes]", "line 1764", "3500 brackets"),
        ("west-middle = 3", "\n".join(f"k{number}-x = 1" for number in range(300)), "routes", "the limit is 250"),
        ('name = "Two coasts"', "", "", "missing required field `name`"),
        ('name = "Two coasts"', f'name = "Two coasts"\nnote = "{"x" * 301}"', "note", "up to 300"),
        ("[routes]", f"#{'x' * 70_000}\n[routes]", "", "the limit is 65536"),
    ],
)
def test_a_board_that_cannot_be_played_on_names_file_place_and_reason(
    old: str, new: str, place: str, reason: str
) -> None:
    assert old in SMALL
    with pytest.raises(BoardError) as caught:
        read_board(SMALL.replace(old, new), "mine.toml")
    assert (caught.value.file, caught.value.place) == ("mine.toml", place)
    assert reason in caught.value.reason
    assert str(caught.value).startswith("mine.toml")


def test_unconnected_places_are_refused() -> None:
    island = 'isle = { name = "Isle", x = 5, y = 5, shape = "circle", value = 0, goods = "white" }\n'
    islet = island.replace("isle", "islet").replace("Isle", "Islet").replace("x = 5", "x = 15")
    text = SMALL.replace("[routes]", f"{island}{islet}[routes]\nisle-islet = 2")
    with pytest.raises(BoardError, match="can't be reached"):
        read_board(text, "mine.toml")


@pytest.mark.parametrize(("goods", "cubes"), [("black", 12), ("white", 60), ("silver", 6), ("orange", 5), ("red", 3)])
def test_a_colour_has_as_many_places_as_cubes_at_most(goods: str, cubes: int) -> None:
    """Goods cubes: a cube of its colour goes to every location; the white ones are the investment cubes."""

    def board(count: int) -> str:
        more = range(count - SMALL.count(f'goods = "{goods}"'))
        circle = 'shape = "circle", value = 10, goods'
        places = "".join(f'p{i} = {{ name = "P{i}", x = {60 * i}, y = 500, {circle} = "{goods}" }}\n' for i in more)
        routes = "".join(f"west-p{i} = 2\n" for i in more)
        wide = SMALL.replace("width = 200, height = 100", "width = 5000, height = 1000")
        for at in (190, 100, 10):
            wide = wide.replace(f"x = {at},", f"x = {10 * at},")
        return wide.replace("[routes]", f"{places}[routes]\n{routes}")

    assert len(read_board(board(cubes), "mine.toml").places) >= cubes
    with pytest.raises(BoardError, match=f"{cubes + 1} places have {goods} goods; there are {cubes} cubes"):
        read_board(board(cubes + 1), "mine.toml")


def test_a_bad_board_is_refused_at_the_table_as_a_rule() -> None:
    with pytest.raises(RuleError, match="your board, ends"):
        TITLE.deal(Setup("steel_driver", 3, {"board": "custom:" + SMALL.replace('"east"]', '"west"]')}))


def test_ids_are_understood_before_codes_and_names() -> None:
    """A name that is another's id is refused; an id always means its own."""
    state = TITLE.deal(Setup("steel_driver", 3, {"board": f"custom:{SMALL}"}))
    brands = tuple(msgspec.structs.replace(brand, name="black", code="black") for brand in state.board.companies[:1])
    state.board = msgspec.structs.replace(state.board, companies=brands + state.board.companies[1:])
    assert find_company(state, "black") == 5
    assert find_company(state, " RED ") == 0
    places = (msgspec.structs.replace(state.board.places[0], name="East"), *state.board.places[1:])
    state.board = msgspec.structs.replace(state.board, places=places)
    assert find_place(state, "east") == 2
    assert find_place(state, "nowhere") == find_company(state, "nowhere") == -1


def test_a_place_may_not_be_called_by_the_id_of_another() -> None:
    text = SMALL.replace('name = "Middle"', 'name = "east"').replace('name = "East"', 'name = "Eastern"')
    with pytest.raises(BoardError, match=r"mine\.toml, places\.middle: 'east' would also mean places\.east"):
        read_board(text, "mine.toml")


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="ab.=[]{}\"'\\,\n 019-_#nai", max_size=300), st.integers(0, len(SMALL)), st.integers(0, len(SMALL))
)
def test_whatever_stands_in_a_file_is_refused_or_read(noise: str, start: int, end: int) -> None:
    text = SMALL[: min(start, end)] + noise + SMALL[max(start, end) :]
    said = ""
    try:
        assert len(read_board(text, "mine.toml").companies) == 6
    except BoardError as error:
        said = str(error)
    assert not said or said.startswith("mine.toml")
    assert len(said) < 500


@pytest.mark.parametrize(
    ("cost", "emblem", "wrong"), [(1, 24, ""), (60, 24, ""), (0, 24, "1 to 60"), (61, 24, "1 to 60"), (1, 25, "emblem")]
)
def test_the_limits_of_a_board_are_allowed_themselves(cost: int, emblem: int, wrong: str) -> None:
    text = re.sub(r"^(west-middle *= *)\d+", rf"\g<1>{cost}", SMALL, count=1, flags=re.MULTILINE)
    text = text.replace('code = "', f'emblem = "{"e" * emblem}", code = "', 1)
    assert text != SMALL
    if not wrong:
        assert cost in {route.cost for route in read_board(text).routes}
        return
    with pytest.raises(BoardError, match=wrong):
        read_board(text)


@pytest.mark.parametrize(
    ("said", "most"),
    [('name = "Two coasts"', 60), ('name = "Middle"', 24), ('name = "Black"', 24), ('code = "K"', 4)],
)
def test_names_and_codes_have_so_many_signs_at_most(said: str, most: int) -> None:
    what = said.partition(" ")[0]
    read_board(SMALL.replace(said, f'{what} = "{"N" * most}"'))
    with pytest.raises(BoardError, match=f"it must have 1 to {most} plain characters"):
        read_board(SMALL.replace(said, f'{what} = "{"N" * (most + 1)}"'))


def test_land_may_reach_a_canvas_beyond_each_edge() -> None:
    outline = ((-200, -100), (400, 0), (0, 200))
    text = SMALL.replace("[routes]", f"[land]\noutlines = [{[list(point) for point in outline]}]\n[routes]")
    assert read_board(text).outlines == (outline,)


@pytest.mark.parametrize("more", [0, 1])
def test_a_note_has_three_hundred_characters_and_land_three_thousand_points_at_most(more: int) -> None:
    noted = SMALL.replace('name = "Two coasts"', f'name = "Two coasts"\nnote = "{"x" * (300 + more)}"')
    points = ",\n".join(["[1, 1]"] * (3000 + more))
    outlined = SMALL.replace("[routes]", f"[land]\noutlines = [[\n{points}\n]]\n[routes]")
    if not more:
        assert (len(read_board(noted).note), len(read_board(outlined).outlines[0])) == (300, 3000)
        return
    for text, told in ((noted, "up to 300 plain characters"), (outlined, "the limit for all outlines is 3000 points")):
        with pytest.raises(BoardError, match=told):
            read_board(text)
