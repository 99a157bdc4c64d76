"""What a list of models says of each: its name to the letter, how much it reads, whether it sees images and takes tools."""

from collections.abc import Iterable, Mapping
from typing import Any

from desktop.core.endpoint_settings import MOST_CONTEXT_TOKENS
from desktop.core.endpoints import ListedModel
from desktop.providers.model_names import items_of_list, name_of_item, names_in_list

_CONTEXT_KEYS = (
    "context_length",
    "context_window",
    "max_model_len",
    "max_context_length",
    "max_input_tokens",
    "n_ctx",
    "meta.n_ctx",
    "limits.max_input_tokens",
    "inputTokenLimit",
)
"""In this order. ``max_tokens`` is none of them: gateways mean the longest answer by it."""
_MODALITIES = ("architecture.input_modalities", "input_modalities", "supported_input_modalities", "modalities.input")
_VISION_KEYS = (
    "capabilities.vision",
    "capabilities.image_input",
    "supports_vision",
    "supports_image_in",
    "modalities.vision",
)
_TOOL_KEYS = (
    "capabilities.function_calling",
    "capabilities.tools",
    "capabilities.tool_calls",
    "supports_tools",
    "supports_function_calling",
)
_TRAINED_FOR_TOOLS = "capabilities.trained_for_tool_use"
"""LM Studio offers tools to the others as well, in words of its own."""
_VISION_WORDS = frozenset({"vision", "image", "images", "multimodal", "image-text-to-text"})
_TOOL_WORDS = frozenset({"tools", "tool-calling", "tool_calling", "tool_use", "tool-use", "function_calling"})


def listed_models(value: Any) -> tuple[ListedModel, ...] | None:
    """Return the models in a parsed list; None when ``value`` is no such list. Order and bounds of ``names_in_list``."""
    names = names_in_list(value)
    if names is None:
        return None
    items: dict[Any, Mapping[str, Any]] = {}
    for item in items_of_list(value) or ():
        if isinstance(item, Mapping) and isinstance(name := name_of_item(item), str):
            items.setdefault(name, item)
    return tuple(described(name, items.get(name, {})) for name in names)


def described(name: str, item: Mapping[str, Any]) -> ListedModel:
    """Return what the ``item`` of a list, or a server's own description, says of the model ``name``."""
    inputs = [word for key in _MODALITIES for word in _words(_at(item, key))]
    return ListedModel(
        name=name,
        context_tokens=context_of(item),
        sees_images=_told(item, _VISION_KEYS, inputs, _VISION_WORDS),
        takes_tools=(
            True
            if _at(item, _TRAINED_FOR_TOOLS) is True
            else _told(item, _TOOL_KEYS, _words(item.get("supported_parameters")), _TOOL_WORDS)
        ),
    )


def context_of(item: Mapping[str, Any]) -> int | None:
    """Return the context length that an object names under one of the usual keys."""
    return next((count for key in _CONTEXT_KEYS if (count := as_token_count(_at(item, key)))), None)


def as_token_count(value: Any) -> int | None:
    """Return a plausible number of tokens, also one that is written as a text; else None."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 1 < value <= MOST_CONTEXT_TOKENS else None


def _told(item: Mapping[str, Any], keys: Iterable[str], all_words: list[str], known: frozenset[str]) -> bool | None:
    """Whether the item says that the model can do something. ``all_words`` name everything there is, if anything."""
    for key in keys:
        value = _at(item, key)
        value = value.get("supported") if isinstance(value, Mapping) else value
        if isinstance(value, bool):
            return value
    if known.intersection(all_words) or known.intersection(_words(item.get("capabilities"))):
        return True
    return False if all_words else None


def _words(value: Any) -> list[str]:
    return [word.lower() for word in value if isinstance(word, str)] if isinstance(value, list) else []


def _at(item: Mapping[str, Any], path: str) -> Any:
    value: Any = item
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
