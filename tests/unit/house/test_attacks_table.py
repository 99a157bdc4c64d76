"""The table of what tool servers may do names modules and tests that are there."""

import pytest

from tests.support.proof_tables import is_there, named, rows_of
from tests.support.source_tree import ROOT

ROWS = rows_of("desktop/mcp_client/ATTACKS.md")


def test_the_table_is_read() -> None:
    assert len(ROWS) > 40
    assert all(len(row) == 3 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_each_attack_has_its_modules_and_its_tests(row: list[str]) -> None:
    _, modules, proofs = row
    assert named(modules)
    assert named(proofs)
    assert [name for name in named(modules) if not (ROOT / "desktop" / name).is_file()] == []
    assert [name for name in named(proofs) if not is_there(name)] == []
