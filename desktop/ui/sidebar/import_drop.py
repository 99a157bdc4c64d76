"""Takes files with chats that are dropped on the sidebar; all other files are the window's to take."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop.ui.composer.given_files import paths_in

MARGIN = 8
ENDINGS = (".json", ".zip", ".bak")


class ImportDrop(QFrame):
    """Lies over the sidebar while such files are held there. ``dropped`` carries the paths (``list[Path]``)."""

    dropped = Signal(list)

    def __init__(self, sidebar: QWidget) -> None:
        super().__init__(sidebar)
        self.setObjectName("importDrop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._sidebar = sidebar
        self._label = QLabel()
        self._label.setProperty("role", "heading")
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._label.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.addWidget(self._label)
        self.hide()
        sidebar.setAcceptDrops(True)
        sidebar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if watched is not self._sidebar:
            return False
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
            return False
        if not isinstance(event, QDropEvent):
            return False
        paths = chat_files_in(event.mimeData())
        if not paths:
            event.ignore()  # the window may take it
            return True
        event.setDropAction(Qt.DropAction.CopyAction)  # never moved: the file stays where it is
        event.accept()
        if event.type() == QEvent.Type.Drop:
            self.hide()
            self.dropped.emit(paths)
        elif not self.isVisible():
            self._show()
        return True

    def _show(self) -> None:
        self._label.setText(self.tr("Drop exported chats here to import them"))
        self.setGeometry(self._sidebar.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN))
        self.raise_()
        self.show()


def chat_files_in(source: QMimeData) -> list[Path]:
    """Return the files and folders that are given, where all of them may hold chats."""
    paths = paths_in(source)
    return paths if all(path.suffix.lower() in ENDINGS or path.is_dir() for path in paths) else []
