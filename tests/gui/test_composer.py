"""The composer alone: keys, input methods, growth, monstrous pastes, and what becomes of text that was sent."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit
from pytestqt.qtbot import QtBot

from desktop.core.settings import Theme
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.message_edit import LONGEST_WRAPPED_LINE
from desktop.ui.theme.theme_manager import ThemeManager


@pytest.fixture
def composer(qapp: QApplication, qtbot: QtBot) -> Iterator[Composer]:
    theme = ThemeManager(qapp, Theme.LIGHT, "en")
    widget = Composer(theme)
    qtbot.addWidget(widget)
    widget.resize(700, 200)
    widget.show()
    yield widget
    theme.deleteLater()


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    texts: list[str] = []
    composer.send_requested.connect(texts.append)
    return texts


def test_enter_sends_and_shift_enter_breaks(composer: Composer, sent: list[str]) -> None:
    QTest.keyClicks(composer.edit, "one")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.edit, "two")
    assert sent == []
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["one\ntwo"]
    assert composer.text == "one\ntwo", "it leaves only when it was stored"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_blank_text_is_not_sent(composer: Composer, sent: list[str], key: Qt.Key) -> None:
    QTest.keyClick(composer.edit, key)
    composer.set_text(" \n ")
    QTest.keyClick(composer.edit, key)
    assert sent == []
    assert not composer.button.isEnabled()


def test_the_enter_of_an_input_method_does_not_send(qapp: QApplication, composer: Composer, sent: list[str]) -> None:
    composer.set_text("问题：")
    QApplication.sendEvent(composer.edit, QInputMethodEvent("nihao", []))
    assert composer.edit.is_composing()
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("你好")
    QApplication.sendEvent(composer.edit, commit)
    assert composer.text.replace("\n", "") == "问题：你好"
    assert not composer.edit.is_composing()
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert [text.replace("\n", "") for text in sent] == ["问题：你好"]


def test_it_grows_to_eight_lines(composer: Composer) -> None:
    heights: list[int] = []
    for count in (1, 4, 8, 20):
        composer.set_text("\n".join(["line"] * count))
        heights.append(composer.edit.height())
    one, four, eight, twenty = heights
    assert one < four < eight == twenty
    composer.set_text("")
    assert composer.edit.height() == one


def test_a_monstrous_line_is_not_wrapped_and_an_ordinary_one_is_again(composer: Composer) -> None:
    paste = QMimeData()
    paste.setText("x" * (LONGEST_WRAPPED_LINE + 1))
    composer.edit.insertFromMimeData(paste)
    assert composer.edit.lineWrapMode() is QPlainTextEdit.LineWrapMode.NoWrap
    assert len(composer.text) == LONGEST_WRAPPED_LINE + 1
    composer.set_text("short")
    assert composer.edit.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth


def test_a_paste_of_many_lines_arrives_whole(composer: Composer, sent: list[str]) -> None:
    text = "\n".join(f"第 {number} 行" for number in range(20_000))
    paste = QMimeData()
    paste.setText(text)
    composer.edit.insertFromMimeData(paste)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == [text]


def test_rich_text_is_pasted_as_plain(composer: Composer) -> None:
    paste = QMimeData()
    paste.setHtml("<b>bold</b> text")
    paste.setText("bold text")
    composer.edit.insertFromMimeData(paste)
    assert composer.text == "bold text"


def test_what_was_typed_while_sending_stays(composer: Composer) -> None:
    composer.set_text("sent text")
    QTest.keyClicks(composer.edit, " and more")
    composer.take_sent("sent text")
    assert composer.text == " and more"
    composer.take_sent(" and more")
    assert composer.text == ""


def test_while_sending_a_second_enter_sends_nothing(composer: Composer, sent: list[str]) -> None:
    composer.set_text("once")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    composer.set_sending(True)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["once"]


def test_the_button_sends_or_stops(composer: Composer, sent: list[str]) -> None:
    stops: list[str] = []
    composer.stop_requested.connect(lambda: stops.append("stop"))
    composer.set_text("hello")
    composer.button.click()
    assert sent == ["hello"]
    assert stops == []
    composer.set_running(True)
    composer.set_text("")
    assert composer.button.isEnabled(), "Stop needs no text"
    composer.button.click()
    assert stops == ["stop"]


def test_escape_stops_only_a_running_answer(composer: Composer) -> None:
    stops: list[str] = []
    composer.stop_requested.connect(lambda: stops.append("stop"))
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    assert stops == []
    composer.set_running(True)
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    assert stops == ["stop"]


def test_the_focus_is_seen_on_the_frame(composer: Composer, qtbot: QtBot) -> None:
    frame = composer.findChild(QFrame, "composer")
    assert frame is not None
    composer.activateWindow()
    composer.edit.setFocus()
    qtbot.waitUntil(composer.edit.hasFocus)
    assert frame.property("focused") is True
    composer.edit.clearFocus()
    assert frame.property("focused") is False


def test_tab_leaves_the_text_field(composer: Composer) -> None:
    composer.set_text("x")
    QTest.keyClick(composer.edit, Qt.Key.Key_Tab)
    assert composer.text == "x"
