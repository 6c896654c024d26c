"""A company's turn in an operating round of the family: the order, who is next, a step that is left out."""

from dataclasses import dataclass, field

from engine.finance import chain, operating
from engine.finance.events import Declined, RoundBegun
from engine.record import Event
from engine.steps import after

STEPS = ("", "track", "run", "end")
DECLINES = {"track": ("lays", "track"), "run": ("runs", "train")}


@dataclass
class Company:
    """A company by its marker."""

    code: str
    cell: int | None
    stamp: int


@dataclass
class Round:
    """An operating round with its turn."""

    name: str = "OR 1.1"
    number: int = 0
    order: list[str] = field(default_factory=lambda: ["AB", "CD", "EF"])
    index: int = 2
    step: str = "track"
    laid: list[tuple[str]] = field(default_factory=list)

    @property
    def code(self) -> str:
        return self.order[self.index]

    def go_on(self) -> None:
        self.step = after(STEPS, self.step)


def test_the_highest_price_operates_first_then_who_came_there_first() -> None:
    found = operating.in_order([Company("AB", 1, 1), Company("CD", 2, 3), Company("EF", 2, 2)], chain.rank)
    assert found == ["EF", "CD", "AB"]


def test_a_round_begins_before_its_first_company_and_passes_over_who_operates_no_more() -> None:
    r, told = Round(), list[Event]()
    operating.begin_round(r, r, told.append)
    assert (r.number, r.index, told) == (1, -1, [RoundBegun("OR 1.1")])
    assert operating.next_company(r, lambda code: code != "AB")
    assert r.code == "CD"
    assert not operating.next_company(r, lambda _: False)


def test_a_step_that_is_left_out_is_told_and_the_next_begins() -> None:
    r, told = Round(), list[Event]()
    assert (operating.no(r, DECLINES), operating.then(STEPS, r.step, {"run": "run trains"})) == (
        "No track",
        ["Then: run trains."],
    )
    operating.decline(r, DECLINES, told.append)
    assert (r.step, told) == ("run", [Declined("EF", "lays", "track")])
    assert operating.then(STEPS, r.step, {"run": "run trains"}) == []
    begun = Round(laid=[("C7",)])
    assert operating.no(begun, DECLINES) == "No more track"
    operating.decline(begun, DECLINES, told.append)
    assert told[-1] == Declined("EF", "lays", "track", more=True)


def test_steps_to_come_can_be_left_out_of_what_is_told() -> None:
    assert operating.then(STEPS, "", {"track": "lay", "run": "run"}, ("run",)) == ["Then: lay."]
