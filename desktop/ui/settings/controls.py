"""The controls of settings pages: switches, segments, numbers that the wheel does not turn, and numbers one may leave out."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QPushButton,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QWidget,
)

from desktop.ui.punctuation import labelled
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.theme.sizes import USUAL_POINT_SIZE
from desktop.ui.theme.theme_manager import ThemeManager


class Switch(QCheckBox):
    """On or off. The knob's side says which, so that nobody depends on the colour. It grows with the text."""

    SIZE = QSize(42, 26)

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self.SIZE * self._scale()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def hitButton(self, pos: object) -> bool:  # noqa: N802
        return True

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, role = self.palette(), QPalette.ColorRole
        palette.setCurrentColorGroup(QPalette.ColorGroup.Active)
        painter.translate(self.rect().toRectF().center())
        painter.scale(self._scale(), self._scale())
        track = QRectF(-18, -10, 36, 20)
        is_on = self.isChecked()
        edge = palette.color(role.Highlight if is_on else role.PlaceholderText)
        if not self.isEnabled() or self.property("off"):
            painter.setOpacity(0.45)
        if self.hasFocus():
            painter.setPen(QPen(palette.color(role.Highlight), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), 12, 12)
        inner = track.adjusted(1.5, 1.5, -1.5, -1.5)
        painter.setPen(QPen(edge, 1.5))
        painter.setBrush(edge if is_on else palette.color(role.Base))
        painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(role.HighlightedText) if is_on else edge)
        radius = 6.5 if is_on or self.underMouse() else 5.5
        knob = QPointF(track.right() - 10 if is_on else track.left() + 10, track.center().y())
        painter.drawEllipse(knob, radius, radius)

    def _scale(self) -> float:
        """The text's size in parts of the usual one."""
        return self.font().pointSizeF() / USUAL_POINT_SIZE


class SegmentedChoice(QWidget):
    """One of a few values, all in sight. Arrow keys go from one to the next; Tab reaches the chosen one.

    ``chosen`` carries the value that the user picked.
    """

    chosen = Signal(object)

    def __init__(self, object_name: str, values: Sequence[object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self.setProperty("role", "segments")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._gap = ""
        self._buttons: dict[object, QPushButton] = {}
        for value in values:
            button = QPushButton()
            button.setObjectName(f"{object_name}-{value}")
            button.setProperty("role", "segment")
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.clicked.connect(lambda _checked=False, value=value: self.chosen.emit(value))
            self._buttons[value] = button
        layout = Wrapping(*self._buttons.values(), spacing=2)
        layout.setContentsMargins(3, 3, 3, 3)
        self.setLayout(layout)

    def set_words(self, words: dict[object, str]) -> None:
        """Set the text of each value."""
        for value, text in words.items():
            self._buttons[value].setText(self._gap + text)
            self._describe(value)
        self.updateGeometry()

    def set_icons(self, theme: ThemeManager, icons: dict[object, str]) -> None:
        """Put an icon before the text of each value; before ``set_words``."""
        self._gap = " "  # Qt leaves next to nothing between the two
        for value, name in icons.items():
            theme.set_icon(self._buttons[value], name, "text", 16)

    def set_value(self, value: object) -> None:
        """Show ``value``; one that is none of the choices shows none. Emits nothing."""
        for own, button in self._buttons.items():
            with QSignalBlocker(button):
                button.setAutoExclusive(False)
                button.setChecked(own == value)
                button.setAutoExclusive(True)

    def button(self, value: object) -> QPushButton:
        return self._buttons[value]

    def setAccessibleName(self, name: str) -> None:  # noqa: N802
        """Name the group; each choice is read with it."""
        super().setAccessibleName(name)
        for value in self._buttons:
            self._describe(value)

    def _describe(self, value: object) -> None:
        group = self.accessibleName()
        text = self._buttons[value].text().strip()
        self._buttons[value].setAccessibleName(labelled(group, text) if group else text)


class CalmSpinBox(QSpinBox):
    """A whole number that the wheel does not turn: scrolling a page must not alter what passes under the pointer."""

    def __init__(self, object_name: str, least: int, most: int, step: int = 1) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setRange(least, most)
        self.setSingleStep(step)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()


class CalmDoubleSpinBox(QDoubleSpinBox):
    """A number with decimals that the wheel does not turn."""

    def __init__(self, object_name: str, least: float, most: float, step: float, decimals: int) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setDecimals(decimals)
        self.setRange(least, most)
        self.setSingleStep(step)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()


def show_number(box: CalmSpinBox | CalmDoubleSpinBox, number: float) -> None:
    """Show ``number`` without emitting anything, and without disturbing somebody who types just that."""
    if box.value() != number:
        with QSignalBlocker(box):
            box.setValue(number)  # pyright: ignore[reportArgumentType]


class CalmSlider(QSlider):
    """A slider that the wheel does not move."""

    def __init__(self, object_name: str, least: int, most: int, step: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName(object_name)
        self.setRange(least, most)
        self.setSingleStep(step)
        self.setPageStep(step * 5)
        self.setMinimumWidth(110)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(130, max(super().sizeHint().height(), 24))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()


class OptionalNumber(QWidget):
    """A number that may be left out: a switch, and while it is on a slider (for small ranges) and a field.

    ``changed`` carries the number, or None when it is left out; it comes at each step.
    """

    changed = Signal(object)

    def __init__(self, object_name: str, field: CalmSpinBox | CalmDoubleSpinBox, *, start: float, slider: bool) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._start = start
        self._field = field
        self._scale = 100 if slider else 1
        self._slider = CalmSlider(f"{object_name}-slider", *self._slider_range()) if slider else None
        self._switch = Switch(f"{object_name}-switch")
        self.setLayout(Wrapping(*([self._slider] if self._slider else []), field, self._switch, spacing=12))
        self.setFocusProxy(self._switch)
        self._switch.toggled.connect(self._switched)
        field.valueChanged.connect(self._field_changed)
        if self._slider is not None:
            self._slider.valueChanged.connect(self._slid)

    def set_value(self, value: float | None) -> None:
        """Show ``value``; emits nothing."""
        with QSignalBlocker(self._switch):
            self._switch.setChecked(value is not None)
        self._show_number(self._start if value is None else value)
        self._show_parts()

    def setAccessibleName(self, name: str) -> None:  # noqa: N802
        super().setAccessibleName(name)
        for part in (self._switch, self._field, self._slider):
            if part is not None:
                part.setAccessibleName(name)

    def setAccessibleDescription(self, description: str) -> None:  # noqa: N802
        super().setAccessibleDescription(description)
        self._switch.setAccessibleDescription(description)

    def _slider_range(self) -> tuple[int, int, int]:
        box = self._field
        return round(box.minimum() * 100), round(box.maximum() * 100), round(box.singleStep() * 100)

    def _switched(self, is_on: bool) -> None:
        self._show_parts()
        self.changed.emit(self._field.value() if is_on else None)

    def _field_changed(self, value: float) -> None:
        self._show_number(value)
        self.changed.emit(value)

    def _slid(self, position: int) -> None:
        step = max(self._slider_range()[2], 1)
        number = round(position / step) * step / self._scale
        self._field.setValue(number)  # pyright: ignore[reportArgumentType]

    def _show_number(self, value: float) -> None:
        show_number(self._field, value)
        if self._slider is not None:
            with QSignalBlocker(self._slider):
                self._slider.setValue(round(value * self._scale))

    def _show_parts(self) -> None:
        is_on = self._switch.isChecked()
        for part in (self._field, self._slider):
            if part is not None:
                part.setVisible(is_on)
        self.updateGeometry()
