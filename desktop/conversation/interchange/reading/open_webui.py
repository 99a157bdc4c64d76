"""Chats that Open WebUI exported: a tree of messages by their ids; reasoning and tool calls stand in the text between marks."""

import base64
import binascii
import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from desktop.conversation.entities import MessageStatus, Part, Role, TextPart, ThreadOptions
from desktop.conversation.interchange.reading.answers import AnswerParts, file_part
from desktop.conversation.interchange.reading.making import (
    Asset,
    Draft,
    Read,
    count,
    fields,
    items,
    key,
    make_chat,
    moment,
    text,
    thoughts_in,
)
from desktop.conversation.interchange.records import Source, TurnRecord
from desktop.core.language_model import Usage

_DETAILS = re.compile(r'<details type="(?P<type>\w+)"(?P<attributes>[^>]*)>(?P<inside>.*?)</details>\s*', re.DOTALL)
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_SUMMARY = re.compile(r"<summary>.*?</summary>\s*", re.DOTALL)
_DATA = re.compile(r"data:(?P<type>image/[\w.+-]+);base64,")
_MOST_IMAGE = 70_000_000


def is_one(value: Any) -> bool:
    chat = fields(fields(value).get("chat"))
    return isinstance(chat.get("history"), dict) or (isinstance(chat.get("messages"), list) and "models" in chat)


def chats(value: Any) -> Iterator[Read]:
    """Give the chat."""
    outer = fields(value)
    chat = fields(outer.get("chat"))
    history = fields(chat.get("history"))
    messages = fields(history.get("messages"))
    assets: dict[str, Asset] = {}
    drafts: list[Draft] = []
    if messages:
        for name, message in messages.items():
            drafts.append(_draft(name, fields(message), fields(message).get("parentId"), assets))
    else:
        for number, message in enumerate(map(fields, items(chat.get("messages")))):
            name = key(message.get("id"), f"message-{number}")
            drafts.append(_draft(name, message, drafts[-1].id if drafts else None, assets))
    drafts = _without_empty(drafts)
    made = make_chat(
        Source.OPEN_WEBUI,
        chat_id=key(outer.get("id") or chat.get("id"), drafts[0].id if drafts else "chat"),
        title=text(outer.get("title")) or text(chat.get("title")),
        drafts=drafts,
        tip=text(history.get("currentId")) or None,
        created_at=moment(outer.get("created_at")) or moment(chat.get("timestamp")),
        updated_at=moment(outer.get("updated_at")),
        options=_options(chat),
    )
    yield made, assets


def _options(chat: Mapping[str, Any]) -> ThreadOptions:
    system = text(fields(chat.get("params")).get("system")) or text(chat.get("system"))
    return ThreadOptions(system_prompt=system[:100_000] or None)


def _draft(name: str, message: Mapping[str, Any], parent: object, assets: dict[str, Asset]) -> Draft:
    is_user = message.get("role") == "user"
    at = moment(message.get("timestamp"))
    error = fields(message.get("error"))
    draft = Draft(
        id=key(name, "message"),
        parent_id=key(parent, "") or None,
        role=Role.USER if is_user else Role.ASSISTANT,
        parts=_user_parts(message, assets) if is_user else _answer_parts(message),
        at=at,
        model=text(message.get("model")),
        status=MessageStatus.INTERRUPTED if message.get("done") is False or error else MessageStatus.COMPLETE,
    )
    usage = fields(message.get("usage")) or fields(message.get("info"))
    tokens = Usage(input_tokens=count(usage.get("prompt_tokens")), output_tokens=count(usage.get("completion_tokens")))
    if at is not None and not is_user and tokens != Usage():
        draft.turn = TurnRecord(model=draft.model, started_at=at, ended_at=at, reason="completed", usage=tokens)
    return draft


def _user_parts(message: Mapping[str, Any], assets: dict[str, Asset]) -> list[Part]:
    parts: list[Part] = []
    for number, one in enumerate(map(fields, items(message.get("files")))):
        inner = fields(one.get("file"))
        name = text(one.get("name")) or text(inner.get("filename")) or text(fields(inner.get("meta")).get("name"))
        url = text(one.get("url"))
        file_id = key(one.get("id") or inner.get("id"), f"{key(message.get('id'), 'message')}-{number}")
        if one.get("type") == "image":
            picture = _DATA.match(url)
            assets[file_id] = Asset(
                name=name or "image", hint=url, data=_bytes(url[picture.end() :]) if picture else None
            )
            parts.append(file_part(file_id, name or "image.png", media_type="image/png"))
        else:
            said = text(fields(inner.get("data")).get("content"))
            size = count(one.get("size")) or count(fields(inner.get("meta")).get("size")) or len(said.encode())
            parts.append(file_part("", name or "file", size=size, text=said))
    if said := _said(message.get("content")):
        parts.append(TextPart(text=said))
    return parts


def _answer_parts(message: Mapping[str, Any]) -> list[Part]:
    parts = AnswerParts()
    said, at = _said(message.get("content")), 0
    for found in _DETAILS.finditer(said):
        parts.text(said[at : found.start()].strip("\n"))
        at = found.end()
        _add_details(parts, found)
    rest = said[at:]
    if not parts.parts:
        thoughts, rest = thoughts_in(rest)
        parts.thinking(thoughts)
    parts.text(rest.strip("\n"))
    if error := text(fields(message.get("error")).get("content")):
        parts.text(f"⚠ {error}")
    named: list[tuple[str, str]] = []
    for one in map(fields, items(message.get("sources")) or items(message.get("citations"))):
        about = fields(one.get("source"))
        named.append((text(about.get("url")), text(about.get("name"))))
        for place in map(fields, items(one.get("metadata"))):
            named.append((text(place.get("source")), text(place.get("name")) or text(place.get("title"))))
    parts.sources((url, title) for url, title in named if url.startswith(("http://", "https://")))
    return parts.parts


def _add_details(parts: AnswerParts, found: re.Match[str]) -> None:
    attributes = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(found["attributes"])}
    inside = _SUMMARY.sub("", html.unescape(found["inside"])).strip()
    if found["type"] == "tool_calls":
        call_id = attributes.get("id", "")
        parts.call(call_id, attributes.get("name", "tool"), attributes.get("arguments", ""))
        parts.result(call_id, attributes.get("name", "tool"), attributes.get("result", "") or inside)
    elif found["type"] == "reasoning":
        seconds = attributes.get("duration", "")
        quoted = "\n".join(line.removeprefix(">").removeprefix(" ") for line in inside.split("\n"))
        parts.thinking(quoted, float(seconds) if seconds.isdecimal() else None)
    else:
        parts.text(found[0])


def _said(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(filter(None, (text(fields(one).get("text")) for one in items(content))))


def _bytes(encoded: str) -> bytes | None:
    if len(encoded) > _MOST_IMAGE:
        return None
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None


def _without_empty(drafts: list[Draft]) -> list[Draft]:
    """Leave out what says nothing; what follows it stands below what was above it."""
    empty = {draft.id: draft.parent_id for draft in drafts if not draft.parts}
    for draft in drafts:
        seen = set[str]()
        while draft.parent_id in empty and draft.parent_id not in seen:
            seen.add(draft.parent_id)
            draft.parent_id = empty[draft.parent_id]
    return [draft for draft in drafts if draft.parts]
