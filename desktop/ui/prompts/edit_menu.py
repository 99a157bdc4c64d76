"""The menu of the message field: what every field has, and the ways from and to the user's prompts."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QPlainTextEdit

from desktop.ui.popup import round_corners


class EditMenu(QObject):
    """Signals:
    insert_requested: a prompt shall be chosen and inserted.
    save_requested: the selected text, else all of it, shall become a prompt; carries it.
    """

    insert_requested = Signal()
    save_requested = Signal(str)

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        edit.installEventFilter(self)
        edit.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() != QEvent.Type.ContextMenu or not isinstance(event, QContextMenuEvent):
            return False
        position = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            position = self._edit.viewport().mapToGlobal(self._edit.cursorRect().bottomLeft())
        menu = self._edit.createStandardContextMenu()
        round_corners(menu)
        menu.setObjectName("messageMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = self._edit.textCursor().selection().toPlainText() or self._edit.toPlainText()
        menu.addSeparator()
        menu.addAction(self.tr("Insert a prompt…")).triggered.connect(self.insert_requested)
        save = menu.addAction(self.tr("Save as prompt…"))
        save.setEnabled(bool(text.strip()))
        save.triggered.connect(lambda: self.save_requested.emit(text))
        menu.popup(position)
        return True
