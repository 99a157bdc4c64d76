"""What a request holds, piece by piece: taken from the request itself and, where there is one, the HTTP body made of it."""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, assert_never, cast

from desktop.conversation.request_records import Piece, PieceKind, SentMessage, emptied, wire_texts
from desktop.core.language_model import (
    AssistantMessage,
    Image,
    RequestMessage,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.core.token_count import TOKENS_OF_IMAGE, count_tool
from desktop.core.wire_names import wire_name

Measure = Callable[[str], int]
_ROLES = {SystemMessage: "system", UserMessage: "user", AssistantMessage: "assistant", ToolMessage: "tool"}


@dataclass(frozen=True)
class Label:
    """What a text is that was put into a message: found there by its very words, or not at all."""

    kind: PieceKind
    text: str
    quotes: tuple[str, ...] = ()
    """As in ``Piece``."""


@dataclass(frozen=True)
class Body:
    """The body of an HTTP request, and what is asked of it."""

    fields: Mapping[str, Any]
    texts: Set[str]
    keys: Set[str]
    tool_names: Set[str]

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Body":
        texts: set[str] = set()
        keys: set[str] = set()
        tools: list[Any] = fields.get("tools") or []
        _collect({name: value for name, value in fields.items() if name != "tools"}, texts, keys)
        return cls(fields, texts, keys, {str(tool.get("function", tool).get("name", "")) for tool in tools})

    @property
    def has_images(self) -> bool:
        return "image_url" in self.keys

    def holds(self, piece: Piece) -> bool:
        """Whether an adapter that leaves some things out has sent this."""
        match piece.kind:
            case PieceKind.THINKING:
                return piece.text in self.texts
            case PieceKind.REPLAY:
                return any(key in self.keys for key in json.loads(piece.text or "{}"))
            case PieceKind.IMAGE:
                return self.has_images
            case _:
                return True


def sent_messages(
    messages: Sequence[RequestMessage], labels: Sequence[Label], measure: Measure, body: Body | None
) -> tuple[SentMessage, ...]:
    """Return the messages in pieces, without what the ``body`` does not hold."""
    return tuple(
        SentMessage(
            role=_ROLES[type(message)],
            pieces=tuple(piece for piece in _pieces(message, labels, measure) if body is None or body.holds(piece)),
            origins=() if isinstance(message, SystemMessage) else message.origins,
        )
        for message in messages
    )


def sent_tools(tools: Sequence[ToolSpec], measure: Measure, body: Body | None) -> tuple[Piece, ...]:
    return tuple(
        _piece(
            PieceKind.TOOL,
            json.dumps(
                {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
                ensure_ascii=False,
                default=str,
            ),
            count_tool(tool, measure=measure),
            name=tool.name,
            detail=tool.group,
        )
        for tool in tools
        if body is None or wire_name(tool.name) in body.tool_names
    )


def http_pieces(body: Body, messages: Sequence[SentMessage]) -> tuple[Piece, ...]:
    """Return the body, with references in place of the texts that the messages hold, and apart from it the tools."""
    places = {text: place for place, text in enumerate(wire_texts(messages))}
    fields = {name: value for name, value in body.fields.items() if name != "tools"}
    quotes = dict.fromkeys(quote for message in messages for piece in message.pieces for quote in piece.quotes)
    template = json.dumps(emptied(_without_images(fields), places), ensure_ascii=False)
    pieces = [_piece(PieceKind.BODY, template, 0, quotes=tuple(quotes))]
    if tools := body.fields.get("tools"):
        pieces.append(_piece(PieceKind.BODY_TOOLS, json.dumps(tools, ensure_ascii=False), 0))
    return tuple(pieces)


def split(text: str, labels: Sequence[Label], usual: PieceKind) -> list[Label]:
    """Return ``text`` in labelled stretches that are together all of it; blanks between belong to what stands before."""
    places = [(text.find(label.text), label) for label in labels if label.text]
    out: list[Label] = []
    end = 0
    for start, label in sorted((each for each in places if each[0] >= 0), key=lambda each: each[0]):
        if start < end:
            continue  # another one holds it
        between, whole = text[end:start], label.text
        end = start + len(label.text)
        if between.strip():
            out.append(Label(usual, between))
        elif out:
            out[-1] = Label(out[-1].kind, out[-1].text + between, out[-1].quotes)
        else:
            whole = between + whole
        out.append(Label(label.kind, whole, label.quotes))
    rest = text[end:]
    if rest.strip() or not out:
        out.append(Label(usual, rest))
    else:
        out[-1] = Label(out[-1].kind, out[-1].text + rest, out[-1].quotes)
    return out


def _pieces(message: RequestMessage, labels: Sequence[Label], measure: Measure) -> Iterator[Piece]:
    match message:
        case SystemMessage() | UserMessage():
            usual = PieceKind.INSTRUCTIONS if isinstance(message, SystemMessage) else PieceKind.TEXT
            for part in split(message.text, labels, usual):
                yield _piece(part.kind, part.text, measure(part.text), quotes=part.quotes)
            if isinstance(message, UserMessage):
                yield from map(_image, message.images)
        case AssistantMessage():
            if message.thinking:
                yield _piece(PieceKind.THINKING, message.thinking, measure(message.thinking))
            if message.text:
                yield _piece(PieceKind.TEXT, message.text, measure(message.text))
            for call in message.tool_calls:
                tokens = measure(call.name) + measure(call.arguments)
                yield _piece(PieceKind.CALL, call.arguments, tokens, name=call.name, detail=call.call_id)
            if message.replay:
                text = json.dumps(dict(message.replay), ensure_ascii=False, default=str)
                yield _piece(PieceKind.REPLAY, text, 0)
        case ToolMessage():
            yield _piece(
                PieceKind.RESULT, message.text, measure(message.text), name=message.name, detail=message.call_id
            )
            yield from map(_image, message.images)
        case _:
            assert_never(message)


def _piece(
    kind: PieceKind, text: str, tokens: int, *, name: str = "", detail: str = "", quotes: tuple[str, ...] = ()
) -> Piece:
    size = len(text.encode("utf-8", "surrogatepass"))
    return Piece(kind=kind, text=text, name=name, detail=detail, size=size, tokens=tokens, quotes=quotes)


def _image(image: Image) -> Piece:
    detail = f"{image.media_type} sha256:{hashlib.sha256(image.data).hexdigest()}"
    return Piece(kind=PieceKind.IMAGE, name=image.name, detail=detail, size=len(image.data), tokens=TOKENS_OF_IMAGE)


def _collect(value: Any, texts: set[str], keys: set[str]) -> None:
    if isinstance(value, str):
        texts.add(value)
    elif isinstance(value, Mapping):
        for key, each in cast("Mapping[str, Any]", value).items():
            keys.add(key)
            _collect(each, texts, keys)
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[Any]", value):
            _collect(each, texts, keys)


def _without_images(value: Any) -> Any:
    """JSON in which an image is its size and digest."""
    if isinstance(value, str) and value.startswith("data:") and ";base64," in value:
        head, _, data = value.partition(";base64,")
        try:
            content = base64.b64decode(data, validate=True)
        except binascii.Error:
            return value
        return f"{head.removeprefix('data:')} sha256:{hashlib.sha256(content).hexdigest()} ({len(content)} bytes)"
    if isinstance(value, Mapping):
        return {key: _without_images(each) for key, each in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_without_images(each) for each in cast("Sequence[Any]", value)]
    return value
