"""Reading a file action by action: passes that the site alone needs are left out, no others; and its small parts."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from engine.errors import LogError, RuleError, UnreadableLogError
from engine.finance.rounds import Pass
from engine.game import LogEntry
from engine.interop import site, writing
from engine.interop.exchange import TraceWish, is_native
from engine.interop.g1862 import profile
from engine.interop.site import SiteFile, SiteSettings
from engine.interop.translator import TranslatedAction, remove_idle_answers, translate
from engine.record import Action
from engine.setup import Setup
from engine.titles.g1862.actions import Run
from tests.support.toy import BOOK, Bid

PASSED, WRONG, OWN, DONE = "p", "w", "o", "d"
"""A company passes; by a pass for a step that we pass by; by one that says its step; something is done."""


class _Passes:
    """A game in which nothing can be done after a pass too many; its state is what was played."""

    unasked = None

    def deal(self, setup: Setup) -> list[int]:
        del setup
        return []

    def spell_out(self, state: list[int], seat: int, action: Bid) -> Bid:
        del state, seat
        return action

    def check(self, state: list[int], seat: int, action: Bid) -> int:
        del seat
        if action.amount % 2 == 0 and any(each % 2 for each in state):
            raise RuleError("That is passed by.", BOOK)
        return action.amount

    def apply(self, state: list[int], plan: int, tell: object) -> None:
        del tell
        state.append(plan)


class _Reader:
    """Reads an action as a bid: odd for a pass too many, even but for a pass that says its step."""

    def read(self, state: object, raw: dict[str, Any]) -> Iterator[tuple[int, Action]]:
        del state
        yield 0, Bid(raw["bid"])

    def hear(self, event: object) -> None:
        del event


def list_positions(log: str) -> list[int]:
    """Return the positions of what is played of a file."""
    company = {"type": "pass", "entity_type": "corporation"}
    kinds: dict[str, dict[str, object]] = {
        PASSED: {**company, "bid": 0}, WRONG: {**company, "bid": 1}, OWN: {**company, "bid": 1, "step": "x"},
        DONE: {"type": "done", "bid": 2},
    }  # fmt: skip
    file = SiteFile("toy", (), tuple(kinds[sign] for sign in log), SiteSettings(), 1)
    translator: Any = SimpleNamespace(waiting=None, reader=lambda _: _Reader())
    title: Any = _Passes()
    return [entry.position for entry in translate(file, Setup("toy", 2), title, translator).actions]


@pytest.mark.parametrize(
    ("log", "kept"),
    [
        ("pdpd", [0, 1, 2, 3]),
        ("wd", [1]),
        ("dwd", [0, 2]),
        ("wdwd", [1, 3]),
        ("wd" * 24, [*range(1, 48, 2)]),
        ("wd" * 25, None),
        ("od", None),
    ],
)
def test_a_pass_too_many_is_left_out_and_at_most_twenty_four_of_a_file(log: str, kept: list[int] | None) -> None:
    """One that says which step it ends is meant."""
    if kept is not None:
        assert list_positions(log) == kept
        return
    with pytest.raises(LogError, match="That is passed by"):
        list_positions(log)


def test_six_passes_are_tried_the_latest_first_and_only_one_that_helps_is_left_out() -> None:
    state = SimpleNamespace(bad=0)

    class Late(_Passes):
        """Of passes in a row the first is the one too many, and only what is done notices it."""

        def check(self, game: list[int], seat: int, action: Bid) -> int:
            if action.amount == 2 and 1 in game:
                state.bad += 1
                raise RuleError("That is passed by.", BOOK)
            return action.amount

    company = {"type": "pass", "entity_type": "corporation"}
    translator: Any = SimpleNamespace(waiting=None, reader=lambda _: _Reader())
    title: Any = Late()
    for innocent, tries in ((0, 1), (2, 3), (5, 6), (6, 7)):
        state.bad = 0
        actions = ({**company, "bid": 1}, *({**company, "bid": 0},) * innocent, {"type": "done", "bid": 2})
        file = SiteFile("toy", (), actions, SiteSettings(), 1)
        if innocent == 6:
            with pytest.raises(LogError):
                translate(file, Setup("toy", 2), title, translator)
        else:
            found = translate(file, Setup("toy", 2), title, translator).actions
            assert [entry.position for entry in found] == [*range(1, innocent + 2)]
        assert state.bad == tries


def test_runs_after_an_answer_that_only_the_site_asks_go_to_the_action_before() -> None:
    asked = TranslatedAction(3, LogEntry(1, Pass(), ("C-D",)), extra=True)
    first, last = TranslatedAction(0, LogEntry(0, Bid(1), ("A-B",))), TranslatedAction(4, LogEntry(0, Bid(2)))
    both = TranslatedAction(0, LogEntry(0, Bid(1), ("A-B", "C-D")))
    assert remove_idle_answers([first, asked, last]) == [both, last]
    assert remove_idle_answers([first, TranslatedAction(3, LogEntry(1, Pass()), extra=True), last]) == [first, last]
    assert remove_idle_answers([asked, last]) == [last]
    assert remove_idle_answers([last, first, asked]) == [last, both]
    assert not last.extra


@pytest.mark.parametrize(("asked", "idle", "known"), [((), (), True), ((4,), (4,), True), ((4,), (), False)])
def test_a_file_that_answers_a_question_of_the_site_alone_otherwise_is_played_again(
    asked: tuple[int, ...], idle: tuple[int, ...], known: bool
) -> None:
    """At a table of ours that question would have been passed by: only its own play tells where the log leads."""
    stops = SimpleNamespace(
        wait=lambda s: s, rest=lambda s: s, silent=lambda s: True,
        asks_alone=lambda s: len(s) in asked, idles=lambda action: action.amount in idle,
    )  # fmt: skip
    translator: Any = SimpleNamespace(waiting=stops, reader=lambda _: _Reader())
    title: Any = _Passes()
    file = SiteFile("toy", (), tuple({"type": "bid", "bid": bid} for bid in (2, 2, 2, 2, 4, 2)), SiteSettings(), 1)
    found = translate(file, Setup("toy", 2), title, translator)
    assert (found.state is not None) is known
    assert [entry.extra for entry in found.actions] == [at in asked and known for at in range(6)]


@pytest.mark.parametrize(
    ("action", "may"),
    [(Pass(), True), (Run(" None "), True), (Run(""), True), (Run("2 A1-A2"), False), (Bid(1), False)],
)
def test_actions_that_answer_a_question_that_only_18xx_games_asks(action: Action, may: bool) -> None:
    assert profile.may_be_idle_answer(action) is may


def test_a_file_of_ours_says_so_by_its_version() -> None:
    files = (b'{"stationmaster":1}', b'{"stationmaster":0}', b"{}", b"no", b'{"stationmaster":"1"}')
    assert [is_native(data) for data in files] == [True, False, False, False, False]


def test_a_trace_shows_states_unless_it_is_asked_for_more() -> None:
    assert TraceWish() == TraceWish(states=True, options=False, clock=None)


PRICES = (0, 20, 40, 60, 80, 90, 100)
RAW: dict[str, object] = {
    "type": "pass", "names": ["A", "B"], "none": [], "mixed": ["A", 1], "count": 3, "entity": 7,
    "share_price": "100,0,6", "yes": True, "half": 0.5,
}  # fmt: skip


def test_fields_are_read_where_they_are_of_their_form() -> None:
    assert (site.read_text(RAW, "type"), site.read_texts(RAW, "names"), site.read_number(RAW, "count")) == (
        "pass", ["A", "B"], 3,
    )  # fmt: skip
    assert (site.read_amount(RAW, "count"), site.read_amount(RAW, "cost"), site.read_par(RAW, PRICES)) == (3, 0, 100)
    for name in ("yes", "half", "type"):
        with pytest.raises(RuleError, match=f"no {name}"):
            site.read_amount(RAW, name)
    assert site.read_seat({"7": 2}, RAW) == 2
    assert (site.split_tile("57_0-2", {"57": 3}), site.split_tile("9", {"57": 3})) == ("57_0", "")
    assert site.find_reader({"pass": "read"}, RAW, "Toy") == "read"


def test_fields_of_another_form_are_refused_with_their_names() -> None:
    for read, told in (
        (lambda: site.read_text(RAW, "count"), "The action has no count."),
        (lambda: site.read_texts(RAW, "none"), "The action has no none."),
        (lambda: site.read_texts(RAW, "mixed"), "The action has no mixed."),
        (lambda: site.read_texts(RAW, "type"), "The action has no type."),
        (lambda: site.read_number(RAW, "type"), "The action has no type."),
        (lambda: site.read_number(RAW, "yes"), "The action has no yes."),
        (lambda: site.read_number(RAW, "half"), "The action has no half."),
        (lambda: site.read_par({"share_price": "x,1"}, PRICES), "The action has no share_price."),
        (lambda: site.read_par({"share_price": "100,0,5"}, PRICES), "The market has no price 100 at “0,5”."),
        (lambda: site.read_par({"share_price": "100,1,6"}, PRICES), "The market has no price 100 at “1,6”."),
        (lambda: site.read_par({"share_price": "95,0,6"}, PRICES), "The market has no price 95 at “0,6”."),
        (lambda: site.split_tile("57_0-3", {"57": 3}), "There is no copy 3 of tile 57_0."),
        (lambda: site.split_tile("57-x", {"57": 3}), "There is no copy x of tile 57."),
        (lambda: site.split_tile(f"57-{'9' * 5000}", {"57": 3}), "There is no copy 9999999999 of tile 57."),
        (lambda: site.read_par({"share_price": f"{'9' * 5000},0,6"}, PRICES), "The action has no share_price."),
        (lambda: site.read_seat({"8": 2}, RAW), "There is no player 7 in this file."),
        (lambda: site.find_reader({"bid": "read"}, RAW, "Toy"), "“pass” isn't an action of Toy."),
    ):
        with pytest.raises(RuleError) as refusal:
            read()
        assert refusal.value.sentence == told


def test_digits_are_a_number_up_to_eighteen_of_them() -> None:
    """Certificates of a company have a single digit."""
    odd = ("9" * 19, "9" * 5000, "", "x", "-1", "1e3", "1_0", " 1", "²", "٣")
    assert {text: site.read_digits(text) for text in odd} == dict.fromkeys(odd)
    assert [site.read_digits(text) for text in ("0", "07", "9" * 18)] == [0, 7, 10**18 - 1]
    assert [writing.split_id(f"IOW_{text}")[1] for text in ("0", "3", "10", "x")] == [0, 3, -1, -1]


def test_tiles_have_the_least_free_number_and_keep_it_where_they_lie() -> None:
    ids = writing.TileIds()
    lays = (("A1", "57"), ("B2", "57"), ("A1", "14"), ("C3", "57"), ("C3", "57"))
    assert [ids.take_copy(*each) for each in lays] == ["57-0", "57-1", "14-0", "57-0", "57-0"]
    assert (ids.find_city_id("B2", 1), ids.find_city_id("D4", 0)) == ("57-1-1", "D4-0-0")
    with pytest.raises(UnreadableLogError, match="has no “bid” under this table's rules"):
        writing.find_writer({Pass: "write"}, Bid(1))
    assert writing.find_writer({Bid: "write"}, Bid(1)) == "write"
