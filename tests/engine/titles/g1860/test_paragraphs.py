"""Tables, examples and single sentences of the book that the tests by topic leave out."""

import pytest

from engine.finance.rounds import Pass
from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import Manifest
from engine.titles.g1860.actions import BuyShare, Run
from engine.titles.g1860.catalogue import CHARTERS, PRIVATES, TRAINS, load_map
from engine.titles.g1860.running.runs import Problem, RunRules
from tests.engine.titles.g1860.positions import catch_refusal, operating, play, table
from tests.engine.titles.g1860.run_ground import earns

COMPANIES = (
    ("C&N", 1, 4, 74, 100, "Cowes", "Newport 50, Ryde Esplanade 50"),
    ("IOW", 1, 4, 74, 100, "Ryde Esplanade", "Ventnor 100"),
    ("IWNJ", 2, 3, 62, 82, "Merstone", "Shide 100, Sandown 100"),
    ("FYN", 2, 3, 62, 82, "Yarmouth", "Newport 200"),
    ("NGStL", 3, 2, 58, 68, "Godshill", "Newport 100, Ventnor 100"),
    ("BHI&R", 3, 2, 58, 68, "Bembridge", "Brading 100, Ryde Esplanade 100"),
    ("S&C", 4, 2, 54, 62, "Chale", "Shanklin 200"),
    ("VYSC", 4, 2, 54, 62, "Shorwell", "Ventnor 100, Freshwater 100"),
)


@pytest.mark.parametrize("row", COMPANIES, ids=[row[0] for row in COMPANIES])
def test_the_table_of_companies(row: tuple[str, int, int, int, int, str, str]) -> None:
    """Major Companies; Company Tokens; Bases of a company; Layers; Variant; Variant: Destinations.

    Destinations: layer, bases, range of par, home and destinations of each.
    """
    code, layer, bases, lowest, highest, home, destinations = row
    charter = CHARTERS[code]
    assert (charter.layer, len(charter.base_costs), charter.pars[0], charter.pars[-1]) == (
        layer,
        bases,
        lowest,
        highest,
    )
    assert load_map("extended").hexes[charter.home[0]].name == home
    assert ", ".join(f"{each.name} {each.bonus}" for each in charter.destinations) == destinations


def test_there_are_eight_companies() -> None:
    """Major Companies: those of the table."""
    assert list(CHARTERS) == [code for code, *_ in COMPANIES]


PHASES = (
    ("2+1", 5, 250, "2", 1, 4, "", "yellow"),
    ("3+2", 4, 300, "3", 2, 4, "", "yellow green"),
    ("4+2", 3, 350, "4", 2, 3, "2+1", "yellow green"),
    ("5+3", 2, 400, "5", 3, 3, "", "yellow green russet"),
    ("6+3", 2, 500, "6", 3, 2, "3+2", "yellow green russet"),
    ("7+4", 1, 600, "7", 3, 2, "4+2", "yellow green russet"),
    ("8+4", 1, 700, "8", 3, 2, "5+3", "yellow green russet"),
    ("9+5", -1, 800, "9", 3, 2, "", "yellow green russet"),
)


def test_the_table_of_trains() -> None:
    """Phases; Phases and rust: number, price, phase, rounds, limit, what rusts and which tiles there are."""
    printed = [
        (kind.name, kind.count, kind.price, kind.phase, kind.rounds, kind.limit, kind.rusts, " ".join(kind.colours))
        for kind in TRAINS.values()
    ]
    assert printed == list(PHASES)


