"""Where the data folder is: that of the user, or beside a packaged program that is carried about."""

import sys
from pathlib import Path

import pytest

from desktop.core.paths import PORTABLE, default_data_folder, portable_data_folder


@pytest.fixture
def usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    usual = default_data_folder()
    program = tmp_path / "U 盘" / "threadwell"
    program.parent.mkdir()
    monkeypatch.setattr(sys, "executable", str(program))
    return usual


def test_a_folder_beside_the_packaged_program_is_used(
    usual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert default_data_folder() == usual
    (tmp_path / "U 盘" / PORTABLE).mkdir()
    assert default_data_folder() == tmp_path / "U 盘" / PORTABLE


def test_from_its_source_it_is_never_portable(usual: Path, tmp_path: Path) -> None:
    (tmp_path / "U 盘" / PORTABLE).mkdir()
    assert portable_data_folder() is None
    assert default_data_folder() == usual


def test_a_file_of_that_name_is_no_folder(usual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    (tmp_path / "U 盘" / PORTABLE).write_text("x", "utf-8")
    assert default_data_folder() == usual
