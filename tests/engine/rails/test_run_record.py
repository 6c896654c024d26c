"""Runs that companies make by themselves: what the log holds comes first, and nothing is looked for twice."""

from engine.rails.run_record import RunRecord


def test_what_the_log_holds_comes_first() -> None:
    record = RunRecord()
    record.recall(["A-B", "A-C"])
    assert record.next("board 1") == "A-B"
    record.add("board 1", "A-B")
    assert record.next("board 1") == "A-C", "as it was run then, whatever was found before"


def test_the_same_is_looked_for_once_in_an_action() -> None:
    """Where nobody decides anything, round follows round on the same board."""
    record = RunRecord()
    assert record.next("board 1") is None
    record.add("board 1", "A-B")
    assert record.next("board 2") is None
    assert record.next("board 1") == "A-B"
    record.add("board 1", "A-B")
    assert record.take() == ("A-B", "A-B"), "each run stands with the action"
    assert record.next("board 1") is None, "and all is forgotten"
    assert record.take() == ()
