"""What the host knows of one server's start and of what went to and fro: for whoever has to find out why it fails."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class StartStep(StrEnum):
    """The steps of a start, in order."""

    PREPARE = "prepare"
    """Secrets are read, and the program is looked for."""
    SPAWN = "spawn"
    LOAD = "load"
    """What the host itself needs for it; only the first start takes long."""
    HANDSHAKE = "handshake"
    LIST = "list"


@dataclass(frozen=True)
class StepTime:
    """How long a step took; None where it is not over, or where the start failed in it."""

    step: StartStep
    seconds: float | None = None


class MessageKind(StrEnum):
    REQUEST = "request"
    ANSWER = "answer"
    ERROR = "error"
    NOTICE = "notice"
    JUNK = "junk"
    """A line on the server's output that is no message."""


@dataclass(frozen=True, kw_only=True)
class MessageNote:
    """One message, cut and without secrets. Untrusted text."""

    at: datetime
    sent: bool
    """True from us to the server."""
    kind: MessageKind
    method: str = ""
    """Of an answer that of its request."""
    id: str = ""
    size: int = 0
    """In bytes; over HTTP about."""
    excerpt: str = ""
    times: int = 1
    """How many of the kind came in a row."""


@dataclass(frozen=True, kw_only=True)
class ServerReport:
    """Without secrets. Name, version, capabilities and instructions are the server's claim."""

    server_id: str
    program: str = ""
    """The file that was found for the command; empty for a web address, and where none was found."""
    addresses: str = ""
    """Of a remote server: where its address leads, as it was looked up; empty where a proxy does that."""
    proxy: str = ""
    """Of a remote server: the host of the proxy through which it is asked."""
    pid: int = 0
    starts: int = 0
    """How often it was started or connected to in this run of the app."""
    started_at: datetime | None = None
    steps: tuple[StepTime, ...] = ()
    """Of the last start: those that were begun."""
    protocol_version: str = ""
    is_newer_era: bool = False
    name: str = ""
    title: str = ""
    version: str = ""
    capabilities: tuple[str, ...] = ()
    instructions: str = ""
    stderr: str = ""
    """The end of what it wrote there."""
    messages: tuple[MessageNote, ...] = ()
    """The newest ones, the oldest first."""
    message_count: int = 0
