"""What an answer is at, or how it ended, in a word: for the head of its column."""

from enum import StrEnum

from desktop.conversation.entities import MessageStatus
from desktop.ui.state.tool_item import OPEN_STATES, ToolItem, ToolState
from desktop.ui.state.transcript_state import RowState, ThinkingItem


class Progress(StrEnum):
    """What an answer is at, or how it ended."""

    WAITING = "waiting"
    THINKING = "thinking"
    WRITING = "writing"
    USING_TOOLS = "using_tools"
    WAITING_FOR_USER = "waiting_for_user"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


_ENDS = {
    MessageStatus.COMPLETE: Progress.DONE,
    MessageStatus.STOPPED: Progress.STOPPED,
    MessageStatus.INTERRUPTED: Progress.STOPPED,
    MessageStatus.FAILED: Progress.FAILED,
}
_ASKING = frozenset({ToolState.WAITING_APPROVAL, ToolState.WAITING_ANSWER})


def progress_of(row: RowState) -> Progress:
    """Return what the answer in this row is at."""
    if not row.is_streaming:
        return _ENDS[row.status]
    open_calls = [item.state for item in row.items if isinstance(item, ToolItem) and item.state in OPEN_STATES]
    if any(state in _ASKING for state in open_calls):
        return Progress.WAITING_FOR_USER
    if open_calls:
        return Progress.USING_TOOLS
    last = row.items[-1] if row.items else None
    if last is None or row.waiting is not None:
        return Progress.WAITING
    return Progress.THINKING if isinstance(last, ThinkingItem) and last.is_open else Progress.WRITING
