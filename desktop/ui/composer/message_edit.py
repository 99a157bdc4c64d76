"""The text field of the composer: grows with its text, takes plain text only, and never sends by an input method's Enter."""

import math
import time
from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
    QTextDocumentFragment,
    QTextLayout,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from desktop.ui.composer.calm_cursor import CalmCursor
from desktop.ui.composer.enter_keys import begins_line, is_enter, sends
from desktop.ui.composer.given_files import holds_files, paths_in, picture_in
from desktop.ui.composer.unfolded_texts import UnfoldedTexts
from desktop.ui.state.pasted_text import MOST_BYTES, is_long

MAX_LINES = 8
LONGEST_WRAPPED_LINE = 50_000
"""Characters. Wrapping a line takes time with the square of its length: 26 s for a million characters."""
LONGEST_LINE = 200_000
"""Characters. Also unwrapped, each key takes a fifth of a second in such a line."""

COMPOSED_JUST_NOW = 0.06
"""Seconds. Some input methods commit and then pass their Enter on; nobody presses another one so soon."""

_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_REDO_KEYS = (Qt.KeyboardModifier.ControlModifier | Qt.Key.Key_Y,)


class MessageEdit(QPlainTextEdit):
    """Emits ``send_requested`` at Enter and ``stop_requested`` at Escape.

    Signals:
        last_requested: the Up key in the empty field; what was sent last is to be changed.
        long_text_pasted: a text too long to stand here was pasted or dropped; carries it. Nothing was inserted.
        files_pasted: files were pasted or dropped; carries their paths (``list[Path]``).
        picture_pasted: a picture without any text was; carries its bytes or a ``QImage``.
        files_dragged: files or a picture are held over the field.
        drag_left: what was held over the field is no more.
    """

    send_requested = Signal()
    stop_requested = Signal()
    last_requested = Signal()
    long_text_pasted = Signal(str)
    files_pasted = Signal(list)
    picture_pasted = Signal(object)
    files_dragged = Signal()
    drag_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._composed_at = -1.0
        self._placeholder = ""
        self.unfolded = UnfoldedTexts(self.document())
        self.setObjectName("messageEdit")
        self.setTabChangesFocus(True)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(2)
        self.document().clearUndoRedoStacks()  # the margin counts as a change
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self.textChanged.connect(self._grow)
        CalmCursor(self)
        self._grow()

    def set_text(self, text: str, *, cursor: int | None = None) -> None:
        """Replace the text and forget what could be undone; the cursor goes to ``cursor`` or the end."""
        self._end_composing()
        self.unfolded.forget()
        if _longest_line(text) > LONGEST_WRAPPED_LINE:
            self._wrap(False)
            self.setPlainText(text)
        else:
            self.setPlainText(text)  # before wrapping: else a monstrous line would be wrapped on its way out
            self._wrap(True)
        place = self.textCursor()
        place.movePosition(QTextCursor.MoveOperation.End)
        if cursor is not None:
            place.setPosition(max(0, min(cursor, place.position())))
        self.setTextCursor(place)

    def replace_text(self, text: str) -> None:
        """Replace the text as if the user had; Ctrl+Z brings the former one back."""
        self._end_composing()
        self._choose_wrapping(text, kept=self.document().characterCount())
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def insert_text(self, text: str) -> None:
        """Insert ``text`` at the cursor, however long it is; Ctrl+Z takes it out again."""
        self._choose_wrapping(text, kept=self.document().characterCount())
        self.insertPlainText(text)
        self.ensureCursorVisible()

    def unfold_text(self, text: str, place: int) -> None:
        """Insert a folded text, the one at ``place``; the user's Undo takes it out again, and ``unfolded`` says so."""
        self._choose_wrapping(text, kept=self.document().characterCount())
        cursor = self.textCursor()
        self.unfolded.insert(cursor, text, place)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def set_placeholder(self, text: str) -> None:
        """Show ``text`` while the field is empty."""
        self._placeholder = text
        self._show_placeholder()

    def is_composing(self) -> bool:
        """Whether an input method holds text that is not yet committed, or did until just now."""
        return self._has_preedit() or time.monotonic() - self._composed_at < COMPOSED_JUST_NOW

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable():
                event.ignore()  # the window may have something to undo
                return False
            if event.keyCombination() in _REDO_KEYS or sends(event) or begins_line(event):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        breaks = is_enter(event) or begins_line(event)
        if (breaks or sends(event) or event.key() == Qt.Key.Key_Escape) and self.is_composing():
            if event.key() == Qt.Key.Key_Escape:
                self._end_composing()
        elif sends(event):
            self.send_requested.emit()
        elif breaks:
            self.insertPlainText("\n")  # Qt's own Shift+Enter makes U+2028, which no model expects
            self.ensureCursorVisible()
        elif event.key() == Qt.Key.Key_Escape:
            self.stop_requested.emit()
        elif event.keyCombination() in _REDO_KEYS:
            self.redo()
        elif event.key() == Qt.Key.Key_Up and self._is_blank and not event.modifiers() & ~_KEYPAD:
            self.last_requested.emit()
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802
        was_composing = self._has_preedit()
        super().inputMethodEvent(event)
        if was_composing and not self._has_preedit():
            self._composed_at = time.monotonic()
        self._grow()
        self._show_placeholder()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802
        # Also what cannot be taken: it is answered in words.
        return source.hasText() or source.hasHtml() or source.hasImage() or source.hasUrls()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        super().dragEnterEvent(event)
        if holds_files(event.mimeData()):
            event.acceptProposedAction()
            self.files_dragged.emit()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802
        super().dragLeaveEvent(event)
        self.drag_left.emit()

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        """Take plain text. A file manager's text for a file is its address, which nobody means to write."""
        if paths := paths_in(source):
            self.files_pasted.emit(paths)
            return
        text = source.text() if source.hasText() else _text_of_html(source)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not text:
            if (picture := picture_in(source)) is not None:
                self.picture_pasted.emit(picture)
        elif is_long(text):
            self.long_text_pasted.emit(text)
        else:
            self.insert_text(text)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._grow()
            self._show_placeholder()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._show_placeholder()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self._height_of(self._tallest_line()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(80, self._height_of(self._tallest_line()))

    def _show_placeholder(self) -> None:
        # Qt draws it below the text of an input method, too, and in several lines where there is room for one.
        room = self.viewport().width() - 2 * round(self.document().documentMargin())
        fitting = self.fontMetrics().elidedText(self._placeholder, Qt.TextElideMode.ElideRight, room)
        shown = "" if self._has_preedit() else fitting
        if shown != self.placeholderText():
            self.setPlaceholderText(shown)

    @property
    def _is_blank(self) -> bool:
        return self.document().isEmpty() and not self.is_composing()

    def _has_preedit(self) -> bool:
        layout = self.textCursor().block().layout()
        return bool(layout is not None and layout.preeditAreaText())

    def _end_composing(self) -> None:
        """Drop what the input method holds."""
        if self._has_preedit():
            QGuiApplication.inputMethod().reset()
        if self._has_preedit():  # an input method that does not answer
            QGuiApplication.sendEvent(self, QInputMethodEvent())

    def _choose_wrapping(self, text: str, *, kept: int) -> None:
        """Leave a monstrous line unwrapped; wrap where neither ``text`` nor the ``kept`` characters can hold one."""
        if _longest_line(text) > LONGEST_WRAPPED_LINE:
            self._wrap(False)
        elif kept <= LONGEST_WRAPPED_LINE:
            self._wrap(True)

    def _wrap(self, wraps: bool) -> None:
        modes, policies = QPlainTextEdit.LineWrapMode, Qt.ScrollBarPolicy
        self.setLineWrapMode(modes.WidgetWidth if wraps else modes.NoWrap)
        self.setHorizontalScrollBarPolicy(policies.ScrollBarAlwaysOff if wraps else policies.ScrollBarAsNeeded)

    def _height_of(self, lines: float) -> int:
        return math.ceil(lines + 2 * self.document().documentMargin() + 4)

    def _grow(self) -> None:
        lines = sum(islice(self._line_heights(), MAX_LINES))
        self.setFixedHeight(self._height_of(max(lines, self._tallest_line())))

    def _line_heights(self) -> Iterator[float]:
        """Yield the height of each line; one with Chinese is taller than the font's own."""
        block = self.document().firstBlock()
        while block.isValid():
            self.document().documentLayout().blockBoundingRect(block)  # lays it out where that was not done yet
            layout = block.layout()
            yield from (layout.lineAt(number).height() for number in range(layout.lineCount()))
            block = block.next()

    def _tallest_line(self) -> float:
        """Return the height of a line with Chinese, which the empty field has too: the first word moves nothing."""
        layout = QTextLayout("\u56fd", self.font())
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        return max(line.height(), self.fontMetrics().lineSpacing())


def can_hold(text: str) -> bool:
    """Tell whether the field stays usable with this text in it."""
    return _longest_line(text) <= LONGEST_LINE


def _longest_line(text: str) -> int:
    return max((len(line) for line in text.split("\n")), default=0)


def _text_of_html(source: QMimeData) -> str:
    """The words of HTML that came without plain text; nothing that it names is loaded."""
    html = source.html() if source.hasHtml() else ""
    text = QTextDocumentFragment.fromHtml(html).toPlainText() if html and len(html) <= MOST_BYTES else ""
    return text.replace("\ufffc", "")  # where pictures stood
