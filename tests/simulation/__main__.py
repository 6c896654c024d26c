"""Simulate: ``python -m tests.simulation [--seeds 1-5] [--scenes lobby move] [--cases 100] [--points FILE] [--list]``.

``--lives 1860`` only measures what six weeks are like for four people at a table of a title.
A year at 200 tables comes first (``--year 0`` leaves it out, ``--year 60-120`` lives through these of its days).
For each seed every scene is played once. Then each point that a scene is the first to meet fails in it in every way of
its kind. The file of points remembers each case and how it ended: the next run goes on with those that are left, and
``--list`` prints what has failed so far and what is never waited in. A failure prints the command that replays it.
"""

import argparse
import logging
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from threading import Lock

import structlog

from bot.model.clock import DAY
from tests.simulation import mail_lines
from tests.simulation.branches import run_branches
from tests.simulation.figures import measure_lives
from tests.simulation.lives import START, TITLES
from tests.simulation.mail_world import MAIL, MailWorld, play_by_mail
from tests.simulation.points import FAULTS, Fault, Point
from tests.simulation.progress import Progress
from tests.simulation.promises import SPANS, run_span
from tests.simulation.runs import Case, Outcome, Runner, list_cases
from tests.simulation.scenes import SCENES
from tests.simulation.year import Span


def main() -> int:
    """Run what is asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seeds", default="1", help="of the runs, as 1-3")
    parser.add_argument(
        "--scenes", nargs="+", default=[*SCENES, MAIL], choices=[*SCENES, MAIL], help="whose points are to fail"
    )
    parser.add_argument("--cases", type=int, default=0, help="faults for each seed, chosen evenly; 0 for all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at the same time")
    parser.add_argument("--year", default="0-366", help="days of the simulated year, 0 for none")
    parser.add_argument("--points", type=Path, default=Path("points.txt"), help="file of what has run")
    parser.add_argument("--list", action="store_true", help="run no case; print what has run")
    parser.add_argument("--replay", nargs="+", help="what a failure printed")
    parser.add_argument("--lives", nargs="*", choices=TITLES, help="only measure four lives at these titles, or all")
    parser.add_argument("--days", type=int, default=42, help="of the lives")
    parser.add_argument(
        "--hurry",
        type=float,
        default=1.0,
        help="how much more often the four look at their table than they say; days get as much longer",
    )
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
        wrong = 0
        for seed in seeds:
            for span in list_spans(seed, given.year) if not given.list else ():
                wrong += live_through_span(span, Path(folder))
            wrong += fail_everywhere(runners, seed, given)
    write(f"{wrong} runs went wrong\n")
    return min(1, wrong)


def list_spans(seed: int, days: str) -> Iterator[Span]:
    """Yield the days of the year that are asked for, as "0-366", and with the first of them the end of 32 bits."""
    first, _, end = days.rpartition("-")
    first = first or "0"
    (start, length, tables), *others = SPANS
    if count := min(length, int(end)) - int(first):
        yield Span(seed, start.timestamp() + int(first) * DAY, count, tables)
    if int(end) and not int(first):
        yield from (Span(seed, each.timestamp(), length, tables) for each, length, tables in others)


def live_through_span(span: Span, folder: Path) -> bool:
    """Live through a span; return whether anything went wrong."""
    began = time.process_time()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        Path(place, "fresh.sqlite").write_bytes((folder / "fresh.sqlite").read_bytes())
        year, found = run_span(span, Path(place))
        ended = year.count_finished()
    seconds, megabytes = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    write(f"{span}: {year.days} days, {year.moves} moves in {seconds:.0f} s, {megabytes} MB\n")
    write(f"    {ended} games ended, {year.archived} times a thread was archived\n")
    write("".join(f"    WRONG {each[:600]}\n" for each in found[:6]))
    return bool(found)


def fail_everywhere(runners: Mapping[str, Runner], seed: int, given: argparse.Namespace) -> int:
    """Let each point fail in each way, but for what has run; print the list; return how many runs went wrong."""
    met: dict[Point, int] = {}
    progress, cases, wrong = Progress(given.points), dict[str, list[Case]](), 0
    for scene, runner in runners.items():
        base = Case(seed, scene)
        calm = runner.run_apart(base)
        wrong += report(calm)
        progress.note(calm)
        new = [(point, count) for point, count in calm.met if point not in met]
        met |= dict(new)
        cases[scene] = [*list_cases(base, new, {**FAULTS, **mail_lines.FAULTS})]
    left = progress.list_open(case for scene in given.scenes for case in cases[scene])
    chosen = left[:: max(1, len(left) // given.cases) if given.cases else 1] * (not given.list)
    runners["begin"].run(Case(seed, "begin"))  # what is loaded and compiled here need not be in each process
    by_scene = [[case for case in chosen if case.scene == scene] for scene in runners]
    parts = [part[job :: given.jobs] for part in by_scene for job in range(given.jobs)]
    noting = Lock()

    def run_part(part: list[Case]) -> int:
        found = 0
        for outcome in run_branches(runners[part[0].scene], Case(seed, part[0].scene), part):
            with noting:
                progress.note(outcome)
                found += report(outcome)
        return found

    with ThreadPoolExecutor(given.jobs) as pool:
        wrong += sum(pool.map(run_part, filter(None, parts)))
    whole = [*chain(*cases.values())]
    lines = [f"seed {seed}", *progress.describe(whole), *(progress.list_gaps(whole) if given.list else ())]
    write("\n".join(lines) + "\n")
    return wrong


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
