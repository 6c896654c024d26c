"""The shelf: every title that can be played, one line each."""

from typing import Any

from engine.title import Title

TITLES: dict[str, Title[Any]] = {}
