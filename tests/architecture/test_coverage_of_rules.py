"""Every paragraph of the rules has a test that names it, and words of our own for players."""

import ast
import re
from functools import cache
from typing import Any

import pytest

from engine.title import Title
from engine.titles import g1860, g1862, steel_driver
from engine.titles.g1860 import rulebook as book_1860
from engine.titles.g1862 import rulebook as book_1862
from tests.architecture.paragraphs import BOOKS, DIFFERENCES_1862, SITUATIONS
from tests.architecture.sources import files, functions, tree

SECTION = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})(?:-(?:\1\.)?(\d{1,2}))?(?![\d.]*\d)")
SITUATION = re.compile(r"\b(?:6[02]-\d{1,2}b?|SD-\d{1,2})\b")
DIFFERENCE = re.compile(r"[Dd]ifferences ((?:\d+(?:, | and )?)+)")
NAME = re.compile(r"test_((?:\d{1,2}_\d{1,2}_)+)")
KEYS = {"g1860": [*book_1860._HEADINGS], "g1862": [*book_1862._SECTIONS]}


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


@pytest.mark.parametrize("title", KEYS)
def test_each_paragraph_has_a_test(title: str) -> None:
    found = named(title)
    assert [section for section in KEYS[title] if "." in section and section not in found] == []


@pytest.mark.parametrize("title", SITUATIONS)
def test_each_disputed_situation_has_a_test(title: str) -> None:
    found = {situation for text in claims(title) for situation in SITUATION.findall(text)}
    assert [situation for situation in SITUATIONS[title] if situation not in found] == []


def test_each_difference_of_18xx_games_has_a_test() -> None:
    lists = [numbers for text in claims("g1862") for numbers in DIFFERENCE.findall(text)]
    found = {int(number) for numbers in lists for number in re.findall(r"\d+", numbers)}
    assert [number for number in DIFFERENCES_1862 if number not in found] == []


@pytest.mark.parametrize("title", [g1860.TITLE, g1862.TITLE, steel_driver.TITLE], ids=lambda title: title.id)
def test_rules_in_our_own_words_stand_under_the_sections_of_the_book(title: Title[Any]) -> None:
    paragraphs = title.words.rules({})
    topics = [topic for _, topic, _ in paragraphs]
    assert sorted(topics) == sorted(set(topics)), "a topic names one paragraph"
    for section, topic, text in paragraphs:
        heading, _, edition = section.partition(" (")
        assert heading in BOOKS[f"{title.short_name} ({edition}" if edition else title.short_name], section
        assert text.endswith("."), topic
        assert len(text) <= 600, topic


def test_test_modules_say_what_they_test() -> None:
    for path in files("tests"):
        if path.name.startswith("test_"):
            assert ast.get_docstring(tree(path)), path
