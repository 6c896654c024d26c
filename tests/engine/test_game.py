"""A game as a value, played with the toy title."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import TITLES, Game, LogEntry, LogError, Redo, Request, Rng, RuleError, Setup, Undo
from engine.game import resolve_undos
from engine.player import find_rejection
from engine.record import Action
from engine.steps import Kind, Step, explain_wrong_time, list_possible_kinds
from engine.title import UnaskedRuns
from engine.titles.g1860 import actions as g1860
from engine.view import Banner, Note
from tests.engine.titles.g1860.positions import operating
from tests.support.changed_title import change
from tests.support.sure import as_a
from tests.support.toy import Answer, Bid, Offer, Pass, toy
from tests.support.toy import Said as Told


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "toy", toy())


def game(seats: int = 2) -> Game:
    return Game.new(Setup("toy", seats, {}, 5))


def play_all(of: Game, *actions: Action) -> Game:
    for action in actions:
        of = of.play(of.actors[0], action).game
    return of


def test_playing_returns_another_game_and_leaves_this_one() -> None:
    before = game()
    after = before.play(0, Bid(3))
    assert (before.log, before.state.bid) == ((), 0)
    assert (len(after.game.log), after.game.state.bid) == (1, 3)
    assert [as_a(Told, event).what for event in after.events] == ["bids £3 for lot 1"]
    assert after.action == Bid(3)


def test_only_titles_with_shares_have_stock_rounds() -> None:
    """What orders about shares are offered by."""
    assert {title.id for title in TITLES.values() if title.orders and title.orders.has_stock_rounds} == {"1860", "1862"}


def test_the_map_is_shown_each_turn() -> None:
    """Of the pictures that are about the whole game; what more is shown, a question names."""
    for title in (each for each in TITLES.values() if each.id != "toy"):
        assert [each.name for each in title.views.pictures if each.every_turn][:1] == ["map"], title.id
        assert not any(each.about for each in title.views.pictures if each.every_turn), title.id


@pytest.mark.parametrize(
    ("worth", "names", "leads"),
    [
        ((1, 2, 0), ("Ann", "Bob", "Cid"), "Bob ahead"),
        ((2, 2, 0), ("Ann", "Bob", "Cid"), "Ann and Bob ahead"),
        ((2, 2, 2), ("Ann", "Bob", "Cid"), ""),
        ((2, 2, 2, 0), ("Ann", "Bob", "Cid", "Dan"), ""),
        ((1, 2), ("Ann", "Bob"), "Bob ahead"),
        ((2, 2), ("Ann", "Bob"), ""),
        ((), ("Ann", "Bob"), ""),
        ((1, 0), ("Sixteen letters!", "Bob"), "Sixteen letters! ahead"),
        ((1, 0), ("Seventeen letters", "Bob"), "Seventeen lette… ahead"),
        ((1, 0), ("Fifteen letter of", "Bob"), "Fifteen letter… ahead"),
    ],
)
def test_pictures_of_the_whole_game_show_the_leader(
    worth: tuple[int, ...], names: tuple[str, ...], leads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at most, not all; a long name is cut."""
    monkeypatch.setitem(TITLES, "1860", change(TITLES["1860"], worth=lambda _s: worth))
    game = Game.new(Setup("1860", len(names)))
    assert as_a(Banner, game.look(Request("map", names=names)).banner).leads == leads
    for other in (Request("company", about="IOW", names=names), Request("card", names=names)):
        assert as_a(Banner, game.look(other).banner).leads == "", "a card says it itself, a charter is of one company"


def test_a_banner_names_the_pending_decision() -> None:
    """From a player what to do, from a company which it is; a table without a name has the game's, told once."""
    game = Game.new(Setup("1860", 2))
    shown = game.look(Request("map", names=("Ann", "Bob"), table="Friday"))
    assert shown.banner == Banner(game.title.name, "Friday", "Auction 1 of 6: bid or pass", "", "Ann")
    assert as_a(Banner, game.look(Request("map", table=game.title.name)).banner).table == ""
    s = operating("cash 500 500\nIOW 5* 2 | par 82 at 90 | 2+1", "IOW", "track")
    shown = Game(Setup("1860", 2), (), (), s).look(Request("company", about="IOW", names=("Ann", "Bob")))
    assert shown.banner == Banner(game.title.name, "", "IOW operates (OR 2.1, 1 of 1)", "IOW", "Ann")


def test_a_picture_of_choices_has_a_banner_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for view in (None, Note("x", "y", ())):
        changed = change(TITLES["toy"], illustrate=lambda *_, found=view: found)
        monkeypatch.setitem(TITLES, "toy", changed)
        shown = game().illustrate(Request(), ())
        assert shown is view is None or as_a(Note, shown).banner == game().look(Request("player")).banner


