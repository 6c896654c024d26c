"""Where a company may put a station."""

from engine.rails.reach import bases_of, free_slots, sites, stands_on
from tests.engine.rails.toy import lay_out

EVERYWHERE = -1
"""All stops are reached."""


def test_a_slot_is_free_that_nobody_fills_and_no_home_waits_for() -> None:
    """The home of ABC is on C4: one slot of its first city is kept for it, but not against itself."""
    board, nobody = lay_out("C4 big, C6 town"), bases_of([])
    assert free_slots(board, nobody, ("C4", 0), "XYZ") == 2
    assert free_slots(board, nobody, ("C4", 0), "XYZ", ("ABC", "XYZ")) == 1
    assert free_slots(board, nobody, ("C4", 0), "ABC", ("ABC",)) == 2
    assert free_slots(board, bases_of([("IJ", [("C4", 0)], False)]), ("C4", 0), "XYZ", ("ABC",)) == 0
    second = lay_out("C4 pair")
    assert [free_slots(second, nobody, ("C4", city), "XYZ", ("ABC",)) for city in (0, 1)] == [0, 1]


def test_sites_are_cities_reached_with_a_free_slot_on_a_hex_without_a_base_of_ones_own() -> None:
    board = lay_out("C4 big, C6 town")
    bases = bases_of([("ABC", [("C2", 0)], False), ("XYZ", [("C6", 0)], False)])
    assert [*sites(board, bases, EVERYWHERE, "ABC")] == [("C4", 0)]
    assert [*sites(board, bases, EVERYWHERE, "XYZ")] == [("C4", 0)]
    assert [*sites(board, bases, EVERYWHERE & ~(1 << board.graph.node_at["C4", 0]), "ABC")] == []
    assert [*sites(lay_out("C4 big, C6 big"), bases, EVERYWHERE, "ABC")] == [("C4", 0), ("C6", 0)]


def test_one_base_on_a_hex_is_the_most_in_whichever_city_it_stands() -> None:
    board, bases = lay_out("C4 pair"), bases_of([("ABC", [("C4", 1)], False)])
    assert stands_on(board, bases, "C4", "ABC")
    assert not stands_on(board, bases, "C4", "XYZ")
    assert ("C4", 0) not in [*sites(board, bases, EVERYWHERE, "ABC")]
    assert ("C4", 0) in [*sites(board, bases, EVERYWHERE, "XYZ")]
