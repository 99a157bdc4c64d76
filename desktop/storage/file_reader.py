"""Reads untrusted files in a process of the app's own program, one for each, with limits on time and output."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping
from typing import Any

from desktop.conversation.ports import ReadPdf, ReadPicture
from desktop.core.attachment_limits import MOST_PICTURE_BYTES, MOST_TEXT_BYTES
from desktop.core.errors import FileError
from desktop.core.own_program import own_command
from desktop.core.process_tree import kill_and_drain
from desktop.storage.reader_start import start_reader

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 20.0
_MOST_HEADER_BYTES = 10_000
_MOST_OUTPUT = 2 * max(MOST_PICTURE_BYTES, MOST_TEXT_BYTES) + _MOST_HEADER_BYTES
_AT_ONCE = 2


class FileReaderProcess:
    """See ``conversation.ports.FileReader``. ``command`` begins the reader's command line; None is the app's own."""

    def __init__(self, *, patience_seconds: float = PATIENCE_SECONDS, command: tuple[str, ...] | None = None) -> None:
        self._patience_seconds = patience_seconds
        self._command = command or own_command("read-file")
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def picture(self, data: bytes) -> ReadPicture:
        header, payload = await self._read("picture", data)
        try:
            sent, thumbnail = _split(payload, header["sizes"])
            return ReadPicture(
                media_type=_one_of(header["media_type"], "image/jpeg", "image/png"),
                data=sent,
                thumbnail=thumbnail,
                width=int(header["width"]),
                height=int(header["height"]),
                file_format=str(header["format"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise FileError("file.picture_unreadable") from error

    async def pdf(self, data: bytes) -> ReadPdf:
        header, payload = await self._read("pdf", data)
        try:
            (text,) = _split(payload, header["sizes"])
            return ReadPdf(
                text=text.decode("utf-8", "replace"), pages=int(header["pages"]), pages_read=int(header["pages_read"])
            )
        except (ValueError, KeyError, TypeError) as error:
            raise FileError("file.pdf_unreadable") from error

    async def _read(self, kind: str, data: bytes) -> tuple[Mapping[str, Any], bytes]:
        async with self._slots:
            output = await self._run(kind, data)
        line, _, payload = output.partition(b"\n")
        try:
            header: Mapping[str, Any] = json.loads(line)
            if "error" not in header:
                return header, payload
            params = {name: value for name, value in header["params"].items() if isinstance(value, str | int)}
            error = FileError(str(header["error"]), **params)
        except (ValueError, KeyError, TypeError, AttributeError):
            error = FileError(f"file.{kind}_unreadable")
        raise error

    async def _run(self, kind: str, data: bytes) -> bytes:
        """Return all output; what ends too late or writes too much is killed, and what dies has read nothing."""
        process = await start_reader(self._command, kind)
        try:
            async with asyncio.timeout(self._patience_seconds):
                return await _exchange(process, data)
        except TimeoutError as error:
            logger.warning("a %s took too long to be read", kind)
            raise FileError("file.too_slow", seconds=round(self._patience_seconds)) from error
        finally:
            if process.returncode is None:
                await kill_and_drain(process)


async def _exchange(process: asyncio.subprocess.Process, data: bytes) -> bytes:
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None
    with contextlib.suppress(ConnectionError):  # it died; its output says how far it came
        stdin.write(data)
        await stdin.drain()
    stdin.close()
    output = bytearray()
    while piece := await stdout.read(1 << 16):
        output += piece
        if len(output) > _MOST_OUTPUT:
            return b""
    await process.wait()
    return bytes(output)


def _split(payload: bytes, sizes: list[int]) -> list[bytes]:
    if sum(sizes) != len(payload) or min(sizes) < 1:
        raise ValueError("the reader's output has another length than it says")
    pieces: list[bytes] = []
    for size in sizes:
        pieces.append(payload[:size])
        payload = payload[size:]
    return pieces


def _one_of(value: object, *allowed: str) -> str:
    if value not in allowed:
        raise ValueError(f"{value!r} was not expected")
    return str(value)
