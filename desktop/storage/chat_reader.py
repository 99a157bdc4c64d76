"""Reads files with chats in a process of the app's own program, which is given the open file and nothing else."""

import asyncio
import contextlib
import json
import logging
import os
import stat
import tempfile
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any

from desktop.conversation.interchange.chat_json import MOST_MESSAGES, chat_from_json, message_from_json
from desktop.conversation.interchange.ports import ChatFile, ChatFileReader, Found, Progress, SkippedEntry
from desktop.conversation.interchange.records import ImportedChat, MessageRecord, Source, Why
from desktop.core.errors import FileError
from desktop.core.own_program import own_command
from desktop.core.process_tree import kill_and_drain
from desktop.core.tasks import uninterrupted
from desktop.storage.chat_frames import HEADER, MOST_FRAME_BYTES, Kind
from desktop.storage.reader_start import start_reader

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 180.0
"""With a process that says nothing: it reads the largest chat in less."""
MOST_FOLDER_FILES = 50_000
MOST_FOLDER_BYTES = 4_000_000_000
_PARSED_ASIDE = 1 << 16
"""From so many bytes on JSON is parsed in a thread."""


class ChatReaderProcess(ChatFileReader):
    """See ``conversation.interchange.ports.ChatFileReader``. ``folder`` is where the copy of a folder's files may lie."""

    def __init__(
        self, folder: Path, *, patience_seconds: float = PATIENCE_SECONDS, command: tuple[str, ...] | None = None
    ) -> None:
        self._folder = folder
        self._patience_seconds = patience_seconds
        self._command = command or own_command("read-chats")

    @asynccontextmanager
    async def read(self, path: Path) -> AsyncGenerator[AsyncGenerator[Found, None], None]:
        """As in the port."""
        try:
            file = await asyncio.to_thread(self._open, path)
        except OSError as error:
            raise FileError("file.unreadable", name=path.name, detail=f"{error.strerror or error}.") from error
        with file:
            name = path.name.encode("utf-8", "replace").decode()[-200:] or "chats"
            process = await start_reader(self._command, name, stdin=file)
            try:
                async with contextlib.aclosing(self._found(process, path.name)) as found:
                    yield found
            finally:
                await uninterrupted(kill_and_drain(process))

    def _open(self, path: Path) -> IO[bytes]:
        if path.is_dir():
            return _packed(path, self._folder)
        file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # a pipe would be waited for without end
            file.close()
            raise OSError("it is no plain file")
        return file

    async def _found(self, process: asyncio.subprocess.Process, name: str) -> AsyncGenerator[Found, None]:
        while True:
            kind, value, data = await self._frame(process, name)
            try:
                match kind:
                    case Kind.CHAT:
                        yield await self._chat(process, name, value)
                    case Kind.FILE:
                        _, _, data = await self._frame(process, name)
                        yield ChatFile(key=str(value["key"]), name=str(value["name"]), data=data)
                    case Kind.SKIPPED:
                        yield SkippedEntry(name=str(value["name"]), why=Why(value["why"]))
                    case Kind.PROGRESS:
                        yield Progress(done=int(value["done"]), total=int(value["total"]))
                    case Kind.FAILED:
                        raise FileError(str(value["code"]), name=name)
                    case Kind.DONE:
                        return
                    case _:
                        raise ValueError("a frame stands where none belongs")
            except (ValueError, KeyError, TypeError) as error:
                raise FileError("file.chats_unreadable", name=name) from error

    async def _chat(self, process: asyncio.subprocess.Process, name: str, head: Any) -> ImportedChat:
        messages: list[MessageRecord] = []
        while True:
            kind, value, _ = await self._frame(process, name)
            if kind is Kind.CHAT_END:
                break
            if kind is not Kind.MESSAGE or len(messages) >= MOST_MESSAGES:
                raise ValueError("a chat does not end")
            messages.append(message_from_json(value))
        return ImportedChat(
            source=Source(head["source"]),
            chat=chat_from_json(head["chat"]),
            messages=tuple(messages),
            files=frozenset(map(str, head["files"])),
        )

    async def _frame(self, process: asyncio.subprocess.Process, name: str) -> tuple[Kind, Any, bytes]:
        """Return kind, JSON and bytes of the next frame. Raises ``FileError`` where the process died or says nothing."""
        stdout = process.stdout
        assert stdout is not None
        try:
            async with asyncio.timeout(self._patience_seconds):
                number, size = HEADER.unpack(await stdout.readexactly(HEADER.size))
                if size > MOST_FRAME_BYTES:
                    raise FileError("file.chats_too_large", name=name)
                data = await stdout.readexactly(size)
        except TimeoutError as error:
            logger.warning("a file with chats took too long to be read")
            raise FileError("file.too_slow", name=name, seconds=round(self._patience_seconds)) from error
        except asyncio.IncompleteReadError as error:
            logger.warning("the process that read a file with chats ended early")
            raise FileError("file.chats_unreadable", name=name) from error
        try:
            kind = Kind(number)
            if kind is Kind.BYTES:
                return kind, None, data
            value = json.loads(data) if size < _PARSED_ASIDE else await asyncio.to_thread(json.loads, data)
        except ValueError as error:
            raise FileError("file.chats_unreadable", name=name) from error
        return kind, value, data


def _packed(folder: Path, place: Path) -> IO[bytes]:
    """Return an archive of the JSON files of a folder, which leaves the disk when it is closed."""
    file: IO[bytes] = tempfile.TemporaryFile(dir=place)  # noqa: SIM115  (its reader closes it)
    try:
        total = count = 0
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for path in sorted(folder.rglob("*.json")):
                if path.is_symlink() or not path.is_file():
                    continue
                count, total = count + 1, total + path.stat().st_size
                if count > MOST_FOLDER_FILES or total > MOST_FOLDER_BYTES:
                    raise OSError("the folder holds too many files")
                name = path.relative_to(folder).as_posix().encode("utf-8", "replace").decode()
                entry = zipfile.ZipInfo(name)
                with path.open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                    while piece := source.read(1 << 20):
                        target.write(piece)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file
