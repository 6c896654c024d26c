"""A title's rules in our own words, by section, for ``/rules``; the words stand in its ``data/rules.toml``."""

from functools import cache

import msgspec

from engine.printed import read


class _Paragraph(msgspec.Struct, forbid_unknown_fields=True):
    section: str
    heading: str
    text: str


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    rule: tuple[_Paragraph, ...]


@cache
def read_rules(package: str) -> tuple[tuple[str, str, str], ...]:
    """Return (section, heading, text) of every paragraph of a title, by the name of its package."""
    told = read(package, "rules.toml", _Rules).rule
    return tuple((paragraph.section, paragraph.heading, paragraph.text) for paragraph in told)
