"""The line above the message of a chat with documents of its own: how many, and how far they were read."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop.ui.controls import SMALL_ICON, IconLabel, describe, set_property
from desktop.ui.theme.theme_manager import ThemeManager


class KnowledgeLine(QWidget):
    """``list_requested`` comes when the documents are to be shown."""

    list_requested = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("knowledgeLine")
        self._words = QLabel()
        self._words.setObjectName("knowledgeWords")
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = QPushButton()
        self.button.setObjectName("knowledgeShow")
        self.button.setProperty("role", "link")
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        self.button.clicked.connect(self.list_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme, "book-open", "muted", SMALL_ICON))
        layout.addWidget(self._words, 1)
        layout.addWidget(self.button)
        self._retranslate()

    @property
    def words(self) -> str:
        return self._words.text()

    def show_words(self, words: str, *, has_problem: bool) -> None:
        self._words.setText(words)
        set_property(self._words, "role", "warning" if has_problem else "muted")

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self.button.setText(self.tr("Show"))
        describe(self.button, self.tr("Show the documents"), tooltip=self.tr("Show, read again or remove documents"))
