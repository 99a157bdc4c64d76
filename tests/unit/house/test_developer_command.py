"""``packaging/dev.py``: what it says, and how it makes, keeps, mends and shares the virtual environment."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import PySide6
import pytest
from PySide6.QtCore import QTranslator

from tests.support.source_tree import ROOT

BASE_PYTHON = str(getattr(sys, "_base_executable", sys.executable))


def dev(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BASE_PYTHON, str(root / "packaging" / "dev.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_the_readme_ci_and_the_command_agree() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = set(re.findall(r"^python3 packaging/dev\.py \w+", readme, re.MULTILINE))
    assert {"python3 packaging/dev.py run", "python3 packaging/dev.py test"} <= commands
    in_ci = re.findall(r"^python3 packaging/dev\.py \w+", ci, re.MULTILINE)
    assert in_ci == [f"python3 packaging/dev.py {command}" for command in ("servers", "test", "check")]
    usage = dev("--help")
    assert usage.returncode == 0
    for command in {*commands, *in_ci}:
        assert f"\n  {command.split()[-1]} " in usage.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [((), 2, "usage:"), (("fly",), 2, "no command 'fly'"), (("package",), 1, "not built yet")],
)
def test_it_says_what_it_cannot_do(arguments: tuple[str, ...], status: int, text: str) -> None:
    result = dev(*arguments)
    assert result.returncode == status
    assert text in result.stdout + result.stderr


def test_a_python_that_is_too_old_is_told_so() -> None:
    program = "import dev, sys; dev.OLDEST, dev.NEWEST = (4, 0), (4, 1); sys.exit(dev.start())"
    run = subprocess.run(
        [BASE_PYTHON, "-c", program], cwd=ROOT / "packaging", capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stdout.startswith("dev: Threadwell needs Python 3.11, 3.12 or 3.13; this is ")


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path, str], ModuleType]]:
    """Imports a module that lies beside a ``dev.py``."""

    def load(folder: Path, name: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(folder))
        return importlib.import_module(name)

    yield load
    for name in ("dev_system", "dev_environment", "dev_translations"):
        sys.modules.pop(name, None)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the real set-up code and locks that hold nothing, so that no registry is asked."""
    shutil.copytree(
        ROOT / "packaging", tmp_path / "packaging", ignore=shutil.ignore_patterns("__pycache__", "*.txt", "*.md")
    )
    (tmp_path / "packaging" / "lock").mkdir(exist_ok=True)
    for name in ("run", "dev"):
        (tmp_path / "packaging" / "lock" / f"{name}.txt").write_text(f"# nothing in {name}\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return tmp_path


def set_up(project: Path, wanted: str) -> subprocess.Popen[str]:
    program = f"import dev_environment; print(dev_environment.prepare({wanted!r}))"
    return subprocess.Popen(
        [BASE_PYTHON, "-c", program],
        cwd=project / "packaging",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    return output


def stamp(project: Path) -> dict[str, str]:
    return json.loads((project / ".venv" / "threadwell-stamp.json").read_text(encoding="utf-8"))


@pytest.mark.timeout(400)  # makes two environments, each some seconds on a quiet machine
def test_the_environment_is_made_once_and_kept_while_it_fits(project: Path) -> None:
    """One story, since each making takes seconds: made by one of two at once, kept, completed, made anew."""
    outputs = [finished(process) for process in [set_up(project, "run"), set_up(project, "run")]]
    assert sum("making the virtual environment" in output for output in outputs) == 1
    python = Path(outputs[0].splitlines()[-1])
    assert python.is_relative_to(project / ".venv")
    where = subprocess.run([python, "-c", "import sys; print(sys.path)"], capture_output=True, text=True, check=True)
    assert str(project) in where.stdout, "the checkout is importable from anywhere"

    mark = project / ".venv" / "mark"
    mark.touch()
    assert finished(set_up(project, "run")).splitlines() == [str(python)]
    assert "dev" not in stamp(project)
    assert "completing" in finished(set_up(project, "dev"))
    assert finished(set_up(project, "run")).splitlines() == [str(python)], "what tests install satisfies run"
    assert mark.exists()

    (project / ".venv" / "threadwell-stamp.json").unlink()
    assert "adopting the .venv that is here" in finished(set_up(project, "run"))
    (project / "packaging" / "lock" / "dev.txt").write_text("# moved\n")
    assert finished(set_up(project, "run")).splitlines() == [str(python)], "run does not care about the dev lock"
    assert mark.exists()

    (project / ".venv" / "threadwell-unfinished").touch()
    (project / ".venv" / "threadwell-stamp.json").unlink()
    (project / "packaging" / "lock" / "run.txt").write_text(f"nowhere==1.0 --hash=sha256:{'0' * 64}\n")
    process = set_up(project, "run")
    output, _ = process.communicate(timeout=300)
    assert "removing the old virtual environment" in output, "an interrupted call left it"
    assert "making the virtual environment" in output
    assert not mark.exists()
    assert process.returncode != 0
    assert "could not be installed" in output
    assert not (project / ".venv").exists(), "a failure leaves nothing half-made"


def test_another_lock_or_python_means_another_environment(
    project: Path, modules: Callable[[Path, str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = modules(project / "packaging", "dev_environment")
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to(BASE_PYTHON)
    (project / ".venv" / "Scripts").symlink_to(project / ".venv" / "bin")
    (project / ".venv" / "bin" / "python.exe").symlink_to(BASE_PYTHON)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    (project / ".venv" / "pyvenv.cfg").write_text(f"home = /somewhere\nversion = {version}.4\n")
    monkeypatch.setattr(environment, "_works", lambda command: True)  # whether this Python has pip is no matter here
    stamp_file = project / ".venv" / "threadwell-stamp.json"
    stamp_file.write_text(json.dumps(environment._stamp("run")))
    assert environment._is_ready("run")
    assert not environment._is_ready("dev")
    assert environment._reuse("dev") is not None

    with monkeypatch.context() as patch:
        patch.setattr(environment, "_python_version", lambda: "3.99")
        assert not environment._is_ready("run")
        assert environment._reuse("run") is None
    (project / "packaging" / "lock" / "run.txt").write_text("# moved\n")
    assert not environment._is_ready("run")
    assert environment._reuse("run") is None
    stamp_file.write_text("{half")
    assert not environment._is_ready("run")


@pytest.fixture
def without_ensurepip(
    project: Path, modules: Callable[[Path, str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> ModuleType:
    """The set-up on a Python like that of a bare Debian, whose venv cannot bring pip."""
    environment = modules(project / "packaging", "dev_environment")
    make = environment._make
    monkeypatch.setattr(environment, "_make", lambda way, *options: bool(options) and make(way, *options))
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    return environment


def test_without_ensurepip_the_pip_of_the_system_fills_the_environment(without_ensurepip: ModuleType) -> None:
    if not without_ensurepip._system_pip_can():
        pytest.skip("this Python has no pip of 22.3 or newer")
    assert without_ensurepip.missing_packages("run") == []
    python = without_ensurepip.prepare("run")
    assert subprocess.run([python, "-m", "pip"], capture_output=True, check=False).returncode != 0
    assert without_ensurepip._is_ready("run")


def test_without_any_pip_uv_fills_the_environment(
    without_ensurepip: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("uv") is None:
        pytest.skip("uv is not on the PATH")
    monkeypatch.setattr(without_ensurepip, "_system_pip_can", lambda: False)
    monkeypatch.setenv("UV_OFFLINE", "1")
    assert without_ensurepip.missing_packages("run") == []
    without_ensurepip.prepare("run")
    assert without_ensurepip._is_ready("run")


def test_without_any_way_the_package_is_named(
    without_ensurepip: ModuleType, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    monkeypatch.setattr(without_ensurepip, "_system_pip_can", lambda: False)
    monkeypatch.setattr(without_ensurepip.shutil, "which", lambda name: None)
    assert without_ensurepip.missing_packages("run") == ["python3-venv"]
    with pytest.raises(Exception, match=r"cannot make a virtual environment.*\n.*python3-venv"):
        without_ensurepip.prepare("run")
    assert not (project / ".venv").exists()


TRANSLATION = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context><name>Window</name>
<message><source>Send</source><translation>发送</translation></message>
</context>
</TS>
"""


def test_translations_are_compiled_when_they_have_changed(
    tmp_path: Path,
    modules: Callable[[Path, str], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    translations = modules(ROOT / "packaging", "dev_translations")
    monkeypatch.setattr(translations, "FOLDER", tmp_path)
    monkeypatch.setattr(translations, "site_packages", lambda: Path(PySide6.__file__).parents[1])
    source, result = tmp_path / "threadwell_zh_CN.ts", tmp_path / "threadwell_zh_CN.qm"
    translations.compile_changed()
    source.write_text(TRANSLATION, encoding="utf-8")
    translations.compile_changed()
    translator = QTranslator()
    assert translator.load(str(result))
    assert translator.translate("Window", "Send") == "发送"
    assert "compiling translations: threadwell_zh_CN" in capsys.readouterr().out

    os.utime(source, (0, 0))
    translations.compile_changed()
    assert capsys.readouterr().out == ""
    result.unlink()
    source.write_text("no translation at all", encoding="utf-8")
    with pytest.raises(modules(ROOT / "packaging", "dev_system").SetupError, match="lrelease refused"):
        translations.compile_changed()
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the wheels bring what Qt needs")
class TestMissingSystemParts:
    """What is missing is named with the one command, or installed where that is allowed."""

    @pytest.fixture(autouse=True)
    def bare(self, modules: Callable[[Path, str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
        self.system = system = modules(ROOT / "packaging", "dev_system")
        monkeypatch.setattr(system, "QT_LIBRARIES", {"libc.so.6": "libc6", "libnothing.so.9": "libnothing9"})
        monkeypatch.setattr(system, "_is_debian", lambda: True)
        monkeypatch.setattr(system, "_missing_fonts", lambda: ["emoji"])

    def test_an_ordinary_user_gets_the_one_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        with pytest.raises(self.system.SetupError) as caught:
            self.system.prepare(window=False, packages=["python3-venv"])
        command = "sudo apt-get update && sudo apt-get install -y --no-install-recommends"
        assert f"    {command} python3-venv libnothing9 fonts-noto-color-emoji\n" in str(caught.value)
        assert "libc.so.6" not in str(caught.value)

    def test_a_missing_font_is_named_and_nothing_stops(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        monkeypatch.setattr(self.system, "QT_LIBRARIES", {})
        self.system.prepare(window=False, packages=[])
        assert "no font for emoji" in capsys.readouterr().out

    def test_root_on_debian_installs_and_says_so(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        apt = tmp_path / "apt-get"
        apt.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n')
        apt.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        with pytest.raises(self.system.SetupError, match="still missing after the installation: libnothing"):
            self.system.prepare(window=False, packages=[])
        assert (tmp_path / "calls").read_text().splitlines() == [
            "-q update",
            "-q install -y --no-install-recommends libnothing9",
        ]
        assert "installing what Qt and the set-up need with apt-get" in capsys.readouterr().out

    def test_a_failing_apt_is_shown_with_the_command(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        apt = tmp_path / "apt-get"
        apt.write_text("#!/bin/sh\necho 'E: no such package'\nexit 100\n")
        apt.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        with pytest.raises(
            self.system.SetupError, match=r"(?s)apt-get update failed:\nE: no such package.*sudo apt-get"
        ):
            self.system.prepare(window=False, packages=[])

    @pytest.mark.parametrize(
        ("variables", "expected"),
        [
            ({}, False),
            ({"DISPLAY": ":0"}, True),
            ({"WAYLAND_DISPLAY": "wayland-0"}, True),
            ({"QT_QPA_PLATFORM": "vnc"}, True),
        ],
    )
    def test_a_display_is_recognised(
        self, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: bool
    ) -> None:
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert self.system.has_display() is expected
