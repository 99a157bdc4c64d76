"""Says above the text field that the message holds what looks like a key, with the ways on."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import IconLabel, announce
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.theme.theme_manager import ThemeManager


class KeyWarning(QFrame):
    """Signals: ``use_requested`` (the key belongs to a model), ``send_requested`` (it shall be sent all the same), and
    ``left`` (by Escape)."""

    use_requested = Signal()
    send_requested = Signal()
    left = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("keyWarning")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._is_insisting = False
        self._text = QLabel()
        self._text.setObjectName("keyWarningText")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._use, self._send = QPushButton(), QPushButton()
        for button, name, signal in (
            (self._use, "useKey", self.use_requested),
            (self._send, "sendKeyAnyway", self.send_requested),
        ):
            button.setObjectName(name)
            button.clicked.connect(signal)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self._text)
        words.addLayout(Wrapping(self._use, self._send))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme, "triangle-alert", "warning", 16), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        self._retranslate()

    def focus_stops(self) -> list[QWidget]:
        return [self._use, self._send]

    def warn(self) -> None:
        """Say what was found, for a screen reader when it has finished its sentence."""
        self._is_insisting = False
        self._retranslate()
        announce(self, self._text.text())

    def insist(self) -> None:
        """Say that nothing was sent for it, at once."""
        self._is_insisting = True
        self._retranslate()
        announce(self, self._text.text(), assertive=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        if self._is_insisting:
            text = self.tr(
                "Not sent yet: this looks like a key. What you send goes to the model and stays in the chat."
                " Choose what to do with it."
            )
        else:
            text = self.tr("This looks like a key. What you send goes to the model and stays in the chat.")
        self._text.setText(text)
        self.setAccessibleName(text)
        for button, words in (
            (self._use, self.tr("Use it as the key of a model…")),
            (self._send, self.tr("Send anyway")),
        ):
            button.setText(words)
            button.setAccessibleName(words)
