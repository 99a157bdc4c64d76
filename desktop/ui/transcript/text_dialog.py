"""A window with a long text as plain text, for what is too long to be rendered or stands folded."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.state.readable import readable, shortened_lines
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.code_view import LINE_CHARACTERS
from desktop.ui.transcript.blocks.copy_button import CopyButton


class TextDialog(ReturningDialog):
    """Opened with ``show()``; deletes itself when closed. Copy gives the text as it is, uncut."""

    def __init__(self, text: str, theme: ThemeManager, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("full-text")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 560)
        view = QPlainTextEdit(self)
        view.setObjectName("full-text-view")
        view.setAccessibleName(title)
        view.setTabChangesFocus(True)
        view.setReadOnly(True)
        view.setUndoRedoEnabled(False)
        view.setFont(theme.code_font())
        view.setPlainText(shortened_lines(readable(text), LINE_CHARACTERS))
        copy = CopyButton(theme, self)
        copy.setObjectName("full-text-copy")
        copy.set_name(self.tr("Copy the whole text"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        close = QPushButton(self.tr("Close"), self)
        close.setObjectName("full-text-close")
        close.setAccessibleName(close.text())
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(view, 1)
        layout.addLayout(buttons)
