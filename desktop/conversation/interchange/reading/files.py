"""Reads any file with chats: finds out what wrote it, and gives the chats one by one with their files."""

import dataclasses
from collections.abc import Callable, Container, Generator, Iterator, Mapping
from pathlib import PurePosixPath
from types import ModuleType
from typing import IO, Any

from desktop.conversation.entities import AttachmentPart, TextPart
from desktop.conversation.interchange.chat_json import NewerError
from desktop.conversation.interchange.ports import ChatFile, Found, Progress, SkippedEntry
from desktop.conversation.interchange.reading import chatgpt, cherry_studio, claude, lm_studio, open_webui, own
from desktop.conversation.interchange.reading.archive import BROKEN, Archive, BombError
from desktop.conversation.interchange.reading.json_items import BrokenJsonError, JsonItems
from desktop.conversation.interchange.reading.making import Asset, fields, text
from desktop.conversation.interchange.records import ImportedChat, Source, Why
from desktop.core.attachment_limits import MOST_FILE_BYTES

_FORMATS: tuple[ModuleType, ...] = (own, chatgpt, claude, open_webui, lm_studio, cherry_studio)
"""Each tells by ``is_one`` whether a JSON value is of its kind, and gives by ``chats`` the chats in it."""
_MOST_NAME = 200


def read(file: IO[bytes], size: int, name: str) -> Generator[Found, None, None]:
    """Give what is in a file: an archive, or JSON. Raises ``BombError`` and one of ``BROKEN`` where it is neither."""
    start = file.read(4)
    file.seek(0)
    if start[:2] == b"PK":
        yield from _read_archive(file, size)
    else:
        yield from _Reading(None).json_of(file, name, lambda: Progress(done=file.tell(), total=size), is_all=True)


def _read_archive(file: IO[bytes], size: int) -> Generator[Found, None, None]:
    archive = Archive.of(file)
    names = list(archive.named(".json"))
    # What stands nearer to the top first: there the chats are, and the rest may only repeat them.
    names.sort(key=lambda each: each.count("/"))
    total = sum(archive.entries[each].compress_size for each in names)
    reading, done = _Reading(archive), 0
    for each in names:
        compressed, whole = archive.entries[each].compress_size, max(1, archive.entries[each].file_size)
        try:
            with archive.open(each) as entry:
                before = done
                yield from reading.json_of(
                    entry,
                    each,
                    lambda e=entry, b=before, c=compressed, w=whole: Progress(done=b + c * e.tell() // w, total=total),
                    is_all=len(names) == 1,
                )
        except BROKEN:
            yield SkippedEntry(name=each[-_MOST_NAME:], why=Why.UNREADABLE)
        done += compressed
        yield Progress(done=done, total=total)
    # Archives among the attached files are nothing to be said of; others may hold the chats that are looked for.
    yield from (
        skipped for skipped in archive.skipped if skipped.why is not Why.NESTED_ARCHIVE or not reading.has_found
    )
    yield Progress(done=size, total=size)


class _Reading:
    """Reads JSON files that may stand in an archive beside the files that their chats name."""

    def __init__(self, archive: Archive | None) -> None:
        self._archive = archive
        self._names: dict[str, str] | None = None
        self.has_found = False

    def json_of(
        self, file: IO[bytes], name: str, at: Callable[[], Progress], *, is_all: bool
    ) -> Generator[Found, None, None]:
        """Give the chats of a JSON file. ``is_all``: there is no other one that could hold some."""
        is_of_chats = is_all or PurePosixPath(name).stem.lower().startswith("conversation")
        items = JsonItems(file).items()
        try:
            for value in items:
                kind = next((one for one in _FORMATS if one.is_one(value)), None)
                if kind is not None:
                    is_of_chats = True
                    yield from self._chats_of(kind, value)
                elif is_of_chats:
                    yield SkippedEntry(name=_name_of(value, name), why=Why.UNREADABLE)
                else:
                    return  # something else that belongs to the export
                yield at()
        except BrokenJsonError:
            if is_of_chats:
                yield SkippedEntry(name=name[-_MOST_NAME:], why=Why.UNREADABLE)

    def _chats_of(self, kind: ModuleType, value: Any) -> Generator[Found, None, None]:
        chats: Iterator[tuple[ImportedChat, Mapping[str, Asset]]] = kind.chats(value)
        try:
            for chat, assets in chats:
                self.has_found = True
                yield from self._with_files(chat, assets)
        except NewerError:
            yield SkippedEntry(name=_name_of(value, ""), why=Why.NEWER)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
            yield SkippedEntry(name=_name_of(value, ""), why=Why.UNREADABLE)

    def _with_files(self, chat: ImportedChat, assets: Mapping[str, Asset]) -> Generator[Found, None, None]:
        there = {key: asset for key, asset in assets.items() if asset.data is not None or self._find(asset.hint)}
        if chat.source is not Source.THREADWELL:
            chat = _without_empty_files(chat, there.keys())
        yield dataclasses.replace(chat, files=frozenset(there))
        for key, asset in there.items():
            data = asset.data if asset.data is not None else self._bytes(self._find(asset.hint))
            if data and len(data) <= MOST_FILE_BYTES:
                yield ChatFile(key=key, name=asset.name[-_MOST_NAME:], data=data)

    def _find(self, hint: str) -> str:
        """Return the entry that is called so, or whose name begins so wherever it stands; empty where there is none."""
        if self._archive is None or not hint:
            return ""
        if hint in self._archive.entries:
            return hint
        if self._names is None:
            self._names = {}
            for name in self._archive.entries:
                base = PurePosixPath(name).name
                for start in {base, PurePosixPath(base).stem, *_beginnings(base)}:
                    self._names.setdefault(start, name)
        return self._names.get(PurePosixPath(hint).name, "")

    def _bytes(self, name: str) -> bytes | None:
        return self._archive.bytes_of(name, MOST_FILE_BYTES) if self._archive is not None and name else None


def _beginnings(base: str) -> Iterator[str]:
    """Names such as ``file-ABC-picture.png`` and ``file_00ab-sanitized.png`` are looked for by what stands first."""
    for sign in ("-", "_"):
        pieces = base.split(sign)
        yield from (sign.join(pieces[:count]) for count in range(2, min(len(pieces), 6)))
    yield base.split("-")[0]


def _without_empty_files(chat: ImportedChat, there: Container[str]) -> ImportedChat:
    """Let a line of text stand for each file of which the export holds neither bytes nor text."""
    messages = tuple(
        dataclasses.replace(
            message,
            parts=tuple(
                TextPart(text=f"📎 {part.name}", step=part.step)
                if isinstance(part, AttachmentPart) and part.attachment_id not in there and not part.text
                else part
                for part in message.parts
            ),
        )
        if any(isinstance(part, AttachmentPart) for part in message.parts)
        else message
        for message in chat.messages
    )
    return dataclasses.replace(chat, messages=messages)


def _name_of(value: Any, standard: str) -> str:
    """Return what something unreadable may be known by."""
    whole = fields(value)
    for holder in (whole, fields(whole.get("chat"))):
        for name in ("title", "name"):
            if line := " ".join(text(holder.get(name)).split()):
                return line[:_MOST_NAME]
    return standard[-_MOST_NAME:]


__all__ = ["BROKEN", "BombError", "read"]
