"""Tools, calls, decisions and grants, as the host sees them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from desktop.core.digests import sha256_of_json
from desktop.core.sandbox_problems import SandboxProblem
from desktop.core.tool_content import ReceivedItem
from desktop.tools.grant_patterns import GrantPattern
from desktop.tools.grants import Grant as Grant  # with the calls that they are for
from desktop.tools.grants import GrantScope as GrantScope
from desktop.tools.grants import Lasting as Lasting
from desktop.tools.server_inputs import ServerInput
from desktop.tools.server_remarks import Account, Remark
from desktop.tools.sign_in import OAuthClient
from desktop.tools.taint import Taint
from desktop.tools.trust import UNKNOWN_SERVER, ServerTrust

SHELL_TOOL = "execute_command_local"
"""The name of the bundled tool that runs a command line."""


class Transport(StrEnum):
    STDIO = "stdio"
    HTTP = "http"
    """Streamable HTTP."""
    SSE = "sse"
    """The older way over HTTP, which some servers still speak."""

    @property
    def is_web(self) -> bool:
        return self is not Transport.STDIO


class ProtocolEra(StrEnum):
    """In which era of the protocol a server is spoken to."""

    AUTO = "auto"
    """The older one first, the newer one where the server wants it."""
    LEGACY = "legacy"
    """Only with a handshake, up to 2025-11-25."""
    MODERN = "modern"
    """Only without, from 2026-07-28 on."""


MOST_CALL_SECONDS = 86_400
"""The longest time limit that a server may have for its calls."""


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """One configured MCP server. ``id`` is ours and names its tools; ``env`` and ``headers`` may hold secrets."""

    id: str
    transport: Transport
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    enabled: bool = True
    bundled: bool = False
    """True only for servers that come with the app; never set from a configuration file."""
    protocol: ProtocolEra = ProtocolEra.AUTO
    call_seconds: float | None = None
    """How long a call may take, where the user set it."""
    knows_folder: bool = False
    """It may ask for the folder of the chat that calls it; only where the user switched that on."""
    may_ask_model: bool = False
    """It may ask to use the model of the chat that calls it; only where the user switched that on."""
    secrets: Mapping[str, str] = field(default_factory=dict[str, str])
    """``${input:ID}`` stands above for these ids; the value has this name in the ``SecretStore``."""
    sign_in: str = ""
    """What ``ServerSecrets`` calls the sign-in at this server; empty where there can be none."""
    oauth: OAuthClient | None = None
    """Who the app is when somebody signs in, where the user set it."""


class ServerOrigin(StrEnum):
    """Who says that there is this server."""

    BUNDLED = "bundled"
    SETTINGS = "settings"
    START = "start"
    """The file given with ``--mcp-config``, for this start only."""


@dataclass(frozen=True, kw_only=True)
class ServerEntry:
    """A server as it is written down, usable or not; ``${NAME}`` stands in it as written."""

    key: str
    """Its name in the settings; of another origin the id."""
    origin: ServerOrigin = ServerOrigin.SETTINGS
    id: str = ""
    """Under which its state and its tools are found; empty while it cannot be used."""
    enabled: bool = True
    transport: Transport = Transport.STDIO
    argv: tuple[str, ...] = ()
    """Program and arguments."""
    cwd: str = ""
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    fingerprint: str = ""
    """sha256 over what decides which program runs, or which address is asked; empty when it cannot be told."""
    problem: str = ""
    """Why it cannot be used, a name of ``entry_problems``; empty when it can."""
    problem_detail: str = ""
    is_confirmed: bool = True
    """The user agreed to exactly this fingerprint; else it is not started although it is switched on."""
    inputs: tuple[ServerInput, ...] = ()
    """The values that it needs from the user; it is not started while one is missing."""
    protocol: ProtocolEra = ProtocolEra.AUTO
    call_seconds: float | None = None
    knows_folder: bool = False
    """The user lets it ask for the folder of the chat that calls it."""
    may_ask_model: bool = False
    """The user lets it ask to use the model of the chat that calls it."""
    chats: tuple[str, ...] = ()
    """The only threads in which its tools are offered; empty: in all."""
    trust: ServerTrust = UNKNOWN_SERVER
    """What the user set for it and for its tools."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The ids of inputs that have no value yet."""
        return tuple(item.id for item in self.inputs if item.is_missing)


