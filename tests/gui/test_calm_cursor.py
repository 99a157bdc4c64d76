"""The text cursor stands still when nobody writes, and blinks again with the first sign of somebody."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from desktop.core.settings import Theme
from desktop.ui.composer.calm_cursor import CalmCursor
from desktop.ui.composer.composer import Composer
from desktop.ui.theme.theme_manager import ThemeManager


def blinks() -> bool:
    return QGuiApplication.styleHints().cursorFlashTime() > 0


@pytest.fixture
def field(qapp: QApplication, qtbot: QtBot) -> Iterator[QPlainTextEdit]:
    """A field whose cursor rests as soon as nothing is to be done."""
    edit = QPlainTextEdit()
    qtbot.addWidget(edit)
    CalmCursor(edit, rest_after_ms=0)
    yield edit
    QGuiApplication.styleHints().setCursorFlashTime(-1)


def focus(edit: QPlainTextEdit, kind: QEvent.Type) -> None:
    QApplication.sendEvent(edit, QFocusEvent(kind))


def test_it_rests_after_a_while_and_wakes_with_a_key(field: QPlainTextEdit, qtbot: QtBot) -> None:
    focus(field, QEvent.Type.FocusIn)
    assert blinks()
    qtbot.waitUntil(lambda: not blinks())
    QTest.keyClick(field, Qt.Key.Key_A)
    assert blinks()
    assert field.toPlainText() == "a"
    qtbot.waitUntil(lambda: not blinks())


def test_another_field_gets_a_cursor_that_blinks(field: QPlainTextEdit, qtbot: QtBot) -> None:
    focus(field, QEvent.Type.FocusIn)
    qtbot.waitUntil(lambda: not blinks())
    focus(field, QEvent.Type.FocusOut)
    assert blinks()
    assert not any(timer.isActive() for timer in field.findChildren(QTimer)), "it would rest for another field"


def test_the_message_field_has_one(qapp: QApplication, qtbot: QtBot) -> None:
    theme = ThemeManager(qapp, Theme.LIGHT, "en")
    composer = Composer(theme)
    qtbot.addWidget(composer)
    assert composer.edit.findChild(CalmCursor) is not None
    theme.deleteLater()
