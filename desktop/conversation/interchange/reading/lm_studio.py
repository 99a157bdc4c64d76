"""Conversations of LM Studio, a file each: messages with several versions, of which one is shown."""

from collections.abc import Iterator, Mapping
from typing import Any

from desktop.conversation.entities import Part, Role, TextPart, ThreadOptions
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
    thoughts_in,
)
from desktop.conversation.interchange.records import Source, TurnRecord
from desktop.core.language_model import Usage


def is_one(value: Any) -> bool:
    messages = items(fields(value).get("messages"))
    return bool(messages) and any(isinstance(fields(one).get("versions"), list) for one in messages)


def chats(value: Any) -> Iterator[Read]:
    """Give the chat. The versions of a message stand beside each other; what follows stands below the one that is shown."""
    chat = fields(value)
    created = moment(chat.get("createdAt"))
    assets: dict[str, Asset] = {}
    drafts: list[Draft] = []
    shown: str | None = None
    for number, message in enumerate(map(fields, items(chat.get("messages")))):
        versions = [fields(one) for one in items(message.get("versions"))]
        selected = count(message.get("currentlySelected")) or 0
        below = shown
        for place, version in enumerate(versions):
            draft = _draft(version, f"{number}-{place}", below, assets)
            if draft.parts:
                drafts.append(draft)
                if place == selected or shown == below:
                    shown = draft.id
    model = text(fields(chat.get("lastUsedModel")).get("identifier"))
    for draft in drafts:
        draft.model = draft.model or (model if draft.role is Role.ASSISTANT else "")
    system = text(chat.get("systemPrompt"))
    made = make_chat(
        Source.LM_STUDIO,
        # The file has no id of its own; nothing but the moment of its beginning stays when it is renamed.
        chat_id=key(chat.get("id") or chat.get("createdAt"), text(chat.get("name")) or "chat"),
        title=text(chat.get("name")),
        title_by_user=False,
        drafts=drafts,
        tip=shown,
        created_at=created,
        updated_at=moment(chat.get("assistantLastMessagedAt")) or moment(chat.get("userLastMessagedAt")),
        options=ThreadOptions(system_prompt=system[:100_000] or None),
    )
    yield made, assets


def _draft(version: Mapping[str, Any], name: str, parent: str | None, assets: dict[str, Asset]) -> Draft:
    is_user = version.get("role") == "user"
    draft = Draft(
        id=name,
        parent_id=parent,
        role=Role.USER if is_user else Role.ASSISTANT,
        parts=_user_parts(version, name, assets) if is_user else [],
    )
    if not is_user:
        parts = AnswerParts()
        if version.get("type") == "multiStep":
            for step in map(fields, items(version.get("steps"))):
                _add_step(parts, step, draft)
        else:
            _add_said(parts, _texts(version), "")
        draft.parts = parts.parts
        draft.model = draft.model or text(fields(version.get("senderInfo")).get("senderName"))
    return draft


def _user_parts(version: Mapping[str, Any], name: str, assets: dict[str, Asset]) -> list[Part]:
    parts: list[Part] = []
    for number, one in enumerate(map(fields, items(version.get("content")))):
        if one.get("type") == "file" and (file_name := text(one.get("fileIdentifier")) or text(one.get("name"))):
            file_id = f"{name}-{number}"
            assets[file_id] = Asset(name=file_name, hint=file_name)
            kind = "image/png" if one.get("fileType") == "image" else ""
            parts.append(file_part(file_id, file_name, size=count(one.get("sizeBytes")) or 0, media_type=kind))
    if said := _texts(version):
        parts.append(TextPart(text=said))
    return parts


def _add_step(parts: AnswerParts, step: Mapping[str, Any], draft: Draft) -> None:
    if step.get("type") != "contentBlock":
        return
    style = text(fields(step.get("style")).get("type"))
    for one in map(fields, items(step.get("content"))):
        kind = text(one.get("type"))
        if kind == "toolCallRequest":
            call_id = key(one.get("callId"), text(one.get("toolCallRequestId")))
            parts.call(call_id, text(one.get("name")), one.get("parameters") or one.get("arguments") or {})
        elif kind == "toolCallResult":
            call_id = key(one.get("callId"), text(one.get("toolCallRequestId")))
            parts.result(call_id, text(one.get("name")), _result(one.get("content")))
        else:
            _add_said(parts, text(one.get("text")), style)
    info = fields(step.get("genInfo"))
    stats = fields(info.get("stats"))
    draft.model = text(info.get("indexedModelIdentifier")) or text(info.get("identifier")) or draft.model
    usage = Usage(
        input_tokens=count(stats.get("promptTokensCount")), output_tokens=count(stats.get("predictedTokensCount"))
    )
    if draft.at is not None and usage != Usage():
        draft.turn = TurnRecord(model=draft.model, started_at=draft.at, reason="completed", usage=usage)


def _add_said(parts: AnswerParts, said: str, style: str) -> None:
    if style == "thinking":
        parts.thinking(said)
        return
    thoughts, rest = thoughts_in(said)
    parts.thinking(thoughts)
    parts.text(rest)


def _result(content: object) -> str:
    if isinstance(content, str):
        return content
    pieces = [text(fields(one).get("text")) or as_json(one) for one in items(content)]
    return "\n\n".join(pieces) if pieces else as_json(content) if content is not None else ""


def _texts(version: Mapping[str, Any]) -> str:
    pieces = [text(fields(one).get("text")) for one in items(version.get("content"))]
    return "\n\n".join(piece for piece in pieces if piece.strip())
