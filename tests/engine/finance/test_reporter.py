"""Reports of games with shares: each number is counted again from the positions of stored games."""

from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from engine import Game
from engine.finance.events import PhaseBegun, RevenueKept, TrainBought
from engine.finance.lots import Lots
from engine.finance.reporter import Conversion, ShareReporter
from engine.report import Findings, RustCaused, RustVictim, ShareDeal, ShareSale, TrainSaving
from engine.title import Title
from engine.titles.g1860.events import InsolvencyEnded, WentBankrupt
from engine.titles.g1860.worth import REPORTED
from tests.engine.finance.recount import Recount, count_falls, count_rust, recount
from tests.playthroughs.record import read

GAMES = ("1860-3", "1862-4", "1862-failed_charter-parliament")
ROUNDING = 3
"""Each of some lots of a round is rounded to a pound."""


def check_shares(found: Findings, again: Recount) -> None:
    """Compare all purchases and sales with those counted again."""
    deals = [(deal, (deal.paid, deal.dividends, deal.sold + deal.left)) for deal in found.deals]
    sales = [(sale, (sale.brought, sale.dividends, sale.left)) for sale in found.sales]
    for counted, tokens in ((deals, again.owned), (sales, again.kept)):
        sums = again.add_up(tokens)
        rows: dict[tuple[int, str, str], list[int]] = {}
        for lot, amounts in counted:
            row = rows.setdefault((lot.seat, lot.company, lot.round), [0] * (len(amounts) + 1))
            for at, amount in enumerate((lot.shares, *amounts)):
                row[at] += amount
        assert {row: shares for row, (shares, *_) in rows.items() if shares} == {row: sums[row][0] for row in sums}
        for key, row in rows.items():
            for amount, other in zip(row, sums.get(key, [Fraction(each) for each in row]), strict=False):
                assert abs(amount - other) <= ROUNDING, (key, row, sums[key])


@pytest.mark.parametrize("name", GAMES)
def test_a_report_is_what_the_positions_of_its_game_say(name: str) -> None:
    kept = read(name)
    found, again, moves = recount(Game.replay(kept.setup, kept.read_log()))
    check_shares(found, again)
    assert again.seen > 0.9 * again.asked, "nearly all money was seen in positions"
    for fines in ([(deal.seat, deal.fine) for deal in found.deals], [(fine.seat, fine.paid) for fine in found.fines]):
        assert {
            seat: sum(paid for other, paid in fines if other == seat) for seat, _ in again.fined.items()
        } == again.fined
    falls = Counter((fall.seat, fall.company, fall.before - fall.after, fall.lost) for fall in found.falls)
    assert not Counter(count_falls(moves)) - falls
    rust = [{each.company: Counter(each.trains) for each in cause.victims} for cause in found.rust]
    assert all(each in rust for each in count_rust(moves))


def test_steel_drivers_auctions_bring_all_that_players_end_with() -> None:
    """And cost the cubes that they don't have any more."""
    kept = read("steel_driver-4")
    game = Game.replay(kept.setup, kept.read_log())
    title: Title[object] = game.title
    assert title.report is not None
    reporter, state, taken = title.report(), Game.new(kept.setup).state, Counter[int]()
    for entry in game.list_in_force():
        cubes = list(state.cubes)
        title.apply(state, title.check(state, entry.seat, entry.action), lambda event: reporter.note(state, event))
        taken.update({seat: cubes[seat] - left for seat, left in enumerate(state.cubes) if left < cubes[seat]})
    wins = reporter.finish(state).auctions
    assert [sum(win.got for win in wins if win.seat == seat) for seat in range(4)] == list(kept.totals)
    assert sum(win.cubes for win in wins) >= sum(taken.values()) > 0


def test_shares_bought_first_count_as_sold_first() -> None:
    lots = Lots()
    lots.buy(0, "AB", "SR 1", 2, 120)
    lots.buy(0, "AB", "SR 2", 2, 160)
    lots.sell(0, "AB", "SR 3", 3, 50)
    lots.pay("AB", 7)
    lots.count_worth(lambda code, seat: 90, lambda code: 90)
    assert lots.list_deals() == (
        ShareDeal(0, "AB", "SR 1", 2, 120, 0, 100, 0),
        ShareDeal(0, "AB", "SR 2", 2, 160, 7, 50, 90),
    )
    assert lots.list_sales() == (ShareSale(0, "AB", "SR 3", 3, 150, 21, 270),)
    assert lots.list_sales()[0].given_up == 141


