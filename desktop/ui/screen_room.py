"""How much of the screen a window may take, and where it stands within that."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

TITLE_BAR = 32
"""Room for what the system draws above a window."""


def room_on_screen(widget: QWidget) -> QRect:
    """Return where a window may stand on the screen of ``widget``."""
    screen = widget.screen()
    if screen is None:  # all monitors are unplugged
        return widget.geometry()
    return screen.availableGeometry().adjusted(0, TITLE_BAR, 0, 0)


def limit_least_size(window: QWidget, least: QSize) -> None:
    """Let the window be no smaller than ``least``, nor ever larger than its screen because of that."""
    window.setMinimumSize(least.boundedTo(room_on_screen(window).size()))


def placed_within(place: QRect, room: QRect, *, centred: bool = False) -> QRect:
    """Return ``place`` as it fits into ``room``: a window remembered from a larger screen must not hang over."""
    placed = QRect(place.topLeft(), place.size().boundedTo(room.size()))
    if centred:
        placed.moveCenter(room.center())
    placed.moveLeft(max(room.left(), min(placed.left(), room.right() + 1 - placed.width())))
    placed.moveTop(max(room.top(), min(placed.top(), room.bottom() + 1 - placed.height())))
    return placed
