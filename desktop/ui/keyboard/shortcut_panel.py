"""The list of all actions with their keys, and below it what can be done about the keys of its current row."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe, set_enabled
from desktop.ui.keyboard.own_keys import has_own_keys
from desktop.ui.keyboard.shortcut_list import ShortcutList
from desktop.ui.shortcuts import SHORTCUTS
from desktop.ui.theme.theme_manager import ThemeManager


class ShortcutPanel(QWidget):
    """Signals:
    change_requested: the keys of an action are to be pressed anew; carries its id.
    reset_requested: all actions are to have their usual keys.
    """

    change_requested = Signal(str)
    reset_requested = Signal()

    def __init__(self, theme: ThemeManager, *, can_reset: bool = True) -> None:
        """``can_reset``: there is a button for the usual keys."""
        super().__init__()
        self.list = ShortcutList(theme)
        self._change, self._reset = QPushButton(), QPushButton()
        for button, name in ((self._change, "shortcutsChange"), (self._reset, "shortcutsReset")):
            button.setObjectName(name)
            button.setAutoDefault(False)
        self._reset.setVisible(can_reset)
        self.buttons = QHBoxLayout()
        """The line of the buttons, with room at its end."""
        self.buttons.addWidget(self._change)
        self.buttons.addWidget(self._reset)
        self.buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self.list, 1)
        layout.addLayout(self.buttons)
        self.list.change_requested.connect(self.change_requested)
        self.list.current_changed.connect(self._judge)
        self._change.clicked.connect(self.list.change_current)
        self._reset.clicked.connect(self.reset_requested)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _judge(self) -> None:
        current = self.list.current
        set_enabled(self._change, current is not None and not current.is_fixed)
        set_enabled(self._reset, any(map(has_own_keys, SHORTCUTS)))

    def _retranslate(self) -> None:
        change = self.tr("Change the keys of the chosen action; a double click on it or Enter does the same")
        reset = self.tr("Give all actions their usual keys")
        for button, text, tip in (
            (self._change, self.tr("Change…"), change),
            (self._reset, self.tr("Reset all"), reset),
        ):
            button.setText(text)
            describe(button, text, tooltip=tip)
        self._judge()
