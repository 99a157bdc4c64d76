"""What a tool call brought back beside its text, as it is kept: files by their ids, links and data by their words."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

FAILED_MARK = "[This call failed.]"
"""What a model is told before the text of a result that is an error: the protocol of models has no flag for it."""


class ItemKind(StrEnum):
    IMAGE = "image"
    AUDIO = "audio"
    FILE = "file"
    """Bytes of another kind."""
    LINK = "link"
    """An address that the server names. Nothing is ever fetched from it."""
    DATA = "data"
    """Structured content as JSON."""
    TEXT = "text"
    """A text block of which the server claims something; its text stands in the result's."""
    WHOLE = "whole"
    """The whole text, where the result's own is no more than its beginning and its end."""


class ItemProblem(StrEnum):
    """What the host has to say of an item."""

    NOT_BASE64 = "not_base64"
    """Its bytes cannot be read from what the server sent."""
    TOO_LARGE = "too_large"
    NO_PICTURE = "no_picture"
    """Sent as an image, and none that can be shown; it is kept as a file."""
    NOT_KEPT = "not_kept"
    """There was no room for it on the disk."""
    SCHEMA = "schema"
    """It does not fit the schema that the tool itself gives for its results."""
    NOT_CHECKED = "not_checked"
    """Whether it fits that schema could not be found out with a bounded amount of work."""


@dataclass(frozen=True, kw_only=True)
class ResultItem:
    """One thing beside the text. ``name``, ``uri``, ``media_type``, ``audience`` and ``priority`` are the server's words."""

    kind: ItemKind
    number: int = 1
    """Among those of its kind in the result, as the mark in its text counts them."""
    name: str = ""
    uri: str = ""
    media_type: str = ""
    description: str = ""
    text: str = ""
    """The JSON of DATA, unless a file holds it."""
    audience: tuple[str, ...] = ()
    priority: float | None = None
    attachment_id: str = ""
    """Under which an ``AttachmentStore`` has the bytes; empty where there are none."""
    file_name: str = ""
    """Under which it may be saved: made by the host, never the name of a program."""
    size: int = 0
    """Bytes; of a LINK what the server says."""
    length: int = 0
    """Of WHOLE: characters."""
    digest: str = ""
    """Tells contents apart, for whoever compares results."""
    width: int = 0
    height: int = 0
    sent_type: str = ""
    """The media type of an image as it is sent; empty where it cannot be."""
    sent_size: int = 0
    problem: ItemProblem | None = None
    detail: str = ""
    """Of the problem."""

    @property
    def is_sendable(self) -> bool:
        """Whether it is an image that a model can be sent."""
        return self.kind is ItemKind.IMAGE and bool(self.attachment_id and self.sent_type)


@dataclass(frozen=True)
class ReceivedItem:
    """An item as it came over the wire, with bytes that stand nowhere yet."""

    item: ResultItem
    data: bytes | None = None


def item_to_json(item: ResultItem) -> dict[str, Any]:
    """Return what ``item_from_json`` reads; what is as usual is left out."""
    standard = ResultItem(kind=item.kind)
    found: dict[str, Any] = {"kind": item.kind.value}
    for field in fields(item):
        value = getattr(item, field.name)
        if value != getattr(standard, field.name):
            found[field.name] = value
    if item.audience:
        found["audience"] = list(item.audience)
    return found


def item_from_json(value: Mapping[str, Any]) -> ResultItem:
    """Return the item. Raises ``ValueError``, ``KeyError`` or ``TypeError`` for what nobody wrote."""
    given = dict(value)
    given["kind"] = ItemKind(given["kind"])
    if "audience" in given:
        given["audience"] = tuple(map(str, given["audience"]))
    if "problem" in given:
        given["problem"] = ItemProblem(given["problem"])
    return ResultItem(**given)


def mark_of(item: ResultItem) -> str:
    """Return the line that stands for an item in the result's text, for the model: what it is, never its bytes.

    Empty for what stands in the text itself.
    """
    what = item.media_type or ("data of an unknown kind" if item.kind is ItemKind.FILE else "")
    match item.kind:
        case ItemKind.LINK:
            parts = (item.name, item.uri[:_MARK_URI], item.description)
            return f"[link {item.number}: {', '.join(part for part in parts if part)}; not opened]"
        case ItemKind.IMAGE | ItemKind.AUDIO | ItemKind.FILE:
            state = _TROUBLES.get(item.problem) if item.problem else None
            name = item.name or item.uri[:_MARK_URI]
            parts = (name, what, size_of(item.size) if item.size else "", state or "")
            return f"[{item.kind} {item.number}: {', '.join(part for part in parts if part)}]"
        case ItemKind.DATA | ItemKind.TEXT | ItemKind.WHOLE:
            return ""


def size_of(count: int) -> str:
    """Return a number of bytes in words for a model."""
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


_MARK_URI = 300
_TROUBLES: Mapping[ItemProblem, str] = {
    ItemProblem.NOT_BASE64: "its data cannot be read",
    ItemProblem.TOO_LARGE: "too large to be kept",
}