def test_lots_are_followed_through_a_merger() -> None:
    """Two shares become one; what an odd one cost is spread over the holder's lots."""
    lots = Lots()
    lots.buy(0, "AB", "SR 1", 3, 300)
    lots.buy(0, "CD", "SR 1", 2, 100)
    lots.buy(1, "CD", "SR 1", 2, 100)
    lots.sell(1, "CD", "SR 2", 2, 40)
    lots.merge("AB", "CD")
    lots.settle(0, "AB", 3, -50)
    lots.pay("AB", 10)
    lots.count_worth(lambda code, seat: 360, lambda code: 120)
    assert lots.list_deals() == (
        ShareDeal(0, "AB", "SR 1", 3, 330, 18, 0, 216),
        ShareDeal(0, "CD", "SR 1", 2, 120, 12, 0, 144, "AB"),
        ShareDeal(1, "CD", "SR 1", 2, 100, 0, 80, 0),
    )
    assert lots.list_sales() == (ShareSale(1, "CD", "SR 2", 2, 80, 10, 120, "AB"),)


def test_what_an_odd_share_brings_is_no_price_of_the_others() -> None:
    lots = Lots()
    lots.buy(0, "AB", "SR 1", 3, 300)
    lots.merge("AB", "")
    lots.settle(0, "AB", 1, 50)
    lots.count_worth(lambda code, seat: 100, lambda code: 100)
    assert lots.list_deals() == (ShareDeal(0, "AB", "SR 1", 3, 300, 0, 50, 100),)


def test_void_shares_bring_what_was_paid_for_them() -> None:
    lots = Lots()
    lots.buy(0, "AB", "SR 1", 2, 200)
    lots.close("AB", 30)
    lots.buy(0, "AB", "SR 1", 2, 100)
    lots.count_worth(lambda code, seat: 80, lambda code: 40)
    assert lots.list_deals() == (ShareDeal(0, "AB", "SR 1", 4, 300, 0, 60, 80),)


def test_a_bankruptcy_pays_those_who_have_shares() -> None:
    """Though these are gone when the move ends; who has none has no deal."""
    reporter = ShareReporter(replace(REPORTED, convert=lambda *_: Conversion("FYN", void=True, each=30)))
    state: Any = SimpleNamespace(name="SR 1", companies={"FYN": SimpleNamespace(shares=[0, 0])}, seats=2)
    reporter._lots.buy(1, "FYN", "SR 1", 2, 200)
    reporter.note(state, WentBankrupt("FYN"))
    reporter.end_move(state)
    assert reporter.finish(state).deals == (ShareDeal(1, "FYN", "SR 1", 2, 200, 0, 60, 0),)


def test_revenue_is_kept_for_the_next_train() -> None:
    """By a director; what a company without one keeps is no one's choice."""
    reporter = ShareReporter(REPORTED)
    state: Any = SimpleNamespace(name="OR 1.1", seats=2, companies={
        "IOW": SimpleNamespace(director=0, trains=[]), "FYN": SimpleNamespace(director=-1, trains=[]),
    })  # fmt: skip
    for code, revenue in (("IOW", 50), ("FYN", 70), ("IOW", 0), ("IOW", 30)):
        reporter.note(state, RevenueKept(code, revenue))
    for code in ("IOW", "FYN"):
        reporter.note(state, TrainBought(code, "3+2", "bank", 300))
    assert reporter.finish(state).savings == (TrainSaving("IOW", 0, 80, 2, 8, "3+2", 300, "OR 1.1", 0),)


def test_rust_follows_a_purchase_that_ends_an_insolvency() -> None:
    """1860, Insolvency: that it ends is told between the purchase and the phase."""
    reporter = ShareReporter(REPORTED)
    lines = {code: SimpleNamespace(director=seat, trains=list(owned)) for code, seat, owned in OWNERS}
    state: Any = SimpleNamespace(name="OR 6.2", companies=lines, seats=2)
    reporter.note(state, TrainBought("IOW", "6+3", "bank", 500))
    lines["FYN"].trains, lines["C&N"].trains = ["4+2"], []
    for event in (InsolvencyEnded("IOW"), PhaseBegun("6", "3+2")):
        reporter.note(state, event)
    reporter.end_move(state)
    assert reporter.finish(state).rust == (
        RustCaused(
            "OR 6.2",
            "IOW",
            0,
            "6+3",
            (RustVictim("FYN", 1, ("3+2", "3+2"), last=False), RustVictim("C&N", 1, ("3+2",), last=True)),
        ),
    )


OWNERS = (("IOW", 0, ["6+3"]), ("FYN", 1, ["3+2", "4+2", "3+2"]), ("C&N", 1, ["3+2"]))
