"""Whether the sandbox holds is found out by starting one, and anew when there is a reason."""

import os
import threading
from pathlib import Path

import pytest

from desktop.core.bubblewrap import _SYSTEM_PATH, Bubblewrap
from desktop.core.sandbox_problems import SandboxError
from desktop.mcp_client.shell_sandbox import ShellSandbox
from desktop.tools.sandbox import SandboxHealth
from tests.support.sandboxed import require_sandbox


class Counted(ShellSandbox):
    """Counts how often a sandbox was started for a trial."""

    trials = 0

    async def _try(self, *, network: bool) -> None:
        self.trials += 1
        await super()._try(network=network)


def _use(monkeypatch: pytest.MonkeyPatch, program: Path, script: str) -> None:
    program.write_text(f"#!/bin/bash\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(Bubblewrap, "program", staticmethod(lambda: str(program)))


async def test_it_is_tried_once_and_again_when_a_command_could_not_start(tmp_path: Path) -> None:
    require_sandbox()
    work = tmp_path / "work"
    sandbox = Counted([tmp_path / "data"])
    for _ in range(3):
        assert (await sandbox.state(str(work))).holds
    assert sandbox.trials == 2  # alone, and with the network
    sandbox.forget()
    assert (await sandbox.state(str(work))).holds
    assert sandbox.trials == 4
    assert not work.exists()


async def test_nothing_of_a_trial_is_written_by_the_thread_of_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_sandbox()
    sync, writers = os.fsync, list[threading.Thread]()

    def noted(file: int) -> None:
        writers.append(threading.current_thread())
        sync(file)

    monkeypatch.setattr(os, "fsync", noted)
    assert (await ShellSandbox([tmp_path / "data"]).state(str(tmp_path / "work"))).holds
    assert len(writers) == 2, "a note on each sandbox"
    assert threading.main_thread() not in writers


async def test_the_folder_is_looked_at_each_time(tmp_path: Path) -> None:
    require_sandbox()
    sandbox = Counted([tmp_path / "data"])
    for folder, code in (
        ("/", "too_much"),
        (str(Path.home()), "too_much"),
        (str(tmp_path), "holds_data"),
        ("relative", "not_absolute"),
    ):
        state = await sandbox.state(folder)
        assert state.health is SandboxHealth.BROKEN
        assert state.problem is not None
        assert (state.problem.code, state.reason) == (code, state.problem.english)
    assert (await sandbox.state(str(tmp_path / "work"))).holds
    assert sandbox.trials == 2


async def test_a_folder_that_became_too_full_is_found_out_after_a_command_that_found_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_sandbox()
    sandbox = Counted([])
    assert (await sandbox.state(str(tmp_path))).holds
    monkeypatch.setattr("desktop.core.repositories.MOST_FILES", 3)
    for number in range(4):
        (tmp_path / str(number)).touch()
    sandbox.forget()
    state = await sandbox.state(str(tmp_path))
    assert state.problem is not None
    assert state.problem.code == "too_many_files"


async def test_one_that_does_not_start_does_not_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_sandbox()
    real = Bubblewrap.program()
    program = tmp_path / "bwrap"
    _use(monkeypatch, program, "echo 'bwrap: No permissions to create a new namespace' >&2; exit 1")
    sandbox = Counted([])
    state = await sandbox.state(str(tmp_path / "work"))
    assert state.health is SandboxHealth.BROKEN
    assert "No permissions to create a new namespace" in state.reason
    assert sandbox.trials == 1
    await sandbox.state(str(tmp_path / "work"))
    assert sandbox.trials == 1
    program.unlink()
    _use(monkeypatch, program, f'exec {real} "$@" # it was updated')
    assert (await sandbox.state(str(tmp_path / "work"))).holds
    assert sandbox.trials == 3


_RUNS_WITHOUT = """
while [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done
shift; exec "$@"
"""


async def test_one_that_holds_nothing_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_sandbox()
    _use(monkeypatch, tmp_path / "bwrap", _RUNS_WITHOUT)
    state = await ShellSandbox([]).state(str(tmp_path / "work"))
    assert state.problem is not None
    assert state.problem.code == "leaks"


async def test_one_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_sandbox()
    _use(monkeypatch, tmp_path / "bwrap", "exec sleep 600")
    state = await ShellSandbox([], patience_seconds=0.3).state(str(tmp_path / "work"))
    assert state.problem is not None
    assert state.problem.code == "does_not_start"


@pytest.mark.parametrize(
    ("code", "health"),
    [
        ("only_on_linux", SandboxHealth.MISSING),
        ("not_installed", SandboxHealth.MISSING),
        ("not_the_systems", SandboxHealth.BROKEN),
        ("unknown_machine", SandboxHealth.BROKEN),
    ],
)
async def test_a_system_without_one(monkeypatch: pytest.MonkeyPatch, code: str, health: SandboxHealth) -> None:
    def program() -> str:
        raise SandboxError(code, "x")

    monkeypatch.setattr(Bubblewrap, "program", staticmethod(program))
    state = await ShellSandbox([]).state("/work")
    assert (state.health, state.holds) == (health, False)
    assert state.reason


def test_only_the_systems_own_program_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_sandbox()
    planted = tmp_path / "bwrap"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o777)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Bubblewrap.program() != str(planted)
    monkeypatch.setattr("desktop.core.bubblewrap._SYSTEM_PATH", f"{tmp_path}:{_SYSTEM_PATH}")
    with pytest.raises(SandboxError, match="changed by others"):
        Bubblewrap.program()
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(SandboxError, match="only on Linux"):
        Bubblewrap.program()
