"""Where files can be dropped: all of the window, with a frame over it while they are held there."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop.ui.composer.given_files import holds_files, paths_in, picture_in

MARGIN = 12


class DropArea(QFrame):
    """Lies over ``room`` while files are dragged above its window.

    ``dropped`` carries the paths (``list[Path]``); ``picture_dropped`` a picture's bytes or a ``QImage``.
    """

    dropped = Signal(list)
    picture_dropped = Signal(object)

    def __init__(self, room: QWidget, taker: QWidget) -> None:
        """``room`` lies in its window already; nothing is taken while ``taker``, who gets the files, is not in sight."""
        super().__init__(room)
        self.setObjectName("dropArea")
        self.setAcceptDrops(True)
        self._room = room
        self._taker = taker
        self._label = QLabel()
        self._label.setProperty("role", "heading")
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.addWidget(self._label)
        self.hide()
        self._is_under_drag = False
        self._window = room.window()
        self._window.setAcceptDrops(True)
        self._window.installEventFilter(self)

    def begin(self) -> None:
        """Files are held over the window."""
        if not self._taker.isVisible():
            return
        self._label.setText(self.tr("Drop images, text files or PDFs here, or a folder as knowledge"))
        self.setGeometry(self._room.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN))
        self.raise_()
        self.show()

    def end_soon(self) -> None:
        """What is held has left a part of the window; it may just have come over this area."""
        QTimer.singleShot(0, self, lambda: None if self._is_under_drag else self.hide())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take what is held over a part of the window that takes no drops of its own."""
        if event.type() == QEvent.Type.DragLeave and watched is self._window:
            self.end_soon()
        if not isinstance(event, QDropEvent) or not self._taker.isVisible() or not holds_files(event.mimeData()):
            return False
        if event.type() == QEvent.Type.Drop:
            self.dropEvent(event)
        else:
            event.acceptProposedAction()
            self.begin()
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        self._is_under_drag = True
        event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802
        self._is_under_drag = False
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        self._is_under_drag = False
        self.hide()
        event.setDropAction(Qt.DropAction.CopyAction)  # never moved: the file stays where it is
        event.accept()
        if paths := paths_in(event.mimeData()):
            self.dropped.emit(paths)
        elif (picture := picture_in(event.mimeData())) is not None:
            self.picture_dropped.emit(picture)
