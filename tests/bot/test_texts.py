"""Words of lists and commands as text: who hosts, columns of tables, and what named values mean."""

import pytest

from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.screens.desk_menus import fit_label
from bot.screens.text import _format_columns, format_table, read_words
from bot.service.services import Services
from engine.view import Entry, TableView
from tests.bot.conftest import ANN, BOB


async def test_a_list_names_the_host_among_others(services: Services) -> None:
    """Who sits at several seats alone needs no such word; one who sits there for others has it at each."""
    table = await services.lobby.create(ANN, NewTable("toy", 3))
    assert "Seats: Ann (host)" in format_table(table)
    alone = await services.lobby.join(table.id, ANN, hot_seat=True)
    assert "Seats: Ann, " in format_table(alone)
    assert "(host)" not in format_table(alone)
    other = await services.lobby.create(ANN, NewTable("toy", 3))
    assert "Seats: Ann (host), Bob" in format_table(await services.lobby.join(other.id, BOB))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bid amount:3 game:7", {"amount": "3", "game": "7"}),
        ("offer lot:2 to Bob price:4", {"lot": "2 to Bob", "price": "4"}),
        ('note text:"a b" game:7', {"text": "a b", "game": "7"}),
        ("why move:bid amount:3 game:7", {"move": "bid amount:3 game:7"}),
        ("at move:12 game:7", {"move": "12", "game": "7"}),
        ("why other:bid amount:3", {"other": "bid", "amount": "3"}),
    ],
)
def test_named_values_go_on_to_the_next_name(text: str, words: dict[str, str]) -> None:
    """A move as one would type it goes on to the end, the number of a move doesn't."""
    assert read_words(text) == (text.split(maxsplit=1)[0], words)


@pytest.mark.parametrize(
    ("words", "most", "label"),
    [
        ("Run 3: £40 · to Ann", 40, "Run 3: £40 · to Ann"),
        ("Run 3: £40 · to Ann", 18, "Run 3: £40"),
        ("Run 3: £40 · to Ann", 7, "Run 3"),
        ("Sell 2; start FYN", 10, "Sell 2"),
    ],
)
def test_a_label_without_room_loses_its_last_parts(words: str, most: int, label: str) -> None:
    assert fit_label(words, most) == label


def test_a_value_without_a_name_is_refused() -> None:
    with pytest.raises(BotError, match="“seven” has no name before it"):
        read_words("bid seven")


def test_columns_are_as_wide_as_their_widest_entry() -> None:
    """A chip is its letters, once; of a short row the last columns are empty."""
    heads = (Entry("Company"), Entry("Price"))
    rows = (
        (Entry("IOW", chip="IOW"), Entry("60")),
        (Entry("director", chip="C&N"), Entry("100")),
        (Entry("", chip="FYN"),),
    )
    found = _format_columns(TableView("Shares", heads, rows))
    assert [line.rstrip() for line in found] == [
        "Shares",
        "Company       Price",
        "IOW           60",
        "C&N director  100",
        "FYN",
    ]
