"""§7.5: who may merge, at what price, with whose consent, and what becomes of turns, markers and assets."""

import pytest

from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.titles.g1862 import TITLE
from engine.titles.g1862.actions import Answer, Merge, RemoveMarker, Withdraw
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.state import Marker, State
from engine.titles.g1862.steps import merging
from tests.engine.titles.g1862.positions import catch_refusal, decide, legal, operating, play, settle, table

TILES = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
TWO = """
N&E 90 5*,0,0,0 trains=2F at=B13 permits=express cash=100
WStI 90 0,5*,0,0 trains=2F at=B5,B13 permits=local cash=30
"""


def agree(s: State) -> None:
    """Redeem every option until the merger is over."""
    decide(s, "redeem")


@pytest.mark.parametrize(
    ("a", "train_a", "b", "train_b", "price", "par"),
    [
        (68, True, 100, True, 116, 100),
        (54, True, 62, True, 82, 82),
        (78, True, 116, False, 95, 90),
        (78, True, 116, True, 134, 100),
        (116, True, 68, False, 90, 90),
        (116, True, 68, True, 122, 100),
        (110, False, 90, False, 71, 68),
        (90, True, 90, True, 134, 100),
        (100, False, 74, True, 86, 82),
        (54, False, 54, False, 40, 54),
    ],
)
def test_7_5_3_the_new_price(a: int, train_a: bool, b: int, train_b: bool, price: int, par: int) -> None:
    """§7.5.3, §7.5.4, §5.2.3: the market price, and the par for refinancing."""
    s = table(f"N&E {a} 5*,0,0,0 {'trains=2F' if train_a else ''}\nWStI {b} 5*,0,0,0 {'trains=2F' if train_b else ''}")
    found = merging.find_new_price(s.companies["N&E"], s.companies["WStI"])
    assert (found, MARKET.find_par(found)) == (price, par)


