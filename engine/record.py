"""The record types that everything in the engine is made of.

One library makes them all, ``msgspec``: records are built in a fraction of a
microsecond, compare by value, and turn into JSON without further code.
"""

from collections.abc import Mapping
from typing import ClassVar

import msgspec


class Record(msgspec.Struct, frozen=True):
    """A value: never changed, equal when its fields are."""


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """What a player says, in names a player uses; never what follows from it.

    A subclass sets ``tag`` (its name in the log), ``verb`` (the slash
    subcommand that makes it) and a docstring whose first line, at most 100
    characters, is shown by Discord. ``command`` lists the parameters of the
    subcommand; each is one field, or several written with blanks between
    them, so that one autocomplete can offer "10 % IOW · bank pool · £95".
    ``helps`` tells of each parameter what it is, to whoever types; ``asks`` is
    the question that a menu or a form puts (at most 45 characters); ``brief``
    says in a few words what one does by it: "buy a train". Whatever has a verb has one. ``usual`` are fields that
    may be left out, as they were meant, so that the rules can say why it is refused: "3+2" is one of the bank.
    """

    verb: ClassVar[str]
    command: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    helps: ClassVar[Mapping[str, str]] = {}
    asks: ClassVar[Mapping[str, str]] = {}
    brief: ClassVar[str] = ""
    usual: ClassVar[Mapping[str, str]] = {}


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """A fact in the past tense, with its numbers. Titles word them (``say``)."""


class Rule(Record, frozen=True):
    """Where a rule stands: the rulebook's title, our section number, the heading."""

    book: str
    section: str
    heading: str

    def __str__(self) -> str:
        return f"{self.book} {self.section}, {self.heading}"
