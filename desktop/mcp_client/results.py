"""Reads what a tool returned, block by block: a text for the model in their order, and everything that is no text."""

import base64
import binascii
import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from desktop.core.attachment_limits import MOST_FILE_BYTES
from desktop.core.cut_text import cut
from desktop.core.digests import NOT_HELD_META_KEY, TIMED_OUT_META_KEY
from desktop.core.safe_files import media_type_of, safe_file_name, safe_suffix
from desktop.core.tool_content import ItemKind, ItemProblem, ReceivedItem, ResultItem, mark_of
from desktop.mcp_client.big_json import read_big_json
from desktop.tools.entities import ToolOutcome
from desktop.tools.result_check import structured_problem

if TYPE_CHECKING:
    import mcp_types

MOST_CHARACTERS = 200_000
"""Of the text that is kept in the record; a longer one is kept whole as a file beside its beginning and its end."""
MOST_DATA_CHARACTERS = 50_000
"""Of structured content in the record; more of it is kept as a file."""
MOST_ITEMS = 100
MOST_BYTES = 100_000_000
"""Of all files of one result."""
STRUCTURED_META_KEY = "threadwell/structured"
"""Under which ``wire`` hands on structured content that is no object, which the older era does not allow."""
STRUCTURED_TEXT_META_KEY = "threadwell/structured-text"
"""Under which large structured content is handed on as the JSON that it was."""

_LONGEST_NAME = 200
_LONGEST_URI = 4_000
_MOST_COMPARED = 2_000_000
_DATA_URL = re.compile(r"data:[^,]{0,200};base64,")
_BLANKS = re.compile(r"\s+")
_OTHER_ALPHABET = str.maketrans("-_", "+/")


def read_result(result: "mcp_types.CallToolResult", output_schema: Mapping[str, Any] | None = None) -> ToolOutcome:
    """Return the text, the flag for errors and the items of a result. Nothing is fetched, rendered or stored.

    Takes as long as the result is large: to be called off the GUI thread. One bad block never spoils the others.
    """
    reading = _Reading()
    for block in result.content:
        reading.add(block)
    structured = result.structured_content
    meta = result.meta or {}
    if structured is None:
        structured = meta.get(STRUCTURED_META_KEY)
    if isinstance(text := meta.get(STRUCTURED_TEXT_META_KEY), str):
        reading.add_structured_text(text, output_schema)
    elif structured is not None or (output_schema and not result.is_error):
        reading.add_structured(structured, output_schema)
    return ToolOutcome(
        text=reading.text() or "(no output)",
        is_error=result.is_error or False,
        timed_out=meta.get(TIMED_OUT_META_KEY) is True,
        not_held=meta.get(NOT_HELD_META_KEY) is True,
        received=tuple(reading.received),
    )


