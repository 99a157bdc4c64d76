"""How deep the lists and objects of a JSON value stand in each other: Python's own writer gives up at some hundred levels."""

from collections.abc import Iterable
from typing import cast


def is_nested_deeper(value: object, levels: int) -> bool:
    """Tell whether lists and objects stand in each other more than ``levels`` deep."""
    layer: list[object] = [value]
    for _ in range(levels):
        layer = [inner for outer in layer for inner in _inside(outer)]
        if not layer:
            return False
    return any(isinstance(value, dict | list) for value in layer)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast(dict[object, object], value).values()
    return cast(list[object], value) if isinstance(value, list) else ()
