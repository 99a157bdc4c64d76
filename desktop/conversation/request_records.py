"""What was sent to a model for an answer: each request with its pieces, what was left out of it, and how it ended."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, cast

from desktop.conversation.entities import RecallPart
from desktop.core.language_model import NO_USAGE, Sampling, Usage
from desktop.core.thinking_effort import ThinkingEffort
from desktop.core.token_count import TOKENS_OF_MESSAGE


class PieceKind(StrEnum):
    """What a stretch of a request is."""

    INSTRUCTIONS = "instructions"
    """Of the user or of the app, in the system message."""
    SERVERS = "servers"
    """What tool servers say of themselves."""
    WISHES = "wishes"
    SUMMARY = "summary"
    MEMORIES = "memories"
    """What was recalled: items, messages of other chats, pieces of documents."""
    SESSION = "session"
    """What others put into the session that the chat shares."""
    TEXT = "text"
    """The words of a message, with the files that stand in it."""
    THINKING = "thinking"
    CALL = "call"
    """The arguments of a call of a tool."""
    RESULT = "result"
    IMAGE = "image"
    REPLAY = "replay"
    """Fields that the endpoint gave and gets back as they were."""
    TOOL = "tool"
    """The offer of a tool, as JSON."""
    BODY = "body"
    """The body of the HTTP request as JSON, without what stands in other pieces. See ``RequestRecord.body``."""
    BODY_TOOLS = "body_tools"


class Purpose(StrEnum):
    """What a request was sent for."""

    ANSWER = "answer"
    TITLE = "title"
    """Of the chat."""
    SUMMARY = "summary"
    """Of the earlier part of the chat."""
    MEMORY = "memory"
    """To find what of the chat is worth remembering."""
    ASSISTANT = "assistant"
    """For an assistant that the answer asked."""


KEPT_DAYS = 90
MOST_BYTES = 128 * 1024 * 1024
"""How long requests are kept piece by piece, and how many bytes of them, compressed; of older ones only sums stay."""

DERIVED = (PieceKind.WISHES, PieceKind.SUMMARY, PieceKind.MEMORIES)
"""Made by the app from what is remembered: it goes when that is forgotten."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A stretch of what was sent."""

    kind: PieceKind
    text: str | None = None
    """Exactly as it was sent; None where only its figures are kept, and for images."""
    name: str = ""
    """Of a tool or an image."""
    detail: str = ""
    """The id of a call, the server of a tool, the media type and digest of an image."""
    size: int = 0
    """Bytes."""
    tokens: int = 0
    """By our own count."""
    quotes: tuple[str, ...] = ()
    """What it quotes (``fact:ID``, ``message:ID``): without one of these its text is not kept."""


@dataclass(frozen=True, kw_only=True)
class PieceSum:
    """What stays of all pieces of one kind."""

    kind: PieceKind
    count: int = 0
    size: int = 0
    tokens: int = 0
    """With what stands around their messages."""


@dataclass(frozen=True, kw_only=True)
class SentMessage:
    """One message of a request; the texts of its pieces, in order, are its own."""

    role: str
    """``system``, ``user``, ``assistant`` or ``tool``."""
    pieces: tuple[Piece, ...]
    origins: tuple[str, ...] = ()
    """Ids of the chat's messages that it was made from."""

    @property
    def tokens(self) -> int:
        return TOKENS_OF_MESSAGE + sum(piece.tokens for piece in self.pieces)


class LeftOutKind(StrEnum):
    """What did not go along, and why."""

    WINDOW = "window"
    """Older messages, ``count`` of them: the request holds no more than fits."""
    TOO_LONG = "too_long"
    """The endpoint would have refused, or had refused, a longer request."""
    IMAGE = "image"
    RESULT = "result"
    """Of a tool's result the middle, because it was too long."""
    TOOL = "tool"
    """Tools that found no room."""
    NO_ROOM = "no_room"
    """Memories that were found and did not fit: ``names`` holds the keys that ``Piece.quotes`` would (``fact:ID``)."""
    RECALL = "recall"
    """Why nothing was recalled: ``names`` holds the ``memory.entities.Silence``."""
    REMARK = "remark"
    """What the endpoint does not take: ``names`` holds the code of ``core.remark_texts``."""


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    kind: LeftOutKind
    count: int = 0
    names: tuple[str, ...] = ()
    params: Mapping[str, str | int | float] | None = None
    """Of a remark."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a request ended; all of it empty while nobody knows, as after a crash."""

    finish: str = ""
    """A ``core.language_model.FinishReason``, ``stopped``, or empty for one that failed."""
    error_code: str = ""
    usage: Usage = NO_USAGE
    """As the endpoint reported it."""
    seconds: float | None = None
    remarks: tuple[LeftOut, ...] = ()
    """What the adapter did without."""


