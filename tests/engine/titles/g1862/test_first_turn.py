"""§7.1, §7.2: the operating order, and the first turn with its home marker."""

from engine import Event
from engine.finance.events import RoundBegun, TurnBegan
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.titles.g1862.actions import AddStation, LinkLondon, PlaceMarker
from engine.titles.g1862.events import HomePlaced
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Operating, State
from tests.engine.titles.g1862.positions import catch_refusal, legal, of_kind, play, settle, step_of, table

FRESH = "new unplaced=3 cash=0"


def begin(s: State) -> list[Event]:
    """Begin an operating round and return the facts up to the first decision."""
    s.round = Operating(0, 1, [])
    return settle(s)


def test_7_1_by_price_then_by_place_in_the_stack() -> None:
    s = table("N&E 90 5*,0,0,0 at=B13\nWStI 100 5*,0,0,0 at=B5\nENR 90 5*,0,0,0 at=F3")
    s.companies["N&E"].stamp = 99
    begin(s)
    assert s.operating.order == ["WStI", "ENR", "N&E"]


def test_7_2_i_the_marker_waits_on_an_empty_home_and_the_first_tile_is_laid_on_it() -> None:
    """62-7."""
    s = table(f"N&E 90 5*,0,0,0 {FRESH}", tiles="C12:8852:1")
    events = begin(s)
    assert of_kind(events, HomePlaced)[0].waits
    assert s.companies["N&E"].unplaced == 2
    assert {action.hex for action in legal(s, LayTile)} == {"B13"}
    assert legal(s, Pass) == []
    assert "home marker" in catch_refusal(s, Pass()).sentence
    play(s, LayTile("B13", "6", 0))
    assert {action.hex for action in legal(s, LayTile)} <= {"B11", "C12"}
    assert {s.board.map.manifest[action.tile].colour for action in legal(s, LayTile)} <= {"yellow"}


def test_7_2_i_an_n_tile_at_home_is_all_the_track_of_the_turn() -> None:
    s = table(f"EUR 90 5*,0,0,0 {FRESH}")
    begin(s)
    play(s, LayTile("E12", "790", 2))
    assert s.operating.step != "track"


def test_7_2_ii_a_free_slot_takes_the_marker_and_nothing_is_compulsory() -> None:
    """§7.7: a free slot takes the marker and nothing is compulsory."""
    s = table(f"N&E 90 5*,0,0,0 {FRESH}", tiles="B13:6:0")
    begin(s)
    assert s.companies["N&E"].places == ["B13"]
    assert Pass() in legal(s)


def test_7_2_iii_a_full_home_that_can_grow_must_be_upgraded_and_the_marker_takes_the_new_slot() -> None:
    """62-8, 62-10: the marker counts as connected meanwhile."""
    s = table(f"N&E 90 5*,0,0,0 {FRESH}\nWStI 54 0,5*,0,0 at=B13", tiles="B13:6:0", phase="B")
    begin(s)
    company = s.companies["N&E"]
    assert (company.places, company.waiting) == ([], ["B13"])
    assert s.operating.step == "merge", "merging comes first"
    play(s, Pass())
    found = legal(s, LayTile)
    assert found
    assert {(action.hex, s.board.map.manifest[action.tile].colour) for action in found} == {("B13", "green")}
    assert legal(s, AddStation) == []
    play(s, found[0])
    assert (company.places, company.waiting, company.due) == (["B13"], [], [])
    assert step_of(s) != "track"


def test_7_2_iv_else_the_marker_placed_last_is_displaced() -> None:
    """§7.7: 62-9: the most recent one goes back to its owner."""
    s = table(
        f"N&E 90 5*,0,0,0 {FRESH}\nWStI 54 0,5*,0,0 at=B5,B13\nENR 54 0,0,5*,0 at=F3,B13",
        tiles="B13:15:0", phase="B",
    )  # fmt: skip
    s.companies["ENR"].stamp = 0  # its place on the market is older than its marker
    events = begin(s)
    assert of_kind(events, HomePlaced)[0].displaced == "ENR"
    assert s.companies["ENR"].places == ["F3"]
    assert s.companies["ENR"].unplaced == 1
    assert sorted(s.companies["N&E"].places) == ["B13"]


