"""The first ten minutes of each title in ``docs/`` are what a new player reads."""

import pytest

from tests.bot.transcript import DOCUMENT, SCRIPTS, type_lines


@pytest.mark.parametrize("name", SCRIPTS)
async def test_the_first_minutes_are_as_documented(name: str) -> None:
    """A difference is meant? ``python -m tests.bot.transcript`` writes the document anew, and the diff is read."""
    said = (await type_lines(SCRIPTS[name])).strip()
    assert f"## {name}\n\n```text\n{said}\n```\n" in DOCUMENT.read_text(encoding="utf-8")
    assert "Something went wrong" not in said
