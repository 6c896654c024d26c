"""How much a board file may have: as much as is said, and nothing more."""

import pytest

from engine.titles.steel_driver.board_text import BoardTextError, check_size


@pytest.mark.parametrize(
    ("most", "over", "line", "reason"),
    [
        ("x" * 80, "x" * 81, 1, "81 characters; the limit is 80"),
        (f'"{"x" * 398}"', f'"{"x" * 399}"', 1, "401 characters; the limit is 400"),
        ("\n" + "x " * 2000, "\n" + "x " * 2000 + "x", 2, "4001 characters; the limit for a line is 4000"),
        ("a.b.c.d = 3", "a.b.c.d.e = 3", 1, "a key has more than 3 dots"),
        ("a.b.c.d = 'x'\n.e", "a.b.c.d.e", 1, "a key has more than 3 dots"),
        ("a = 1.5\nb.c.d.e = 1", "a = 1.5\nb.c.d.e.f = 1", 2, "a key has more than 3 dots"),
        ("a = { b.c.d.e = 1, f.g.h.i = 2 }", "a = { b.c.d.e = 1, f.g.h.i.j = 2 }", 1, "a key has more than 3 dots"),
        ("[" * 6 + "]" * 6, "[" * 7, 1, "brackets are nested more than 6 deep"),
        ("]]" + "[" * 6, "]]" + "[" * 7, 1, "brackets are nested more than 6 deep"),
        ("a = 1\n" * 1200, "a = 1\n" * 1201, 1201, "more than 1200 keys up to here"),
        ("a[]\n" * 3500, "a[]\n" * 3501, 3501, "more than 3500 brackets up to here"),
        (" [a]\n" * 150, " [a]\n" * 151, 151, "more than 150 tables up to here"),
        ("x\n" * 32768, "x\n" * 32768 + "x", 0, "65537 characters; the limit is 65536"),
        ("''", "'", 1, "a text must end on its line"),
        ("'x'", "'x", 1, "a text must end on its line"),
    ],
)
def test_exactly_the_announced_length_is_read(most: str, over: str, line: int, reason: str) -> None:
    check_size(most)
    with pytest.raises(BoardTextError, match=reason) as refusal:
        check_size(over)
    assert refusal.value.line == line
