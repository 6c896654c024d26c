"""``/rules search``: sections and headings of the books, words by their stems and meanings, the best first."""

import re

import pytest

from bot.commands.command import Call
from bot.commands.rules import MAX_FOUND, OVERVIEW, build_rules, find_section, list_paragraphs, search_rules
from bot.model.errors import BotError
from bot.service.services import Services
from engine import TITLES
from engine.interop.profile import PROFILE, SITE
from tests.architecture.paragraphs import BOOKS
from tests.bot.conftest import ANN
from tests.ledger.cutting import FURNITURE, NUMBERED
from tests.ledger.rows import LIBRARY
from tests.support.beside import beside
from tests.support.sure import sure

WITHOUT_RULES = {"§12.0"}
"""Sections with nothing but notes on the design."""


EXAMPLES = {"§5.2.6", "§5.2.7"}


def keep_letters(text: str) -> str:
    return "".join(letter for letter in text.casefold().partition(" (")[0] if letter.isalnum())


async def search(services: Services, **values: str) -> str:
    return (await sure(build_rules().find("search")).run(Call(services, ANN, {**values}))).text


def topics(title: str, wanted: str) -> list[str]:
    return [topic for _, topic, _ in search_rules(list_paragraphs(TITLES[title], {}), wanted)]


@pytest.mark.parametrize("section", sorted(BOOKS["1862"] - WITHOUT_RULES))
@pytest.mark.parametrize("mark", ["§", ""])
def test_each_section_is_found_by_its_number(section: str, mark: str) -> None:
    """What the book has under a number, or under the number above if there is only an example."""
    number = section.removeprefix("§")
    found = search_rules(TITLES["1862"].words.rules({}), f"{mark}{number}")
    above = number.removesuffix(".0") if number.endswith(".0") else number.rpartition(".")[0]
    assert found
    assert all(place == section or place.startswith((f"{section}.", f"§{above}")) for place, _, _ in found)


@pytest.mark.parametrize("title", ["1860", "steel_driver"])
def test_each_heading_is_found_as_it_is_printed(title: str) -> None:
    paragraphs = TITLES[title].words.rules({})
    for heading in {section.partition(" (")[0] for section, _, _ in paragraphs}:
        under = [each for each in paragraphs if each[0].partition(" (")[0] == heading]
        for wanted in (heading, heading.lower()):
            assert [each for each in search_rules(paragraphs, wanted) if each in under][: len(under)] == under
            assert search_rules(paragraphs, wanted)[: len(under)] == under


@pytest.mark.parametrize("title", ["1860", "1862", "steel_driver"])
def test_a_heading_that_is_no_section_finds_the_section_of_its_rules(title: str) -> None:
    paragraphs, headings = list_paragraphs(TITLES[title], {}), TITLES[title].words.headings
    places = {place for place, _, _ in TITLES[title].words.rules({})}
    assert headings
    for heading, section in headings.items():
        for wanted in (heading, heading.upper(), heading.replace("–", "-").replace("’", "'").partition(" (")[0]):
            assert find_section(wanted, headings) == section
            found = search_rules(paragraphs, wanted, headings)
            if section in places:
                assert found[0][0] == section, heading
            elif section.startswith("§") and section not in WITHOUT_RULES | EXAMPLES:
                assert found[0][0].startswith(section.removesuffix(".0")), heading


def test_each_section_of_1862_has_its_heading() -> None:
    sections = [*TITLES["1862"].words.headings.values()]
    assert sorted(sections) == sorted(BOOKS["1862"])
    assert find_section("13.0", TITLES["1862"].words.headings) == "§13.0"


@pytest.mark.recorded
def test_headings_are_those_of_the_book() -> None:
    """A heading of the print may go on in the next line."""
    headings = {section: heading for heading, section in TITLES["1862"].words.headings.items()}
    (book,) = (book for book in LIBRARY if book.name == "1862")
    text = next(beside("rulebooks").glob(f"{book.file}_*.txt")).read_text(encoding="utf-8")
    lines = [NUMBERED.match(" ".join(line.split())) for line in FURNITURE.sub("", text).splitlines()]
    printed = {f"§{line[1]}": keep_letters(line[0].removeprefix(line[1]).partition(":")[0]) for line in lines if line}
    wrong = {place: words for place, words in printed.items() if not keep_letters(headings[place]).startswith(words)}
    assert wrong == {}
    assert printed.keys() == headings.keys()


async def test_a_heading_without_rules_says_so(services: Services) -> None:
    for title, wanted, section in (
        ("1862", "12.0", "§12.0"),
        ("1862", "design notes", "§12.0"),
        ("1860", "introduction", "Introduction"),
    ):
        assert (await search(services, title=title, words=wanted)).startswith(
            f"The rulebook has no rules under {section}."
        )
    assert "no rules" not in await search(services, title="1862", words="2.0")


@pytest.mark.parametrize("title", ["1860", "1862", "steel_driver"])
def test_each_topic_finds_its_paragraph_among_the_first(title: str) -> None:
    for _, topic, _ in TITLES[title].words.rules({}):
        assert topic in topics(title, topic)[:MAX_FOUND], topic


def test_a_section_is_no_part_of_another() -> None:
    assert set(topics("1862", "7.1")) == {"Operating order", "A company's turn", "Stacks"}
    assert topics("1862", "7.9 limits") == ["Train limits", "reading 62-22"]
    assert "Buying trains" in topics("1862", "§7.0")


