"""The desk without Discord: paths, screens, custom ids."""

import contextlib
import re
import string
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.errors import BotError
from bot.model.records import Home, Position, Seat, Table
from bot.model.standing import Standing
from bot.screens.desk import Desk, build_desk_after, follow, read_action
from bot.screens.desk_buttons import make_openers, make_quick_buttons
from bot.screens.desk_menus import MAX_SHORT_LABEL, find_common_amounts
from bot.screens.desk_screens import make_screen
from bot.screens.screen import MAX_NUMBER, Control, Screen, clip, make_mark, read_custom_id, write_custom_id
from bot.screens.text import quote_typed, read_typed
from bot.service.workers.choices import Advised, find_marks
from engine import TITLES, Action, Game, Rng, Setup
from engine.codec import encode_action
from engine.finance.rounds import Pass
from engine.hex_view import HexView
from engine.title import insert_names
from engine.view import MapView, Panel, Panels
from tests.playthroughs.record import read

NAMES = ("Ann", "Ben", "Cat", "Dan")
WORDS = string.ascii_lowercase + string.digits + ".-=~*"


def desk_of(game: Game) -> Desk:
    """Seat someone at the desk of a game."""
    seat = game.actors[0]
    advised = Advised(len(game.log), seat, tuple(game.tips(seat)))
    return Desk(7, NAMES[: game.setup.seats], game, seat, game.legal(seat), advised)


def position_of(game: Game) -> Position:
    """Return the position of table 7, whose desk it is."""
    seats = tuple(Seat(number, str(number), name) for number, name in enumerate(NAMES[: game.setup.seats]))
    table = Table(
        7, "T", game.setup.title, dict(game.setup.options), 1, 1, len(seats), "0", "running", "daily", "open",
        "random", Home(), 0, 0, seats=seats,
    )  # fmt: skip
    return Position(table, Standing.of(game), len(game.log))


@given(
    st.integers(0, MAX_NUMBER), st.integers(0, MAX_NUMBER), st.sampled_from(["at", "do"]), st.text(WORDS, max_size=60)
)
def test_a_control_survives_the_wire(game: int, version: int, verb: str, arg: str) -> None:
    control = Control(game, version, verb, arg)
    assert read_custom_id(write_custom_id(control)) == control


@given(st.text(max_size=120))
def test_any_text_may_come_as_a_custom_id(text: str) -> None:
    control = read_custom_id(text)
    assert control is None or write_custom_id(control) == text


def screens(desk: Desk, path: str = "", depth: int = 0) -> list[Screen]:
    """Return all screens that can be reached from one, a few of each kind."""
    shown = make_screen(desk, path)
    found = [shown]
    choices = [
        menu for menu in shown.menus if menu.control.verb == "pick" and "=" not in path
    ]  # what is edited is text
    menus = [f"{menu.control.arg.partition('/')[0]}.{option.value}" for menu in choices for option in menu.options]
    steps = [
        b.control.arg for row in shown.rows for b in row if b.control.verb == "at" and len(b.control.arg) > len(path)
    ]
    for step in [*menus[:2], *menus[-1:], *steps[:3]]:
        if depth < 4:
            found += screens(desk, step, depth + 1)
    return found


@pytest.mark.parametrize("title", [*TITLES, "toy"])
def test_every_screen_of_a_game_leads_to_a_legal_move(title: str) -> None:
    """Random games: each path of the desk ends in a check with Confirm, within Discord's limits."""
    game, rng = Game.new(Setup(title, TITLES[title].seats[0], {}, 5)), Rng(5)
    for turn in range(300):
        if not game.actors:
            break
        if turn % 30 == 0:
            check_screens(desk_of(game))
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game


def check_screens(desk: Desk) -> None:
    for shown in screens(desk):
        labels = [button.label for row in shown.rows for button in row]
        assert all(0 < len(label) <= 80 for label in labels)
        assert all(len(row) <= 5 for row in shown.rows)
        assert all(len(menu.options) <= 25 for menu in shown.menus)
        assert 1 + len(shown.pictures) * 2 + 2 * len(shown.menus) + sum(1 + len(row) for row in shown.rows) <= 40
        ids = [write_custom_id(button.control) for row in shown.rows for button in row]
        assert len(set(ids)) == len(ids)
        _check_words(shown)
        confirm = [b for row in shown.rows for b in row if b.label == "Confirm"]
        for button in confirm:
            path, _, sign = button.control.arg.rpartition("~")
            action = desk.advised.resolve(read_action(desk.game, desk.legal, desk.follow(path)))
            assert make_mark(action) == sign
            assert action in desk.legal or action.verb in desk.game.title.open_verbs


def _check_words(shown: Screen) -> None:
    """Check that no two lines of a menu are alike, none stands on a button too, and none is cut in the middle."""
    labels = {button.label for row in shown.rows for button in row}
    for menu in shown.menus:
        assert len({(option.label, option.detail) for option in menu.options}) == len(menu.options), menu
        if menu.control.verb == "pick":
            assert labels.isdisjoint(option.label for option in menu.options), menu
        labels |= {option.label for option in menu.options}
    assert not [label for label in labels if label.endswith("…") and len(label) == MAX_SHORT_LABEL]


