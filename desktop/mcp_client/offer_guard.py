"""Cleans lists of prompts and resources, and what comes of one, before the SDK parses them: a bad entry loses no other.

Imports ``mcp_types`` at once: only ``wire`` may import this module.
"""

import logging
from typing import Any

import mcp_types
from pydantic import ValidationError

from desktop.mcp_client.content_guard import check_version, usable, usable_block

logger = logging.getLogger(__name__)

MOST_ENTRIES = 2_000
_KINDS: dict[str, tuple[str, type[Any], tuple[str, ...]]] = {
    "prompts": ("prompts/list", mcp_types.Prompt, ("title", "description", "icons", "_meta")),
    "resources": (
        "resources/list",
        mcp_types.Resource,
        ("title", "description", "mimeType", "size", "icons", "annotations", "_meta"),
    ),
    "resourceTemplates": (
        "resources/templates/list",
        mcp_types.ResourceTemplate,
        ("title", "description", "mimeType", "icons", "annotations", "_meta"),
    ),
}


def clean_offer(result: dict[str, Any], version: str | None) -> bool:
    """Make such a result one that the SDK takes, in place; False for any other result."""
    for key, (method, kind, optional) in _KINDS.items():
        if isinstance(entries := result.get(key), list):
            kept = [_usable(entry, key, method, kind, optional, version, result) for entry in entries[:MOST_ENTRIES]]
            result[key] = [entry for entry in kept if entry is not None]
            return True
    if isinstance(messages := result.get("messages"), list):
        result["messages"] = [
            {"role": "assistant" if message.get("role") == "assistant" else "user", "content": block}
            for message in messages[:MOST_ENTRIES]
            if isinstance(message, dict)
            for block in _blocks(message.get("content"), version)
        ]
        return True
    if isinstance(contents := result.get("contents"), list):
        result["contents"] = [item for item in contents[:MOST_ENTRIES] if _is_resource(item)]
        return True
    return False


def _usable(
    entry: Any,
    key: str,
    method: str,
    kind: type[Any],
    optional: tuple[str, ...],
    version: str | None,
    result: dict[str, Any],
) -> dict[str, Any] | None:
    """The entry, if need be without its optional parts; None where it is beyond use."""
    if not isinstance(entry, dict):
        return None

    def check(candidate: dict[str, Any]) -> None:
        kind.model_validate(candidate, by_name=False)
        check_version(method, version, {**result, key: [candidate]})

    try:
        return usable(entry, optional, check)
    except ValidationError as error:
        logger.info("an entry of %s is malformed: %s", method, error.errors()[0]["loc"])
        return None


def _blocks(content: Any, version: str | None) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [usable_block(block, version) for block in (content if isinstance(content, list) else [content])]


def _is_resource(item: Any) -> bool:
    for kind in (mcp_types.TextResourceContents, mcp_types.BlobResourceContents):
        try:
            kind.model_validate(item, by_name=False)
        except ValidationError:
            continue
        return True
    return False
