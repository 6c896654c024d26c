"""Parts of the private desk: what has a button, what stands above the question, which moves one menu can say."""

from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot.model.errors import BotError
from bot.screens import run_editor
from bot.screens.answer import Answer
from bot.screens.controls import make_sheet
from bot.screens.desk import Desk, build_desk_after, follow
from bot.screens.desk_buttons import make_openers
from bot.screens.desk_check import preview
from bot.screens.desk_choices import show_value_choice
from bot.screens.desk_controls import HINT, choose_next, open_value_form, show_plans
from bot.screens.desk_menus import find_common_amounts, find_whole_moves
from bot.screens.desk_screens import make_screen
from bot.screens.lesson_controls import describe_new_here
from bot.screens.open_desk import show_desk
from bot.screens.run_editor import EDITOR, list_edits, show_editor
from bot.screens.screen import WHOLE_SCREEN, Control, Form
from bot.screens.written_desk import read_order
from bot.service.people import FIRST_SCREEN, DeskPlace
from bot.service.services import Services
from bot.service.workers.choices import Advised
from engine import Action, Game, Setup, Tip
from engine.codec import encode_action
from engine.view import MapView
from tests.bot.conftest import ANN
from tests.bot.test_proposal_buttons import Press, press
from tests.playthroughs.record import read
from tests.support.toy import Bid, Offer, Pass

NAMES = ("Ann", "Bob", "Cid")


def sit_down(name: str, count: int) -> Desk:
    """Return the desk of who acts in a kept game."""
    kept = read(name)
    game = Game.replay(kept.setup, kept.read_log()[:count])
    seat = game.ask().seats[0]
    return Desk(1, NAMES, game, seat, game.choices(seat))


def test_common_amounts_are_the_least_and_5_10_and_20_more() -> None:
    assert find_common_amounts([*range(40, 80)]) == [0, 5, 10, 20]
    assert find_common_amounts([40, 41, 45, 48, 60]) == [0, 1, 2, 4]
    assert find_common_amounts([3]) == [0]
    assert find_common_amounts([]) == []


def test_amounts_in_an_order_of_the_title_are_common_from_the_first_on() -> None:
    assert find_common_amounts([380, 360, 400, 10, 20]) == [0, 1, 2, 3]


def test_verbs_have_buttons_where_there_are_as_many_as_are_wanted() -> None:
    desk = sit_down("1860-3", 60)
    count = len(make_openers(desk))
    assert count > 1
    assert len(make_openers(desk, count)) == count
    assert make_openers(desk, count + 1) == []


def test_what_is_said_so_far_stands_under_the_question() -> None:
    """Where nothing is said, nothing is said about it."""
    desk = sit_down("1860-3", 390)
    whole = partial(follow, desk.legal, desk.game.title.open_verbs)
    first = show_value_choice(desk, whole("tile")).text
    path = next(f"tile.{at}" for at in range(9) if whole(f"tile.{at}").asked is not None)
    then = show_value_choice(desk, whole(path)).text
    assert first.startswith("**Where do you lay a tile?**")
    assert "So far" not in first
    assert then.split("\n")[1].startswith("So far: ")


def test_what_must_be_done_is_said_to_whom_it_is_asked_of() -> None:
    """Not where the step can be passed."""
    shown = []
    for count, verb in ((390, "tile"), (581, "run")):
        desk = sit_down("1860-3", count)
        draft = follow(desk.legal, desk.game.title.open_verbs, verb)
        other = replace(desk, seat=(desk.seat + 1) % 3)
        shown += [" you must " in show_value_choice(each, draft).text for each in (desk, other)]
    assert shown == [False, False, True, False]


def test_with_moves_put_aside_whatever_plays_plays_them_too() -> None:
    """No tip of the position they were put aside in: its button would play without them."""
    desk = sit_down("1860-3", 390)
    tile = next(move for move in desk.legal if move.verb == "tile")
    after = build_desk_after(1, NAMES, desk.game, desk.seat, (encode_action(tile).decode(),))
    shown = make_screen(replace(after, advised=Advised(0, 0, (Tip(tile, "once more"),))), WHOLE_SCREEN)
    assert shown.text.startswith("**In your basket** (nothing is played yet)\n• ")
    buttons = [button for row in shown.rows for button in row]
    assert (buttons[0].label, buttons[-1].label) == ("Confirm all", "Empty the basket")
    verbs = {button.control.verb for button in buttons}
    assert {"doall", "doin", "unbasket"} <= verbs
    assert not {"do", "tip"} & verbs


