"""The load generator at its smallest: its figures, and that the bot keeps within Discord's limits."""

import re

import pytest

from tests.load.__main__ import Load, measure


@pytest.mark.slow
async def test_load_of_three_tables_and_a_start() -> None:
    """One table a title, which are played for two seconds, and one more that is started in the end."""
    lines = [line async for line in measure(Load(tables=3, seconds=2, rate=4, starts=1), max_moves=30)]
    told = "\n".join(lines)
    presses, moves = map(int, re.findall(r"^3 tables, (\d+) presses in 2 s: (\d+) moves$", told, re.MULTILINE)[0])
    assert presses >= moves > 0
    assert " presses too late, 0 not acknowledged, 0 without an answer\n" in told
    for name in ("acknowledged", "answered", "words of a move in the channel", "its pictures"):
        assert re.search(rf"^{name}: median 0\.\d+ s|^{name}: median \d+", told, re.MULTILINE), name
    assert re.search(r"^event loop late by \d+ ms at most, 99%: \d+ ms$", told, re.MULTILINE)
    assert "\n1 tables started at once: 0 not acknowledged, all turn messages after " in told
    assert lines[-1] == "0 requests beyond Discord's limits"
