"""What sheets say of companies and players, and the parts that refusals cite."""

import pytest

from engine.rails import views
from engine.rails.laying import LayTile
from engine.setup import Setup
from engine.title import Request
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import PlaceBase, Run
from engine.titles.g1860.catalogue import LOTS, PRIVATES
from engine.titles.g1860.pictures import sheets
from engine.titles.g1860.pictures.look import illustrate
from engine.titles.g1860.state import ASIDE, TurnStep
from engine.titles.g1860.steps import running
from engine.view import CharterView, MapView, Panels, Sheet
from tests.engine.titles.g1860.positions import legal, operating, table
from tests.support.sure import as_a


def test_how_companies_stand() -> None:
    s = table(
        "cash 0 0\nIOW 5* | at 90 | 0cc | 2+1\nC&N 2* | par 82\nBHI&R | bankrupt\nS&C | closed\n"
        "FYN 2 1 | pool 2* | at 62",
        layer=2,
    )
    said = {code: sheets.describe_status(s, company) for code, company in s.companies.items()}
    assert said["C&N"] == "not floated"
    assert said["BHI&R"] == "bankrupt"
    assert said["S&C"] == "closed"
    unstarted = {
        code: word for code, word in said.items() if not s.companies[code].started and code not in ("BHI&R", "S&C")
    }
    assert unstarted
    for code, word in unstarted.items():
        layer = s.companies[code].charter.layer
        assert word == ("may start" if layer <= 2 else f"layer {layer}"), code


@pytest.mark.parametrize(("seat", "mine"), [(None, -1), (0, 0), (1, 1)])
def test_the_viewers_row_is_marked(seat: int | None, mine: int) -> None:
    s = table("cash 0 0\nIOW 5* 2 | at 90 | 0cc | 2+1")
    assert as_a(Sheet, TITLE.views.look(s, Request("table", seat))).tables[0].mine == mine


def test_the_sheet_of_the_auction_shows_the_remaining_lots_and_the_buyers_of_the_others() -> None:
    """A lot of the first seat is sold like any other."""
    s = TITLE.deal(Setup("1860", 2))
    first, second, *others = LOTS
    s.privates[first], s.privates[second] = 0, 1
    shown = as_a(Sheet, TITLE.views.look(s, Request("lots", 0, "", ("Ann", "Bob"))))
    assert "Still available: " in shown.alt
    for other in others:
        assert (PRIVATES[other].name if other in PRIVATES else f"the director's certificate of {other}") in shown.alt
    assert [row[-1].text for row in shown.tables[0].rows] == ["Ann", "Bob", *[""] * len(others)]


@pytest.mark.parametrize("names", [(), ("Ann", "Bob")])
def test_the_sheet_of_the_auction_names_no_player_for_a_company_in_receivership(names: tuple[str, ...]) -> None:
    """Later in the game the certificate may lie in the pool; it belongs to no one then, least of all the last seat."""
    s = table("cash 0 0\nC&N 1 1 | pool 2* | at 90 | 0cc | 2+1\nIOW 5* 2 | at 90 | 0cc | 2+1")
    shown = as_a(Sheet, TITLE.views.look(s, Request("lots", 0, "", names)))
    taker = {row[0].text: row[-1].text for row in shown.tables[0].rows}
    assert (taker["C&N"], taker["IOW"]) == ("", names[0] if names else "Player 1")


@pytest.mark.parametrize(
    ("leader", "high", "told"),
    [(-1, 0, "No bid yet."), (0, 5, "Ann has bid £5."), (1, 20, "Bob has bid £20.")],
)
def test_the_sheet_of_the_auction_shows_the_bid_that_stands(leader: int, high: int, told: str) -> None:
    s = TITLE.deal(Setup("1860", 2))
    s.auction.leader, s.auction.high = leader, high
    shown = as_a(Sheet, TITLE.views.look(s, Request("lots", 0, "", ("Ann", "Bob"))))
    assert shown.notes == (told,)
    assert told in shown.alt


def test_after_every_turn_map_market_and_table_are_shown() -> None:
    """What changes with most moves; the rest is there for who asks."""
    assert [picture.name for picture in TITLE.views.pictures if picture.every_turn] == ["map", "market", "table"]


def test_the_runs_of_a_turn_are_drawn_with_the_train_they_were_made_with() -> None:
    """With the company's own or a leased one; where it has neither there is nothing to draw."""
    s = operating("cash 0 0\nIOW 5* | par 82 at 90 | 2+1", "IOW", "dividend")
    iow = s.companies["IOW"]
    assert len(running.list_lines(s, iow, "2+1 I3-J4", "")) == 1
    iow.trains = []
    assert len(running.list_lines(s, iow, "2+1 I3-J4", "2+1")) == 1
    assert running.list_lines(s, iow, "", "") == ()


def test_a_run_that_is_chosen_is_drawn_and_several_are_not() -> None:
    s = operating("cash 0 0\nIOW 5* | par 82 at 90 | 2+1", "IOW", "run")
    drawn = illustrate(s, Request("", 0), [Run("2+1 I3-J4")])
    assert len(as_a(MapView, drawn).lines) == 1
    assert illustrate(s, Request("", 0), [Run("2+1 I3-J4"), Run("best")]) is None
    assert illustrate(s, Request("", 0), []) is None


