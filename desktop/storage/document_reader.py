"""Reads untrusted documents in a process of the app's own program: one for many texts, one alone for each packed file."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, Callable
from typing import Any

from desktop.core.attachment_limits import MOST_PIECES
from desktop.core.errors import FileError
from desktop.core.own_program import own_command
from desktop.core.process_tree import kill_and_drain
from desktop.memory.documents import DocumentPiece, Progress
from desktop.memory.entities import Place
from desktop.storage.reader_start import start_reader

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 90.0
"""With a process that says nothing; and of one file three times as much altogether."""
_FILES_OF_ONE = 200
"""Then another process follows: what a file may have left in one does not stay for long."""
_LONGEST_LINE = 1 << 18
_MOST_LINES = 2 * MOST_PIECES
_PACKED = (b"PK", b"%PDF-")
_PACKED_BEGINS_WITHIN = 1024


class DocumentReaderProcess:
    """See ``memory.documents.DocumentReader``. One file at a time; ``close`` it, or let it ``rest`` between folders."""

    def __init__(self, *, patience_seconds: float = PATIENCE_SECONDS, command: tuple[str, ...] | None = None) -> None:
        """``command`` begins the reader's command line; None is the app's own."""
        self._patience_seconds = patience_seconds
        self._command = command or own_command("read-file")
        self._process: asyncio.subprocess.Process | None = None
        self._files = 0
        self._one = asyncio.Lock()

    async def pieces(
        self, name: str, data: bytes, told: Callable[[Progress], object]
    ) -> AsyncGenerator[DocumentPiece, None]:
        """As in the port."""
        async with self._one:
            is_packed = any(mark in data[:_PACKED_BEGINS_WITHIN] for mark in _PACKED)
            is_done = False
            try:
                process = await self._started(alone=is_packed)
                async for piece in self._read(process, name, data, told):
                    yield piece
                is_done = not is_packed
            except FileError as error:
                is_done = not is_packed and error.code not in ("file.too_slow", "file.document_unreadable")
                raise
            finally:
                if not is_done:
                    await self.rest()

    async def rest(self) -> None:
        """End the process that waits for further files."""
        process, self._process = self._process, None
        if process is not None:
            await kill_and_drain(process)

    async def close(self) -> None:
        """End whatever runs."""
        await self.rest()

    async def _started(self, *, alone: bool) -> asyncio.subprocess.Process:
        self._files += 1
        if alone or self._files > _FILES_OF_ONE or (self._process and self._process.returncode is not None):
            await self.rest()
        if self._process is None:
            self._files = 1
            self._process = await start_reader(self._command, "documents", longest_line=_LONGEST_LINE)
        return self._process

    async def _read(
        self, process: asyncio.subprocess.Process, name: str, data: bytes, told: Callable[[Progress], object]
    ) -> AsyncGenerator[DocumentPiece, None]:
        assert process.stdin is not None
        until = time.monotonic() + 3 * self._patience_seconds
        try:
            async with asyncio.timeout(self._patience_seconds):
                process.stdin.write(json.dumps({"name": name, "size": len(data)}).encode() + b"\n")
                process.stdin.write(data)
                await process.stdin.drain()
        except (ConnectionError, TimeoutError) as error:
            raise FileError("file.document_unreadable") from error
        for _ in range(_MOST_LINES):
            line = await self._line(process, until)
            if "piece" in line:
                yield _piece(line["piece"])
            elif "progress" in line:
                told(_progress(line["progress"]))
            elif "error" in line:
                params = {key: value for key, value in line["params"].items() if isinstance(value, str | int)}
                raise FileError(str(line["error"]), **params)
            else:
                told(_progress([line["done"]["parts_read"], line["done"]["parts"]]))
                return
        raise FileError("file.document_unreadable")

    async def _line(self, process: asyncio.subprocess.Process, until: float) -> dict[str, Any]:
        assert process.stdout is not None
        seconds = min(self._patience_seconds, max(0.0, until - time.monotonic()))
        try:
            async with asyncio.timeout(seconds):
                line: dict[str, Any] = json.loads(await process.stdout.readline())
        except TimeoutError as error:
            logger.warning("a document took too long to be read")
            raise FileError("file.too_slow", seconds=round(3 * self._patience_seconds)) from error
        except ValueError as error:  # it died, or wrote what no reader writes
            raise FileError("file.document_unreadable") from error
        return line


def _piece(said: dict[str, Any]) -> DocumentPiece:
    try:
        first_page, last_page, first_line, last_line = (int(number) for number in said["place"])
        return DocumentPiece(
            text=str(said["text"]),
            place=Place(
                headings=tuple(" ".join(str(one).split()) for one in said["headings"]),
                first_page=first_page,
                last_page=last_page,
                first_line=first_line,
                last_line=last_line,
            ),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FileError("file.document_unreadable") from error


def _progress(said: Any) -> Progress:
    try:
        return Progress(done=int(said[0]), total=int(said[1]))
    except (ValueError, TypeError, IndexError) as error:
        raise FileError("file.document_unreadable") from error
