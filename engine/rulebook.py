"""A title's rules in our own words, by section, for ``/rules``; the words stand in its ``data/rules.toml``."""

from functools import cache
from importlib.resources import files

import msgspec


class _Paragraph(msgspec.Struct, forbid_unknown_fields=True):
    section: str
    heading: str
    text: str


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    rule: tuple[_Paragraph, ...]


@cache
def read_rules(package: str) -> tuple[tuple[str, str, str], ...]:
    """Return (section, heading, text) of every paragraph of a title, by the name of its package."""
    data = (files(package) / "data" / "rules.toml").read_bytes()
    return tuple(
        (paragraph.section, paragraph.heading, paragraph.text)
        for paragraph in msgspec.toml.decode(data, type=_Rules).rule
    )
