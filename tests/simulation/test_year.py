"""Days of the simulated year on which clocks do what they seldom do."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.model.clock import DAY, HOUR
from tests.simulation.promises import run_span
from tests.simulation.year import Player, Span, Wishes


def begin(day: str) -> float:
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()


@pytest.fixture
def folder(tmp_path: Path, fresh_store: Path) -> Path:
    (tmp_path / "fresh.sqlite").write_bytes(fresh_store.read_bytes())
    return tmp_path


@pytest.mark.parametrize("day", ["2028-02-29", "2028-03-12", "2038-01-19"])
def test_days_when_clocks_change(folder: Path, day: str) -> None:
    """A leap day, the change of clocks in America, the end of 32 bits: people play and are called as promised."""
    year, found = run_span(Span(2, begin(day), 1, 2, 4 * HOUR), folder)
    assert found == []
    assert year.moves >= 2
    assert year.run.loop.epoch() >= begin(day) + DAY


def test_peace_ends_by_the_clock_on_the_wall() -> None:
    """Quiet from 2 to 3: an hour that is skipped in spring, and comes twice in autumn."""
    me = Player(None, wishes=[(0.0, Wishes("Europe/Berlin", 2, 3))])  # type: ignore[arg-type]  # no one acts
    spring, autumn = (datetime(2027, *day, 0, 30, tzinfo=UTC).timestamp() for day in ((3, 28), (10, 31)))
    assert me.find_peace_end(spring + 1800) == spring + 1800
    assert me.find_peace_end(autumn) == autumn + 5400
