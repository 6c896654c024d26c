"""The page that shows the engine as a library: every example does what it says."""

import doctest

from tests.architecture.sources import ROOT

SHOWN = ("new", "ask", "legal", "play", "undo", "redo", "replay", "look")


def test_examples_of_the_page_hold() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    assert [name for name in SHOWN if f".{name}(" not in page] == []
    examples = page.replace("```pycon\n", "").replace("\n```", "\n")  # an answer ends at an empty line
    test = doctest.DocTestParser().get_doctest(examples, {}, "engine.md", "docs/engine.md", 0)
    assert len(test.examples) > 10
    told: list[str] = []
    assert doctest.DocTestRunner().run(test, out=told.append).failed == 0, "".join(told)
