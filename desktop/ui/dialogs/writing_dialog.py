"""A dialog in which something is written: Ctrl+Enter hands it over, and its words follow the language."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from desktop.ui.dialogs.returning_dialog import GrowingDialog


def hands_over(event: QKeyEvent) -> bool:
    """Whether this is Ctrl+Enter, which ends writing also in a text, where Enter alone begins a line."""
    is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return is_enter and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


class WritingDialog(GrowingDialog):
    """A subclass says what is done with what was written, and sets its words."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if hands_over(event):
            self._hand_over()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _hand_over(self) -> None:
        raise NotImplementedError

    def _retranslate(self) -> None:
        raise NotImplementedError
