"""Test options, the two sizes, marks by folder, and the plugins that guard every test."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from desktop.app.qt_import import load_qt

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"  # Qt warns about any other encoding, and a test must not depend on the language here

pytest_plugins = ["pytester", "tests.support.guards", "tests.support.async_tests"]

_FOLDER = Path(__file__).parent

settings.register_profile(
    "sample",
    derandomize=True,
    max_examples=25,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # says something about the machine, not about the code
)
settings.register_profile(
    "long",
    max_examples=1000,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="the full counts instead of a seeded sample")


@pytest.hookimpl(trylast=True)  # after the plugin that imports Qt
def pytest_configure(config: pytest.Config) -> None:
    load_qt()  # as the app does
    for name, folder in (("gui", "real widgets on Qt's loop"), ("e2e", "the whole program, as a person uses it")):
        config.addinivalue_line("markers", f"{name}: {folder} (set for everything in tests/{name})")
    settings.load_profile("long" if config.getoption("long") else "sample")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not item.path.is_relative_to(_FOLDER):
            continue
        folder = item.path.relative_to(_FOLDER).parts[0]
        if folder in ("gui", "e2e"):
            item.add_marker(folder)


@pytest.fixture(scope="session")
def qapp_cls() -> type:
    """The application of all tests. As in the app, the bundled fonts are known before Qt looks for any."""
    from PySide6.QtWidgets import QApplication

    from desktop.ui.theme.fonts import tell_fontconfig

    tell_fontconfig()
    return QApplication


@pytest.fixture(scope="session")
def long_run(pytestconfig: pytest.Config) -> bool:
    """True with ``--long``: use the full counts; else a sample that is the same in every run."""
    return bool(pytestconfig.getoption("long"))
