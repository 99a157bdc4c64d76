"""A real Secret Service for a test: a D-Bus session of its own with GNOME Keyring, unlocked, locked, refused or silent."""

import gc
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_gnome_keyring = pytest.mark.skipif(
    shutil.which("gnome-keyring-daemon") is None or shutil.which("dbus-daemon") is None,
    reason="gnome-keyring or dbus-daemon is not installed",
)
_ALLOW = '<allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/>'
_DENY_WRITING = (
    '<deny send_destination="org.freedesktop.secrets" send_interface="org.freedesktop.Secret.Collection"'
    ' send_member="CreateItem"/>'
)
_PASSWORD = b"test"


class SecretService:
    """The session bus of one test, and what answers on it."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._daemon: subprocess.Popen[bytes] | None = None

    def start(self, *, unlocked: bool = True) -> None:
        """Start GNOME Keyring. There is nobody who could be asked for a password, so locked it stays locked."""
        command = ["gnome-keyring-daemon", "--foreground", "--components=secrets", *(["--unlock"] if unlocked else [])]
        self._daemon = subprocess.Popen(
            command,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert self._daemon.stdin is not None
        self._daemon.stdin.write(_PASSWORD if unlocked else b"")
        self._daemon.stdin.close()
        self._wait_for_name()

    def stop(self) -> None:
        """End GNOME Keyring; what it holds stays in its files."""
        if self._daemon is not None:
            self._daemon.send_signal(signal.SIGCONT)
            _end(self._daemon)
            self._daemon = None

    def freeze(self) -> None:
        """Let it be there and never answer, as one that waits for its user does."""
        assert self._daemon is not None
        self._daemon.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._daemon is not None
        self._daemon.send_signal(signal.SIGCONT)

    def _wait_for_name(self) -> None:
        """Until the service has its name on the bus."""
        from jeepney import message_bus
        from jeepney.io.blocking import Proxy, open_dbus_connection

        end = time.monotonic() + 20
        with open_dbus_connection(self._environment["DBUS_SESSION_BUS_ADDRESS"]) as connection:
            while not Proxy(message_bus, connection).NameHasOwner("org.freedesktop.secrets")[0]:
                assert time.monotonic() < end, "GNOME Keyring did not start"
                time.sleep(0.01)


@contextmanager
def secret_service(monkeypatch: pytest.MonkeyPatch, *, refuses: bool = False) -> Generator[SecretService, None, None]:
    """Make the bus and lead this process to it. ``refuses``: nobody may write into the keychain, as in a sandbox.

    Nothing is started by the bus itself: without ``start`` there is D-Bus and no Secret Service.
    """
    with tempfile.TemporaryDirectory(prefix="bus-") as folder:  # a socket's path must be short
        yield from _on_bus(Path(folder), monkeypatch, refuses)


def _on_bus(folder: Path, monkeypatch: pytest.MonkeyPatch, refuses: bool) -> Generator[SecretService, None, None]:
    config = folder / "bus.conf"
    config.write_text(
        '<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"'
        ' "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">'
        f"<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>"
        f'<policy context="default">{_ALLOW}{_DENY_WRITING if refuses else ""}</policy></busconfig>'
    )
    command = ["dbus-daemon", f"--config-file={config}", "--print-address", "--nofork", "--nopidfile"]
    bus = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert bus.stdout is not None
        address = bus.stdout.readline().decode().strip()
        assert address, "the bus did not start"
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        monkeypatch.delenv("PYTHON_KEYRING_BACKEND", raising=False)
        service = SecretService(dict(os.environ))
        try:
            yield service
        finally:
            service.stop()
    finally:
        _end(bus)
        _collect_connections()


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _collect_connections() -> None:
    """keyring leaves its connection to D-Bus to the garbage collector when a call fails; here it may say so."""
    for thread in threading.enumerate():
        if thread.name == "keychain":
            thread.join(5)  # its last call ended with the bus
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
