"""Builds the parts of an answer as this program would have recorded it: steps of the model, each call with one result."""

import json
import re
from collections.abc import Iterable

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    Part,
    ResultStatus,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.language_model import Source
from desktop.core.safe_files import safe_file_name
from desktop.core.tool_content import ItemKind, ResultItem, mark_of

_PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")
_MOST_SOURCES = 200
_LONGEST_NAME = 200


class AnswerParts:
    """``parts`` grow with each thing that the model or a tool said."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._step = 0
        self._has_result = False
        self._open: dict[str, int] = {}
        self._results: dict[str, int] = {}
        self._last_call = ""

    def text(self, said: str) -> None:
        if said.strip():
            self._next_step()
            self.parts.append(TextPart(text=said, step=self._step))

    def thinking(self, said: str, seconds: float | None = None) -> None:
        if said.strip():
            self._next_step()
            self.parts.append(ThinkingPart(text=said, step=self._step, duration_seconds=seconds))

    def call(self, call_id: str, name: str, arguments: object) -> None:
        """A call; arguments that are no JSON object become one."""
        self._next_step()
        key = call_id or f"call-{len(self.parts)}"
        while key in self._open:
            key += "+"
        self._open[key] = self._step
        self._last_call = key
        self.parts.append(ToolCallPart(call_id=key, name=_name(name), arguments=_arguments(arguments), step=self._step))

    def result(
        self, call_id: str, name: str, said: str, *, is_error: bool = False, pictures: Iterable[tuple[str, str]] = ()
    ) -> None:
        """A result; what belongs to no call gets one. ``pictures`` are ids and names of files that it brought."""
        key = call_id if call_id in self._open else "" if call_id else self._last_call
        if not key or key not in self._open:
            self.call(call_id, name, {})
            key = self._last_call
        items = tuple(
            ResultItem(
                kind=ItemKind.IMAGE,
                number=number,
                name=shown[:_LONGEST_NAME],
                attachment_id=file_id,
                file_name=safe_file_name(shown, ".png", standard="image"),
                media_type="image/png",
            )
            for number, (file_id, shown) in enumerate(pictures, 1)
        )
        text = "\n".join(filter(None, (said, *map(mark_of, items))))
        if (place := self._results.get(key)) is not None:  # one call, several results
            before = self.parts[place]
            assert isinstance(before, ToolResultPart)
            text = "\n\n".join(filter(None, (before.text, text)))
            items = (*before.items, *items)
        status = ResultStatus.ERROR if is_error else ResultStatus.OK
        part = ToolResultPart(call_id=key, status=status, text=text, items=items, step=self._open[key])
        if place is None:
            self._results[key] = len(self.parts)
            self.parts.append(part)
        else:
            self.parts[place] = part
        self._has_result = True

    def sources(self, found: Iterable[tuple[str, str]]) -> None:
        """Addresses and titles of what an answer is based on."""
        named = dict[str, str]()
        for url, title in found:
            if url and len(named) < _MOST_SOURCES:
                named.setdefault(url[:2_000], title[:500])
        if named:
            sources = tuple(Source(url=url, title=title) for url, title in named.items())
            self.parts.append(SourcesPart(sources=sources, step=self._step))

    def _next_step(self) -> None:
        if self._has_result:
            self._step += 1
            self._has_result = False


def file_part(key: str, name: str, *, size: int = 0, text: str = "", media_type: str = "") -> AttachmentPart:
    """Return a file that the user sent. What it is goes by its name until its bytes are read."""
    ending = "." + name.rpartition(".")[2].lower()
    kind = AttachmentKind.TEXT
    if not text and (media_type.startswith("image/") or ending in _PICTURE_ENDINGS):
        kind = AttachmentKind.IMAGE
    elif ending == ".pdf" or media_type == "application/pdf":
        kind = AttachmentKind.PDF
    shown = " ".join(re.split(r"[/\\]", name)[-1].split())[:_LONGEST_NAME] or "file"
    return AttachmentPart(attachment_id=key, name=shown, kind=kind, size=size, text=text)


def _name(given: str) -> str:
    plain = "".join(character for character in given if character.isprintable())[:_LONGEST_NAME]
    return plain or "tool"


def _arguments(given: object) -> str:
    if isinstance(given, str):
        try:
            parsed: object = json.loads(given) if given.strip() else {}
        except (ValueError, RecursionError):
            parsed = None
        return (
            given
            if isinstance(parsed, dict) and given.strip()
            else json.dumps(parsed if isinstance(parsed, dict) else {"input": given}, ensure_ascii=False)
        )
    return json.dumps(given if isinstance(given, dict) else {"input": given}, ensure_ascii=False)
