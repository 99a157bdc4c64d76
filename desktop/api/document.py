"""The OpenAPI document of the API."""

from typing import Any

from desktop import __version__
from desktop.api.schemas import COMPLETION, MOST_PAGE, NEW_MESSAGE, NEW_THREAD

_EVENTS = """One event for each thing that happens, each with `id`, `event` and JSON `data`; a comment while nothing does.

`thinking` and `message` carry a `delta`; `message_taken_back` says that the last `length` characters were reasoning after
all; `tool_call` and `tool_result` tell what tools did; `plan` is the plan of an answer as it is now, and after `plan_step`
comes what belongs to its step at `place` (from 0; null for what ends the answer). `done` or `error` is the last one.
`queued` comes first where the message waits for its turn. Events of other kinds may come between. After a cut, send
`Last-Event-ID` with the id of the last event that came: nothing is sent again, and the stream goes on behind it."""

_ERROR: dict[str, Any] = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "code": {"type": "string"},
                "message": {"type": "string"},
                "what_to_do": {"type": "string"},
                "param": {"type": "null"},
            },
            "required": ["type", "code", "message", "what_to_do"],
        }
    },
    "required": ["error"],
}

_THREAD: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "title": {"type": "string"},
        "created_at": {"type": "string", "format": "date-time"},
        "updated_at": {"type": "string", "format": "date-time"},
        "temporary": {"type": "boolean"},
        "running": {"type": "boolean", "description": "Whether something is being answered."},
    },
    "required": ["id", "title", "created_at", "updated_at", "temporary", "running"],
}

_MESSAGE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "role": {"enum": ["user", "assistant"]},
        "text": {"type": "string"},
        "created_at": {"type": "string", "format": "date-time"},
        "status": {"type": "string"},
        "model": {"type": "string"},
        "files": {"type": "array", "items": {"type": "string"}},
        "tool_calls": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["id", "role", "text", "created_at", "status"],
}

_EVENT: dict[str, Any] = {
    "type": "object",
    "description": "One event of the stream; its data is JSON, or “[DONE]” at the end of a completion.",
    "properties": {"id": {"type": "string"}, "event": {"type": "string"}, "data": {"type": "string"}},
    "required": ["data"],
}

_ID: dict[str, Any] = {"name": "thread_id", "in": "path", "required": True, "schema": {"type": "string"}}
_LAST_EVENT: dict[str, Any] = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": r"^[0-9a-z]+:[0-9]{1,9}$"},
    "description": "Go on behind this event.",
}


def openapi_document(port: int) -> dict[str, Any]:
    """Return the document for a server on this port."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Threadwell", "version": __version__, "description": "Chats of this computer's Threadwell."},
        "servers": [{"url": f"http://127.0.0.1:{port}"}],
        "security": [{"token": []}],
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _ERROR, "Event": _EVENT, "Thread": _THREAD, "Message": _MESSAGE},
        },
        "paths": {**_thread_paths(), **_openai_paths()},
    }


def _thread_paths() -> dict[str, Any]:
    thread, threads = _ref("Thread"), {"type": "array", "items": _ref("Thread")}
    messages = {"type": "array", "items": _ref("Message")}
    return {
        "/v1/threads": {
            "get": _operation(
                "List chats, the one changed last first",
                _object(threads=threads),
                parameters=[
                    _number("limit", least=1, most=MOST_PAGE, usual=50),
                    _number("offset", least=0, most=10_000_000, usual=0),
                ],
            ),
            "post": _operation("Make a chat", thread, status="201", body=NEW_THREAD, needs_body=False),
        },
        "/v1/threads/{thread_id}": {
            "delete": _operation(
                "Move a chat to the Trash; a temporary one is gone",
                _object(id={"type": "string"}, deleted={"const": True}, lies_in={"enum": ["trash", "nowhere"]}),
                parameters=[_ID],
            ),
        },
        "/v1/threads/{thread_id}/messages": {
            "get": _operation(
                "Read a chat: its last messages, or those that end with “until”",
                _object(thread=thread, messages=messages),
                parameters=[
                    _ID,
                    _number("limit", least=1, most=MOST_PAGE, usual=50),
                    {"name": "until", "in": "query", "required": False, "schema": {"type": "string"}},
                ],
            ),
            "post": _operation(
                "Say something, and read the answer", None, parameters=[_ID, _LAST_EVENT], body=NEW_MESSAGE
            ),
        },
        "/v1/threads/{thread_id}/events": {
            "get": _operation("Read an answer that runs", None, parameters=[_ID, _LAST_EVENT]),
        },
        "/v1/threads/{thread_id}/stop": {
            "post": _operation(
                "Stop what is being answered",
                _object(id={"type": "string"}, stopped={"type": "integer"}),
                parameters=[_ID],
            ),
        },
    }


def _openai_paths() -> dict[str, Any]:
    anything: dict[str, Any] = {"type": "object"}
    completion = _operation("Answer, as OpenAI's API does", anything, body=COMPLETION)
    completion["responses"]["200"]["content"]["text/event-stream"] = {"schema": _ref("Event")}
    return {
        "/v1/models": {"get": _operation("List the models by their names here", anything)},
        "/v1/chat/completions": {"post": completion},
        "/v1/openapi.json": {"get": _operation("This document", anything)},
    }


def _operation(
    summary: str,
    answer: dict[str, Any] | None,
    *,
    status: str = "200",
    parameters: list[dict[str, Any]] | None = None,
    body: dict[str, Any] | None = None,
    needs_body: bool = True,
) -> dict[str, Any]:
    """``answer`` is the schema of the JSON that comes; None for a stream of events."""
    content = {"application/json": {"schema": answer}} if answer else {"text/event-stream": {"schema": _ref("Event")}}
    failed = {"description": "Why not, and what to do", "content": {"application/json": {"schema": _ref("Error")}}}
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            status: {"description": _EVENTS if answer is None else "Done", "content": content},
            "4XX": failed,
            "503": failed,
        },
    }
    if parameters:
        operation["parameters"] = parameters
    if body is not None:
        operation["requestBody"] = {"required": needs_body, "content": {"application/json": {"schema": body}}}
    return operation


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _number(name: str, *, least: int, most: int, usual: int) -> dict[str, Any]:
    schema = {"type": "integer", "minimum": least, "maximum": most, "default": usual}
    return {"name": name, "in": "query", "required": False, "schema": schema}
