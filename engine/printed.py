"""What is printed of a title: its data files, rules in our own words, brands, currency and shares."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from engine.record import Record
from engine.view import Brand, Identity

T = TypeVar("T")


def read_data(package: str, name: str, kind: type[T], *, strict: bool = True) -> T:
    """Return what a TOML file in the ``data`` folder of a package holds, as a record.

    Args:
        package: of the title.
        name: of the file.
        kind: of the record.
        strict: keys and values are of the form that the record says; else text that reads as a number is one.

    Raises:
        msgspec.ValidationError: the file holds something else.
    """
    return msgspec.toml.decode((files(package) / "data" / name).read_bytes(), type=kind, strict=strict)


class _Paragraph(msgspec.Struct, forbid_unknown_fields=True):
    section: str
    topic: str
    text: str


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    rule: tuple[_Paragraph, ...]
    headings: dict[str, str] = {}


@cache
def read_rules(package: str) -> tuple[tuple[str, str, str], ...]:
    """Return (section, topic, text) of every paragraph of a title, by the name of its package.

    The section is where the rulebook has it: "§7.11.2", or a heading where it has
    no numbers. The topic is ours and names one paragraph only.
    """
    found = read_data(package, "rules.toml", _Rules).rule
    return tuple((paragraph.section, paragraph.topic, paragraph.text) for paragraph in found)


@cache
def read_headings(package: str) -> Mapping[str, str]:
    """Return the section of each heading of a rulebook that isn't a section of ``read_rules`` itself."""
    return read_data(package, "rules.toml", _Rules).headings


class Reading(Record, frozen=True):
    """How a point is read that a rulebook leaves open, or that players have disputed.

    Args:
        number: by which documents and tests cite it: "62-47".
        section: where the rulebook speaks of it; empty where it doesn't.
        question: the situation. answer: what we play, and why.
        line: the same in a few words, for a desk where it matters. other: what is played with the other value of its
            switch.
    """

    number: str
    section: str
    question: str
    answer: str
    line: str = ""
    other: str = ""


class _Readings(msgspec.Struct, forbid_unknown_fields=True):
    reading: tuple[Reading, ...]


@cache
def read_readings(package: str) -> tuple[Reading, ...]:
    """Return the readings of a title, by the name of its package."""
    return read_data(package, "readings.toml", _Readings).reading


def word_reading(package: str, number: str, *, other: bool = False) -> str:
    """Return how a table reads a point, for the desk: "This table reads: … (§7.9, 62-47)."."""
    reading = next(each for each in read_readings(package) if each.number == number)
    return f"This table reads: {reading.other if other else reading.line} ({reading.section}, {number})."


class Units(Record, frozen=True):
    """The currency and the share of a title, and how both are written.

    Args:
        currency: stands before an amount: "£", "$".
        share: percent of a company that one share is: 10 where a company has ten, 20 where it has five.
    """

    currency: str
    share: int

    def money(self, amount: int) -> str:
        """Return an amount of money: "£40", "£1,250"."""
        return f"{self.currency}{amount:,}"

    def percent(self, shares: int) -> str:
        """Return shares of one company: "30%"."""
        return f"{shares * self.share}%"

    def move(self, before: int, after: int) -> str:
        """Return where a share price goes: "£54→£58", "stays £54"."""
        return f"stays {self.money(before)}" if before == after else f"{self.money(before)}→{self.money(after)}"


class _Own(Record, frozen=True):
    """What stands in ``identity.toml``."""

    face: str
    colours: dict[str, str]
    place: tuple[str, ...] = ()
    scale: tuple[str, float] = ("", 0.0)


def read_identity(package: str) -> Identity:
    """Return the face and colours of a title's pictures, from ``data/identity.toml`` of its package."""
    own = read_data(package, "identity.toml", _Own)
    return Identity(own.face, tuple(own.colours.items()), own.place, own.scale)


class PrintedCompany(Record, frozen=True):
    """What is printed of a company: letters, name, the place it begins at, colours, and what it bears."""

    code: str
    name: str
    place: str
    colour: str
    ink: str
    emblem: str


def make_brands(companies: Iterable[PrintedCompany]) -> tuple[Brand, ...]:
    """Return how companies are told apart, numbered in their order."""
    return tuple(
        Brand(company.code, company.name, company.colour, company.ink, slot, company.emblem)
        for slot, company in enumerate(companies)
    )
