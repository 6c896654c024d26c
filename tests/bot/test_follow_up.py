"""What one press plays after its move: pay what was run for, or end the turn; and who sees the buttons."""

from typing import Any, cast

import msgspec
import pytest

from bot.model.errors import BotError
from bot.screens.desk import Desk, DeskAsked, build_desk
from bot.screens.desk_buttons import make_quick_buttons
from bot.screens.desk_check import list_moves_after
from bot.screens.desk_screens import COMBINED, CONFIRMED, REPEATED, SCREEN, Combined, Confirmed, Repeated, make_screen
from bot.screens.open_desk import show_outcome
from bot.screens.screen import MAX_PHONE_LINES, count_lines, make_mark
from bot.service.orders import SAME_PRESS
from bot.service.services import Services
from bot.service.workers.choices import encode_tips
from bot.service.workers.jobs import Held
from bot.service.workers.next_up import (
    find_follow_up,
    find_repeat,
    list_duties_ahead,
    list_follow_ups,
    list_raised,
    list_usual_follow_ups,
)
from bot.service.workers.tasks import Wish
from engine import Action, Game
from engine.codec import decode_entry, encode_action
from engine.finance.rounds import Pass
from engine.lessons import find_lesson, follow_lesson, read_action
from engine.words import write_parameters
from tests.bot.conftest import ANN, BOB, CID
from tests.bot.test_proposal_buttons import Press, press
from tests.playthroughs.record import read
from tests.support.sure import sure
from tests.support.toy import Bid


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


@pytest.mark.parametrize(("name", "count"), [("1860-3", 584), ("1862-3", 731)])
def test_of_a_company_that_must_run_next_no_runs_are_searched_for(
    monkeypatch: pytest.MonkeyPatch, name: str, count: int
) -> None:
    """What it must do next is not said then, and its tips would take seconds."""
    game = at(name, count)
    monkeypatch.setattr(Game, "tips", lambda *_: pytest.fail("it searches for the best runs"))
    assert list_duties_ahead(game, game.actors[0]) == []


@pytest.mark.parametrize(("name", "count"), [("1860-3", 450), ("1862-3", 60), ("1862-3", 322)])
def test_a_purchase_and_the_sale_that_pays_for_it_are_made_in_one_press(name: str, count: int) -> None:
    """As people made them: the desk lists what a sale makes possible, the sales that are enough, and checks both."""
    held, (sold, bought) = Held(at(name, count)), [entry.action for entry in read(name).read_log()[count : count + 2]]
    seat, names = held.game.actors[0], ("Ann", "Bob", "Cid")
    assert bought not in held.list_legal(seat)
    found = list_raised(held, seat)
    group = next(at for at, each in enumerate(found) if bought in [raised.purchase for raised in each])
    number = [raised.purchase for raised in found[group]].index(bought)
    sales = found[group][number].sales
    first = SCREEN.do(held, DeskAsked(1, names, seat)).screen
    assert first.menus[-1].options[group].detail.startswith("First: Sell ")
    path = f"$.{group}.{number}.{sales.index(sold)}"
    check = SCREEN.do(held, DeskAsked(1, names, seat, path=path)).screen
    said, sign, after = check.rows[0][0].control.arg.split("~")
    assert " sells " in check.text
    assert (" buys " if bought.verb == "buy" else " starts ") in check.text
    assert len(sales) == 1 or check.menus[0].placeholder == "Sell something else…"
    asked = Confirmed(DeskAsked(1, names, seat, path=said), sign, after, Wish((seat,), names))
    made = sure(CONFIRMED.do(held, asked))
    assert decode_entry(name[:4], seat, made.said).action == sold
    assert decode_entry(name[:4], seat, made.further[0].said).action == bought
    assert made.further[0].made_by == SAME_PRESS, "one undo takes both back"
    assert CONFIRMED.do(held, msgspec.structs.replace(asked, after="+1abc")) is None


def test_of_the_sales_that_are_enough_the_least_comes_first_that_no_one_regrets() -> None:
    held = Held(at("1862-3", 54))
    game, regrets = held.game, held.game.title.advice.regrets

    def is_regretted(sale: Action) -> bool:
        return bool(regrets(game.state, game.play(2, sale).game.state, 2))

    found = [raised for group in list_raised(held, 2) for raised in group]
    assert found
    for raised in found:
        lost = [is_regretted(sale) for sale in raised.sales]
        assert lost == sorted(lost)
        assert raised.sales[0] == min(
            raised.sales, key=lambda sale: (is_regretted(sale), write_parameters(sale)["count"])
        )


@pytest.mark.parametrize("path", ["$", "$.99", "$.0.99", "$.0.0.99", "$.x", "$.-1"])
def test_a_purchase_that_is_not_there_any_more_is_refused(path: str) -> None:
    held = Held(at("1862-3", 60))
    with pytest.raises(BotError, match="out of date"):
        SCREEN.do(held, DeskAsked(1, ("Ann", "Bob", "Cid"), held.game.actors[0], path=path))


async def test_a_move_that_changes_nothing_is_answered_too(services: Services, game: int) -> None:
    """*Done* after a sale is the end of a turn, and no more."""
    outcome = await services.table.submit(game, ANN.id, Bid(1))
    answer = press(services, ANN)
    await show_outcome(answer, msgspec.structs.replace(outcome, sentences=()))
    assert cast("Press", cast("Any", answer)).screens[0].text == "✓ Done.\n-# Waiting for Bob."


async def test_much_that_was_done_leaves_room_for_the_desk(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(2))
    outcome = msgspec.structs.replace(
        await services.table.submit(game, CID.id, Bid(3)), sentences=("Cid bids £3.",) * 90
    )
    answer = press(services, ANN)
    await show_outcome(answer, outcome)
    shown = cast("Press", cast("Any", answer)).screens[0].text
    assert shown.startswith("✓ Cid bids £3. Cid bids £3.")
    assert count_lines(shown) <= MAX_PHONE_LINES
