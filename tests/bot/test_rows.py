"""A record is kept in the columns of its fields' names, and read back as it was."""

import pytest
from sqlmodel import SQLModel

from bot.model.clock import GameClock
from bot.model.letters import Contact
from bot.model.records import Calls, Home, Proposal, Style, Table, Vote
from bot.model.terms import AnyTerms, SetClock, TakeBack
from bot.store.rows import make_columns, make_record
from bot.store.tables import CallsRow, ContactRow, GameRow, ProposalRow, StyleRow
from engine import Record

CONTACT = Contact(7, "ann@games.example", "p7", "Ann", "asked", 2, "ABCD", 1, 99, 98)


@pytest.mark.parametrize(
    ("record", "row", "number"),
    [
        (CONTACT, ContactRow, 7),
        (Style("mono", text_first=True), StyleRow, None),
        (Calls(most=2), CallsRow, None),
    ],
)
def test_a_record_comes_back_as_it_was(record: Record, row: type[SQLModel], number: int | None) -> None:
    columns = make_columns(record, row)
    assert "id" not in columns, "the store numbers its rows"
    assert make_record(type(record), {**columns, "id": number, "digested": "another column"}) == record


TERMS = (TakeBack(to=3, lost=("bids",)), SetClock(60, 5, paused=False, told="an hour"))


@pytest.mark.parametrize("clock", [None, GameClock(3600, 60, left=(1, 2))])
def test_values_other_than_text_and_numbers_are_json(clock: GameClock | None) -> None:
    home = Home("1", "2", "3")
    table = Table(
        4,
        "Friday",
        "1860",
        {"map": "small"},
        5,
        6,
        3,
        "ann",
        "open",
        "daily",
        "open",
        "random",
        home,
        8,
        9,
        clock=clock,
    )
    columns = make_columns(table, GameRow) | make_columns(home, GameRow)
    assert columns["options"] == '{"map":"small"}'
    assert (columns["clock"] == "") is (clock is None)
    assert columns["started"] is None
    assert not {"home", "seats", "order"} & columns.keys(), "these have no column of their own"
    assert make_record(Table, {**columns, "id": 4}, order="random", home=home, seats=(), invited=()) == table


@pytest.mark.parametrize("terms", TERMS, ids=["takeback", "clock"])
def test_a_union_comes_back_as_the_same_terms(terms: AnyTerms) -> None:
    asked = Proposal(1, 2, "ann", terms, 3, ("bob", "cid"), "open", 4, votes=(Vote("bob", yes=True),))
    row = {**make_columns(asked, ProposalRow), "id": 1}
    assert make_record(Proposal, row, votes=[Vote("bob", yes=True)]) == asked
