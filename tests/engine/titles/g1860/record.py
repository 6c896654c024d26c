"""The game of 1860 that was recorded elsewhere, and what is published about map and tiles."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.beside import lines

PUBLISHED = Path(__file__).with_name("published.json")


@cache
def read_published() -> dict[str, Any]:
    """Return what is published of maps and tiles.

    ``first`` has the tiles an empty hex takes, "742/034" with their rotations;
    ``upgrades`` the tiles that follow one; ``hexes`` what is printed;
    ``counts`` how many tiles there are. Each map has its own.
    """
    found: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return found


def oracle(name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of "states", "legal" or "best" of the recorded game."""
    return lines(f"oracle/1860/{name}-19354.jsonl.gz")
