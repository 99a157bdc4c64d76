"""What the list views of the sidebar have in common: how they look, and how they take the focus and hand it on."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget


class SidebarListView(QListView):
    """A quiet list without frame. Up in the first row asks to leave it upwards."""

    left_upwards = Signal()

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self.setProperty("role", "sidebar")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self._is_led_by_keys = True

    @property
    def shows_focus(self) -> bool:
        """Whether the row with the focus gets a ring; a click needs none."""
        return self._is_led_by_keys

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        self._led_by_keys(True)
        if event.key() == Qt.Key.Key_Up and not self._can_go_up():
            self.left_upwards.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()  # the window's; Qt would look for a row that begins with it
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Give the keyboard a place to start from, without selecting anything."""
        super().focusInEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self._led_by_keys(event.reason() is not Qt.FocusReason.MouseFocusReason)
        if not self.currentIndex().isValid():
            self.go_to_first(select=False)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._led_by_keys(False)
        super().mousePressEvent(event)

    def _led_by_keys(self, by_keys: bool) -> None:
        if by_keys != self._is_led_by_keys:
            self._is_led_by_keys = by_keys
            self.viewport().update()

    def go_to_first(self, *, select: bool) -> None:
        """Make the first row that can be chosen the current one."""
        for row in range(self.model().rowCount()):
            index = self.model().index(row, 0)
            if index.flags() & Qt.ItemFlag.ItemIsSelectable:
                flag = self.selectionModel().SelectionFlag
                command = flag.ClearAndSelect if select else flag.NoUpdate
                self.selectionModel().setCurrentIndex(index, command)
                return

    def _can_go_up(self) -> bool:
        rows = range(self.currentIndex().row() - 1, -1, -1)
        return any(self.model().index(row, 0).flags() & Qt.ItemFlag.ItemIsSelectable for row in rows)


class OpeningListView(SidebarListView):
    """Signals:
    opened: Enter or a double click on a row.
    menu_requested: where a menu for the chosen rows is wanted.
    """

    opened = Signal()
    menu_requested = Signal(QPoint)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseDoubleClickEvent(event)
        if self.indexAt(event.position().toPoint()).isValid():
            self.opened.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        if not self.selectionModel().hasSelection():
            return
        position = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            position = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        self.menu_requested.emit(position)
