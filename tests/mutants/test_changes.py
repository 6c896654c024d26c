"""What counts as a small change, and that the places of changes are found again."""

import ast
from pathlib import Path

from tests.mutants.__main__ import NEAR, belongs
from tests.mutants.changes import Probed, changed, changes

SOURCE = '''
"""Words are no rule."""
from typing import Literal

MOST: Literal[3] = 3
TRIES = 400_000


def least(values: list[int], most: int | None = None, *, far: bool = False) -> int:
    assert len(values) <= MOST
    for value, _ in zip(values, values, strict=True):
        if value < 2 and not most:
            continue
        return value + 1
    raise ValueError(f"{values} has 1 fault")
'''


def test_figures_signs_and_conditions_change_and_nothing_else() -> None:
    """No word, type, default of nothing, assertion or sentence of an error."""
    found = sorted(changed(SOURCE, change)[1] for change in changes(ast.parse(SOURCE)))
    assert found == [
        "1  ->  2",
        "2  ->  3",
        "3  ->  4",
        "False  ->  True",
        "continue  ->  break",
        "not most  ->  most",
        "value + 1  ->  value - 1",
        "value < 2  ->  value <= 2",
        "value < 2 and (not most)  ->  value < 2 or not most",
    ]


def test_every_change_is_another_program_and_its_place_can_be_watched() -> None:
    tree = ast.parse(SOURCE)
    places = changes(tree)
    texts = {ast.unparse(changed(SOURCE, change)[0]) for change in places}
    assert len(texts | {ast.unparse(tree)}) == len(places) + 1
    came: set[int] = set()

    def comes_by(number: int) -> bool:
        came.add(number)
        return True

    names: dict[str, object] = {"__comes_by__": comes_by}
    probed = Probed({change.node: number for number, change in enumerate(places)}, tree).visit(tree)
    assert isinstance(probed, ast.Module)
    exec(compile(ast.fix_missing_locations(probed), "probed", "exec"), names)  # noqa: S102
    least = names["least"]
    assert callable(least)
    loaded = {number for number, change in enumerate(places) if changed(SOURCE, change)[1][:2] in ("3 ", "Fa")}
    assert came == loaded, "while the module is loaded"
    came.clear()
    assert least([1, 5]) == 6
    assert came == set(range(len(places))), "where they are used too"


def test_the_tests_near_a_room_are_there_and_every_file_has_a_room() -> None:
    assert [path for paths in NEAR.values() for path in paths if not Path(path.partition("::")[0]).exists()] == []
    assert belongs(Path("engine/game.py")) == "engine"
    assert belongs(Path("engine/rails/walk.py")) == "engine/rails"
    assert belongs(Path("bot/service/orders/chain.py")) == "bot/service/orders"
