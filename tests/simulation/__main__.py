"""Simulate: ``python -m tests.simulation [--seeds 1-5] [--scenes lobby move] [--cases 100] [--points FILE]``.

``--lives 1860`` only measures what six weeks are like for four people at a table of a title.
A year at 200 tables comes first (``--year 0`` leaves it out, ``--year 0.1`` plays a tenth of its days).
For each seed every scene is played once. Then each point that a scene is the first to meet fails in it in every way of
its kind. The list of points, with what was tried and what came of it, goes to a file; so do the functions of the bot
that await something and were never waited in. A failure prints the command that replays it.
"""

import argparse
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import structlog

from tests.simulation import mail_lines
from tests.simulation.figures import measure_lives
from tests.simulation.lives import START, TITLES
from tests.simulation.mail_world import MAIL, MailWorld, play_by_mail
from tests.simulation.points import FAULTS, Fault, Point, list_awaiting_functions
from tests.simulation.promises import SPANS, run_span
from tests.simulation.runs import Case, Outcome, Runner, list_cases
from tests.simulation.scenes import SCENES
from tests.simulation.year import Span

FOLDERS = ("discord", "mail", "service", "store", "screens", "commands")


def main() -> int:
    """Run what is asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seeds", default="1", help="of the runs, as 1-3")
    parser.add_argument(
        "--scenes", nargs="+", default=[*SCENES, MAIL], choices=[*SCENES, MAIL], help="whose points are to fail"
    )
    parser.add_argument("--cases", type=int, default=0, help="faults for each seed, chosen evenly; 0 for all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at the same time")
    parser.add_argument("--year", type=float, default=1.0, help="part of the simulated year that is lived through")
    parser.add_argument("--points", type=Path, default=Path("points.txt"), help="file for the list of points")
    parser.add_argument("--replay", nargs="+", help="what a failure printed")
    parser.add_argument("--lives", nargs="*", choices=TITLES, help="only measure four lives at these titles, or all")
    parser.add_argument("--days", type=int, default=42, help="of the lives")
    parser.add_argument("--hurry", type=float, default=3.0, help="how much more often the four look at their table")
    parser.add_argument("--show", action="store_true", help="print a long day of the lives in full")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    first, _, last = given.seeds.partition("-")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        runners = dict.fromkeys(SCENES, Runner(Path(folder)))
        runners[MAIL] = Runner(Path(folder), MailWorld, play_by_mail)
        if given.replay:
            return replay(runners, given.replay)
        seeds = range(int(first), int(last or first) + 1)
        if given.lives is not None:
            span = Span(seeds[0], START, given.days, 1)
            return measure_lives(given.lives or TITLES, span, Path(folder), given.hurry, shows_day=given.show)
        wrong = sum(live_through_spans(seed, given.year, Path(folder)) for seed in seeds if given.year)
        wrong += sum(fail_everywhere(runners, seed, given) for seed in seeds)
    write(f"{wrong} runs went wrong\n")
    return min(1, wrong)


def live_through_spans(seed: int, part: float, folder: Path) -> int:
    """Live through a year, and past the end of 32 bits; return in how many of the two anything went wrong."""
    wrong = 0
    for start, days, tables in SPANS:
        began = time.process_time()
        with tempfile.TemporaryDirectory(dir=folder) as place:
            Path(place, "fresh.sqlite").write_bytes((folder / "fresh.sqlite").read_bytes())
            lived = Span(seed, start.timestamp(), max(1, round(days * part)), tables)
            year, found = run_span(lived, Path(place))
        wrong += bool(found)
        write(f"{lived}: {year.moves} moves in {time.process_time() - began:.0f} s\n")
        write("".join(f"    WRONG {each[:600]}\n" for each in found[:6]))
    return wrong


def fail_everywhere(runners: Mapping[str, Runner], seed: int, given: argparse.Namespace) -> int:
    """Let each point fail in each way; write the list of points; return how many runs went wrong."""
    met: dict[Point, int] = {}
    waited, cases, wrong = set[str](), list[Case](), 0
    for scene, runner in runners.items():
        base = Case(seed, scene)
        calm = runner.run_apart(base)
        wrong += report(calm)
        new = [(point, count) for point, count in calm.met if point not in met]
        met |= dict(new)
        waited |= calm.waited
        if scene in given.scenes:
            cases += list_cases(base, new, {**FAULTS, **mail_lines.FAULTS})
    chosen = cases[:: max(1, len(cases) // given.cases) if given.cases else 1]
    runners["begin"].run(Case(seed, "begin"))  # what is loaded and compiled here need not be in each process
    tried, found, number = Counter[Point](), Counter[Point](), 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for outcome in pool.map(lambda case: runners[case.scene].run_apart(case), chosen):
            assert outcome.case.point is not None
            number += 1
            tried[outcome.case.point] += outcome.has_struck
            found[outcome.case.point] += report(outcome)
            if number % 50 == 0 or number == len(chosen):
                write_points(given.points, cases, tried, found, waited)
    write(f"seed {seed}: {len(met)} points, {sum(tried.values())} of {len(cases)} faults came\n")
    return wrong + sum(found.values())


def write_points(
    path: Path, cases: Sequence[Case], tried: Mapping[Point, int], found: Mapping[Point, int], waited: Collection[str]
) -> None:
    """Write the list of points: how many faults came at each, and how many of those runs went wrong."""
    of = Counter(each.point for each in cases if each.point is not None)
    lines = [f"{tried[each]:3} of {of[each]:3} faults, {found[each]} wrong: {each}" for each in sorted(of, key=str)]
    never = sorted(set(list_awaiting_functions(*FOLDERS)) - {each.rpartition(":")[0] for each in waited})
    path.write_text("\n".join([*lines, *(f"never reached: {name}" for name in never)]) + "\n")


def report(outcome: Outcome) -> int:
    """Say what went wrong in a run, and how to replay it; return whether anything did."""
    if outcome.faults:
        write(f"WRONG {outcome.case}\n")
        for sentence in outcome.faults[:6]:
            write(f"    {sentence[-600:]}\n")
        write(f"    python -m tests.simulation --replay {outcome.case}\n")
    return bool(outcome.faults)


def replay(runners: Mapping[str, Runner], words: list[str]) -> int:
    """Run one case again and print its trace."""
    seed, scene, *rest = words
    case = Case(int(seed), scene)
    if rest:
        kind, place, *name, seconds, late, nth = rest
        fault = Fault(" ".join(name), float(seconds), float(late))
        case = Case(case.seed, scene, Point(kind, place), fault, int(nth))
    outcome = runners[scene].run_apart(case)
    write("\n".join(outcome.trace) + "\n")
    return report(outcome)


def write(words: str) -> None:
    """Write to standard output, at once."""
    sys.stdout.write(words)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
