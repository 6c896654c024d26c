"""The words of choices, what the game tells where it waits, and the signs of the market."""

import pytest

from engine.rails.board import Board
from engine.rails.places import describe_new_links
from engine.record import Action
from engine.title import Request
from engine.titles.g1862 import TITLE
from engine.titles.g1862.actions import (
    Answer,
    Bid,
    BuyShare,
    BuyTrain,
    LinkLondon,
    Markers,
    Merge,
    PlaceMarker,
    Redeem,
    RemoveMarker,
    Run,
    Sell,
    Start,
    Withdraw,
)
from engine.titles.g1862.catalogue import load_map
from engine.titles.g1862.state import State, TurnStep
from engine.titles.g1862.steps import bidding
from engine.view import MarketView
from tests.engine.titles.g1862.positions import operating, parliament, play, stock, table
from tests.support.sure import as_a

TILES = "B13:57:0 C12:8852:4 B11:8852:0 B9:790:0 B5:57:0 C6:6:1"
COUNTIES = """N&E 90 5*,1,0,0 trains=2F*,3E at=B13 cash=700 treasury=1 permits=freight,express unplaced=2
WStI 82 0,5*,1,0 trains=2F at=B5,B13 cash=300
ENR 54 3*,0,0,0 ipo=7 unfloated chartered obliged=0"""
MERGED = "N&E with WStI: £122, shares two for one, {} survives; {{0}} directs it if all options are redeemed"


def turn(step: TurnStep, revenue: int = 0) -> State:
    s = operating(table(COUNTIES, tiles=TILES), "N&E", step)
    s.operating.revenue = revenue
    return s


@pytest.mark.parametrize(
    ("action", "parameter", "words"),
    [
        (BuyTrain("1F", "bank", 2), "", "Buy 1F with 2 extra warranties for £200, leaves £500"),
        (BuyTrain("1F", "bank", 2), "train", "1F freight · bank · £100, 1 warranty, leaves £600"),
        (BuyTrain("1F", "bank", 2), "warranties", "2 extra for £100: 2 more runs after it rusts"),
        (BuyTrain("2E", "bank", 1), "", "Buy 2E with 1 extra warranty for £150, leaves £550"),
        (BuyTrain("2E", "bank", 1), "warranties", "1 extra for £50: one more run after it rusts"),
        (BuyTrain("2E", "bank", 0), "warranties", "no extra warranty"),
        (BuyTrain("2F", "bank"), "", "Buy 2F for £200, leaves £500"),
        (BuyTrain("2F", "WStI"), "", "Ask {1} for the 2F of WStI for £100"),
        (BuyTrain("2F", "WStI"), "train", "2F freight · from WStI · £100, {1} is asked"),
        (BuyTrain("2L", "bank"), "train", "2L local · bank · £100, 1 warranty, leaves £600 · no permit to run it"),
        (BuyTrain("1F", "bank", 2), "menu", "1F for £200 · leaves £500"),
        (BuyTrain("2L", "bank"), "menu", "2L for £100 · leaves £600 · no permit to run it"),
        (BuyTrain("2F", "WStI"), "menu", "2F of WStI for £100 · {1} is asked"),
        (BuyTrain("6F", "bank"), "", "Buy 6F for £500, leaves £200; then rusts band B: N&E and WStI"),
        (BuyTrain("6F", "bank"), "menu", "6F for £500 · leaves £200; then rusts band B: N&E and WStI"),
        (Redeem(), "", "Redeem 10% for £90"),
        (Merge("WStI", "N&E"), "", MERGED.format("N&E")),
        (Merge("WStI", "WStI"), "", MERGED.format("WStI")),
        (Merge("WStI", "N&E"), "company", "N&E (£90) with WStI (£82) · new price £122"),
        (Merge("WStI", "WStI"), "survivor", "WStI survives"),
        (
            Merge("WStI", "WStI"),
            "menu",
            "With WStI · WStI survives · £122 · shares two for one; {0} directs it if all options are redeemed",
        ),
        (Answer("decline"), "", "Decline"),
        (Withdraw(), "", "Take the proposal back"),
        (Run("best"), "", "Run the best routes"),
        (Run("best"), "plan", "the best run"),
        (PlaceMarker("B5"), "", "Place a marker on Wisbech (B5) · worth £20 · blocks no one · 1 marker left"),
        (PlaceMarker("B5"), "hex", "B5 Wisbech · worth £20 · blocks no one · 1 marker left"),
        (PlaceMarker("B5"), "menu", "Put marker on Wisbech (B5)"),
        (RemoveMarker("B5"), "", "Remove the marker on Wisbech (B5)"),
        (RemoveMarker("B5"), "menu", "Remove from Wisbech (B5)"),
        (RemoveMarker("B5"), "hex", "B5 Wisbech · worth £20"),
        (LinkLondon("B15"), "", "Build the link to London"),
        (LinkLondon("B15"), "place", "London, a space beside B15"),
        (Markers(4), "", "Buy 4 markers for £160"),
        (Markers(4), "count", "4 markers for £160"),
    ],
)
def test_choices_of_a_companys_turn(action: Action, parameter: str, words: str) -> None:
    assert TITLE.words.label(turn("train"), action, parameter) == words


