"""How much memory the bot's processes have, minute by minute."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.load.served import list_children

SAMPLE_SECONDS = 60.0
KIBI = 1024


class Memory:
    """Resident memory of the bot's processes in MiB, once a minute, by a name for each."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids
        self.rows: list[dict[str, int]] = []

    async def watch(self) -> None:
        """Sample for ever."""
        began = time.monotonic()
        while True:
            self.rows.append(dict(self._read()))
            due = began + len(self.rows) * SAMPLE_SECONDS
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    def _read(self) -> Iterator[tuple[str, int]]:
        for number, pid in enumerate(self._pids, 1):
            yield f"bot {number}", read_resident(pid)
            for child in sorted(list_children(pid)):
                yield f"worker {child} of bot {number}", read_resident(child)

    def describe(self) -> Iterator[str]:
        """Yield a line for each process: its memory at the start, half way, in the end, and at most."""
        for name in {name: None for row in self.rows for name in row}:
            sizes = [row[name] for row in self.rows if name in row]
            yield (
                f"  {name}: {sizes[0]} MiB, after half the time {sizes[len(sizes) // 2]}, in the end {sizes[-1]}, "
                f"most {max(sizes)}"
            )


def read_resident(pid: int) -> int:
    """Return the resident memory of a process in MiB; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // KIBI for line in lines if line.startswith("VmRSS:")), 0)
