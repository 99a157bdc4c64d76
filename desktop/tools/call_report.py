"""What the model and the transcript learn of a call: how it ended, and the host's own words for what did not run."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop.core.tool_content import ResultItem
from desktop.tools import policy
from desktop.tools.entities import ToolDescriptor, ToolOutcome
from desktop.tools.visible_text import reveal

COMMAND_REFUSED = "User denied command execution."
CALL_REFUSED = "The user refused this tool call."
INTERRUPTED = "Interrupted before it finished."
NOT_AS_DECIDED = "Not run: what was about to run is not what was allowed."
REFUSED_BY_RULE = {
    policy.Reason.CHAT_ONLY: "Not run: this chat has no tools.",
    policy.Reason.BLOCKED: "Not run: the user has blocked this tool.",
    policy.Reason.READ_ONLY: "Not run: in this chat nothing may be changed, only looked at.",
}
FOLDER_CHANGED = "Not run: the folder in which commands run was changed after this was allowed. Call it again."


class ReportStatus(StrEnum):
    """How a call ended, for the model and the transcript."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, kw_only=True)
class ToolCallReport:
    """What the model and the transcript learn of a call."""

    call_id: str
    status: ReportStatus
    text: str
    duration_seconds: float = 0.0
    """How long it ran, without waiting for the user."""
    unreadable: bool = False
    """The arguments were no JSON object at all; a second time in a turn ends it."""
    items: tuple[ResultItem, ...] = ()
    """What came beside the text, on disk already."""


def refusal(tool: ToolDescriptor, reason: str) -> str:
    """Return what the model is told when the user refused; ``reason`` is in the user's words."""
    text = COMMAND_REFUSED if tool.is_shell else CALL_REFUSED
    return f"{text} The user says: {reason.strip()}" if reason.strip() else text


def failed(call_id: str, text: str) -> ToolCallReport:
    """Return the report of a call that did not work, or did not run."""
    return ToolCallReport(call_id=call_id, status=ReportStatus.ERROR, text=text)


def interrupted(call_id: str, *, duration_seconds: float = 0.0) -> ToolCallReport:
    """Return the report of a call that was stopped before its end."""
    return ToolCallReport(
        call_id=call_id, status=ReportStatus.INTERRUPTED, text=INTERRUPTED, duration_seconds=duration_seconds
    )


def unknown_tool(name: str, tools: Sequence[ToolDescriptor]) -> str:
    """Return what the model is told that called a tool which it was not offered."""
    shown = reveal(name[:100])
    if not tools:
        return f'There is no tool called "{shown}". No tools can be called now.'
    names = ", ".join(tool.alias for tool in tools[:50])
    return f'There is no tool called "{shown}". The tools are: {names}.'


def status_of(outcome: ToolOutcome) -> ReportStatus:
    """Return how a call ended by what came back."""
    if outcome.timed_out:
        return ReportStatus.TIMEOUT
    return ReportStatus.ERROR if outcome.is_error else ReportStatus.OK