def test_7_5_2_the_other_director_must_agree() -> None:
    """§5.1.1, §7.5, §7.5.1: the other director must agree."""
    s = operating(table(TWO, tiles=TILES), "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    assert turn.find_actors(s) == (1, 0)
    assert legal(s, seat=0) == [Withdraw()]
    catch_refusal(s, Answer("accept"), seat=0)
    play(s, Answer("decline"), seat=1)
    assert s.operating.merging is None
    assert s.operating.step == "merge"
    play(s, Merge("WStI", "N&E"), seat=0)
    play(s, Withdraw(), seat=0)
    play(s, Merge("WStI", "N&E"), seat=0)
    play(s, Answer("accept"), seat=1)
    assert s.operating.merging is not None


def test_62_68_a_merger_is_agreed_or_declined() -> None:
    """§7.5.1, §7.5.3: 62-68: the director who is asked can name neither the survivor nor a price."""
    s = operating(table(TWO, tiles=TILES), "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    assert legal(s, seat=1) == [Answer("accept"), Answer("decline")]
    price = merging.find_new_price(s.companies["N&E"], s.companies["WStI"])
    play(s, Answer("accept"), seat=1)
    assert s.operating.merging is not None
    assert (s.operating.merging.survivor, s.operating.merging.price) == ("N&E", price)


def test_7_5_2_common_director_needs_no_consent() -> None:
    s = operating(table(TWO.replace("0,5*,0,0", "5*,0,0,0"), tiles=TILES), "N&E", "merge")
    play(s, Merge("WStI", "WStI"))
    assert s.operating.offer is None
    assert s.operating.code == "WStI"


def test_62_26_a_company_in_receivership_neither_merges_nor_is_acquired() -> None:
    """§8.0: 62-26: at the start of the other's turn."""
    s = operating(table(TWO.replace("0,5*,0,0", "0,2,2,0"), tiles=TILES), "N&E", "merge")
    assert "receivership" in catch_refusal(s, Merge("WStI", "N&E")).sentence
    settle(s)
    assert s.operating.step != "merge"


def test_7_5_2_they_must_be_joined_by_track_and_london_does_not_join() -> None:
    s = operating(table(TWO.replace("at=B5,B13", "at=B5 london=B15"), tiles="B13:57:0 B5:57:0"), "N&E", "merge")
    assert "No track connects" in catch_refusal(s, Merge("WStI", "N&E")).sentence


@pytest.mark.parametrize(("others", "joined"), [("ENR", True), ("ENR EUR", False)])
def test_7_5_2_a_full_city_between_them_keeps_them_apart(others: str, *, joined: bool) -> None:
    """§7.5.2: Cambridge has two spaces; the track through it joins them until two others fill it."""
    line = "B13:57:0 B11:8852:0 B9:790:0 B7:8852:0 B5:57:0"
    text = "\n".join(
        [TWO.replace("at=B5,B13", "at=B5").strip(), *(f"{code} 50 0,0,5*,0 at=B9" for code in others.split())]
    )
    s = operating(table(text, tiles=line), "N&E", "merge")
    assert (Merge("WStI", "N&E") in legal(s)) is joined
    if not joined:
        assert "No track connects" in catch_refusal(s, Merge("WStI", "N&E")).sentence


def test_7_5_merging_with_one_that_has_not_operated_the_survivor_continues() -> None:
    """§5.1.1: merging with one that has not operated, the survivor continues."""
    s = operating(table(TWO, tiles=TILES), "N&E", "merge", order=["N&E", "WStI"])
    play(s, Merge("WStI", "WStI"))
    play(s, Answer("accept"), seat=1)
    agree(s)
    assert s.operating.order == ["WStI"]
    assert (s.operating.code, s.operating.step) == ("WStI", "track")


def test_7_5_merging_with_one_that_has_operated_ends_the_turn() -> None:
    """§5.1.1: merging with one that has operated ends the turn."""
    s = operating(table(f"{TWO}ENR 54 0,0,5*,0 at=F3", tiles=TILES), "N&E", "merge", order=["WStI", "N&E", "ENR"])
    play(s, Merge("WStI", "N&E"))
    play(s, Answer("accept"), seat=1)
    agree(s)
    assert s.operating.code == "ENR"


def test_7_5_after_an_acquisition_the_survivor_does_not_operate_again() -> None:
    """§5.1.2, §7.14: it is carried out as a merger is, but the survivor does not operate again in the round."""
    s = operating(table(TWO, tiles=TILES), "N&E", "acquire", order=["N&E", "WStI"])
    play(s, Merge("WStI", "WStI"))
    play(s, Answer("accept"), seat=1)
    agree(s)
    assert s.name.startswith("PR")
    company = s.companies["WStI"]
    assert (company.price, company.par, company.cash, len(company.trains)) == (134, 100, 130, 2)


def test_7_5_6_cash_trains_permits_and_markers_go_over() -> None:
    """§2.1, §6.5.4.3: cash, trains, permits and markers go over."""
    s = operating(table(TWO.replace("cash=30", "cash=30 unplaced=1"), tiles=TILES), "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    play(s, Answer("accept"), seat=1)
    agree(s)
    company = s.companies["N&E"]
    assert company.cash == 130
    assert len(company.trains) == 2
    assert company.permits == ["express", "local"]
    assert sorted(company.places) == ["B13", "B5"], "of two markers on B13 one is lost"
    assert company.unplaced == 1


def test_7_5_7_the_other_company_is_free_to_be_started_again() -> None:
    s = operating(table(TWO, tiles=TILES), "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    play(s, Answer("accept"), seat=1)
    agree(s)
    other = s.companies["WStI"]
    assert (other.started, other.ipo, other.permits, other.markers) == (False, 10, [other.permit], [])
    assert (other.cell, other.par) == (None, None), "its tokens leave both charts"


def test_7_5_6_too_many_markers_are_removed_but_never_the_home() -> None:
    """§7.5.6, 62-45: markers of both, but not the one at home."""
    places = "E2,F3,E4,D5,C6"
    s = table(
        TWO.replace("at=B13", f"at=B13,{places}").replace("at=B5,B13", "at=B5,B13,E8,G8 london=B15"),
        tiles=TILES,
    )
    operating(s, "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    play(s, Answer("accept"), seat=1)
    agree(s)
    assert s.companies["N&E"].marker_count + s.companies["WStI"].marker_count == 10
    shown = "any marker of the two companies can be removed, except the one at the survivor's home (§7.5.6, 62-45)."
    assert TITLE.words.ask(s).readings == (f"This table reads: {shown}",)
    assert "can't remove a marker from B13; choose E2" in catch_refusal(s, RemoveMarker("B13")).sentence
    for hex_ in ("E2", "London", "B5"):
        assert s.operating.removing == "N&E"
        play(s, RemoveMarker(hex_))
    assert s.operating.removing == ""
    company = s.companies["N&E"]
    assert sorted(company.places) == ["B13", "C6", "D5", "E4", "E8", "F3", "G8"], "markers of both, one of two on B13"
    assert (company.unplaced, company.london) == (0, "")


def test_7_5_6_a_marker_beside_a_city_may_be_removed_too() -> None:
    s = operating(table(TWO.replace("at=B13", "at=B13,E2,F3,E4,D5,C6"), tiles=TILES), "N&E", "merge")
    s.companies["WStI"].waiting = ["F9", "G6"]
    play(s, Merge("WStI", "N&E"))
    play(s, Answer("accept"), seat=1)
    agree(s)
    assert (TITLE.words.ask(s).headline, TITLE.words.ask(s).kind) == ("N&E has too many markers", "remove a marker")
    assert TITLE.words.ask(s).lines == ("It has 2 above the limit of 7, counting both companies' markers.",)
    play(s, RemoveMarker("F9"))
    assert s.companies["WStI"].waiting == ["G6"]
    play(s, RemoveMarker("G6"))
    company = s.companies["N&E"]
    assert (company.waiting, sorted(company.places)) == ([], ["B13", "B5", "C6", "D5", "E2", "E4", "F3"])


def test_10_1_a_merger_into_the_top_ends_the_game() -> None:
    s = operating(table(TWO.replace("90", "900"), tiles=TILES), "N&E", "merge")
    play(s, Merge("WStI", "N&E"))
    play(s, Answer("accept"), seat=1)
    assert s.companies["N&E"].price == 1000
    assert s.topped


def test_7_2_the_survivor_inherits_the_duty_to_build_on_the_home_hex() -> None:
    """§13.0: the survivor inherits the duty to build on the home hex."""
    text = "N&E 90 5*,0,0,0 trains=2F at=B13\nWStI 90 5*,0,0,0 trains=2F at=B9 new unplaced=2 cash=0"
    for options, hexes in (({}, {"B5"}), ({"home_first": "off"}, None)):
        s = table(text, tiles="B13:57:0 B11:8852:0 B9:790:0", options=options)
        company = s.companies["WStI"]
        company.home_placed, company.due = True, ["B5"]
        company.markers.append(Marker("B5", 99))
        operating(s, "WStI", "merge", order=["WStI", "N&E"])
        play(s, Merge("N&E", "N&E"))
        agree(s)
        assert s.operating.code == "N&E"
        found = {action.hex for action in legal(s, LayTile)}
        assert found == hexes if hexes else len(found) > 1
        if hexes:
            assert "home marker" in catch_refusal(s, Pass()).sentence
