"""Why something is refused, in the words of the user: a small text field that Ctrl+Enter hands over."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from desktop.ui.dialogs.writing_dialog import hands_over

LINES = 2


class ReasonField(QPlainTextEdit):
    """Emits ``handed_over`` at Ctrl+Enter. Enter begins a line, Escape is the dialog's."""

    handed_over = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("refuse_reason")
        self.setProperty("role", "field")
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def reason(self) -> str:
        """What was entered, without blanks around it."""
        return self.toPlainText().strip()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if hands_over(event):
            self.handed_over.emit()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, self._height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self._height())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def _height(self) -> int:
        return self.fontMetrics().lineSpacing() * LINES + 24
