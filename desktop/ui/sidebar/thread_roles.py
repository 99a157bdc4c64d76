"""What the rows of the thread list tell their delegate, and the marks for what goes on in a thread."""

from datetime import UTC, datetime, timedelta
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from desktop.ui.state.plain_line import without_marks

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread


class ThreadMark(StrEnum):
    """What a row shows besides its text."""

    NONE = "none"
    UNREAD = "unread"
    """An answer ended while nobody saw it."""
    FAILED = "failed"
    RUNNING = "running"
    WAITING = "waiting"
    """The run waits for the user's answer in a dialog."""


class ThreadRole(IntEnum):
    ID = Qt.ItemDataRole.UserRole
    """Of a thread or a folder."""
    IS_HEADING = Qt.ItemDataRole.UserRole + 1
    """The row is no thread."""
    SNIPPET = Qt.ItemDataRole.UserRole + 2
    TIME = Qt.ItemDataRole.UserRole + 3
    MARK = Qt.ItemDataRole.UserRole + 4
    KIND = Qt.ItemDataRole.UserRole + 5
    """A ``RowKind``."""
    COUNT = Qt.ItemDataRole.UserRole + 6
    """How many threads are in a folder."""
    IS_OPEN = Qt.ItemDataRole.UserRole + 7
    """Of a folder."""
    IS_INSIDE = Qt.ItemDataRole.UserRole + 8
    """The thread stands below a folder."""


BY_URGENCY = tuple(ThreadMark)
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """Return a moment as a number, by which threads are ordered."""
    return (moment - _EPOCH) // _MICROSECOND


def second_line(thread: "Thread") -> str:
    """Return the beginning of the last message; nothing where that only says the title once more, as at first."""
    line = without_marks(thread.snippet)
    head = thread.title.removesuffix("…")
    return "" if line == thread.title or (head and head != thread.title and line.startswith(head)) else line
