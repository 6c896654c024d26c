"""Write the kept games anew: ``python -m tests.playthroughs [--new] [PART OF A NAME …]``.

A log that the rules still allow stays as it is and gets the digests of today;
others are played again. ``--new`` plays all again.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from engine import RuleError, Setup
from engine.errors import LogError, UnreadableLogError
from engine.setup import RULES
from tests.playthroughs.cases import cases, in_full
from tests.playthroughs.record import FOLDER, INDEX, Kept, keep, line, play, read, write


def renew(name: str, setup: Setup, new: bool) -> tuple[str, str]:
    """Write one game; return its line and what was done; words instead of an error, which no process can send."""
    try:
        return _renew_game(name, setup, new)
    except (AssertionError, LogError, RuleError) as error:
        return f"{name}: {error}", "FAILED"


def _renew_game(name: str, setup: Setup, new: bool) -> tuple[str, str]:
    old: Kept | None = None
    kept: Kept | None = None
    with suppress(FileNotFoundError, msgspec.DecodeError, UnreadableLogError, AssertionError, RuleError):
        old = None if new else read(name)
        if old is not None and replace(old.setup, rules=RULES) == setup:
            kept = keep(old.setup, old.read_log(), full=in_full(name))
    done = "played" if kept is None else "as it was" if kept == old else "other states"
    kept = kept or keep(setup, play(setup), full=in_full(name))
    write(name, kept)
    return line(name, kept), done


def main(words: list[str]) -> None:
    """Write the games named, and the index of all."""
    new, parts = "--new" in words, [word for word in words if word != "--new"]
    every = dict(cases())
    wanted = {name: setup for name, setup in every.items() if not parts or any(part in name for part in parts)}
    with ProcessPoolExecutor(2) as pool:
        tasks = [pool.submit(renew, name, setup, new) for name, setup in wanted.items()]
        for task in tasks:
            sys.stdout.write(f"{task.result()[1]:>12}  {task.result()[0][:100]}\n")
    for path in FOLDER.glob("*.json.gz"):
        if path.name.removesuffix(".json.gz") not in every:
            path.unlink()
    there = [name for name in every if (FOLDER / f"{name}.json.gz").exists()]
    INDEX.write_text("\n".join(line(name, read(name)) for name in there) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
