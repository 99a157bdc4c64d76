"""Which tool a model means by the name that it wrote: models add prefixes, leave tokens of their own, change the case."""

import re
from collections.abc import Collection

from desktop.core.wire_names import wire_name

_PREFIX = re.compile(r"\A(?:(?:functions?|default_api|tools?|tool_calls?|namespace)[.:/])+", re.IGNORECASE)
_TAIL = re.compile(r"(?:<\|.*|:\d+|\(\s*\))\s*\Z", re.DOTALL)
"""A token of the model's format, a number that Kimi counts its calls with, or brackets."""
_BETWEEN = re.compile(r"[\s._:/-]+")


def meant_name(written: str, known: Collection[str]) -> str:
    """Return the one name of ``known`` that is meant, or ``written`` as it is where that is not plain.

    A model may write a name of ``known`` or what it was sent in its place (``wire_name``).
    """
    if written in known:
        return written
    plain = _TAIL.sub("", _PREFIX.sub("", written.strip().strip("\"'`"))).strip()
    if plain in known:
        return plain
    if sent := [name for name in known if wire_name(name) == plain]:
        return sent[0] if len(sent) == 1 else written
    folded = _folded(plain)
    fitting = [name for name in known if folded in (_folded(name), _folded(wire_name(name)))]
    return fitting[0] if folded and len(fitting) == 1 else written


def begins_name(written: str, known: Collection[str]) -> bool:
    """Tell whether a name of ``known``, or what is sent in its place, goes on from ``written``."""
    return any(name.startswith(written) or wire_name(name).startswith(written) for name in known)


def _folded(name: str) -> str:
    return _BETWEEN.sub("", name).casefold()
