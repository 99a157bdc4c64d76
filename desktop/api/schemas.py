"""What may be sent to the API, as JSON Schema: bodies are checked against it, and the OpenAPI document shows it."""

from typing import Any

MOST_TEXT_CHARACTERS = 1_000_000
MOST_MESSAGES = 2_000
MOST_PAGE = 500

_TEXT: dict[str, Any] = {"type": "string", "maxLength": MOST_TEXT_CHARACTERS, "pattern": r"\S"}

NEW_THREAD: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 500, "description": "Without one the first message names it."},
        "temporary": {
            "type": "boolean",
            "default": False,
            "description": "Nothing of it is kept, found or remembered; it is gone when it is deleted or Threadwell ends.",
        },
        "model": {"type": "string", "maxLength": 500, "description": "One of GET /v1/models; else the usual one."},
        "system_prompt": {"type": "string", "maxLength": MOST_TEXT_CHARACTERS},
        "assistant": {
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "description": "The name or id of one of your assistants, which answers in this chat.",
        },
    },
    "additionalProperties": False,
}

NEW_MESSAGE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {**_TEXT, "description": "What is said. An answer that runs is waited for."},
        "detach": {
            "type": "boolean",
            "default": False,
            "description": "Let the answer go on when this connection ends; else that stops it.",
        },
        "approve_plan": {
            "type": "boolean",
            "default": False,
            "description": "Answer by a plan, and carry it out without asking. Else a chat that plans first asks in the"
            " window; without one the answer is made without a plan, and a remark `plan_not_asked` says so.",
        },
    },
    "required": ["text"],
    "additionalProperties": False,
}

_PART: dict[str, Any] = {
    "type": "object",
    "properties": {"type": {"enum": ["text"]}, "text": {"type": "string"}},
    "required": ["type", "text"],
}

COMPLETION: dict[str, Any] = {
    "type": "object",
    "description": "As OpenAI's. Sampling is Threadwell's own; fields that are not named here change nothing.",
    "properties": {
        "model": {
            "type": "string",
            "maxLength": 500,
            "description": "One of GET /v1/models; “threadwell” is the usual.",
        },
        "messages": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_MESSAGES,
            "items": {
                "type": "object",
                "properties": {
                    "role": {"enum": ["system", "developer", "user", "assistant"]},
                    "content": {
                        "anyOf": [
                            {"type": "string", "maxLength": MOST_TEXT_CHARACTERS},
                            {"type": "array", "minItems": 1, "maxItems": MOST_MESSAGES, "items": _PART},
                        ]
                    },
                },
                "required": ["role", "content"],
            },
        },
        "stream": {"type": ["boolean", "null"]},
        "stream_options": {
            "type": ["object", "null"],
            "properties": {"include_usage": {"type": "boolean"}},
        },
        "n": {"enum": [1, None]},
        "tools": {"type": ["array", "null"], "maxItems": 0, "description": "The tools are Threadwell's own."},
        "store": {
            "type": ["boolean", "null"],
            "default": True,
            "description": "False: a temporary chat, which leaves nothing and is told nothing of others.",
        },
    },
    "required": ["model", "messages"],
}
