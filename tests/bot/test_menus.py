"""What workers make of a position: menus in lines, a refusal with an example, gains, the ledger of a story."""

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from bot.service.workers import jobs
from bot.service.workers.account import RunReport, Stake, _compute_missed_revenue, _Ledger
from bot.service.workers.choices import MenuLine, build_menu, encode_tips, read_signs
from bot.service.workers.gains import Gains, describe_best_run
from bot.service.workers.jobs import Entries, Held, Positions, encode_row
from bot.service.workers.next_up import (
    _find_next_actor,
    find_follow_up,
    find_repeat,
    shorten_label,
)
from bot.service.workers.stand_in import Foresee, _foresee
from bot.service.workers.tasks import MAX_GAINS, ValuesAsked, Wish, _complete, _tidy_words, try_move
from engine import TITLES, Action, Ask, Earning, Game, LogEntry, Redo, RuleError, Setup, Tip, Undo
from engine.codec import encode_action
from engine.title import Flow, Ran
from engine.words import list_completions, write_parameters
from tests.playthroughs.record import read
from tests.support.changed_title import change
from tests.support.sure import sure
from tests.support.toy import Bid, Offer, Pass


class Lay(Action, frozen=True, tag="lay"):
    """Lay a tile."""

    verb = "lay"
    hex: str
    tile: str


def label_value(action: Action, name: str) -> str:
    """Return the words of a value: as it is typed, or of the action where no value is asked for."""
    return f"{name} {write_parameters(action)[name]} · and more" if name else "as it is"


def test_a_menu_has_a_line_for_each_choice_and_one_for_a_range_of_amounts() -> None:
    assert build_menu([], label_value) == []
    assert build_menu([Pass()], label_value) == [MenuLine("/act pass", "as it is")]
    assert [line.words for line in build_menu([Bid(3)], label_value)] == ["amount 3 · and more"]
    amounts = [Bid(amount) for amount in (3, 12, 5, 4, 2)]
    assert [line.words for line in build_menu(amounts[:4], label_value)] == [
        f"amount {amount} · and more" for amount in (3, 12, 5, 4)
    ]
    assert [line.words for line in build_menu(amounts, label_value)] == ["amount 2 to amount 12"]


def test_a_line_shows_the_ends_of_a_second_amount_and_the_number_of_other_choices() -> None:
    """Where there is one value only, nothing is added."""
    offers = [Offer(1, 2, 5), Offer(1, 2, 10), Offer(1, 2, 7), Offer(3, 2, 5)]
    assert [line.words for line in build_menu(offers, label_value)] == [
        "lot 1 2 · and more · price 5 to price 10", "lot 3 2 · and more",
    ]  # fmt: skip
    lays = [Lay("F2", "7"), Lay("F2", "8"), Lay("G3", "7")]
    assert [line.words for line in build_menu(lays, label_value)] == [
        "hex F2 · and more · 2 choices",
        "hex G3 · and more",
    ]


def test_of_many_choices_twelve_have_a_line_twenty_four_a_name_and_the_rest_is_counted() -> None:
    for count, last in ((12, "hex 11 · and more"), (13, "also: hex 12"), (36, "hex 35"), (37, "hex 35 and 1 more")):
        lines = build_menu([Lay(f"{number}", "7") for number in range(count)], label_value)
        assert len(lines) == min(count, 13)
        assert lines[-1].words.endswith(last)


def test_typed_commands_have_hexes_as_on_maps_and_amounts_without_signs() -> None:
    words = {"hex": "f2 1", "amount": "£1,250", "other": "$5", "third": "€ 7", "none": ""}
    assert _tidy_words(Wish((0,), ("Ann",), "x", words)) == {
        "hex": "F2 1", "amount": "1250", "other": "5", "third": "7", "none": "",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "moves"), [("steel_driver-4", 28), ("1862-3", 382)])
def test_the_numbers_and_letters_on_a_picture_can_be_typed(name: str, moves: int) -> None:
    """Of links on the board of Steel Driver and of hexes on a map; a number that stands on none is refused."""
    kept = read(name)
    held = Held(Game.replay(kept.setup, kept.read_log()[:moves]))
    seat, verb = held.game.actors[0], "build" if name.startswith("steel") else "tile"
    could = [action for action in held.list_legal(seat) if action.verb == verb]
    name = next(iter(write_parameters(could[0])))
    heads = list_completions(could, verb, {}, name)
    value = write_parameters(heads[2])[name]
    assert read_signs(held, seat, verb, {name: "3"}) == {name: value}
    assert read_signs(held, seat, verb, {name: "99", "other": "3"}) == {name: "99", "other": "3"}
    if verb == "build":
        assert try_move(held, Wish((seat,), ("A", "B", "C", "D"), verb, {name: "3"})).said == encode_action(heads[2])


