"""The record types that everything in the engine is made of.

One library makes them all, ``msgspec``: records are built in a fraction of a
microsecond, compare by value, and turn into JSON without further code.
"""

import types
from collections.abc import Callable, Mapping
from functools import cache
from inspect import signature
from typing import Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

import msgspec


class Record(msgspec.Struct, frozen=True):
    """A value: never changed, equal when its fields are."""


class Mutable(msgspec.Struct):
    """Part of a state: a record that is changed in place.

    Its lists, sets, mappings and records of this kind are copied as deep as their annotations say; anything else is
    a value that never changes, and is shared.
    """

    def clone(self) -> Self:
        """Return a copy that shares nothing mutable."""
        twin: Self = _compile_clone(type(self))(self)
        return twin


@cache
def _compile_clone(kind: type[Mutable]) -> Callable[[Any], Any]:
    """Return a function that copies records of one class, made once as msgspec and dataclasses make constructors.

    A state is copied for every move; field by field in a loop takes three times as long.
    """
    hints = get_type_hints(kind)
    named = {each.name for each in signature(kind).parameters.values() if each.kind is each.KEYWORD_ONLY}
    copies = ((name, _write_copy(f"of.{name}", hints[name])) for name in kind.__struct_fields__)
    fields = ", ".join(f"{name}={copied}" if name in named else copied for name, copied in copies)
    clone: Callable[[Any], Any] = eval(f"lambda of: kind({fields})", {"kind": kind})  # noqa: S307 - our own fields
    return clone


def _write_copy(value: str, hint: Any) -> str:  # noqa: ANN401 - an annotation is any type
    """Return an expression that copies a value of an annotated type; the value where it may be shared."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (list, set, dict):
        each = _write_copy("each", inner[-1])
        if each == "each":
            return f"{value}.copy()"
        return (
            f"{{key: {each} for key, each in {value}.items()}}" if origin is dict else f"[{each} for each in {value}]"
        )
    if origin in (Union, types.UnionType) and any(_write_copy("", one) for one in inner):
        return f"{value} and {value}.clone()"  # one of several records, or None
    return f"{value}.clone()" if isinstance(hint, type) and issubclass(hint, Mutable) else value


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A move as a player makes it, in names players use; never what follows from it.

    A subclass sets ``tag`` (its name in the log), ``verb`` (the slash
    subcommand that makes it) and a docstring whose first line, at most 100
    characters, is shown by Discord. ``command`` lists the parameters of the
    subcommand; each is one field, or several written with blanks between
    them, so that one autocomplete can offer "10% IOW · bank pool · £95".
    ``helps`` explains each parameter to players who type; ``asks`` is
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
    """A fact in the past tense, with its numbers. Titles word them (``say``).

    ``is_turning_point``: those who only follow the game are told of it.
    """

    is_turning_point: ClassVar[bool] = False


class Rule(Record, frozen=True):
    """Where a rule stands in a rulebook: "§7.11.2" where its sections have numbers, else the heading."""

    book: str
    section: str

    def __str__(self) -> str:
        return f"{self.book}{' ' if self.section.startswith('§') else ', '}{self.section}"
