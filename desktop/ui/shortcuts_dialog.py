"""The list of keyboard shortcuts as a dialog, in which they can be changed."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.keyboard.shortcut_panel import ShortcutPanel
from desktop.ui.theme.theme_manager import ThemeManager

SIZE = (560, 640)


class ShortcutsDialog(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed. Signals as those of ``ShortcutPanel``."""

    change_requested = Signal(str)
    reset_requested = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutsDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        width = min(theme.px(SIZE[0]), max(SIZE[0], parent.width() - 80))
        self.resize(width, min(theme.px(SIZE[1]), max(360, parent.height() - 80)))
        self._title = QLabel()
        self._title.setProperty("role", "heading")
        panel = ShortcutPanel(theme)
        panel.change_requested.connect(self.change_requested)
        panel.reset_requested.connect(self.reset_requested)
        self._close = QPushButton()
        self._close.setObjectName("shortcutsClose")
        self._close.setAutoDefault(False)
        self._close.clicked.connect(self.accept)
        panel.buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(self._title)
        layout.addWidget(panel, 1)
        self._retranslate()
        panel.list.search.setFocus()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        title = self.tr("Keyboard shortcuts")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._title.setText(title)
        self._close.setText(self.tr("Close"))
        describe(self._close, self.tr("Close"), tooltip="")