PLAN = "3+2 B6-C7-D6-[E5]-[F4]-[F2.2]-F2.1-F2.0; 2+1 A7-B6"


def test_all_changes_of_a_run_stand_in_menus_that_say_which_of_many_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = sit_down("1860-3", 126)

    def list_menus() -> list[tuple[str, str, list[str]]]:
        menus = show_editor(desk, f"{EDITOR}0", PLAN).menus
        return [(menu.placeholder, menu.control.arg, [option.value for option in menu.options]) for menu in menus]

    (ends, _, of_ends), (stops, _, of_stops), *_ = list_menus()
    assert (ends, stops) == ("Where does it begin and end?", "Which stops does it count?")
    edits = list_edits(desk, PLAN)
    assert of_ends == [str(at) for at, edit in enumerate(edits) if edit.run == 0 and edit.end]
    monkeypatch.setattr(run_editor, "MAX_MENU_OPTIONS", len(of_ends))
    assert list_menus()[0] == (ends, f"{EDITOR}0/10", of_ends)
    monkeypatch.setattr(run_editor, "MAX_MENU_OPTIONS", len(of_ends) - 1)
    first, second, third, *_ = list_menus()
    assert first == (f"{ends} (1 to {len(of_ends) - 1})", f"{EDITOR}0/10", of_ends[:-1])
    assert second == (f"{ends} ({len(of_ends)} to {len(of_ends)})", f"{EDITOR}0/1{len(of_ends) - 1}", of_ends[-1:])
    assert third[1:] == (f"{EDITOR}0/00", of_stops[: len(of_ends) - 1])


class PressOfAForm(Press):
    """Keeps the form that it opens."""

    form: Form

    async def open_form(self, form: Form) -> None:
        self.form = form


@pytest.mark.parametrize(
    ("arg", "title", "label", "hint"),
    [
        ("bid.amount/How much?/1 to 20", "How much?", "1 to 20", "1 to 20"),
        ("bid.amount", "Bid.amount", HINT, ""),
        (f"bid.amount/{'q' * 50}/a/b", f"{'q' * 44}…", "a/b", "a/b"),
    ],
)
async def test_a_form_asks_for_one_value(
    services: Services, game: int, arg: str, title: str, label: str, hint: str
) -> None:
    page = PressOfAForm(services, ANN)
    await open_value_form(cast("Answer", cast("Any", page)), Control(game, 4, "ask", arg))
    assert page.form == Form(title, Control(game, 4, "say", "bid.amount"), label, hint)
    with pytest.raises(BotError, match="out of date"):
        await open_value_form(cast("Answer", cast("Any", page)), Control(game, 4, "ask", "/How much?"))


@pytest.mark.parametrize("count", [1, 2, 6])
async def test_ways_to_run_stand_in_order_with_the_way_back_among_the_first_buttons(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """The best is marked; where there is no other, it says so."""
    plans = tuple(Tip(Bid(number), f"{number}: D-E £{number}") for number in range(1, count + 1))

    async def find_plans(*_: object) -> Advised:
        return Advised(0, 0, (), plans=plans)

    monkeypatch.setattr(services.table.advice, "find_plans", find_plans)
    page = Press(services, ANN)
    for arg in ("", WHOLE_SCREEN):
        await show_plans(cast("Answer", cast("Any", page)), Control(game, 0, "plans", arg))
    short, shown = page.screens
    assert ("More…" in [button.label for row in short.rows for button in row]) == (count == 6)
    assert ("No other plan" in shown.text) == (count == 1)
    assert shown.text.split("\n")[1] == "1. 1: D-E £1."
    buttons = [button for row in shown.rows for button in row]
    labels = [f"{number} · Run {number}" for number in range(1, count + 1)]
    assert [button.label for button in buttons][:5] == [*labels[:4], "Back"]
    assert len(buttons) == count + 1
    assert [button.tone for button in buttons] == ["main", *["plain"] * count]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sell 2 IOW", {"company": "IOW", "count": "2"}),
        ("sell IOW 2", {"company": "IOW", "count": "2"}),
        ("sell 99 IOW", {"company": "99", "count": "IOW"}),
        ("sell IOW two or three", {"company": "IOW", "count": "two or three"}),
        ("buy every last one", {"share": "every last one"}),
    ],
)
def test_values_in_either_order_are_a_move_and_others_go_to_the_parameters_in_theirs(
    text: str, words: dict[str, str]
) -> None:
    """What is no move is refused by its last value, which may be of several words."""
    assert read_order(sit_down("1860-3", 60), text).words == words


