"""What is printed on the components of a title, read from its data files."""

from importlib.resources import files
from typing import TypeVar

import msgspec

T = TypeVar("T")


def read(package: str, name: str, kind: type[T], *, strict: bool = True) -> T:
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
