"""Mends the result of a call before the SDK parses it: one block that is malformed must not lose all the others.

Imports ``mcp_types`` at once: only ``wire`` may import this module.
"""

import json
import logging
from collections.abc import Callable, Collection
from typing import Any

import mcp_types
from mcp_types.methods import validate_server_result
from pydantic import TypeAdapter, ValidationError

from desktop.mcp_client.results import STRUCTURED_META_KEY

MOST_BLOCKS = 2_000
_OPTIONAL_FIELDS = ("annotations", "_meta", "icons", "size", "description", "title")
_KNOWN = frozenset({"text", "image", "audio", "resource", "resource_link"})
_BLOCK: TypeAdapter[Any] = TypeAdapter(mcp_types.ContentBlock)

logger = logging.getLogger(__name__)


def clean_result(result: dict[str, Any], version: str | None) -> None:
    """Make a result in place one that the SDK takes, with a note where something of it was left out."""
    blocks = result.get("content")
    if blocks is None:
        blocks = []
    elif not isinstance(blocks, list):
        blocks = [_text(blocks if isinstance(blocks, str) else json.dumps(blocks, ensure_ascii=False))]
    left_out = len(blocks) - MOST_BLOCKS
    result["content"] = [usable_block(block, version) for block in blocks[:MOST_BLOCKS]]
    if left_out > 0:
        result["content"].append(_text(f"[{left_out} more blocks were left out]"))
    if not isinstance(result.get("isError", False), bool):
        result["isError"] = bool(result["isError"])
    meta = result.get("_meta")
    if not isinstance(meta, dict):
        result.pop("_meta", None)
        meta = {}
    structured = result.get("structuredContent")
    if structured is not None and not isinstance(structured, dict):
        # Allowed from 2026-07-28 on only, but it is what the tool returned.
        del result["structuredContent"]
        result["_meta"] = {**meta, STRUCTURED_META_KEY: structured}


def usable_block(block: Any, version: str | None) -> dict[str, Any]:
    """Return the block, if need be without its optional parts, or a note in its place."""
    kind = block.get("type") if isinstance(block, dict) else None
    if kind not in _KNOWN:
        return _text(f"[content of an unknown kind: {str(kind)[:40]}]")

    def check(candidate: dict[str, Any]) -> None:
        _BLOCK.validate_python(candidate, by_name=False)
        check_version("tools/call", version, {"content": [candidate], "resultType": "complete"})

    try:
        return usable(block, _OPTIONAL_FIELDS, check)
    except ValidationError:
        logger.info("a block of a result was left out: it is malformed")
        return _text(f"[{kind} that cannot be read]")


def usable(
    part: dict[str, Any], optional: Collection[str], check: Callable[[dict[str, Any]], object]
) -> dict[str, Any]:
    """Return the part, if need be without what is ``optional``; raises what ``check`` says of the rest."""
    try:
        check(part)
    except ValidationError:
        part = {key: value for key, value in part.items() if key not in optional}
        check(part)
    return part


def check_version(method: str, version: str | None, result: dict[str, Any]) -> None:
    """Raise ``ValidationError`` where the rules of the spoken version forbid the result."""
    if version is None:
        return
    try:
        validate_server_result(method, version, result)
    except KeyError:
        logger.debug("the SDK has no rules for the version %s", version)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
