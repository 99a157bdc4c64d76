"""Threads, messages and their parts: a message tree with a tip per thread, never overwritten."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.plans import InstructionPart, PlanPart, plan_of
from desktop.core.costs import Cost
from desktop.core.language_model import NO_USAGE, Source, Usage
from desktop.core.memory_settings import MemoryUse
from desktop.core.permission_mode import PermissionMode
from desktop.core.thinking_effort import ThinkingEffort
from desktop.core.tool_content import ResultItem


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


class MessageStatus(StrEnum):
    STREAMING = "streaming"
    COMPLETE = "complete"
    STOPPED = "stopped"
    """The user stopped it."""
    INTERRUPTED = "interrupted"
    """The program ended while it was being written; found at the next start."""
    FAILED = "failed"
    """The endpoint failed; an ``ErrorPart`` says how."""


class ResultStatus(StrEnum):
    """How a tool call ended."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"
    """Stopped before it was started, or cancelled while it ran."""
    UNKNOWN = "unknown"
    """The program died while it ran; nobody knows whether it took effect, and it is not repeated."""


@dataclass(frozen=True, kw_only=True)
class TextPart:
    text: str
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class ThinkingPart:
    text: str
    step: int = 0
    duration_seconds: float | None = None
    """From its first piece to its last; None while it grows, and where a crash ended it."""


@dataclass(frozen=True, kw_only=True)
class ToolCallPart:
    """A call as the model wrote it. ``name`` is the offered ``server__tool``; ``arguments`` the JSON text as it came."""

    call_id: str
    name: str
    arguments: str
    step: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, kw_only=True)
class ToolResultPart:
    """The one result of the call ``call_id``, also when it was denied or interrupted."""

    call_id: str
    status: ResultStatus
    text: str
    duration_seconds: float = 0.0
    items: tuple[ResultItem, ...] = ()
    """What came beside the text, which has a line for each of them."""
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class ErrorPart:
    """Why the answer failed: a code of ``core.error_texts`` and its parameters."""

    code: str
    params: Mapping[str, str | int | float]
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class SourcesPart:
    """Sources that the endpoint named. Their addresses are its words: unchecked, shown in full before they are opened."""

    sources: tuple[Source, ...]
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class RemarkPart:
    """Something about how the answer was made: a code of ``core.remark_texts`` and its parameters."""

    code: str
    params: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class RecalledRef:
    """Something that an answer was told of: where it stands and why it was found. No text, which may be forgotten."""

    kind: str
    """A ``memory.entities.PassageKind``."""
    id: str
    score: float
    words: float
    meaning: float | None
    """As in ``memory.entities.Recalled``."""


@dataclass(frozen=True, kw_only=True)
class RecallPart:
    """What the answer was told of earlier chats, and of what the user wants remembered."""

    found: tuple[RecalledRef, ...] = ()
    standing: tuple[str, ...] = ()
    """Ids of the items that stand in the system message."""
    silence: str = ""
    """Why nothing was recalled, a ``memory.entities.Silence``; empty when something was."""
    had_meaning: bool = True
    no_room: tuple[RecalledRef, ...] = ()
    """What was found, too, and did not fit into what the answer was told."""
    standing_no_room: tuple[str, ...] = ()
    """Ids of items that would stand in the system message, and did not fit."""
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class ReplayPart:
    """Fields of the endpoint's answer that it must get back unchanged with the next request. Never shown."""

    fields: Mapping[str, Any]
    step: int = 0


class AttachmentKind(StrEnum):
    IMAGE = "image"
    TEXT = "text"
    PDF = "pdf"


@dataclass(frozen=True, kw_only=True)
class AttachmentPart:
    """A file that the user sent with a message. Its bytes lie in the ``AttachmentStore`` under ``attachment_id``."""

    attachment_id: str
    name: str
    """As the user knows the file, without its folder."""
    kind: AttachmentKind
    size: int
    """Bytes of the original."""
    media_type: str = ""
    """Of an image as it is sent."""
    sent_size: int = 0
    """Bytes of an image as it is sent."""
    width: int = 0
    height: int = 0
    """Of an image as it was given."""
    text: str = ""
    """What is sent of a text file or a PDF."""
    pages: int = 0
    pages_read: int = 0
    """Of a PDF; fewer than ``pages`` where it is too long."""
    step: int = 0


Part = (
    TextPart
    | ThinkingPart
    | ToolCallPart
    | ToolResultPart
    | ErrorPart
    | SourcesPart
    | RemarkPart
    | RecallPart
    | ReplayPart
    | AttachmentPart
    | PlanPart
    | InstructionPart
    | InnerRunPart
)


@dataclass(frozen=True, kw_only=True)
class Message:
    """One user message, or one whole answer: everything that the model and the tools did for it, in order.

    ``step`` of a part counts the model requests of the answer from 0, so that the exact sequence of provider
    messages can be rebuilt (``context``).
    """

    id: str
    thread_id: str
    parent_id: str | None
    role: Role
    status: MessageStatus
    parts: tuple[Part, ...]
    created_at: datetime
    updated_at: datetime
    model: str = ""
    usage: Usage = NO_USAGE
    cost: Cost | None = None
    duration_seconds: float | None = None
    """How long the work on an answer took; waiting for the user is not counted."""
    reason: str = ""
    """Why a finished answer ended, as ``finish_turn`` was told; empty while it is written, and for the user's own."""
    answer_number: int = 1
    answer_count: int = 1
    """As in ``MessageOutline``, when it was read: another answer that begins later raises the count of the others."""

    @property
    def text(self) -> str:
        """The text parts, joined by blank lines; equal to the sum of the ``message`` deltas of its run."""
        return "\n\n".join(p.text for p in self.parts if isinstance(p, TextPart))

    @property
    def is_empty_failure(self) -> bool:
        """It failed before its first word: there is nothing to read and nothing to go on with."""
        is_empty = not self.text.strip() and plan_of(self.parts) is None
        return self.status is MessageStatus.FAILED and is_empty

    @property
    def attachments(self) -> "tuple[AttachmentPart, ...]":
        """The files that were sent with it."""
        return tuple(p for p in self.parts if isinstance(p, AttachmentPart))