def test_a_refusal_of_free_text_has_an_example_if_one_is_known() -> None:
    """Of the same kind, and another one than was refused; what has buttons needs none."""
    open_toy = msgspec.structs.replace(Game.new(Setup("toy", 2)).title, open_verbs=frozenset({"bid"}))
    game = Game.new(Setup("toy", 2))
    tips = encode_tips([Tip(Pass(), "Pass"), Tip(Bid(30), "Bid 30"), Tip(Bid(2), "Bid 2")])
    wish = Wish((0,), ("Ann", "Bob"), "bid", {"amount": "30"}, tips=tips)
    with pytest.raises(RuleError) as plain:
        try_move(Held(game), wish)
    assert plain.value.sentence == "You have £20, the bid needs £30."
    there: Any = SimpleNamespace(
        game=SimpleNamespace(title=open_toy, play=game.play, ask=game.ask, state=game.state, actors=game.actors),
        list_legal=game.legal,
    )
    with pytest.raises(RuleError) as refused:
        try_move(there, wish)
    assert refused.value.sentence == "You have £20, the bid needs £30. For example: /act bid amount:2"
    with pytest.raises(RuleError) as other:
        try_move(there, msgspec.structs.replace(wish, tips=tips[:2]))
    assert other.value.sentence == plain.value.sentence


def test_completions_show_gains_where_few_moves_are_left() -> None:
    """Not of one, of more than twelve, nor while another value is open."""
    held: Any = Held(Game.new(Setup("toy", 3)))
    held.gains = SimpleNamespace(describe=lambda seat, actions: [f"seat {seat}" for _ in actions])
    for legal, verb, words, gains in (
        ([Offer(1, 1, price) for price in (1, 5)], "offer", {"lot": "1 1"}, True),
        ([Offer(1, 1, price) for price in (1, 5)], "offer", {}, False),
        ([Offer(1, 1, 1)], "offer", {"lot": "1 1"}, False),
        ([Offer(1, 1, price) for price in range(MAX_GAINS)], "offer", {"lot": "1 1"}, True),
        ([Offer(1, 1, price) for price in range(MAX_GAINS + 1)], "offer", {"lot": "1 1"}, False),
        ([Bid(1), Bid(2)], "bid", {}, False),
    ):
        held.list_legal = lambda seat, legal=legal: legal
        asked = ValuesAsked((2,), verb, words, "amount" if verb == "bid" else "price", ("Ann", "Bob", "Cid"))
        assert [choice.label.endswith(" · seat 2") for choice in _complete(held, asked)] == [gains] * len(legal)


def test_the_ledger_of_a_summary_adds_payments_and_receipts_and_keeps_them_through_a_merger() -> None:
    """A stake that cost nothing is none, nor what no one holds."""
    flows = {"buy": [Flow(0, "red", -100), Flow(1, "red", -60), Flow(-1, "red", -5)], "pay": [Flow(0, "red", 30)],
             "blue": [Flow(0, "blue", -40), Flow(2, "red", 9)], "merge": []}  # fmt: skip
    story: Any = SimpleNamespace(
        flows=lambda event: flows[event], merged=lambda event: ("blue", "red") if event == "merge" else None
    )
    ledger = _Ledger()
    for event in ("buy", "pay", "blue"):
        ledger.note(story, cast("Any", event))
    assert ledger.sum_stakes([[("red", 20)], [], []]) == (
        Stake(0, "blue", 40, 0), Stake(0, "red", 100, 50), Stake(1, "red", 60, 0),
    )  # fmt: skip
    ledger.note(story, cast("Any", "merge"))
    assert ledger.sum_stakes([]) == (Stake(0, "blue", 140, 50), Stake(1, "blue", 60, 0))
    assert RunReport("OR 1", "red", 0, 5) == RunReport("OR 1", "red", 0, 5, left=0)


def test_earnings_missed_by_a_run_are_counted_with_its_subsidy_against_the_companys_best() -> None:
    ran = Ran("red", 100, 20)
    for best, left in (
        (None, 0), (Ran("blue", 500, 0), 0), (Ran("red", 130, 0), 10), (Ran("red", 100, 50), 30), (Ran("red", 90, 0), 0)
    ):  # fmt: skip
        assert _compute_missed_revenue(ran, best) == left


