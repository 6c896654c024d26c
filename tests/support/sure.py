"""What a test is sure of, said so that the type checker believes it and a mistake fails there."""

from typing import TypeVar

import msgspec

T = TypeVar("T")


def sure(value: T | None) -> T:
    """Return what is there."""
    assert value is not None
    return value


def as_a(kind: type[T], value: object) -> T:
    """Return a value that is of a kind: ``as_a(MapView, picture)``."""
    assert isinstance(value, kind), value
    return value


def list_said(record: msgspec.Struct) -> dict[str, object]:
    """Return the fields of a record that say something: neither 0, ``False`` nor empty."""
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    return {name: value for name, value in fields.items() if value}