@pytest.mark.parametrize(
    ("name", "count", "verb"), [("1862-4", 121, "merge"), ("1862-4", 616, "merge"), ("1860-3", 108, "sell")]
)
def test_choices_of_late_games_can_be_told_apart_and_are_whole(name: str, count: int, verb: str) -> None:
    """Mergers say who survives; private companies are named as shortly as need be."""
    kept = read(name)
    game = Game.replay(kept.setup, kept.read_log()[:count])
    for path in ("", verb):
        _check_words(make_screen(desk_of(game), path))


def test_after_a_tile_the_step_after_the_next_is_offered_too() -> None:
    """The "No more track" between is implied: §7.5's second tile is declined by choosing a train."""
    kept = read("1862-3")
    game = Game.replay(kept.setup, kept.read_log()[:82])
    desk = desk_of(game)
    shown = make_screen(desk, "tile.0")
    menu = next(menu for menu in shown.menus if menu.control.verb == "then")
    option = next(option for option in menu.options if option.value.startswith("!train."))
    laid = read_action(game, desk.legal, desk.follow("tile.0"))
    after = build_desk_after(1, ("Ann", "Ben", "Cid"), game, desk.seat, (encode(laid), encode(Pass())))
    train = read_action(after.game, after.legal, after.follow(option.value.removeprefix("!")))
    assert after.label(train, "menu").startswith(option.label)


def encode(action: Action) -> str:
    return encode_action(action).decode()


@given(st.text(WORDS, max_size=30))
def test_a_path_leads_somewhere_or_is_refused(path: str) -> None:
    desk = desk_of(Game.new(Setup("toy", 2)))
    with contextlib.suppress(BotError):
        assert follow(desk.legal, frozenset(), path).verb in {"bid", "pass", "offer"}


def test_one_move_of_a_kind_still_leaves_the_choice_to_pass() -> None:
    game = Game.new(Setup("toy", 2))
    desk = desk_of(game)
    one = msgspec.structs.replace(
        desk, legal=tuple(action for action in desk.legal if getattr(action, "amount", 1) < 2)
    )
    labels = [button.label for row in make_screen(one).rows for button in row]
    assert labels == ["Bid 1", "pass", "Close"]


def test_typed_text_is_read_from_the_message() -> None:
    assert read_typed(f"**Check**\n{quote_typed('3+2 F2-F4`x')}") == "3+2 F2-F4x"
    assert read_typed("nothing typed") == ""
    assert quote_typed("") == "Typed: ``"


def test_common_amounts() -> None:
    assert find_common_amounts(range(5, 900)) == [0, 5, 10, 20]
    assert find_common_amounts(list(range(10, 250, 10))) == [0, 1, 2, 3]
    assert find_common_amounts([]) == []


def test_marks_stand_before_the_choices_they_belong_to() -> None:
    board = MapView("Map", "", (HexView("A1", 0, 0, choice="1"), HexView("B2", 1, 0), HexView("C3", 2, 0, choice="2")))
    assert find_marks(board, ["A1", "C3 1", "B2"]) == ["1", "2", ""]
    panels = Panels("Tiles", "", (Panel("A", "", ()), Panel("B", "", ())))
    assert find_marks(panels, ["57 0", "57 1"]) == ["A", "B"]
    assert find_marks(panels, ["57 0"]) == [""]
    assert find_marks(None, ["x"]) == [""]


def test_names_and_clipping() -> None:
    assert insert_names("{0} bids, {1} passes, {7}", ("Ann", "Ben")) == "Ann bids, Ben passes, {7}"
    assert clip("abcdef", 4) == "abc…"


def test_quick_buttons_play_the_move_they_show() -> None:
    desk = desk_of(Game.new(Setup("1860", 3)))
    buttons = make_quick_buttons(desk, 5)
    assert [button.label for button in buttons] == ["Bid £5", "Bid £10", "Bid £20", "Pass"]
    assert buttons[0].control.arg == f"0.{make_mark(desk.advised.tips[0].action)}"


class Counting(tuple[Action, ...]):
    """Legal actions that count how often someone goes through them."""

    seen = 0

    def __iter__(self) -> Iterator[Action]:
        type(self).seen += 1
        return super().__iter__()


def test_the_quick_buttons_look_at_each_legal_action_a_few_times_however_many_there_are() -> None:
    """A thousand bids are a matter of 0.1 s otherwise, at each turn message."""
    desk = desk_of(Game.new(Setup("1860", 3)))
    bids = [action for action in desk.legal if action.verb == "bid"]
    legal = Counting([*desk.legal, *bids * 50])
    assert make_quick_buttons(msgspec.structs.replace(desk, legal=legal), 5) == make_quick_buttons(desk, 5)
    make_openers(msgspec.structs.replace(desk, legal=legal))
    assert Counting.seen <= 4


@pytest.mark.parametrize(("name", "count"), [("1860-3", 390), ("1862-3", 379)])
def test_the_check_of_a_tile_shows_its_effect_on_the_best_run(name: str, count: int) -> None:
    kept = read(name)
    game = Game.replay(kept.setup, kept.read_log()[:count])
    if game.ask().kind == "merge or go on":
        game = game.play(game.actors[0], Pass()).game
    path, text = "tile", ""
    while "Check" not in text:
        path += ".0"
        text = make_screen(desk_of(game), path).text
    assert re.search(r"Best run (£\d+.* → \*\*£|stays £)", text), text
