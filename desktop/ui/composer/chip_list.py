"""Chips above the text field, for folded texts or files: one below the other, scrolling where there are more than a few."""

from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

MOST_ROWS = 3.5
"""The half row shows that there are more."""
GAP = 4


Chip = TypeVar("Chip", bound=QWidget)


class ChipList(QScrollArea, Generic[Chip]):
    """As high as its chips, up to a few rows; the chip that has the focus and the newest one are in sight."""

    def __init__(self, object_name: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._content = QWidget()
        self._content.setObjectName("chipRows")
        self._rows = QVBoxLayout(self._content)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(GAP)
        self.setWidget(self._content)
        self._chips: list[Chip] = []
        self._height = 0
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed)

    @property
    def chips(self) -> tuple[Chip, ...]:
        return tuple(self._chips)

    def show_chips(self, chips: list[Chip]) -> None:
        """Show these from top to bottom; others that are shown go away for good."""
        for gone in [chip for chip in self._chips if chip not in chips]:
            self._rows.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        new = [chip for chip in chips if chip not in self._chips]
        for place, chip in enumerate(chips):
            self._rows.insertWidget(place, chip)
            chip.show()
        self._chips = list(chips)
        self._fit()
        if new:
            self._bring_into_sight(new[-1])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt has it watch its content, whose rows change their height with the font."""
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        self.setVisible(bool(self._chips))
        if self._chips:
            row = self._chips[0].sizeHint().height()
            count = len(self._chips)
            self._height = round(min(count * row + (count - 1) * GAP, MOST_ROWS * row + (MOST_ROWS - 0.5) * GAP))
            self.setMinimumHeight(min(row, self._height))  # a low window leaves no more, and the others scroll
            self.setMaximumHeight(self._height)
            self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self._height)

    def _focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self._content.isAncestorOf(now):
            self._bring_into_sight(now)

    def _bring_into_sight(self, widget: QWidget) -> None:
        # After it has got its place.
        QTimer.singleShot(0, widget, lambda: self.ensureWidgetVisible(widget, 0, GAP))
