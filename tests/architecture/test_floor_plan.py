"""All titles have the rooms that CONTRIBUTING names, so that a line is found by guessing."""

from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

TITLES = sorted(path.parent for path in ROOT.glob("engine/titles/*/__init__.py"))
EVERY = {
    *("actions.py", "events.py", "state.py", "setup.py", "rules.py"),
    *("player.py", "advice.py", "rounds", "steps", "pictures", "data"),
}
WITH_TRAINS = {"running", "catalogue.py", "companies.py", "track.py", "worth.py"}
ROUNDS, STEPS = {"turn.py"}, {"bidding.py", "building.py"}
ROUNDS_WITH_TRAINS, STEPS_WITH_TRAINS = {"stock.py", "operating.py"}, {"shares.py", "running.py", "trains.py"}
PICTURES = {"look.py", "sheets.py", "label.py", "ask.py", "say.py"}


@pytest.mark.parametrize("title", TITLES, ids=lambda path: path.name)
def test_a_title_has_the_rooms_of_the_plan(title: Path) -> None:
    rooms = {path.name for path in title.iterdir()}
    assert rooms >= EVERY
    pictures, rounds, steps = (
        {path.name for path in (title / room).iterdir()} for room in ("pictures", "rounds", "steps")
    )
    assert pictures >= PICTURES
    assert rounds >= ROUNDS
    assert steps >= STEPS
    if (title / "data" / "trains.toml").exists():
        assert rooms >= WITH_TRAINS
        assert rounds >= ROUNDS_WITH_TRAINS
        assert steps >= STEPS_WITH_TRAINS
