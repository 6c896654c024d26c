"""The table of the profile, the rows of the differences and the tests speak of the same switches."""

import re
from pathlib import Path

import pytest

from engine.interop.g1862.profile import RUNS, SWITCHES, TITLE
from engine.setup import Setup
from engine.titles.g1862.rules import Rules, read_options
from engine.titles.g1862.running.runs import RunRules
from tests.architecture.sources import ROOT
from tests.architecture.test_documents import rows

HERE = Path(__file__).parent
RUN_NAMES = [name for name in RunRules.__struct_fields__ if name != "joins_in_areas"]
"""Without what only keeps the meaning of older tables' logs."""
NAMES = [name for name in SWITCHES if name != "runs"] + [f"runs.{name}" for name in RUN_NAMES]


def test_the_profile_has_each_of_its_switches_otherwise_than_the_rulebook() -> None:
    book = read_options(Setup("1862", 4))
    assert [name for name, value in SWITCHES.items() if getattr(book, name) == value] == []
    assert [name for name in RUN_NAMES if getattr(RUNS, name) == getattr(RunRules(), name)] == []


def test_a_table_of_the_profile_plays_by_its_switches() -> None:
    rules = TITLE.deal(Setup("1862", 4, {"profile": "18xx.games"})).rules
    assert {name: getattr(rules, name) for name in SWITCHES} == dict(SWITCHES)


@pytest.mark.parametrize("name", NAMES)
def test_each_switch_stands_in_a_row_of_the_differences_and_in_a_test(name: str) -> None:
    """The row is the one that the table cites beside the value; a test sets the switch, all others at the book's."""
    field = name.rpartition(".")[2]
    text = (ROOT / "engine/interop/g1862/profile.py").read_text(encoding="utf-8")
    cited = re.search(rf'\b{field}\b"?[:=].*# differences (\d+)', text)
    assert cited, name
    switches = rows("differences.md")["g1862"][cited[1]].split(" | ")[-2]
    assert f"`{name}`" in switches, switches
    tests = [path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py") if path.name != Path(__file__).name]
    wanted = ('"failed_charter"',) if name == "failed_in_parliament" else (f'"{name}"', f"RunRules({field}=")
    assert any(word in each for each in tests for word in wanted), "a lobby option of ours sets one of them"


def test_each_switch_says_what_it_means() -> None:
    told = set(re.findall(r"^ +(\w+)(?=:)|, (\w+)(?=:)", Rules.__doc__ or "", re.MULTILINE))
    missing = set(SWITCHES) - {name for pair in told for name in pair}
    assert missing <= {"failed_in_parliament"}
