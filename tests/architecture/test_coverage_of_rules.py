"""Every paragraph of the rules has a test that names it, and words of our own for players."""

import ast
import re
from functools import cache

import pytest

from engine.printed import read_rules
from tests.architecture.paragraphs import DIFFERENCES_1862, G1860, G1862, SITUATIONS
from tests.architecture.sources import files, functions, tree

SECTION = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})(?:-(?:\1\.)?(\d{1,2}))?(?![\d.]*\d)")
SITUATION = re.compile(r"\b(?:6[02]-\d{1,2}b?|SD-\d{1,2})\b")
DIFFERENCE = re.compile(r"[Dd]ifferences ((?:\d+(?:, | and )?)+)")
NAME = re.compile(r"test_((?:\d{1,2}_\d{1,2}_)+)")
BOOKS = pytest.mark.parametrize(("title", "sections"), [("g1860", G1860), ("g1862", G1862)])


@cache
def claims(title: str) -> tuple[str, ...]:
    """Return what the tests of a title say they test; a name as "test_9_1_9_3_…" says "9.1 9.3" first."""
    found = []
    for path in files(f"tests/engine/titles/{title}"):
        if path.name.startswith("test_"):
            found += [_claim(node) for node in functions(path) if node.name.startswith("test_")]
    return tuple(found)


def _claim(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    numbers = NAME.match(node.name)
    pairs = re.findall(r"(\d+)_(\d+)", numbers[1]) if numbers else []
    return " ".join([*(f"{chapter}.{number}" for chapter, number in pairs), "·", ast.get_docstring(node) or ""])


def named(title: str) -> set[str]:
    """Return the sections that tests name; "6.13-6.16" names all between."""
    sections = set()
    for text in claims(title):
        for chapter, first, last in SECTION.findall(text):
            sections |= {f"{chapter}.{number}" for number in range(int(first), int(last or first) + 1)}
    return sections


@BOOKS
def test_each_paragraph_has_a_test(title: str, sections: list[str]) -> None:
    found = named(title)
    assert [section for section in sections if section not in found] == []


@pytest.mark.parametrize("title", SITUATIONS)
def test_each_disputed_situation_has_a_test(title: str) -> None:
    found = {situation for text in claims(title) for situation in SITUATION.findall(text)}
    assert [situation for situation in SITUATIONS[title] if situation not in found] == []


def test_each_difference_of_18xx_games_has_a_test() -> None:
    lists = [numbers for text in claims("g1862") for numbers in DIFFERENCE.findall(text)]
    found = {int(number) for numbers in lists for number in re.findall(r"\d+", numbers)}
    assert [number for number in DIFFERENCES_1862 if number not in found] == []


@BOOKS
def test_each_paragraph_is_told_in_our_own_words(title: str, sections: list[str]) -> None:
    paragraphs = read_rules(f"engine.titles.{title}")
    told = {section: text for section, _, text in paragraphs}
    assert len(told) == len(paragraphs), "each once"
    assert [section for section in sections if section not in told] == []
    for section, text in told.items():
        assert text.endswith("."), section
        assert len(text) <= 600, section


def test_test_modules_say_what_they_test() -> None:
    for path in files("tests"):
        if path.name.startswith("test_"):
            assert ast.get_docstring(tree(path)), path