def test_runs_that_a_log_holds_are_those_that_companies_make_automatically(monkeypatch: pytest.MonkeyPatch) -> None:
    held = LogEntry(0, Bid(3), ("A-B",))
    with pytest.raises(LogError, match="The log contains runs of companies that don't run automatically there"):
        Game.replay(Setup("toy", 2), [held])
    monkeypatch.setitem(
        TITLES, "toy", change(TITLES["toy"], unasked=UnaskedRuns(lambda _s, _runs: None, lambda _s: ("A-B",)))
    )
    for said in (held, LogEntry(0, Bid(3))):
        assert Game.replay(Setup("toy", 2), [said]).state.bid == 3


def test_a_refusal_changes_nothing() -> None:
    here = play_all(game(), Bid(3))
    state = TITLES["toy"].clone(here.state)
    with pytest.raises(RuleError, match="more than £3; you said £2"):
        here.play(1, Bid(2))
    assert here.state == state


def test_only_actors_play() -> None:
    with pytest.raises(RuleError, match="your turn"):
        game().play(1, Bid(3))
    assert game().legal(1) == ()
    assert game().tips(1) == ()


def test_another_player_may_have_to_answer() -> None:
    here = play_all(game(), Bid(3), Pass())
    assert here.state.owner == {1: 0}
    seat = here.actors[0]
    here = here.play(seat, Pass()).game if seat else here
    here = here.play(0, Offer(1, 1, 5)).game
    assert here.actors == (1,)
    assert here.play(1, Answer("accept")).game.state.owner == {1: 1}


def test_undo_and_redo_are_entries_of_the_log() -> None:
    here = play_all(game(), Bid(1), Bid(2), Bid(3))
    back = here.undo(1, 1)
    assert (back.state.bid, len(back.log), back.line) == (1, 4, (0,))
    assert back.log[-1] == LogEntry(1, Undo(1))
    again = back.redo(0)
    assert (again.state, again.log[-1]) == (here.state, LogEntry(0, Redo()))
    assert Game.replay(again.setup, again.log).state == here.state


@pytest.mark.parametrize("to", [-1, 3, 99])
def test_there_must_be_something_to_go_back_to(to: int) -> None:
    with pytest.raises(RuleError, match="no move"):
        play_all(game(), Bid(1), Bid(2), Bid(3)).undo(0, to)


def test_nothing_to_redo() -> None:
    here = play_all(game(), Bid(1), Bid(2))
    with pytest.raises(RuleError, match="no undone move to restore"):
        here.redo(0)
    with pytest.raises(RuleError, match="no undone move to restore"):
        play_all(here.undo(0, 1), Bid(5)).redo(0)


def test_a_position_of_the_past_is_a_game_of_its_own() -> None:
    here = play_all(game(), Bid(1), Bid(2), Bid(3)).undo(0, 2)
    assert here.at(0).state == game().state
    assert here.at(1).state == play_all(game(), Bid(1)).state
    assert here.at(2).state == here.state
    assert len(here.at(2).log) == 2, "without what was taken back"
    for count in (-1, 3):
        with pytest.raises(RuleError, match="no move"):
            here.at(count)


def test_a_broken_log_is_named_by_its_place() -> None:
    log = [LogEntry(0, Bid(1)), LogEntry(1, Bid(2)), LogEntry(0, Bid(2))]
    with pytest.raises(LogError, match="Action 2") as error:
        Game.replay(Setup("toy", 2), log)
    assert error.value.index == 2
    assert Game.replay(Setup("toy", 2), [*log, LogEntry(0, Undo(2))]).state.bid == 2, "not in force, not checked"


def test_an_unknown_title_is_refused() -> None:
    with pytest.raises(RuleError, match="There is no game"):
        Game.new(Setup("1830", 3))


def test_a_whole_game() -> None:
    here, rng = game(4), Rng(1)
    while here.actors:
        assert here.ask().seats == here.actors
        here = here.play(here.actors[0], here.title.advice.choose(here.state, here.actors[0], rng)).game
    result = here.result()
    assert result is not None
    assert {score.seat for score in result.scores} == {0, 1, 2, 3}
    assert [entry.action for entry in here.list_in_force()] == [entry.action for entry in here.log]
    assert here.look(Request("table")).alt


