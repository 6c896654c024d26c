"""Run many cases: ``python -m tests.inspection --cases 1000``."""

import argparse
import asyncio
import logging
import tempfile
import time
from pathlib import Path

from bot.service.workers.pool import Workers
from engine import TITLES
from tests.discord.conftest import Desk
from tests.discord.stand_in import StandIn
from tests.inspection.cases import run_cases
from tests.support import quick_files
from tests.support.reading import in_threads
from tests.support.toy import toy

FOREVER = 1e9


async def main(folder: Path, seed: int, cases: int) -> int:
    """Run the cases and print the results; return the number of failures."""
    async with StandIn(life=FOREVER) as server:
        began = time.monotonic()
        damaged, failed = await run_cases(Desk(server, folder / "store.sqlite"), seed, cases)
    lines = [f"{count:5} {what}" for what, count in sorted(damaged.items())] + [f"FAILED {each}" for each in failed]
    print(*lines, sep="\n")  # noqa: T201
    print(f"{damaged.total()} cases, {len(failed)} failures, {time.monotonic() - began:.0f} s")  # noqa: T201
    return len(failed)


if __name__ == "__main__":
    given = argparse.ArgumentParser(prog="tests.inspection", description=__doc__)
    given.add_argument("--cases", type=int, default=100)
    given.add_argument("--seed", type=int, default=1)
    wish = given.parse_args()
    logging.disable(logging.WARNING)
    TITLES["toy"] = toy()
    Workers.in_threads = staticmethod(in_threads)  # type: ignore[method-assign]  # another process has no toy
    quick_files.hasten()
    with tempfile.TemporaryDirectory() as place:
        raise SystemExit(asyncio.run(main(Path(place), wish.seed, wish.cases)) > 0)
