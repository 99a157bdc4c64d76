"""The pytest plugin that watches every test: own home, loopback only, no unexpected logs, nothing left running."""

import logging
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support import network_guard
from tests.support.leftovers import Leftovers

_KEPT_VARIABLES = {"PYTEST_CURRENT_TEST"}
_base = pytest.StashKey[Path]()
_watch = pytest.StashKey["Watch"]()


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = f"{record.levelname} {record.name}: {record.getMessage()}"
        if record.exc_info and record.exc_info[1] is not None:
            line += f" ({record.exc_info[1]!r})"
        self.lines.append(line)


class Watch:
    """One test's guards, from before its first fixture until after its last one is torn down."""

    def __init__(self, item: pytest.Item, base: Path) -> None:
        self._item = item
        self._environment = dict(os.environ)
        self._hooks = (sys.excepthook, threading.excepthook)
        self._home = Path(tempfile.mkdtemp(prefix="home-", dir=base))
        os.environ.update(_own_environment(self._home))
        self._leftovers = Leftovers(self._home)
        self._log = _Collector()
        logging.getLogger().addHandler(self._log)
        network_guard.take_attempts()

    def end(self) -> list[str]:
        """Undo the set-up and return what the test did wrong."""
        logging.getLogger().removeHandler(self._log)
        problems = self._leftovers.find()
        problems += [f"reached for the network: {attempt}" for attempt in network_guard.take_attempts()]
        problems += self._judge_log()
        sys.excepthook, threading.excepthook = self._hooks
        self._restore_environment()
        shutil.rmtree(self._home, ignore_errors=True)
        return problems

    def _judge_log(self) -> list[str]:
        expected = [str(p) for mark in self._item.iter_markers("expected_log") for p in mark.args]
        allowed = [str(p) for mark in self._item.iter_markers("allowed_log") for p in mark.args]
        problems = [
            f"unexpected log record: {line}"
            for line in self._log.lines
            if not any(re.search(pattern, line) for pattern in expected + allowed)
        ]
        return problems + [
            f"expected log record did not come: {pattern}"
            for pattern in expected
            if not any(re.search(pattern, line) for line in self._log.lines)
        ]

    def _restore_environment(self) -> None:
        for name in set(os.environ) - set(self._environment) - _KEPT_VARIABLES:
            del os.environ[name]
        os.environ.update({k: v for k, v in self._environment.items() if k not in _KEPT_VARIABLES})


def _own_environment(home: Path) -> dict[str, str]:
    """Variables that lead every program to ``home``: the folders are made, the keyring refuses."""
    folders = {
        "HOME": home,
        "USERPROFILE": home,
        "APPDATA": home / "roaming",
        "LOCALAPPDATA": home / "local",
        "XDG_DATA_HOME": home / ".local" / "share",
        "XDG_STATE_HOME": home / ".local" / "state",
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_CACHE_HOME": home / ".cache",
        "XDG_RUNTIME_DIR": home / ".run",
    }
    for folder in folders.values():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {name: str(folder) for name, folder in folders.items()} | {
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "NO_PROXY": "*",
    }


def _forget_outer_settings() -> None:
    """Remove what would lead a test to the user's accounts, proxies or session."""
    pattern = re.compile(r"(OPENAI|ANTHROPIC|THREADWELL|FASTMCP)_.*|(HTTPS?|ALL|FTP)_PROXY|DBUS_SESSION_BUS_ADDRESS")
    for name in [name for name in os.environ if pattern.fullmatch(name.upper())]:
        del os.environ[name]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "expected_log(pattern, …): WARNING or worse log records that must come")
    config.addinivalue_line("markers", "allowed_log(pattern, …): WARNING or worse log records that may come")
    network_guard.install()
    _forget_outer_settings()
    config.stash[_base] = Path(tempfile.mkdtemp(prefix="threadwell-tests-"))


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_base], ignore_errors=True)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[_watch] = Watch(item, item.config.stash[_base])
    yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    try:
        yield
    finally:
        problems = item.stash[_watch].end()
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)