def test_a_train_of_another_company_keeps_its_warranties() -> None:
    """§7.9: the choice says how many it has, and whether its director is asked."""
    s = operating(table(COUNTIES.replace("2F at=B5", "2F** at=B5"), tiles=TILES), "N&E", "train")
    words = [TITLE.words.label(s, BuyTrain("2F**", "WStI"), parameter) for parameter in ("menu", "train", "warranties")]
    assert words == [
        "2F of WStI for £100 · 2 warranties · {1} is asked",
        "2F freight with 2 warranties · from WStI · £100, {1} is asked",
        "it keeps its 2 warranties",
    ]


def test_no_words_of_a_choice_are_longer_than_two_hundred_signs() -> None:
    assert len(TITLE.words.label(turn("run"), Run("2F N&E " * 40), "plan")) == 200


@pytest.mark.parametrize(
    ("action", "parameter", "words"),
    [
        (Start("ESR", 54), "", "Start ESR at par £54 for £162"),
        (Start("ESR", 54), "company", "ESR · East Suffolk Railway, home Ipswich · express permit"),
        (Start("ESR", 54), "price", "par £54 · £162 for the director's certificate"),
        (BuyShare("N&E", "pool"), "", "Buy 10% N&E from the pool for £90"),
        (BuyShare("N&E", "pool"), "share", "10% N&E · bank pool · £90 (30% there)"),
        (BuyShare("ENR", "ipo"), "share", "10% ENR · IPO · £54 (70% there)"),
        (BuyShare("N&E", "treasury"), "share", "10% N&E · treasury · £90 (10% there)"),
        (Sell("N&E", 1), "", "Sell 10% N&E for £90 · price £90→£86"),
        (Bid("ESR", 20), "company", "ESR · East Suffolk Railway, home Ipswich · express permit"),
        (Bid("ESR", 20), "amount", "£20"),
    ],
)
def test_choices_of_a_stock_round(action: Action, parameter: str, words: str) -> None:
    assert TITLE.words.label(stock(table(COUNTIES, tiles=TILES)), action, parameter) == words


@pytest.mark.parametrize(
    ("step", "lines", "rules"),
    [
        ("merge", ["Then: build track → place a marker → run trains → pay or keep → buy trains."],
            ("Connection", "The price after a merger")),
        ("track", [
            "It can lay two yellow tiles, lay one with N, upgrade one tile, or build a small station.",
            "Then: place a marker → run trains → pay or keep → buy trains."],
            ("Building track", "Where tiles fit", "London")),
        ("token", ["Then: run trains → pay or keep → buy trains."], ("Station markers",)),
        ("run", ["Then: pay or keep → buy trains."], ("Running trains", "Trains must run")),
        ("dividend", [
            "It ran for £50. Hudson: £40 from the treasury would lift it to the price.", "Then: buy trains."],
            ("Paying out or retaining", "Dividends and the price", "George Hudson")),
        ("train", [
            "For sale: 1F, 2E, 2L for £100; a warranty for £50 adds one run after rust.",
            "Freight n: n hexes long; pays its two ends and £20 for each hex between, £30 to or from a port.",
            "Express n: n large stations, ports and red areas; passes small stations."],
            ("Buying trains", "A train is compulsory", "Raising money for a train")),
        ("redeem", [], ("Redeeming",)),
        ("acquire", [], ("Acquisitions", "The price after a merger")),
    ],
)  # fmt: skip
def test_events_of_each_step_are_described(step: TurnStep, lines: list[str], rules: tuple[str, ...]) -> None:
    asked = TITLE.words.ask(turn(step, 50))
    assert asked.headline == "N&E operates (OR 1.1, 1 of 2)"
    assert list(asked.lines) == [
        "Treasury £700, price £90, trains 2F with 1 warranty, 3E, 2 markers left.",
        "It can run only freight or express trains.", *lines,
    ]  # fmt: skip
    assert asked.rules == rules


