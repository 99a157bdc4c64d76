"""Real commands in a real sandbox: what they may, what they cannot, and that nothing else is run instead."""

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.core.bubblewrap import _HIDDEN, Bubblewrap, Limits
from desktop.core.sandbox_problems import SandboxError
from desktop.core.sandbox_profile import SandboxProfile
from desktop.servers.shell import CommandOutcome, FolderError, Shell
from tests.support.sandboxed import processes_with, require_sandbox
from tests.support.waiting import until

_OUTSIDE = 177
"""Ends a command that finds itself outside a sandbox, before it does anything."""
_OWN = f"threadwell-test-{os.getpid()}"


@pytest.fixture(autouse=True)
def _needed() -> None:
    require_sandbox()


def _try_to_make(path: str) -> str:
    """A command that says so when it could make this file, and takes it away again."""
    return f"{{ echo bad > {path}; }} && rm {path} && echo made {path}"


class Place:
    """A home folder with the app's data in it, and a workspace. Where no sandbox hides the data, nothing is run."""

    def __init__(self, base: Path, limits: Limits | None = None) -> None:
        self.home = Path.home()
        self.data = base / "data"
        self.data.mkdir()
        (self.data / "settings.json").write_text("{}")
        self.work = base / "work"
        self.work.mkdir()
        self.shell = Shell(base / "usual", sandbox=Bubblewrap([self.data], limits=limits))

    async def run(self, command: str, *, network: bool = False, seconds: float = 30) -> CommandOutcome:
        profile = SandboxProfile.WORKSPACE_WITH_NETWORK if network else SandboxProfile.WORKSPACE
        command = f"[ ! -e {self.data}/settings.json ] || exit {_OUTSIDE}\n{command}"
        outcome = await self.shell.run(command, timeout_seconds=seconds, folder=str(self.work), profile=profile)
        assert outcome.exit_code != _OUTSIDE, "it was not held"
        return outcome

    @property
    def left(self) -> list[str]:
        return sorted(path.name for path in self.work.iterdir())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def _exists(path: str) -> bool:
    return os.path.lexists(path)


def _remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)


BOTH = pytest.mark.parametrize("network", [False, True], ids=["alone", "network"])


@BOTH
async def test_it_works_in_its_folder_and_sees_the_system(place: Place, network: bool) -> None:
    outcome = await place.run(
        "pwd; echo hello > made; cat made; ls /usr/bin | wc -l; echo err >&2; exit 3", network=network
    )
    assert outcome.exit_code == 3
    assert outcome.stdout.startswith(f"{place.work}\nhello\n")
    assert outcome.stderr == "err\n"
    assert (place.work / "made").read_text() == "hello\n"
    assert place.left == ["made"]


@BOTH
async def test_nothing_else_can_be_changed(place: Place, network: bool) -> None:
    """What is tried would do no harm where it succeeds."""
    folders = ["/etc", "/usr/bin", "/var/lib", "", "/srv", "/dev", "/run", "/sys"]
    targets = [f"{folder}/{_OWN}" for folder in folders]
    name = "/proc/sys/kernel/hostname"
    tries = [_try_to_make(target) for target in targets]
    tries += [f"echo $(cat {name}) > {name} && echo made {name}"]
    tries += [f"chmod --reference={path} {path} && echo made {path}" for path in ("/etc/passwd", "/usr/bin/env")]
    removal = "LC_ALL=C rmdir /etc /usr/bin 2>&1"  # they are not empty
    outcome = await place.run("; ".join([*tries, removal]), network=network)
    assert "made" not in outcome.stdout
    assert outcome.stdout.count("Read-only file system") == 2
    assert not any(_exists(target) for target in targets)


@BOTH
async def test_home_and_what_others_left_in_temporary_folders_is_hidden(place: Place, network: bool) -> None:
    (place.home / "private").write_text("sentinel")
    outside = place.work.parent / "outside"
    outside.write_text("sentinel")
    outcome = await place.run(
        f"cat ~/private {outside}; ls -A ~ /root /home /mnt /media; cat ~/.ssh/* ", network=network
    )
    assert "sentinel" not in outcome.stdout + outcome.stderr
    assert outcome.exit_code != 0
    temporary = f"/tmp/{_OWN}"
    try:
        made = await place.run(f"echo x > ~/made && echo x > {temporary} && cat ~/made", network=network)
        assert made.stdout == "x\n"  # programs that need a home have one, and it is gone afterwards
        assert not (place.home / "made").exists()
        assert not _exists(temporary)
    finally:
        _remove(temporary)


