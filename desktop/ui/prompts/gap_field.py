"""The field for one gap of a prompt: a line that grows. Enter goes on, unless it is an input method's."""

import math
import time

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.composer.message_edit import COMPOSED_JUST_NOW
from desktop.ui.text_field import LONGEST_LINE, MOST_CHARACTERS, TextField

MOST_LINES = 5


class GapField(TextField):
    """Emits ``enter_pressed`` at Enter; Shift+Enter begins a line."""

    enter_pressed = Signal()

    def __init__(self, object_name: str) -> None:
        super().__init__(object_name)
        self._composed_at = -1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.updateGeometry())

    def take(self, text: str) -> None:
        """Put a text in place of what stands here, as far as the field can hold it; Undo takes it out again."""
        lines = (line[:LONGEST_LINE] for line in text[:MOST_CHARACTERS].split("\n"))
        cursor = self.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText("\n".join(lines))
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif modifiers & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the dialog's
        elif self._is_composing():
            event.accept()
        elif modifiers:
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        else:
            self.enter_pressed.emit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802
        was_composing = self._has_preedit()
        super().inputMethodEvent(event)
        if was_composing and not self._has_preedit():
            self._composed_at = time.monotonic()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        # The document of a plain field counts its height in lines.
        lines = min(max(self.document().size().height(), 1), MOST_LINES)
        return QSize(super().sizeHint().width(), math.ceil(lines * self.fontMetrics().lineSpacing()) + 22)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.sizeHint().height())

    def _is_composing(self) -> bool:
        return self._has_preedit() or time.monotonic() - self._composed_at < COMPOSED_JUST_NOW

    def _has_preedit(self) -> bool:
        layout = self.textCursor().block().layout()
        return bool(layout is not None and layout.preeditAreaText())
