"""What the tools domain needs of the outside: servers to call, a person to ask, and a place to keep decisions."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from desktop.core.settings import Settings
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
    ServerEntry,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
)


class ToolGateway(Protocol):
    """The configured servers and their tools.

    Signals:
        status_changed: one server got another state, or lists other tools.
        servers_changed: servers were added, removed or replaced.
    """

    status_changed: Signal[ServerStatus]
    servers_changed: Signal[[]]

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        """The tools of all servers that are ready.

        Waits a bounded time (some seconds) for servers that are still starting the first time; a dead or slow one
        never holds a turn up longer than that.
        """
        ...

    def statuses(self) -> tuple[ServerStatus, ...]:
        """How each server is; those that are switched off are left out."""
        ...

    def tools_of(self, server_id: str) -> tuple[ToolDescriptor, ...]:
        """The tools that this server lists now; none while it is not ready."""
        ...

    def restart(self, server_id: str) -> None:
        """Start a server again that has failed. Unknown and running ones are left alone."""
        ...

    async def call(self, intent: CallIntent, *, deadline_seconds: float) -> ToolOutcome:
        """Run the call. The deadline does not count time in which a question of that server is open.

        Raises ``ToolError``: ``tool.timeout`` (seconds), ``tool.server_gone`` (server, detail), ``tool.failed``.
        Cancelling the awaiting task sends the server a cancellation.
        """
        ...


class ServerBook(Protocol):
    """Reads what people write down about servers; starts and contacts nothing."""

    def listed(self, settings: Settings) -> tuple[ServerEntry, ...]:
        """All servers that there are: those that come with the app first, also what is off or cannot be used."""
        ...

    def read(self, name: str, entry: object) -> ServerEntry:
        """One entry of the settings' ``mcp_servers``, as if it stood there alone, and what is wrong with it."""
        ...

    def parse(self, text: str) -> Mapping[str, Any]:
        """The entries in a pasted text by their names: ``mcpServers``, VS Code's ``servers``, or a single one.

        Raises ``SettingsError`` (``settings.mcp_config``) when there are none to be found.
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
    """The standing permissions.

    Signals:
        changed: one was given, used or revoked.
    """

    changed: Signal[[]]

    async def add(self, grant: Grant) -> None:
        """Keep it as it is; one that was revoked comes back exactly so. The thread of a grant must exist."""
        ...

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
