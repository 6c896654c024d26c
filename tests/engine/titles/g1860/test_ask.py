"""What the game tells where it waits for someone."""

import pytest

from engine.titles.g1860 import TITLE
from engine.titles.g1860.pictures.ask import ask_seat
from engine.titles.g1860.rounds.stock import can_act
from engine.titles.g1860.state import Auction, Offer, State
from tests.engine.titles.g1860.positions import operating, table

ISLE = "cash 500 500 500\nIOW 5* 2 | par 82 at 90 | 300cc | 2+1"
COWES = "C&N 1 5* | par 82 at 82 | 2+1"
LAME = "C&N 1 1 | pool 2* | par 82 at 82 | 2+1"
SITE = {"profile": "18xx.games"}


def auction(lots: str, cash: int, *, high: int = 0, leader: int = -1, passed: int = -1, chooser: int = -1) -> State:
    s = table(f"cash {cash} {cash} 0")
    s.round = Auction(lots.split(), turn=0, high=high, leader=leader, passed=[passed][: passed + 1], chooser=chooser)
    return s


@pytest.mark.parametrize(
    ("s", "headline", "lines"),
    [
        (auction("C&N IOW", 173, high=20, leader=1, passed=2), "Auction 5 of 6", (
            "{1} leads with £20. Passed: {2}.", "Bid £25 to £25, or pass; the winner")),
        (auction("C&N IOW", 172, high=20, leader=0), "Auction 5 of 6", (
            "{0} leads with £20.", "You can't bid £25, so you must pass; the winner")),
        (auction("RPSC C&N IOW", 140), "Auction 4 of 6", (
            "No bids yet. If all pass, you must take a lot at its price.", "Bid £5 to £10, or pass; the winner",
            "Lots left: Ryde Pier & Ferry Company (RPSC, £130), Cowes & Newport (C&N, from £148), ")),
        (auction("C&N IOW", 100, high=20, leader=0, chooser=0), "Auction 5 of 6 is won", (
            "You won for £20; cash £100.",)),
    ],
)  # fmt: skip
def test_an_auction(s: State, headline: str, lines: tuple[str, ...]) -> None:
    """Who leads, how much may be bid so that money is left for the cheapest lot, and what is left."""
    asked = TITLE.words.ask(s)
    assert asked.headline == headline
    assert [told[: len(line)] for told, line in zip(asked.lines, lines, strict=False)] == list(lines)


def stock(text: str = "", **fields: object) -> State:
    s = table(f"{ISLE}\n{text}")
    for name, value in fields.items():
        setattr(s.stock, name, value)
    return s


@pytest.mark.parametrize(
    ("s", "line"),
    [
        (stock(), "Cash £500, 4 certificates of 21 allowed."),
        (stock(acted=True), "You have sold shares; you can still buy one certificate."),
        (stock(passes=2), "2 passes so far; 3 in a row end the round."),
        (stock(LAME), "In receivership: C&N; the first player with two shares becomes director."),
    ],
)
def test_a_stock_round(s: State, line: str) -> None:
    assert line in TITLE.words.ask(s).lines
    assert len(TITLE.words.ask(s).lines) <= 3
    assert TITLE.words.ask(stock()).headline == "Stock round 2"


def lay_tile(**options: str) -> State:
    s = operating(ISLE, "IOW", "track", options=options)
    s.operating.laid = [("J4", False, False)]
    return s


LEASED = "Insolvent: it leases a 2+1 for {}; it keeps all of it, so its price falls."
POOR = "cash 5 5 5\nIOW 5* 2 | par 82 at 90 | insolvent"
FAST = {"accelerated_track": "on"}


