"""What the memory domain speaks of: items that are remembered, passages that can be recalled, and what was recalled."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class MemoryKind(StrEnum):
    IDENTITY = "identity"
    PREFERENCE = "preference"
    FACT = "fact"
    PLAN = "plan"
    EVENT = "event"
    WISH = "wish"
    """What the user wants every answer to keep to, such as a language."""


class MemoryStatus(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    """Something newer took its place; it is kept, with the time until which it held."""
    PENDING = "pending"
    """Waits for the user's look, for example because its thread held foreign text. Never recalled."""


class Author(StrEnum):
    """Who stands for an item."""

    SAID = "said"
    """Taken from words of the user that are quoted with it."""
    WRITTEN = "written"
    """The user wrote or changed it on the memory page."""


@dataclass(frozen=True, kw_only=True)
class MemorySource:
    """Where an item comes from; the thread may be gone by now."""

    thread_id: str
    message_id: str
    quote: str
    """The user's own words, as they stand in the message."""


@dataclass(frozen=True, kw_only=True)
class MemoryItem:
    id: str
    text: str
    """One sentence in the user's language, with absolute dates."""
    kind: MemoryKind
    author: Author
    created_at: datetime
    updated_at: datetime
    observed_at: datetime
    """When the user said it."""
    status: MemoryStatus = MemoryStatus.ACTIVE
    importance: float = 0.5
    """0 to 1."""
    is_pinned: bool = False
    """Answers are told of it whatever they are about: the user pinned it, or asked that it be remembered."""
    only_thread_id: str | None = None
    """The one thread in which it counts; None when it counts everywhere."""
    source: MemorySource | None = None
    valid_to: datetime | None = None
    """Until when it held; set when something took its place."""
    supersedes_id: str | None = None
    used_count: int = 0
    last_used_at: datetime | None = None


class PassageKind(StrEnum):
    FACT = "fact"
    """A memory item."""
    MESSAGE = "message"
    """Something that was said in a thread, by the user or in an answer."""
    DOCUMENT = "document"
    """A piece of a file that the user added as knowledge."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where in a file a piece of it stands, as far as its kind has it; numbers count from 1, 0 where there are none."""

    headings: tuple[str, ...] = ()
    """From the outermost one inwards."""
    first_page: int = 0
    last_page: int = 0
    first_line: int = 0
    last_line: int = 0
    part: int = 0
    """The number of the piece."""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A text that can be recalled."""

    kind: PassageKind
    id: str
    """Of the memory item, the message, or the piece of a file."""
    text: str
    at: datetime
    thread_id: str = ""
    speaker: str = ""
    """Who said it, as it is indexed: ``user``, ``assistant``, or a name."""
    before: str = ""
    """What was said just before it in its thread: half of what is asked about later stands there. Of a document, its
    name and the headings above."""
    source: str = ""
    """Of a document, the name of its file."""
    place: Place | None = None
    """Of a document, where in it."""


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """A passage that was found, and why."""

    passage: Passage
    score: float
    """0 to 1; comparable within one recall."""
    words: float
    """The BM25 score of the words it shares with the question; 0 when they share none."""
    meaning: float | None
    """How many deviations its likeness to the question lies above that of unrelated texts; None without vectors."""


class Silence(StrEnum):
    """Why nothing was recalled."""

    NOTHING_KNOWN = "nothing_known"
    NOTHING_NEAR = "nothing_near"
    """There is something, but nothing near enough to the question."""
    TOO_LATE = "too_late"
    OFF = "off"


@dataclass(frozen=True, kw_only=True)
class Recall:
    """What one question brought back, best first."""

    facts: tuple[Recalled, ...] = ()
    messages: tuple[Recalled, ...] = ()
    documents: tuple[Recalled, ...] = ()
    spare: tuple[Recalled, ...] = ()
    """What belongs to it, too, and is more than is put in."""
    silence: Silence | None = None
    """Why there is nothing; None when there is something."""
    had_meaning: bool = True
    """False when only words were compared, because no vectors were there."""

    @property
    def all(self) -> tuple[Recalled, ...]:
        return (*self.facts, *self.messages, *self.documents)


@dataclass(frozen=True, kw_only=True)
class RecallScope:
    """Where may be looked."""

    thread_id: str | None = None
    """The thread that asks; its own items count, and of its messages only those that are not ``sent`` anyway."""
    only_this_thread: bool = False
    only_assistant: str = ""
    """Only of threads that use the assistant with this id, and of documents."""
    only_documents: bool = False
    """Of documents alone: what was said and what is remembered stay out."""
    beside_path: bool = False
    """Also messages that the shown path of their thread does not go through."""
    sent: frozenset[str] = frozenset()
    """Ids of messages that the model is sent anyway."""
    asked: str = ""
    """The message that is answered. Of its thread counts what leads to it, whichever way the thread shows meanwhile."""