@dataclass(frozen=True, kw_only=True)
class RequestRecord:
    """One request for one step of an answer, or beside it. What was tried again has a record for each try."""

    id: str
    thread_id: str
    message_id: str
    """The answer."""
    step: int
    sent_at: datetime
    model: str
    messages: tuple[SentMessage, ...]
    purpose: Purpose = Purpose.ANSWER
    tools: tuple[Piece, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    thinking: ThinkingEffort | None = None
    goes_on: bool = False
    recall: RecallPart | None = None
    left_out: tuple[LeftOut, ...] = ()
    covered_until: str = ""
    """Id of the last message that the summary stands for; for the writing only, which counts what was left out."""
    outcome: Outcome = Outcome()
    are_tokens_guessed: bool = False
    http: tuple[Piece, ...] = ()
    """What the adapter made of it: a ``BODY`` and, with tools, a ``BODY_TOOLS``; none for the demo model."""
    sums: tuple[PieceSum, ...] = ()
    """In place of messages, tools and ``http``, once these were let go."""

    @property
    def pieces(self) -> Iterator[Piece]:
        """All but those of ``http``."""
        for message in self.messages:
            yield from message.pieces
        yield from self.tools

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in (*self.messages, *self.tools, *self.sums))

    @property
    def is_whole(self) -> bool:
        """Whether every text is still kept."""
        pieces = [piece for piece in (*self.pieces, *self.http) if piece.kind is not PieceKind.IMAGE]
        return not self.sums and all(piece.text is not None for piece in pieces)

    @property
    def body(self) -> dict[str, Any] | None:
        """The JSON that went over the wire, images by their digest; None where it is not kept."""
        texts = {piece.kind: piece.text for piece in self.http}
        if (template := texts.get(PieceKind.BODY)) is None or not self.is_whole:
            return None
        body = cast("dict[str, Any]", filled(json.loads(template), wire_texts(self.messages)))
        if (tools := texts.get(PieceKind.BODY_TOOLS)) is not None:
            body["tools"] = json.loads(tools)
        return body


_REFERENCE = "\0piece "
"""No JSON that comes from outside holds it: control characters are taken out of what is sent."""
_LEAST = 24
"""Shorter texts stand in the template themselves."""


def wire_texts(messages: Sequence[SentMessage]) -> list[str]:
    """Return the texts that the body of a request may hold whole, in order: those of messages and of their pieces."""
    found: dict[str, None] = {}
    for message in messages:
        words = [piece for piece in message.pieces if piece.kind in _OF_TEXT]
        found["".join(piece.text or "" for piece in words)] = None
        found.update((piece.text or "", None) for piece in message.pieces)
    return [text for text in found if len(text) >= _LEAST]


_OF_TEXT = frozenset(PieceKind) - {PieceKind.THINKING, PieceKind.CALL, PieceKind.IMAGE, PieceKind.REPLAY}


def emptied(value: Any, places: Mapping[str, int]) -> Any:
    """Return JSON with a reference in place of each text of ``wire_texts``, whose places these are."""
    if isinstance(value, str):
        return value if (place := places.get(value)) is None else f"{_REFERENCE}{place}"
    if isinstance(value, Mapping):
        return {key: emptied(each, places) for key, each in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [emptied(each, places) for each in cast("Sequence[Any]", value)]
    return value


def filled(value: Any, texts: Sequence[str]) -> Any:
    """The way back from ``emptied``."""
    if isinstance(value, str) and value.startswith(_REFERENCE):
        return texts[int(value.removeprefix(_REFERENCE))]
    if isinstance(value, dict):
        return {key: filled(each, texts) for key, each in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [filled(each, texts) for each in cast("list[Any]", value)]
    return value


class RequestRecords(Protocol):
    """Keeps the records. Where they grow too many or too old, their pieces go, and sums stay as long as the answer.

    A text that quotes an item, or a message of another chat, goes with it, whoever removes that.
    """

    async def add(self, record: RequestRecord) -> None:
        """Keep a request. Of a text that quotes what is gone meanwhile only figures are kept. Raises ``StorageError``."""
        ...

    async def finish(self, request_id: str, outcome: Outcome) -> None:
        """Keep how a request ended; nothing happens where it is gone. Raises ``StorageError``."""
        ...

    async def of_answer(self, message_id: str) -> tuple[RequestRecord, ...]:
        """Return the requests of an answer, the oldest first."""
        ...

    async def answers_of(self, thread_id: str) -> tuple[str, ...]:
        """Return the ids of the answers of a thread that have records, the oldest first."""
        ...
