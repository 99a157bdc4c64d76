"""A window with a whole message as plain text, for what is too long to be rendered."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.ui.state.readable import readable, shortened_lines
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.code_view import LINE_CHARACTERS
from desktop.ui.transcript.blocks.copy_button import CopyButton
from desktop.ui.transcript.context import BlockActions


class TextDialog(QDialog):
    """Opened with ``show()``; deletes itself when closed. Copy gives the text as it is, uncut."""

    def __init__(self, text: str, theme: ThemeManager, actions: BlockActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("full-text")
        self.setWindowTitle(self.tr("Whole message"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 560)
        view = QPlainTextEdit(self)
        view.setObjectName("full-text-view")
        view.setAccessibleName(self.tr("Whole message as text"))
        view.setReadOnly(True)
        view.setUndoRedoEnabled(False)
        view.setFont(theme.code_font())
        view.setPlainText(shortened_lines(readable(text), LINE_CHARACTERS))
        copy = CopyButton(theme, self)
        copy.set_name(self.tr("Copy whole message"))
        copy.clicked.connect(lambda: actions.copy_requested.emit(text))
        close = QPushButton(self.tr("Close"), self)
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(view, 1)
        layout.addLayout(buttons)
