"""Tools, calls, decisions and grants, as the host sees them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from desktop.core.digests import sha256_of_json
from desktop.tools.server_remarks import Account, Remark


class Transport(StrEnum):
    STDIO = "stdio"
    HTTP = "http"


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


class ServerState(StrEnum):
    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    RESTARTING = "restarting"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class ServerStatus:
    server_id: str
    state: ServerState
    remarks: tuple[Remark, ...] = ()
    """What the host has to say of it: how it ended, or what was noticed while it runs."""
    detail: str = ""
    """What it said itself, such as the end of its stderr; untrusted text."""
    tool_count: int = 0

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

    @property
    def is_shell(self) -> bool:
        """True for the bundled tool that runs a command line."""
        return self.bundled and self.name == "execute_command_local"


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
    findings: tuple[Finding, ...] = ()
    timeout_seconds: float | None = None
    """The command's own time limit."""
    may_allow_thread: bool = True
    may_allow_always: bool = True


@dataclass(frozen=True, kw_only=True)
class ApprovalAnswer:
    choice: Choice
    ending: Ending = Ending.ANSWERED
    reason: str = ""
    """Why it was refused, in the user's words; the model is told."""
    shown_seconds: float = 0.0


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


class GrantScope(StrEnum):
    THREAD = "thread"
    ALWAYS = "always"


@dataclass(frozen=True, kw_only=True)
class Grant:
    """A standing permission. It covers one exact digest, or (scope thread, no shell) one tool's definition."""

    id: str
    scope: GrantScope
    thread_id: str | None
    server_id: str
    tool_name: str
    definition_hash: str
    digest: str | None
    """The intent's digest that is covered; None covers every call of this tool in this thread."""
    summary: str
    """What was allowed, for the list: the command, or the arguments."""
    folder: str = ""
    """Where a command may run; empty for tools that have no folder."""
    created_at: datetime
    last_used_at: datetime | None = None
    use_count: int = 0


class CallState(StrEnum):
    """The journal's states (promise I3: nothing runs twice or unseen)."""

    PROPOSED = "proposed"
    WAITING_APPROVAL = "waiting_approval"
    DENIED = "denied"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, kw_only=True)
class ToolOutcome:
    """What a gateway returns for a call that reached its server. ``is_error`` is the tool's own word."""

    text: str
    is_error: bool = False
    timed_out: bool = False
    """A bundled server's word that its own time limit ended the call."""
    truncated: bool = False
    waited_seconds: float = 0.0
    """For how long a question of the server stood open meanwhile."""
