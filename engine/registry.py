"""The shelf: every title that can be played, one line each."""

from typing import Any

from engine.interop.g1860.profile import TITLE as G1860
from engine.interop.g1862.profile import TITLE as G1862
from engine.title import Title
from engine.titles.steel_driver import TITLE as STEEL_DRIVER

TITLES: dict[str, Title[Any]] = {title.id: title for title in (G1860, G1862, STEEL_DRIVER)}
