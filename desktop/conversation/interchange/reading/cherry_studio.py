"""A backup of Cherry Studio: one JSON file with topics, messages, and the blocks that messages are made of."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from desktop.conversation.entities import MessageStatus, Part, Role, TextPart, ThreadOptions
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

Blocks = Mapping[str, Mapping[str, Any]]


def is_one(value: Any) -> bool:
    return isinstance(fields(fields(value).get("indexedDB")).get("topics"), list)


def chats(value: Any) -> Iterator[Read]:
    """Give the topics, each a chat."""
    backup = fields(value)
    database = fields(backup.get("indexedDB"))
    blocks = {text(block.get("id")): block for block in map(fields, items(database.get("message_blocks")))}
    about = _topics(backup)
    for number, topic in enumerate(map(fields, items(database.get("topics")))):
        name = key(topic.get("id"), f"topic-{number}")
        yield _chat(name, topic, *about.get(name, ({}, {})), blocks)


def _chat(
    name: str, topic: Mapping[str, Any], about: Mapping[str, Any], assistant: Mapping[str, Any], blocks: Blocks
) -> Read:
    assets: dict[str, Asset] = {}
    drafts: list[Draft] = []
    shown: str | None = None
    """What the next question follows."""
    question: str | None = None
    is_chosen = False
    known = set[str]()
    for number, message in enumerate(map(fields, items(topic.get("messages")))):
        draft = _draft(message, f"message-{number}", blocks, assets)
        if not draft.parts:
            continue
        if draft.role is Role.USER:
            draft.parent_id, shown, question, is_chosen = shown, draft.id, draft.id, False
        else:
            asked = text(message.get("askId"))
            draft.parent_id = asked if asked in known else question
            if not is_chosen:
                shown = draft.id
            is_chosen = is_chosen or message.get("foldSelected") is True
        known.add(draft.id)
        drafts.append(draft)
    prompt = text(about.get("prompt")) or text(assistant.get("prompt"))
    made = make_chat(
        Source.CHERRY_STUDIO,
        chat_id=name,
        title=text(about.get("name")) or text(topic.get("name")),
        title_by_user=about.get("isNameManuallyEdited") is True,
        drafts=drafts,
        tip=shown,
        created_at=moment(about.get("createdAt")),
        updated_at=moment(about.get("updatedAt")),
        options=ThreadOptions(system_prompt=prompt[:100_000] or None),
    )
    return made, assets


def _topics(backup: Mapping[str, Any]) -> dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return by its id what the list of topics says of each, and the assistant that it belongs to."""
    stored = fields(backup.get("redux"))
    if not stored:
        stored = fields(_parsed(fields(backup.get("localStorage")).get("persist:cherry-studio")))
    assistants = fields(_parsed(stored.get("assistants")))
    found: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}
    for assistant in map(fields, (assistants.get("defaultAssistant"), *items(assistants.get("assistants")))):
        for topic in map(fields, items(assistant.get("topics"))):
            found[key(topic.get("id"), "")] = topic, assistant
    return found