def test_a_search_that_was_proven_is_not_made_again_and_one_with_little_time_is_made_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A move after which another company acts, or that is refused, brings nothing that is known."""
    game = Game.new(Setup("toy", 2))
    looked: list[int] = []

    def glance(state: object, parts: int) -> Earning:
        looked.append(parts)
        return Earning("£30", 30, proven=False)

    toys = change(game.title, glance=glance)
    monkeypatch.setitem(TITLES, "toy", toys)
    gains = Gains(game)
    monkeypatch.setattr(gains, "now", Earning("£20", 20, proven=True))
    for parts, more in ((4, [4]), (2, []), (1, [1]), (1, [1])):
        del looked[:]
        assert gains.estimate_after(0, Bid(1), parts) == Earning("£30", 30, proven=False)
        assert looked == more
    assert gains.estimate_after(0, Bid(99)) is None
    found = gains.describe(0, [Bid(amount) for amount in range(2, 6)])
    assert looked[-1] == 2, "four moves share the time of three, so each gets half"
    assert found == ["best run £20→£30"] * 4
    assert describe_best_run(Earning("£20", 20, proven=False), Earning("£30", 30, proven=True)) == "best run £30"
    gains.__dict__["now"] = Earning("£30", 30, proven=True)
    assert gains.estimate_after(0, Bid(7)) is None, "as much, not proven: nobody knows"


def test_nothing_is_searched_for_what_a_move_brings_if_no_one_has_asked_for_it() -> None:
    """A menu of a later step has a line for each move; each would search for the best runs twice."""
    assert Gains(cast("Game", None)).find_known(0, Bid(1)) is None


def test_the_next_player_is_asked_after_the_current_one() -> None:
    held = Held(Game.new(Setup("toy", 3, {}, 5)))
    assert _find_next_actor(held, 0) == 1
    assert _find_next_actor(held, 2) == 0, "who is asked now, if it is another"
    over = held.game
    while over.actors:
        over = over.play(over.actors[0], Pass()).game
    assert _find_next_actor(Held(over), 0) == -1
    foreseen = _foresee(held, Foresee((2,), ("Ann", "Bob", "Cid")))
    assert [move.seat for move in foreseen] == [0, 1]
    assert _foresee(held, Foresee((0, 1), ("Ann", "Bob", "Cid"))) == []
    assert _foresee(Held(over), Foresee((0,), ("Ann", "Bob", "Cid"))) == []


def test_the_same_as_last_is_of_the_same_seat_company_and_kind_and_still_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest of several; where nothing is typed freely there is none."""
    title = change(
        Game.new(Setup("toy", 2)).title, open_verbs=frozenset({"bid"}),
        ask=lambda state: Ask((state.turn,), "Auction", "bid", company="red" if state.lot == 1 else "blue"),
    )  # fmt: skip
    monkeypatch.setitem(TITLES, "toy", title)
    game = Game.new(Setup("toy", 2, {}, 5))
    assert find_repeat(Held(game), 0) is None
    for seat, amount in ((0, 3), (1, 5), (0, 7), (1, 8)):
        game = game.play(seat, Bid(amount)).game
    assert find_repeat(Held(game), 0) is None, "less than the highest bid is not legal any more"
    monkeypatch.setattr("bot.service.workers.next_up._is_legal", lambda game, seat, action: action != Bid(5))
    assert find_repeat(Held(game), 0) == Bid(7)
    game = game.play(0, Bid(9)).game
    assert find_repeat(Held(game), 1) == Bid(8)
    game = game.play(1, Pass()).game
    assert find_repeat(Held(game), game.actors[0]) is None, "of another company"


