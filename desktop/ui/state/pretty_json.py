"""JSON as people read it: on several lines, with nothing of it left out."""

import json

MOST_PRETTY = 100_000
"""Characters of JSON that are laid out on lines."""


def pretty_json(text: str, *, most: int = MOST_PRETTY) -> str:
    """Return JSON text on several lines; anything else, and what is too long or too deep, as it came."""
    if len(text) > most:
        return text
    try:
        value = json.loads(text, object_pairs_hook=_without_twins)
        return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return text


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object as it was written. Raises ``ValueError`` when a key comes twice, since one of them would be hidden."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key comes twice")
    return result
