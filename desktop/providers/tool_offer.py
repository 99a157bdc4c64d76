"""Which tools a request offers, under which names and in which form: no tool can spoil the request for the others."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from desktop.core.language_model import AssistantMessage, Remark, RequestMessage, ToolSpec
from desktop.core.wire_names import wire_name
from desktop.providers.endpoint_traits import OPENAI_DESCRIPTION_CHARS, EndpointTraits
from desktop.providers.refusals import Without
from desktop.providers.schema_dialects import gemini_schema, grammar_schema
from desktop.providers.sendable import sendable_text
from desktop.providers.tool_schemas import Schema, UnfitSchemaError, adapted_schema, clipped


@dataclass(frozen=True)
class ToolOffer:
    """What a request says of tools, under the names of ``core.wire_names``."""

    tools: Sequence[Mapping[str, Any]]
    remarks: tuple[Remark, ...]


def tool_offer(
    tools: Sequence[ToolSpec], messages: Sequence[RequestMessage], traits: EndpointTraits, without: frozenset[Without]
) -> ToolOffer:
    """Return the offer for one request; none at all where the endpoint takes no tools."""
    if Without.TOOLS in without:
        return ToolOffer((), ())
    fit: dict[str, tuple[ToolSpec, Mapping[str, Any]]] = {}
    remarks: list[Remark] = []
    for tool in tools:
        name = wire_name(tool.name)
        try:
            if name in fit:
                raise UnfitSchemaError
            fit[name] = tool, _wire_tool(name, tool, traits, without)
        except UnfitSchemaError:
            remarks.append(Remark(code="tool_left_out", params={"name": clipped(sendable_text(tool.name), 80)}))
    chosen = chosen_tools([tool for tool, _ in fit.values()], messages, traits.max_tools)
    if len(chosen) < len(fit):
        remarks.append(Remark(code="tools_chosen", params={"count": len(chosen), "total": len(fit)}))
    kept = {tool.name for tool in chosen}
    return ToolOffer([wire for tool, wire in fit.values() if tool.name in kept], tuple(remarks))


def chosen_tools(tools: Sequence[ToolSpec], messages: Sequence[RequestMessage], limit: int) -> list[ToolSpec]:
    """Return at most ``limit`` of the tools, in their order.

    First those that were called in these messages, the latest first; then whole groups in their order, as many as
    there is room for; then, tool by tool, what still finds room.
    """
    if len(tools) <= limit:
        return list(tools)
    calls = [call for message in messages if isinstance(message, AssistantMessage) for call in message.tool_calls]
    by_name = {tool.name: tool for tool in tools}
    used = dict.fromkeys(call.name for call in reversed(calls) if call.name in by_name)
    kept = set(list(used)[: max(limit, 0)])
    groups: dict[str, list[str]] = {}
    for tool in tools:
        groups.setdefault(tool.group, []).append(tool.name)
    for names in groups.values():
        if len(kept | set(names)) <= limit:
            kept |= set(names)
    for tool in tools:
        if len(kept) < limit:
            kept.add(tool.name)
    return [tool for tool in tools if tool.name in kept]


def _wire_tool(name: str, tool: ToolSpec, traits: EndpointTraits, without: frozenset[Without]) -> Mapping[str, Any]:
    limit = OPENAI_DESCRIPTION_CHARS if Without.LONG_DESCRIPTIONS in without else traits.description_chars
    few_keywords = traits.gemini_like or Without.RICH_SCHEMAS in without
    dialect = gemini_schema if few_keywords else grammar_schema if traits.is_loopback else None
    try:
        text = json.dumps(tool.parameters)
    except (ValueError, TypeError, RecursionError):
        raise UnfitSchemaError from None
    schema = _adapted(text, dialect, traits.plain_property_names)
    if schema is None:
        raise UnfitSchemaError
    description = clipped(sendable_text(tool.description).strip() or name, limit)
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


@lru_cache(maxsize=256)
def _adapted(text: str, dialect: Callable[[Schema], Schema] | None, plain_property_names: bool) -> Schema | None:
    """The schema in this text as it is sent, None where it cannot be; kept, because each step of an answer sends it."""
    try:
        return adapted_schema(json.loads(text), reduce=dialect, plain_property_names=plain_property_names)
    except UnfitSchemaError:
        return None