def user_parts(text: str, attachments: Sequence[AttachmentPart] = ()) -> tuple[Part, ...]:
    """Return the parts of a message by the user: the files first, and the text unless there are only files."""
    return (*attachments, *((TextPart(text=text),) if text.strip() or not attachments else ()))


def names_of(attachments: Sequence[AttachmentPart]) -> str:
    """Return what a message with nothing but files is about."""
    return ", ".join(part.name for part in attachments)


@dataclass(frozen=True, kw_only=True)
class MessageOutline:
    """What the transcript needs of a message before it is near the viewport: enough to estimate its height."""

    id: str
    role: Role
    status: MessageStatus
    text_length: int
    """Characters of all parts but attached files, which stand folded."""
    newline_count: int
    part_count: int
    answer_number: int = 1
    """Of the answers to the same message, in the order in which they were begun; from 1."""
    answer_count: int = 1
    """How many answers the same message has; of a message by the user how many stand beside it (edits)."""


@dataclass(frozen=True, kw_only=True)
class AskedModel:
    """A model that is asked beside the one that answers a thread: one of the settings' endpoints and its models.

    An empty ``endpoint_id`` is the demo model.
    """

    endpoint_id: str
    model: str = ""


MOST_ASKED_BESIDE = 5
"""Models that can be asked beside the one that answers."""
MOST_ANSWERS = 12
"""Answers to one message that stand beside each other; those that failed before their first word do not count."""


@dataclass(frozen=True, kw_only=True)
class ThreadOptions:
    """What a thread does in its own way; None is what the settings say."""

    system_prompt: str | None = None
    temperature: float | None = None
    """0 to 2."""
    endpoint_id: str | None = None
    """One of the settings' endpoints, or one that was removed since; empty is the demo model."""
    model: str | None = None
    """One of that endpoint's models; None, or without an ``endpoint_id``, the one in use there."""
    thinking: ThinkingEffort | None = None
    asked_beside: tuple[AskedModel, ...] = ()
    """Models that answer each message, too; their answers stand beside the one of ``model``."""
    workspace: str | None = None
    """The folder in which commands run and may write; None is the one of the settings."""
    mode: PermissionMode | None = None
    memory: MemoryUse | None = None
    """What its answers are told of what was said before."""
    assistant: Assistant | None = None
    """Who answers, as it was when it was chosen; the library may have it in another way by now, or not at all."""
    is_temporary: bool = False
    """It is told nothing of earlier chats, nothing of it is remembered, and it is gone for good when it is left."""
    session: str | None = None
    """Under which name its turns are shared, or ``OWN_SESSION`` or ``NO_SESSION`` (``core.session_settings``)."""
    plans_first: bool = False
    """The model proposes a plan, and nothing runs before the user has approved it."""


USUAL_OPTIONS = ThreadOptions()
"""Everything as the settings say."""


@dataclass(frozen=True, kw_only=True)
class BranchedFrom:
    """Where a thread was branched from: the last message that it took over, or the one that it begins to ask anew."""

    thread_id: str
    message_id: str
    title: str
    """Of that thread, as it is now."""
    is_deleted: bool = False
    """That thread is in the Trash."""


@dataclass(frozen=True, kw_only=True)
class Thread:
    """One conversation. ``tip`` is the last message of the path shown; empty threads have none."""

    id: str
    title: str
    title_by_user: bool
    tip: str | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    snippet: str = ""
    """The beginning of the newest message's text, one line."""
    options: ThreadOptions = USUAL_OPTIONS
    branched_from: BranchedFrom | None = None
    """None also once that thread or message was purged."""
    pinned_at: datetime | None = None
    archived_at: datetime | None = None
    """It comes back to the list with the next message that is sent in it."""
    folder_id: str | None = None
    is_unread: bool = False
    """An answer ended in it that nobody has seen."""


@dataclass(frozen=True, kw_only=True)
class StartedTurn:
    """What the first commit of a turn wrote."""

    turn_id: str
    thread_id: str
    user_message: Message
    assistant_message: Message


@dataclass(frozen=True, kw_only=True)
class UsageTotal:
    """What the answers of one month used of one model, with the costs in one currency."""

    month: str
    """``2026-11``, by the clock of this computer."""
    model: str
    answers: int
    input_tokens: int
    output_tokens: int
    cost: Cost | None
    """None where no price was set."""


@dataclass(frozen=True, kw_only=True)
class SearchHit:
    """A thread title, a message or a tool call that contains the query."""

    thread_id: str
    thread_title: str
    message_id: str | None
    """None for a hit in the title."""
    role: Role | None
    snippet: str
    """Text around the hit, one line, at most about 160 characters."""
    highlights: tuple[tuple[int, int], ...]
    """Start and end offsets of the matches within ``snippet``."""
    created_at: datetime
    call_id: str = ""
    """Of the tool call in which it was found; empty for any other hit."""
    is_archived: bool = False
    is_deleted: bool = False
    """Its thread is in the Trash."""
