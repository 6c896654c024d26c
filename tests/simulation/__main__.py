"""Simulate: ``python -m tests.simulation [--seeds 1-5] [--cases 100]``.

First tables are played to their end while the bot is killed now and then; then every point that a run meets fails in
every way of its kind. The list of points goes to ``FOLDER/points.txt``. A failure prints the command that replays it.
"""

import argparse
import logging
import sys
import tempfile
from collections import Counter
from pathlib import Path

import structlog

from tests.simulation.points import Fault, Point
from tests.simulation.runs import Case, Outcome, Runner, list_cases

KINDS = ("request", "statement", "commit", "work", "thread", "connect", "sleep", "lock")


def main() -> int:
    """Run what is asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seeds", default="1-3", help="of the runs, as 1-3")
    parser.add_argument("--cases", type=int, default=0, help="faults for each seed, chosen evenly; 0 for all")
    parser.add_argument("--points", type=Path, help="file for the list of points")
    parser.add_argument("--title", default="toy")
    parser.add_argument("--moves", type=int, default=8)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--replay", nargs="+", help="seed, and the point, fault and time that a failure printed")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    first, _, last = given.seeds.partition("-")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        runner = Runner(Path(folder))
        if given.replay:
            return replay(runner, given)
        wrong, tried = 0, Counter[Point]()
        for seed in range(int(first), int(last or first) + 1):
            base = Case(seed, given.title, given.players, given.moves)
            calm = runner.run(base)
            wrong += report(calm)
            cases = list(list_cases(base, calm.met))
            step = max(1, len(cases) // given.cases) if given.cases else 1
            for case in cases[::step]:
                outcome = runner.run_apart(case)
                wrong += report(outcome)
                if outcome.has_struck and case.point is not None:
                    tried[case.point] += 1
            write(f"seed {seed}: {len(calm.met)} points, {len(cases[::step])} of {len(cases)} faults\n")
            if given.points:
                lines = [f"{tried[point]:3} {point}" for point in sorted((point for point, _ in calm.met), key=str)]
                given.points.write_text("\n".join(lines) + "\n")
    write(f"{wrong} runs went wrong\n")
    return min(1, wrong)


def report(outcome: Outcome) -> int:
    """Say what went wrong in a run, and how to replay it; return whether anything did."""
    if outcome.faults:
        write(f"WRONG {outcome.case}\n")
        for sentence in outcome.faults[:6]:
            write(f"    {sentence[-600:]}\n")
        write(f"    python -m tests.simulation --replay {outcome.case}\n")
    return bool(outcome.faults)


def replay(runner: Runner, given: argparse.Namespace) -> int:
    """Run one case again and print its trace."""
    seed, title, players, moves, *rest = given.replay
    case = Case(int(seed), title, int(players), int(moves))
    if rest:
        kind, place, *name, seconds, late, nth = rest
        fault = Fault(" ".join(name), float(seconds), float(late))
        case = Case(case.seed, title, case.players, case.moves, Point(kind, place), fault, int(nth))
    outcome = runner.run(case)
    write("\n".join(outcome.trace) + "\n")
    return report(outcome)


def write(words: str) -> None:
    """Write to standard output, at once."""
    sys.stdout.write(words)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
