"""Chats and messages as plain JSON, for the command line and the local API: what is said in them, and what tools did."""

from typing import Any

from desktop.conversation.entities import Message, Thread, ToolCallPart, ToolResultPart


def thread_json(thread: Thread) -> dict[str, Any]:
    deleted = {"deleted_at": thread.deleted_at.isoformat()} if thread.deleted_at else {}
    return {"id": thread.id, "title": thread.title, "updated_at": thread.updated_at.isoformat(), **deleted}


def message_json(message: Message) -> dict[str, Any]:
    results = {part.call_id: part for part in message.parts if isinstance(part, ToolResultPart)}
    calls = [
        {
            "call_id": part.call_id,
            "name": part.name,
            "arguments": part.arguments,
            "status": results[part.call_id].status if part.call_id in results else "",
            "text": results[part.call_id].text if part.call_id in results else "",
        }
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
    return {
        "id": message.id,
        "role": message.role,
        "text": message.text,
        **({"files": [part.name for part in message.attachments]} if message.attachments else {}),
        "created_at": message.created_at.isoformat(),
        "status": message.status,
        **({"tool_calls": calls} if calls else {}),
    }
