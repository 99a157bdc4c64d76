"""Folded texts that were put into the text field: Undo takes each out again in one step, as a folded text."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor, QTextDocument


@dataclass
class _Unfolded:
    text: str
    place: int
    """Where it stood among the folded texts."""
    before: int
    after: int
    """The document's undo steps without it and with it."""
    is_in: bool = True


class UnfoldedTexts(QObject):
    """Watches one document's Undo and Redo.

    Signals:
        taken_out: Undo removed a text from the document; carries it and its place among the folded ones.
        put_in: Redo put it in again.
    """

    taken_out = Signal(str, int)
    put_in = Signal(str)

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._texts: list[_Unfolded] = []
        document.contentsChanged.connect(self._follow)

    def insert(self, cursor: QTextCursor, text: str, place: int) -> None:
        """Put ``text`` in place of the cursor's selection, as one step of its own."""
        before = self._document.availableUndoSteps()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        start = cursor.position()
        # The last character first: what is typed after it would otherwise become a part of this step.
        cursor.insertText(text[-1:])
        end = QTextCursor(cursor)
        cursor.setPosition(start)
        cursor.insertText(text[:-1])
        cursor.endEditBlock()
        cursor.setPosition(end.position())
        self._texts.append(_Unfolded(text, place, before, self._document.availableUndoSteps()))

    def forget(self) -> None:
        """The document has another text, and nothing of the former one can be undone."""
        self._texts.clear()

    def _follow(self) -> None:
        steps = self._document.availableUndoSteps()
        can_redo = self._document.isRedoAvailable()
        # What was undone and then written over does not come back.
        self._texts = [each for each in self._texts if each.is_in or can_redo]
        for each in self._texts:
            if each.is_in and steps <= each.before:
                each.is_in = False
                self.taken_out.emit(each.text, each.place)
            elif not each.is_in and steps >= each.after:
                each.is_in = True
                self.put_in.emit(each.text)
