"""A chat as it is exported and imported: its whole tree, with ids of where it comes from; and what became of an import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from desktop.conversation.entities import (
    USUAL_OPTIONS,
    AttachmentPart,
    MessageStatus,
    Part,
    Role,
    ThreadOptions,
    ToolResultPart,
)
from desktop.conversation.inner_run import with_inner
from desktop.core.costs import Cost
from desktop.core.language_model import NO_USAGE, Usage

OWN_SOURCE = "threadwell"


class Source(StrEnum):
    """Which program wrote an imported chat; kept with it, so that it is known again."""

    THREADWELL = OWN_SOURCE
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    OPEN_WEBUI = "open_webui"
    LM_STUDIO = "lm_studio"
    CHERRY_STUDIO = "cherry_studio"


@dataclass(frozen=True, kw_only=True)
class TurnRecord:
    """How an answer was made."""

    model: str = ""
    started_at: datetime
    ended_at: datetime | None = None
    reason: str = ""
    usage: Usage = NO_USAGE
    cost: Cost | None = None
    duration_seconds: float | None = None
    is_copy: bool = False
    """The answer came along with a branch: what it took is counted where it was made."""


@dataclass(frozen=True, kw_only=True)
class MessageRecord:
    """A message with its place in the tree. Files are named by their keys in ``ImportedChat.files``."""

    id: str
    parent_id: str | None
    role: Role
    status: MessageStatus = MessageStatus.COMPLETE
    parts: tuple[Part, ...] = ()
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    """When it alone was deleted: then it holds nothing, and only keeps what follows it in its place."""
    shown: int | None = None
    """The order in which those beside each other were last shown, 0 for never; None where that is how they came."""
    turn: TurnRecord | None = None

    @property
    def file_ids(self) -> tuple[str, ...]:
        """The files that it names, each once."""
        return tuple(dict.fromkeys(files_of(self.parts)))


@dataclass(frozen=True, kw_only=True)
class ForeignText:
    """That a chat holds what somebody else wrote. ``cause`` is a ``tools.taint.TaintCause``."""

    cause: str
    detail: str
    at: datetime


@dataclass(frozen=True)
class Origin:
    """What a chat is called in the program that it comes from."""

    source: str
    id: str


@dataclass(frozen=True, kw_only=True)
class ChatRecord:
    """A chat without its messages."""

    id: str
    title: str
    title_by_user: bool = False
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    """When it went to the Trash."""
    tip: str | None = None
    """The last message of the path that is shown."""
    options: ThreadOptions = USUAL_OPTIONS
    foreign_text: ForeignText | None = None
    origins: tuple[Origin, ...] = ()
    pinned_at: datetime | None = None
    archived_at: datetime | None = None
    folder: str = ""
    """The name of the folder in which it stands; empty for none."""


@dataclass(frozen=True, kw_only=True)
class FileRecord:
    """A file that messages name: its ending says to other programs what it is."""

    suffix: str
    size: int


@dataclass(frozen=True, kw_only=True)
class ImportedChat:
    """A chat of a file, as far as it can be read. Each message stands after its parent."""

    source: Source
    chat: ChatRecord
    messages: tuple[MessageRecord, ...]
    files: frozenset[str] = frozenset()
    """Keys of the files whose bytes follow; what else messages name is not in what was imported."""


class Verdict(StrEnum):
    """What became of one chat of an import."""

    IMPORTED = "imported"
    KNOWN = "known"
    GREW = "grew"
    """It was here, and got messages that it did not have."""
    BRANCHED = "branched"
    """The same, but they stand beside those that are shown: both went on."""
    SKIPPED = "skipped"


class Why(StrEnum):
    """Why a chat, or something of a file, was skipped."""

    EMPTY = "empty"
    """It holds no message."""
    UNREADABLE = "unreadable"
    NEWER = "newer"
    """A later version of this program wrote it."""
    TOO_LARGE = "too_large"
    NESTED_ARCHIVE = "nested_archive"
    BAD_NAME = "bad_name"
    """Its name in the archive leads out of it."""
    LOCKED = "locked"
    """It is encrypted."""
    NOT_STORED = "not_stored"
    """A chat of this name is being removed at this moment."""
    IN_TRASH = "in_trash"
    """It is here, and lies in the Trash."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one chat."""

    verdict: Verdict
    title: str
    thread_id: str = ""
    messages: int = 0
    """That were added."""
    files_missing: int = 0
    """Files that its messages name, and that were not in what was imported or could not be kept."""
    options_dropped: bool = False
    """It named a folder or a mode of its own for tools, which only the person here can give."""
    why: Why | None = None


@dataclass(kw_only=True)
class ImportReport:
    """What became of an import, chat by chat, in the order of the file."""

    source_name: str
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    is_cancelled: bool = False
    problem: str = ""
    """The code of an error that ended it early; what stands above is stored all the same."""
    problem_params: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])

    def count(self, *verdicts: Verdict) -> int:
        return sum(outcome.verdict in verdicts for outcome in self.outcomes)


def files_of(parts: Sequence[Part]) -> list[str]:
    """Return the ids of the files that parts name, in their order."""
    found: list[str] = []
    for part in with_inner(parts):
        if isinstance(part, AttachmentPart):
            found.append(part.attachment_id)
        elif isinstance(part, ToolResultPart):
            found += [item.attachment_id for item in part.items if item.attachment_id]
    return [key for key in found if key]
