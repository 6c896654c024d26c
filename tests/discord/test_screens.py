"""The private desk on a phone: seven lines and five buttons before *More…*, labels that are shown whole."""

import pytest

from bot.screens.desk import DeskAsked
from bot.screens.desk_screens import SCREEN
from bot.screens.screen import MAX_BUTTONS, Button, Control, clip_lines, count_lines, fit_phone
from bot.service.workers.jobs import Held
from tests.discord.screens import list_positions, list_screens
from tests.discord.turns import NAMES

MAX_TRIED = 12
MORE = Control(1, 2, "at", "+")


@pytest.mark.parametrize(
    ("name", "every", "first"),
    [("1860-3", 260, 24), ("1862-3", 290, 36), ("steel_driver-4", 97, 13), ("1860-treasuries-hidden", 400, 301)],
)
def test_screens_of_kept_games_fit_a_phone(name: str, every: int, first: int) -> None:
    """A sample; ``python -m tests.discord.screens`` goes through whole games."""
    for at, game in list_positions(name, every, first):
        for shown in list_screens(at, game, MAX_TRIED, new_here=True):
            assert shown.fits, (shown.path, shown.screen.text, shown.labels)


def test_what_does_not_fit_comes_with_more() -> None:
    """The first lines and buttons stay; nothing is lost."""
    lines, buttons = ["**What?**", *("word " * 12 for _ in range(4))], [Button(str(at), MORE) for at in range(7)]
    text, rows = fit_phone(lines, buttons, MORE)
    assert text == "\n".join(lines[:4])
    assert [button.label for row in rows for button in row] == ["0", "1", "2", "3", "4", "More…"]
    text, rows = fit_phone(lines, buttons, MORE, whole=True)
    assert text == "\n".join(lines)
    assert [button for row in rows for button in row] == buttons
    assert fit_phone(lines[:4], buttons[:MAX_BUTTONS], MORE) == ("\n".join(lines[:4]), (tuple(buttons[:MAX_BUTTONS]),))


def test_less_is_shown_where_something_stands_above() -> None:
    lines = [str(at) for at in range(7)]
    assert fit_phone(lines, [], MORE, taken=2)[0] == "\n".join(lines[:5])
    assert fit_phone(lines, [], MORE, taken=9)[0] == "\n".join(lines[:3])


def test_words_are_counted_and_cut_in_lines_of_a_phone() -> None:
    assert count_lines("-# **" + "x" * 44 + "**") == 1
    assert count_lines("one two " * 10) == 2
    assert clip_lines("short", 2) == "short"
    cut = clip_lines("Ann sells 10% IOW for £74. " * 9, 2)
    assert count_lines(cut) == 2
    assert cut.endswith("…")


def test_back_leads_to_the_menu_that_was_chosen_from() -> None:
    """A whole lay is chosen at once, so its check leads back to all lays, not to the turns of its tile."""
    (at, game), *_ = list_positions("1860-3", 1000, 91)
    first, *_, check = list_screens(at, game, 3)
    assert check.path.startswith("tile.")
    (back,) = [button for row in check.screen.rows for button in row if button.label == "Back"]
    again = SCREEN.do(Held(game), DeskAsked(1, NAMES[:3], game.actors[0], path=back.control.arg)).screen
    assert again.menus == first.screen.menus
