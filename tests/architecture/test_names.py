"""Names and docstrings: functions are verbs, limits start with MAX_ or MIN_, docstrings are plain.

What was written before the rule is counted room by room; the numbers only fall.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, files, functions, name, nodes

PARTICIPLES = {
    *("asked", "begun", "bought", "brought", "built", "chosen", "drawn", "driven", "fallen", "found", "given"),
    *("gone", "grown", "held", "hidden", "kept", "known", "laid", "left", "lent", "lost", "made"),
    *("meant", "met", "paid", "said", "seen", "sent", "shown", "sold", "spent", "spoken", "stood"),
    *("taken", "taught", "thought", "thrown", "told", "won", "worn", "written"),
}
"""The irregular ones that are no verbs; those in -ed are found by their ending."""
VERBS_IN_ED = {"embed", "exceed", "feed", "need", "proceed", "seed", "shed", "speed", "succeed"}
FIELD_LIKE = ("property", "cached_property", "pytest.fixture")
"""Decorators of what is read like a field, which may have a participle as its name."""
OLD_LIMITS = {"MOST", "LEAST", "LONGEST", "FEWEST", "SHORTEST", "PATIENCE"}


def room_of(path: Path) -> str:
    """Return the folder whose names are counted together."""
    parts = Path(name(path)).parts[:-1]
    return "/".join(parts[: 3 if parts[:2] == ("engine", "titles") else 2])


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each text that stands alone, with its line."""
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def is_participle(called: str) -> bool:
    """Return whether the name of a function starts with a participle, which hides whether the function writes."""
    first = called.strip("_").split("_")[0]
    return first in PARTICIPLES or (first.endswith("ed") and first not in VERBS_IN_ED)


def find_participles(path: Path) -> Iterator[str]:
    """Yield functions named by a participle."""
    for function in functions(path):
        is_field = any(ast.unparse(each).startswith(FIELD_LIKE) for each in function.decorator_list)
        if is_participle(function.name) and not is_field:
            yield f"{name(path)}:{function.lineno} {function.name}"


def find_old_limits(path: Path) -> Iterator[str]:
    """Yield constants that should start with MAX_ or MIN_, or be called TIMEOUT."""
    for node in nodes(path):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and OLD_LIMITS & set(node.id.split("_")):
            yield f"{name(path)}:{node.lineno} {node.id}"


def find_somebody(path: Path) -> Iterator[str]:
    """Yield docstrings with somebody, nobody or everybody."""
    for line, text in docstrings(path):
        if any(word in text.lower() for word in ("somebody", "nobody", "everybody")):
            yield f"{name(path)}:{line} {text.splitlines()[0]}"


def find_tell_whether(path: Path) -> Iterator[str]:
    """Yield docstrings that should start with "Return whether"."""
    for line, text in docstrings(path):
        if "tell whether" in text.lower():
            yield f"{name(path)}:{line} {text.splitlines()[0]}"


LEFT: dict[Callable[[Path], Iterator[str]], dict[str, int]] = {
    find_participles: {},
    find_old_limits: {},
    find_somebody: {"bot/service": 5, "bot/store": 3},
    find_tell_whether: {},
}
"""How many each room still has; a room that is not here has none. Lower a number as soon as it falls."""


@pytest.mark.parametrize("find", LEFT, ids=lambda find: find.__name__)
def test_no_room_gets_more_names_of_the_old_kind(find: Callable[[Path], Iterator[str]]) -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for path in files(*PACKAGES, "tests"):
        if path != Path(__file__):
            found[room_of(path)] += find(path)
    too_many = {room: each for room, each in found.items() if len(each) > LEFT[find].get(room, 0)}
    assert too_many == {}


def test_finders_find_what_they_are_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.architecture.sources.ROOT", tmp_path)
    path = tmp_path / "sample.py"
    path.write_text(
        'MOST_LINES = 3\nMAX_LINES = 3\n\ndef told():\n    """Tell whether nobody came."""\n\ndef embed():\n    pass\n'
        "\ndef _started_at():\n    pass\n\nclass A:\n    @property\n    def closed(self):\n        pass\n"
    )
    assert list(find_participles(path)) == ["sample.py:4 told", "sample.py:10 _started_at"]
    assert list(find_old_limits(path)) == ["sample.py:1 MOST_LINES"]
    assert list(find_somebody(path)) == list(find_tell_whether(path)) == ["sample.py:5 Tell whether nobody came."]
