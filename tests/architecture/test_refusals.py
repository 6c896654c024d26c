"""Every refusal of a rule is a sentence with a full stop, and names the rule of the printed book."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

from engine.interop.profile import SITE
from engine.record import Rule
from engine.titles.g1860 import catalogue as book_1860
from engine.titles.g1862 import catalogue as book_1862
from tests.architecture.paragraphs import BOOKS, OURS
from tests.architecture.sources import files, name, nodes

RULES: dict[str, Callable[..., Rule]] = {"g1860": book_1860.rule, "g1862": book_1862.rule}
SENTENCES = {"RuleError", "BotError", "WordingError"}


def find_refusals(path: Path) -> list[ast.Call]:
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
        for call in find_refusals(path):
            assert call.args, (name(path), call.lineno)
            end = last_words(call.args[0])
            assert end is None or end.endswith((".", ".”", "?")), (name(path), call.lineno, end)


def test_a_refusal_names_its_rule() -> None:
    for path in files("engine"):
        for call in find_refusals(path):
            if isinstance(call.func, ast.Name) and call.func.id == "RuleError":
                assert len(call.args) == 2, (name(path), call.lineno)
                assert not call.keywords, (name(path), call.lineno)


def test_a_refusal_cites_the_book() -> None:
    """What a rule cites is a section or heading of the printed book, or a topic of this program's own."""
    cited = [rule for path in files("engine") for rule in _find_citations(path)]
    assert len(cited) > 200
    known = BOOKS | OURS
    assert [rule for rule in cited if rule.book != SITE and rule.section not in known[rule.book]] == []


def _find_citations(path: Path) -> list[Rule]:
    """Return the rules that a file names: ``Rule("Table", "turns")`` and ``rule("7.9")`` of its title."""
    found = []
    for call in nodes(path):
        if (
            not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Name)
            or call.func.id not in ("rule", "Rule")
        ):
            continue
        if call.func.id == "Rule":
            found += [Rule(book, section) for book, section in zip(*map(_words, call.args), strict=False)]
            continue
        title = re.search(r"g1860|g1862", str(path))
        assert title, name(path)
        words = _words(call.args[0])
        assert words, (name(path), call.lineno, "written out, so that it can be looked up")
        found += [RULES[title[0]](word, *(_words(more.value)[0] for more in call.keywords)) for word in words]
    return found


def _words(node: ast.expr) -> list[str]:
    """Return the texts that an expression can be."""
    if isinstance(node, ast.IfExp):
        return _words(node.body) + _words(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
