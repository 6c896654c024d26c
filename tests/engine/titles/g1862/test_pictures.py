"""What the pictures of 1862 tell: holdings before and after a merger, the auction and its costs, runs and choices."""

import pytest

from engine import Event
from engine.errors import RuleError
from engine.finance.events import DividendPaid, RoundBegun
from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.title import Request
from engine.titles.g1862 import TITLE
from engine.titles.g1862.actions import AddStation, Answer, Bid, Merge, Run, Sell
from engine.titles.g1862.events import SharesSwapped
from engine.titles.g1862.pictures.look import illustrate
from engine.titles.g1862.rounds.stock import begin_parliament
from engine.titles.g1862.state import Offer, State
from engine.view import CharterView, MapView, Panels, Sheet, TableView
from tests.engine.titles.g1862.positions import legal, operating, parliament, play, stock, table

TILES = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
TWO = """
N&E 90 5*,0,0,0 trains=2F at=B13 permits=express cash=100
WStI 90 0,5*,1,0 trains=2F at=B5,B13 permits=local cash=30
"""
NAMES = ("Ada", "Ben", "Cy", "Dan")


def sheet(s: State, picture: str, seat: int | None = 0, about: str = "") -> Sheet:
    view = TITLE.views.look(s, Request(picture, seat, about, NAMES))
    assert isinstance(view, Sheet)
    return view


def rows(shown: TableView) -> dict[str, list[str]]:
    """Return the rows of a table by their first entry, as words and chips."""
    return {row[0].text or row[0].chip: [entry.text or entry.chip for entry in row[1:]] for row in shown.rows}


def heads(shown: TableView) -> list[str]:
    return [" ".join(filter(None, (head.chip, head.text))) for head in shown.heads]


def test_a_merger_shows_holdings_before_and_after_and_the_options() -> None:
    """§5.2.4: half of what each has together; the odd share is his option. What is loose is told too."""
    s = operating(table(TWO, tiles=TILES), "N&E", "merge")
    shown = sheet(s, "merger")
    assert heads(shown.tables[0]) == ["Holder", "N&E", "WStI", "Together", "N&E after", "Option"]
    assert rows(shown.tables[0]) == {
        "Ada": ["50", "", "50", "20", "+10"],
        "Ben": ["", "50", "50", "20", "+10"],
        "Cy": ["", "10", "10", "0", "+10"],
        "IPO, pool": ["50", "40", "90", "", ""],
    }
    assert shown.tables[0].mine == 0
    assert shown.notes == (
        "N&E £90 and WStI £90 make £134; N&E survives.",
        "Each option costs £67 to redeem and brings £67.",
        "If all options are redeemed, Ada directs N&E.",
    )


def test_several_mergers_are_shown_together() -> None:
    """Each partner with its director, the new price and who would direct, then its holdings."""
    s = operating(table(f"{TWO}L&E 74 0,0,5*,0 trains=2F at=C6,B13", tiles=TILES), "N&E", "merge")
    merges = [action for action in legal(s) if isinstance(action, Merge)]
    shown = illustrate(s, Request("", 0, "", NAMES), merges)
    assert isinstance(shown, Sheet)
    assert rows(shown.tables[0]) == {"WStI": ["Ben", "£134", "Ada"], "L&E": ["Cy", "£116", "Ada"]}
    titles = {each.title for each in shown.tables[1:]}
    assert titles == {"N&E with WStI: shares (%)", "N&E with L&E: shares (%)"}
    assert "With L&E at £116: Ada: 50% become 20% and an option." in shown.alt


def test_a_merger_in_progress_shows_the_open_option_and_the_next_players() -> None:
    """§5.2.4: the holder who decides keeps the even shares for certain; the others wait."""
    s = operating(table(TWO, tiles=TILES), "N&E", "merge")
    play(s, Merge("WStI", "N&E"), Answer("accept"))
    shown = sheet(s, "merger")
    assert heads(shown.tables[0]) == ["Holder", "N&E", "WStI", "N&E after", "Option", "Turn"]
    told = rows(shown.tables[0])
    assert told["Ada"][-1] == "decides"
    assert told["Cy"] == ["", "10", "0", "+10", "to come"]
    assert shown.tables[0].mine == list(told).index("Ada")
    assert "to redeem it, or sell it for £" in shown.notes[0]
    assert "Cy: 10% WStI" in shown.alt


