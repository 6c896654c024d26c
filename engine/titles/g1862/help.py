"""The rules of 1862 in our own words, by section, for ``/rules``; the words stand in ``data/help.toml``."""

from importlib.resources import files

import msgspec


class _Paragraph(msgspec.Struct, forbid_unknown_fields=True):
    section: str
    heading: str
    text: str


class _Help(msgspec.Struct, forbid_unknown_fields=True):
    rule: tuple[_Paragraph, ...]


def _read() -> tuple[tuple[str, str, str], ...]:
    """Return (section, heading, text) of every paragraph."""
    data = (files("engine.titles.g1862") / "data" / "help.toml").read_bytes()
    return tuple(
        (paragraph.section, paragraph.heading, paragraph.text)
        for paragraph in msgspec.toml.decode(data, type=_Help).rule
    )


HELP = _read()
