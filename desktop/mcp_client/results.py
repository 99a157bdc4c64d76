"""Turns what a tool returned into the text that the model reads."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from desktop.core.digests import TIMED_OUT_META_KEY
from desktop.tools.entities import ToolOutcome

if TYPE_CHECKING:
    import mcp_types

MAX_CHARACTERS = 200_000
_URI_LENGTH = 300


def outcome_of(result: "mcp_types.CallToolResult", *, max_characters: int = MAX_CHARACTERS) -> ToolOutcome:
    """Return text and error flag of a result. What is no text is named in a few words; nothing is fetched."""
    parts = [_text_of(block) for block in result.content]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = "\n".join(part for part in parts if part)
    clipped = clip(text, max_characters)
    return ToolOutcome(
        text=clipped or "(no output)",
        is_error=result.is_error or False,
        timed_out=(result.meta or {}).get(TIMED_OUT_META_KEY) is True,
        truncated=clipped != text,
    )


def clip(text: str, limit: int) -> str:
    """Return ``text`` in at most about ``limit`` characters: its head and its tail, with a mark between them."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    tail = limit - head
    return f"{text[:head]}\n[... {len(text) - limit} characters left out ...]\n{text[-tail:]}"


def _text_of(block: Any) -> str:
    match block.type:
        case "text":
            return block.text
        case "image" | "audio":
            return f"[{block.type}: {block.mime_type}, about {_decoded_size(block.data)}]"
        case "resource_link":
            return f"[link to a resource: {block.name}, {str(block.uri)[:_URI_LENGTH]}]"
        case "resource":
            return _resource_text(block.resource)
        case kind:
            return f"[content of an unknown kind: {kind}]"


def _resource_text(resource: Any) -> str:
    uri = str(resource.uri)[:_URI_LENGTH]
    text = getattr(resource, "text", None)
    if isinstance(text, str):
        return f"[resource {uri}]\n{text}"
    return f"[resource {uri}: {resource.mime_type or 'binary data'}, about {_decoded_size(resource.blob)}]"


def _decoded_size(data: str | Sequence[Any]) -> str:
    size = len(data) * 3 // 4
    return f"{size} bytes" if size < 1024 else f"{size / 1024:.0f} kB" if size < 2**20 else f"{size / 2**20:.1f} MB"
