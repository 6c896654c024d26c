"""What players read and see at positions of kept games is what it was.

If words or pictures change by intention, ``python -m tests.playthroughs.texts`` writes them anew.
"""

import pytest

from tests.playthroughs.texts import KEPT, WORDED, write_lines


@pytest.mark.parametrize("name", WORDED)
def test_the_words_of_a_game_are_those_that_are_kept(name: str) -> None:
    """Questions, choices, menus, tips, facts and sheets; of each picture a digest of all that it shows."""
    assert write_lines(name) == KEPT.joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines()
