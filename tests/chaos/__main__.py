"""The long run by hand: ``python -m tests.chaos --kills 1000``."""

import argparse
import asyncio
import logging
import os
import tempfile
import time
from pathlib import Path

from engine import TITLES
from tests.chaos.bench import Bench
from tests.chaos.stores import store_of
from tests.discord.stand_in import StandIn
from tests.support import postgres
from tests.support.toy import toy


def read_arguments() -> argparse.Namespace:
    """Read what is wished for."""
    given = argparse.ArgumentParser(prog="tests.chaos", description=__doc__)
    given.add_argument("--kills", type=int, default=100)
    given.add_argument("--between", type=int, default=10, help="kills between two comparisons")
    given.add_argument("--tables", type=int, default=6)
    given.add_argument("--bots", type=int, default=1, help="processes side by side, on PostgreSQL")
    given.add_argument("--life", type=float, default=6.0, help="seconds after which a bot is killed at the latest")
    given.add_argument("--seed", type=int, default=1)
    given.add_argument("--folder", type=Path, default=None, help="where the store and the bot's log stay")
    given.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    return given.parse_args()


def address_in(folder: Path, store: str) -> Path | str:
    """Return where the store lives; a server is started for it, and ends with this process."""
    if store == "sqlite":
        return folder / "store.sqlite"
    return postgres.make_store(postgres.start_server(f"chaos-{os.getpid()}"), "chaos")


async def main(wish: argparse.Namespace, folder: Path, address: Path | str) -> int:
    """Run the bench and print what it found."""
    TITLES["toy"] = toy()
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # lines that are cut are what is wished for here
    began = time.monotonic()
    async with StandIn(life=24 * 60 * 60) as server:
        bench = Bench(server, folder, store_of(address), wish.seed, wish.tables, wish.bots)
        bench.longest_life = wish.life
        try:
            await bench.run(
                wish.kills,
                wish.between,
                lambda: print(bench.kills.total(), bench.findings.counts(), flush=True),  # noqa: T201
            )
        finally:
            print(f"{wish.store}: {time.monotonic() - began:.0f} s; {folder}")  # noqa: T201
            print(f"kills {dict(bench.kills)}; milliseconds {dict(bench.took)}")  # noqa: T201
            print(f"answers {dict(bench.answers.most_common(12))}")  # noqa: T201
            print(f"faults {dict(bench.faults.seen)}")  # noqa: T201
            print(f"found {bench.findings.counts()}")  # noqa: T201
            print("\n".join([*bench.findings.sentences(), *sorted(set(server.violations))[:20]]))  # noqa: T201
    return sum(bench.findings.counts().values())


if __name__ == "__main__":
    wish = read_arguments()
    place = wish.folder or Path(tempfile.mkdtemp(prefix="chaos-"))
    place.mkdir(parents=True, exist_ok=True)
    found = asyncio.run(main(wish, place, address_in(place, wish.store)))
    raise SystemExit(min(1, found))
