"""What gives way below the message where the window is narrow: words become icons, the least important first."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui.model_button import PickerButton


class BarFolding(QObject):
    """Keeps ``buttons`` folded, from the first one on, as long as ``row`` in ``frame`` has no room for their words."""

    def __init__(self, frame: QWidget, row: QHBoxLayout, buttons: Sequence[PickerButton]) -> None:
        super().__init__(frame)
        self._frame = frame
        self._row = row
        self._buttons = tuple(buttons)
        frame.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fold()
        return super().eventFilter(watched, event)

    def _fold(self) -> None:
        margins = self._frame.layout().contentsMargins()  # type: ignore[union-attr]
        lacking = self._row.sizeHint().width() + margins.left() + margins.right() - self._frame.width()
        there = [button for button in self._buttons if not button.isHidden()]
        lacking += sum(button.gained_width for button in there if button.is_folded)
        for button in there:
            button.set_folded(lacking > 0)
            if button.is_folded:
                lacking -= button.gained_width
