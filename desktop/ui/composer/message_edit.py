"""The text field of the composer: grows with its text, Enter sends, an input method's Enter never does."""

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

MAX_LINES = 8
LONGEST_WRAPPED_LINE = 50_000
"""Characters. Wrapping a line takes time with the square of its length: 26 s for a million characters."""


class MessageEdit(QPlainTextEdit):
    """Emits ``send_requested`` at Enter and ``stop_requested`` at Escape."""

    send_requested = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageEdit")
        self.setTabChangesFocus(True)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self._grow()

    def set_text(self, text: str) -> None:
        """Replace the text and forget what could be undone; the cursor goes to the end."""
        self._choose_wrapping(text, kept=0)
        self.setPlainText(text)
        self.moveCursor(self.textCursor().MoveOperation.End)

    def is_composing(self) -> bool:
        """Whether an input method holds text that is not yet committed."""
        layout = self.textCursor().block().layout()
        return bool(layout is not None and layout.preeditAreaText())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.is_composing():
            breaks = event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier)
            if breaks:
                self.insertPlainText("\n")  # Qt's own Shift+Enter makes U+2028, which no model expects
                self.ensureCursorVisible()
            else:
                self.send_requested.emit()
            return
        if event.key() == Qt.Key.Key_Escape and not self.is_composing():
            self.stop_requested.emit()
            return
        super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        if source.hasText():
            self._choose_wrapping(source.text(), kept=self.document().characterCount())
        super().insertFromMimeData(source)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._grow()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self._height_of(1))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(80, self._height_of(1))

    def _choose_wrapping(self, text: str, *, kept: int) -> None:
        """Leave a monstrous line unwrapped; wrap where neither ``text`` nor the ``kept`` characters can hold one."""
        longest = max((len(line) for line in text.split("\n")), default=0)
        if longest > LONGEST_WRAPPED_LINE:
            self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        elif kept <= LONGEST_WRAPPED_LINE:
            self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _height_of(self, lines: int) -> int:
        spacing = self.fontMetrics().lineSpacing()
        return round(lines * spacing + 2 * self.document().documentMargin() + 4)

    def _grow(self) -> None:
        # A plain text document's height is its number of lines.
        lines = max(1, min(MAX_LINES, round(self.document().size().height())))
        self.setFixedHeight(self._height_of(lines))
