"""A column of tick boxes in a form: some of them belong to the one above, and are ticked with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from desktop.ui.controls import set_enabled
from desktop.ui.punctuation import labelled
from desktop.ui.state.readable import one_line

INDENT = 24
MOST_TEXT = 80


@dataclass(frozen=True)
class Tick:
    """``part_of`` is the key of the one above it to which it belongs."""

    key: str
    text: str
    part_of: str = ""
    tooltip: str = ""


class TickList(QWidget):
    """``changed`` comes when the user ticked something."""

    changed = Signal()

    def __init__(self, object_name: str, ticks: Sequence[Tick], chosen: Iterable[str]) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self._ticks = {tick.key: tick for tick in ticks}
        self._boxes: dict[str, QCheckBox] = {}
        wanted = set(chosen)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for tick in ticks:
            box = QCheckBox(one_line(tick.text, MOST_TEXT).replace("&", "&&"))
            box.setObjectName(f"{object_name}-{tick.key}")
            box.setChecked(tick.key in wanted)
            box.setToolTip(tick.tooltip)
            box.toggled.connect(self._toggled)
            self._boxes[tick.key] = box
            column.addWidget(box)
            if tick.part_of:
                box.setStyleSheet(f"margin-left: {INDENT}px;")
        self._show_parts()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The keys of what is ticked, without what is ticked with the one above it."""
        return tuple(
            key for key, box in self._boxes.items() if box.isChecked() and not self._is_ticked(self._ticks[key].part_of)
        )

    @property
    def boxes(self) -> Sequence[QCheckBox]:
        return tuple(self._boxes.values())

    def setAccessibleName(self, name: str) -> None:  # noqa: N802
        """Name the group; each box is read with it."""
        super().setAccessibleName(name)
        for box in self._boxes.values():
            box.setAccessibleName(labelled(name, box.text().replace("&&", "&")))

    def _is_ticked(self, key: str) -> bool:
        return bool(key) and self._boxes[key].isChecked()

    def _toggled(self) -> None:
        self._show_parts()
        self.changed.emit()

    def _show_parts(self) -> None:
        for key, box in self._boxes.items():
            if self._ticks[key].part_of:
                set_enabled(box, not self._is_ticked(self._ticks[key].part_of))