def test_a_merger_marks_the_viewers_row_and_leaves_out_players_without_shares() -> None:
    s = operating(
        table(TWO.replace("0,5*,1,0", "0,0,0,5*").replace("5*,0,0,0", "0,5*,0,0"), tiles=TILES), "N&E", "merge"
    )
    assert [sheet(s, "merger", seat).tables[0].mine for seat in range(4)] == [-1, 0, -1, 1]
    play(s, Merge("WStI", "N&E"))
    play(s, Answer("accept"), seat=3)
    assert list(rows(sheet(s, "merger").tables[0])) == ["Ben", "Dan", "Treasury", "Pool"]


def test_london_lies_below_the_middle_of_the_map() -> None:
    """§7.6.5: four spaces, in the order of the companies."""
    s = table("N&E 90 5*,0,0,0 at=B13 london=B15\nENR 90 0,5*,0,0 at=F3")
    board = TITLE.views.look(s, Request("map", 0, "", NAMES))
    assert isinstance(board, MapView)
    places = {view.coord or view.name: view for view in board.hexes}
    london, above = places["London"], places["C14"]
    assert (london.x, london.y) == (above.x, above.y + 2)
    assert [token and token.company for token in london.stops[0].tokens] == ["N&E", None, None, None]


def test_parliament_begins_with_the_auction_and_shows_the_costs() -> None:
    """§4.1: who leads, who has passed, who cannot bid; the certificate is three shares, five float it."""
    s = parliament(table(cash=[600, 300, 160, 500]))
    play(s, Bid("N&E", 5))
    bids, _, costs = sheet(s, "parliament", seat=1).tables
    assert bids.title == "The charter of N&E: Northern & Eastern Railway"
    assert rows(bids) == {
        "Ada": ["£600", "£435", "0/13", "bids £5"],
        "Ben": ["£300", "£135", "0/13", "to bid"],
        "Cy": ["£160", "–", "0/13", ""],
        "Dan": ["£500", "£335", "0/13", ""],
    }
    assert rows(costs)["54"] == ["£162", "£270", "£360"]
    play(s, Pass())
    assert rows(sheet(s, "parliament").tables[0])["Ben"][-1] == "passed"


def test_parliament_shows_which_companies_may_be_started_and_why_others_may_not() -> None:
    """§3.2: a company waits for its phase; each has its home and permit."""
    s = parliament(table("N&E 90 5*,0,0,0 trains=2F at=B13"))
    companies = rows(sheet(s, "parliament").tables[1])
    assert "N&E" not in companies
    assert companies["WStI"][1:] == ["Wisbech (B5)", "express", "may start"]


def test_the_table_leaves_out_places_without_shares_and_says_why_there_is_no_train() -> None:
    """Before the first company there are players only; a company in receivership has no director."""
    assert len(sheet(table(), "table").tables) == 1
    s = table("N&E 90 5*,0,0,0 trains=2F at=B13 treasury=5\nWStI 86 2,2,2,0 at=B5", cash=[20000, 0, 0, 0])
    shown = sheet(s, "table")
    assert [name for name in rows(shown.tables[0]) if name not in ("Ada (deal)", *NAMES)] == ["Treasury", "Pool"]
    assert rows(shown.tables[0])["Pool"][1:3] == ["", "40*"], "the certificate of a company in receivership"
    companies = rows(shown.tables[1])
    assert companies["N&E"][3] == "2F"
    assert companies["WStI"][3] == "none"
    assert companies["WStI"][-1] == "receivership"
    assert s.bank < 0
    assert shown.notes[0].startswith(f"The bank has paid £{-s.bank:,} more than it had.")


def test_a_company_that_is_not_started_shows_its_home_and_permit() -> None:
    """No price or treasury that it does not have."""
    charter = TITLE.views.look(table(), Request("company", 0, "WStI", NAMES))
    assert isinstance(charter, CharterView)
    assert charter.facts == (("Home", "Wisbech (B5)"), ("Permits", "express"), ("Status", "may start"))
    assert [holding.who for holding in charter.holdings] == ["IPO"]


