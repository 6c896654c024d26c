"""The facts beside the repository, as read; tests that need them skip visibly without."""

import json
from functools import cache
from pathlib import Path

import pytest

from engine.view import Brand

RULES = Path(__file__).resolve().parents[3] / "shared" / "rules"
CSS = {
    "black": "#000000",
    "darkblue": "#00008b",
    "darkmagenta": "#8b008b",
    "deepskyblue": "#00bfff",
    "green": "#008000",
    "yellow": "#ffff00",
    "yellowgreen": "#9acd32",
}
needs_facts = pytest.mark.skipif(not RULES.exists(), reason="no ../shared: the big maps are not at hand")


@cache
def facts(title):
    """Return the facts of a title, as read."""
    name = "board.json" if title == "steel_driver" else "facts.json"
    return json.loads((RULES / title / name).read_text(encoding="utf-8"))


def brands_of(title):
    """Return the companies of a title."""
    companies = facts(title)["companies"]
    if title == "steel_driver":
        return tuple(
            Brand("K" if c["id"] == "black" else c["id"][0].upper(), c["name"], c["colour"], "#ffffff", k)
            for k, c in enumerate(companies)
        )
    return tuple(
        Brand(c["code"], c["name"], *(CSS.get(c[key], c[key]) for key in ("colour", "text_colour")), k)
        for k, c in enumerate(companies)
    )
