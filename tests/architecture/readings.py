"""The tables of ``docs/situations.md`` and ``docs/differences.md``: their words stand in data files of the titles.

The last column, with the tests, stands in the documents alone. ``python -m tests.architecture.readings`` writes the
other columns anew.
"""

from collections.abc import Iterator
from pathlib import Path

from engine import TITLES
from engine.interop.profile import Difference, read_differences
from tests.architecture.sources import ROOT

DOCS = ROOT / "docs"
HEADINGS = {"1860": "1860", "1862": "1862", "Steel Driver": "steel_driver"}
"""The title under each heading of the documents."""


def list_differences(title: str) -> tuple[Difference, ...]:
    return read_differences(f"engine.interop.g{title}") if title[0] == "1" else ()


def _write_situations(title: str) -> Iterator[str]:
    elsewhere = {each.situation: each.number for each in list_differences(title)}
    for each in TITLES[title].words.readings({}):
        other = elsewhere.get(each.number)
        more = f" 18xx.games plays otherwise (differences {other})." if other else ""
        yield f"| {each.number} | {each.question} | {each.answer}{more} | "


def _write_differences(title: str) -> Iterator[str]:
    for each in list_differences(title):
        heading, edition, rest = each.section.partition(" (first edition")
        section = heading if heading.startswith("§") or not heading else f"*{heading}*{edition}{rest}"
        about = ", ".join(filter(None, (each.about, section)))
        switches = ", ".join(f"`{switch}`" for switch in each.switches) or "—"
        yield f"| {each.number} | {about} | {each.rulebook} | {each.profile} | {switches} | "


WRITERS = {"situations.md": _write_situations, "differences.md": _write_differences}


def write_document(name: str) -> str:
    """Return a document as the data files have it, with the tests that it names now."""
    lines: list[str] = []
    tests: dict[str, str] = {}
    rows: Iterator[str] = iter(())
    for line in [*(DOCS / name).read_text(encoding="utf-8").splitlines(), ""]:
        number = line.removeprefix("| ").partition(" | ")[0]
        if line.startswith("| ") and number != "no.":
            tests[number] = line.removesuffix(" |").rpartition(" | ")[2]
            continue
        if tests:
            lines += [f"{row}{tests.get(row[2:].partition(' | ')[0], '')} |" for row in rows]
            tests = {}
        if line.startswith("## "):
            rows = WRITERS[name](HEADINGS[line.removeprefix("## ")])
        lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    for document in WRITERS:
        Path(DOCS / document).write_text(write_document(document), encoding="utf-8")
