"""The user's prompts as a list model: all of them, or those that fit a search."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.ui.state.offer_rows import rows_for
from desktop.ui.state.readable import one_line

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
MOST_SHOWN = 300


class PromptRole(IntEnum):
    ID = Qt.ItemDataRole.UserRole + 1
    DETAILS = Qt.ItemDataRole.UserRole + 2
    """The description, else the beginning of the text, in one line."""
    USE = Qt.ItemDataRole.UserRole + 3


class PromptListModel(QAbstractListModel):
    """Shows prompts in the order given; a search finds them as the list after ``/`` does, but keeps the order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[SavedPrompt] = ()
        self._rows: list[SavedPrompt] = []
        self._words = ""

    @property
    def all(self) -> Sequence[SavedPrompt]:
        """All there are, also those that the search leaves out."""
        return self._all

    @property
    def is_narrowed(self) -> bool:
        """Whether a search may leave some out."""
        return bool(self._words)

    def show(self, prompts: Sequence[SavedPrompt]) -> None:
        self._all = prompts
        self._find()

    def search(self, words: str) -> None:
        """Show those alone that fit all of the words; all of them without any."""
        self._words = " ".join(words.split())
        self._find()

    def prompt_at(self, index: AnyIndex) -> SavedPrompt | None:
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def row_of(self, prompt_id: str) -> QModelIndex:
        """Return the prompt's index; an invalid one where it is not shown."""
        for number, prompt in enumerate(self._rows):
            if prompt.id == prompt_id:
                return self.index(number)
        return QModelIndex()

    def retranslate(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        prompt = self.prompt_at(index)
        if prompt is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(prompt.name, MOST_SHOWN)
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(filter(None, (one_line(prompt.name, MOST_SHOWN), _details(prompt), self._use(prompt))))
            case PromptRole.ID:
                return prompt.id
            case PromptRole.DETAILS:
                return _details(prompt)
            case PromptRole.USE:
                return self._use(prompt)
            case _:
                return None

    def _find(self) -> None:
        self.beginResetModel()
        rows = list(self._all)
        for word in self._words.split():
            fitting = {id(row.item) for row in rows_for(rows, word, most=len(rows))}
            rows = [prompt for prompt in rows if id(prompt) in fitting]
        self._rows = rows
        self.endResetModel()

    def _use(self, prompt: SavedPrompt) -> str:
        return self.tr("used %n times", "", prompt.used_count) if prompt.used_count else ""


def _details(prompt: SavedPrompt) -> str:
    return one_line(prompt.description or prompt.text, MOST_SHOWN)
