"""Buttons that say what is chosen and open a list to choose something else: which model answers, for one."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.controls import ElidedButton, describe, set_property

MOST_WIDTH = 320


class PickerButton(ElidedButton):
    """As wide as its text, with an arrow at its end."""

    frame = 40
    is_folded = False

    def __init__(self, object_name: str, *, most_width: int = MOST_WIDTH) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setProperty("role", "picker")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(56)
        self.setMaximumWidth(most_width)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus where the user was

    @property
    def gained_width(self) -> int:
        """How much narrower the button is, or would be, with its icon alone."""
        return self._whole_hint().width() - self._folded_hint().width()

    def set_folded(self, is_folded: bool) -> None:
        """Show the icon alone, for want of room; the tooltip and the accessible name say the rest."""
        if self.is_folded != is_folded:
            self.is_folded = is_folded
            self.updateGeometry()
            self._elide()

    def sizeHint(self) -> QSize:  # noqa: N802
        return self._folded_hint() if self.is_folded else self._whole_hint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._folded_hint().width(), super().minimumSizeHint().height())

    def _whole_hint(self) -> QSize:
        return super().sizeHint().boundedTo(self.maximumSize())

    def _folded_hint(self) -> QSize:
        return QSize(self.frame, super().sizeHint().height())

    def _elide(self) -> None:
        if self.is_folded:
            self.setText("")
        else:
            super()._elide()

    def set_open(self, is_open: bool) -> None:
        """Look pressed while the list is there."""
        set_property(self, "open", is_open)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(QPen(colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        x, y = self.width() - 20.0, self.height() / 2 - 2
        painter.drawPolyline([QPointF(x, y), QPointF(x + 4.5, y + 4.5), QPointF(x + 9, y)])
        painter.end()


class ModelButton(PickerButton):
    """Says which model answers in the open chat."""

    def __init__(self, object_name: str = "modelButton", *, most_width: int = MOST_WIDTH) -> None:
        super().__init__(object_name, most_width=most_width)
        self._label = ""
        self._are_several = False

    def set_model(self, label: str, short: str = "", *, are_several: bool = False) -> None:
        """Show the name of what answers; ``short`` is what stands on the button, where that is not all of it."""
        self._label, self._are_several = label, are_several
        self.set_full_text(short or label)
        self.retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        name = (self.tr("Models: %1") if self._are_several else self.tr("Model: %1")).replace("%1", self._label)
        describe(
            self,
            name,
            tooltip=(
                self.tr("Answers come from %1. Click to choose others.")
                if self._are_several
                else self.tr("Answers come from %1. Click to choose another model.")
            ).replace("%1", self._label),
        )
