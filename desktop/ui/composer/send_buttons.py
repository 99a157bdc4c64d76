"""The buttons below a message: Send, which is Stop while an answer runs, and beside that one that lets the message wait."""

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.ui.controls import describe, hand_focus, set_enabled
from desktop.ui.shortcuts import keys_of
from desktop.ui.theme.theme_manager import ThemeManager

ICON = 18


class SendButtons(QObject):
    """Emits ``send_requested`` or ``stop_requested``, then ``pressed``. The second button is there while an answer runs and
    something is written."""

    send_requested = Signal()
    stop_requested = Signal()
    pressed = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_running = False
        self.main = QPushButton()
        self.main.setObjectName("sendButton")
        self.main.setProperty("role", "primary")
        self.main.clicked.connect(self._main_clicked)
        self.waiting = QPushButton(parent)
        self.waiting.setObjectName("queueButton")
        self.waiting.clicked.connect(self.send_requested)
        self.waiting.hide()
        for button in self.all:
            button.setIconSize(QSize(ICON, ICON))
            button.setCursor(Qt.CursorShape.ArrowCursor)
            button.clicked.connect(lambda: self.pressed.emit())

    @property
    def all(self) -> list[QPushButton]:
        """In reading order."""
        return [self.waiting, self.main]

    def show_state(self, *, is_running: bool, has_content: bool, can_send: bool, is_changing: bool) -> None:
        """``is_changing``: a message that was sent is being changed, which stops what runs."""
        self._is_running = is_running
        shows = is_running and has_content
        if not shows:
            hand_focus(self.waiting, self.main)
        self.waiting.setVisible(shows)
        set_enabled(self.waiting, can_send)
        name = self.tr("Send") if is_changing else self.tr("Send after this answer")
        tip = self.tr("Stop the answer and send the change") if is_changing else name
        self._theme.set_icon(self.waiting, "arrow-up" if is_changing else "list-plus", "text", ICON)
        describe(self.waiting, name, shortcut=keys_of("send"), tooltip=tip)
        if is_running:
            self._theme.set_icon(self.main, "square", "on_accent", 16)
            describe(self.main, self.tr("Stop"), shortcut=keys_of("stop"), tooltip=self.tr("Stop the answer"))
            self.main.setEnabled(True)
        else:
            self.main.setEnabled(can_send)
            self._theme.set_icon(self.main, "arrow-up", "on_accent" if can_send else "muted", ICON)
            describe(self.main, self.tr("Send"), shortcut=keys_of("send"), tooltip=self.tr("Send the message"))

    def _main_clicked(self) -> None:
        if self._is_running:
            self.stop_requested.emit()
        else:
            self.send_requested.emit()
