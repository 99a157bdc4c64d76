"""Which folders commands may run in, and which may be the one place that a sandbox can change."""

import os
import sys
from pathlib import Path

import pytest

import desktop
from desktop.core.sandbox_problems import PROBLEMS, SandboxProblem
from desktop.core.workspaces import folder_problem, resolved, sandbox_problem

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is a sandbox only on Linux")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


def _code(folder: object, home: Path, *data: Path) -> str:
    problem = sandbox_problem(str(folder), data=data, home=home)
    return problem.code if problem is not None else ""


def test_an_ordinary_folder_will_do_also_before_it_is_made(home: Path) -> None:
    data = home / ".local" / "share" / "threadwell"
    assert _code(home / "Documents" / "Threadwell", home, data) == ""
    assert _code("/srv/project", home, data) == ""


@pytest.mark.parametrize(
    "folder", ["/", "/home", "/tmp", "/usr", "/usr/share/x", "/etc/x", "/proc/self", "/run/user/1000/x"]
)
def test_what_belongs_to_all_is_too_much(home: Path, folder: str) -> None:
    assert _code(folder, home) in {"too_much", "is_link"}


def test_home_what_holds_it_and_what_is_hidden_in_it_are_too_much(home: Path) -> None:
    for folder in (home, home.parent, home / ".config" / "autostart", home / ".ssh", home / ".local" / "bin"):
        assert _code(folder, home) == "too_much", folder


def test_no_data_of_ours_in_it_around_it_or_still_to_be_made(home: Path) -> None:
    work = home / "work"
    for data in (work, work / "data", work / "not" / "yet", home):
        assert _code(work, home, data) == "holds_data", data
    assert _code(work, home, home / "work-data") == ""


def test_no_programs_that_run_outside(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(desktop.__file__).parent
    assert _code(package.parent, home) == "holds_programs"
    assert _code(package / "tools", home) == "holds_programs"
    assert _code(Path(sys.prefix).resolve(), home) in {"holds_programs", "too_much"}
    work = home / "work"
    assert _code(work, home) == ""
    monkeypatch.setenv("PATH", f"{work}/bin:relative:{os.environ['PATH']}")
    assert _code(work, home) == "holds_programs"


def test_links_are_followed_before_and_never_later(home: Path) -> None:
    real, link = home / "real", home / "link"
    real.mkdir()
    link.symlink_to(real)
    assert _code(link, home) == "is_link"
    assert _code(link / "below", home) == "is_link"
    assert _code(resolved(str(link)), home) == ""


@pytest.mark.parametrize("folder", ["", "work", "./x", "~/x", "/tmp/a\0b"])
def test_an_address_must_be_whole(home: Path, folder: str) -> None:
    assert _code(folder, home) == "not_absolute"
    problem = folder_problem(folder)
    assert problem is not None
    assert problem.code == "not_absolute"
    assert "\0" not in problem.english


def test_a_folder_must_be_there_and_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("gone", "file"):
        problem = folder_problem(str(tmp_path / name))
        assert problem is not None
        assert problem.code == "gone"
    assert folder_problem(str(tmp_path)) is None


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    problem = folder_problem(str(tmp_path))
    assert problem is not None
    assert problem.code == "not_yours"


def test_every_problem_has_words() -> None:
    for code, words in PROBLEMS.items():
        assert SandboxProblem(code, "/x").english.endswith(".") or "{detail}" in words
        assert "{" not in SandboxProblem(code, "/x").english
