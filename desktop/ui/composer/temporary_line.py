"""The line above the message of a temporary chat: that nothing of it is kept, and the way to keep it after all."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop.ui.controls import SMALL_ICON, IconLabel, describe
from desktop.ui.theme.theme_manager import ThemeManager


class TemporaryLine(QWidget):
    """``keep_requested`` comes when the user wants to keep the chat, which can be done once something was said."""

    keep_requested = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("temporaryLine")
        self._words = QLabel()
        self._words.setObjectName("temporaryWords")
        self._words.setProperty("role", "muted")
        self._words.setWordWrap(True)
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.keep_button = QPushButton()
        self.keep_button.setObjectName("keepChatButton")
        self.keep_button.setProperty("role", "link")
        self.keep_button.setCursor(Qt.CursorShape.ArrowCursor)
        self.keep_button.clicked.connect(self.keep_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme, "message-circle-dashed", "muted", SMALL_ICON))
        layout.addWidget(self._words, 1)
        layout.addWidget(self.keep_button)
        self._retranslate()
        self.hide()

    def set_can_keep(self, can_keep: bool) -> None:
        """Offer to keep the chat: an empty one has nothing to be kept."""
        self.keep_button.setVisible(can_keep)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self._words.setText(self.tr("Temporary: nothing of this chat is kept"))
        self.keep_button.setText(self.tr("Keep this chat"))
        describe(
            self.keep_button,
            self.keep_button.text(),
            tooltip=self.tr("Make it a usual chat: it is listed, found by the search, and may be remembered"),
        )
