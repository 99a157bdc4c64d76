"""The table of endpoints' deviations names modules, streams and tests that are there."""

import pytest

from tests.support.proof_tables import is_there, named, rows_of
from tests.support.source_tree import ROOT

TABLE = ROOT / "desktop" / "providers" / "DEVIATIONS.md"
ROWS = rows_of("desktop/providers/DEVIATIONS.md")


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
