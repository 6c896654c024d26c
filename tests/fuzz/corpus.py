"""Cases that were found once: a file each, named after its reader and what was wrong, read again by every run.

A file is JSON, packed if it is long. Bytes stand in it as text of their own numbers, a command by its name.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.model.records import Person
from tests.fuzz.house import Given, Press
from tests.fuzz.readers import groups

FOLDER = Path(__file__).parent / "corpus"
MAX_PLAIN_CHARACTERS = 2000
"""Longer cases are packed."""


def find_cases() -> Iterator[tuple[str, Path]]:
    """Yield the name of the reader and the file of each case."""
    for path in sorted(FOLDER.iterdir()):
        yield path.name.partition("--")[0].replace("-", " "), path


def read_case(path: Path) -> Any:  # noqa: ANN401  # each reader has its own
    """Return what is to be read."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return _decode(json.loads(data))


def write_case(folder: Path, reader: str, what: str, case: object) -> Path:
    """Write a case; return its file."""
    text = json.dumps(_encode(case), indent=1)
    is_long = len(text) > MAX_PLAIN_CHARACTERS
    path = folder / f"{reader.replace(' ', '-')}--{what}.json{'.gz' * is_long}"
    folder.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0) if is_long else f"{text}\n".encode())
    return path


def _encode(case: object) -> object:
    if isinstance(case, bytes):
        return {"bytes": case.decode("latin-1")}
    if isinstance(case, Given):
        values = {name: _encode(value) for name, value in case.values.items()}
        return {
            "command": [case.group.name, case.command.name],
            "values": values,
            "user": _encode(case.user),
            "here": case.here,
            "hot": case.hot_seat,
        }
    if isinstance(case, Press):
        return {"press": case.text, "data": case.data, "user": _encode(case.user), "clicked": case.clicked}
    if isinstance(case, Person):
        return {"person": [case.id, case.name]}
    if isinstance(case, tuple):
        return {"tuple": [_encode(each) for each in case]}
    return case


def _decode(case: Any) -> Any:  # noqa: ANN401
    if not isinstance(case, dict):
        return case
    if "bytes" in case:
        return case["bytes"].encode("latin-1")
    if "press" in case:
        return Press(case["press"], case["data"], _decode(case["user"]), case["clicked"])
    if "person" in case:
        return Person(*case["person"])
    if "tuple" in case:
        return tuple(_decode(each) for each in case["tuple"])
    if "command" in case:
        group = next(each for each in groups() if each.name == case["command"][0])
        command = next(each for each in group.commands if each.name == case["command"][1])
        values = {name: _decode(value) for name, value in case["values"].items()}
        return Given(group, command, values, _decode(case["user"]), case["here"], case["hot"])
    return case
