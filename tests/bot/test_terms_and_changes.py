"""What is asked is told in words that fit after "asks", with what it means; what is new on a map is marked."""

import msgspec
import pytest

from bot.model.terms import (
    ActFor,
    AnyTerms,
    Close,
    EndEarly,
    FastAuctions,
    Replace,
    SetClock,
    StandIn,
    TakeBack,
    describe_request,
    list_details,
)
from bot.service.workers.choices import can_mark_changes, has_picture_changed, mark_changes
from engine.hex_view import HexView
from engine.view import MapView, Network, NetworkLink, Note, Place

TERMS: tuple[tuple[AnyTerms, str, int], ...] = (
    (Replace(1, "Bob", "9", "Eve"), "for Eve to take Bob's seat", 1),
    (StandIn(1, "Bob", once=True), "for the stand-in to play for Bob, this turn only", 2),
    (StandIn(1, "Bob", once=False), "for the stand-in to play for Bob", 2),
    (ActFor(1, "Bob", "9", "Eve", once=False), "for Eve to act for Bob", 1),
    (SetClock(3600, 0, paused=False, told="1 hour"), "to set the clock: 1 hour", 2),
    (FastAuctions(), "for fast auctions", 3),
    (EndEarly(), "to end the game now, with the scores as they stand", 1),
    (Close(), "to close the table without a result", 1),
)  # fmt: skip


@pytest.mark.parametrize(("terms", "words", "lines"), TERMS)
def test_a_proposal_is_posted_with_its_consequences(terms: AnyTerms, words: str, lines: int) -> None:
    assert describe_request(terms) == words
    told = list_details(terms)
    assert len(told) == lines
    assert all(line.endswith(".") for line in told)


def test_of_many_moves_that_would_be_lost_the_first_and_the_last_are_reported() -> None:
    """Four are not many; where the first is not known the last are told."""
    four = tuple(f"Ann bids £{amount}." for amount in range(1, 5))
    assert list_details(TakeBack(0, four, 4, first=four[0])) == four
    assert list_details(TakeBack(0, four, 5, first="Bob passes."))[0] == "5 moves"
    assert list_details(TakeBack(0, four, 5)) == ("5 moves; the last 4 of them:", *four)
    few = TakeBack(0, ("Ann bids £1.", "Bob passes."), 2)
    assert list(list_details(few)) == ["Ann bids £1.", "Bob passes."]
    assert describe_request(few) == "to take back 2 moves"
    many = TakeBack(0, ("Bob passes.",), 40, first="Ann bids £1.", whose=("Ann", "Bob"))
    assert list(list_details(many)) == ["40 moves of Ann, Bob", "from: Ann bids £1.", "to: Bob passes."]
    assert (describe_request(TakeBack(0)), list(list_details(TakeBack(0)))) == ("to take back a move", [])
    some = TakeBack(0, ("Ann bids £1.", "Bob passes."), 3)
    assert list_details(some)[0] == "3 moves; the last 2 of them:"


MAP = MapView("", "", (HexView("A1", 0, 0), HexView("B2", 1, 1, mark="can")))
NET = Network(
    "",
    "",
    9,
    9,
    (Place("a", "A", 1, 1, "circle", 10, "", ""), Place("b", "B", 2, 2, "circle", 10, "", "")),
    (NetworkLink("a", "b", 2),),
)


def test_tiles_that_lie_otherwise_are_new_but_marks_that_are_there_stay() -> None:
    """Who may act somewhere is no change."""
    assert can_mark_changes(MAP)
    assert can_mark_changes(NET)
    assert not can_mark_changes(Note("", "", ()))
    laid = msgspec.structs.replace(MAP, hexes=tuple(msgspec.structs.replace(each, tile="57") for each in MAP.hexes))
    plain = msgspec.structs.replace(MAP, hexes=tuple(msgspec.structs.replace(each, mark="") for each in MAP.hexes))
    assert not has_picture_changed(MAP, plain)
    assert has_picture_changed(MAP, laid)
    assert not has_picture_changed(MAP, NET)
    marked = mark_changes(MAP, laid, "since your turn")
    assert isinstance(marked, MapView)
    assert [each.mark for each in marked.hexes] == ["new", "can"]
    assert marked.new == "since your turn"
    assert mark_changes(MAP, NET) == NET, "two pictures of different kinds are not compared"


def test_links_that_were_built_are_new() -> None:
    built = msgspec.structs.replace(NET, links=(NetworkLink("a", "b", 2, "red"),))
    assert has_picture_changed(NET, built)
    assert not has_picture_changed(built, built)
    marked = mark_changes(NET, built)
    assert isinstance(marked, Network)
    assert [link.mark for link in marked.links] == ["new"]
    chosen = msgspec.structs.replace(built, links=(NetworkLink("a", "b", 2, "red", mark="can"),))
    assert mark_changes(NET, chosen) == msgspec.structs.replace(chosen, new="new")
