"""Who holds what, in words and as entries: control, the parts of a company."""

from engine.finance.holdings import (
    MAX_CONTROL_CHARACTERS,
    describe_control,
    list_shareholders,
    make_heads,
    make_holding_entry,
    make_owner_row,
    make_place_entry,
    make_place_row,
    name_director,
)
from engine.printed import Units
from engine.title import Request
from engine.view import Entry, Holding
from tests.engine.finance.records import Company

POUNDS = Units("£", 10)


def make_company(code: str, shares: tuple[int, ...], director: int) -> Company:
    """Return a company as it is held."""
    return Company(code, [*shares], director=director)


def test_holdings_of_a_player_list_directed_companies_first() -> None:
    companies = (
        make_company("AB", (2, 5, 0), 1),
        make_company("CD", (4, 1, 3), 0),
        make_company("EF", (0, 5, 0), 1),
        make_company("GH", (2, 0, 0), 0),
        make_company("IJ", (1, 1, 0), -1),
    )
    assert describe_control(POUNDS, companies, 0) == (
        "CD 40% (director, next {2} 30%); GH 20% (director); AB 20%; IJ 10% (no director)"
    )
    assert describe_control(POUNDS, companies[2:3], 0) == ""


def test_of_equal_rivals_the_first_seat_is_reported() -> None:
    assert describe_control(POUNDS, (make_company("AB", (4, 2, 2), 0),), 0) == "AB 40% (director, next {1} 20%)"


def test_a_line_of_control_ends_with_how_many_more_there_are() -> None:
    line = describe_control(POUNDS, [make_company(f"C{number:02}", (1, 3), 1) for number in range(40)], 0)
    told, more = line.rsplit("; and ", 1)
    assert len(line) <= MAX_CONTROL_CHARACTERS
    assert int(more.removesuffix(" more")) + told.count("; ") + 1 == 40
    full = describe_control(POUNDS, [make_company("A", (1, 3), 1), make_company("B", (1, 3), 1)], 0)
    for over in (0, 1):
        long = make_company("A" * (1 + 260 + over - len(full)), (1, 3), 1)
        assert describe_control(POUNDS, [long, make_company("B", (1, 3), 1)], 0) == (
            "and 2 more" if over else full.replace("A", long.code)
        )


def test_a_part_is_shown_in_percent_with_a_star_for_the_director() -> None:
    fifths, company = Units("$", 20), make_company("AB", (2, 1, 0), 0)
    assert [make_holding_entry(fifths, company, seat) for seat in range(3)] == [
        Entry("40*", tone="strong"),
        Entry("20"),
        Entry(""),
    ]
    places = ((2, True), (1, False), (0, True))
    assert [make_place_entry(fifths, count, starred=starred) for count, starred in places] == [
        Entry("40*"), Entry("20"), Entry(""),
    ]  # fmt: skip


def test_shareholders_are_listed_director_first_then_by_size_then_by_place() -> None:
    company = make_company("AB", (2, 3, 0, 3), 1)
    request = Request(names=("Ann", "Bob", "Cy", "Dee"))
    assert list_shareholders(POUNDS, company, request, (("IPO", 2), ("Pool", 0))) == (
        Holding("Bob", 30, "director"), Holding("Dee", 30), Holding("Ann", 20), Holding("IPO", 20),
    )  # fmt: skip


def test_a_row_of_holdings_is_as_long_as_its_header() -> None:
    """Name and cash, then each company in the order of the heads; what more a title shows stands behind."""
    companies = (make_company("AB", (2, 1), 0), make_company("CD", (0, 3), 1))
    assert make_heads(companies, "Worth") == (
        Entry("Player"), Entry("Cash"), Entry(chip="AB"), Entry(chip="CD"), Entry("Worth"),
    )  # fmt: skip
    assert make_owner_row(POUNDS, companies, 1, "Ben", 40) == (
        Entry("Ben"), Entry("£40"), Entry("10"), Entry("30*", tone="strong"),
    )  # fmt: skip
    lying = [make_place_entry(POUNDS, count) for count in (3, 0)]
    assert make_place_row("IPO", lying) == (Entry("IPO", tone="dim"), Entry(""), Entry("30"), Entry(""))
    assert make_place_row("Bank", lying, "£9")[1] == Entry("£9")


def test_a_director_is_named_and_a_missing_one_is_reported() -> None:
    request = Request(names=("Ann", "Ben"))
    assert name_director(make_company("AB", (2, 1), 0), request, "nobody") == "Ann"
    assert [name_director(make_company("AB", (0, 0), -1), request, *word) for word in ((), ("nobody",))] == [
        "",
        "nobody",
    ]
