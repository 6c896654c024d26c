"""The floors of lines and branches that tests go through: ``python -m tests.coverage_floors FIGURES``.

FIGURES is what slipcover wrote as JSON. Each part of the program has a floor of
its own, which only ever rises; below it the files that lack most are listed.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FLOORS = {"engine": 97.0, "bot/service": 96.0}
MAX_FILES_LISTED = 25


def percent(summaries: list[Mapping[str, int]]) -> float:
    """Return how many of all lines and branches are gone through."""
    done = sum(each["covered_lines"] + each["covered_branches"] for each in summaries)
    missing = sum(each["missing_lines"] + each["missing_branches"] for each in summaries)
    return 100 * done / max(1, done + missing)


def report_lacks(files: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], bool]:
    """Return a line for each part, what lacks most below its floor, and whether all are well."""
    lines, well = [], True
    for part, floor in FLOORS.items():
        here = {name: file for name, file in files.items() if name.startswith(f"{part}/")}
        share = percent([file["summary"] for file in here.values()])
        lines.append(f"{part}: {share:.1f} % of lines and branches, at least {floor:.1f} %")
        if share < floor:
            well = False
            worst = sorted(here, key=lambda name: -len(here[name]["missing_lines"]))[:MAX_FILES_LISTED]
            lines += [f"  {name}: not {here[name]['missing_lines']}" for name in worst]
    return lines, well


def main(figures: str) -> int:
    """Print the figures; return 1 if a floor is broken."""
    lines, well = report_lacks(json.loads(Path(figures).read_text(encoding="utf-8"))["files"])
    print("\n".join(lines))  # noqa: T201 - for the one who runs it
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
