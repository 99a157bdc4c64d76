"""Tick boxes, radio buttons and a list box that are drawn from the palette: Fusion's own vanish on a dark window."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QRadioButton

_USUAL_SIZE, _USUAL_POINT_SIZE = 17, 10.0


def _size(button: QAbstractButton) -> int:
    return round(_USUAL_SIZE * button.font().pointSizeF() / _USUAL_POINT_SIZE)


def _draw(button: QAbstractButton, *, is_round: bool) -> None:
    painter = QPainter(button)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    palette = button.palette()
    size = _size(button)
    area = QRectF((button.width() - size) / 2 + 1, (button.height() - size) / 2 + 1, size - 2, size - 2)
    accent = palette.color(QPalette.ColorRole.Highlight)
    is_set = button.isChecked()
    border = accent if is_set or button.hasFocus() else palette.color(QPalette.ColorRole.PlaceholderText)
    painter.setPen(QPen(border, 1.4))
    painter.setBrush(accent if is_set else palette.color(QPalette.ColorRole.Base))
    radius = area.width() / 2 if is_round else 4.0
    painter.drawRoundedRect(area, radius, radius)
    if is_set:
        _draw_mark(painter, area, palette.color(QPalette.ColorRole.HighlightedText), is_round=is_round)
    painter.end()


def _draw_mark(painter: QPainter, area: QRectF, colour: QColor, *, is_round: bool) -> None:
    if is_round:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(area.center(), area.width() * 0.21, area.width() * 0.21)
        return
    pen = QPen(colour, 1.9, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    x, y, w, h = area.x(), area.y(), area.width(), area.height()
    points = [(0.24, 0.52), (0.43, 0.71), (0.77, 0.31)]
    painter.drawPolyline([QPointF(x + a * w, y + b * h) for a, b in points])


class TickBox(QCheckBox):
    """A tick box without a text of its own."""

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_size(self), _size(self))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        _draw(self, is_round=False)


class RadioMark(QRadioButton):
    """A radio button without a text of its own."""

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_size(self), _size(self))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        _draw(self, is_round=True)


class CalmComboBox(QComboBox):
    """A list box that the wheel does not change: scrolling a form must not alter what passes under the pointer."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()
