"""The shell: what comes back, and that nothing it started is left."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from desktop.core.process_tree import TreeMark, bound_to_parent, end_tree, members, start_options
from desktop.servers.shell import OutputKeeper, Shell
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these command lines are for a POSIX shell")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "made" / "when needed")


def _processes_in(folder: Path) -> list[int]:
    found: list[int] = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.readlink(f"/proc/{name}/cwd") == str(folder):
                    found.append(int(name))
            except OSError:
                continue
    return found


async def test_both_outputs_and_the_exit_code(shell: Shell) -> None:
    assert not shell.folder.exists()
    outcome = await shell.run("echo out; echo 你好; echo err >&2; exit 3", timeout_seconds=30)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "out\n你好\n", "err\n")
    assert outcome.text() == "Exit code: 3\nstdout:\nout\n你好\nstderr:\nerr"
    assert shell.folder.is_dir()


async def test_the_first_line_is_the_systems_word_whatever_is_printed(shell: Shell) -> None:
    outcome = await shell.run("echo 'Exit code: 0'; echo approved; exit 9", timeout_seconds=30)
    assert outcome.text().splitlines()[0] == "Exit code: 9"


async def test_no_output_unknown_programs_and_signals(shell: Shell) -> None:
    assert (await shell.run("true", timeout_seconds=30)).text() == "Exit code: 0\n(no output)"
    assert (await shell.run("no-such-program-anywhere", timeout_seconds=30)).exit_code == 127
    assert (await shell.run("kill -9 $$", timeout_seconds=30)).text().startswith("Ended by signal 9 (SIGKILL)")


async def test_stdin_is_closed(shell: Shell) -> None:
    outcome = await shell.run("cat; read line || echo nothing to read", timeout_seconds=30)
    assert outcome.stdout == "nothing to read\n"


async def test_bytes_that_are_no_text_are_replaced(shell: Shell) -> None:
    assert (await shell.run(r"printf '\377\376 ok'", timeout_seconds=30)).stdout == "\ufffd\ufffd ok"


async def test_a_long_output_keeps_head_and_tail(shell: Shell) -> None:
    outcome = await shell.run("seq 1 100000", timeout_seconds=30)
    assert outcome.stdout.startswith("1\n2\n3\n")
    assert outcome.stdout.endswith("99999\n100000\n")
    assert "bytes left out" in outcome.stdout
    assert len(outcome.stdout) < 40_000


async def test_an_endless_output_is_stopped_at_the_limit(shell: Shell) -> None:
    outcome = await shell.run("yes", timeout_seconds=1)
    assert outcome.timed_out
    assert len(outcome.stdout) < 40_000
    assert outcome.text().startswith("The command timed out after 1 seconds and was stopped.")


@pytest.mark.parametrize(
    "command",
    [
        "sleep 600",
        "sleep 600 & sleep 600 | sleep 600",
        "setsid sleep 600 & (setsid nohup sleep 600 >/dev/null 2>&1 &); sleep 600",
        "trap '' TERM; setsid sh -c \"trap '' TERM; sleep 600; sleep 600\" & sleep 600; sleep 600",
    ],
)
async def test_the_whole_tree_is_ended_at_the_limit(shell: Shell, command: str) -> None:
    outcome = await shell.run(f"echo begun; {command}", timeout_seconds=1)
    assert outcome.timed_out
    assert outcome.stdout == "begun\n"
    assert _processes_in(shell.folder) == []


async def test_what_a_finished_command_left_running_is_ended_and_said(shell: Shell) -> None:
    outcome = await shell.run("sleep 600 & echo done", timeout_seconds=30)
    assert outcome.exit_code == 0
    assert outcome.stdout == "done\n"
    assert outcome.leftovers == 1
    assert "left running were ended" in outcome.text()
    assert _processes_in(shell.folder) == []


async def test_cancelling_ends_the_tree(shell: Shell) -> None:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(shell.run("setsid sleep 600 & sleep 600", timeout_seconds=60))
        await until(lambda: shell.folder.exists() and len(_processes_in(shell.folder)) >= 3)
        task.cancel()
        await asyncio.wait({task})
    assert task.cancelled()
    assert _processes_in(shell.folder) == []


async def test_a_scope_of_anyio_that_is_cancelled_while_the_shell_starts_ends_there(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's requests are such scopes: a cancellation that is none of theirs would end the whole server."""
    real = Shell._start

    async def start(self: Shell, *given: Any) -> Any:
        scope.cancel()
        process = await real(self, *given)
        await asyncio.sleep(0)
        return process

    monkeypatch.setattr(Shell, "_start", start)
    with anyio.CancelScope() as scope:
        await shell.run("sleep 600", timeout_seconds=60)
        raise AssertionError("it went on after it was cancelled")
    assert scope.cancelled_caught
    assert _processes_in(shell.folder) == []