@pytest.mark.parametrize("at_once", [True, False])
def test_who_ran_is_noted_as_moves_come_so_that_a_run_is_repeated_without_a_replay(
    at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read whole or entry by entry, with moves taken back and restored among them."""
    kept = read("1862-3")
    game = Game.replay(kept.setup, kept.read_log()[:125])
    runs = [place for place in game.line if game.log[place].action.verb == "run"]
    companies = {place: game.at(game.line.index(place)).ask().company for place in runs}
    game = Game.replay(kept.setup, (*game.log[: runs[-1] + 2], LogEntry(0, Undo(runs[-1])), LogEntry(0, Redo())))
    rows = tuple(map(encode_row, game.log))
    positions = Positions(1)
    held = positions.find_position(Entries(1, 0, rows if at_once else (), game.setup))
    for number, row in enumerate(() if at_once else rows):
        held = positions.find_position(Entries(1, number, (row,)))
    assert held is not None
    monkeypatch.setattr(Held, "replay_to", lambda held, count: pytest.fail("replayed"))
    assert {place: held.find_company(place) for place in runs} == companies


def test_a_worker_keeps_so_many_positions_and_never_an_older_one() -> None:
    """One that belongs to no table is not kept; one whose beginning is not here is asked for whole."""
    positions, setup = Positions(2), Setup("toy", 2, {}, 5)
    said = Game.replay(setup, ()).play(0, Bid(1)).game.play(1, Bid(2)).game.log
    rows = tuple(jobs.encode_row(entry) for entry in said)

    def at(game: int, *, base: int = 0, upto: int = 0, whole: bool = False) -> Held | None:
        return positions.find_position(Entries(game, base, rows[base:upto], setup if whole else None))

    assert at(1) is None
    assert at(1, upto=1, whole=True) is not None
    assert at(1, base=1, upto=2) is not None
    assert at(1, base=1, upto=2) is None, "it is further on"
    assert at(1, upto=1, whole=True) is not None
    assert at(1, base=2, upto=2) is not None, "the newer one stays"
    at(2, whole=True)
    at(1, whole=True, upto=2)
    at(3, whole=True)
    assert at(2) is None, "the one that was asked for longest ago"
    assert at(1, base=2, upto=2) is not None


def test_only_the_latest_positions_keep_what_was_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others keep one of the positions before them, so that what is new needs no replay of the whole log."""
    monkeypatch.setattr(jobs, "MAX_FRESH", 1)
    positions, setup = Positions(3), Setup("toy", 2, {}, 5)
    game = Game.new(setup)
    for amount in range(1, 5):
        game = game.play(game.actors[0], Bid(amount)).game
        place = Entries(1, amount - 1, (encode_row(game.log[-1]),), setup if amount == 1 else None)
        held = sure(positions.find_position(place))
    held.again[0] = None
    here = Entries(1, 4, ())
    assert sure(positions.find_position(here)).again == {0: None}
    positions.find_position(Entries(2, 0, (), setup))
    shed = sure(positions.find_position(here))
    assert (shed.game, shed.again) == (game, {})
    monkeypatch.setattr(Game, "new", lambda setup: pytest.fail("replayed"))
    assert shed.replay_to(2).log == game.log[:2]


def test_a_move_is_followed_only_within_the_turn_of_its_company(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not where none acts, where it is another's turn then, or where the move is refused; at most eight passes."""
    assert shorten_label("Pay £38 · price £100→£134 · and more") == "Pay £38 · price £100→£134"
    assert find_follow_up(Game.new(Setup("toy", 2)), 0, Bid(1)) is None, "no company's turn"

    def stub(passes: int, company: str = "red") -> Any:  # noqa: ANN401  # a game as far as it is looked at
        title = SimpleNamespace(actions=(Pass,), open_verbs=frozenset[str]())

        def at(left: int) -> Any:  # noqa: ANN401
            asked = Ask((0,), "Red operates", "decide", company="red" if left else "")
            return SimpleNamespace(title=title, ask=lambda: asked, play=lambda seat, action: play_at(left, action))

        def play_at(left: int, action: Action) -> Any:  # noqa: ANN401
            if action == Bid(99):
                raise RuleError("No.", cast("Any", None))
            return SimpleNamespace(game=at(left - 1 if left < 50 else passes))

        return at(50) if company else at(0)

    found = find_follow_up(stub(8), 0, Bid(1))
    assert found is not None
    assert (found.actions, found.ends) == ((Pass(),) * 8, True)
    assert find_follow_up(stub(9), 0, Bid(1)) is None
    assert find_follow_up(stub(0), 0, Bid(1)) is None
    assert find_follow_up(stub(3, ""), 0, Bid(1)) is None
    assert find_follow_up(stub(3), 0, Bid(99)) is None


@pytest.mark.parametrize("seats", [(0, 1), (1, 0), (1, 0, 2), (2, 1, 0)])
def test_a_move_is_made_by_the_first_of_some_seats_that_can_make_it(
    seats: tuple[int, ...],
) -> None:
    """Who holds several seats need not say for which of them."""
    there, wish = Held(Game.new(Setup("toy", 3))), Wish(seats, ("Ann", "Bob", "Cid"), "bid", {"amount": "3"})
    assert try_move(there, wish).seat == 0
    with pytest.raises(RuleError, match="It's not your turn"):
        try_move(there, msgspec.structs.replace(wish, seats=tuple(seat for seat in seats if seat)))


def test_menus_leave_out_a_merger_that_was_just_declined() -> None:
    """The rules still allow it, and so do logs."""
    kept = read("1862-4")
    game, before, decline = Game.new(kept.setup), Game.new(kept.setup), sure(TITLES["1862"].replies).decline
    for said in kept.read_log():
        before, game = game, game.play(said.seat, said.action).game
        if said.action == decline:
            break
    offer = before.list_in_force()[-1]
    assert offer.action in game.choices(offer.seat)
    assert set(Held(game).list_legal(offer.seat)) == {*game.choices(offer.seat)} - {offer.action}
