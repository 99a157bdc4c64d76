"""Assistants as JSON and back: nothing is believed that this program would not have written."""

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from desktop.conversation.assistants import entities
from desktop.conversation.assistants.entities import Assistant, AssistantMemory

_TEXTS = {
    "name": entities.MOST_NAME,
    "description": entities.MOST_DESCRIPTION,
    "instructions": entities.MOST_INSTRUCTIONS,
}
_BUDGETS = {
    "most_steps": entities.MOST_STEPS,
    "most_tokens": entities.MOST_TOKENS,
    "most_seconds": entities.MOST_SECONDS,
}
_LONGEST_ID, _LONGEST_TOOL = 200, 400
_OF_STORE = ("created_at", "updated_at")


def to_json(assistant: Assistant) -> dict[str, Any]:
    """Return what ``from_json`` reads; what is as usual is left out, and so are times."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(assistant):
        value = getattr(assistant, field.name)
        if field.name not in _OF_STORE and value != field.default:
            found[field.name] = list(cast(tuple[str, ...], value)) if isinstance(value, tuple) else value
    return found


def from_json(value: object) -> Assistant:
    """Return the assistant; an unknown word for memory counts as none. Raises ``ValueError``."""
    if not isinstance(value, dict):
        raise ValueError("an assistant is no object")
    given = cast(dict[str, Any], value)
    found: dict[str, Any] = {"id": _text(given, "id", _LONGEST_ID)}
    found.update({name: _text(given, name, most) for name, most in _TEXTS.items()})
    if not found["id"] or not found["name"].strip():
        raise ValueError("an assistant has no id or no name")
    for name in ("endpoint_id", "model"):
        if given.get(name) is not None:
            found[name] = _text(given, name, 1_000)
    if given.get("tools") is not None:
        found["tools"] = _names(given["tools"], entities.MOST_TOOLS, _LONGEST_TOOL)
    found["helpers"] = _names(given.get("helpers", []), entities.MOST_HELPERS, _LONGEST_ID)
    memory = given.get("memory")
    if memory in list(AssistantMemory):
        found["memory"] = AssistantMemory(memory)
    for name, most in _BUDGETS.items():
        number = given.get(name, getattr(Assistant, name))
        if type(number) is not int or not 1 <= number <= most:
            raise ValueError(f"{name} is none, or too large")
        found[name] = number
    return Assistant(**found)


def _text(given: Mapping[str, Any], name: str, most: int) -> str:
    text = given.get(name, "")
    if not isinstance(text, str) or len(text) > most:
        raise ValueError(f"{name} is no text, or too long")
    return text


def _names(value: object, most: int, longest: int) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("a list of names is none")
    names = cast(list[object], value)
    if len(names) > most or not all(isinstance(name, str) and 0 < len(name) <= longest for name in names):
        raise ValueError("a list of names is too long, or holds something else")
    return tuple(cast(list[str], names))
