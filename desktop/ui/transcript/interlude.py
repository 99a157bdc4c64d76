"""What stands where no message does: the greeting of an empty thread, or a word while a thread is being read."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon
from desktop.ui.transcript.empty_state import EmptyState

PATIENCE_MS = 300
"""What is read sooner needs no word: it would only flicker."""


class Interlude(QObject):
    """Covers the ``viewport`` while one of the two is shown, and follows its size, the theme and the language.

    ``example_requested`` carries the text of an example that was clicked.
    """

    example_requested = Signal(str)

    def __init__(self, theme: ThemeManager, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._greeting = EmptyState(theme, viewport)
        self._greeting.example_requested.connect(self.example_requested)
        self._waiting = _Waiting(theme, viewport)
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._timer.timeout.connect(self._show_waiting)
        viewport.installEventFilter(self)
        theme.changed.connect(self._restyle)
        self.end()

    def greet(self, *, is_scripted: bool, is_temporary: bool = False) -> None:
        """Greet for an empty thread, or say what a temporary one is. ``is_scripted``: the built-in demo would answer."""
        self.end()
        self._greeting.set_temporary(is_temporary)
        self._greeting.set_scripted(is_scripted)
        self._greeting.fit(self._viewport)
        self._greeting.show()

    def set_scripted(self, is_scripted: bool) -> None:
        self._greeting.set_scripted(is_scripted)
        self._greeting.fit(self._viewport)

    def wait(self) -> None:
        """Say that a thread is being read, if it takes longer than a moment."""
        self._timer.start()

    def end(self) -> None:
        """Give way to messages."""
        self._timer.stop()
        self._waiting.hide()
        self._greeting.hide()

    def retranslate(self) -> None:
        self._greeting.retranslate()
        self._waiting.retranslate()
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QResizeEvent):
            self._fit()
        return False

    def _show_waiting(self) -> None:
        self._fit()
        self._waiting.show()
        self._waiting.raise_()

    def _restyle(self) -> None:
        self._greeting.restyle()
        self._waiting.restyle()
        self._fit()

    def _fit(self) -> None:
        self._greeting.fit(self._viewport)
        self._waiting.setGeometry(self._viewport.rect())


class _Waiting(QFrame):
    """Lies over the messages of the thread before."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("thread-loading")
        self._icon = StateIcon(theme, 18, self)
        self._icon.show_icon(SPINNING)
        self._words = QLabel()
        self._words.setProperty("role", "muted")
        layout = QHBoxLayout(self)
        layout.setSpacing(8)
        layout.addStretch(1)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._words)
        layout.addStretch(1)
        self.restyle()
        self.retranslate()

    def restyle(self) -> None:
        self._icon.setFixedSize(self._theme.px(18), self._theme.px(18))

    def retranslate(self) -> None:
        self._words.setText(self.tr("Opening the chat…"))
        self.setAccessibleName(self._words.text())