@dataclass
class _Reading:
    """What was read of one result so far."""

    pieces: list[str] = field(default_factory=list[str])
    received: list[ReceivedItem] = field(default_factory=list[ReceivedItem])
    texts: list[str] = field(default_factory=list[str])
    """What the text blocks said."""
    numbers: Counter[ItemKind] = field(default_factory=Counter[ItemKind])
    left_out: int = 0
    bytes_left: int = field(default_factory=lambda: MOST_BYTES)

    def text(self) -> str:
        """The text as it is kept; the whole of a longer one becomes an item."""
        if self.left_out:
            self.pieces.append(f"[{self.left_out} more blocks were left out: a result may have {MOST_ITEMS}]")
        text = "\n".join(piece for piece in self.pieces if piece)
        if len(text) <= MOST_CHARACTERS:
            return text
        data = text.encode("utf-8", "replace")
        whole = ResultItem(
            kind=ItemKind.WHOLE,
            size=len(data),
            length=len(text),
            file_name="result.txt",
            media_type="text/plain",
            digest=_digest(data),
        )
        self.received.append(ReceivedItem(whole, data))
        return cut(text, MOST_CHARACTERS)

    def add(self, block: Any) -> None:
        claims = _claims_of(block)
        match block.type:
            case "text":
                self._add_text(block.text, claims)
            case "image" | "audio":
                kind = ItemKind.IMAGE if block.type == "image" else ItemKind.AUDIO
                self._add_bytes(replace(claims, kind=kind, media_type=media_type_of(block.mime_type)), block.data)
            case "resource_link":
                self._add_link(block, claims)
            case "resource":
                self._add_resource(block.resource, claims)
            case kind:
                self.pieces.append(f"[content of an unknown kind: {str(kind)[:40]}]")

    def _add_text(self, text: str, claims: ResultItem) -> None:
        self.texts.append(text)
        self.pieces.append(text)
        if claims.audience or claims.priority is not None:
            self._put(replace(claims, kind=ItemKind.TEXT, number=len(self.texts)), None, is_marked=False)

    def _add_link(self, block: Any, claims: ResultItem) -> None:
        size = block.size if isinstance(block.size, int) and block.size > 0 else 0
        link = replace(
            claims,
            kind=ItemKind.LINK,
            name=_one_line(block.title or block.name),
            uri=str(block.uri)[:_LONGEST_URI],
            media_type=media_type_of(block.mime_type or ""),
            description=_one_line(block.description or ""),
            size=size,
        )
        self._put(link, None)

    def _add_resource(self, resource: Any, claims: ResultItem) -> None:
        uri = str(resource.uri)[:_LONGEST_URI]
        media_type = media_type_of(resource.mime_type or "")
        text = getattr(resource, "text", None)
        if isinstance(text, str):
            self.pieces.append(f"[resource {uri[:300]}]\n{text}")
            return
        main = media_type.partition("/")[0]
        kind = ItemKind.IMAGE if main == "image" else ItemKind.AUDIO if main == "audio" else ItemKind.FILE
        self._add_bytes(replace(claims, kind=kind, uri=uri, media_type=media_type), resource.blob)

    def _add_bytes(self, item: ResultItem, encoded: str) -> None:
        data = problem = None
        if len(encoded) > MOST_FILE_BYTES * 4 // 3 + 1000:
            problem = ItemProblem.TOO_LARGE
        elif (data := decoded(encoded)) is None:
            problem = ItemProblem.NOT_BASE64
        elif len(data) > min(MOST_FILE_BYTES, self.bytes_left):
            data, problem = None, ItemProblem.TOO_LARGE
        if data is None:
            size = len(encoded) * 3 // 4 if problem is ItemProblem.TOO_LARGE else 0
            self._put(replace(item, size=size, problem=problem), None)
            return
        self.bytes_left -= len(data)
        suffix = safe_suffix(data, item.media_type)
        standard = f"{item.kind}-{self.numbers[item.kind] + 1}"
        last = re.split(r"[?#]", item.uri)[0].rpartition("/")[2]
        name = safe_file_name(last if "." in last else standard, suffix, standard=standard)
        self._put(replace(item, size=len(data), file_name=name, digest=_digest(data)), data)

    def _put(self, item: ResultItem, data: bytes | None, *, is_marked: bool = True) -> None:
        if len(self.received) >= MOST_ITEMS:
            self.left_out += 1
            return
        self.numbers[item.kind] += 1
        if is_marked:
            item = replace(item, number=self.numbers[item.kind])
            self.pieces.append(mark_of(item))
        self.received.append(ReceivedItem(item, data))

    def add_structured(self, value: Any, schema: Mapping[str, Any] | None) -> None:
        """Put structured content beside the text, or into it where no block says it in words."""
        found = structured_problem(value, schema) if schema else None
        problem, detail = found or (None, "")
        item = ResultItem(kind=ItemKind.DATA, media_type="application/json", problem=problem, detail=detail)
        if value is None:
            if problem is ItemProblem.SCHEMA:
                self._put(replace(item, detail="it is missing"), None, is_marked=False)
            return
        self._add_json(json.dumps(value, ensure_ascii=False), item, is_said=_says_the_same(self.texts, value))

    def add_structured_text(self, text: str, schema: Mapping[str, Any] | None) -> None:
        """The same for what is so large that it stayed JSON. Where it holds very many values it is not looked into."""
        try:
            value = read_big_json(text.encode("utf-8", "replace"))
        except ValueError:
            found, is_said = (ItemProblem.NOT_CHECKED, "") if schema else None, False
        else:
            found = structured_problem(value, schema) if schema else None
            is_said = _says_the_same(self.texts, value)
        problem, detail = found or (None, "")
        item = ResultItem(kind=ItemKind.DATA, media_type="application/json", problem=problem, detail=detail)
        self._add_json(text, item, is_said=is_said)

    def _add_json(self, text: str, item: ResultItem, *, is_said: bool) -> None:
        if not self.texts:
            self.pieces.append(text)
        if not self.texts or is_said:
            if item.problem is not None:
                self._put(item, None, is_marked=False)
        elif len(text) <= MOST_DATA_CHARACTERS:
            self._put(replace(item, text=text), None, is_marked=False)
        elif len(data := text.encode("utf-8", "replace")) <= self.bytes_left:
            item = replace(item, size=len(data), file_name="data.json", digest=_digest(data))
            self._put(item, data, is_marked=False)
        else:
            self._put(replace(item, size=len(data), problem=ItemProblem.TOO_LARGE), None, is_marked=False)


def decoded(encoded: str) -> bytes | None:
    """Return the bytes of base64 as servers write it: also with line breaks, without its end, or as a data URL."""
    if match := _DATA_URL.match(encoded):
        encoded = encoded[match.end() :]
    plain = _BLANKS.sub("", encoded).translate(_OTHER_ALPHABET).rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def _claims_of(block: Any) -> ResultItem:
    """What a server says of a block: for whom it is, and how important."""
    given = getattr(block, "annotations", None)
    audience = tuple(str(role)[:20] for role in (getattr(given, "audience", None) or ())[:4])
    return ResultItem(kind=ItemKind.FILE, audience=audience, priority=getattr(given, "priority", None))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _one_line(text: str) -> str:
    line = " ".join(text[: _LONGEST_NAME * 2].split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"


def _says_the_same(texts: list[str], value: Any) -> bool:
    """Whether a text block is the JSON of the structured content, or the one value that some servers wrap as ``result``."""
    if len(texts) != 1:
        return False
    wrapped = value.get("result") if isinstance(value, dict) and list(value) == ["result"] else value
    if wrapped == texts[0]:
        return True
    if len(texts[0]) > _MOST_COMPARED:
        return False
    try:
        said = read_big_json(texts[0].encode("utf-8", "replace"))
    except ValueError:
        return False
    return said in (value, wrapped)