def test_menus_show_one_of_several_actions_with_the_same_effect_in_the_order_of_the_title(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title = change(
        toy(),
        plain=lambda s, action: Bid(2) if isinstance(action, Bid) else action,
        usual=lambda s, seat, actions: actions[::-1],
    )
    monkeypatch.setitem(TITLES, "toy", title)
    legal = game().legal(0)
    assert sum(isinstance(action, Bid) for action in legal) > 1
    others = [action for action in legal if not isinstance(action, Bid)]
    assert sorted(map(repr, game().choices(0))) == sorted(map(repr, [Bid(2), *others]))
    assert list(game().choices(0)) == [action for action in reversed(legal) if action == Bid(2) or action in others]


def test_an_action_at_the_wrong_time_is_refused_with_the_current_duty() -> None:
    """In the words of the help of what is to be done."""
    assert explain_wrong_time(Bid, (Answer,)) == "You can't bid now; you must first answer an offer."
    assert explain_wrong_time(Bid, (Answer,), "AB") == "You can't bid now; AB must first answer an offer."


def test_only_available_duties_of_the_turn_are_named() -> None:
    """No one is told to answer first where there is nothing to be answered."""

    def step(*legal: Action) -> Step:
        return lambda s, seat: iter(legal), lambda s, seat, action: None, lambda s, plan, tell: None

    steps: dict[Kind, Step] = {Bid: step(Bid(1), Bid(2)), Answer: step(), Pass: step(Pass())}
    assert list_possible_kinds(steps, (Pass, Answer, Bid), None, 0) == [Pass, Bid]


def read_entries(*entries: str | int) -> list[LogEntry]:
    """Read "play" as a move, a number as an undo to it, "redo" as a redo."""
    made: dict[str, Action] = {"play": Pass(), "redo": Redo()}
    return [LogEntry(0, made[entry] if isinstance(entry, str) else Undo(entry)) for entry in entries]


def test_moves_are_in_force() -> None:
    assert resolve_undos(read_entries("play", "play"))[0] == [0, 1]


def test_an_undo_keeps_only_so_many() -> None:
    assert resolve_undos(read_entries("play", "play", "play", 1))[0] == [0]
    assert resolve_undos(read_entries("play", "play", 0))[0] == []
    assert resolve_undos(read_entries("play", "play", -1))[0] == [], "never counted from the end"
    assert resolve_undos(read_entries("play", "play", 9))[0] == [0, 1]


def test_a_redo_brings_back_the_last_undo() -> None:
    assert resolve_undos(read_entries("play", "play", "play", 1, "redo"))[0] == [0, 1, 2]
    assert resolve_undos(read_entries("play", "play", "play", 2, 1, "redo"))[0] == [0, 1]
    assert resolve_undos(read_entries("play", "play", "play", 2, 1, "redo", "redo"))[0] == [0, 1, 2]


def test_a_move_after_an_undo_discards_the_undone_moves() -> None:
    line, undone = resolve_undos(read_entries("play", "play", 1, "play"))
    assert (line, undone) == ([0, 3], [])
    assert resolve_undos(read_entries("play", "play", 1, "play", "redo"))[0] == [0, 3]


def test_a_redo_of_nothing_changes_nothing() -> None:
    assert resolve_undos(read_entries("play", "redo"))[0] == [0]


@given(st.lists(st.one_of(st.just("play"), st.just("redo"), st.integers(0, 8)), max_size=30))
def test_entries_in_force_are_moves_in_order(entries: list[str | int]) -> None:
    log = read_entries(*entries)
    line, _ = resolve_undos(log)
    assert line == sorted(set(line))
    assert all(isinstance(log[position].action, Pass) for position in line)


OFFER, ANSWERED = g1860.BuyTrain("2+1", "C&N", 100), LogEntry(1, g1860.Answer("decline"))
MADE, OTHER = LogEntry(0, OFFER), LogEntry(0, g1860.BuyTrain("2+1", "C&N", 90))


@pytest.mark.parametrize(
    ("since", "refused"),
    [
        ([MADE, ANSWERED], True),
        ([MADE, ANSWERED, OTHER, LogEntry(0, g1860.Withdraw())], True),
        ([MADE, ANSWERED, OTHER, ANSWERED], True),
        ([MADE, LogEntry(1, g1860.Counter(150)), LogEntry(0, g1860.Answer("decline"))], True),
        ([MADE, LogEntry(0, g1860.Withdraw())], False),
        ([OTHER, ANSWERED], False),
        ([LogEntry(2, OFFER), ANSWERED], False),
        ([MADE, ANSWERED, OTHER, LogEntry(1, g1860.Answer("accept"))], False),
        ([MADE, ANSWERED, LogEntry(0, Pass())], False),
        ([LogEntry(1, Pass())], False),
        ([], False),
    ],
)
def test_a_rejection_counts_until_something_else_is_played(since: list[LogEntry], *, refused: bool) -> None:
    """A counter-offer turns an offer down too; another player's offer is another one."""
    found = find_rejection(TITLES["1860"].replies, since, 0, OFFER)
    assert found == (since[1] if refused else None)
