"""Facts and records that lie beside the repository; tests that need them skip where they are absent."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[5] / "shared"


@cache
def facts() -> dict[str, Any]:
    path = SHARED / "rules" / "1860" / "facts.json"
    if not path.exists():
        pytest.skip("../shared/rules is not here")
    return json.loads(path.read_text())


def oracle(name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of "states" or "legal" of the recorded game."""
    path = SHARED / "oracle" / "1860" / f"{name}-19354.jsonl.gz"
    if not path.exists():
        pytest.skip("../shared/oracle is not here")
    with gzip.open(path, "rt") as lines:
        yield from map(json.loads, lines)
