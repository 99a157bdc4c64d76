"""What pops up over the window, with round corners: the system draws a window around it, which is square."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPainterPath, QPaintEvent, QRegion
from PySide6.QtWidgets import QFrame, QStyle, QStyleOption, QWidget

RADIUS = 8


class Popup(QFrame):
    """Closes by itself at a click elsewhere. The style sheet gives it background, border and radius."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        round_corners(self)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw the background, which Qt leaves out where something can be seen through."""
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, QPainter(self), self)


def round_corners(popup: QWidget) -> None:
    """Let what lies behind the corners be seen; before the popup is first shown."""
    if QGuiApplication.platformName() == "xcb":
        _Cutter(popup)
        return
    window = Qt.WindowType
    popup.setWindowFlags(popup.windowFlags() | window.FramelessWindowHint | window.NoDropShadowWindowHint)
    popup.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)


class _Cutter(QObject):
    """Cuts the corners off: under X11 there may be nobody who mixes windows, and what is to be seen through is black."""

    def __init__(self, popup: QWidget) -> None:
        super().__init__(popup)
        self._popup = popup
        popup.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize:
            path = QPainterPath()
            path.addRoundedRect(QRectF(self._popup.rect()), RADIUS, RADIUS)
            self._popup.setMask(QRegion(path.toFillPolygon().toPolygon()))
        return False
