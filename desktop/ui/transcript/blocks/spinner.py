"""A calm rotation for what runs: one slow timer for each icon in sight, none for the others or where nothing moves."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from desktop.ui.theme.theme_manager import ThemeManager

FRAME_MS = 80
TURN_SECONDS = 1.6
SPINNING = "loader-circle"
"""The icon that turns."""


class Spin(QTimer):
    """Calls ``repaint`` in steady steps while it is running and ``owner`` is in sight."""

    def __init__(self, theme: ThemeManager, owner: QWidget, repaint: Callable[[], object]) -> None:
        super().__init__(owner, interval=FRAME_MS)
        self._theme = theme
        self._owner = owner
        self._repaint = repaint
        self._wanted = False
        self.timeout.connect(self._step)
        theme.changed.connect(self._update)
        owner.installEventFilter(self)

    def set_running(self, running: bool) -> None:
        self._wanted = running
        self._update()

    def _update(self) -> None:
        """Stand still where nothing may move or can be seen: a timer that runs for nothing drains batteries."""
        turns = self._wanted and self._theme.has_motion and self._owner.isVisible()
        if turns and not self.isActive():
            self.start()
        elif not turns:
            self.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._update()
        return False

    def _step(self) -> None:
        if not self._owner.visibleRegion().isEmpty():
            self._repaint()


def paint_spinning(painter: QPainter, icon: QIcon, area: QRectF, size: int, *, turns: bool) -> None:
    """Draw ``icon`` in the middle of ``area``, turned as far as the clock says if it ``turns`` at all."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.translate(area.center())
    if turns:
        painter.rotate(time.monotonic() % TURN_SECONDS / TURN_SECONDS * 360)
    half = QRectF(-size / 2, -size / 2, size, size)
    icon.paint(painter, half.toRect(), Qt.AlignmentFlag.AlignCenter)
    painter.restore()


class StateIcon(QLabel):
    """The icon of a state, which turns while the state is one of running."""

    def __init__(self, theme: ThemeManager, size: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._size = size
        self._name, self._colour = "info", "muted"
        self._spin = Spin(theme, self, self.update)

    @property
    def is_turning(self) -> bool:
        return self._spin.isActive()

    def show_icon(self, name: str, colour: str = "muted") -> None:
        self._name, self._colour = name, colour
        self._spin.set_running(name == SPINNING)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        size = self._theme.px(self._size)
        icon = self._theme.icon(self._name, self._colour, size)
        area = QRectF(self.rect())
        if self._name == SPINNING:
            paint_spinning(painter, icon, area, size, turns=self._theme.has_motion)
        else:
            icon.paint(painter, area.toRect(), Qt.AlignmentFlag.AlignCenter)
        painter.end()
