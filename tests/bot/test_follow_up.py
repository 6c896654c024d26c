"""What one press plays after its move: pay what was run for, or end the turn; and who sees the buttons."""

import pytest

from bot.screens.desk import Desk, DeskAsked, build_desk
from bot.screens.desk_buttons import make_quick_buttons
from bot.screens.desk_check import list_moves_after
from bot.screens.desk_screens import COMBINED, REPEATED, Combined, Repeated, make_screen
from bot.screens.screen import make_mark
from bot.service.workers.choices import encode_tips
from bot.service.workers.jobs import Held
from bot.service.workers.next_up import (
    find_follow_up,
    find_repeat,
    list_follow_ups,
    list_usual_follow_ups,
)
from bot.service.workers.tasks import Wish
from engine import Game
from engine.codec import decode_entry, encode_action
from engine.finance.rounds import Pass
from engine.lessons import find_lesson, follow_lesson, read_action
from tests.playthroughs.record import read
from tests.support.sure import sure


def at(name: str, count: int) -> Game:
    kept = read(name)
    return Game.replay(kept.setup, kept.read_log()[:count])


@pytest.mark.parametrize(
    ("name", "count", "words", "declines"),
    [
        ("1860-3", 581, "pay £38 a share", 1),
        ("1862-3", 369, "", 3),
        ("1860-3", 582, "", 1),
    ],
)
def test_a_move_is_followed_by_the_most_common_next_move(name: str, count: int, words: str, declines: int) -> None:
    """A run by its dividend; a train or a dividend by all declines to the end of the turn."""
    game = at(name, count)
    seat = game.ask().seats[0]
    found = find_follow_up(game, seat, game.tips(seat)[0].action)
    assert found is not None
    assert (found.words, found.ends) == (words, bool(declines))
    assert sum(action == Pass() for action in found.actions) == declines


def test_what_a_company_runs_for_is_paid_out_or_kept_in_one_press_with_the_run() -> None:
    """And the turn is ended in the same press, where no train can be bought without asking."""
    held = Held(at("1860-3", 581))
    seat, run = held.game.ask().seats[0], held.game.tips(held.game.ask().seats[0])[0].action
    found, usual = [*list_follow_ups(held.game, seat, run)], list_usual_follow_ups(held.game, seat, run)
    assert [(each.words, each.ends) for each in usual] == [("pay £38 a share", True), ("keep 380cc", True)]
    assert usual == [next(each for each in found if each.words == words) for words in ("pay £38 a share", "keep 380cc")]
    for follow in found:
        sign, wish = f"{len(follow.actions)}{make_mark(follow.actions[0])}", Wish((seat,), ("Ann", "Bob", "Cid"))
        made = sure(COMBINED.do(held, Combined(seat, encode_action(run), sign, wish)))
        said = [decode_entry("1860", seat, each.said).action for each in made.further if each.seat == seat]
        assert said == [*follow.actions]


def test_the_check_of_a_move_offers_what_the_company_must_do_next() -> None:
    """A train, where it has none; what that press plays is what the button says."""
    game = follow_lesson(sure(find_lesson("1860", "base"))).game
    desk = Desk(1, ("Ann", "Bob", "Cid"), game, game.actors[0], game.choices(game.actors[0]))
    shown = make_screen(desk, "token")
    labels = [button.label for row in shown.rows for button in row]
    assert labels[:3] == ["Confirm", "Confirm, buy 2+1 for 250cc", "Confirm, buy 2+1 for 250cc, end turn"]
    token, train = read_action("1860", "token G5 0"), read_action("1860", "train 2+1 bank 250")
    for button, moves in zip(shown.rows[0][1:3], [(train,), (train, Pass())], strict=True):
        assert list_moves_after(desk, token, button.control.arg.rpartition("~")[2]) == moves


@pytest.mark.parametrize("count", [581, 582])
def test_a_move_and_its_followers_are_played_at_once_if_the_button_shows_them(count: int) -> None:
    held = Held(at("1860-3", count))
    seat = held.game.ask().seats[0]
    action = held.game.tips(seat)[0].action
    found = sure(find_follow_up(held.game, seat, action))
    sign, wish = f"{len(found.actions)}{make_mark(found.actions[0])}", Wish((seat,), ("Ann", "Bob", "Cid"))
    made = COMBINED.do(held, Combined(seat, encode_action(action), sign, wish))
    assert made is not None
    said = [made.said, *(each.said for each in made.further if each.seat == seat)]
    assert [decode_entry("1860", seat, each).action for each in said] == [action, *found.actions]
    assert COMBINED.do(held, Combined(seat, encode_action(action), f"9{sign}", wish)) is None


def test_the_last_choice_is_repeated_if_the_button_shows_it() -> None:
    held = Held(at("1860-3", 581))
    seat = held.game.ask().seats[0]
    last, wish = sure(find_repeat(held, seat)), Wish((seat,), ("Ann", "Bob", "Cid"))
    made = REPEATED.do(held, Repeated(seat, make_mark(last), wish))
    assert made is not None
    assert decode_entry("1860", seat, made.said).action == last
    assert REPEATED.do(held, Repeated(seat, "another", wish)) is None


def test_moves_that_may_end_the_turn_are_offered_in_private_only() -> None:
    """Whether anything is left to pay for after a dividend is no one else's matter where treasuries are hidden."""
    held = Held(at("1860-3", 582))
    seat = held.game.ask().seats[0]
    desk = build_desk(held, DeskAsked(7, ("Ann", "Bob", "Cid"), seat, encode_tips(held.game.tips(seat))))
    ending = [
        [b.label for b in make_quick_buttons(desk, 9, private=private) if "end turn" in b.label]
        for private in (False, True)
    ]
    assert ending == [[], ["Pay £38 a share, end turn · £100→£134", "Keep 380cc, end turn · £100→£90"]]
