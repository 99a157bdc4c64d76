"""Shows the report for a bug before it is copied or saved: every line that it holds."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import plain_label
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 720, 560


class ReportDialog(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed. ``copy_requested``, ``save_requested``: the user clicked that."""

    copy_requested = Signal()
    save_requested = Signal()

    def __init__(self, text: str, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = text
        self._is_copied = False
        self.setObjectName("problemReport")
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._title, self._note = plain_label("", "title"), plain_label("", "muted")
        self._view = QPlainTextEdit(text)
        self._view.setObjectName("problemReportText")
        self._view.setProperty("role", "code")
        self._view.setReadOnly(True)
        self._view.setTabChangesFocus(True)
        self._view.setFont(theme.code_font())
        self._copy, self._save, self._close = (_button(name) for name in ("reportCopy", "reportSave", "reportClose"))
        self._copy.clicked.connect(self.copy_requested)
        self._save.clicked.connect(self.save_requested)
        self._close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self._copy)
        buttons.addWidget(self._save)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(self._title)
        layout.addWidget(self._note)
        layout.addWidget(self._view, 1)
        layout.addLayout(buttons)
        self.setMinimumSize(420, 320)
        self.resize(theme.px(_WIDTH), theme.px(_HEIGHT))
        self._retranslate()
        self._view.setFocus()

    def show_copied(self) -> None:
        """Say on the button that it is in the clipboard."""
        self._is_copied = True
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        title = self.tr("Report a problem")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._title.setText(title)
        self._note.setText(
            self.tr(
                "This is all that the report holds: versions, settings without keys, names and addresses, and the end"
                " of the log without texts. Nothing is sent. Copy or save it, and add what you did and what happened."
            )
        )
        describe(self._view, self.tr("The report"), tooltip="")
        for button, words in (
            (self._copy, self.tr("Copied") if self._is_copied else self.tr("Copy")),
            (self._save, self.tr("Save as a file…")),
            (self._close, self.tr("Close")),
        ):
            button.setText(words)
            describe(button, words, tooltip="")


def _button(name: str) -> QPushButton:
    button = QPushButton()
    button.setObjectName(name)
    button.setAutoDefault(False)
    return button