def test_words_are_whole_words() -> None:
    """A tie is in no warranty, and a port in no report."""
    assert "The director after a share merge" in topics("1862", "tie")
    assert not {"Warranties", "Free warranties"} & set(topics("1862", "tie"))
    assert topics("1862", "TIES") == topics("1862", "tie") == topics("1862", "tied?")


@pytest.mark.parametrize(
    ("title", "wanted", "topic"),
    [
        ("1862", "consent", "Consent to a merger"),
        ("1862", "does the other director have to agree to a train sale", "Buying trains"),
        ("1862", "president", "Change of director"),
        ("1862", "dump the presidency", "Selling the director's certificate"),
        ("1862", "withhold", "Paying out or retaining"),
        ("1862", "can I buy a share after selling", "Buying a share"),
        ("1862", "rusted trains", "Phases"),
        ("1862", "how far can a freight go", "Freight"),
        ("1862", "does an express count small stations", "Express"),
        ("1862", "token london", "London"),
        ("1862", "merged price", "The price after a merger"),
        ("1862", "bankruptcy", "Bankruptcy"),
        ("1862", "bank broken", "The bank runs out"),
        ("1862", "no money for a train", "Raising money for a train"),
        ("1862", "priority deal", "The end of a stock round"),
        ("1862", "3 players certificate limit", "Certificate limit"),
        ("1862", "upgrade home station", "The first build"),
        ("1862", "warranty cost", "Warranties"),
        ("1862", "sell 4 shares price", "How sales move the price"),
        ("1862", "does the price drop after a sale", "How sales move the price"),
        ("1862", "exchange shares in a merger", "Shares in a merger"),
        ("1862", "the company's trains", "Buying trains"),
        ("1862", "how many trains can a company own", "Train limits"),
        ("1862", "what happens when a company has no train", "A train is compulsory"),
        ("1860", "consent", "Buying trains"),
        ("1860", "tokened out", "Tokened-out city"),
        ("1860", "can I sell my private", "Selling a private"),
        ("1860", "7+4", "The pile of trains"),
        ("1860", "token cost", "The price of a base"),
        ("1860", "leased train revenue", "Leasing"),
        ("1860", "nationalization", "The test for nationalisation"),
        ("1860", "skip towns", "Stops on the way"),
        ("1860", "ferry", "Fishbourne Ferry"),
        ("1860", "floats", "Flotation"),
        ("steel_driver", "tie", "Winner"),
        ("steel_driver", "how much is a set of goods worth", "Sets of cubes"),
        ("steel_driver", "is passing final", "Passing the marker"),
        ("steel_driver", "transcontinental bonus", "The bonus"),
    ],
)
def test_players_questions_find_their_paragraph_among_the_first(title: str, wanted: str, topic: str) -> None:
    assert topic in topics(title, wanted)[:MAX_FOUND]


@pytest.mark.parametrize(
    "wanted", ['"', "NEAR(a b)", "* OR *", "topic:", "-", "'; DROP", "a\0b", "the of", "§", "ß" * 100]
)
def test_no_sign_breaks_a_search(wanted: str) -> None:
    assert isinstance(topics("1862", wanted), list)


async def test_without_words_the_goal_and_an_overview_are_shown(services: Services) -> None:
    for title in ("1860", "1862", "steel_driver"):
        shown = await search(services, title=title)
        assert len(shown.splitlines()) == OVERVIEW + 1
        assert "/learn" in shown.splitlines()[-1]
        assert ", The goal: " in shown.splitlines()[0]


async def test_what_is_not_shown_is_named(services: Services) -> None:
    shown = await search(services, words="7.8", title="1862")
    assert len(shown.splitlines()) == MAX_FOUND + 1
    assert shown.splitlines()[-1].startswith("Also: ")
    assert ": Freight, Distance to an area, " in shown.splitlines()[-1]
    assert re.search(r" and \d+ more paragraphs\.$", shown)


@pytest.mark.parametrize("words", ["62-47", "Reading 62-47", "§7.9 owner agree sale"])
async def test_readings_of_disputed_points_are_found(services: Services, words: str) -> None:
    shown = await search(services, words=words, title="1862")
    assert shown.startswith("§7.9, reading 62-47: Must the owner of a train agree to its sale? Yes. ")


async def test_a_heading_finds_its_readings_after_its_rules(services: Services) -> None:
    shown = (await search(services, words="bankrupt companies", title="1860")).splitlines()[-1]
    assert shown.startswith("Also: ")
    assert "reading 60-11, " in shown
    assert "Bankrupt Companies, Bankruptcy: " in await search(services, words="bankrupt companies", title="1860")


def test_a_table_as_on_18xx_games_finds_what_is_played_there() -> None:
    """What differs takes the place of the reading that other tables have."""
    readings = {each.number: each for each in TITLES["1862"].words.readings({PROFILE.name: SITE})}
    assert "62-47" not in readings
    there = readings["differences 21, 62-47"]
    assert (there.section, there.question) == ("§7.9", "Trains")
    assert there.answer == (
        "This table plays as on 18xx.games: the buyer decides alone. By the rulebook: the other director must agree."
    )
    named = [topic for _, topic, _ in list_paragraphs(TITLES["1862"], {PROFILE.name: SITE})]
    assert "differences 21, 62-47" in named
    assert "reading 62-1" in named
    assert not any("differences" in each.number for each in TITLES["1862"].words.readings({}))


async def test_words_without_a_paragraph_are_refused(services: Services) -> None:
    with pytest.raises(BotError, match=r"The rules of 1862.* have nothing on “zeppelin”"):
        await search(services, words=" zeppelin ", title="1862")
