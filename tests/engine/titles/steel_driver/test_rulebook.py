"""Our words for the rules: complete, cited by refusals, and each paragraph tested."""

import ast
import re
from importlib.resources import files
from pathlib import Path

from engine.setup import OwnFile
from engine.titles.steel_driver import TITLE

HERE = Path(__file__).parent


def test_every_paragraph_has_a_test() -> None:
    """The docstring of a test begins with the topics of the paragraphs it shows."""
    shown: set[str] = set()
    for file in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                shown.update(re.split(r"[:.] |[.]\n", ast.get_docstring(node) or "", maxsplit=1)[0].split("; "))
    assert {topic for _, topic, _ in TITLE.words.rules({})} - shown == set()


def test_every_vector_is_named() -> None:
    """A1 to W2, each in the name or the parameters of a test."""
    text = "".join(file.read_text("utf-8") for file in HERE.glob("test_*.py"))
    wanted = {f"{letter}{n}" for letter, most in (("A", 6), ("B", 8), ("T", 6), ("F", 4), ("S", 8), ("G", 2), ("W", 2))
              for n in range(1, most + 1)} | {"C1", "P1"}  # fmt: skip
    assert {vector for vector in wanted if not re.search(rf"(?:_|\"){vector}(?:_|\")", text)} == set()


def test_the_rules_name_the_places_of_the_board_in_play() -> None:
    """The transcontinental link: the ends of the line are those of the group's own board."""
    own = files("engine.titles.steel_driver").joinpath("data/board.toml").read_text("utf-8")
    own = own.replace('name = "San Francisco"', 'name = "Lisbon"').replace('name = "New York"', 'name = "Riga"')
    line = {topic: text for _, topic, text in TITLE.words.rules({"board": OwnFile("europe.toml", own).value})}[
        "The transcontinental link"
    ]
    assert line.startswith("When Lisbon and Riga are first joined")
    shipped = {topic: text for _, topic, text in TITLE.words.rules({})}["The transcontinental link"]
    assert shipped.startswith("When San Francisco and New York are first joined")
