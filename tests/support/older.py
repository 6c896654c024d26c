"""Stores as earlier releases wrote them: three seeded games and an open table each."""

import contextlib
import sqlite3
from pathlib import Path

RELEASES = {"0.1": "0002", "0.2": "0014"}
"""The form that each release's store has."""
_FOLDER = Path(__file__).parents[1] / "bot" / "older_stores"


def write_older_store(release: str, path: Path) -> Path:
    """Write the store of a release to a path; return that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.executescript((_FOLDER / f"{release}.sql").read_text())
    return path


def form_and_rows(path: Path) -> tuple[str, dict[str, list[tuple[object, ...]]]]:
    """Return the form of a store, and all rows of its tables but those of the moment."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        names = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(file.execute(f'SELECT * FROM "{name}"')) for name in names}  # noqa: S608  # names of ours
    ((form,),) = rows.pop("alembic_version")
    rows.pop("lease", None)
    return str(form), rows
