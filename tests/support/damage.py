"""Damage to a database as disks and people do it: an overwritten page of a table or index, a row edited by hand."""

import contextlib
import sqlite3
from pathlib import Path

from bot.store.address import is_server
from tests.support import postgres


def damage_page(path: Path, name: str, place: float = 0.5, *, flip: int | None = None) -> int:
    """Overwrite a leaf page of a table or index; return its number. The file may not be open.

    Args:
        path: of the file.
        name: of the table or index.
        place: which of its leaves, from 0 for the first to 1 for the last.
        flip: flip the bits of one byte at this offset only.
    """
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        leaves = [row[0] for row in file.execute(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path", (name,)
        )]  # fmt: skip
        size = file.execute("PRAGMA page_size").fetchone()[0]
    page = leaves[min(len(leaves) - 1, int(place * len(leaves)))]
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        data = bytearray(file.read(size))
        if flip is None:
            data[:] = b"\xa5" * size
        else:
            data[flip] ^= 0xFF
        file.seek((page - 1) * size)
        file.write(data)
    return int(page)


async def change_rows(address: Path | str, *statements: str) -> None:
    """Change rows by hand, in a file or on a server."""
    if is_server(address):
        for statement in statements:
            await postgres.execute(str(address), statement)
        return
    with contextlib.closing(sqlite3.connect(address)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()