@pytest.mark.parametrize(
    ("s", "line"),
    [
        (operating(ISLE, "IOW", "track"), "Treasury 300cc, price £90, trains 2+1, 3 bases left."),
        (operating(ISLE, "IOW", "track"), "Then: build a base → run trains → pay or keep → buy trains."),
        (operating(ISLE, "IOW", "track"),
            "It can lay two yellow tiles without a city, lay one with a city, or upgrade one tile."),
        (lay_tile(), "You have laid a tile on Ryde (J4); you can lay another without a city."),
        (operating(ISLE, "IOW", "track", options=FAST), "It can lay a yellow tile and upgrade another."),
        (lay_tile(**FAST), "It can still lay a second tile."),
        (operating(ISLE, "IOW", "dividend", revenue=50), "It ran for £50."),
        (operating(ISLE, "IOW", "dividend", revenue=50, subsidy=10), "It ran for £50 and 10cc for halts."),
        (operating(ISLE, "IOW", "train"), "For sale: 2+1 for 250cc; 3 more trains allowed."),
        (operating(POOR, "IOW", "run"), LEASED.format("40cc and 20cc for each stop, including halts")),
        (operating(POOR, "IOW", "run", options={"insolvency": "original"}),
            LEASED.format("half of the revenue, and all of the subsidy for halts")),
        (operating(POOR, "IOW", "run", options={"insolvency": "simplified"}),
            LEASED.format("40cc and 20cc for each stop the train could count")),
    ],
)  # fmt: skip
def test_6_a_companys_turn(s: State, line: str) -> None:
    assert line in TITLE.words.ask(s).lines
    assert TITLE.words.ask(s).headline == "IOW operates (OR 2.1, 1 of 1)"


def test_an_offer_shows_its_price_the_banks_price_and_the_remaining_cash() -> None:
    s = operating(f"{ISLE}\n{COWES}", "IOW", "train")
    s.operating.offer = Offer("IOW", "C&N", "2+1", 50, 1, 0)
    asked = TITLE.words.ask(s)
    assert (asked.seats, asked.headline) == ((1,), "An offer for a train (OR 2.1, 1 of 2)")
    assert asked.lines == (
        "IOW ({0}) offers C&N 50cc for its 2+1; its printed price is 250cc.", "C&N has 2+1 and 0cc.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("cash", "text", "site", "book"),
    [
        (107, "", False, False),
        (108, "", True, False),
        (163, "C&N . 8 | pool 2* | par 82 at 82 | 2+1", True, False),
        (107, "C&N . 8 | pool 2* | par 54 at 50 | 2+1", True, False),
        (99, "C&N . 8 | pool 2* | par 54 at 50 | 2+1", False, False),
        (107, "C&N . 7 | pool 3* | par 54 at 54 | 2+1", True, True),
        (1, "privates RPSC bank", True, False),
        (0, "privates RPSC bank", False, False),
    ],
)
def test_players_who_can_act(cash: int, text: str, *, site: bool, book: bool) -> None:
    """18xx.games asks who could pay for a railway, a private or a certificate at all (differences 69, 76)."""
    owned = "privates CMH 1 FFC 1 YHC 1 BHC 1" + ("" if "privates" in text else " RPSC 1")
    position = f"cash {cash} 900\n{owned}\n{text}"
    assert can_act(table(position, options=SITE, layer=0), 0) is site
    assert can_act(table(position, layer=0), 0) is book


def test_a_seat_reads_the_treasury_of_a_company_whose_shares_it_holds() -> None:
    """Miscellaneous: hidden treasuries are for shareholders, so the desk tells a director what all may not read."""
    s = operating(ISLE, "IOW", "track", options={"treasuries": "hidden"})
    told = {seat: ask_seat(s, seat).lines[0] for seat in (None, 0, 1, 2)}
    assert "Treasury 300cc" in told[0]
    assert "Treasury 300cc" in told[1], "who holds a share may read it"
    assert "300cc" not in str(told[None])
    assert "300cc" not in told[2]
    assert TITLE.words.ask(s) == ask_seat(s, None)


def test_the_first_to_pass_is_warned_of_the_lot_that_no_one_wants() -> None:
    """Private Companies and the Initial Auction: with no bid, whoever passed first takes a lot."""
    asked = TITLE.words.ask(auction("RPSC C&N IOW", 140, passed=1))
    assert "If all pass, {1} must take a lot at its price." in asked.lines[0]
    assert "If all pass" not in TITLE.words.ask(auction("RPSC C&N IOW", 140, high=5, leader=1)).lines[0]
