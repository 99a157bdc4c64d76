"""Which tool a model means by the name that it wrote: models add prefixes, leave tokens of their own, change the case."""

import re
from collections.abc import Collection

_PREFIX = re.compile(r"\A(?:(?:functions?|default_api|tools?|tool_calls?|namespace)[.:/])+", re.IGNORECASE)
_TAIL = re.compile(r"(?:<\|.*|:\d+|\(\s*\))\s*\Z", re.DOTALL)
"""A token of the model's format, a number that Kimi counts its calls with, or brackets."""
_BETWEEN = re.compile(r"[\s._:/-]+")


def meant_name(written: str, known: Collection[str]) -> str:
    """Return the one name of ``known`` that is meant, or ``written`` as it is where that is not plain."""
    if written in known:
        return written
    plain = _TAIL.sub("", _PREFIX.sub("", written.strip().strip("\"'`"))).strip()
    if plain in known:
        return plain
    folded = _folded(plain)
    fitting = [name for name in known if _folded(name) == folded]
    return fitting[0] if folded and len(fitting) == 1 else written


def _folded(name: str) -> str:
    return _BETWEEN.sub("", name).casefold()
