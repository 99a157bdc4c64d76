"""Writes chats into a file: one as it is, several or one with files as an archive; whole at the end, or not at all."""

import asyncio
import contextlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Protocol

from desktop.conversation.entities import Message, Thread
from desktop.conversation.interchange.chat_json import chat_end, chat_head, message_line, whole_characters
from desktop.conversation.interchange.markdown import MarkdownWriter
from desktop.conversation.interchange.ports import ChatExchange, OpenChat
from desktop.conversation.interchange.words import ENGLISH, ExportWords
from desktop.conversation.ports import AttachmentStore, ThreadRepository
from desktop.core.errors import FileError, StorageError
from desktop.core.safe_files import safe_file_name

Told = Callable[[int, int], object]
"""Hears how many of how many chats are written."""
MESSAGES_AT_ONCE = 100
_FLUSHED_AT = 1 << 18
_LONGEST_NAME = 60


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a chat that is being written is read from."""

    chat: OpenChat
    thread: Thread
    exchange: ChatExchange
    repository: ThreadRepository
    attachments: AttachmentStore
    files: Mapping[str, str]
    """Where the bytes of its files stand beside it, by their ids; empty where they stand in it, or nowhere."""

    async def path(self) -> AsyncGenerator[Message, None]:
        """Read the messages that it shows, some at a time."""
        ids = [outline.id for outline in await self.repository.outline(self.thread.id)]
        for start in range(0, len(ids), MESSAGES_AT_ONCE):
            for message in await self.repository.messages(ids[start : start + MESSAGES_AT_ONCE]):
                yield message


class ChatFormat(Protocol):
    """A kind of file that chats are written as."""

    @property
    def suffix(self) -> str: ...

    @property
    def has_files_beside(self) -> bool:
        """Attached files stand beside the chat, in an archive; else it needs none."""
        ...

    def pieces(self, source: Source) -> AsyncGenerator[bytes, None]:
        """Write a chat, piece by piece."""
        ...


class JsonFormat:
    """Complete: what is written can be read back without loss."""

    suffix = ".json"
    has_files_beside = True

    async def pieces(self, source: Source) -> AsyncGenerator[bytes, None]:
        chat, numbers = source.chat, source.chat.numbers
        yield chat_head(chat.chat, {key: chat.files[key] for key in source.files}).encode()
        is_first = True
        for start in range(0, len(numbers), MESSAGES_AT_ONCE):
            for message in await source.exchange.messages(chat, numbers[start : start + MESSAGES_AT_ONCE]):
                yield message_line(message, is_first=is_first).encode()
                is_first = False
        yield chat_end().encode()


class MarkdownFormat:
    """For people: what the chat shows."""

    suffix = ".md"
    has_files_beside = True

    def __init__(self, words: ExportWords = ENGLISH) -> None:
        self._words = words

    async def pieces(self, source: Source) -> AsyncGenerator[bytes, None]:
        writer = MarkdownWriter(self._words, source.files)
        yield whole_characters(writer.head(source.thread)).encode()
        async for message in source.path():
            yield whole_characters(writer.message(message)).encode()


@dataclass(frozen=True, kw_only=True)
class Exported:
    """What was written."""

    path: Path
    chats: int
    left_out: int = 0
    """Chats that went meanwhile."""


class ChatExport:
    """Writes chats into files, in any ``ChatFormat``."""

    def __init__(self, exchange: ChatExchange, repository: ThreadRepository, attachments: AttachmentStore) -> None:
        self._exchange = exchange
        self._repository = repository
        self._attachments = attachments

    async def all_ids(self, *, with_trash: bool) -> list[str]:
        """Return the ids of all chats, newest first."""
        threads = await self._exchange.threads()
        if with_trash:
            threads += await self._exchange.threads(deleted=True)
        return [thread.id for thread in threads]

    async def suffix(self, thread_ids: Sequence[str], kind: ChatFormat) -> str:
        """Return how the name of the file ends: of the chat itself, or of an archive."""
        if len(thread_ids) != 1:
            return ".zip"
        chat = await self._exchange.open(thread_ids[0])
        needs_archive = kind.has_files_beside and chat is not None and bool(chat.files)
        return ".zip" if needs_archive else kind.suffix

    async def write(
        self, thread_ids: Sequence[str], kind: ChatFormat, path: Path, *, told: Told = lambda _done, _all: None
    ) -> Exported:
        """Write the chats to ``path``, as an archive where its name ends in ``.zip``.

        Raises ``FileError`` and ``StorageError``; then, and when it is cancelled, ``path`` is as it was before.
        """
        with _naming(path):
            async with _replacing(path) as file:
                if path.suffix.lower() == ".zip":
                    return await self._write_archive(thread_ids, kind, path, file, told)
                source = await self._source(thread_ids[0], with_files=False)
                if source is None:
                    raise StorageError("storage.thread_missing", thread_id=thread_ids[0])
                await _write(file, kind.pieces(source))
                told(1, 1)
                return Exported(path=path, chats=1)

    async def _write_archive(
        self, thread_ids: Sequence[str], kind: ChatFormat, path: Path, file: IO[bytes], told: Told
    ) -> Exported:
        names, done = _Names(kind.suffix), 0
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, thread_id in enumerate(thread_ids, 1):
                source = await self._source(thread_id, with_files=kind.has_files_beside)
                if source is not None:
                    entry = _entry(names.next(source.thread.title), source.thread.updated_at)
                    with archive.open(entry, "w", force_zip64=True) as target:
                        await _write(target, kind.pieces(source))
                    await self._add_files(archive, source)
                    done += 1
                told(number, len(thread_ids))
        return Exported(path=path, chats=done, left_out=len(thread_ids) - done)

    async def _add_files(self, archive: zipfile.ZipFile, source: Source) -> None:
        for key, place in source.files.items():
            original = self._attachments.original(key)
            if original is not None:
                entry = _entry(place, source.thread.updated_at)
                await asyncio.to_thread(_copy, archive, entry, original)

    async def _source(self, thread_id: str, *, with_files: bool) -> Source | None:
        chat = await self._exchange.open(thread_id)
        thread = await self._repository.get_thread(thread_id)
        if chat is None or thread is None:
            return None
        return Source(
            chat=chat,
            thread=thread,
            exchange=self._exchange,
            repository=self._repository,
            attachments=self._attachments,
            files={key: f"files/{key}{one.suffix}" for key, one in chat.files.items()} if with_files else {},
        )


def file_name(title: str, suffix: str) -> str:
    """Return a name for the file of a chat, which every system takes."""
    plain = title.replace("/", "-").replace("\\", "-")[: 4 * _LONGEST_NAME]
    stem = safe_file_name(f"{plain}.x", "", standard="chat")[:_LONGEST_NAME].strip(" .-~$") or "chat"
    return f"{stem}{suffix}"


class _Names:
    """Gives each chat of an archive a name of its own, also on systems that take capitals for the same."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._taken: set[str] = set()

    def next(self, title: str) -> str:
        stem, number = file_name(title, ""), 1
        name = stem
        while name.casefold() in self._taken:
            number += 1
            name = f"{stem} ({number})"
        self._taken.add(name.casefold())
        return f"{name}{self._suffix}"