@BOTH
async def test_settings_and_permissions_are_not_there(place: Place, network: bool) -> None:
    data = place.data
    outcome = await place.run(
        f"cat {data}/settings.json; ls -A {data}; echo evil > {data}/settings.json; echo evil > {data}/new; mv {data} x",
        network=network,
    )
    assert outcome.stdout == ""
    assert (data / "settings.json").read_text() == "{}"
    assert sorted(path.name for path in data.iterdir()) == ["sandboxes", "settings.json"]


async def test_a_workspace_with_our_data_in_it_is_refused_also_before_they_are_there(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    shell = Shell(tmp_path, sandbox=Bubblewrap([work / "still" / "to be made"]))
    with pytest.raises(SandboxError, match="data"):
        await shell.run("touch ran", timeout_seconds=30, folder=str(work), profile=SandboxProfile.WORKSPACE)
    assert list(work.iterdir()) == []


FOLDERS = [".git/hooks", ".vscode", ".idea", ".config/autostart"]
PROTECTED = [*FOLDERS, ".git/config", ".envrc", ".mcp.json"]


@pytest.mark.parametrize("name", PROTECTED)
async def test_what_others_start_by_themselves_cannot_be_made(place: Place, name: str) -> None:
    folder = os.path.dirname(name) or "."
    elsewhere = place.work.parent / "elsewhere"
    outcome = await place.run(
        f"mkdir -p {folder}; echo evil > {name}; mkdir -p {name} && echo evil > {name}/x; ln -sf {elsewhere} {name};"
        f" rm -rf {name.partition('/')[0]}; mv {name.partition('/')[0]} moved; mkdir -p {folder}; echo evil > {name}"
    )
    assert outcome.exit_code is not None
    assert place.left == []


@pytest.mark.parametrize(
    ("base", "name"), [*(("", name) for name in PROTECTED), ("sub/", ".git/hooks"), ("sub/", ".git/config")]
)
async def test_what_others_start_by_themselves_cannot_be_changed(place: Place, base: str, name: str) -> None:
    kept = place.work / base / name
    content = kept / "own" if name in FOLDERS else kept
    content.parent.mkdir(parents=True, exist_ok=True)
    content.write_text("own")
    elsewhere = place.work.parent / "elsewhere"
    top = f"{base}{name.partition('/')[0]}"
    outcome = await place.run(
        f"cat {content}; echo evil > {content}; echo evil > {kept}/new; rm -rf {kept}; mv {kept} x; mv {top} y;"
        f" mv {base or top} z; ln -sfn {elsewhere} {kept}; mkdir -p {kept.parent}; echo evil > {content}"
    )
    assert outcome.stdout == "own"
    assert content.read_text() == "own"
    assert not kept.is_symlink()
    assert [content] == (list(kept.iterdir()) if name in FOLDERS else [kept])


async def test_a_repository_can_be_worked_in(place: Place) -> None:
    init = "git init -q . && git config user.name N && git config user.email e@x.invalid"
    made = await place.shell.run(init, timeout_seconds=30, folder=str(place.work))
    assert made.exit_code == 0, made.text()
    outcome = await place.run("echo x > a && git add a && git commit -qm first && git log --format=%s && git status -s")
    assert (outcome.exit_code, outcome.stdout) == (0, "first\n"), outcome.text()
    evil = await place.run("git config core.fsmonitor evil; echo ../evil > .git/commondir; ls .git/hooks >/dev/null")
    assert evil.exit_code is not None
    assert "fsmonitor" not in (place.work / ".git" / "config").read_text()
    assert not (place.work / ".git" / "commondir").exists()


async def test_a_link_among_the_protected_is_a_reason_not_to_run(place: Place) -> None:
    (place.work / "elsewhere").mkdir()
    (place.work / ".vscode").symlink_to("elsewhere")
    with pytest.raises(SandboxError, match="link"):
        await place.run("touch ran")
    assert not (place.work / "ran").exists()


async def test_parallel_commands_do_not_take_each_others_protection_away(place: Place) -> None:
    go = place.work / "go"
    async with asyncio.TaskGroup() as group:
        slow = group.create_task(
            place.run("until [ -e go ]; do sleep 0.02; done; echo evil > .envrc; mkdir .git/hooks")
        )
        await until(lambda: (place.work / ".envrc").is_dir())
        assert (await place.run("true")).exit_code == 0
        assert (place.work / ".envrc").is_dir()
        go.touch()
        assert (await slow).exit_code != 0
    assert place.left == ["go"]


async def test_the_folder_may_not_be_exchanged_for_a_link(place: Place) -> None:
    secret = place.work.parent / "secret"
    secret.mkdir()
    (secret / "file").write_text("sentinel")
    place.work.rmdir()
    place.work.symlink_to(secret)
    for profile in SandboxProfile:
        with pytest.raises(FolderError, match="link"):
            await place.shell.run("cat file; touch ran", timeout_seconds=30, folder=str(place.work), profile=profile)
    assert not (secret / "ran").exists()


async def test_a_folder_that_was_exchanged_in_the_last_moment_is_noticed_inside(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workspace is another one by the time it is mounted."""
    real = Bubblewrap._mounts

    def exchange(self: Bubblewrap, workspace: Path, *given: object, **named: object) -> list[str]:
        mounts = real(self, workspace, *given, **named)  # type: ignore[arg-type]
        workspace.rename(workspace.with_name("moved"))
        workspace.mkdir()
        return mounts

    monkeypatch.setattr(Bubblewrap, "_mounts", exchange)
    with pytest.raises(SandboxError, match="exchanged"):
        await place.run("touch ran")
    assert [path.name for path in place.work.iterdir()] == []


@pytest.mark.parametrize("folder", ["gone", "file"])
async def test_a_folder_that_is_gone_is_not_made(place: Place, folder: str) -> None:
    (place.work / "file").touch()
    with pytest.raises(FolderError, match="exist"):
        await place.shell.run("true", timeout_seconds=30, folder=str(place.work / folder))
    assert place.left == ["file"]


async def test_its_own_folder_is_made_when_needed(place: Place) -> None:
    usual = place.shell.folder
    outcome = await place.shell.run(
        "touch here", timeout_seconds=30, folder=str(usual), profile=SandboxProfile.WORKSPACE
    )
    assert outcome.exit_code == 0
    assert [path.name for path in usual.iterdir()] == ["here"]


_ROOTS = "/proc/self/root /proc/1/root /proc/self/cwd/../../../.. /proc/thread-self/root"


@BOTH
async def test_no_way_around_through_proc(place: Place, network: bool) -> None:
    outside = place.work.parent / "outside"
    outside.write_text("sentinel")
    outcome = await place.run(
        f"for r in {_ROOTS}; do cat $r{outside}; echo evil > $r{outside}; {_try_to_make(f'$r/etc/{_OWN}')}; done;"
        " ls /proc/[0-9]*/cwd/ /proc/[0-9]*/fd/ ; true",
        network=network,
    )
    assert "sentinel" not in outcome.stdout
    assert "made" not in outcome.stdout
    assert outside.read_text() == "sentinel"
    assert not _exists(f"/etc/{_OWN}")


async def test_a_copied_program_and_the_loader_are_held_as_well(place: Place) -> None:
    outcome = await place.run(
        f"say='{_try_to_make(f'/etc/{_OWN}')}; echo ran'; cp /bin/sh ./harmless; chmod +x harmless; ./harmless -c \"$say\";"
        ' for l in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.*; do [ -e $l ] && $l ./harmless -c "$say"; done'
    )
    assert outcome.stdout.count("ran") >= 2, outcome.text()
    assert "made" not in outcome.stdout
    assert not _exists(f"/etc/{_OWN}")


@BOTH
async def test_no_rights_can_be_had(place: Place, network: bool) -> None:
    outcome = await place.run(
        "grep -E '^(CapPrm|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status;"
        " mkdir own; mount -o remount,rw / && echo remounted; mount -t tmpfs x own && echo mounted;"
        " unshare -Ur true && echo unshared; chroot / true && echo rooted; nsenter -t 1 -m true && echo entered;"
        " umount -l . && echo unmounted; umount -l ~ && echo unmounted",
        network=network,
    )
    values = dict(line.split(":\t") for line in outcome.stdout.splitlines() if ":\t" in line)
    assert {name: int(value, 16) for name, value in values.items() if name.startswith("Cap")} == {
        "CapPrm": 0,
        "CapEff": 0,
        "CapBnd": 0,
    }
    assert (values["NoNewPrivs"], values["Seccomp"]) == ("1", "2")
    assert not any(word in outcome.stdout for word in ("remounted", "mounted", "unshared", "rooted", "entered"))


class Listener:
    """Somebody who waits at a socket and notes who came."""

    def __init__(self, family: int, address: object) -> None:
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.bind(address)  # type: ignore[arg-type]
        self._socket.listen()
        self.address = self._socket.getsockname()
        self.visits = 0
        self._thread = threading.Thread(target=self._wait)
        self._thread.start()

    def _wait(self) -> None:
        while True:
            try:
                visitor = self._socket.accept()[0]
            except OSError:
                return
            self.visits += 1
            visitor.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def listeners(place: Place, tmp_path: Path) -> Iterator[dict[str, Listener]]:
    beside = Path(f"/var/lib/threadwell-test-{os.getpid()}") if os.geteuid() == 0 else tmp_path / "beside"
    beside.mkdir()
    found = {
        "network": Listener(socket.AF_INET, ("127.0.0.1", 0)),
        "temporary": Listener(socket.AF_UNIX, str(tmp_path / "s")),
        "workspace": Listener(socket.AF_UNIX, str(place.work / "s")),
        "system": Listener(socket.AF_UNIX, str(beside / "docker.sock")),
        "named": Listener(socket.AF_UNIX, f"\0threadwell-test-{os.getpid()}"),
    }
    yield found
    for listener in found.values():
        listener.close()
    (beside / "docker.sock").unlink()
    beside.rmdir()


def _visible_python() -> str:
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        hidden = [os.path.realpath(str(folder)) for folder in (*_HIDDEN, Path.home())]
        if _exists(python) and not any(Path(python).is_relative_to(folder) for folder in hidden):
            return python
    pytest.skip("there is no Python where a sandbox shows it")


_CONNECT = """
import socket, sys
for family, address in {targets!r}:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as s:
            s.settimeout(5)
            s.connect(address)
            print("reached", address)
    except OSError as error:
        print(type(error).__name__)
"""


@BOTH
async def test_no_socket_leads_out(place: Place, listeners: dict[str, Listener], network: bool) -> None:
    """Neither the display, the session's bus, containers nor key agents: all of them are sockets of this machine."""
    targets = [(2 if name == "network" else 1, listener.address) for name, listener in listeners.items()]
    (place.work / "connect.py").write_text(_CONNECT.format(targets=targets))
    outcome = await place.run(f"{_visible_python()} connect.py", network=network)
    assert outcome.exit_code == 0, outcome.text()
    visited = {name for name, listener in listeners.items() if listener.visits}
    assert visited == ({"network"} if network else set())
    assert outcome.stdout.count("reached") == len(visited)
    assert "SSH_AUTH_SOCK" not in (await place.run("env", network=network)).stdout


_SEND = """
import socket
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
    try:
        one, _ = socket.socketpair(socket.AF_UNIX, kind)
        one.sendto(b"reached", "\\0{name}")
        print("sent")
    except OSError as error:
        print(type(error).__name__)
"""


@BOTH
async def test_no_pair_of_sockets_sends_to_a_name(place: Place, network: bool) -> None:
    """Those that are not bound to each other can send to whomever they name."""
    name = f"threadwell-test-{os.getpid()}"
    (place.work / "send.py").write_text(_SEND.format(name=name))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(f"\0{name}")
        receiver.setblocking(False)
        outcome = await place.run(f"{_visible_python()} send.py", network=network)
        assert outcome.exit_code == 0, outcome.text()
        assert "sent" not in outcome.stdout
        with pytest.raises(BlockingIOError):
            receiver.recv(100)


@BOTH
async def test_no_other_process_is_seen_or_reached(place: Place, network: bool) -> None:
    outcome = await place.run(
        f"kill -0 {os.getpid()}; ls -d /proc/[0-9]* | wc -l; ps -e | grep -c python", network=network
    )
    assert int(outcome.stdout.splitlines()[0]) < 10
    assert "No such process" in outcome.stderr


async def test_the_environment_leads_nowhere(tmp_path: Path) -> None:
    given = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        **dict.fromkeys(("THREADWELL_HOST_SECRET", "OPENAI_API_KEY", "SSH_AUTH_SOCK", "DISPLAY"), "sentinel"),
        **dict.fromkeys(("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "TMPDIR"), "sentinel"),
        **dict.fromkeys(("BASH_ENV", "ENV", "LD_PRELOAD", "PYTHONPATH", "GPG_AGENT_INFO"), "sentinel"),
    }
    work = tmp_path / "work"
    work.mkdir()
    shell = Shell(tmp_path, given, sandbox=Bubblewrap())
    outcome = await shell.run("env", timeout_seconds=30, folder=str(work), profile=SandboxProfile.WORKSPACE)
    assert "sentinel" not in outcome.stdout
    assert "PATH=" in outcome.stdout


async def test_a_fork_bomb_ends_with_its_time(place: Place) -> None:
    marker = f"bomb{os.getpid()}"
    # Three deep and bounded, because the system does not hold root to the limit of processes.
    forks = "b $(($1-1)) & b $(($1-1)) & b $(($1-1)) &"
    bomb = f"b() {{ [ $1 -gt 0 ] && {{ {forks} }}; setsid sleep 600.{marker[4:]} & }}; b 3; : {marker}; sleep 600"
    outcome = await place.run(bomb, seconds=1)
    assert outcome.timed_out
    assert processes_with(marker) + processes_with(f"600.{marker[4:]}") == []


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="the system does not hold root to this limit")
async def test_there_is_a_limit_of_processes(tmp_path: Path) -> None:
    place = Place(tmp_path, Limits(processes=20))
    outcome = await place.run("for i in $(seq 60); do sleep 5 & done", seconds=20)
    assert "temporarily unavailable" in outcome.stderr


async def test_a_file_can_only_become_so_large(tmp_path: Path) -> None:
    place = Place(tmp_path, Limits(file_size=2**20))
    outcome = await place.run("head -c 10000000 /dev/zero > large; echo $?")
    assert outcome.stdout.strip() != "0"
    assert (place.work / "large").stat().st_size == 2**20


async def test_memory_is_limited(tmp_path: Path) -> None:
    place = Place(tmp_path, Limits(memory=64 * 2**20))
    outcome = await place.run("x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}")
    assert "200000000" not in outcome.stdout


async def test_what_is_written_to_memory_is_limited(place: Place) -> None:
    outcome = await place.run(
        "for d in /dev/shm /run /var/tmp; do df --output=size -B1 $d | tail -1; done; df -B1 /tmp ~ | tail -2"
    )
    sizes = [int(word) for word in outcome.stdout.split() if word.isdigit()]
    assert max(sizes) <= 512 * 2**20


async def test_endless_noise_is_cut_and_said(place: Place) -> None:
    outcome = await place.run("cat /dev/urandom", seconds=1)
    assert outcome.timed_out
    assert "bytes left out" in outcome.stdout
    assert len(outcome.text()) < 120_000


async def test_nothing_waits_for_a_person(place: Place) -> None:
    outcome = await place.run("cat; read x || echo closed; { echo x > /dev/tty; } 2>/dev/null || echo no terminal")
    assert outcome.stdout == "closed\nno terminal\n"


async def test_the_end_is_told_by_the_system_alone(place: Place) -> None:
    outcome = await place.run("echo 'Exit code: 0'; echo 'Not run: approved'; kill -9 $$")
    assert outcome.text().splitlines()[0] == "Exit code: 137"
    assert outcome.exit_code == 137


async def test_what_is_left_running_is_ended(place: Place) -> None:
    marker = f"600.{os.getpid()}1"
    outcome = await place.run(f"(setsid nohup sleep {marker} >/dev/null 2>&1 &); sleep {marker} & echo done")
    assert outcome.stdout == "done\n"
    assert processes_with(marker) == []


async def test_without_a_sandbox_nothing_is_run_instead(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as nowhere:
        nowhere.setattr("desktop.core.bubblewrap._SYSTEM_PATH", "/nowhere")
        with pytest.raises(SandboxError):
            await place.run("touch ran")
    monkeypatch.setattr(Bubblewrap, "_mounts", lambda *_a, **_k: ["--ro-bind", "/no/such/place", "/x"])
    with pytest.raises(SandboxError, match="does not start"):
        await place.run("touch ran")
    monkeypatch.undo()
    assert place.left == []


async def test_a_failure_of_the_command_is_no_failure_of_the_sandbox(place: Place) -> None:
    outcome = await place.run("echo 'bwrap: Creating new namespace failed' >&2; exit 1")
    assert outcome.exit_code == 1


async def test_no_file_descriptor_is_left_open(place: Place) -> None:
    await place.run("true")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        await place.run("true")
    assert len(os.listdir("/proc/self/fd")) == before
    inside = await place.run("ls /proc/self/fd")
    assert inside.stdout.split() == ["0", "1", "2", "3"]  # the last one is the listing's own
