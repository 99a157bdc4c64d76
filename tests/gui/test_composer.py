"""The composer alone: keys, input methods, undo, growth, pastes of every kind, and what becomes of text that was sent."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QInputMethodEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
)
from pytestqt.qtbot import QtBot

from desktop.core.settings import Theme
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.message_edit import LONGEST_LINE, LONGEST_WRAPPED_LINE
from desktop.ui.state.pasted_text import Composed, split
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.text_dialog import TextDialog


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


def compose(composer: Composer, preedit: str) -> None:
    QApplication.sendEvent(composer.edit, QInputMethodEvent(preedit, []))


def commit(composer: Composer, text: str) -> None:
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(composer.edit, event)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_the_enter_of_an_input_method_does_not_send(
    composer: Composer, sent: list[str], qtbot: QtBot, key: Qt.Key
) -> None:
    composer.set_text("问题：")
    compose(composer, "nihao")
    assert composer.edit.is_composing()
    QTest.keyClick(composer.edit, key)
    assert sent == []
    commit(composer, "你好")
    QTest.keyClick(composer.edit, key)  # some input methods pass the Enter on with which they commit
    assert sent == []
    assert composer.text == "问题：你好"
    qtbot.waitUntil(lambda: not composer.edit.is_composing())
    QTest.keyClick(composer.edit, key)
    assert sent == ["问题：你好"]


def test_escape_ends_composing_and_does_not_stop_the_answer(composer: Composer, qtbot: QtBot) -> None:
    stops: list[str] = []
    composer.stop_requested.connect(lambda: stops.append("stop"))
    composer.set_running(True)
    composer.set_text("一")
    compose(composer, "er")
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not composer.edit.is_composing())
    assert composer.text == "一"
    assert stops == []
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    assert stops == ["stop"]


def test_what_is_composed_is_no_text_yet_and_goes_with_its_thread(composer: Composer, sent: list[str]) -> None:
    compose(composer, "にほん")
    assert composer.text == ""
    assert not composer.button.isEnabled()
    composer.set_text("another thread")
    assert composer.text == "another thread"
    commit(composer, "")
    assert composer.text == "another thread"


def test_the_placeholder_is_hidden_while_composing(composer: Composer) -> None:
    assert composer.edit.placeholderText() != ""
    compose(composer, "n")
    assert composer.edit.placeholderText() == ""
    commit(composer, "")
    assert composer.edit.placeholderText() != ""


def test_undo_brings_back_what_an_example_replaced_and_redo_the_example(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "mine")
    composer.put_text("an example")
    assert composer.text == "an example"
    QTest.keyClick(composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert composer.text == "mine"
    for modifiers, key in (
        (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_Z),
        (Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Y),
    ):
        QTest.keyClick(composer.edit, key, modifiers)
        assert composer.text == "an example"
        QTest.keyClick(composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert composer.text == "mine"


def test_undo_never_brings_back_the_text_of_another_thread(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "secret of the first thread")
    composer.set_text("draft of the second")
    QTest.keyClick(composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert composer.text == "draft of the second"
    composer.take_sent("draft of the second")
    QTest.keyClick(composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert composer.text == ""


def test_undo_with_nothing_typed_is_the_windows(composer: Composer, qtbot: QtBot) -> None:
    undone: list[str] = []
    QShortcut(QKeySequence.StandardKey.Undo, composer).activated.connect(lambda: undone.append("window"))
    composer.activateWindow()
    composer.edit.setFocus()
    qtbot.waitUntil(composer.edit.hasFocus)
    QTest.keyClick(composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == ["window"]
    QTest.keyClicks(composer.edit, "typed")
    QTest.keyClick(composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == ["window"]
    assert composer.text == ""


def test_it_grows_to_eight_lines(composer: Composer) -> None:
    heights: list[int] = []
    for count in (1, 4, 8, 20):
        composer.set_text("\n".join(["line"] * count))
        heights.append(composer.edit.height())
    one, four, eight, twenty = heights
    assert one < four < eight == twenty
    composer.set_text("")
    assert composer.edit.height() == one


@pytest.mark.parametrize("points", [10, 16])
@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_nothing_scrolls_where_all_lines_of_chinese_have_room(composer: Composer, points: int, count: int) -> None:
    font = composer.edit.font()
    font.setPointSize(points)
    composer.edit.setFont(font)
    empty = composer.edit.height()
    QTest.keyClicks(composer.edit, "a")
    composer.edit.replace_text("\n".join(["中文"] * count))
    assert composer.edit.verticalScrollBar().maximum() == 0
    if count == 1:
        assert composer.edit.height() == empty, "the first word moves nothing"


def test_a_monstrous_line_is_not_wrapped_and_an_ordinary_one_is_again(composer: Composer) -> None:
    composer.edit.insert_text("x" * (LONGEST_WRAPPED_LINE + 1))
    assert composer.edit.lineWrapMode() is QPlainTextEdit.LineWrapMode.NoWrap
    assert len(composer.text) == LONGEST_WRAPPED_LINE + 1
    modes: list[QPlainTextEdit.LineWrapMode] = []
    composer.edit.textChanged.connect(lambda: modes.append(composer.edit.lineWrapMode()))
    composer.set_text("short")
    assert modes == [QPlainTextEdit.LineWrapMode.NoWrap], "the line is not wrapped on its way out"
    assert composer.edit.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth


def test_a_line_that_would_make_the_field_unusable_stays_folded(composer: Composer) -> None:
    paste(composer, "x" * (LONGEST_LINE + 1))
    press(composer, "pastedUnfold")
    assert composer.edit.toPlainText() == ""
    assert len(chips(composer)) == 1
    assert "too long for the message field" in hint_of(composer)


def paste(composer: Composer, text: str = "", html: str = "") -> None:
    data = QMimeData()
    if html:
        data.setHtml(html)
    if text:
        data.setText(text)
    composer.edit.insertFromMimeData(data)


def chips(composer: Composer) -> list[str]:
    return [chip.accessibleName() for chip in composer.findChildren(QFrame, "pastedChip") if not chip.isHidden()]


def hint_of(composer: Composer) -> str:
    hint = composer.findChild(QLabel, "composerHint")
    assert hint is not None
    return hint.text()


def press(composer: Composer, name: str) -> None:
    button = next(b for b in composer.findChildren(QAbstractButton, name) if b.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


LONG = "\n".join(f"第 {number} 行 ``` `````" for number in range(20_000))


def test_a_long_paste_is_folded_and_sent_whole(composer: Composer, sent: list[str]) -> None:
    QTest.keyClicks(composer.edit, "Sum this up")
    paste(composer, LONG)
    assert composer.edit.toPlainText() == "Sum this up"
    (chip,) = chips(composer)
    assert chip.replace("20,000", "20000") == "Pasted text, 20000 lines, 469 kB"
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == [f"Sum this up\n\n```pasted-text\n{LONG}\n```"]
    composer.take_sent(sent[0])
    assert composer.text == ""
    assert chips(composer) == []


def test_a_folded_paste_alone_can_be_sent(composer: Composer, sent: list[str]) -> None:
    paste(composer, LONG)
    assert composer.button.isEnabled()
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert split(sent[0]).pasted == (LONG,)


def test_a_hundred_thousand_lines_never_reach_the_text_field(composer: Composer) -> None:
    text = "\n".join("twelve bytes" for _ in range(100_000))
    changes: list[str] = []
    composer.edit.textChanged.connect(lambda: changes.append("laid out"))
    paste(composer, text)
    assert composer.content.pasted == (text,)
    assert changes == []


def test_a_folded_paste_is_looked_at_put_back_and_removed(composer: Composer, qapp: QApplication) -> None:
    removed: list[str] = []
    composer.paste_removed.connect(removed.append)
    paste(composer, LONG)
    paste(composer, "y" * 30_000)
    press(composer, "pastedView")
    (dialog,) = composer.findChildren(TextDialog)
    shown = dialog.findChild(QPlainTextEdit, "full-text-view")
    assert shown is not None
    pages = [shown.toPlainText()]
    following = dialog.findChild(QPushButton, "full-text-next")
    assert following is not None
    while following.isEnabled():
        following.click()
        pages.append(shown.toPlainText())
    assert "".join(pages) == LONG
    assert len(pages) > 1
    dialog.close()
    press(composer, "pastedUnfold")
    assert composer.edit.toPlainText() == LONG
    assert len(chips(composer)) == 1
    press(composer, "pastedRemove")
    assert removed == ["y" * 30_000]
    assert chips(composer) == []
    assert composer.content == Composed(LONG)


def undo(composer: Composer) -> None:
    QTest.keyClick(composer.edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


def redo(composer: Composer) -> None:
    QTest.keyClick(composer.edit, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize("long", [LONG, "y" * 30_000, LONG + "\n", "😀" * 20_001])
def test_unfolding_is_one_step_that_undo_takes_back_to_a_folded_text(composer: Composer, long: str) -> None:
    QTest.keyClicks(composer.edit, "see  this")
    paste(composer, "z" * 25_000)
    paste(composer, long)
    paste(composer, "w" * 25_000)
    folded = Composed("see  this", ("z" * 25_000, long, "w" * 25_000))
    assert composer.content == folded
    for _ in range(5):
        QTest.keyClick(composer.edit, Qt.Key.Key_Left)
    unfold = [b for b in composer.findChildren(QAbstractButton, "pastedUnfold") if b.isVisible()]
    unfold[1].click()
    unfolded = Composed(f"see {long} this", ("z" * 25_000, "w" * 25_000))
    assert composer.content == unfolded
    assert composer.edit.textCursor().position() == len(f"see {long}".encode("utf-16-le")) // 2
    QTest.keyClicks(composer.edit, "ab")
    undo(composer)
    assert composer.content == unfolded, "what was typed after it is a step of its own"
    undo(composer)
    assert composer.content == folded, "in its place among the others"
    assert composer.edit.textCursor().position() == len("see ")
    redo(composer)
    assert composer.content == unfolded
    undo(composer)
    undo(composer)
    assert composer.content.text != "see  this", "what was typed before is another step"
    assert composer.content.pasted == folded.pasted


def test_a_text_folded_by_undo_stays_folded_when_something_else_is_written(composer: Composer) -> None:
    told: list[Composed] = []
    composer.text_edited.connect(lambda: told.append(composer.content))
    paste(composer, LONG)
    press(composer, "pastedUnfold")
    undo(composer)
    assert told[-1] == Composed("", (LONG,)), "the draft knows it"
    QTest.keyClicks(composer.edit, "x")
    redo(composer)
    undo(composer)
    assert composer.content == Composed("", (LONG,))
    composer.set_text("another draft")
    undo(composer)
    assert composer.content == Composed("another draft")


def test_many_folded_texts_scroll_instead_of_growing(composer: Composer, qtbot: QtBot) -> None:
    def height() -> int:
        """The height that it wants, with everything laid out: what lies in another tells it of its new height."""
        for _ in range(3):
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        return composer.sizeHint().height()

    empty = height()
    paste(composer, "a" * 25_000)
    one = height()
    for number in range(1, 30):
        paste(composer, f"{number}" * 25_000)
    assert len(chips(composer)) == 30
    row = one - empty
    assert one + 2 * row <= height() <= one + 3 * row, "some rows, the last one cut to show that there are more"
    assert composer.minimumSizeHint().height() <= one, "and one of them where the window is low"
    area = composer.findChild(QScrollArea, "pastedTexts")
    assert area is not None
    rows = composer.findChildren(QFrame, "pastedChip")

    def is_in_sight(chip: QFrame) -> bool:
        top = chip.mapTo(area.viewport(), QPoint(0, 0)).y()
        return top >= 0 and top + chip.height() <= area.viewport().height()

    qtbot.waitUntil(lambda: is_in_sight(rows[-1]))
    assert not is_in_sight(rows[0])
    composer.activateWindow()
    first = rows[0].findChild(QAbstractButton, "pastedRemove")
    assert first is not None
    first.setFocus()
    qtbot.waitUntil(lambda: is_in_sight(rows[0]))
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert len(chips(composer)) == 29
    for button in composer.findChildren(QAbstractButton, "pastedRemove"):
        button.click()
    assert height() == empty


def test_a_draft_with_a_folded_paste_comes_back_as_it_was(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "look")
    paste(composer, LONG)
    before, draft = composer.content, composer.text
    composer.set_text("another draft")
    assert chips(composer) == []
    composer.set_text(draft)
    assert composer.content == before
    assert len(chips(composer)) == 1


def test_more_than_a_message_can_hold_is_refused_in_words_and_nothing_is_lost(
    composer: Composer, sent: list[str]
) -> None:
    paste(composer, "x" * 1_500_000)
    paste(composer, "y" * 600_000)
    assert hint_of(composer) == "Nothing was pasted: the message would have 2.1 MB, and at most 2.0 MB can be sent."
    assert composer.content.pasted == ("x" * 1_500_000,)
    QTest.keyClicks(composer.edit, "z")
    assert hint_of(composer) == ""
    composer.set_content(Composed("more words", ("x" * 1_999_995,)))
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert "at most 2.0 MB" in hint_of(composer)


@pytest.mark.parametrize(
    ("html", "text", "expected"),
    [
        ("<b>bold</b> text", "bold text", "bold text"),
        ("<p>only</p><img src='file:///etc/passwd'><p>html &amp; more</p>", "", "only\nhtml & more"),
        ("", "one\r\ntwo\rthree", "one\ntwo\nthree"),
    ],
)
def test_only_the_text_of_a_paste_is_taken(composer: Composer, html: str, text: str, expected: str) -> None:
    paste(composer, text, html)
    assert composer.text == expected


def test_files_and_pictures_are_given_as_such(composer: Composer) -> None:
    paths: list[list[Path]] = []
    pictures: list[object] = []
    composer.files.given.connect(paths.append)
    composer.files.picture_given.connect(pictures.append)
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("/home/mei/report.pdf")])
    files.setText("file:///home/mei/report.pdf")
    assert composer.edit.canInsertFromMimeData(files)
    composer.edit.insertFromMimeData(files)
    assert composer.text == ""
    assert paths == [[Path("/home/mei/report.pdf")]]
    picture = QMimeData()
    picture.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    composer.edit.insertFromMimeData(picture)
    assert composer.text == ""
    (given,) = pictures
    assert isinstance(given, bytes | QImage)


def test_an_address_from_a_browser_is_text(composer: Composer) -> None:
    link = QMimeData()
    link.setUrls([QUrl("https://example.com/a")])
    composer.edit.insertFromMimeData(link)
    assert composer.text == "https://example.com/a"


def test_what_was_typed_while_sending_stays(composer: Composer) -> None:
    composer.set_text("sent text")
    QTest.keyClicks(composer.edit, " and more")
    QTest.keyClick(composer.edit, Qt.Key.Key_Left)
    composer.take_sent("sent text")
    assert composer.text == " and more"
    assert composer.edit.textCursor().position() == len(" and mor"), "the cursor stays where the user writes"
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


@pytest.mark.parametrize("look", [Theme.LIGHT, Theme.DARK])
def test_the_field_keeps_no_trace_of_what_stood_in_it(qapp: QApplication, qtbot: QtBot, look: Theme) -> None:
    """Looks at the screen: a picture that the widget paints afresh would not have what was left there."""
    theme = ThemeManager(qapp, look, "en")
    widget = Composer(theme)
    qtbot.addWidget(widget)
    widget.resize(700, 200)
    widget.show()
    qtbot.waitExposed(widget)
    widget.edit.setCursorWidth(0)  # one that blinks would not be in every picture
    widget.edit.setFocus()
    qtbot.waitUntil(lambda: corners(field_on_screen(widget)) == {QColor(theme.tokens.panel).rgb()})
    fresh = field_on_screen(widget)
    for _ in range(3):
        QTest.keyClicks(widget.edit, "Typed, and gone again")
        qtbot.waitUntil(lambda: field_on_screen(widget) != fresh)
        widget.edit.clear()
        qtbot.waitUntil(lambda: field_on_screen(widget) == fresh)
    theme.deleteLater()


def field_on_screen(composer: Composer) -> QImage:
    field = composer.edit.viewport()
    field.repaint()
    origin = field.mapTo(composer, QPoint(0, 0))
    shown = composer.screen().grabWindow(composer.winId(), origin.x(), origin.y(), field.width(), field.height())
    return shown.toImage()


def corners(picture: QImage) -> set[int]:
    """The colours there; none of a picture that could not be taken yet."""
    right, bottom = picture.width() - 1, picture.height() - 1
    return set() if picture.isNull() else {picture.pixel(x, y) for x in (0, right) for y in (0, bottom)}
