"""Says of a setting that what stands in its control is not stored yet, with a button to try that again."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop.ui.controls import describe
from desktop.ui.plain_label import PlainLabel
from desktop.ui.punctuation import labelled


class UnsavedMark(QWidget):
    """Belongs into a setting's row. A screen reader hears the button with the name of the setting."""

    retry_requested = Signal()

    def __init__(self, setting: str) -> None:
        super().__init__()
        self._setting = setting
        self._words = PlainLabel(role="error", object_name="unsavedWords")
        self.button = QPushButton()
        self.button.setObjectName("saveAgain")
        self.button.setProperty("role", "link")
        self.button.clicked.connect(self.retry_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._words)
        layout.addWidget(self.button)
        layout.addStretch(1)
        self._retranslate()

    def set_setting(self, setting: str) -> None:
        """Belong to the setting of this name."""
        self._setting = setting
        self._retranslate()

    @property
    def text(self) -> str:
        return self._words.text()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self._words.setText(self.tr("Not saved yet."))
        text = self.tr("Try again")
        self.button.setText(text)
        describe(self.button, labelled(text, self._setting), tooltip="")
