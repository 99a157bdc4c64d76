"""When a question may be answered with yes: only after it has stood still, in front, for a moment."""

from collections.abc import Generator
from contextlib import contextmanager
from enum import Enum, auto

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget


class Wait(Enum):
    """Why nothing can be allowed just now."""

    NO = auto()
    OPENING = auto()
    """The question has just come."""
    CHANGED = auto()
    """The buttons moved, or the window came to the front."""
    AWAY = auto()
    """Another window is in front."""


class Arming(QObject):
    """Watches a dialog and its buttons: a click or a key that was meant for what was there before must not count.

    While another window is in front nothing is armed, instead of being armed anew by the click that brings the dialog
    to the front: a button that looks as if it could be pressed can be pressed. ``changed`` tells that ``wait`` did.
    """

    changed = Signal()

    def __init__(self, dialog: QWidget, delay_ms: int) -> None:
        super().__init__(dialog)
        self._dialog = dialog
        self._buttons = dialog
        self._place = QRect()
        self._wait = Wait.OPENING
        self._was_armed = False
        self._was_touched = False
        self._is_held = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(delay_ms)
        self._timer.timeout.connect(self._time_out)
        dialog.installEventFilter(self)

    @property
    def wait(self) -> Wait:
        return self._wait

    def watch(self, buttons: QWidget) -> None:
        """Say which widget holds the buttons: as long as it stands still on the screen, a click hits what was meant."""
        self._buttons = buttons
        buttons.installEventFilter(self)

    def stand_anew(self) -> None:
        """The buttons were replaced: none of them stands where one stood that was meant."""
        self._place = QRect()
        self._look()

    @contextmanager
    def one_change(self) -> Generator[None, None, None]:
        """Look only at the end whether the buttons stand elsewhere: what happens in the body happens at once."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
            self._look()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        kind = event.type()
        if kind in (QEvent.Type.Move, QEvent.Type.Resize):
            if not self._is_held:
                self._look()
        elif kind == QEvent.Type.MouseButtonPress:
            if self._wait is Wait.AWAY:  # where a desktop tells nobody which window is in front, a click does
                self._was_touched = True
                self._begin()
        elif watched is self._dialog:
            if kind == QEvent.Type.Show:
                # The window of the system hears of every click, also of one on a button that is disabled.
                self._dialog.windowHandle().installEventFilter(self)
                self._begin()
            elif kind == QEvent.Type.WindowActivate and self._wait is not Wait.NO:
                self._begin()
            elif kind == QEvent.Type.WindowDeactivate:
                self._leave()
        return False

    def _look(self) -> None:
        place = QRect(self._buttons.mapToGlobal(QPoint(0, 0)), self._buttons.size())
        if place != self._place:
            self._place = place
            if self._wait is not Wait.AWAY:
                self._begin()

    def _begin(self) -> None:
        if self._dialog.isVisible():
            self._timer.start()
            self._set(Wait.CHANGED if self._was_armed else Wait.OPENING)

    def _leave(self) -> None:
        self._was_touched = False
        if self._dialog.isVisible():
            self._timer.stop()
            self._set(Wait.AWAY)

    def _time_out(self) -> None:
        if self._is_attended():
            self._was_armed = True
            self._set(Wait.NO)
        else:
            self._set(Wait.AWAY)

    def _is_attended(self) -> bool:
        """Whether the dialog is in front, or the window that it blocks: some desktops leave the focus there."""
        parent, active = self._dialog.parentWidget(), QApplication.activeWindow()
        in_front = (self._dialog, parent.window() if parent is not None else self._dialog)
        return self._was_touched or active in in_front

    def _set(self, wait: Wait) -> None:
        if wait is not self._wait:
            self._wait = wait
            self.changed.emit()
