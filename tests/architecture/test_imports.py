"""Who may import whom, beyond what import-linter is told, and what no one may touch."""

import re
import sys

import engine
from tests.architecture.sources import ROOT, files, imports, name

CHANCE = {"random", "secrets", "time", "datetime", "os", "socket", "asyncio", "threading", "uuid", "pickle"}


def test_the_engine_is_pure() -> None:
    """No clock, no chance but its own, no files of the system, no network; msgspec beside the standard library."""
    for path in files("engine"):
        tops = {module.partition(".")[0] for module, _ in imports(path)}
        assert not tops & CHANCE, name(path)
        assert tops <= {"engine", "msgspec", *sys.stdlib_module_names}, name(path)


def test_render_and_bot_see_the_public_face_of_the_engine_only() -> None:
    """Views and hexes for pictures; the package's own names, log, codec, interop for the bot; no title's inside."""
    hidden = re.compile(r"engine\.(titles|rails|finance)\b(?!\.hexes)")
    for path in files("render", "bot"):
        assert not [module for module, _ in imports(path) if hidden.match(module)], name(path)


def test_render_imports_little_of_the_engine() -> None:
    allowed = {"engine", "engine.record", "engine.record.Record", *(f"engine.{each}" for each in engine.__all__)}
    for path in files("render"):
        used = {module for module, _ in imports(path) if module.partition(".")[0] == "engine"}
        assert {module for module in used if not module.startswith(("engine.view", "engine.hex_view"))} <= allowed, (
            name(path)
        )
        assert not [module for module, _ in imports(path) if module.partition(".")[0] == "bot"], name(path)


def test_pillow_stays_where_it_is_painted() -> None:
    for path in files("render", "bot", "engine"):
        if not name(path).startswith(("render/pixels/", "render/fonts.py")):
            assert not [module for module, _ in imports(path) if module.partition(".")[0] == "PIL"], name(path)


def test_titles_are_named_by_the_shelf_alone() -> None:
    """Outside its folder a title is known by the shelf and by what reads other sites' logs only."""
    for path in files():
        if not name(path).startswith(("engine/titles/", "engine/interop/", "engine/game.py")):
            assert not [module for module, _ in imports(path) if re.match(r"engine\.titles\.\w", module)], name(path)


def test_the_public_face_is_small() -> None:
    assert len(engine.__all__) <= 25
    assert all(hasattr(engine, each) for each in engine.__all__)


def test_no_path_of_a_machine() -> None:
    """The project stands wherever it is put, and reads nothing beside itself."""
    for path in files("bot", "engine", "render", "tests"):
        text = path.read_text(encoding="utf-8")
        assert "/" + "work/" not in text, name(path)
        assert not re.search(r"/home" + r"/\w+/", text), name(path)
    for path in files():
        assert "../" + "shared" not in path.read_text(encoding="utf-8"), name(path)
    assert ROOT.joinpath("pyproject.toml").exists()
