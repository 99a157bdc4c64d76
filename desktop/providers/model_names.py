"""The names in a list of models, in whatever shape a server sends it; cleaned, bounded, chat models first."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

MOST_NAMES = 2_000
MOST_CHARACTERS = 200
"""Of one name. A longer one is left out: cut short it would name nothing."""

_LIST_KEYS = ("data", "models", "result")
_OTHER_THAN_CHAT = re.compile(
    r"embed|\bbge-|rerank|whisper|\btts\b|-tts|speech|audio|realtime|transcri|moderation|dall-e|image|\bsora|\bveo"
    r"|stable-diffusion|flux|wanx?\d|cosyvoice|paraformer|kolors|sensevoice|nomic|\bocr\b",
    re.IGNORECASE,
)


def names_in_list(value: Any) -> tuple[str, ...] | None:
    """Return the names in a parsed list of models; None when ``value`` is no such list.

    The lists of OpenAI, Ollama, Together and others: an array, alone or under ``data``, ``models`` or ``result``,
    of texts or of objects with ``id``, ``name`` or ``model``; or several arrays of such objects, each under the name of
    what its models are for. null stands for an empty one.
    """
    if (items := items_of_list(value)) is None:
        return None
    names = clean_names(map(name_of_item, items))
    return names if names or not items or any(map(name_of_item, items)) else None


def items_of_list(value: Any) -> list[Any] | None:
    """Return what stands in a parsed list of models, in whatever shape that is; None when ``value`` is no such list."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    for key in _LIST_KEYS:
        if isinstance(found := value.get(key), list):
            return found
    if value.get("object") == "list" or (set(value) <= set(_LIST_KEYS) and value):
        return [] if all(value.get(key) is None for key in _LIST_KEYS) else None
    return _by_purpose(value)


def _by_purpose(value: Mapping[str, Any]) -> list[Any] | None:
    """The items of several arrays: nothing but arrays, and nothing in them but objects with names."""
    if not value or not all(isinstance(items, list) for items in value.values()):
        return None
    together = [item for items in value.values() for item in items]
    is_named = all(isinstance(item, Mapping) and name_of_item(item) for item in together)
    return together if together and is_named else None


def clean_names(names: Iterable[Any]) -> tuple[str, ...]:
    """Return the usable ones among ``names``, each once; what can hardly be talked to stands last.

    The first ``MOST_NAMES`` count; a list of a million names is not gone through.
    """
    usable: dict[str, None] = {}
    for name in names:
        if _is_usable(name):
            usable[name] = None
        if len(usable) == MOST_NAMES:
            break
    return tuple(sorted(usable, key=lambda name: bool(_OTHER_THAN_CHAT.search(name))))


def name_of_item(item: Any) -> Any:
    """Return the name of one item; the item itself where it is no object."""
    if not isinstance(item, Mapping):
        return item
    return next((item[key] for key in ("id", "name", "model") if isinstance(item.get(key), str)), None)


def _is_usable(name: Any) -> bool:
    return isinstance(name, str) and 0 < len(name) <= MOST_CHARACTERS and name.isprintable() and not name.isspace()
