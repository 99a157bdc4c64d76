"""The button in the header that says which model answers, and opens the list to choose another one."""

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy

from desktop.ui.controls import ElidedButton, describe

MOST_WIDTH = 320


class ModelButton(ElidedButton):
    """As wide as its text, with an arrow at its end."""

    frame = 40

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("modelButton")
        self.setProperty("role", "picker")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(72)
        self.setMaximumWidth(MOST_WIDTH)
        self._label = ""

    def set_model(self, label: str) -> None:
        """Show the name of what answers."""
        self._label = label
        self.set_full_text(label)
        self.retranslate()

    def set_open(self, is_open: bool) -> None:
        """Look pressed while the list is there."""
        if self.property("open") != is_open:
            self.setProperty("open", is_open)
            self.style().unpolish(self)
            self.style().polish(self)

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

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(QPen(colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        x, y = self.width() - 20.0, self.height() / 2 - 2
        painter.drawPolyline([QPointF(x, y), QPointF(x + 4.5, y + 4.5), QPointF(x + 9, y)])
        painter.end()
