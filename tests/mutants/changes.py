"""The small changes that are tried: one operator, one figure, one condition at a time.

Left out is only what is no fault, or what no test could notice whatever it
asked: each kind says why. That no test of ours notices a change is no reason.
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And, ast.Continue: ast.Break,
}  # fmt: skip
_SKIPPED = (ast.Assert, ast.Raise, ast.JoinedStr, ast.AnnAssign)
"""An assert marks a defect of ours, and no test reads its words; sentences and types are no rules."""

_LOGS = ("log", "_log", "logger")
"""What is said to the log alone is for operators to read: no rule rests on it."""
_FLAGS = ("zip", "bindparam")
"""Their flags say what holds anyway: ``strict`` is an assert, and ``in_`` of SQLAlchemy sets ``expanding`` itself."""
_BUDGET = 10_000
"""A figure so large is a budget of tries or of what is remembered: no rule has it, and one more is no fault."""
_SIZE = re.compile(r"_?(?:MAX|MIN)_.*|.*_(?:MAX|MIN|SECONDS|MS|BYTES|CHARACTERS|LETTERS|LENGTH|PIXELS|TRIES)")
_COARSE = 20
"""A named limit or size so large is chosen in round figures: 301 seconds for 300 are no fault, and a test that asks for
the limit by its name goes with it. That there is a limit is changed where it is compared."""

_PIXELS = 8
"""So many pixels of a picture, or more: one more is no fault. What is compared with them, counted or looked up is
changed, and so is the sign before them, which moves a part by twice as many."""
_DRAWN = (ast.BinOp, ast.Tuple, ast.Assign, ast.AugAssign)


class Change(NamedTuple):
    """A place that can be changed: the node's number in the order of ``ast.walk``, and its line."""

    node: int
    line: int


def changes(tree: ast.Module, *, draws: bool = False) -> list[Change]:
    """Return all small changes that a module can suffer; ``draws``: it is one of those that draw pictures."""
    left_out = {id(part) for node in ast.walk(tree) for part in _quiet(node)}
    left_out |= {id(part) for node in ast.walk(tree) for part in _list_lengths(node) if draws}
    return [
        Change(number, node.lineno)
        for number, node in enumerate(ast.walk(tree))
        if isinstance(node, ast.expr | ast.stmt) and id(node) not in left_out and _can_change(node)
    ]


def _quiet(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is not changed below a node."""
    roots: list[ast.AST | None] = []
    if isinstance(node, _SKIPPED):
        roots = [node.annotation] if isinstance(node, ast.AnnAssign) else [node]
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        roots = [node.returns, *(arg.annotation for arg in every), *node.decorator_list]
    elif isinstance(node, ast.Module):
        roots = [size for statement in node.body for size in _list_sizes(statement)]
    elif isinstance(node, ast.ClassDef):
        roots = [keyword.value for keyword in node.keywords]
    elif isinstance(node, ast.Subscript) and _is_type(node.value):
        roots = [node.slice]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FLAGS:
        roots = [keyword.value for keyword in node.keywords]
    elif isinstance(node, ast.Call) and _is_log(node.func):
        roots = [*node.args, *node.keywords]
    for root in roots:
        if root is not None:
            yield from ast.walk(root)


def _list_sizes(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the large figures of limits and sizes that a statement of a module names, one or several in a line."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return
    (target,), value = statement.targets, statement.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = [*zip(target.elts, value.elts, strict=True)]
    for name, size in pairs:
        if isinstance(name, ast.Name) and _SIZE.fullmatch(name.id):
            for each in ast.walk(size):
                if isinstance(each, ast.Constant) and isinstance(each.value, int) and each.value >= _COARSE:
                    yield each


def _list_lengths(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the lengths in pixels that a node of a drawing reckons with, names, or hands to a figure of its own."""
    is_figure = isinstance(node, ast.Call) and _is_type(node.func)
    for part in ast.iter_child_nodes(node) if is_figure or isinstance(node, _DRAWN) else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, int) and part.value >= _PIXELS:
            yield part


def _is_log(node: ast.expr) -> bool:
    """Return whether this is a method of a log: ``log.info``, ``structlog.get_logger(…).error``."""
    if not isinstance(node, ast.Attribute):
        return False
    if isinstance(node.value, ast.Call):
        return ast.unparse(node.value.func) == "structlog.get_logger"
    return isinstance(node.value, ast.Name) and node.value.id in _LOGS


def _is_type(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id[:1].isupper()


def _can_change(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in _OTHER
    if isinstance(node, ast.BinOp):
        return type(node.op) in _OTHER and not _of_types(node)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and node.value < _BUDGET
    return isinstance(node, ast.BoolOp | ast.Continue) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def _of_types(node: ast.BinOp) -> bool:
    """Return whether this is a union of types."""
    return isinstance(node.op, ast.BitOr) and any(
        _is_type(side) or (isinstance(side, ast.Constant) and side.value is None) for side in (node.left, node.right)
    )


def change_module(source: str, change: Change) -> tuple[ast.Module, str]:
    """Return a module with one change, and the statement before and after it in a few words."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[change.node]
    before = ast.unparse(node)
    after = _turn_node(node)
    put = _Put(node, after).visit(tree)
    assert isinstance(put, ast.Module)
    return ast.fix_missing_locations(put), f"{before[:60]}  ->  {ast.unparse(after)[:60]}"


def _turn_node(node: ast.AST) -> ast.AST:
    """Return what a node becomes."""
    if isinstance(node, ast.Compare):
        return ast.Compare(node.left, [_other(node.ops[0]), *node.ops[1:]], node.comparators)  # type: ignore[list-item]
    if isinstance(node, ast.BinOp):
        return ast.BinOp(node.left, _other(node.op), node.right)  # type: ignore[arg-type]
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(_other(node.op), node.values)  # type: ignore[arg-type]
    if isinstance(node, ast.Constant):
        return ast.Constant(not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1)
    if isinstance(node, ast.UnaryOp):
        return node.operand
    return ast.Break()


def _other(node: ast.AST) -> ast.AST:
    return _OTHER[type(node)]()


class _Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, ast.copy_location(new, old)

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the new node for the old one."""
        return self.new if node is self.old else self.generic_visit(node)