@pytest.mark.parametrize(("code", "home", "tiles"), [("N&E", "B13", TILES), ("ESR", "F11", "F11:790:1")])
def test_choices_are_numbered_on_the_map_and_shown_closely(code: str, home: str, tiles: str) -> None:
    """All hexes are there for the small map; a number stays with its hex."""
    s = operating(table(f"{code} 90 5*,0,0,0 at={home}", tiles=tiles), code, "track")
    lays = [action for action in legal(s) if isinstance(action, LayTile)]
    shown = illustrate(s, Request("", 0), lays)
    assert isinstance(shown, MapView)
    chosen = [h.coord for h in shown.hexes if h.choice]
    assert set(chosen) == {lay.hex for lay in lays}
    whole = TITLE.views.look(s, Request("map", 0, "", NAMES))
    assert isinstance(whole, MapView)
    assert [h.coord for h in shown.hexes] == [h.coord for h in whole.hexes]
    assert shown.close
    assert not whole.close
    assert f"1 {lays[0].hex}" in shown.alt


def test_small_stations_on_one_hex_are_distinguished_by_their_connections() -> None:
    """Each line of a hex may get one; sides are named by the hexes behind them."""
    s = operating(table("N&E 90 5*,0,0,0 at=B13", tiles="C12:20:0"), "N&E", "track")
    shown = illustrate(s, Request("", 0), [AddStation("C12", 0, 3), AddStation("C12", 1, 4)])
    assert isinstance(shown, Panels)
    assert [panel.caption for panel in shown.panels] == ["C14 to C10", "B13 to D11"]


def test_a_run_is_reported_once_in_the_legend() -> None:
    """Its words stand beside its line and nowhere else."""
    s = operating(table("N&E 90 5*,0,0,0 trains=3F at=B13 permits=freight", tiles=TILES), "N&E", "run")
    shown = illustrate(s, Request("", 0), [Run("best")])
    assert isinstance(shown, MapView)
    assert len(shown.lines) == 1
    assert shown.lines[0].words
    assert shown.notes == ()
    told = "Runs: 3F Bishop's Stortford–Royston–Cambridge–The West £130, with 2 × 20 for hexes between."
    assert told in shown.alt, "who can't see the map is told names"
    assert "Markers: N&E at Bishop's Stortford." in shown.alt
    assert "57 at Wisbech" in shown.alt


def test_warranties_are_words_where_a_train_is_reported() -> None:
    """Stars are marks of Discord's: a pair of them makes what stands between bold."""
    s = operating(table("N&E 90 5*,0,0,0 trains=3F**,2E,1L* at=B13 permits=freight", tiles=TILES), "N&E", "run")
    assert "trains 1L with 1 warranty, 2E, 3F with 2 warranties, " in TITLE.words.ask(s).lines[0]


def test_an_unknown_company_is_refused_in_words() -> None:
    """A picture about nothing is no crash."""
    with pytest.raises(RuleError):
        sheet(table(), "company", about="XYZ")


ZONE = "20% · £920 · price stays £460, its zone ignores the first two shares sold"


@pytest.mark.parametrize(
    ("seat", "price", "company", "count"),
    [
        (0, "90", "£90 a share · selling one: £90→£86", "20% · £180 · price £90→£82"),
        (0, "220", "£220 a share · selling one: £220→£210", "20% · £440 · price £220→£200"),
        (1, "220", "£220 a share · selling one: stays £220", "20% · £440 · price £220→£210"),
        (1, "460", "£460 a share · selling one: stays £460", ZONE),
    ],
)
def test_a_sale_shows_its_proceeds_and_the_price_change(seat: int, price: str, company: str, count: str) -> None:
    """§6.4.2: in a green zone the first share or two are free, but not for the director."""
    s = stock(table(f"N&E {price} 5*,3,0,0 trains=2F"), seat)
    assert TITLE.words.label(s, Sell("N&E", 1), "company") == f"N&E · {company}"
    assert TITLE.words.label(s, Sell("N&E", 2), "count") == count


