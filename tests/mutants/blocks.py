"""The blocks of a module: what is run as a whole once it is entered.

A block is the body of a function, of a branch, of a loop or of a handler. Its
name is ``file:function:number``, so that an edit elsewhere changes no name. A
test that enters a block comes by the changes in it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

SEEN = "__seen__"
"""A name of our own among Python's, for the marks of all modules."""
_BODIES = ("body", "orelse", "finalbody")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Blocks:
    """The blocks of one module, by name, and what is reached through each.

    Args:
        path: of the module, relative to the project.
    """

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.path = path
        self.bodies: dict[str, list[ast.stmt]] = {}
        self._block_of: dict[int, str] = {}
        self._statement_of = {id(node): statement for statement in tree.body for node in ast.walk(statement)}
        self._readers: dict[str, set[str]] = {}
        for statement in tree.body:
            self._walk(statement, "", "")

    def _walk(self, node: ast.AST, block: str, around: str) -> None:
        """Note the block of a node and of all below it; ``around`` names the functions and classes it stands in."""
        self._block_of[id(node)] = block
        if isinstance(node, ast.Name):
            self._readers.setdefault(node.id, set()).add(block)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            around = f"{around}.{node.name}" if around else node.name
        has_blocks = isinstance(node, _FUNCTIONS) or bool(block)
        if isinstance(node, _FUNCTIONS):  # its defaults are reached as it is
            block = f"{self.path}:{around}:0"
        for field, value in ast.iter_fields(node):
            inner = block
            if has_blocks and field in _BODIES and isinstance(value, list) and value:
                inner = self._name(around)
                self.bodies[inner] = value
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    self._walk(part, inner, around)

    def _name(self, around: str) -> str:
        """Return the name of the next block of a function."""
        number = 0
        while f"{self.path}:{around}:{number}" in self.bodies:
            number += 1
        return f"{self.path}:{around}:{number}"

    def reaching(self, node: ast.AST) -> list[str]:
        """Return the blocks by which a test comes by a node.

        What is reckoned while the module is loaded is reached where its name is read: a constant or a class by the
        functions of the module that read it, where there are none by any function.
        """
        if block := self._block_of[id(node)]:
            return [block]
        read = {
            each for name in _list_names(self._statement_of[id(node)]) for each in self._readers.get(name, ()) if each
        }
        return sorted(read or self.bodies)


def _list_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module makes."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


def mark(tree: ast.Module, path: Path, numbers: dict[str, int]) -> ast.Module:
    """Let each block of a module mark that it was entered; ``numbers`` grows by its blocks."""
    for name, body in Blocks(path, tree).bodies.items():
        number = numbers.setdefault(name, len(numbers))
        place = ast.Subscript(ast.Name(SEEN, ast.Load()), ast.Constant(number), ast.Store())
        has_words = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        body.insert(int(has_words), ast.Assign([place], ast.Constant(1)))
    return ast.fix_missing_locations(tree)