def test_7_2_a_second_marker_in_the_first_turn() -> None:
    s = table(f"N&E 90 5*,0,0,0 {FRESH}", tiles="B13:57:0 B11:8852:0 B9:790:0")
    begin(s)
    play(s, Pass())
    assert legal(s, PlaceMarker) == [PlaceMarker("B9")]


def test_7_3_in_receivership_no_home_marker() -> None:
    s = table(f"N&E 90 2,2,2,0 {FRESH}\nWStI 54 0,5*,0,0 at=B5")
    events = begin(s)
    assert of_kind(events, HomePlaced) == []


def test_the_home_marker_does_not_forbid_london() -> None:
    s = table(f"N&E 90 5*,0,0,0 {FRESH}", tiles="B13:6:5")
    begin(s)
    assert s.operating.step == "token"
    assert LinkLondon("B15") in legal(s)


def test_7_1_each_company_once_a_round() -> None:
    s = table("N&E 90 5*,0,0,0 at=B13\nWStI 90 0,5*,0,0 at=B5")
    events = begin(s)
    while s.name == "OR 1.1":
        events += play(s, *legal(s, Pass)[:1] or legal(s)[:1])
    assert [event.company for event in of_kind(events, TurnBegan)] == ["N&E", "WStI"]
    assert of_kind(events, RoundBegun)
    assert turn.find_actors(s)


def test_7_2_a_marker_whose_upgrade_has_become_impossible_displaces() -> None:
    """§7.2: a merger comes between the marker and the building, and no green tile is left then."""
    s = table(f"N&E 90 5*,0,0,0 {FRESH}\nWStI 54 0,5*,0,0 at=B5,B13", tiles="B13:6:0", phase="B")
    begin(s)
    assert s.companies["N&E"].waiting == ["B13"]
    manifest = s.board.map.manifest
    empty = iter(hex_ for hex_ in s.board.map.hexes if hex_ not in s.board.laid)
    for name in manifest.counts:
        for _ in range(
            manifest.counts[name] if manifest[name].colour == "green" and manifest[name].has_stop("city") else 0
        ):
            s.board = s.board.with_tile(next(empty), name, 0)
    events = play(s, Pass())
    assert [(event.displaced, event.waits) for event in of_kind(events, HomePlaced)] == [("WStI", False)]
    assert (s.companies["N&E"].places, s.companies["N&E"].waiting) == (["B13"], [])
    assert (s.companies["WStI"].places, s.companies["WStI"].unplaced) == (["B5"], 1)
    assert s.operating.step != "merge"
    assert Pass() in legal(s), "nothing is compulsory any more"


def test_7_2_a_marker_takes_the_slot_that_became_free() -> None:
    """§7.2: the marker that filled the home goes while the new one waits."""
    s = table(f"N&E 90 5*,0,0,0 {FRESH}\nWStI 54 0,5*,0,0 at=B5,B13", tiles="B13:6:0", phase="B")
    begin(s)
    s.companies["WStI"].markers.pop()
    events = play(s, Pass())
    assert [event.displaced for event in of_kind(events, HomePlaced)] == [""]
    assert s.companies["N&E"].places == ["B13"]


def test_7_6_5_home_marker_and_london_in_one_turn() -> None:
    """§7.6.5.

    The link forbids track and *other* stations; the home marker isn't one of the turn's (§7.7), so both are placed.
    """
    s = table(f"N&E 90 5*,0,0,0 {FRESH}", tiles="B13:57:0 B11:8852:0 B9:790:0")
    begin(s)
    assert s.companies["N&E"].places == ["B13"]
    play(s, Pass())
    assert PlaceMarker("B9") in legal(s)
    play(s, LinkLondon("B15"))
    assert s.companies["N&E"].london == "B15"
    assert legal(s, PlaceMarker) == []
    assert legal(s, LayTile) == []


def test_7_6_5_no_london_after_the_first_tile_at_home() -> None:
    """§7.6.5: with an empty home hex the tile comes first, and after track there is no link."""
    s = table(f"N&E 90 5*,0,0,0 {FRESH}")
    begin(s)
    play(s, LayTile("B13", "6", 5))
    if legal(s, Pass):
        play(s, Pass())
    assert legal(s, LinkLondon) == []
