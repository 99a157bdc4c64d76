"""The table of endpoints' deviations names modules, streams and tests that are there."""

import ast
import re

import pytest

from tests.support.source_tree import ROOT

TABLE = ROOT / "desktop" / "providers" / "DEVIATIONS.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TABLE.read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| deviation"))
]


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


def test_the_table_is_read() -> None:
    assert len(ROWS) > 100
    assert all(len(row) == 3 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_each_deviation_has_its_modules_and_its_tests(row: list[str]) -> None:
    _, modules, proofs = row
    assert named(modules)
    assert named(proofs)
    assert [name for name in named(modules) if not (ROOT / "desktop" / name).is_file()] == []
    assert [name for name in named(proofs) if not is_there(name)] == []


def test_what_the_text_above_names_is_there() -> None:
    words = TABLE.read_text("utf-8").partition("\n## ")[0]
    for name in named(words):
        if "/" in name:
            assert is_there(name) or (ROOT / "desktop" / name).is_file() or (ROOT / name).is_dir(), name


def test_a_test_that_is_gone_is_noticed() -> None:
    here = "tests/unit/house/test_deviations_table.py"
    assert is_there(f"{here}::test_a_test_that_is_gone_is_noticed")
    for gone in (
        f"{here}::test_nothing",
        f"{here}::ROWS",
        here,
        "tests/nowhere.py::test_x",
        "tests/data/streams/no.sse",
    ):
        assert not is_there(gone)
