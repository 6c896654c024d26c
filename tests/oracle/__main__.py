"""Change files of 18xx.games and list those that are read here without a word, and that its engine refuses.

``T18XX=~/18xx python -m tests.oracle --count 2000 --seed 1 GAME.json …``
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.errors import LogError, UnreadableLogError
from engine.interop.exchange import Imported, import_log
from tests.oracle import public_engine
from tests.oracle.changed_files import change_file


def read_arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the files that are found")
    return parser.parse_args()


def list_accepted(wanted: Namespace, folder: Path) -> Iterator[tuple[Path, str, Imported]]:
    """Change files and yield those that are read here, with what was changed."""
    games = [path.read_bytes() for path in wanted.games]
    for number in range(wanted.seed, wanted.seed + wanted.count):
        data, what = change_file(games[number % len(games)], number)
        try:
            read = import_log(data)
        except (LogError, UnreadableLogError):
            continue
        path = folder / f"{number}.json"
        path.write_bytes(data)
        yield path, f"{wanted.games[number % len(games)].stem} {what}", read


def judge(found: tuple[Path, str, Imported]) -> tuple[str, str]:
    """Return the kind of a file that was read, and a line about it."""
    path, what, read = found
    lines = read.report.write_lines()
    verdict = public_engine.judge_file(path)
    if not verdict["accepted"]:
        kind = "refused there, a line here" if lines else "REFUSED THERE, NOTHING HERE"
        return kind, f"{path.name} {what}: {verdict['error']} {list(lines)[1:2]}"
    if lines:
        return "accepted there, a line here", f"{path.name} {what}: {list(lines)[1:2]}"
    return "accepted by both", f"{path.name} {what}"


def main() -> None:
    wanted = read_arguments()
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
        folder = wanted.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        for kind, line in pool.map(judge, list_accepted(wanted, folder)):
            counts[kind] += 1
            sys.stdout.write(f"{kind}: {line}\n")
    sys.stdout.write(json.dumps({"changed": wanted.count, **counts}, indent=1) + "\n")


if __name__ == "__main__":
    main()
