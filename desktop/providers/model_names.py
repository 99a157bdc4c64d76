"""The names in a list of models, in whatever shape a server sends it; cleaned, bounded, chat models first."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

MOST_NAMES = 2_000
MOST_CHARACTERS = 200
"""Of one name. A longer one is left out: cut short it would name nothing."""

_OTHER_THAN_CHAT = re.compile(
    r"embed|\bbge-|rerank|whisper|\btts\b|-tts|speech|audio|realtime|transcri|moderation|dall-e|image|\bsora|\bveo"
    r"|stable-diffusion|flux|wanx?\d|cosyvoice|paraformer|kolors|sensevoice|nomic|\bocr\b",
    re.IGNORECASE,
)


def names_in_list(value: Any) -> tuple[str, ...] | None:
    """Return the names in a parsed list of models; None when ``value`` is no such list.

    The lists of OpenAI, Ollama, Together and others: an array, alone or under ``data``, ``models`` or ``result``,
    of texts or of objects with ``id``, ``name`` or ``model``. null stands for an empty one.
    """
    if isinstance(value, Mapping):
        for key in ("data", "models", "result"):
            if isinstance(value.get(key), list):
                value = value[key]
                break
        else:
            return () if value.get("object") == "list" else None
    if not isinstance(value, list):
        return None
    names = clean_names(map(_name, value))
    return names if names or not value or any(map(_name, value)) else None


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


def _name(item: Any) -> Any:
    if not isinstance(item, Mapping):
        return item
    return next((item[key] for key in ("id", "name", "model") if isinstance(item.get(key), str)), None)


def _is_usable(name: Any) -> bool:
    return isinstance(name, str) and 0 < len(name) <= MOST_CHARACTERS and name.isprintable() and not name.isspace()
