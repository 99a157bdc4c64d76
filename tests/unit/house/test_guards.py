"""Each guard catches its offender and leaves the innocent alone. The offenders run in a pytest of their own."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PLUGINS = ("-p", "tests.support.guards", "-p", "tests.support.async_tests")


def run_inner(pytester: pytest.Pytester, source: str) -> pytest.RunResult:
    pytester.makepyfile(test_inner=source)
    pytester.makeini(f"[pytest]\npythonpath = {ROOT}\nfilterwarnings = error\nqt_log_level_fail = WARNING\n")
    os.environ["PYTHONPATH"] = str(ROOT)
    return pytester.runpytest_subprocess(*PLUGINS, "-p", "no:cacheprovider", timeout=90)


OFFENDERS = """
import asyncio, logging, os, socket, subprocess, sys, threading, warnings
import pytest
from tests.support import async_tests, leftovers

async_tests.GRACE_SECONDS = leftovers.GRACE_SECONDS = 0.3
stop = threading.Event()

def test_network_connect():
    with pytest.raises(OSError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)

def test_network_lookup():
    with pytest.raises(OSError):
        socket.getaddrinfo("example.org", 443)

def test_network_listen():
    with socket.socket() as listener, pytest.raises(OSError):
        listener.bind(("0.0.0.0", 0))

def test_warning():
    warnings.warn("old", DeprecationWarning)

def test_unclosed_file():
    open(os.devnull)

def test_log():
    logging.getLogger("app").warning("careful")

@pytest.mark.expected_log("never said")
def test_missing_log():
    pass

def test_thread():
    threading.Thread(target=stop.wait, args=(20,), name="stray", daemon=True).start()

def test_child():
    test_child.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])

def test_handler():
    logging.getLogger().addHandler(logging.NullHandler())

async def test_task():
    test_task.kept = asyncio.get_running_loop().create_task(asyncio.sleep(60))

async def test_loop_error():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0.01)

async def test_async_assertion():
    await asyncio.sleep(0)
    assert 1 == 2

def test_qt_warning(qapp):
    from PySide6.QtCore import qWarning
    qWarning("Qt is unhappy")

def test_window(qapp):
    from PySide6.QtWidgets import QWidget
    test_window.kept = QWidget()
    test_window.kept.setObjectName("stray")
    test_window.kept.show()

async def test_task_on_qt_loop(qloop):
    test_task_on_qt_loop.kept = qloop.create_task(asyncio.sleep(60))

async def test_timer_on_qt_loop(qloop):
    qloop.call_later(60, print)
"""

EXPECTED_LINES = [
    "*reached for the network: connect ('192.0.2.1', 80)",
    "*reached for the network: look-up of example.org",
    "*reached for the network: bind ('0.0.0.0', 0)",
    "*unexpected log record: WARNING app: careful",
    "*expected log record did not come: never said",
    "*thread left running: stray",
    "*process left running: * -c import time; time.sleep(60)",
    "*log handler left installed: <NullHandler*",
    "*task left running: *sleep*",
    "*event loop: *ZeroDivisionError*",
    "*window left open: QWidget 'stray'",
    "*task left running: *sleep*",
    "*timer left running: *print*",
]


@pytest.mark.skipif(sys.platform != "linux", reason="child processes are looked for in /proc")
def test_each_guard_catches_its_offender(pytester: pytest.Pytester) -> None:
    result = run_inner(pytester, OFFENDERS)
    output = result.stdout.str()
    names = [line.split("(")[0].removeprefix("def ") for line in OFFENDERS.replace("async def", "def").splitlines()]
    for name in (name for name in names if name.startswith("test_")):
        assert f"::{name}" in output.partition("short test summary")[2], f"{name} was not caught:\n{output}"
    result.stdout.fnmatch_lines_random(EXPECTED_LINES)


INNOCENTS = """
import asyncio, logging, os, socket, subprocess, sys, threading
from pathlib import Path
import pytest
from hypothesis import given, strategies as st

homes = []

@pytest.mark.parametrize("n", [1, 2])
def test_own_home(n):
    homes.append(Path.home())
    assert Path.home().is_dir() and homes.count(Path.home()) == 1
    assert Path(os.environ["XDG_DATA_HOME"]).is_relative_to(Path.home())
    os.environ["LEAKED"] = "yes"

def test_environment_is_restored():
    assert "LEAKED" not in os.environ
    assert not any(home.exists() for home in homes)

def test_keyring_refuses():
    import keyring, keyring.errors
    with pytest.raises(keyring.errors.NoKeyringError):
        keyring.set_password("threadwell", "a", "b")

def test_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass

def test_reserved_names_do_not_resolve():
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("nobody.invalid", 80)

@pytest.mark.expected_log("careful")
@pytest.mark.allowed_log("perhaps")
def test_log():
    logging.getLogger("app").warning("careful")

def test_what_ends_in_time():
    threading.Thread(target=lambda: None).start()
    subprocess.run([sys.executable, "-c", ""], check=True)

async def test_fresh_loop(until):
    done = []
    asyncio.get_running_loop().call_later(0.01, done.append, 1)
    await until(lambda: done)

@given(st.integers())
async def test_async_property(n):
    await asyncio.sleep(0)
    assert n + 1 > n

async def test_qt_loop(qloop, until):
    assert asyncio.get_running_loop() is qloop
    await asyncio.to_thread(lambda: None)

@given(st.integers())
def test_after_qt(n):
    assert asyncio.run(asyncio.sleep(0, n)) == n
"""


def test_the_innocent_pass(pytester: pytest.Pytester) -> None:
    result = run_inner(pytester, INNOCENTS)
    result.assert_outcomes(passed=12)
