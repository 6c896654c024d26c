"""Documents and code agree: what is cited stands in ``docs/``, and what ``docs/`` names exists."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine import TITLES as TITLES_OF_ENGINE
from engine.titles import g1860, g1862
from tests.architecture.paragraphs import BOOKS
from tests.architecture.readings import WRITERS, list_differences, write_document
from tests.architecture.sources import ROOT, files, functions, name

DOCS = ROOT / "docs"
TITLES = {"1860": "g1860", "1862": "g1862", "Steel Driver": "steel_driver"}
DIFFERENCE = re.compile(r"[Dd]ifferences (\w+(?:(?:, | and | to )\w+)*)")
SITUATION = re.compile(r"\b(?:6[02]-\d{1,2}b?|SD-\d{1,2})\b|\bAMB \d+(?:, \d+)*")
TEST = re.compile(r"`(test_\w+)`")
PRIVATE = re.compile(r"\b(?:rules digest|the digest decides)\b|\bdigest \d|\bR\d+\.\d+|\b[A-Z]{2,}\.md\b")
"""Words for papers that no one outside can read."""
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
MAX_README_WORDS, MAX_PICTURE_BYTES, MAX_OWN_WORDS = 500, 1_500_000, 10
MAX_CHANGES, MAX_LETTERS_OF_A_CHANGE = 40, 132


@cache
def rows(document: str) -> dict[str, dict[str, str]]:
    """Return each row of a document by title and number."""
    found: dict[str, dict[str, str]] = {}
    title = ""
    for line in (DOCS / document).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            title = TITLES[line.removeprefix("## ")]
            found[title] = {}
        elif line.startswith("| ") and not line.startswith("| no."):
            number, _, rest = line.removeprefix("| ").partition(" | ")
            assert number not in found[title], (document, title, number)
            found[title][number] = rest
    return found


def sources() -> Iterator[tuple[Path, str]]:
    """Yield (file, its text) of all that may cite: code, data and tests, but for this module."""
    for path in [*files("bot", "engine", "render", "tests"), *sorted((ROOT / "engine").rglob("*.toml"))]:
        if path.name != "test_documents.py":
            yield path, path.read_text(encoding="utf-8")


def title_of(path: Path) -> str:
    """Return the title in whose folder a file lies, "" for a file of none."""
    return next((title for title in TITLES.values() if title in name(path)), "")


@pytest.mark.parametrize("title", ["g1860", "g1862"])
def test_each_difference_that_is_cited_is_documented(title: str) -> None:
    """A number as in "differences 46" in the folder of a title is a row of its list; a range names its ends."""
    cited = {
        (number, name(path))
        for path, text in sources()
        if title_of(path) == title
        for numbers in DIFFERENCE.findall(text)
        for number in re.findall(r"\b(?:\d+\w?|[A-Z])\b", numbers)
    }
    assert len(cited) > 10
    assert {(number, where) for number, where in cited if number not in rows("differences.md")[title]} == set()


def test_each_situation_that_is_cited_is_documented() -> None:
    told = {number for part in rows("situations.md").values() for number in part}
    cited: set[tuple[str, str]] = set()
    for path, text in sources():
        for found in SITUATION.findall(text):
            numbers = re.findall(r"\d+", found)
            cited |= {(f"AMB {each}", name(path)) for each in numbers} if "AMB" in found else {(found, name(path))}
    assert len(cited) > 70
    assert {(number, where) for number, where in cited if number not in told} == set()


@pytest.mark.parametrize("document", ["differences.md", "situations.md"])
def test_each_row_names_tests_that_exist(document: str) -> None:
    for title, part in rows(document).items():
        there = {
            node.name
            for path in files(f"tests/engine/titles/{title}", "tests/engine/interop")
            for node in functions(path)
        }
        for number, row in part.items():
            named = TEST.findall(row)
            assert named, (document, title, number)
            assert [test for test in named if test not in there] == [], (document, title, number)


@pytest.mark.parametrize("document", WRITERS)
def test_the_words_of_each_row_stand_in_the_data_files(document: str) -> None:
    """So they are written once, and ``/rules search`` finds them; see ``tests/architecture/readings.py``."""
    assert (DOCS / document).read_text(encoding="utf-8") == write_document(document)


def test_each_difference_names_switches_and_situations_that_exist() -> None:
    for title, rules in (("1860", g1860.rules.Rules), ("1862", g1862.rules.Rules)):
        told = {each.number for each in TITLES_OF_ENGINE[title].words.readings({})}
        for each in list_differences(title):
            for switch in each.switches:
                assert switch.partition(".")[0] in rules.__struct_fields__, (title, each.number)
            assert each.situation in {"", *told}, (title, each.number)


@pytest.mark.parametrize("title", ["1860", "1862", "Steel Driver"])
def test_each_reading_stands_under_a_heading_of_its_book(title: str) -> None:
    game = TITLES[title].removeprefix("g")
    for each in TITLES_OF_ENGINE[game].words.readings({}):
        heading, _, edition = each.section.partition(" (")
        assert heading in BOOKS[f"{title} ({edition}" if edition else title], each.number


@pytest.mark.parametrize("room", ["engine/titles", "engine/rails", "engine/finance"])
def test_no_rule_knows_of_18xx_games(room: str) -> None:
    """What is played otherwise there has the name of its rule; the site itself is spoken of in ``engine/interop``."""
    paths = [path for path in sorted((ROOT / room).rglob("*")) if path.suffix in {".py", ".toml"}]
    assert paths
    for path in paths:
        assert not re.search(r"18xx\.games|\bthe site\b", path.read_text(encoding="utf-8"), re.IGNORECASE), name(path)


def test_nothing_cites_a_paper_that_is_not_here() -> None:
    for path, text in sources():
        assert not PRIVATE.findall(text), name(path)


def test_links_of_the_documents_lead_somewhere() -> None:
    """Every link and picture of a Markdown file is a file of ours, or an address on the web."""
    for path in [*ROOT.glob("*.md"), *DOCS.glob("*.md")]:
        text = path.read_text(encoding="utf-8")
        for link in [*re.findall(r"\]\(([^)#]+)[^)]*\)", text), *re.findall(r'src="([^"]+)"', text)]:
            assert "://" in link or (path.parent / link).exists(), (path.name, link)


def test_each_link_to_a_heading_finds_it() -> None:
    for path in [*ROOT.glob("*.md"), *DOCS.glob("*.md")]:
        for file, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text(encoding="utf-8")):
            target = (path.parent / file if file else path).read_text(encoding="utf-8")
            headings = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in HEADING.findall(target)}
            assert heading in headings, (path.name, file, heading)


def test_each_path_in_the_documents_exists() -> None:
    """A path in backticks that begins with a folder of ours; ``*`` stands for any name, ``<title>`` for 1860's."""
    named = 0
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")]:
        for found in re.findall(
            r"`((?:bot|docs|engine|render|scripts|tests)/[^`\s]*)`", path.read_text(encoding="utf-8")
        ):
            where = found.replace("<title>", "g1860")
            if "<" not in where:
                named += 1
                assert list(ROOT.glob(where.rstrip("/"))) or list(ROOT.glob(f"{where}.py")), (path.name, found)
    assert named > 60


