"""Every refusal of a rule is a sentence with a full stop, and names the rule."""

import ast
from pathlib import Path

from engine.titles.g1860.rulebook import rule
from tests.architecture.paragraphs import G1860
from tests.architecture.sources import files, name, nodes

SENTENCES = {"RuleError", "BotError", "WordingError"}


def raised(path: Path) -> list[ast.Call]:
    """Return the calls that make a refusal."""
    return [
        node
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENTENCES
    ]


def last_words(node: ast.expr) -> str | None:
    """Return the end of a text as far as it is written down; ``None`` where it is made elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr) and node.values:
        return last_words(node.values[-1])
    if isinstance(node, ast.BinOp):
        return last_words(node.right)
    return None


def test_a_refusal_is_a_sentence() -> None:
    for path in files():
        for call in raised(path):
            assert call.args, (name(path), call.lineno)
            end = last_words(call.args[0])
            assert end is None or end.endswith((".", ".”", "?")), (name(path), call.lineno, end)


def test_a_refusal_names_its_rule() -> None:
    for path in files("engine"):
        for call in raised(path):
            if isinstance(call.func, ast.Name) and call.func.id == "RuleError":
                assert len(call.args) == 2, (name(path), call.lineno)
                assert not call.keywords, (name(path), call.lineno)


def test_rules_of_1860_are_headed() -> None:
    """Each section cited in the code of 1860 is one of its rules, with a heading."""
    cited = set()
    for path in files("engine/titles/g1860"):
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
                cited |= {c.value for c in ast.walk(node) if isinstance(c, ast.Constant) and isinstance(c.value, str)}
    cited = {section for section in cited if section[:1].isdigit() and "." in section}
    assert len(cited) > 40
    assert cited <= set(G1860)
    for section in G1860:
        assert rule(section).heading
