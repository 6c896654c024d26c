"""What may know what: scenes are plain values, two modules know Pillow."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from engine import view
from render import cache, theme

MODULES = sorted(theme.FOLDER.parent.glob("*.py"))


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_only_painting_modules_import_pillow(path: Path) -> None:
    """So scenes can be made and tested without pixels."""
    if path.stem not in ("paint", "shapes", "letters", "fonts"):
        assert not any(name.split(".")[0] == "PIL" for name in imports(path))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_pictures_see_views_and_records_only(path: Path) -> None:
    """Nothing of a title, of a game or of Discord reaches a picture."""
    engine = {name for name in imports(path) if name.split(".")[0] in ("engine", "bot", "discord")}
    assert engine <= {"engine.view", "engine.hex_view", "engine.record"}


def test_every_kind_of_view_has_a_builder() -> None:
    """A new kind of view is a new module here."""
    assert set(cache.BUILDERS) == set(view.View.__subclasses__())


def test_fonts_are_bundled_with_their_licences() -> None:
    """A clone draws the same letters without any font installed."""
    folder = theme.FOLDER.parent / "fonts"
    assert {"IBMPlex-OFL.txt", "DejaVu-LICENSE.txt", "NOTICE.txt"} <= {path.name for path in folder.iterdir()}
    assert sum(path.stat().st_size for path in folder.iterdir()) < 6_000_000


def test_drawing_does_not_depend_on_the_order_of_hashes() -> None:
    """Two processes with different hash seeds paint the same bytes."""
    code = (
        "import hashlib, sys; from tests.render.samples import small_board, small_network; from render import png;"
        "sys.stdout.write(hashlib.sha256(png(small_board()) + png(small_network())).hexdigest())"
    )
    root = theme.FOLDER.parents[1]
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=root, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
