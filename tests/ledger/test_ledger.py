"""The ledger of sentences is complete and names what is there."""

import pytest

from tests.ledger.cutting import Book, Sentence, cut, cut_text, hash_words
from tests.ledger.rows import HELD, KINDS, LIBRARY, UNTESTABLE, Row, find_fault, match_rows, read_rows
from tests.ledger.summary import PAGE, write_page
from tests.support.beside import beside

MAX_MISSING = {"1862": 0, "1860": 0, "1860 (first edition)": 0, "Steel Driver": 0}
"""Sentences of each book that have no row yet; falls to 0."""
BY_NAME = {book.name: book for book in LIBRARY}


@pytest.mark.recorded
@pytest.mark.parametrize("name", BY_NAME)
def test_each_sentence_of_a_book_has_a_row(name: str) -> None:
    matched = match_rows(name, cut(BY_NAME[name], beside("rulebooks")))
    missing = [f"{each.section} {each.number}: {each.text[:60]}" for each, row in matched.items() if row is None]
    assert len(missing) <= MAX_MISSING[name], missing[:5]
    found = set(matched.values())
    assert [row for row in read_rows(name) if row not in found] == [], "rows whose sentence has gone or changed"


@pytest.mark.parametrize("name", BY_NAME)
def test_each_row_is_held_by_what_is_there(name: str) -> None:
    """A test that exists and cites the section, a reading, or a reason why none can be written."""
    faults = {(row.section, row.number): find_fault(name, row) for row in read_rows(name)}
    assert {place: fault for place, fault in faults.items() if fault} == {}


def test_faults_of_a_row_are_found() -> None:
    held = "test_mergers.test_7_5_3_the_new_price"
    for section, kind, held_by, fault in (
        ("7.5.3", "rule", held, ""),
        ("7.5.4", "example", held, ""),
        ("7.5.3", "rule", "62-46", ""),
        ("7.5.3", "rule", UNTESTABLE + "players choose their seats", ""),
        ("2.0", "component", "", ""),
        ("7.5", "rule", held, f"no docstring of {held} cites 7.5"),
        ("7.5.3", "rule", "test_mergers.test_gone", "there is no test_mergers.test_gone"),
        ("7.5.3", "rule", "62" + "-99", "there is no reading 62" + "-99"),
        ("7.5.3", "rule", "", "nothing holds it"),
        ("7.5.3", "rule", UNTESTABLE, "nothing holds it"),
        ("7.5.3", "rule", "a look at the code", "neither a test nor a reading is named"),
        ("7.5.3", "verse", held, "verse is no kind"),
    ):
        assert find_fault("1862", Row(section, 1, "", kind, held_by)) == fault


def test_a_topic_under_the_heading_is_cited() -> None:
    test = "test_profits.test_P1_controllers_take_the_profit_of_their_companies"
    for section, fault in (("Phase 4: Take Profits", ""), ("Object of the Game", "no docstring of")):
        assert find_fault("Steel Driver", Row(section, 1, "", "rule", test)).startswith(fault)
        assert bool(find_fault("Steel Driver", Row(section, 1, "", "rule", test))) is bool(fault)


def test_no_row_has_words_of_a_book() -> None:
    """Only places, hashes, kinds, names and reasons of ours."""
    for name in BY_NAME:
        for row in read_rows(name):
            assert len(row.hash) == 10
            assert set(row.hash) <= set("0123456789abcdef")
            assert row.kind in KINDS
            assert row.kind in HELD or not row.tests


def test_the_page_of_counts_is_up_to_date() -> None:
    """If this fails, run ``python -m tests.ledger``."""
    assert PAGE.read_text(encoding="utf-8") == write_page()


NUMBERED = Book("numbered", "", None, frozenset({"1.0"}))
HEADED = Book("headed", "", frozenset({"Stock Rounds", "Buying"}), frozenset())


def cut_words(book: Book, text: str) -> list[tuple[str, int, str]]:
    return [(each.section, each.number, each.text) for each in cut_text(book, text)]


def test_a_text_with_numbers_is_cut_at_sections_and_full_stops() -> None:
    text = "1.0 HISTORY\nLong ago.\n2.1 Trains\nA train costs £5. It may, e.g. in phase B, cost\n£4.\n"
    text += "2.1.1\tMore: It rusts.\n"
    assert cut_words(NUMBERED, text) == [
        ("2.1", 1, "A train costs £5."),
        ("2.1", 2, "It may, e.g. in phase B, cost £4."),
        ("2.1.1", 1, "It rusts."),
    ]


def test_lines_are_joined_with_their_hyphens_over_pages_and_gaps() -> None:
    text = "2.1 Trains\nA com-\npany buys one\n<|page|>\n\nof them.\n• one tile, or\n• two tiles\n\nThen it runs\n"
    assert [words for _, _, words in cut_words(NUMBERED, text)] == [
        "A company buys one of them.",
        "one tile, or",
        "two tiles",
        "Then it runs",
    ]


def test_a_text_with_headings_is_cut_at_them() -> None:
    text = "Front page\nStock rounds\nPlayers act. (In turn.)\nBuying\n1. One share. 2. “Two?” No.\n"
    assert cut_words(HEADED, text) == [
        ("Stock Rounds", 1, "Players act."),
        ("Stock Rounds", 2, "(In turn.)"),
        ("Buying", 1, "One share."),
        ("Buying", 2, "2. “Two?”"),
        ("Buying", 3, "No."),
    ]


def test_the_hash_of_a_sentence_knows_its_words_alone() -> None:
    assert hash_words("A “com pany”, of 5.") == hash_words("a company of 5")
    assert hash_words("A company of 6") != hash_words("A company of 5")
    assert Sentence("2.1", 1, hash_words("A"), "A").hash == hash_words("a")
