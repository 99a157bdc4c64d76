"""While a message that was sent is being changed: the line above the text that says so, and the way out of it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop.ui.controls import SMALL_ICON, IconLabel, announce, describe, hand_focus
from desktop.ui.shortcuts import keys_of
from desktop.ui.theme.theme_manager import ThemeManager


class EditMode(QObject):
    """``place`` puts the line where it belongs; it is made when it is first needed. ``left`` comes when the user gives up."""

    left = Signal()

    def __init__(self, theme: ThemeManager, place: Callable[[QWidget], object], text: QWidget, parent: QObject) -> None:
        """``text`` is where the message is written."""
        super().__init__(parent)
        self._theme = theme
        self._place = place
        self._text = text
        self._line: EditLine | None = None

    @property
    def is_on(self) -> bool:
        return self._line is not None and not self._line.isHidden()

    def show_state(self, *, is_on: bool, is_running: bool) -> None:
        """Say that a message is being changed, or no more; ``is_running``: and that sending it stops what is being written."""
        if is_on and self._line is None:
            self._line = EditLine(self._theme)
            self._line.cancel_button.clicked.connect(self.left)
            self._place(self._line)
        if self._line is None:
            return
        was_on = self.is_on
        if not is_on:
            hand_focus(self._line.cancel_button, self._text)
        self._line.show_state(is_running=is_running)
        self._line.setVisible(is_on)
        if is_on and not was_on:
            announce(self._text, self._line.words)

    def focus_stops(self) -> list[QWidget]:
        return [] if self._line is None else [self._line.cancel_button]


class EditLine(QWidget):
    """Says what sending does, with a button to give up."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editLine")
        self._is_running = False
        self._label = QLabel()
        self._label.setObjectName("editWords")
        self._label.setProperty("role", "muted")
        self._label.setWordWrap(True)
        self._label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.cancel_button = QPushButton()
        self.cancel_button.setObjectName("cancelEdit")
        self.cancel_button.setProperty("role", "link")
        self.cancel_button.setCursor(Qt.CursorShape.ArrowCursor)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme, "pencil", "accent", SMALL_ICON))
        layout.addWidget(self._label, 1)
        layout.addWidget(self.cancel_button)
        self._retranslate()

    @property
    def words(self) -> str:
        return self._label.text()

    def show_state(self, *, is_running: bool) -> None:
        self._is_running = is_running
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        if self._is_running:
            words = self.tr("You are changing a message. Sending it stops the answer that is being written; both stay.")
        else:
            words = self.tr("You are changing a message. It is sent anew; the one before stays with its answers.")
        self._label.setText(words)
        self.cancel_button.setText(self.tr("Cancel"))
        describe(self.cancel_button, self.tr("Give up the change"), shortcut=keys_of("stop"))