def _parsed(value: object) -> object:
    """Return what a text of JSON holds; what is no text as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _draft(message: Mapping[str, Any], standard: str, blocks: Blocks, assets: dict[str, Asset]) -> Draft:
    own = [blocks[name] for name in items(message.get("blocks")) if isinstance(name, str) and name in blocks]
    is_user = message.get("role") == "user"
    model = fields(message.get("model"))
    at = moment(message.get("createdAt"))
    draft = Draft(
        id=key(message.get("id"), standard),
        parent_id=None,
        role=Role.USER if is_user else Role.ASSISTANT,
        parts=_user_parts(message, own, assets) if is_user else _answer_parts(message, own, assets),
        at=at,
        ended_at=moment(message.get("updatedAt")),
        model=text(model.get("name")) or text(model.get("id")) or text(message.get("modelId")),
        status=MessageStatus.INTERRUPTED if message.get("status") in ("error", "paused") else MessageStatus.COMPLETE,
    )
    usage = fields(message.get("usage"))
    tokens = Usage(input_tokens=count(usage.get("prompt_tokens")), output_tokens=count(usage.get("completion_tokens")))
    if at is not None and not is_user and tokens != Usage():
        milliseconds = count(fields(message.get("metrics")).get("time_completion_millsec"))
        seconds = milliseconds / 1000 if milliseconds else None
        draft.turn = TurnRecord(
            model=draft.model,
            started_at=at,
            ended_at=draft.ended_at,
            reason="completed",
            usage=tokens,
            duration_seconds=seconds,
        )
    return draft


def _user_parts(message: Mapping[str, Any], blocks: list[Mapping[str, Any]], assets: dict[str, Asset]) -> list[Part]:
    parts: list[Part] = [
        file_part(file_id, name, size=size, media_type="image/png" if is_picture else "")
        for block in blocks
        for file_id, name, size, is_picture in _file(block, assets)
    ]
    for one in map(fields, items(message.get("files")) if not blocks else ()):
        parts += [file_part(i, n, size=s) for i, n, s, _ in _file({"type": "file", "file": one}, assets)]
    said = [text(block.get("content")) for block in blocks if block.get("type") in ("main_text", "code")]
    if joined := "\n\n".join(filter(None, said)) or (text(message.get("content")) if not blocks else ""):
        parts.append(TextPart(text=joined))
    return parts


def _answer_parts(message: Mapping[str, Any], blocks: list[Mapping[str, Any]], assets: dict[str, Asset]) -> list[Part]:
    parts = AnswerParts()
    if not blocks:
        parts.thinking(text(message.get("reasoning_content")))
        thoughts, rest = thoughts_in(text(message.get("content")))
        parts.thinking(thoughts)
        parts.text(rest)
    sources: list[tuple[str, str]] = []
    for block in blocks:
        match block.get("type"):
            case "thinking":
                milliseconds = count(block.get("thinking_millsec"))
                parts.thinking(text(block.get("content")), milliseconds / 1000 if milliseconds else None)
            case "tool":
                _add_tool(parts, block)
            case "citation":
                sources += _sources(block)
            case "image" | "file":
                for file_id, name, _, _ in _file(block, assets):
                    parts.result("", "image", "", pictures=[(file_id, name)])
            case "error":
                if said := text(fields(block.get("error")).get("message")):
                    parts.text(f"⚠ {said}")
            case "code":
                parts.text(f"```{text(block.get('language'))}\n{text(block.get('content'))}\n```")
            case _:
                parts.text(text(block.get("content")))
    parts.sources(sources)
    return parts.parts


def _add_tool(parts: AnswerParts, block: Mapping[str, Any]) -> None:
    raw = fields(fields(block.get("metadata")).get("rawMcpToolResponse"))
    tool = fields(raw.get("tool"))
    name = "__".join(
        filter(None, (text(tool.get("serverName")), text(tool.get("name")) or text(block.get("toolName"))))
    )
    call_id = text(raw.get("id")) or text(block.get("toolId")) or text(block.get("id"))
    parts.call(call_id, name or "tool", block.get("arguments") or raw.get("arguments") or {})
    content = block.get("content") if block.get("content") is not None else raw.get("response")
    pieces = [text(fields(one).get("text")) or as_json(one) for one in items(fields(content).get("content"))]
    said = "\n\n".join(pieces) if pieces else as_json(content) if content is not None else ""
    parts.result(call_id, name, said, is_error=block.get("status") == "error" or fields(content).get("isError") is True)


def _file(block: Mapping[str, Any], assets: dict[str, Asset]) -> list[tuple[str, str, int, bool]]:
    """Return id, name, size and whether it is a picture, of the file that a block holds."""
    if block.get("type") not in ("file", "image"):
        return []
    one = fields(block.get("file"))
    file_id = key(one.get("id") or block.get("id"), "")
    if not file_id:
        return []
    name = text(one.get("origin_name")) or text(one.get("name")) or f"{file_id}.png"
    assets[file_id] = Asset(name=name, hint=text(one.get("name")) or f"{file_id}{text(one.get('ext'))}")
    is_picture = block.get("type") == "image" or one.get("type") == "image"
    return [(file_id, name, count(one.get("size")) or 0, is_picture)]


def _sources(block: Mapping[str, Any]) -> list[tuple[str, str]]:
    response = fields(block.get("response"))
    found = response.get("results")
    listed = items(found) or items(fields(found).get("results"))
    named = [fields(one) for one in listed]
    return [(text(one.get("url")) or text(one.get("link")), text(one.get("title"))) for one in named]
