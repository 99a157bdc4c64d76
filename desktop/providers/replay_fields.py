"""Collects the parts of streamed reasoning that the endpoint wants back unchanged: signed, encrypted or summed up."""

from collections.abc import Mapping
from typing import Any

FIELDS = ("reasoning_details", "thinking_blocks")
"""Those of OpenRouter and its kin, and of LiteLLM."""
MAX_PARTS = 2_000
MAX_CHARS = 8_000_000
_OPEN_PARTS = 32
"""So many of the latest parts may still grow; to look through all of them for each piece would take seconds."""

_GROWING = ("text", "summary", "thinking")


class ReplayFields:
    """The fields of one answer. Pieces of one part, told by index, type and id, become one part."""

    def __init__(self) -> None:
        self._parts: dict[str, list[_Part]] = {}
        self._chars = 0
        self._is_complete = True

    def take(self, delta: Mapping[str, Any]) -> None:
        """Take what a delta, or a whole message, has of them."""
        for name in FIELDS:
            if isinstance(pieces := delta.get(name), list):
                parts = self._parts.setdefault(name, [])
                before = len(parts)
                for piece in pieces:
                    if isinstance(piece, dict):
                        # Without an index, pieces that stand in one list are different parts.
                        self._add(parts, piece, parts if piece.get("index") is not None else parts[:before])

    def fields(self) -> dict[str, list[dict[str, Any]]]:
        """Return the fields as they are to be sent back; none where they were too large to be kept whole."""
        if not self._is_complete:
            return {}
        return {name: [part.value() for part in parts] for name, parts in self._parts.items() if parts}

    def _add(self, parts: list["_Part"], piece: Mapping[str, Any], candidates: list["_Part"]) -> None:
        self._chars += 1 + sum(len(value) for value in piece.values() if isinstance(value, str))
        if self._chars > MAX_CHARS or len(parts) >= MAX_PARTS:
            self._is_complete = False
        if not self._is_complete:
            return
        same = next((part for part in reversed(candidates[-_OPEN_PARTS:]) if part.is_continued_by(piece)), None)
        if same is None:
            parts.append(_Part(piece))
        else:
            same.grow(piece)


class _Part:
    """One part, and the pieces of its texts."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        self._value = dict(first)
        self._texts = {name: [text] for name in _GROWING if isinstance(text := first.get(name), str)}

    def is_continued_by(self, piece: Mapping[str, Any]) -> bool:
        if any(self._value.get(name) != piece.get(name) for name in ("index", "type")):
            return False
        ids = (self._value.get("id"), piece.get("id"))
        if all(ids) and ids[0] != ids[1]:
            return False
        if any(isinstance(piece.get(name), str) for name in _GROWING):
            # Without an index, what comes after the signature is another part.
            return self._value.get("index") is not None or not self._value.get("signature")
        # A signature may come by itself; encrypted data never comes in pieces, though sometimes twice.
        return "data" not in piece or piece.get("data") == self._value.get("data")

    def grow(self, piece: Mapping[str, Any]) -> None:
        for name, value in piece.items():
            if name in _GROWING and isinstance(value, str):
                self._texts.setdefault(name, []).append(value)
            if value is not None or name not in self._value:
                self._value[name] = value

    def value(self) -> dict[str, Any]:
        return {**self._value, **{name: "".join(pieces) for name, pieces in self._texts.items()}}
