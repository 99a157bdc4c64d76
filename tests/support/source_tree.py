"""Reads the project's own source for the tests that hold its rules."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Source:
    """A parsed Python file."""

    path: Path
    tree: ast.Module

    @property
    def name(self) -> str:
        """The path from the project's root, with slashes on every system."""
        return self.path.relative_to(ROOT).as_posix()

    def place(self, node: ast.AST) -> str:
        return f"{self.name}:{getattr(node, 'lineno', 0)}"


def sources(*folders: str) -> Iterator[Source]:
    """Parse every Python file below ``folders``."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield _parsed(path)


@cache
def _parsed(path: Path) -> Source:
    """Each file once in a run: several rules read the whole tree, and none changes it."""
    return Source(path, ast.parse(path.read_text(encoding="utf-8"), str(path)))


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` for a chain of names; a call or anything else in it becomes ``()``."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "()"


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Yield every call with the dotted name of what is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node, dotted(node.func)


def imports_on_load(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """Yield the modules that importing this one imports: not those inside functions or under ``TYPE_CHECKING``."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node, node.module
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in dotted(node.test):
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
