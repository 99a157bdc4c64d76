"""Buttons that say what is chosen and open a list to choose something else: which model answers, for one."""

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.controls import ElidedButton, describe

MOST_WIDTH = 320


class PickerButton(ElidedButton):
    """As wide as its text, with an arrow at its end."""

    frame = 40

    def __init__(self, object_name: str, *, most_width: int = MOST_WIDTH) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setProperty("role", "picker")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(72)
        self.setMaximumWidth(most_width)

    def set_open(self, is_open: bool) -> None:
        """Look pressed while the list is there."""
        if self.property("open") != is_open:
            self.setProperty("open", is_open)
            self.style().unpolish(self)
            self.style().polish(self)

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

    def set_model(self, label: str, short: str = "") -> None:
        """Show the name of what answers; ``short`` is what stands on the button, where that is not all of it."""
        self._label = label
        self.set_full_text(short or label)
        self.retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        name = self.tr("Model: %1").replace("%1", self._label)
        describe(
            self,
            name,
            tooltip=self.tr("Answers come from %1. Click to choose another model.").replace("%1", self._label),
        )