def test_a_share_of_a_company_without_train_brings_half() -> None:
    s = stock(table("N&E 90 5*,3,0,0"), 1)
    assert (
        TITLE.words.label(s, Sell("N&E", 2), "company")
        == "N&E · £45 a share, half price without a train · selling one: £90→£86"
    )
    assert TITLE.words.label(s, Sell("N&E", 2), "count") == "20% · £90 · price £90→£82"


def test_a_player_sheet_marks_the_directors_certificate_and_shows_debts() -> None:
    s = table("N&E 90 5*,3,0,0 trains=2F\nWStI 86 1,4*,0,0 trains=2F")
    s.companies["WStI"].obliged = 0
    shown = sheet(s, "player", about="0")
    assert rows(shown.tables[0]) == {"N&E": ["50*", "£90", "£450"], "WStI": ["10", "£86", "£86"]}
    assert shown.notes[0].endswith("worth £1,536. Under obligation for WStI.")


def test_after_every_turn_map_market_and_table_are_shown() -> None:
    """What changes with most moves; the rest is there for who asks."""
    assert [picture.name for picture in TITLE.views.pictures if picture.every_turn] == ["map", "market", "table"]


def test_only_an_answer_to_a_merger_shows_the_merger() -> None:
    s = operating(table(TWO, tiles=TILES), "N&E", "merge")
    replies = [Answer("accept"), Answer("decline")]
    s.operating.offer = Offer("merge", "N&E", "WStI", 1, 0, "N&E")
    assert isinstance(illustrate(s, Request("", 1), replies), Sheet)
    s.operating.offer = Offer("train", "N&E", "WStI", 1, 0, train="2F")
    assert illustrate(s, Request("", 1), replies) is None
    s.operating.offer = None
    assert illustrate(s, Request("", 1), replies) is None


@pytest.mark.parametrize(
    ("added", "paid", "treasury", "words"),
    [
        (0, (45, 0, 9, 0), 0, "N&E pays £90: Ada £45, Cy £9."),
        (10, (45, 0, 0, 0), 18, "N&E pays £90, £10 of it from its treasury (Hudson): Ada £45, its treasury £18."),
        (0, (0, 0, 0, 0), 0, "N&E pays £90."),
    ],
)
def test_a_dividend_is_reported_with_each_shareholders_part(
    added: int, paid: tuple[int, ...], treasury: int, words: str
) -> None:
    assert TITLE.words.say(DividendPaid("N&E", 90, paid, treasury, added), NAMES) == words


def test_only_track_that_is_laid_makes_passing_mean_no_more() -> None:
    s = operating(table(TWO, tiles=TILES), "N&E", "track")
    assert TITLE.words.label(s, Pass(), "") == "No track"
    s.operating.laid = [("B13", "yellow")]
    assert TITLE.words.label(s, Pass(), "") == "No more track"
    s.operating.step = "token"
    assert TITLE.words.label(s, Pass(), "") == "No marker"


@pytest.mark.parametrize(("seat", "winner", "word"), [(0, 0, "Done"), (1, 1, "Done"), (0, -1, "Pass")])
def test_a_winner_who_passes_in_parliament_is_done(seat: int, winner: int, word: str) -> None:
    s = parliament(table(cash=[600] * 4), seat)
    s.parliament.lot, s.parliament.winner = ("N&E", winner) if winner >= 0 else ("", -1)
    assert TITLE.words.label(s, Pass(), "") == word


def test_where_a_share_is_swapped_from_is_reported() -> None:
    """§5.2.4: from the pool, from another player, or from the treasury."""
    said = [TITLE.words.say(SharesSwapped(0, "N&E", "WStI", source), NAMES) for source in ("pool", "1", "-1")]
    assert [words.partition(" from ")[2] for words in said] == ["the pool.", "Ben.", "the treasury."]


@pytest.mark.parametrize(("turn", "number", "name"), [(1, 1, "PR 1"), (1, 2, "The second PR 1"), (3, 2, "PR 3")])
def test_only_the_first_parliament_is_followed_by_a_second(turn: int, number: int, name: str) -> None:
    """§3.0: the game begins with two in a row."""
    s, told = table(), list[Event]()
    s.turn = turn
    begin_parliament(s, told.append, number)
    assert told == [RoundBegun(name)]
