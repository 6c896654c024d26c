"""A company's turn in an operating round of the family: the order, who is next, a step that is left out."""

from collections.abc import Sequence

from engine.finance import market, rounds
from engine.finance.events import Declined, Passed, RoundBegun
from engine.finance.state import OperatingRound, StockRound
from engine.record import Event
from tests.engine.finance.records import Company, state

DECLINES = {"track": ("lays", "track"), "run": ("runs", "train"), "train": ("buys", "trains")}
EF = Company("EF", [])


class Round(OperatingRound):
    steps = ("", "track", "run", "train", "end")


def operating(index: int = 2, step: str = "track", laid: Sequence[str] = ()) -> Round:
    """Return an operating round with its turn."""
    return Round(0, 1, ["AB", "CD", "EF"], index, step, [*laid])


def test_the_highest_price_operates_first_then_who_came_there_first() -> None:
    found = rounds.sort_companies(
        [Company(code, [], cell=cell, stamp=stamp) for code, cell, stamp in (("AB", 1, 1), ("CD", 2, 3), ("EF", 2, 2))],
        market.rank_company,
    )
    assert found == ["EF", "CD", "AB"]


def test_a_round_begins_before_its_first_company_and_skips_companies_that_no_longer_operate() -> None:
    r, told = operating(), list[Event]()
    rounds.begin_round(state(round=r), r, told.append)
    assert (r.number, r.index, told) == (1, -1, [RoundBegun("OR 1.1")])
    assert rounds.next_company(r, lambda code: code != "AB")
    assert r.code == "CD"
    assert not rounds.next_company(r, lambda _: False)


def test_the_current_turn_is_shown_by_its_place_among_all() -> None:
    r = operating(index=1)
    assert rounds.describe_turn(state(round=r), r) == "OR 1.0, 2 of 3"


def test_a_step_that_is_left_out_is_reported_and_the_next_begins() -> None:
    r, told = operating(), list[Event]()
    assert (rounds.describe_decline(r, EF, DECLINES), rounds.describe_next_steps(r, {"run": "run trains"})) == (
        "No track",
        ["Then: run trains."],
    )
    rounds.decline_step(r, EF, DECLINES, told.append)
    assert (r.step, told) == ("run", [Declined("EF", "lays", "track")])
    assert rounds.describe_next_steps(r, {"run": "run trains"}) == []
    begun = operating(laid=["C7"])
    assert rounds.describe_decline(begun, EF, DECLINES) == "No more track"
    rounds.decline_step(begun, EF, DECLINES, told.append)
    assert told[-1] == Declined("EF", "lays", "track", more=True)


def test_a_company_with_trains_buys_no_more_of_them() -> None:
    """A company that has bought two and passes doesn't “buy no trains”."""
    r, told = operating(step="train"), list[Event]()
    assert rounds.describe_decline(r, EF, DECLINES) == "No trains"
    owner = Company("EF", [], trains=["2", "2"])
    assert rounds.describe_decline(r, owner, DECLINES) == "No more trains"
    rounds.decline_step(r, owner, DECLINES, told.append)
    assert told == [Declined("EF", "buys", "trains", more=True)]


def test_later_steps_can_be_left_out_of_the_report() -> None:
    assert rounds.describe_next_steps(operating(step=""), {"track": "lay", "run": "run"}, ("run",)) == ["Then: lay."]


def test_a_turn_in_a_stock_round_ends_and_the_next_begins_afresh() -> None:
    r, told = StockRound(0, acted=True, bought=True, passes=1, sold=[[], [], []]), list[Event]()
    for turn in (1, 2, 0):
        rounds.next_player(r, 3)
        assert (r.turn, r.acted, r.bought) == (turn, False, False)
    rounds.note_pass(r, 0, told.append)
    assert (r.passes, told) == (2, [Passed(0)])
    for _ in range(2):
        rounds.note_sale(r, 0, "CD")
    assert (r.acted, r.passes, r.sold) == (True, 0, [["CD"], [], []])
    rounds.note_pass(r, 0, told.append)
    assert (r.passes, told) == (0, [Passed(0)]), "who has sold ends a turn, and passes nothing"
    assert rounds.list_clockwise(1, 3) == (1, 2, 0)
