"""Every paragraph of the rules has a test that names it, and words of our own for players."""

import ast
import re
from functools import cache
from typing import Any

import pytest

from engine.title import Title
from engine.titles import g1860, g1862, steel_driver
from tests.architecture.paragraphs import BOOKS, DIFFERENCES_1862, SITUATIONS
from tests.architecture.sources import files, functions, tree

SECTION = re.compile(r"§(\d+(?:\.\d+)+)")
SITUATION = re.compile(r"\b(?:6[02]-\d{1,2}b?|SD-\d{1,2})\b")
DIFFERENCE = re.compile(r"[Dd]ifferences ((?:\d+(?:, | and )?)+)")
TITLES: dict[str, Title[Any]] = {"g1860": g1860.TITLE, "g1862": g1862.TITLE, "steel_driver": steel_driver.TITLE}


@cache
def claims(title: str) -> tuple[str, ...]:
    """Return what the tests of a title say they test: their names and docstrings."""
    found = []
    for path in files(f"tests/engine/titles/{title}"):
        if path.name.startswith("test_"):
            tests = [node for node in functions(path) if node.name.startswith("test_")]
            found += [f"{node.name}\n{ast.get_docstring(node) or ''}" for node in tests]
    return tuple(found)


def test_each_section_of_1862_has_a_test() -> None:
    """A test names a section in its docstring, as "§7.1", or in its name, as "test_7_1_…"."""
    found = {section for text in claims("g1862") for section in SECTION.findall(text)}
    names = [text.partition("\n")[0] for text in claims("g1862")]
    sections = {section.removeprefix("§") for section, _, _ in g1862.TITLE.words.rules({})}
    missing = [
        section
        for section in sorted(sections - found)
        if not any(re.match(rf"test_{section.replace('.', '_')}_(?!\d+_)", test) for test in names)
    ]
    assert missing == []


@pytest.mark.parametrize("title", ["g1860", "steel_driver"])
def test_each_topic_has_a_test(title: str) -> None:
    """The docstring of a test begins with the topics of the rules it is about: "Train limit; Phases and rust: …"."""
    docstrings = [text.partition("\n")[2] for text in claims(title)]
    topics = [topic for _, topic, _ in TITLES[title].words.rules({})]
    missing = [
        topic
        for topic in topics
        if not any(re.match(rf"(?:[^:\n]+; )*{re.escape(topic)}(?:[:;,.]|$)", text) for text in docstrings)
    ]
    assert missing == []


@pytest.mark.parametrize("title", SITUATIONS)
def test_each_disputed_situation_has_a_test(title: str) -> None:
    found = {situation for text in claims(title) for situation in SITUATION.findall(text)}
    assert [situation for situation in SITUATIONS[title] if situation not in found] == []


def test_each_difference_of_18xx_games_has_a_test() -> None:
    lists = [numbers for text in claims("g1862") for numbers in DIFFERENCE.findall(text)]
    found = {int(number) for numbers in lists for number in re.findall(r"\d+", numbers)}
    assert [number for number in DIFFERENCES_1862 if number not in found] == []


@pytest.mark.parametrize("title", TITLES)
def test_rules_in_our_own_words_stand_under_the_sections_of_the_book(title: str) -> None:
    name = TITLES[title].short_name
    paragraphs = TITLES[title].words.rules({})
    topics = [topic for _, topic, _ in paragraphs]
    assert sorted(topics) == sorted(set(topics)), "a topic names one paragraph"
    for section, topic, text in paragraphs:
        heading, _, edition = section.partition(" (")
        assert heading in BOOKS[f"{name} ({edition}" if edition else name], section
        assert text.endswith("."), topic
        assert len(text) <= 600, topic


def test_test_modules_say_what_they_test() -> None:
    for path in files("tests"):
        if path.name.startswith("test_"):
            assert ast.get_docstring(tree(path)), path
