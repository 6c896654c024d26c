"""List the sentences without a row, with their words, and write the page of counts: ``python -m tests.ledger``."""

from tests.ledger.cutting import cut
from tests.ledger.rows import LIBRARY, match_rows
from tests.ledger.summary import PAGE, write_page
from tests.support.beside import SHARED

if (SHARED / "rulebooks").is_dir():
    for book in LIBRARY:
        matched = match_rows(book.name, cut(book, SHARED / "rulebooks"))
        for sentence, row in matched.items():
            if row is None:
                print(book.name, *sentence, sep="\t")  # noqa: T201
PAGE.write_text(write_page(), encoding="utf-8")
