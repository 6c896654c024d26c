"""Read for minutes what is made from grammars; report what was not refused with a sentence, and what took long.

``python -m tests.fuzz --minutes 20 --seed 3 --keep FOLDER --only mail --only board``

Each round asks every reader some hundred times by another seed. A finding is written to the folder as a case; one that
is moved to ``tests/fuzz/corpus`` is read again by every run of the tests. Times are of the processor, and of the thread
that reads; what takes long is measured again, because a machine may be busy. It ends with 1 if there was a finding.
"""

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import structlog
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.corpus import write_case
from tests.fuzz.judge import Finding, judge
from tests.fuzz.readers import Reader, open_readers

MAX_SECONDS = 0.05
"""What a reader may take that stands in no process but the bot's own."""
TRIES = 3
"""How often something is measured again that seems to take long; the least counts."""
EXAMPLES = 150
"""Of each reader in a round."""


class Tally(NamedTuple):
    """What came of a reader: how many cases were read, refused; the longest time, of how large a case."""

    cases: int = 0
    refused: int = 0
    worst: float = 0.0
    size: int = 0


def measure(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what comes of work, and how long the thread was busy with it."""
    begun = time.thread_time()
    found = work()
    return found, time.thread_time() - begun


class Hunt:
    """A run over all readers."""

    def __init__(self, keep: Path) -> None:
        self.keep = keep
        self.tallies: dict[str, Tally] = {}
        self.found: dict[tuple[str, str], Path] = {}

    def ask(self, name: str, reader: Reader, case: object) -> None:
        """Let a reader read a case, and note what comes of it."""
        verdict, seconds = measure(lambda: judge(reader, case))
        for _ in range(TRIES):
            if seconds < MAX_SECONDS or reader.apart:
                break
            seconds = min(seconds, measure(lambda: judge(reader, case))[1])
        before = self.tallies.get(name, Tally())
        size = len(case) if isinstance(case, str | bytes) else len(repr(case))
        worst, of = max((before.worst, before.size), (seconds, size))
        self.tallies[name] = Tally(before.cases + 1, before.refused + verdict.refused, worst, of)
        if verdict.finding is not None:
            self._note(name, verdict.finding, case)
        elif seconds > MAX_SECONDS and not reader.apart:
            self._note(name, Finding("slow", f"{1000 * seconds:.0f} ms"), case)

    def _note(self, name: str, finding: Finding, case: object) -> None:
        if (name, finding.kind) not in self.found:
            path = write_case(self.keep, name, finding.kind, case)
            self.found[name, finding.kind] = path
            sys.stdout.write(f"{name}: {finding.kind}: {finding.words[:200]} ({path})\n")
            sys.stdout.flush()

    def run_round(self, name: str, reader: Reader, number: int) -> None:
        """Ask a reader some hundred times by a seed."""

        @seed(number)
        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=[*HealthCheck],
        )  # fmt: skip
        @given(reader.inputs)
        def ask(case: object) -> None:
            self.ask(name, reader, case)

        ask()

    def report(self) -> str:
        """Return a line for each reader."""
        lines = [f"{'reader':26} {'cases':>8} {'refused':>8} {'worst ms':>9} {'of':>9}"]
        for name, tally in sorted(self.tallies.items()):
            lines.append(f"{name:26} {tally.cases:8} {tally.refused:8} {1000 * tally.worst:9.1f} {tally.size:9}")
        return "\n".join(lines)


def _start_server() -> str:
    """Start a server of PostgreSQL; return the address of a database on it."""
    from tests.support import postgres

    return postgres.make_store(postgres.start_server(f"fuzz{os.getpid()}"), "fuzz")


def main() -> int:
    """Hunt until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(".fuzz"))
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    wish = parser.parse_args()
    warnings.simplefilter("ignore")
    structlog.configure(processors=[lambda *_: ""], logger_factory=structlog.ReturnLoggerFactory())
    ends, number, hunt = time.monotonic() + 60 * wish.minutes, wish.seed * 100_000, Hunt(wish.keep)
    with open_readers(_start_server() if wish.store == "postgresql" else "") as readers:
        while time.monotonic() < ends:
            number += 1
            for name, reader in readers.items():
                if (not wish.only or name in wish.only) and time.monotonic() < ends:
                    hunt.run_round(name, reader, number)
    sys.stdout.write(f"{hunt.report()}\n{len(hunt.found)} findings\n")
    return 1 if hunt.found else 0


if __name__ == "__main__":
    sys.exit(main())
