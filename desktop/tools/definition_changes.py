"""What differs between two definitions of a tool, field by field, for a person to read."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from desktop.tools.pinned import HeldItem

MOST_CHANGES = 60
"""So many are told one by one; a definition that differs in more is another tool altogether."""

_ORDER = ("name", "title", "description", "instructions", "inputSchema", "outputSchema", "annotations")


@dataclass(frozen=True)
class FieldChange:
    """One field. ``path`` leads to it (``inputSchema``, ``properties``, ``path``, …); None stands for nothing there.

    Both texts are the server's words, untouched: whoever shows them makes marks visible.
    """

    path: tuple[str, ...]
    before: str | None
    now: str | None

    @property
    def part(self) -> str:
        return self.path[0] if self.path else ""


def changes_of(item: HeldItem) -> tuple[FieldChange, ...]:
    """Return what is not as it was accepted; of a new tool all that it has. At most ``MOST_CHANGES``."""
    before = dict(_leaves(item.before, ())) if item.before else {}
    now = dict(_leaves(item.now, ()))
    changed = [
        path for path in (*now, *(path for path in before if path not in now)) if before.get(path) != now.get(path)
    ]
    changed.sort(key=lambda path: _ORDER.index(path[0]) if path and path[0] in _ORDER else len(_ORDER))
    return tuple(FieldChange(path, before.get(path), now.get(path)) for path in changed[:MOST_CHANGES])


def common_ends(one: str, other: str) -> tuple[int, int]:
    """Return how many characters two texts have in common at the beginning, and at the end of what is left."""
    shorter = min(len(one), len(other))
    start = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    left = shorter - start
    end = next((i for i in range(left) if one[-1 - i] != other[-1 - i]), left)
    return start, end


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each value that holds no others, by its path; what is empty is one, too, and so is a list of plain values."""
    if isinstance(value, Mapping) and value:
        for key, inner in cast(Mapping[Any, Any], value).items():
            yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in cast(list[Any], value)):
        for number, inner in enumerate(cast(list[Any], value)):
            yield from _leaves(inner, (*path, str(number + 1)))
    elif isinstance(value, str):
        yield path, value
    else:
        yield path, json.dumps(value, ensure_ascii=False)