async def _write(target: IO[bytes], pieces: AsyncGenerator[bytes, None]) -> None:
    held, size = list[bytes](), 0
    async with contextlib.aclosing(pieces):
        async for piece in pieces:
            held.append(piece)
            size += len(piece)
            if size >= _FLUSHED_AT:
                await asyncio.to_thread(target.write, b"".join(held))
                held, size = [], 0
    await asyncio.to_thread(target.write, b"".join(held))


def _copy(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, original: Path) -> None:
    with original.open("rb") as file, archive.open(entry, "w", force_zip64=True) as target:
        shutil.copyfileobj(file, target)


def _entry(name: str, moment: datetime) -> zipfile.ZipInfo:
    local = moment.astimezone()
    entry = zipfile.ZipInfo(name, (min(max(local.year, 1980), 2107), *local.timetuple()[1:6]))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


@asynccontextmanager
async def _replacing(path: Path) -> AsyncGenerator[IO[bytes], None]:
    """A file that takes the place of ``path`` when all of it is on disk."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".threadwell-", suffix=".tmp")
    is_whole = False
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
        os.replace(name, path)
        is_whole = True
    finally:
        if not is_whole:
            os.unlink(name)


@contextlib.contextmanager
def _naming(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise FileError("file.not_saved", name=path.name, detail=error.strerror or str(error)) from error