class ServerState(StrEnum):
    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    RESTARTING = "restarting"
    NEEDS_SECRET = "needs_secret"
    """A secret of it could not be read; it waits for the user."""
    NEEDS_SIGN_IN = "needs_sign_in"
    """The server wants to know who asks."""
    SIGNING_IN = "signing_in"
    """The user is at it, in the browser; it starts when that is done."""
    FAILED = "failed"

    @property
    def is_on_its_way(self) -> bool:
        """It starts: what it offers may soon be there."""
        return self in (ServerState.STARTING, ServerState.RESTARTING)


@dataclass(frozen=True, kw_only=True)
class ServerStatus:
    server_id: str
    state: ServerState
    remarks: tuple[Remark, ...] = ()
    """What the host has to say of it: how it ended, or what was noticed while it runs."""
    detail: str = ""
    """What it said itself, such as the end of its stderr; untrusted text."""
    tool_count: int = 0
    signed_in_at: str = ""
    """The host where somebody signed in for it; empty where nobody did."""

    @property
    def text(self) -> str:
        """Remarks and detail in English: for logs, models and shells."""
        return Account(remarks=self.remarks, quoted=self.detail).english

    @property
    def is_ready(self) -> bool:
        return self.state is ServerState.READY

    @property
    def has_failed(self) -> bool:
        return self.state is ServerState.FAILED

    @property
    def is_stopped(self) -> bool:
        return self.state is ServerState.STOPPED


@dataclass(frozen=True, kw_only=True)
class ToolDescriptor:
    """A tool as a server listed it. ``alias`` is what the model is offered: ``server__tool``, at most 64 characters."""

    server_id: str
    name: str
    alias: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    definition_hash: str
    """sha256 over everything that the server said of the tool; a change voids grants."""
    bundled: bool = False
    annotations: Mapping[str, Any] = field(default_factory=dict[str, Any])
    output_schema: Mapping[str, Any] | None = None
    """What the server says that its structured results look like."""
    definition: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    """All of what the hash covers of the server's words, uncut: what is accepted, and shown when it changes."""

    @property
    def is_shell(self) -> bool:
        """True for the bundled tool that runs a command line."""
        return self.bundled and self.name == SHELL_TOOL


@dataclass(frozen=True, kw_only=True)
class CallIntent:
    """Exactly what would run. Dialog, journal, grant and executor all use this one frozen object (rule P3)."""

    call_id: str
    thread_id: str
    turn_id: str
    tool: ToolDescriptor
    arguments_json: str
    """The checked and mended arguments as canonical JSON (sorted keys, no blanks)."""
    folder: str = ""
    """Where a command runs; empty for tools that have no folder."""
    sandbox: str = "none"

    @property
    def arguments(self) -> dict[str, Any]:
        return json.loads(self.arguments_json)

    @property
    def digest(self) -> str:
        """sha256 over what decides the effect: server, tool, its definition, arguments, folder, sandbox."""
        return sha256_of_json(
            [
                self.tool.server_id,
                self.tool.name,
                self.tool.definition_hash,
                self.arguments_json,
                self.folder,
                self.sandbox,
            ]
        )


