"""Two layouts that never cut anything off: words with a control that moves below them, and controls that wrap."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget, QWidgetItem

LEAST_WORDS = 20
"""So many average characters must fit beside the control, else it stands below."""


class _Items(QLayout):
    """What both have in common: a list of items, and a height that follows from the width."""

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        self._hint: QSize | None = None
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)

    def add(self, *widgets: QWidget) -> None:
        for widget in widgets:
            self.addChildWidget(widget)
            self.addItem(QWidgetItem(widget))

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def sizeHint(self) -> QSize:  # noqa: N802
        if self._hint is None:
            self._hint = self._wanted_size()
        return self._hint

    def invalidate(self) -> None:
        """Forget what was measured: Qt asks many times for what changes rarely."""
        self._heights.clear()
        self._hint = None
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        super().setGeometry(rect)
        self._place(rect, move=True)

    def minimumSize(self) -> QSize:  # noqa: N802
        margins = self.contentsMargins()
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        width = max((size.width() for size in shown), default=0)
        height = max((size.height() for size in shown), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def _wanted_size(self) -> QSize:
        """The size with everything in one row."""
        raise NotImplementedError

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Lay the items out in ``rect`` and return the height that they need."""
        raise NotImplementedError


class WordsAndControl(_Items):
    """Words at the left and a control at the right; the control below where the words would get too narrow."""

    def __init__(self, words: QWidget, control: QWidget, *, always_below: bool = False) -> None:
        super().__init__(20)
        self._always_below = always_below
        self.add(words, control)

    def minimumSize(self) -> QSize:  # noqa: N802
        margins = self.contentsMargins()
        width = max(self._items[1].minimumSize().width(), 80) + margins.left() + margins.right()
        return QSize(width, super().minimumSize().height())

    def _wanted_size(self) -> QSize:
        margins = self.contentsMargins()
        words, control = (item.sizeHint() for item in self._items)
        width = words.width() + control.width() + self.spacing() + margins.left() + margins.right()
        return QSize(width, self.heightForWidth(width))

    def _place(self, rect: QRect, *, move: bool) -> int:
        margins = self.contentsMargins()
        room = rect.marginsRemoved(margins)
        words, control = self._items
        wanted = control.sizeHint().width()
        outside = margins.top() + margins.bottom()
        least = min(self._least_words(), words.sizeHint().width())  # a few words need no more than they are
        if self._always_below or wanted + self.spacing() + least > room.width():
            gap = 8
            height = _height(words, room.width())
            width = room.width() if _expands(control) else min(wanted, room.width())
            below = _height(control, width)
            if move:
                words.setGeometry(QRect(room.topLeft(), QSize(room.width(), height)))
                left = room.left() if self._always_below else room.right() + 1 - width
                control.setGeometry(QRect(left, room.top() + height + gap, width, below))
            return height + gap + below + outside
        beside = room.width() - wanted - self.spacing()
        heights = _height(words, beside), _height(control, wanted)
        height = max(heights)
        if move:
            free = max(room.height(), height)
            words.setGeometry(QRect(room.left(), room.top() + (free - heights[0]) // 2, beside, heights[0]))
            place = QPoint(room.right() + 1 - wanted, room.top() + (free - heights[1]) // 2)
            control.setGeometry(QRect(place, QSize(wanted, heights[1])))
        return height + outside

    def _least_words(self) -> int:
        parent = self.parentWidget()
        return parent.fontMetrics().averageCharWidth() * LEAST_WORDS if parent is not None else 0


class Wrapping(_Items):
    """Controls in a row, each as wide as it wants; those that find no room go on in a further row."""

    def __init__(self, *widgets: QWidget, spacing: int = 8) -> None:
        super().__init__(spacing)
        self.add(*widgets)

    def _wanted_size(self) -> QSize:
        margins = self.contentsMargins()
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self.spacing() * max(len(shown) - 1, 0)
        height = max((size.height() for size in shown), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def _place(self, rect: QRect, *, move: bool) -> int:
        margins = self.contentsMargins()
        room = rect.marginsRemoved(margins)
        bottom = room.top()
        for row in self._rows(room.width()):
            height = max(item.sizeHint().height() for item in row)
            spare = room.width() - sum(i.sizeHint().width() for i in row) - self.spacing() * (len(row) - 1)
            growing = [item for item in row if _expands(item)]
            left = room.left()
            for item in row:
                width = min(item.sizeHint().width(), room.width())
                width += max(spare, 0) // len(growing) if item in growing else 0
                if move:
                    own = item.sizeHint().height()
                    item.setGeometry(QRect(left, bottom + (height - own) // 2, width, own))
                left += width + self.spacing()
            bottom += height + self.spacing()
        height = bottom - room.top() - self.spacing()
        return max(height, 0) + margins.top() + margins.bottom()

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            wanted = item.sizeHint().width()
            if not rows or used + self.spacing() + wanted > width:
                rows.append([])
                used = wanted
            else:
                used += self.spacing() + wanted
            rows[-1].append(item)
        return rows


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def _expands(item: QLayoutItem) -> bool:
    widget = item.widget()
    growing = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding
    return widget is not None and widget.sizePolicy().horizontalPolicy() in growing