def test_the_marks_of_the_map() -> None:
    """The Map; Track Tiles; Building Bases; Special rules for tile placement.

    Letters of towns, towns printed yellow, terrain that costs 60cc, and the three red borders of the text.
    """
    hexes = load_map("extended").hexes
    letters = {of.name: of.letter for of in hexes.values() if of.letter}
    assert letters == {
        "Ryde Esplanade": "R", "Cowes": "C", "Newport": "N", "Ventnor": "V", "Brading": "B", "Godshill": "B",
        "Shorwell": "B", "Merstone": "M",
    }  # fmt: skip
    yellow = {of.name for of in hexes.values() if of.printed.colour == "yellow"}
    assert yellow == {"Ryde Esplanade", "Newport", "Ventnor", "Merstone"}
    costly = {coord for coord, of in hexes.items() if of.cost}
    assert {hexes[coord].cost for coord in costly} == {60}
    assert {"K5", "H2", "D4"} <= costly, "St. Helens, Fishbourne and the hex north of Calbourne"
    assert {"C7", "E7", "F8", "G13", "H6", "H10", "H12"} == costly - {"K5", "H2", "D4"}
    for coord in ("F2", "F4", "I5", "I9"):
        assert hexes[coord].barriers


@pytest.mark.parametrize(("tiles", "refusal"), [("J4 6/0", True), ("J4 6/0, I3 758/0", False)])
def test_the_pier_is_reached_once_ryde_esplanade_is_upgraded(tiles: str, refusal: bool) -> None:
    """The Map; Running Trains: from then on it is a large station, worth £20 in phase 3."""
    s = operating("cash 0 0\nIOW 5* | at 90 | 0cc | 2+1", "IOW", "run", tiles=tiles, phase="3")
    if refusal:
        assert catch_refusal(s, Run("2+1 J2-I3")).rule.section == "Running Trains"
        return
    play(s, Run("2+1 J2-I3"))
    assert s.operating.revenue == 20 + 50


def line(*codes: str) -> Problem:
    """Return C&N with a base in the first city of stops in a column, one a hex, each joined to the next."""
    coords = [f"C{2 * number + 2}" for number in range(len(codes))]
    hexes = {
        coord: PrintedHex(code=f"{code};path=a:0,b:_0;path=a:3,b:_0") for coord, code in zip(coords, codes, strict=True)
    }
    board = Board(Map("line", hexes, (), Manifest({}, {})))
    return Problem(board.graph, "C&N", {("C2", 0): ("C&N",)}, ("C2", 0), ())


CITY, TOWN, HALT = "city=revenue:{},slots:1", "town=revenue:10", "halt=sign:£,revenue:0"


def test_the_printed_run_of_a_3_2() -> None:
    """Running Trains: 20, 20, a small 10 and a halt on the way to 30: £80 and 10cc."""
    from msgspec.structs import replace

    stops = (CITY.format(20), CITY.format(20), TOWN, HALT, CITY.format(30))
    problem = replace(line(*stops), trains=(TRAINS["3+2"],))
    assert earns(problem, "C2-C4-C6-C8-C10") == (80, 10)


def test_the_printed_lease_of_the_original_rule() -> None:
    """Variant: Original Insolvency Revenue: £250 and 40cc of halts bring 130 and 40."""
    from msgspec.structs import replace

    stops = (CITY.format(120), HALT, HALT, HALT, HALT, CITY.format(130))
    problem = replace(line(*stops), trains=(TRAINS["9+5"],), rules=RunRules(lease="half"))
    assert earns(problem, "C2-C4-C6-C8-C10-C12") == (130, 40)


def test_shares_are_bought_in_several_turns_of_a_round() -> None:
    """Buying: one in each turn, more in a round."""
    s = table("cash 500 500\nIOW 3* 2 | at 90 | 2+1")
    play(s, BuyShare("IOW", "ipo"), Pass(), BuyShare("IOW", "ipo"))
    assert s.companies["IOW"].shares == [5, 2]


def test_each_private_is_linked_to_a_railway() -> None:
    """Exchanging Private Companies; The Fishbourne Ferry Company: four privates; Fishbourne is linked to none."""
    links = {code: private.railway for code, private in PRIVATES.items()}
    assert links == {"BHC": "BHI&R", "YHC": "FYN", "CMH": "C&N", "RPSC": "IOW", "FFC": ""}
