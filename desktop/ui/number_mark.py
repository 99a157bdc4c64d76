"""The mark of what is chosen in an order: its number on the accent; an empty ring for what could be chosen."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.theme_manager import ThemeManager

SIZE = 16


def number_mark(theme: ThemeManager, number: int, widget: QWidget) -> QIcon:
    """Return the mark for a place in the order, which begins with 1; 0 is not chosen. ``widget`` says how sharp."""
    ratio, tokens = widget.devicePixelRatioF(), theme.tokens
    size = theme.px(SIZE)
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    area = QRectF(0, 0, size, size).adjusted(1, 1, -1, -1)
    if number:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.accent))
        painter.drawEllipse(area)
        font = QFont(theme.ui_font())
        font.setPixelSize(round(size * 0.62))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(tokens.on_accent))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(number))
    else:
        painter.setPen(QPen(QColor(tokens.field_line), 1))
        painter.drawEllipse(area)
    painter.end()
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon
