"""The keys that the user chose for actions, as the settings file holds them: what is no list of texts is left out."""

import logging
from collections.abc import Mapping
from typing import Any, cast

MOST_KEYS = 4
"""So many keys one action may have."""
logger = logging.getLogger(__name__)

OwnKeys = Mapping[str, tuple[str, ...]]
"""By the id of the action: its keys, such as ``Ctrl+B``; none where the user took them away."""


def read_own_keys(given: object) -> OwnKeys:
    """Return what can be read of ``given``. Keys are comfort: for a bad entry the usual ones count, and the log says so."""
    if not isinstance(given, dict):
        logger.warning("shortcuts in the settings is no object: the usual keys count")
        return {}
    keys: dict[str, tuple[str, ...]] = {}
    for action, entry in cast(dict[str, Any], given).items():
        texts = cast(list[Any], entry) if isinstance(entry, list) else None
        if texts is None or len(texts) > MOST_KEYS or not all(isinstance(text, str) for text in texts):
            logger.warning("shortcuts.%.60s in the settings is no list of keys: the usual ones count", action)
        else:
            keys[action] = tuple(cast(list[str], texts))
    return keys
