"""The shelf: every title that can be played, one line each."""

from typing import Any

from engine.title import Title
from engine.titles.steel_driver import TITLE as STEEL_DRIVER

TITLES: dict[str, Title[Any]] = {STEEL_DRIVER.id: STEEL_DRIVER}
