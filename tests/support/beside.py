"""Public games recorded elsewhere, which lie beside the repository or not at all.

Only tests that compare with those games need them (``@pytest.mark.recorded``);
everything else proves itself from what is committed here. The root's
``conftest`` makes a failure of a skip that should not have been.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def beside(name: str) -> Path:
    """Return a file of the folder ``../shared``; skip the test where it is not there."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"../shared/{name} is not here")
    return path


def lines(name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a compressed record."""
    with gzip.open(beside(name), "rt") as rows:
        yield from map(json.loads, rows)
