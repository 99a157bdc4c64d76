"""A long pasted text, folded above the text field: what it is, and buttons to look at it, to unfold and to remove it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from desktop.ui.controls import ElidedButton, describe, prepare_icon_button
from desktop.ui.pasted_words import pasted_words
from desktop.ui.theme.theme_manager import ThemeManager


class PastedChip(QFrame):
    """Signals: ``view_requested``, ``unfold_requested`` (into the text field) and ``remove_requested``."""

    view_requested = Signal()
    unfold_requested = Signal()
    remove_requested = Signal()

    def __init__(self, theme: ThemeManager, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = text
        self.setObjectName("pastedChip")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._view = ElidedButton()
        self._view.setObjectName("pastedView")
        self._view.setProperty("role", "chipButton")
        theme.set_icon(self._view, "file-text", "muted", 16)
        self._view.clicked.connect(self.view_requested)
        self._unfold = QToolButton()
        prepare_icon_button(self._unfold, theme, "pastedUnfold", "unfold-vertical")
        self._unfold.clicked.connect(self.unfold_requested)
        self._remove = QToolButton()
        prepare_icon_button(self._remove, theme, "pastedRemove", "x")
        self._remove.clicked.connect(self.remove_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 2)
        layout.setSpacing(2)
        for button in self.focus_stops():
            layout.addWidget(button)
        self._retranslate()

    def focus_stops(self) -> list[QWidget]:
        return [self._view, self._unfold, self._remove]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        words = pasted_words(self.text)
        self.setAccessibleName(words)
        self._view.set_full_text(words)
        describe(self._view, self.tr("Show: %1").replace("%1", words), tooltip=self.tr("Show the text"))
        describe(self._unfold, self.tr("Put the text into the message field"))
        describe(self._remove, self.tr("Remove the pasted text"))
