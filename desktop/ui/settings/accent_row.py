"""The choice of the accent: a row of colours, each with its name, the chosen one with a tick and a ring."""

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from desktop.core.settings import Accent
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.theme.tokens import tokens_for


class AccentRow(QWidget):
    """``chosen`` carries the ``Accent`` that the user picked. Arrow keys go along the row."""

    chosen = Signal(object)

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("accent")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._swatches = {accent: _Swatch(theme, accent) for accent in Accent}
        for accent, swatch in self._swatches.items():
            swatch.clicked.connect(lambda _checked=False, accent=accent: self.chosen.emit(accent))
        self.setLayout(Wrapping(*self._swatches.values(), spacing=2))
        self.retranslate()

    def set_value(self, accent: Accent) -> None:
        """Show the chosen accent; emits nothing."""
        with QSignalBlocker(self._swatches[accent]):
            self._swatches[accent].setChecked(True)

    def retranslate(self) -> None:
        names = {
            Accent.INDIGO: self.tr("Indigo"),
            Accent.BLUE: self.tr("Blue"),
            Accent.TEAL: self.tr("Teal"),
            Accent.GREEN: self.tr("Green"),
            Accent.ORANGE: self.tr("Orange"),
            Accent.ROSE: self.tr("Rose"),
            Accent.GRAPHITE: self.tr("Graphite"),
        }
        for accent, swatch in self._swatches.items():
            swatch.setToolTip(names[accent])
            swatch.setAccessibleName(self.tr("Accent: %1").replace("%1", names[accent]))


class _Swatch(QPushButton):
    """A disc that grows with the text; it is drawn in a square of ``SIZE`` in the middle."""

    SIZE = 32

    def __init__(self, theme: ThemeManager, accent: Accent) -> None:
        super().__init__()
        self._theme = theme
        self._accent = accent
        self.setObjectName(f"accent-{accent}")
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:  # noqa: N802
        side = self._theme.px(self.SIZE)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        shown = self._theme.tokens
        own = tokens_for(self._accent, dark=shown.name == "dark")
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self.rect().toRectF().center())
        painter.scale(self._theme.sizes.scale, self._theme.sizes.scale)
        painter.translate(-self.SIZE / 2, -self.SIZE / 2)
        area = QRectF(0, 0, self.SIZE, self.SIZE)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.isChecked() or self.hasFocus():
            painter.setPen(QPen(QColor(shown.text if self.hasFocus() else own.accent), 2))
            painter.drawEllipse(area.adjusted(2, 2, -2, -2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(own.accent_hover if self.underMouse() else own.accent))
        painter.drawEllipse(area.adjusted(5, 5, -5, -5))
        if self.isChecked():
            pen = QPen(QColor(own.on_accent), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPolyline([QPointF(11.5, 16.5), QPointF(14.8, 19.8), QPointF(20.8, 12.8)])
        painter.end()
