"""One tool call as the transcript shows it: its state, its arguments, and what came back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from desktop.conversation.inner_run import InnerRunPart
from desktop.core.tool_content import ResultItem
from desktop.tools.entities import CallProgress, CallState


class ToolState(StrEnum):
    """What a tool card says of its call."""

    PROPOSED = "proposed"
    WAITING_APPROVAL = "waiting_approval"
    RUNNING = "running"
    WAITING_ANSWER = "waiting_answer"
    """It runs, and its server asks the user something."""
    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"
    UNKNOWN = "unknown"


OPEN_STATES = frozenset({ToolState.PROPOSED, ToolState.WAITING_APPROVAL, ToolState.RUNNING, ToolState.WAITING_ANSWER})
"""The states of a call that has no result yet."""


@dataclass(frozen=True, kw_only=True)
class ToolItem:
    call_id: str
    name: str
    arguments: str
    state: ToolState
    has_result: bool = False
    """Also a refused call gets a result, some moments after it was refused."""
    result: str = ""
    result_items: tuple[ResultItem, ...] = ()
    """What came beside the text."""
    duration_seconds: float = 0.0
    server: str = field(default="", compare=False)
    tool: str = field(default="", compare=False)
    progress: CallProgress | None = None
    """How far it is, while it runs."""
    inner: InnerRunPart | None = None
    """What the assistant did that was asked; None for any other tool."""
    inner_states: Mapping[str, CallState] = field(default_factory=dict[str, CallState])
    """As in ``InnerRunEvent``."""

    @property
    def shown_server(self) -> str:
        """The server's id; from the offered ``server__tool`` where the event did not say it."""
        return self.server or self.name.partition("__")[0] if "__" in self.name else self.server

    @property
    def shown_tool(self) -> str:
        return self.tool or self.name.partition("__")[2] or self.name
