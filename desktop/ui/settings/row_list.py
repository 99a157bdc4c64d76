"""A list of rows inside a card, divided by lines, that come, go and change places one by one."""

from collections.abc import Sequence
from itertools import pairwise, takewhile

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget


class RowList(QWidget):
    """Shows rows that others make and delete; those that are not in the list are hidden."""

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self._rows: list[QWidget] = []
        self._lines: list[QFrame] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)

    def set_rows(self, rows: Sequence[QWidget]) -> None:
        """Show just these rows in this order; those that stay where they are at the beginning are not touched."""
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(self._rows, rows, strict=False)))
        for line in self._lines[max(kept - 1, 0) :]:
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        del self._lines[max(kept - 1, 0) :]
        for row in self._rows[kept:]:
            self._layout.removeWidget(row)
            if row not in rows:
                row.hide()
        for index, row in enumerate(rows[kept:], start=kept):
            if index:
                self._lines.append(_line())
                self._layout.addWidget(self._lines[-1])
            self._layout.addWidget(row)
            row.show()
            row.raise_()  # a screen reader reads in the order of the children
        self._rows = list(rows)


def order_focus(stops: Sequence[QWidget]) -> None:
    """Let Tab go from each of the widgets to the next; Qt itself puts what is made later at the end of the window."""
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def _line() -> QFrame:
    line = QFrame()
    line.setProperty("role", "settingLine")
    line.setFixedHeight(1)
    return line
