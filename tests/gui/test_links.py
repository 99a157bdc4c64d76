"""The way to the browser: judged, shown, asked, opened once, and never by anything else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QWidget

from desktop.core.settings import Theme
from desktop.ui.links import LinkDialog, LinkOpener, open_url
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.system_opener import SystemOpener, system_opener
from tests.support.transcript_world import child

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def browser() -> Iterator[SystemOpener]:
    with system_opener("http", "https", "mailto", "file", "smb") as browser:
        yield browser


@pytest.fixture
def opener(qapp: QApplication) -> Iterator[LinkOpener]:
    theme, window = ThemeManager(qapp, Theme.LIGHT, "en"), QWidget()
    window.show()
    yield LinkOpener(theme, window)
    window.close()
    window.deleteLater()
    theme.deleteLater()
    qapp.processEvents()


def dialog(opener: LinkOpener) -> LinkDialog:
    found = opener.parent().findChild(LinkDialog)  # type: ignore[union-attr]
    assert found is not None
    return found


def texts(dialog: LinkDialog, name: str) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel, name)]


def click(dialog: LinkDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, name)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_link_is_opened_only_after_it_was_agreed_to(opener: LinkOpener, browser: SystemOpener) -> None:
    opened = QSignalSpy(opener.opened)
    opener.ask("https://example.org/page", "the page")
    shown = dialog(opener)
    assert texts(shown, "link-host") == ["example.org"]
    assert child(shown, QPlainTextEdit, "link-address").toPlainText() == "https://example.org/page"
    assert browser.addresses == []
    click(shown, "link-open")
    assert browser.addresses == ["https://example.org/page"]
    assert opened.count() == 1


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_keys_never_open_a_link(opener: LinkOpener, browser: SystemOpener, key: Qt.Key) -> None:
    opener.ask("https://example.org/", "x")
    shown = dialog(opener)
    child(shown, QPlainTextEdit, "link-address").setFocus()
    QTest.keyClick(shown, key)
    assert browser.addresses == []
    shown.reject()


def test_a_label_that_lies_and_a_plain_connection_are_warned_of(opener: LinkOpener, browser: SystemOpener) -> None:
    opener.ask("http://evil.example/", "bank.example")
    warnings = " ".join(texts(dialog(opener), "link-warning"))
    assert "bank.example" in warnings
    assert "not encrypted" in warnings
    click(dialog(opener), "link-cancel")
    assert browser.addresses == []


@pytest.mark.parametrize("address", ["file:///etc/passwd", "smb://host/x", "https://a@b.example/", "ms-msdt:/id"])
def test_what_is_never_opened_has_no_button_for_it(opener: LinkOpener, browser: SystemOpener, address: str) -> None:
    opener.ask(address)
    shown = dialog(opener)
    assert texts(shown, "link-refused") != []
    assert shown.findChild(QPushButton, "link-open") is None
    shown.reject()
    assert browser.addresses == []


@pytest.mark.allowed_log("an address was not opened")
@pytest.mark.parametrize(
    "address",
    ["file:///x", "javascript:x", "--flag", "https://u@h.example", "https://h.example\\@e.example", "http://"],
)
def test_the_sink_judges_by_itself(browser: SystemOpener, address: str) -> None:
    assert not open_url(address)
    assert browser.addresses == []


def test_foreign_hosts_and_mail_go_through(browser: SystemOpener) -> None:
    assert open_url("https://例子.example/a?b=c#d")
    assert open_url("mailto:someone@example.org")
    assert len(browser.addresses) == 2


def test_nothing_else_opens_addresses() -> None:
    forbidden = re.compile(r"openUrl|\bwebbrowser\b|xdg-open|startfile|setOpenExternalLinks\(True|setOpenLinks\(True")
    for path in (ROOT / "desktop").rglob("*.py"):
        if path.name not in ("links.py", "program_tables.py", "assessment.py"):  # the last two only name programs
            assert not forbidden.search(path.read_text("utf-8")), path
