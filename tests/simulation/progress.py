"""Which cases have run and how they ended: a file that runs add to, so that a long list can be run in slices.

Each line is a fate, the digest of the bot's code it ran on, and the case; the last line of a case counts. A line of the
bot that moves is another point, whose cases run again.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.simulation.points import BOT, Point, list_awaiting_functions
from tests.simulation.runs import Case, Outcome

HELD, WRONG, MISSED, REACHED = "held", "wrong", "missed", "reached"
"""All invariants held after the fault; something was wrong; the fault didn't come; the bot waited in a function."""
FOLDERS = ("discord", "mail", "service", "store", "screens", "commands")


class Fate(NamedTuple):
    """How a case ended, and on which code."""

    word: str
    code: str


class Progress:
    """The file of a list of cases.

    Args:
        path: of the file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._code = digest_code()
        self.fates: dict[str, Fate] = {}
        self.reached: set[str] = set()
        for line in path.read_text().splitlines() if path.exists() else ():
            word, code, what = line.split(" ", 2)
            if word == REACHED:
                self.reached.add(what)
            else:
                self.fates[what] = Fate(word, code)

    def note(self, outcome: Outcome) -> None:
        """Add how a case ended, and where the bot waited for the first time."""
        new = {each.rpartition(":")[0] for each in outcome.waited} - self.reached
        self.reached |= new
        lines = [f"{REACHED} {self._code} {each}" for each in sorted(new)]
        if outcome.case.point is not None:
            word = WRONG if outcome.faults else HELD if outcome.has_struck else MISSED
            self.fates[str(outcome.case)] = Fate(word, self._code)
            lines.append(f"{word} {self._code} {outcome.case}")
        with self._path.open("a") as file:
            file.writelines(f"{line}\n" for line in lines)

    def list_open(self, cases: Iterable[Case]) -> list[Case]:
        """Return the cases that have not run, or ended wrong."""
        return [each for each in cases if self.fates.get(str(each), Fate(WRONG, "")).word == WRONG]

    def describe(self, cases: Sequence[Case]) -> Iterator[str]:
        """Yield a table of the cases by kind of point, and each that ended wrong."""
        by_point: dict[Point, Counter[str]] = {}
        for case in cases:
            assert case.point is not None
            word = self.fates[str(case)].word if str(case) in self.fates else "open"
            by_point.setdefault(case.point, Counter())[word] += 1
        yield f"{'kind':10} points failed faults   held  wrong missed   open"
        kinds = sorted({point.kind for point in by_point})
        for kind in [*kinds, ""]:
            points = [fates for point, fates in by_point.items() if kind in ("", point.kind)]
            count = sum(points, Counter[str]())
            failed = sum(bool(each[HELD] + each[WRONG]) for each in points)
            row = (len(points), failed, count.total(), count[HELD], count[WRONG], count[MISSED], count["open"])
            yield f"{kind or 'all':10}" + "".join(f"{number:7}" for number in row)
        codes = {self.fates[str(case)].code for case in cases if str(case) in self.fates}
        yield f"It ran on {len(codes)} versions of the bot's code; this is {self._code}."
        yield from (f"wrong: {case}" for case in cases if self.fates.get(str(case), Fate("", "")).word == WRONG)

    def list_gaps(self, cases: Sequence[Case]) -> Iterator[str]:
        """Yield each point that has not failed, and each function of the bot that awaits and was never waited in."""
        failed = {each.point for each in cases if self.fates.get(str(each), Fate("", "")).word in (HELD, WRONG)}
        points = dict.fromkeys(each.point for each in cases)
        yield from (f"has not failed: {point}" for point in points if point not in failed)
        never = set(list_awaiting_functions(*FOLDERS)) - self.reached
        yield from (f"never reached: {name}" for name in sorted(never))


def digest_code() -> str:
    """Return what the bot's code comes to."""
    folder = Path(BOT)
    texts = (f"{path.relative_to(folder)}\n{path.read_text()}" for path in sorted(folder.rglob("*.py")))
    return hashlib.blake2b("\n".join(texts).encode(), digest_size=4).hexdigest()
