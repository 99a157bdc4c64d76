"""What the tools domain needs of the outside: servers to call, a person to ask, and a place to keep decisions."""

from collections.abc import Sequence
from typing import Protocol

from desktop.core.signal import Signal
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    CallState,
    Choice,
    ElicitationAnswer,
    ElicitationRequest,
    Ending,
    Grant,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
)


class ToolGateway(Protocol):
    """The configured servers and their tools."""

    status_changed: Signal[ServerStatus]

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        """The tools of all servers that are ready.

        Waits a bounded time (some seconds) for servers that are still starting the first time; a dead or slow one
        never holds a turn up longer than that.
        """
        ...

    def statuses(self) -> tuple[ServerStatus, ...]: ...

    async def call(self, intent: CallIntent, *, deadline_seconds: float) -> ToolOutcome:
        """Run the call. The deadline does not count time in which a question of that server is open.

        Raises ``ToolError``: ``tool.timeout`` (seconds), ``tool.server_gone`` (server, detail), ``tool.failed``.
        Cancelling the awaiting task sends the server a cancellation.
        """
        ...


class UserPrompts(Protocol):
    """Asks a person, or a rule that stands for one. Never returns an allowance that nobody gave."""

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        """Cancelling the awaiting task closes the question (ending ``aborted``)."""
        ...

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer: ...


class ToolJournal(Protocol):
    """The append-only record of every call: what was proposed, decided by whom, run, and how it ended."""

    async def propose(self, call_id: str, *, turn_id: str, thread_id: str, name: str, arguments: str) -> None: ...

    async def decide(
        self,
        call_id: str,
        *,
        state: CallState,
        server_id: str,
        digest: str,
        choice: Choice | None,
        ending: Ending | None,
        decided_by: str,
        shown_seconds: float = 0.0,
    ) -> None:
        """Record the decision before anything runs. ``decided_by``: ``user``, ``grant:ID``, ``policy``, ``headless``."""
        ...

    async def finish(self, call_id: str, *, status: str, result: str, duration_seconds: float) -> None: ...


class GrantRepository(Protocol):
    async def add(self, grant: Grant) -> None: ...

    async def find(
        self, *, digest: str, definition_hash: str, server_id: str, tool_name: str, thread_id: str
    ) -> Grant | None:
        """The grant that covers such a call, if any; a grant for another definition of the tool never does."""
        ...

    async def mark_used(self, grant_id: str) -> None: ...

    async def list(self) -> Sequence[Grant]: ...

    async def revoke(self, grant_id: str) -> bool:
        """Remove it; False when there is none with this id."""
        ...
