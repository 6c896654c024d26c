"""The small changes that are tried: one operator, one figure, one condition at a time."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And, ast.Continue: ast.Break,
}  # fmt: skip
_SKIPPED = (ast.Assert, ast.Raise, ast.JoinedStr, ast.AnnAssign)
"""An assert marks a defect of ours, and no test reads its words (zip's ``strict`` is one too); sentences and types are
no rules."""


_BUDGET = 10_000
"""A figure so large is a budget of tries or of what is remembered: no rule has it, and one more is no fault."""


class Change(NamedTuple):
    """A place that can be changed: the node's number in the order of ``ast.walk``, and its line."""

    node: int
    line: int


def changes(tree: ast.Module) -> list[Change]:
    """Return all small changes that a module can suffer."""
    left_out = {id(part) for node in ast.walk(tree) for part in _quiet(node)}
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
    elif isinstance(node, ast.ClassDef):
        roots = [keyword.value for keyword in node.keywords]
    elif isinstance(node, ast.Subscript) and _is_type(node.value):
        roots = [node.slice]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip":
        roots = [keyword.value for keyword in node.keywords]
    for root in roots:
        if root is not None:
            yield from ast.walk(root)


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
    """Tell whether this is a union of types."""
    return isinstance(node.op, ast.BitOr) and any(
        _is_type(side) or (isinstance(side, ast.Constant) and side.value is None) for side in (node.left, node.right)
    )


def changed(source: str, change: Change) -> tuple[ast.Module, str]:
    """Return a module with one change, and the statement before and after it in a few words."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[change.node]
    before = ast.unparse(node)
    after = _turned(node)
    put = _Put(node, after).visit(tree)
    assert isinstance(put, ast.Module)
    return ast.fix_missing_locations(put), f"{before[:60]}  ->  {ast.unparse(after)[:60]}"


def _turned(node: ast.AST) -> ast.AST:
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


class Probed(ast.NodeTransformer):
    """Marks the places of changes, so that a run of the tests tells which of them comes by.

    What is reckoned while a module is loaded is marked where it is used too: a default in its function, the value
    of a name, or a field of a class, wherever a function of the module reads that name.
    """

    def __init__(self, numbers: dict[int, int], tree: ast.Module) -> None:
        self.nodes = {id(node): numbers[k] for k, node in enumerate(ast.walk(tree)) if k in numbers}
        self.named: dict[str, list[int]] = {}
        for statement in tree.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                names = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
                self.named |= dict.fromkeys(names, self._inside(statement))
            if isinstance(statement, ast.ClassDef):
                fields = [each for each in statement.body if isinstance(each, ast.AnnAssign)]
                self.named[statement.name] = self._inside(*fields)

    def _inside(self, *nodes: ast.AST) -> list[int]:
        """Return the numbers of the places within some nodes."""
        within = (each for node in nodes for each in ast.walk(node))
        return [self.nodes[id(each)] for each in within if id(each) in self.nodes]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:  # as the library calls it
        """Mark the defaults of a function in its body, and what it reads."""
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:  # as the library calls it
        """Mark the defaults of a function in its body, and what it reads."""
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
        given = self._inside(*defaults)
        read = {each.id for part in (*defaults, *node.body) for each in ast.walk(part) if isinstance(each, ast.Name)}
        used = [number for name in sorted(read) for number in self.named.get(name, [])]
        self.generic_visit(node)
        node.body = [*(ast.Expr(_mark(number)) for number in (*given, *used)), *node.body]
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the node, with a mark where it is to be changed."""
        number = self.nodes.get(id(node))
        node = super().visit(node)
        if number is None:
            return node
        if isinstance(node, ast.stmt):
            return ast.If(ast.Constant(value=True), [ast.Expr(_mark(number)), node], [])
        assert isinstance(node, ast.expr)
        return ast.IfExp(_mark(number), node, node)


def _mark(number: int) -> ast.Call:
    return ast.Call(ast.Name("__comes_by__", ast.Load()), [ast.Constant(number)], [])
