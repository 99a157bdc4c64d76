"""One program per data folder, shown with real second processes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop.app import instance_lock
from desktop.app.instance_lock import InstanceLock, process_start
from desktop.core.errors import StorageError

_ROOT = Path(__file__).parents[3]
_PROGRAM = """
import sys
from pathlib import Path
from desktop.app.instance_lock import InstanceLock
from desktop.core.errors import StorageError
try:
    lock = InstanceLock.acquire(Path(sys.argv[1]), sys.argv[2])
except StorageError as error:
    sys.exit(f"{error.code} {error.params['holder']}")
sys.stdout.write("held\\n")
sys.stdout.flush()
sys.stdin.read()
"""


def start(path: Path, holder: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(path), holder],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def held_by_another(path: Path, holder: str) -> "Iterator[subprocess.Popen[str]]":
    process = start(path, holder)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate(timeout=30)


def test_a_second_process_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "data" / "instance.lock"
    with InstanceLock.acquire(path, "Threadwell window"):
        _, errors = start(path, "Threadwell ask").communicate(timeout=30)
    assert errors.strip() == f"storage.busy Threadwell window (process {os.getpid()})"


def test_the_lock_of_another_process_is_respected_until_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "instance.lock"
    with held_by_another(path, "Threadwell window") as process:
        with pytest.raises(StorageError) as failure:
            InstanceLock.acquire(path, "second")
        assert failure.value.code == "storage.busy"
        assert failure.value.params == {
            "holder": f"Threadwell window (process {process.pid})",
            "path": str(tmp_path),
        }
    with InstanceLock.acquire(path, "second"):  # it was killed: its text is still there, its lock is not
        record = json.loads(path.read_text())
    assert (record["holder"], record["pid"], record["started"]) == ("second", os.getpid(), process_start(os.getpid()))


def test_a_released_lock_can_be_taken_again_and_leaves_no_name(tmp_path: Path) -> None:
    path = tmp_path / "instance.lock"
    lock = InstanceLock.acquire(path, "first")
    lock.release()
    lock.release()
    assert path.read_bytes() == b""
    with held_by_another(path, "second"):
        pass


def test_a_child_of_the_holder_does_not_keep_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "instance.lock"
    with InstanceLock.acquire(path, "parent"):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    try:
        with held_by_another(path, "next"):
            pass
    finally:
        child.communicate(b"\n", timeout=30)


def test_a_race_has_exactly_one_winner(tmp_path: Path) -> None:
    path = tmp_path / "instance.lock"
    processes = [start(path, f"racer {number}") for number in range(6)]
    try:
        first_lines = []
        for process in processes:
            assert process.stdout is not None
            first_lines.append(process.stdout.readline())  # "held", or the end of the loser's output
        assert sorted(first_lines) == ["", "", "", "", "", "held\n"]
    finally:
        for process in processes:
            process.kill()
            process.communicate(timeout=30)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xfe", b"[" * 4000, b'{"pid": 1, "holder": 7}']
)
def test_whatever_a_stale_file_holds_it_is_no_hindrance(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "instance.lock"
    path.write_bytes(text)
    with InstanceLock.acquire(path, "new"):
        assert json.loads(path.read_text())["holder"] == "new"


def test_a_busy_lock_with_unreadable_text_still_has_a_holder(tmp_path: Path) -> None:
    path = tmp_path / "instance.lock"
    with held_by_another(path, "bell \a and\n line"):
        with pytest.raises(StorageError) as failure:
            InstanceLock.acquire(path, "second")
        assert "bell  and line (process" in str(failure.value.params["holder"])
        path.write_text("nonsense")
        with pytest.raises(StorageError) as failure:
            InstanceLock.acquire(path, "second")
        assert failure.value.params["holder"] == "Another program"


def test_what_cannot_be_a_lock_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    for name in ("folder", "link", "pipe", "file/instance.lock"):
        with pytest.raises(StorageError) as failure:
            InstanceLock.acquire(tmp_path / name, "window")
        assert failure.value.code == "storage.unwritable", name
    assert not (tmp_path / "target").exists()


@pytest.mark.expected_log("no locks")
def test_where_files_cannot_be_locked_a_living_process_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows locks on every file system")

    def no_locks(handle: int, operation: int) -> None:
        if operation != instance_lock.fcntl.LOCK_UN:
            raise OSError(95, "Operation not supported")

    monkeypatch.setattr(instance_lock.fcntl, "flock", no_locks)
    path = tmp_path / "instance.lock"
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        record = {"pid": other.pid, "started": process_start(other.pid), "holder": "window"}
        path.write_text(json.dumps(record))
        with pytest.raises(StorageError) as failure:
            InstanceLock.acquire(path, "second")
        assert failure.value.code == "storage.busy"
        path.write_text(json.dumps(record | {"started": "another boot:1"}))  # the process id was used again
        InstanceLock.acquire(path, "second").release()
    finally:
        other.communicate(b"\n", timeout=30)