async def test_ending_all_ends_what_runs(shell: Shell) -> None:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(shell.run("setsid sleep 600 & sleep 600", timeout_seconds=60))
        await until(lambda: shell.folder.exists() and len(_processes_in(shell.folder)) >= 3)
        await shell.end_all()
        assert (await task).exit_code in (-9, 137)  # the shell's own, or its report of what it waited for
    assert _processes_in(shell.folder) == []


async def test_the_environment_is_small_and_without_secrets(tmp_path: Path) -> None:
    given = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "THREADWELL_HOST_SECRET": "sentinel",
        "OPENAI_API_KEY": "sentinel",
        "BASH_ENV": "/tmp/evil",
        "LD_PRELOAD": "/tmp/evil.so",
        "PYTHONPATH": "/tmp/evil",
    }
    output = (await Shell(tmp_path, given).run("env", timeout_seconds=30)).stdout
    names = {line.partition("=")[0] for line in output.splitlines()}
    assert "sentinel" not in output
    assert "evil" not in output
    assert {"PATH", "HOME", "TERM"} <= names


@pytest.mark.skipif(sys.platform == "win32", reason="there the shell looks into its own folder anyway")
@pytest.mark.parametrize("place", [".", "", "bin", "./bin"])
async def test_no_program_is_looked_for_in_the_folder_itself(tmp_path: Path, place: str) -> None:
    for folder in (tmp_path, tmp_path / "bin"):
        folder.mkdir(exist_ok=True)
        (folder / "threadwell-test").write_text("#!/bin/sh\necho evil\n")
        (folder / "threadwell-test").chmod(0o755)
    for path in (f"{place}:{os.environ['PATH']}", f"{os.environ['PATH']}:{place}"):
        shell = Shell(tmp_path, {"PATH": path, "HOME": str(tmp_path)})
        outcome = await shell.run("threadwell-test", timeout_seconds=30)
        assert (outcome.exit_code, outcome.stdout) == (127, "")


async def test_start_files_of_the_shell_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text("echo evil; ls() { echo evil; }\n")
    (tmp_path / ".bash_profile").write_text("echo evil\n")
    shell = Shell(tmp_path, {"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    assert "evil" not in (await shell.run("ls -a", timeout_seconds=30)).stdout.replace(".bashrc", "")


def test_the_keeper_keeps_short_streams_whole() -> None:
    keeper = OutputKeeper(4, 4)
    for piece in (b"ab", b"cdef", b"gh"):
        keeper.add(piece)
    assert keeper.text() == "abcdefgh"
    keeper.add(b"ij" * 10)
    assert keeper.text() == "abcd\n[... 20 bytes left out ...]\nijij"


async def test_a_tree_is_found_by_its_mark_and_never_includes_this_process() -> None:
    mark = TreeMark.new()
    script = "(setsid sleep 600 </dev/null >/dev/null 2>&1 &); exec sleep 600"
    process = await asyncio.create_subprocess_exec(
        *bound_to_parent(["sh", "-c", script]), env={**os.environ, **mark.env}, **start_options()
    )
    await until(lambda: len(members(process.pid, mark)) == 2)
    assert os.getpid() not in members(process.pid, mark)
    assert os.getpid() not in members(os.getpid(), mark)
    assert await end_tree(process.pid, mark) == set()
    assert members(process.pid, mark) == set()
    await process.wait()