def test_one_menu_says_moves_that_differ_in_two_values() -> None:
    """Not those of a verb that nothing lists whole, as runs; nor those of a verb that isn't possible."""
    desk = sit_down("1860-3", 390)
    assert {move.verb for move in find_whole_moves(desk, "tile")} == {"tile"}
    assert find_whole_moves(desk, "bid") == []
    running = sit_down("1860-3", 581)
    assert "run" in running.game.title.open_verbs
    assert find_whole_moves(running, "run", 0) == []


def test_a_check_shows_the_map_where_the_move_changes_it() -> None:
    desk = sit_down("1860-3", 390)
    tile = next(move for move in desk.legal if move.verb == "tile")
    shown = preview(desk, tile, desk.game.play(desk.seat, tile).game)
    assert [type(view) for view in shown] == [MapView]


@pytest.mark.parametrize("chosen", ["", "bid.1.", "bid.1..2", "BID", "!!!!!!!!!bid"])
async def test_what_no_menu_sends_is_out_of_date(services: Services, game: int, chosen: str) -> None:
    with pytest.raises(BotError, match="out of date"):
        await choose_next(press(services, ANN, chosen), Control(game, 0, "then"))


async def test_a_sheet_is_refused_where_the_title_has_none(services: Services, game: int) -> None:
    here = await services.table.load_position(game)
    made = [b"", b"%PDF"]

    async def do_once(*_: object) -> bytes:
        return made.pop(0)

    fake = cast("Any", SimpleNamespace(workers=SimpleNamespace(do_once=do_once)))
    with pytest.raises(BotError):
        await make_sheet(fake, here, "pdf")
    assert await make_sheet(fake, here, "pdf") == (b"%PDF", f"game-{game}.pdf")


def test_who_wants_explanations_is_told_where_they_will_be() -> None:
    assert describe_new_here("1862", on=True).startswith("In your next game of 1862, your desk explains each question")
    assert describe_new_here("1862", on=False) == "Your desk no longer explains 1862."


async def test_the_desk_goes_on_where_a_player_left_it(services: Services, game: int) -> None:
    """In the same position, unless they had chosen nothing there."""
    await services.people.save_draft(game, ANN.id, 0, DeskPlace("bid.3"))
    for goes_on in (True, False):
        page = Press(services, ANN)
        await show_desk(cast("Answer", cast("Any", page)), game, goes_on=goes_on)
        assert page.screens[-1].text.startswith("-# You're back where you left off.") == goes_on
    await services.people.save_draft(game, ANN.id, 0, FIRST_SCREEN)
    page = Press(services, ANN)
    await show_desk(cast("Answer", cast("Any", page)), game, goes_on=True)
    assert "You're back" not in page.screens[-1].text


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("no", "pass"), ("Skip.", "pass"), ("no more offers", "pass"), ("no way", ""),
        ("pass", "pass"), ("pass for now", "pass"), ("bid 3", "bid"),
    ],
)  # fmt: skip
def test_a_word_that_declines_passes_if_it_stands_alone_or_names_what_is_asked(text: str, verb: str) -> None:
    """“Pass” is the move itself, whatever stands behind it."""
    game = Game.new(Setup("toy", 3))
    for bid in (Bid(1), Pass(), Pass()):
        game = game.play(game.actors[0], bid).game
    desk = Desk(1, NAMES, game, 0, game.choices(0))
    assert read_order(desk, text).verb == verb


@pytest.mark.parametrize(
    ("moves", "text", "price"),
    [
        ((Offer(1, 1, 2), Offer(1, 1, 5), Pass()), "5", "5"),
        ((Offer(1, 1, 2), Offer(1, 1, 5)), "£5", "5"),
        ((Offer(1, 1, 2), Offer(1, 1, 5)), "3", ""),
        ((Offer(1, 1, 5), Offer(1, 2, 5)), "5", ""),
        ((Offer(1, 1, 5), Bid(5)), "5", ""),
        ((Pass(),), "5", ""),
    ],
)
def test_an_amount_alone_is_the_one_move_that_has_it(moves: tuple[Action, ...], text: str, price: str) -> None:
    """Where all moves with an amount are of one kind."""
    game = Game.new(Setup("toy", 3))
    said = read_order(Desk(1, NAMES, game, 0, moves), text)
    assert (said.verb, said.words.get("price", ""), not said.why) == ("offer" if price else "", price, bool(price))
