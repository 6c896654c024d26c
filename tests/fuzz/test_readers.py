"""Whatever comes in is understood, or refused with a sentence; what was found once is read again."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.corpus import find_cases, read_case, write_case
from tests.fuzz.judge import judge
from tests.fuzz.readers import READERS, Reader, open_readers

NAMES = (*READERS, "control", "command", "request of a page")
CASES = tuple(find_cases())
EXAMPLES = {
    "mail": 25,
    "signature of a mail": 4,
    "file of a game": 15,
    "command": 30,
    "request of a page": 30,
    "figure of a position": 12,
}
"""How many cases are made for those that take longer than others."""
USUAL_EXAMPLES = 40
INPUTS = Path(__file__).parents[2] / "docs" / "inputs.md"
ROW = re.compile(r"^\| ([a-z ]+) \| .+ \| (.+) \| `(bot|engine)\.([\w.]+)`")
BOUND = re.compile(r"`((?:[a-z][\w.]*\.)?(?:MAX|MOST)_[A-Z_]+)`")


@pytest.fixture(scope="module")
def readers() -> Iterator[dict[str, Reader]]:
    with open_readers() as opened:
        yield opened


@pytest.mark.parametrize("name", NAMES)
def test_what_is_made_from_its_grammar_is_understood_or_refused_with_a_sentence(
    readers: dict[str, Reader], name: str
) -> None:
    reader = readers[name]

    @seed(1)
    @settings(
        max_examples=EXAMPLES.get(name, USUAL_EXAMPLES), database=None, phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )  # fmt: skip
    @given(reader.inputs)
    def ask(case: object) -> None:
        assert judge(reader, case).finding is None

    ask()


@pytest.mark.parametrize(("name", "path"), CASES, ids=[path.name for _, path in CASES])
def test_what_was_found_once_is_refused_with_a_sentence_or_understood(
    readers: dict[str, Reader], name: str, path: Path
) -> None:
    assert judge(readers[name], read_case(path)).finding is None


@pytest.mark.parametrize("name", NAMES)
def test_a_case_is_read_again_from_its_file(readers: dict[str, Reader], name: str, tmp_path: Path) -> None:
    @seed(2)
    @settings(max_examples=3, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck])
    @given(readers[name].inputs)
    def keep(case: object) -> None:
        assert read_case(write_case(tmp_path, name, "kept", case)) == case

    keep()


def test_a_defect_a_poor_sentence_and_a_change_by_writing_are_found() -> None:
    """What is judged could be wrong at all."""
    assert judge(Reader(int, st.text()), "x").finding is not None
    assert judge(READERS["name of a game"], "no such").finding is None
    assert judge(Reader(len, st.text(), lambda read: "x" * (read + 1)), "x").finding is not None
    assert judge(Reader(_refuse_headless, st.text()), "x").finding is not None


def _refuse_headless(text: str) -> None:
    from bot.model.errors import BotError

    raise BotError(f"no stop {text}")


def test_every_reader_stands_in_the_document_with_its_function_and_bounds() -> None:
    rows = [found for line in INPUTS.read_text(encoding="utf-8").splitlines() if (found := ROW.match(line))]
    assert sorted(row[1] for row in rows) == sorted(NAMES)
    for row in rows:
        room, _, function = f"{row[3]}.{row[4]}".rpartition(".")
        module = import_module(room)
        assert hasattr(module, function), row[1]
        for named in BOUND.findall(row[2]):
            where, _, bound = named.rpartition(".")
            assert isinstance(getattr(import_module(where) if where else module, bound, None), int), (row[1], named)