class Verdict(StrEnum):
    """The policy's answer for a call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Choice(StrEnum):
    """What the person (or a headless rule) chose in the approval dialog."""

    REFUSE = "refuse"
    ALLOW_ONCE = "allow_once"
    ALLOW_THREAD = "allow_thread"
    ALLOW_ALWAYS = "allow_always"


class Ending(StrEnum):
    """How a question ended; the three stay apart everywhere."""

    ANSWERED = "answered"
    CANCELLED = "cancelled"
    """By the user: Escape or closing the dialog. Counts as a refusal."""
    ABORTED = "aborted"
    """By the program: the run was stopped, the server died, the app closes."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that the app itself noticed about a call, for example ``deletes`` of ``rm -rf build``.

    ``code`` is one of the names in ``findings``, where its words stand too. ``detail`` is text from the call.
    """

    code: str
    detail: str = ""
    severe: bool = False


@dataclass(frozen=True, kw_only=True)
class ApprovalRequest:
    """A question that the host asks before a call runs. All its words are the app's, except what is marked as quoted."""

    intent: CallIntent
    thread_title: str
    model: str = ""
    """Whose call it is, by the name under which its answer is recorded; empty where no model asks. Untrusted."""
    findings: tuple[Finding, ...] = ()
    timeout_seconds: float | None = None
    """The command's own time limit."""
    may_allow_thread: bool = True
    may_allow_always: bool = True
    patterns: tuple[GrantPattern, ...] = ()
    """What may be allowed beyond exactly this call."""
    taint: Taint | None = None
    """The foreign text in the chat, when that is why a permission does not count here."""
    no_sandbox: SandboxProblem | None = None
    """Why a command that could run in a sandbox would run without one."""


@dataclass(frozen=True, kw_only=True)
class ApprovalAnswer:
    choice: Choice
    ending: Ending = Ending.ANSWERED
    reason: str = ""
    """Why it was refused, in the user's words; the model is told."""
    shown_seconds: float = 0.0
    pattern: GrantPattern | None = None
    """With a choice that lasts: one of those that were offered; None is exactly this call (or this tool in this chat)."""
    lasting: Lasting = Lasting.UNTIL_REVOKED


class ElicitationMode(StrEnum):
    FORM = "form"
    URL = "url"


class ElicitationAction(StrEnum):
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


@dataclass(frozen=True, kw_only=True)
class ElicitationRequest:
    """A question that a server asks during a call. ``message``, ``schema`` and ``url`` are untrusted."""

    server_id: str
    message: str
    mode: ElicitationMode = ElicitationMode.FORM
    schema: Mapping[str, Any] = field(default_factory=dict[str, Any])
    url: str = ""
    thread_id: str = ""
    bundled: bool = False


@dataclass(frozen=True, kw_only=True)
class ElicitationAnswer:
    action: ElicitationAction
    content: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ending: Ending = Ending.ANSWERED
    unseen: str = ""
    """Why nobody was asked, where that is so: one of ``core.error_details``, whole or up to a colon."""


class CallState(StrEnum):
    """The journal's states (promise I3: nothing runs twice or unseen)."""

    PROPOSED = "proposed"
    WAITING_APPROVAL = "waiting_approval"
    DENIED = "denied"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, kw_only=True)
class CallProgress:
    """How far a running call is by the word of its server: ``message`` is untrusted text, one short line of it."""

    done: float
    total: float | None = None
    message: str = ""

    @property
    def fraction(self) -> float | None:
        """Between 0 and 1; None where that cannot be told."""
        if self.total is None or self.total <= 0:
            return None
        return min(1.0, max(0.0, self.done / self.total))

    @property
    def is_whole(self) -> bool:
        return self.fraction == 1.0


@dataclass(frozen=True, kw_only=True)
class ToolOutcome:
    """What a gateway returns for a call that reached its server. ``is_error`` is the tool's own word."""

    text: str
    is_error: bool = False
    timed_out: bool = False
    """A bundled server's word that its own time limit ended the call."""
    not_held: bool = False
    """A bundled server's word that there was no sandbox as decided, so that nothing was run."""
    received: tuple[ReceivedItem, ...] = ()
    """What came beside the text; its bytes stand nowhere yet."""
    waited_seconds: float = 0.0
    """For how long a question of the server stood open meanwhile."""
