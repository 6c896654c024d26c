"""The rows of the ledger: what each sentence of a book is, and what holds it.

A row of ``<book>.tsv`` has five columns: the section or heading, the number of the sentence there, the hash of its
words, its kind, and what holds it. A rule or an example is held by tests as ``test_mergers.test_7_5_3_the_new_price``
(a module of the title's tests and a function), by a row of ``docs/situations.md`` as ``62-30`` or by both, separated by
commas, or by ``not testable: `` and a reason. If the columns of the print carry a sentence under a neighbour's heading,
its own stands first: ``under Buying Trains: test_trains.…``. The second edition's file has what both of 1860 have.
"""

import ast
import csv
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine import TITLES
from tests.architecture.paragraphs import BOOKS
from tests.architecture.sources import ROOT, functions
from tests.architecture.test_documents import rows
from tests.ledger.cutting import Book, Sentence

FOLDER = Path(__file__).parent
HELD = {"rule", "example"}
KINDS = {
    "rule": "what players or companies must, may or may not do, or what follows",
    "example": "a worked example",
    "component": "what lies on the table, and who puts it there",
    "advice": "advice, comments and courtesies",
    "history": "historical notes and thanks",
    "reference": "a pointer to another section, or a definition of a name",
    "heading": "words in a picture, a table or a list that mean nothing on their own",
}
"""What a sentence can be; the first two must be held."""
UNTESTABLE = "not testable: "
HISTORY = frozenset({"Introduction", "Historical Note", "Acknowledgements", "Bibliography"})
LIBRARY = (
    Book("1862", "004", None, frozenset({"1.0", "12.0"})),
    Book("1860", "000", frozenset(BOOKS["1860"]), HISTORY),
    Book("1860 (first edition)", "002", frozenset(BOOKS["1860 (first edition)"]), HISTORY),
    Book("Steel Driver", "003", frozenset(BOOKS["Steel Driver"]), frozenset()),
)
"""The books in the order in which they were read; sections of history need no rows."""
NAMES = {"1862": "g1862", "1860": "g1860", "1860 (first edition)": "g1860", "Steel Driver": "steel_driver"}
"""The folder of the title of each book."""


class Row(NamedTuple):
    """What we say of a sentence."""

    section: str
    number: int
    hash: str
    kind: str
    held_by: str

    @property
    def tests(self) -> list[str]:
        """The tests that hold it, as ``test_module.test_function``."""
        return [] if self.held_by.startswith(UNTESTABLE) else re.findall(r"\btest_\w+\.test_\w+", self.held_by)

    @property
    def readings(self) -> list[str]:
        """The rows of ``docs/situations.md`` that hold it."""
        return (
            [] if self.held_by.startswith(UNTESTABLE) else re.findall(r"\b(?:6[02]-\d+b?|SD-\d+|AMB \d+)", self.held_by)
        )


def find_path(book: str) -> Path:
    """Return the file of the rows of a book."""
    return FOLDER / f"{book.lower().replace(' ', '_').translate({ord('('): '', ord(')'): ''})}.tsv"


@cache
def read_rows(book: str) -> tuple[Row, ...]:
    """Return the rows of a book's own file."""
    if not find_path(book).exists():
        return ()
    with find_path(book).open(encoding="utf-8", newline="") as lines:
        table = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(Row(section, int(number), *rest) for section, number, *rest in table)


def write_rows(book: str, rows: Iterable[Row]) -> None:
    """Write the rows of a book's own file."""
    lines = ["\t".join(map(str, row)) for row in rows]
    find_path(book).write_text("\n".join(lines) + "\n", encoding="utf-8")


def match_rows(book: str, sentences: Iterable[Sentence]) -> dict[Sentence, Row | None]:
    """Return the row of each sentence: its own by place and hash, or one of the same words in another edition."""
    own = {(row.section, row.number, row.hash): row for row in read_rows(book)}
    other = {row.hash: row for row in read_rows(book.partition(" (")[0]) if "(" in book}
    return {each: own.get((each.section, each.number, each.hash)) or other.get(each.hash) for each in sentences}


@cache
def _list_docstrings(title: str) -> dict[str, str]:
    found = {}
    for path in (ROOT / "tests" / "engine" / "titles" / title).glob("test_*.py"):
        for node in functions(path):
            found[f"{path.stem}.{node.name}"] = ast.get_docstring(node) or ""
    return found


@cache
def list_situations(title: str) -> frozenset[str]:
    """Return the numbers of the disputed situations of a title."""
    return frozenset(rows("situations.md")[title])


@cache
def _list_topics(title: str) -> dict[str, set[str]]:
    """Return the topics of the rules in our own words under each heading."""
    found: dict[str, set[str]] = {}
    for section, topic, _ in TITLES[title.removeprefix("g")].words.rules({}):
        found.setdefault(section.partition(" (")[0], set()).add(topic)
    return found


def find_heading(row: Row) -> str:
    """Return the section that the tests of a row must cite: its own, or the one that it is printed under."""
    under = re.match(r"under ([^:]+(?:: [A-Z][^:]+)?): (?=test_|6[02]-)", row.held_by)
    return under[1] if under else row.section


def find_fault(book: str, row: Row) -> str:
    """Return what is wrong with a row, or nothing."""
    if row.kind not in KINDS:
        return f"{row.kind} is no kind"
    if row.held_by.startswith(UNTESTABLE) or not row.held_by:
        return "" if row.held_by.removeprefix(UNTESTABLE) or row.kind not in HELD else "nothing holds it"
    if not row.tests and not row.readings:
        return "neither a test nor a reading is named"
    there = _list_docstrings(NAMES[book])
    for test in row.tests:
        if test not in there:
            return f"there is no {test}"
        if not cites(book, find_heading(row), test):
            return f"no docstring of {test} cites {find_heading(row)}"
    there_too = list_situations(NAMES[book])
    return next((f"there is no reading {each}" for each in row.readings if each not in there_too), "")


def cites(book: str, section: str, test: str) -> bool:
    """Return whether a test says that it is about a section: in its docstring, or, of 1862, in its name."""
    text = _list_docstrings(NAMES[book])[test]
    if re.fullmatch(r"[\d.]+", section):
        in_name = rf"test_{section.replace('.', '_')}_(?!\d+_)"
        return bool(re.search(rf"§{re.escape(section)}(?!\.?\d)", text) or re.match(in_name, test.partition(".")[2]))
    first = text.partition("\n")[0]
    leads = {section} | _list_topics(NAMES[book]).get(section, set())
    return any(re.search(rf"(?:^|; ){re.escape(lead)}(?=; |: |\.?$)", first) for lead in leads)
