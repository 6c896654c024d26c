"""The table message as a whole: its state, the last lines of its log and its buttons."""

import pytest
from msgspec.structs import replace

from bot.model.records import LogLine, Position
from bot.screens.notices import make_card
from bot.screens.screen import Screen
from bot.service.services import Services


def write(screen: Screen) -> str:
    """Return all that a screen shows, with a row of buttons a line."""
    rows = [" ".join(f"[{button.label}]" for button in row) for row in screen.rows]
    return "\n".join((screen.text, screen.after, *rows))


def tell(number: int, *sentences: str, taken_back: bool = False) -> LogLine:
    return LogLine(number, number, 0, "Ann", sentences, at=0, taken_back=taken_back)


@pytest.fixture
async def here(services: Services, game: int) -> Position:
    return await services.table.load_position(game)


def test_a_running_table_says_whose_turn_it_is_and_offers_to_act(here: Position) -> None:
    assert write(make_card(here, (), ())) == (
        "## The Toy — The Toy\n**Auction of lot 1** · Ann to bid or pass\n\n[Act] [Map] [Table] [Log] [More…]"
    )


def test_a_page_adds_its_button_after_the_others(here: Position) -> None:
    assert write(make_card(here, (), (), has_page=True)) == (
        "## The Toy — The Toy\n**Auction of lot 1** · Ann to bid or pass\n\n[Act] [Map] [Table] [Log] [More…]\n[Board]"
    )


def test_a_damaged_table_says_so_and_offers_no_move(here: Position) -> None:
    assert write(make_card(replace(here, damage="move 3 is missing"), (), ())) == (
        "## The Toy — The Toy\n"
        "“The Toy” is read-only because its stored game is damaged: move 3 is missing. It shows the last "
        "intact position. The operator can restore it with “stationmaster check --repair”."
        "\n\n[Map] [Table] [Log] [More…]"
    )


def test_a_closed_table_says_why_and_offers_no_move(here: Position) -> None:
    closed = replace(here, table=replace(here.table, state="closed", reason="nobody came"))
    assert write(make_card(closed, (), ())) == (
        "## The Toy — The Toy\n**Closed**: nobody came\n\n[Map] [Table] [Log] [More…]"
    )


@pytest.mark.parametrize(("reason", "said"), [("", ""), ("all lots sold", ": all lots sold")])
def test_where_no_one_is_to_act_the_game_is_over(here: Position, reason: str, said: str) -> None:
    over = replace(here, table=replace(here.table, state="finished", reason=reason, seats=()))
    assert write(make_card(over, (), ())) == (
        f"## The Toy — The Toy\n**The game is over**{said}\n\n[Map] [Table] [Log] [More…]"
    )


def test_only_a_closed_table_tells_its_reason_during_play(here: Position) -> None:
    for state in ("finished", "running"):
        shown = make_card(replace(here, table=replace(here.table, state=state, reason="nobody came")), (), ())
        assert "nobody came" not in shown.text


def test_the_last_five_lines_that_say_something_are_shown(here: Position) -> None:
    """Lines without words count for none of them."""
    lines = [tell(number, f"Ann bids {number}.") for number in range(1, 7)]
    shown = ["-# Ann bids 2.", "-# Ann bids 3.", "-# Ann bids 4.", "-# Ann bids 5.", "-# Ann bids 6."]
    assert make_card(here, [*lines, tell(7), tell(8, "")], ()).after.split("\n") == shown
    assert make_card(here, lines[1:], ()).after.split("\n") == shown


def test_a_line_that_was_taken_back_is_struck_out(here: Position) -> None:
    lines = [tell(1, "Ann bids 1.", "Bob passes."), tell(2, "Ann bids 2.", taken_back=True)]
    assert make_card(here, lines, ()).after == "-# Ann bids 1. Bob passes.\n-# ~~Ann bids 2.~~"


def test_a_line_of_the_log_has_at_most_300_characters(here: Position) -> None:
    assert make_card(here, [tell(1, "x" * 300)], ()).after == f"-# {'x' * 300}"
    assert make_card(here, [tell(1, "x" * 301)], ()).after == f"-# {'x' * 299}…"