def test_the_readme_is_a_landing_page() -> None:
    """It has 500 words at most, as ``wc -w`` counts them; its pictures load quickly."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= MAX_README_WORDS
    pictures = re.findall(r'src="([^"]+)"', text)
    assert len(pictures) > 1
    for picture in pictures:
        assert (ROOT / picture).stat().st_size < MAX_PICTURE_BYTES, picture


def test_contributing_starts_with_a_bug_and_explains_ten_words_at_most() -> None:
    sections = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert sections[0].startswith("Fix one bug in five minutes")
    words = next(section for section in sections if section.startswith("Words of our own"))
    assert 0 < len([line for line in words.splitlines() if line.startswith("| ")]) - 1 <= MAX_OWN_WORDS


def test_a_release_has_at_most_forty_lines_of_changes() -> None:
    """Grouped as on keepachangelog.com, one line a change."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for release in text.split("\n## ")[1:]:
        title, *lines = [line for line in release.splitlines() if line]
        groups = [line.removeprefix("### ") for line in lines if line.startswith("### ")]
        changes = [line for line in lines if not line.startswith("### ")]
        assert set(groups) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}, title
        assert all(line.startswith("- ") for line in changes), title
        assert len(changes) <= MAX_CHANGES, title
        assert max(map(len, changes)) <= MAX_LETTERS_OF_A_CHANGE, title


def test_the_picture_of_the_architecture_shows_every_folder() -> None:
    """Every folder of code with modules of its own is a box, and every box of ``bot/`` a folder."""
    picture = (DOCS / "architecture.svg").read_text(encoding="utf-8")
    boxes = set(re.findall(r">([\w/]+)</text>", picture))
    rooms = {path.parent for path in files("bot", "engine/rails", "engine/finance", "engine/interop")}
    rooms |= {path.parent for path in (ROOT / "engine" / "titles").glob("*/__init__.py")}
    for room in rooms - {ROOT / "bot"}:
        if "migrations" not in room.parts and room.parent.name != "interop":
            inside = room.relative_to(ROOT / ("engine" if "engine" in room.parts else "bot"))
            assert str(inside) in boxes, name(room)
