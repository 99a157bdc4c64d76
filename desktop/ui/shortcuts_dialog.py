"""The list of keyboard shortcuts as a dialog, with what can be done about the keys of its current row."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe, set_enabled
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.keyboard.own_keys import has_own_keys
from desktop.ui.keyboard.shortcut_list import ShortcutList
from desktop.ui.shortcuts import SHORTCUTS

SIZE = (560, 640)


class ShortcutsDialog(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        change_requested: the keys of an action are to be pressed anew; carries its id.
        reset_requested: all actions are to have their usual keys.
    """

    change_requested = Signal(str)
    reset_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutsDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(SIZE[0], min(SIZE[1], max(360, parent.height() - 80)))
        self._title = QLabel()
        self._title.setProperty("role", "heading")
        self._list = ShortcutList()
        self._list.change_requested.connect(self.change_requested)
        self._list.current_changed.connect(self._judge)
        self._change, self._reset, self._close = QPushButton(), QPushButton(), QPushButton()
        for button, name in (
            (self._change, "shortcutsChange"),
            (self._reset, "shortcutsReset"),
            (self._close, "shortcutsClose"),
        ):
            button.setObjectName(name)
            button.setAutoDefault(False)
        self._change.clicked.connect(self._list.change_current)
        self._reset.clicked.connect(self.reset_requested)
        self._close.clicked.connect(self.accept)
        self._arrange()
        self._retranslate()
        self._list.search.setFocus()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self._change)
        buttons.addWidget(self._reset)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(self._title)
        layout.addWidget(self._list, 1)
        layout.addLayout(buttons)

    def _judge(self) -> None:
        current = self._list.current
        set_enabled(self._change, current is not None and not current.is_fixed)
        set_enabled(self._reset, any(map(has_own_keys, SHORTCUTS)))

    def _retranslate(self) -> None:
        title = self.tr("Keyboard shortcuts")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._title.setText(title)
        change = self.tr("Change the keys of the chosen action; a double click on it or Enter does the same")
        reset = self.tr("Give all actions their usual keys")
        for button, text, tip in (
            (self._change, self.tr("Change…"), change),
            (self._reset, self.tr("Reset all"), reset),
            (self._close, self.tr("Close"), ""),
        ):
            button.setText(text)
            describe(button, text, tooltip=tip)
        self._judge()
