"""Every paragraph of the rules has a test that names it in its docstring, and words of our own for players."""

import ast
import re

from engine.help import read_help
from tests.architecture.paragraphs import G1860, SITUATIONS
from tests.architecture.sources import files, functions, tree

SECTION = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})(?:-(?:\1\.)?(\d{1,2}))?(?![\d.]*\d)")
SITUATION = re.compile(r"60-\d{1,2}\b")


def docstrings() -> list[str]:
    """Return the docstrings of the tests of 1860, and of their modules."""
    found = []
    for path in files("tests/engine/titles/g1860"):
        if path.name.startswith("test_"):
            found += [ast.get_docstring(node) or "" for node in functions(path) if node.name.startswith("test_")]
    return found


def named() -> set[str]:
    """Return the sections that tests name; "6.13-6.16" names all between."""
    sections = set()
    for text in docstrings():
        for chapter, first, last in SECTION.findall(text):
            sections |= {f"{chapter}.{number}" for number in range(int(first), int(last or first) + 1)}
    return sections


NAMED = named()


def test_each_paragraph_of_1860_has_a_test():
    assert [section for section in G1860 if section not in NAMED] == []


def test_each_disputed_situation_has_a_test():
    found = {situation for text in docstrings() for situation in SITUATION.findall(text)}
    assert [situation for situation in SITUATIONS if situation not in found] == []


def test_each_paragraph_is_told_in_our_own_words():
    told = {section: text for section, _, text in read_help("engine.titles.g1860")}
    assert len(told) == len(read_help("engine.titles.g1860")), "each once"
    assert [section for section in G1860 if section not in told] == []
    for section, text in told.items():
        assert text.endswith("."), section
        assert len(text) <= 600, section


def test_test_modules_say_what_they_test():
    for path in files("tests"):
        if path.name.startswith("test_"):
            assert ast.get_docstring(tree(path)), path
