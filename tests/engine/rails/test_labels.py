"""The words of choices on the map: what a tile joins and pays, and whom a base shuts out."""

import pytest

from engine.hex_view import Token
from engine.printed import Units
from engine.rails.places import blocks_told, joins, shut_out, value
from engine.rails.reach import Bases, bases_of
from tests.engine.rails.toy import lay_out

POUNDS = Units("£", 10)
LINE = "C4 town, C6 town"
"""North C2 – Middle C4 – South C6, cities of one slot."""


def test_what_a_tile_joins_leads_to_and_pays() -> None:
    before, after = lay_out("C6 town"), lay_out(LINE)
    assert joins(before, after, "C4") == "joins Middle to North and South"
    assert joins(lay_out(), lay_out("C6 line"), "C6") == "towards Middle"
    assert joins(lay_out(), lay_out("C4 town/2"), "C4") == "towards D5", "a lake bars the other side"
    assert joins(after, after, "C4") == "adds no connection"
    assert value(before, after, "C4", POUNDS) == " · pays £20"
    assert value(after, lay_out("C4 big, C6 town"), "C4", POUNDS) == " · pays £20→£30"
    assert value(after, after, "C4", POUNDS) == " · pays £20", "what it pays as before"
    assert value(lay_out(), lay_out("B5 bend"), "B5", POUNDS) == ""


@pytest.mark.parametrize(
    ("tiles", "others", "out"),
    [
        (LINE, ["XYZ"], ["XYZ"]),  # Middle has one slot
        ("C4 big, C6 town", ["XYZ"], []),  # one of two slots is left
        ("C6 town", ["XYZ"], []),  # cannot run there before either
        (LINE, ["NONE"], []),  # stands nowhere
        (LINE, ["XYZ", "OLD"], ["XYZ", "OLD"]),
    ],
)
def test_a_base_shuts_out_who_could_run_through_before_and_not_after(
    tiles: str, others: list[str], out: list[str]
) -> None:
    bases = bases_of([("XYZ", [("C2", 0)], False), ("OLD", [("C6", 0)], False)])
    assert shut_out(lay_out(tiles), bases, ("C4", 0), "ABC", others) == out


def test_nobody_is_shut_out_of_a_city_where_they_stand_or_that_was_full_before() -> None:
    there = bases_of([("XYZ", [("C2", 0), ("C4", 0)], False)])
    assert shut_out(lay_out(LINE), there, ("C4", 0), "ABC", ["XYZ"]) == []
    full: Bases = {("C2", 0): (Token("XYZ"),), ("C4", 0): (Token("OLD"),)}
    assert shut_out(lay_out(LINE), full, ("C4", 0), "ABC", ["XYZ"]) == []
    assert blocks_told(lay_out(LINE), full, ("C4", 0), "ABC", ["XYZ"]) == "blocks nobody"