def at_stock(**fields: object) -> State:
    s = stock(table(COUNTIES))
    for name, value in fields.items():
        setattr(s.stock, name, value)
    return s


@pytest.mark.parametrize(
    ("s", "more", "rules"),
    [
        (at_stock(), [], ("A stock turn", "Buying a share", "Selling shares")),
        (at_stock(passes=2), ["2 passes so far; 4 in a row end the round."],
            ("A stock turn", "Buying a share", "Selling shares")),
        (at_stock(acted=True), ["You have sold shares; you can sell others, and buy a share or start a company."],
            ("A stock turn", "Buying a share", "Selling shares")),
    ],
)  # fmt: skip
def test_events_of_a_stock_round_are_described(s: State, more: list[str], rules: tuple[str, ...]) -> None:
    asked = TITLE.words.ask(s)
    assert list(asked.lines) == [
        "Cash £1,000, 4 certificates of 13 allowed.",
        "You hold ENR 30% (director); N&E 50% (director).",
        "Obligation: ENR must float in this round, or you are fined five times par.", *more,
    ]  # fmt: skip
    assert asked.rules == rules
    markers = TITLE.words.ask(at_stock(choosing="N&E"))
    assert (markers.headline, markers.rules) == ("N&E has floated", ("Station markers at flotation",))
    assert markers.lines == ("Treasury £700; each marker costs £40, including the home marker.",)


def test_events_of_parliament_are_described() -> None:
    """Of each stage: to propose, to raise, to start the company, to add shares."""
    s = parliament(table())
    told = [TITLE.words.ask(s)]
    for actions in ([Bid("N&E", 5)], [Bid("N&E", 10)], [], [Start("N&E", 54)]):
        play(s, *actions)
        if not actions:
            s.parliament.out, s.parliament.winner = [0, 2, 3], 1
        told.append(TITLE.words.ask(s))
    assert [(each.seats, each.headline, each.rules) for each in told] == [
        ((0,), "Parliament (PR 1)", ("Proposals", "Players who must pass")),
        (
            (1,),
            "The charter of Northern & Eastern Railway (N&E, PR 1)",
            ("The auction for a charter", "Players who must pass"),
        ),
        (
            (2,),
            "The charter of Northern & Eastern Railway (N&E, PR 1)",
            ("The auction for a charter", "Players who must pass"),
        ),
        ((1,), "Start N&E", ("The charter",)),
        ((1,), "More shares of N&E", ("The charter",)),
    ]
    assert told[0].lines[0] == "Propose a company with a bid of £0 to £835, or pass."
    assert told[1].lines == ("{0} leads with £5. Raise to £10, or up to £835, or pass and be out.",)
    assert told[4].lines[0].startswith("You can buy up to 2 more shares at £54. Cash £")


def test_who_can_raise_by_the_least_alone_is_asked_for_that() -> None:
    """§5.1: the next bid is at least £5 more, and leaves enough for the director's certificate at the lowest par."""
    s = parliament(table())
    play(s, Bid("N&E", 0))
    s.cash[1] -= bidding.find_max_bid(s, 1) - 5
    assert TITLE.words.ask(s).lines == ("{0} leads with £0. Raise to £5 or pass and be out.",)


def test_the_zones_of_the_market_have_signs() -> None:
    """§6.4.2: one share free in a green zone, two above 390; a P where a charter may start, an S for all others."""
    cells = as_a(MarketView, TITLE.views.look(stock(table(COUNTIES)), Request("market"))).cells
    of = {sign: [cell.price for cell in cells if cell.sign == sign] for sign in "BGPSDT"}
    assert (of["B"], of["T"]) == ([0], [1000])
    assert of["P"] == [54, 58, 62, 68, 74, 82, 90, 100]
    assert of["S"] == [each.price for each in cells if 54 < each.price <= 200 and each.price not in of["P"]]
    assert of["G"] == [each.price for each in cells if 0 < each.price < 40 or 200 < each.price < 400]
    assert of["D"] == [each.price for each in cells if 400 <= each.price < 1000]


@pytest.mark.parametrize(("tile", "rotation", "door"), [("6", 1, "A14"), ("6", 3, "C14"), ("57", 0, "B15")])
def test_tiles_that_join_an_area_say_through_which_of_its_hexes(tile: str, rotation: int, door: str) -> None:
    before = Board(load_map())
    told = describe_new_links(before, before.with_tile("B13", tile, rotation), "B13")
    assert told == f"joins Bishop's Stortford to London, through {door}, open to Royston"
