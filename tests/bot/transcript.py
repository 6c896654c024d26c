"""The first ten minutes of each title as a new player reads them at the local table, for ``docs/first-minutes.md``.

``python -m tests.bot.transcript`` writes it anew.
"""

import asyncio
import re
import tempfile
from pathlib import Path

from bot.terminal import LocalTable, open_table

DOCUMENT = Path(__file__).parents[2] / "docs" / "first-minutes.md"
HEAD = """# The first ten minutes

For each game, this page shows what a new player types (`>`) and reads at the local table. In Discord, the same choices
are on buttons. `python -m tests.bot.transcript` writes this page, and a test replays it, so it stays up to date.
"""
NAMES = 'players:"Ann, Bob, Cid" seed:3'
SCRIPTS: dict[str, tuple[str, ...]] = {
    "1860: Railways on the Isle of Wight": (
        f"/game new title:1860 seats:3 {NAMES}",
        "/act menu",
        "/act bid amount:£15",
        "/rules now",
        "/act bid amount:10",
        "/act pass",
        "/act pass",
        "/act menu",
        "/act buy share:brading",
        "/act pass",
        "/act pass",
        "/act pass",
        "/act start company:cowes",
        "/act start company:cowes price:£82",
        "/rules why move:tile hex:F2",
        "/rules search words:director",
    ),
    "1862: Railway Mania in the Eastern Counties": (
        f"/game new title:1862 seats:3 {NAMES}",
        "/act menu",
        '/act bid company:"lynn & hunstanton railway" amount:£10',
        "/act bid amount:15",
        "/act pass",
        "/act pass",
        "/act menu",
        "/act start price:£62",
        "/act menu",
        "/act buy",
        "/act pass",
        "/rules now",
    ),
    "Steel Driver": (
        f"/game new title:steel_driver seats:3 {NAMES}",
        "/act menu",
        "/act bid company:yellow amount:3",
        "/rules now",
        "/act bid amount:5",
        "/act pass",
        "/act pass",
        "/rules why move:build route:Boston–New York",
        "/act pass",
        "/act pass",
        "/act pass",
        "/rules now",
        "/act menu",
    ),
}


async def type_lines(lines: tuple[str, ...]) -> str:
    """Return what a table says to some lines, its pictures left out."""
    said: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        async with open_table(Path(folder) / "store.sqlite", Path(folder), said.append) as table:
            _draw_nothing(table)
            for line in lines:
                said.append(f"\n> {line}")
                await table.answer(line)
    return "\n".join(line for line in said if not re.match(r"\s+→ ", line))


def _draw_nothing(table: LocalTable) -> None:
    async def blank(*_: object) -> bytes:
        return b""

    table.draw = blank


async def document() -> str:
    """Return the whole document."""
    parts = [f"## {name}\n\n```text\n{(await type_lines(lines)).strip()}\n```\n" for name, lines in SCRIPTS.items()]
    return "\n".join([HEAD, *parts])


if __name__ == "__main__":
    DOCUMENT.write_text(asyncio.run(document()), encoding="utf-8")
