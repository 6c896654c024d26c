"""The floors are looked at for each part by itself."""

from typing import Any

from tests.coverage_floors import FLOORS, report_lacks


def _file(done: int, missing: int) -> dict[str, Any]:
    summary = {"covered_lines": done, "missing_lines": missing, "covered_branches": 0, "missing_branches": 0}
    return {"summary": summary, "missing_lines": list(range(missing))}


def test_one_part_below_its_floor_is_not_made_good_by_another() -> None:
    files = {"engine/game.py": _file(1000, 0), "bot/service/table.py": _file(8, 2)}
    lines, well = report_lacks(files)
    assert not well
    assert "  bot/service/table.py: not [0, 1]" in lines
    assert report_lacks({f"{part}/one.py": _file(99, 1) for part in FLOORS})[1]
    assert not report_lacks({})[1], "nothing measured is nothing gone through"