def test_the_train_sheet_shows_remaining_rusted_and_unlimited_trains() -> None:
    s = table("cash 0 0\nIOW 5* 2 | at 90 | 0cc | 2+1")
    s.depot |= {"2+1": 0, "3+2": 4, "9+5": -1}
    left = {row[0].text: row[1].text for row in as_a(Sheet, TITLE.views.look(s, Request("trains"))).tables[0].rows}
    assert (left["2+1"], left["3+2"], left["9+5"]) == ("0", "4", "unlimited")


def test_a_charter_shows_trains_and_bases_in_words() -> None:
    s = table("cash 0 0\nIOW 5* 2 | at 90 | 0cc | 2+1 3+2\nC&N 5* | at 82 | 0cc")
    told = {code: TITLE.views.look(s, Request("company", about=code)).alt for code in ("IOW", "C&N")}
    assert "Trains: 2+1 3+2." in told["IOW"]
    assert "Trains: none." in told["C&N"]


def test_the_train_sheet_shows_the_owner_of_each_private_company() -> None:
    s = table("cash 0 0\nprivates RPSC 0 CMH 1 FFC bank YHC closed")
    s.privates["BHC"] = ASIDE
    shown = as_a(Sheet, TITLE.views.look(s, Request("trains", names=("Ann", "Bob"))))
    owners = {row[0].text: row[-1].text for row in shown.tables[1].rows}
    assert owners == {"RPSC": "Ann", "CMH": "Bob", "FFC": "bank", "YHC": "closed", "BHC": "later"}


def test_a_charter_shows_how_its_company_stands() -> None:
    """The facts that stand on it, who holds it, the director first, and its bases, placed and to come."""
    s = table("cash 0 0\nIOW 2* 3 | pool 1 | at 90 | 70cc | 2+1", layer=2)

    def charter(code: str) -> CharterView:
        return as_a(CharterView, TITLE.views.look(s, Request("company", 0, code, ("Ann", "Bob"))))

    iow, cowes = charter("IOW"), charter("C&N")
    assert dict(iow.facts) == {
        "Price": "£90", "Par": "£74", "Treasury": "70cc", "Director": "Ann", "Home": "Ryde Esplanade (I3)",
        "Next base": "40cc", "Status": "operating",
    }  # fmt: skip
    assert [(each.who, each.count, each.role) for each in iow.holdings] == [
        ("Ann", 20, "director"), ("Bob", 30, ""), ("IPO", 40, ""), ("Pool", 10, ""),
    ]  # fmt: skip
    assert iow.tokens == (("I3", True), ("40cc", False), ("100cc", False), ("100cc", False))
    assert dict(cowes.facts) | {"Home": "", "Next base": ""} == {
        "Price": "not started", "Par": "–", "Treasury": "0cc", "Director": "no one", "Home": "", "Next base": "",
        "Status": "may start",
    }  # fmt: skip
    assert [(each.who, each.count) for each in cowes.holdings] == [("IPO", 100)]


@pytest.mark.parametrize(
    ("step", "glimpsed"),
    [("track", "£50"), ("base", "£50"), ("run", "£50"), ("dividend", None), ("train", None), ("discard", None)],
)
def test_expected_earnings_are_shown_until_the_company_has_run(step: TurnStep, glimpsed: str | None) -> None:
    seen = TITLE.advice.glance(operating("cash 0 0\nIOW 5* | par 82 at 90 | 2+1", "IOW", step), 1)
    assert (seen and seen.words) == glimpsed


def test_nothing_is_earned_without_a_train_or_a_turn() -> None:
    assert TITLE.advice.glance(operating("cash 0 0\nIOW 5* | par 82 at 90", "IOW", "run"), 1) is None
    assert TITLE.advice.glance(table("cash 0 0\nIOW 5* | par 82 at 90 | 2+1"), 1) is None


def test_hexes_to_choose_from_are_numbered_and_the_tiles_for_one_lettered() -> None:
    s = operating("cash 500 500\nIOW 5* 2 | par 82 at 90 | 300cc | 3+2", "IOW", "track", tiles="J4 6", phase="3")
    lays = legal(s, LayTile)
    shown = as_a(MapView, illustrate(s, Request("", 0), lays))
    assert [h.coord for h in shown.hexes if h.choice] == sorted({lay.hex for lay in lays}) == ["I3", "J4", "J6"]
    one = [lay for lay in lays if lay.hex == "J6"]
    panels = as_a(Panels, illustrate(s, Request("", 0), one)).panels
    assert [panel.caption for panel in panels] == [
        views.write_caption(lay, s.board.count_left(lay.tile)) for lay in one
    ]
    assert illustrate(s, Request("", 0), []) is None


def test_places_for_a_base_are_numbered_each_hex_once() -> None:
    s = operating("cash 500 500\nIOW 5* 2 | par 82 at 90 | 300cc | 3+2", "IOW", "base", tiles="J4 6, J6 746")
    shown = as_a(MapView, illustrate(s, Request("", 0), [*legal(s, PlaceBase), *legal(s, PlaceBase)]))
    assert [h.coord for h in shown.hexes if h.choice] == ["J4", "J6"]
