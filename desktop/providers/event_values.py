"""The JSON values of one event or body: one chunk, a list, several glued together, or one inside another object."""

import json
import json.scanner
import re
from collections.abc import Mapping
from typing import Any

MAX_CHUNKS_OF_EVENT = 2_000
"""Far more than are ever glued together or listed in one event, whose chunks are all read at once."""
_WRAPPERS = ("provider", "data", "response")
_SLICES = (256, 64 * 1024)
"""How much of a long string is read at once, first and then, so that other threads get their turns."""
_GAP = re.compile(r"\s*(?:data:\s*)?")
DONE = "[DONE]"
"""Stands for that mark among the values of an event."""


def completion_of(body: str) -> Any:
    """Return a body that is no stream as parsed JSON (the first element of a list), or None. Slow: call it in a thread."""
    try:
        value = _PATIENT_DECODER.decode(body)
    except (ValueError, RecursionError):
        return None
    return value[0] if isinstance(value, list) and value else value


def unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a chunk or completion that a router put into another object, with what it says beside it."""
    if isinstance(value.get("choices"), list):
        return value
    inner = (value.get(name) for name in _WRAPPERS)
    return next(
        ({**value, **each} for each in inner if isinstance(each, dict) and isinstance(each.get("choices"), list)), value
    )


def values_in(data: str, *, patiently: bool = False) -> list[Any] | None:
    """Return the JSON values in the data of an event; None where it is not made of such.

    ``patiently``: slower, and other threads get their turns; for long data, in a thread.
    """
    try:
        value = (_PATIENT_DECODER if patiently else _DECODER).decode(data)
    except (ValueError, RecursionError):
        return _glued_values(data)
    return value if isinstance(value, list) else [value]


def _glued_values(data: str) -> list[Any] | None:
    """The objects of a text in which the ends of lines, or of the stream, were lost between them."""
    values: list[Any] = []
    place = 0
    while (gap := _GAP.match(data, place)) is not None and (place := gap.end()) < len(data):
        if data.startswith(DONE, place):
            return [*values, DONE]
        if not data.startswith("{", place):
            return None
        try:
            value, place = _DECODER.raw_decode(data, place)
        except (ValueError, RecursionError):
            return None
        values.append(value)
        if len(values) > MAX_CHUNKS_OF_EVENT:
            break
    return values or None


# -- the decoder for long data: the one in C lets no other thread work until it has read all ------------------------------


def _patient_string(text: str, place: int, strict: bool = True) -> tuple[str, int]:
    """As ``json.decoder.scanstring``, slice by slice."""
    parts: list[str] = []
    size, most = _SLICES
    while True:
        whole = text[place : place + size]
        piece = _without_cut_escape(whole) or whole
        part, end = _scan_string(piece + '"', 0, strict)
        parts.append(part)
        if end <= len(piece) or place + len(piece) >= len(text):
            break
        place, size = place + len(piece), most
    if end > len(piece):
        raise json.JSONDecodeError("Unterminated string", text, place)
    if any("\ud800" <= part[-1:] <= "\udbff" for part in parts):  # half of a character, and the other in the next slice
        return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass"), place + end
    return "".join(parts), place + end


def _without_cut_escape(piece: str) -> str:
    """The piece without an escape that its end cuts in two."""
    place = piece.rfind("\\", max(len(piece) - 5, 0))
    if place < 0:
        return piece
    backslashes = place + 1 - len(piece[: place + 1].rstrip("\\"))
    needed = 6 if piece[place + 1 : place + 2] == "u" else 2
    return piece[:place] if backslashes % 2 and len(piece) - place < needed else piece


def _patient_decoder() -> json.JSONDecoder:
    decoder: Any = json.JSONDecoder()
    decoder.parse_string = _patient_string
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # pyright: ignore[reportAttributeAccessIssue]
    return decoder


_scan_string: Any = json.decoder.scanstring  # pyright: ignore[reportAttributeAccessIssue]
_DECODER = json.JSONDecoder()
_PATIENT_DECODER = _patient_decoder()
