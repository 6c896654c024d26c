"""What is in force after undo and redo; nothing is ever deleted."""

from hypothesis import given
from hypothesis import strategies as st

from engine import Redo, Said, Undo
from engine.game import history
from engine.record import Action
from tests.support.toy import Pass


def said(*entries: str | int) -> list[Said]:
    """Read "play" as a move, a number as an undo to it, "redo" as a redo."""
    made: dict[str, Action] = {"play": Pass(), "redo": Redo()}
    return [Said(0, made[entry] if isinstance(entry, str) else Undo(entry)) for entry in entries]


def test_moves_are_in_force() -> None:
    assert history(said("play", "play"))[0] == [0, 1]


def test_an_undo_keeps_only_so_many() -> None:
    assert history(said("play", "play", "play", 1))[0] == [0]
    assert history(said("play", "play", 0))[0] == []
    assert history(said("play", "play", -1))[0] == [], "never counted from the end"
    assert history(said("play", "play", 9))[0] == [0, 1]


def test_a_redo_brings_back_the_last_undo() -> None:
    assert history(said("play", "play", "play", 1, "redo"))[0] == [0, 1, 2]
    assert history(said("play", "play", "play", 2, 1, "redo"))[0] == [0, 1]
    assert history(said("play", "play", "play", 2, 1, "redo", "redo"))[0] == [0, 1, 2]


def test_a_move_after_an_undo_forgets_what_was_undone() -> None:
    line, undone = history(said("play", "play", 1, "play"))
    assert (line, undone) == ([0, 3], [])
    assert history(said("play", "play", 1, "play", "redo"))[0] == [0, 3]


def test_a_redo_of_nothing_changes_nothing() -> None:
    assert history(said("play", "redo"))[0] == [0]


@given(st.lists(st.one_of(st.just("play"), st.just("redo"), st.integers(0, 8)), max_size=30))
def test_what_is_in_force_are_moves_in_order(entries: list[str | int]) -> None:
    log = said(*entries)
    line, _ = history(log)
    assert line == sorted(set(line))
    assert all(isinstance(log[position].action, Pass) for position in line)
