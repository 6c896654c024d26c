"""What 0.1 played otherwise, one switch at a time: each changes its own rule alone."""

from msgspec.structs import replace

from engine.finance.rounds import Pass
from engine.setup import Setup
from engine.titles.g1862 import companies
from engine.titles.g1862.actions import Run, Sell
from engine.titles.g1862.rounds import turn
from engine.titles.g1862.rules import read_options
from engine.titles.g1862.state import Operating, State
from tests.engine.titles.g1862.positions import catch_refusal, legal, operating, play, settle, stock, table

BY_0_1 = {"forced_sales_go_on", "lost_room_is_taken", "payments_are_watched"}


def test_only_rules_2_sets_the_switches_of_0_1() -> None:
    for version in (1, 2, 3, 4):
        rules = read_options(Setup("1862", 3, {}, rules=version))
        assert {name for name in BY_0_1 if not getattr(rules, name)} == (BY_0_1 if version == 2 else set())


def _debtor(*, go_on: bool) -> State:
    """Player 0 owes the fine for a charter that failed, and has sold one share of the only company."""
    s = table("N&E 100 3*,0,0,0 ipo=7 unfloated chartered obliged=0\nWStI 54 4,5*,0,0 trains=2F at=B5", cash=[0] * 4)
    s.rules = replace(s.rules, forced_sales_go_on=go_on)
    s.companies["N&E"].par = 100
    stock(s).stock.passes = 4
    settle(s)
    play(s, Sell("WStI", 1))
    return s


def test_debtor_sold_each_company_once() -> None:
    """§4.3: 0.1 let the rest of the debt lapse; today the same company is sold on."""
    assert Sell("WStI", 1) in legal(_debtor(go_on=True))
    assert _debtor(go_on=False).name == "OR 1.1"


def _above_the_limit(*, go_on: bool) -> State:
    """Player 0 has one certificate too many even after the first sale."""
    s = stock(table("N&E 90 5,5*,0,0 trains=2F\nENR 82 4,5*,0,0 trains=2F", limit=7))
    s.rules = replace(s.rules, forced_sales_go_on=go_on)
    play(s, Sell("N&E", 1))
    return s


def test_one_sale_above_the_limit_was_enough() -> None:
    """§6.5.2: after one sale 0.1 took a pass; today the player sells until the limit is kept."""
    assert "you must sell first" in catch_refusal(_above_the_limit(go_on=True), Pass()).sentence
    s = _above_the_limit(go_on=False)
    play(s, Sell("ENR", 1))
    assert turn.find_actors(s) == (1,)


def _waiting_in_vain(*, taken: bool) -> State:
    """The home of N&E is full, and no green tile with two slots is left when its track has its turn."""
    s = table("N&E 90 5*,0,0,0 new unplaced=3 cash=0\nWStI 54 0,5*,0,0 at=B5,B13", tiles="B13:6:0", phase="B")
    s.rules = replace(s.rules, lost_room_is_taken=taken)
    s.round = Operating(0, 1, [])
    settle(s)
    manifest = s.board.map.manifest
    empty = iter(hex_ for hex_ in s.board.map.hexes if hex_ not in s.board.laid)
    for name in manifest.counts:
        for _ in range(
            manifest.counts[name] if manifest[name].colour == "green" and manifest[name].has_stop("city") else 0
        ):
            s.board = s.board.with_tile(next(empty), name, 0)
    play(s, Pass())
    return s


def test_marker_that_waits_in_vain_went_on_waiting() -> None:
    """§7.2: 0.1 left it beside the city; today it displaces the one that came last."""
    assert _waiting_in_vain(taken=True).companies["N&E"].places == ["B13"]
    assert _waiting_in_vain(taken=False).companies["N&E"].waiting == ["B13"]


def _short_bank(*, watched: bool) -> State:
    """The bank is empty, and N&E earns a subsidy."""
    s = table("N&E 90 5*,0,0,0 trains=2L at=B13 permits=local", tiles="B13:57:0 B11:8852:0 B9:790:0")
    s.rules = replace(s.rules, payments_are_watched=watched)
    s.cash[1] += s.bank
    operating(s, "N&E", "run")
    return s


def test_subsidy_alone_did_not_break_the_bank() -> None:
    """§10.2: 0.1 looked at the bank with the dividend; today with each payment."""
    for watched in (True, False):
        s = _short_bank(watched=watched)
        play(s, Run("best"))
        assert s.broken is watched


def test_a_bankrupt_company_returns_what_covered_its_payments() -> None:
    """§10.2: 0.1 looked at the bank when the cash of the company was back in it; today when it pays the shares."""
    for watched in (True, False):
        s = table("N&E 54 5*,0,0,0 cash=20 at=B13")
        s.rules = replace(s.rules, payments_are_watched=watched)
        s.cash[1] += s.bank - 120  # and 135 are paid for the shares
        companies.declare_bankrupt(s, s.companies["N&E"], lambda _: None)
        assert not s.companies["N&E"].floated
        assert s.broken is watched
