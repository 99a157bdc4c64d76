"""Lists of entries in JSON files, our own or those of other programs: found, and refused where they cannot be read."""

import json
from collections.abc import Sequence
from typing import Any, cast

from desktop.core.nesting import is_nested_deeper

_MOST_LEVELS = 12


class JsonListError(Exception):
    """It is no JSON or is nested too deeply; with ``is_newer`` a later version of this program wrote it."""

    def __init__(self, *, is_newer: bool = False) -> None:
        super().__init__("newer" if is_newer else "damaged")
        self.is_newer = is_newer


def entries_in(
    text: str, *, own_format: str, version: int, list_names: Sequence[str], text_names: Sequence[str] = ()
) -> list[object] | None:
    """Return the entries of a file: the list that it is, or that stands in it under the first of these names.

    An object with a text under one of ``text_names`` is itself the only entry. ``own_format`` and ``version`` are those of
    our own files. None where there is no list. Raises ``JsonListError``.
    """
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JsonListError from error
    if is_nested_deeper(content, _MOST_LEVELS):
        raise JsonListError
    if isinstance(content, dict):
        fields = cast(dict[str, Any], content)
        written_by = fields.get("version", version)
        if fields.get("format") == own_format and (type(written_by) is not int or written_by > version):
            raise JsonListError(is_newer=True)
        if any(isinstance(fields.get(name), str) for name in text_names):
            return [fields]
        content = next((fields[name] for name in list_names if isinstance(fields.get(name), list)), None)
    return cast(list[object], content) if isinstance(content, list) else None
