"""Tables that say what becomes of something, which modules see to it, and which tests prove it: read and checked."""

import ast
import re

from tests.support.source_tree import ROOT


def rows_of(path: str) -> list[list[str]]:
    """The cells of every row of the tables in a Markdown file, without their heads."""
    lines = (ROOT / path).read_text("utf-8").splitlines()
    rows = [line for index, line in enumerate(lines) if line.startswith("| ") and not _is_head(lines, index)]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def _is_head(lines: list[str], index: int) -> bool:
    return lines[index].startswith("| ---") or (index + 1 < len(lines) and lines[index + 1].startswith("| ---"))


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def names_of_tests(path: str) -> set[str]:
    """The names of the tests in a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def is_there(proof: str) -> bool:
    """True for a stream, and for ``file::test``, that exist."""
    path, _, test = proof.partition("::")
    if not (ROOT / path).is_file():
        return False
    return test.startswith("test_") and test in names_of_tests(path) if path.endswith(".py") else path.endswith(".sse")
