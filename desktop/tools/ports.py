"""What the tools domain needs of the outside: servers to call, a person to ask, and a place to keep decisions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from desktop.core.settings import Settings
from desktop.core.signal import Signal
from desktop.core.tool_content import ReceivedItem, ResultItem
from desktop.tools.elsewhere import Elsewhere
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    CallProgress,
    CallState,
    Choice,
    ElicitationAnswer,
    ElicitationRequest,
    Ending,
    Finding,
    Grant,
    ServerEntry,
    ServerStatus,
    ToolDescriptor,
    ToolOutcome,
)
from desktop.tools.ledger import LedgerEntry, LedgerVerdict
from desktop.tools.pinned import Pin, ServerListing
from desktop.tools.server_report import ServerReport
from desktop.tools.server_sampling import Sampled, SamplingDecision, SamplingQuestion, SamplingRequest, Unsampled
from desktop.tools.taint import Taint

ProgressListener = Callable[[CallProgress], None]


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

    def listing_of(self, server_id: str) -> ServerListing | None:
        """All that this server says of itself now; the same object until it is listed anew. None while not ready."""
        ...

    def report(self, server_id: str) -> ServerReport | None:
        """What is known of its start and its messages, without secrets. None for a server that is switched off."""
        ...

    def restart(self, server_id: str) -> None:
        """Start a server again that has failed. Unknown and running ones are left alone."""
        ...

    def accept_place(self, server_id: str) -> None:
        """The user agrees to where the address of this server leads now (remark ``place_nearer``): start it again."""
        ...

    async def call(
        self, intent: CallIntent, *, deadline_seconds: float, on_progress: ProgressListener | None = None
    ) -> ToolOutcome:
        """Run the call. The deadline does not count time in which a question of that server is open.

        Progress that the server reports moves it on, up to a bound; ``on_progress`` hears of it some times a second.

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

    async def elsewhere(self) -> Sequence[Elsewhere]:
        """What other programs of this computer have set up. Only reads their files."""
        ...

    def parse(self, text: str) -> Mapping[str, Any]:
        """The entries in a pasted text by their names, in our shape: ``mcpServers``, VS Code's ``servers``, those of
        other programs, or a single one. Nothing is allowed, trusted or known as a secret on the text's word.

        Raises ``SettingsError`` (``settings.mcp_config``) when there are none to be found.
        """
        ...


class UserPrompts(Protocol):
    """Asks a person, or a rule that stands for one. Never returns an allowance that nobody gave."""

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        """Cancelling the awaiting task closes the question (ending ``aborted``)."""
        ...

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer: ...

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        """Ask whether a server may use the model, and then whether it may have the answer."""
        ...


class ModelForServers(Protocol):
    """Lets servers use the model of the chat that calls them, with the user's leave each time."""

    async def sample(self, request: SamplingRequest) -> Sampled | Unsampled:
        """Ask the user, then the model, then the user again unless they waived that. Nothing of the chat is given.

        Each request, decision and outcome is on disk. Cancelling the awaiting task ends all of it.
        """
        ...


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
        reason: str = "",
        noticed: Sequence[Finding] = (),
        sandbox: str = "",
    ) -> None:
        """Record the decision before anything runs. ``decided_by``: ``user``, ``grant:ID``, ``policy``, ``headless``.

        ``reason`` is the rule by which it was asked or decided, a word of ``policy.Reason``.
        """
        ...

    async def finish(
        self, call_id: str, *, status: str, result: str, duration_seconds: float, items: Sequence[ResultItem] = ()
    ) -> None:
        """Record how it ended. The files of ``items`` belong to the call's thread from then on."""
        ...


class ResultKeeper(Protocol):
    """Keeps what a call brought back beside its text."""

    async def keep(self, received: Sequence[ReceivedItem]) -> tuple[ResultItem, ...]:
        """Return the items with their bytes on disk, in this order; one that cannot be kept says so itself."""
        ...


class ToolLedger(Protocol):
    """The journal, to be read: every call and every decision, the newest first."""

    async def search(
        self,
        text: str = "",
        *,
        limit: int = 50,
        before: int | None = None,
        thread_id: str | None = None,
        server_id: str | None = None,
        verdict: LedgerVerdict | None = None,
        grant_id: str | None = None,
    ) -> Sequence[LedgerEntry]:
        """The calls in which all words of ``text`` occur: in name, server, arguments, result, reason or chat title.

        ``before`` is the ``number`` of the last entry of the page before; ``grant_id`` leaves those that a permission
        let run. Calls of chats that are purged are gone.
        """
        ...

    async def servers(self) -> Sequence[str]:
        """The servers of which there are calls, in the order of their ids."""
        ...


class PinRepository(Protocol):
    """The definitions of tools that the user has accepted, by the identity of their server."""

    async def of(self, server_id: str, identity: str) -> Sequence[Pin]:
        """Those of one server; none at all where it was never listed. Raises ``StorageError``."""
        ...

    async def keep(self, server_id: str, identity: str, pins: Sequence[Pin]) -> None:
        """Put them on disk, in the place of earlier ones of the same names, all or none. Raises ``StorageError``."""
        ...


class TaintRepository(Protocol):
    """Which threads hold foreign text.

    Signals:
        changed: a thread got its first foreign text; carries its id.
    """

    changed: Signal[str]

    async def of(self, thread_id: str) -> Taint | None: ...

    async def add(self, thread_id: str, taint: Taint) -> None:
        """Keep it on disk; does nothing for a thread that is tainted already. Raises ``StorageError``."""
        ...


class GrantRepository(Protocol):
    """The standing permissions.

    Signals:
        changed: one was given, used or revoked.
    """

    changed: Signal[[]]

    async def add(self, grant: Grant) -> None:
        """Keep it as it is; one that was revoked comes back exactly so. The thread of a grant must exist."""
        ...

    async def candidates(
        self, *, digest: str, definition_hash: str, server_id: str, tool_name: str, thread_id: str
    ) -> Sequence[Grant]:
        """The grants that may cover such a call, the most exact first; whether one does says ``policy.covers``.

        Those for another definition of the tool, for another thread or for another exact call are left out.
        """
        ...

    async def mark_used(self, grant_id: str) -> None: ...

    async def list(self) -> Sequence[Grant]: ...

    async def revoke(self, grant_id: str) -> bool:
        """Remove it; False when there is none with this id."""
        ...
