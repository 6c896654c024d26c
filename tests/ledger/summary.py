"""The page that counts the rows of the ledger: ``docs/ledger.md``."""

from collections import Counter
from collections.abc import Iterable

from tests.architecture.sources import ROOT
from tests.ledger.rows import HELD, KINDS, LIBRARY, UNTESTABLE, Row, read_rows

PAGE = ROOT / "docs" / "ledger.md"
HEAD = """# The ledger of sentences

Every sentence of the printed rulebooks has a row in `tests/ledger/`: its section, its number there, a hash of its
words (never the words themselves), its kind, and what covers it. A rule or an example is covered by a test that cites
its section and fails if the program breaks the rule, by a row of [situations.md](situations.md), or by the reason why
no test is possible. If the books are at hand, a test splits them into sentences and fails if one has no row.
`python -m tests.ledger` lists what is missing and writes this page.

Sentences that both editions of 1860 share are counted with the second edition.
"""


def _count_held(rows: Iterable[Row]) -> tuple[int, int, int]:
    """Return how many rules and examples have a test, a reading alone, and neither."""
    held = [row for row in rows if row.kind in HELD]
    untestable = sum(row.held_by.startswith(UNTESTABLE) for row in held)
    tested = sum(bool(row.tests) for row in held)
    return tested, len(held) - tested - untestable, untestable


def write_page() -> str:
    """Return the page: rows by book and kind, what holds the rules, and how many tests do."""
    kinds = list(KINDS)
    lines = [HEAD, f"| book | {' | '.join(kinds)} | all |", "|---" * (len(kinds) + 2) + "|"]
    for book in LIBRARY:
        rows = read_rows(book.name)
        counts = Counter(row.kind for row in rows)
        lines.append(f"| {book.name} | {' | '.join(str(counts[kind]) for kind in kinds)} | {len(rows)} |")
    lines += ["", "Of the rules and examples:", ""]
    lines += [
        "| book | covered by tests | by a reading alone | not testable | tests |",
        "|---|---|---|---|---|",
    ]
    for book in LIBRARY:
        rows = read_rows(book.name)
        named = len({test for row in rows for test in row.tests})
        lines.append(f"| {book.name} | {' | '.join(map(str, _count_held(rows)))} | {named} |")
    lines += ["", "The kinds:", "", *(f"- **{kind}**: {meaning}" for kind, meaning in KINDS.items())]
    return "\n".join(lines) + "\n"
