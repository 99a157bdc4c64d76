"""Chats that Claude exported: messages with blocks of text, thinking, tool calls and their results."""

from collections.abc import Iterator, Mapping
from typing import Any

from desktop.conversation.entities import Part, Role, TextPart
from desktop.conversation.interchange.reading.answers import AnswerParts, file_part
from desktop.conversation.interchange.reading.making import (
    Asset,
    Draft,
    Read,
    as_json,
    count,
    fields,
    items,
    key,
    make_chat,
    moment,
    text,
)
from desktop.conversation.interchange.records import Source

_ROOT = "00000000-0000-4000-8000-000000000000"


def is_one(value: Any) -> bool:
    return isinstance(fields(value).get("chat_messages"), list)


def chats(value: Any) -> Iterator[Read]:
    """Give the chat."""
    chat = fields(value)
    drafts: list[Draft] = []
    assets: dict[str, Asset] = {}
    for number, message in enumerate(map(fields, items(chat.get("chat_messages")))):
        draft = _draft(message, number, drafts[-1].id if drafts else None, assets)
        if draft.parts:
            drafts.append(draft)
    made = make_chat(
        Source.CLAUDE,
        chat_id=key(chat.get("uuid"), drafts[0].id if drafts else "chat"),
        title=text(chat.get("name")),
        drafts=drafts,
        tip=text(chat.get("current_leaf_message_uuid")) or None,
        created_at=moment(chat.get("created_at")),
        updated_at=moment(chat.get("updated_at")),
    )
    yield made, assets


def _draft(message: Mapping[str, Any], number: int, before: str | None, assets: dict[str, Asset]) -> Draft:
    named = message.get("parent_message_uuid")
    parent = before if named is None else None if named == _ROOT else key(named, "")
    is_user = message.get("sender") in ("human", "user")
    return Draft(
        id=key(message.get("uuid"), f"message-{number}"),
        parent_id=parent,
        role=Role.USER if is_user else Role.ASSISTANT,
        parts=_user_parts(message, assets) if is_user else _answer_parts(message),
        at=moment(message.get("created_at")),
        ended_at=moment(message.get("updated_at")),
        model=text(message.get("model")),
    )


def _user_parts(message: Mapping[str, Any], assets: dict[str, Asset]) -> list[Part]:
    parts: list[Part] = []
    for one in map(fields, items(message.get("attachments"))):
        name = text(one.get("file_name")) or "file"
        said = text(one.get("extracted_content"))
        parts.append(file_part("", name, size=count(one.get("file_size")) or len(said.encode()), text=said))
    for one in map(fields, items(message.get("files")) or items(message.get("files_v2"))):
        name = text(one.get("file_name")) or "file"
        file_id = key(one.get("file_uuid") or one.get("uuid"), name)
        assets[file_id] = Asset(name=name, hint=file_id if one.get("file_uuid") else name)
        parts.append(file_part(file_id, name, media_type=text(one.get("file_type"))))
    if said := _said(message):
        parts.append(TextPart(text=said))
    return parts


def _said(message: Mapping[str, Any]) -> str:
    blocks = [text(block.get("text")) for block in map(fields, items(message.get("content"))) if _kind(block) == "text"]
    return "\n\n".join(filter(None, blocks)) or text(message.get("text"))


def _answer_parts(message: Mapping[str, Any]) -> list[Part]:
    parts = AnswerParts()
    sources: list[tuple[str, str]] = []
    names: dict[str, str] = {}
    for number, block in enumerate(map(fields, items(message.get("content")))):
        match _kind(block):
            case "text":
                parts.text(text(block.get("text")))
                sources += _sources(block)
            case "thinking":
                parts.thinking(text(block.get("thinking")), _seconds(block))
            case "tool_use":
                call_id = text(block.get("id")) or f"call-{number}"
                names[call_id] = text(block.get("name"))
                parts.call(call_id, names[call_id], block.get("input") or {})
            case "tool_result":
                call_id = text(block.get("tool_use_id"))
                name = names.get(call_id) or text(block.get("name"))
                said = _result(block.get("content"))
                parts.result(call_id if call_id in names else "", name, said, is_error=block.get("is_error") is True)
            case _:
                parts.text(text(block.get("text")))
    if not parts.parts:
        parts.text(text(message.get("text")))
    parts.sources(sources)
    return parts.parts


def _result(content: object) -> str:
    """Return the text of what a tool brought back; of what is no text its JSON."""
    if isinstance(content, str):
        return content
    pieces: list[str] = []
    for one in items(content):
        block = fields(one)
        said = text(block.get("text")) or "\n".join(filter(None, (text(block.get("title")), text(block.get("url")))))
        pieces.append(said or as_json(one))
    return "\n\n".join(pieces)


def _sources(block: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = [fields(one) for one in items(block.get("citations"))]
    return [
        (text(one.get("url")) or text(fields(one.get("details")).get("url")), text(one.get("title"))) for one in found
    ]


def _kind(block: Mapping[str, Any]) -> str:
    return text(block.get("type"))


def _seconds(block: Mapping[str, Any]) -> float | None:
    start, stop = moment(block.get("start_timestamp")), moment(block.get("stop_timestamp"))
    return (stop - start).total_seconds() if start is not None and stop is not None and stop >= start else None
