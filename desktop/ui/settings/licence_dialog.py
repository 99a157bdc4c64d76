"""A licence as its package brings it: plain text to read, in a dialog of the settings window."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.theme.theme_manager import ThemeManager

_COLUMNS = 81
"""Licences are broken into lines of this length; broken once more they are hard to read."""
_BESIDE_TEXT = 90


class LicenceDialog(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed."""

    def __init__(self, name: str, licence: str, text: str, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("licenceDialog")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._name = name
        self.setMinimumSize(420, 320)
        title = QLabel(name)
        title.setProperty("role", "title")
        short = QLabel(licence)
        short.setProperty("role", "muted")
        for label in (title, short):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._view = view = QPlainTextEdit(text)
        view.setObjectName("licenceText")
        view.setProperty("role", "code")
        view.setReadOnly(True)
        view.setTabChangesFocus(True)
        view.setFont(theme.code_font())
        self._close = close = QPushButton()
        close.setObjectName("licenceClose")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(short)
        layout.addWidget(view, 1)
        layout.addLayout(foot)
        view.setFocus()
        line = view.fontMetrics().horizontalAdvance("x" * _COLUMNS)
        self.resize(line + _BESIDE_TEXT, theme.px(560))
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        title = self.tr("Licence of %1").replace("%1", self._name)
        self.setWindowTitle(title)
        self._view.setAccessibleName(title)
        self._view.setPlaceholderText(self.tr("The package does not contain the text of its licence."))
        self._close.setText(self.tr("Close"))
        self._close.setAccessibleName(self._close.text())
