"""The use cases of attached files: taken in, given up, and turned into what a model is sent."""

import asyncio
import logging
import os
import stat
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path, PurePath

from desktop.conversation.entities import AttachmentKind, AttachmentPart, Message, Part, ToolResultPart
from desktop.conversation.file_kinds import kind_of, megabytes, text_of
from desktop.conversation.ports import AttachmentStore, FileReader
from desktop.core.attachment_limits import MOST_FILE_BYTES
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import FileError
from desktop.core.language_model import Image

MOST_IMAGES = 20
MOST_IMAGE_BYTES = 14_000_000
"""Of all images of one request: as text they take a third more, and endpoints refuse more than 20 MB."""
UNSENT_FOR = timedelta(days=1)
"""How long a file is kept that was taken in for a message and never sent."""
LONGEST_NAME = 200

ImageLoader = Callable[[Sequence[Message]], Awaitable[Mapping[str, Image]]]
"""Returns the images of a history that are sent, by the ids of their attachments."""

logger = logging.getLogger(__name__)


class Attachments:
    """Takes files in for a message that is being written, and gives out what was kept of them."""

    def __init__(self, store: AttachmentStore, reader: FileReader, *, clock: Clock = utc_now) -> None:
        self._store = store
        self._reader = reader
        self._clock = clock

    async def add_file(self, path: Path) -> AttachmentPart:
        """Read a file and keep it. Raises ``FileError`` and ``StorageError``; then nothing was kept."""
        with _naming(path.name):
            data = await asyncio.to_thread(_read, path)
        return await self.add(path.name, data)

    async def add(self, name: str, data: bytes) -> AttachmentPart:
        """Keep a file that is at hand, as ``add_file`` does."""
        with _naming(name):
            if not data:
                raise FileError("file.empty")
            if len(data) > MOST_FILE_BYTES:
                raise FileError("file.too_large", size=megabytes(len(data)), limit=megabytes(MOST_FILE_BYTES))
            kind = kind_of(data)
            if kind is AttachmentKind.IMAGE:
                return await self._add_picture(one_line_name(name), data)
            if kind is AttachmentKind.PDF:
                return await self._add_pdf(one_line_name(name), data)
            return await self._add_text(one_line_name(name), data)

    async def _add_picture(self, name: str, data: bytes) -> AttachmentPart:
        picture = await self._reader.picture(data)
        attachment_id = await self._store.add(
            data, suffix=f".{picture.file_format}", sent=picture.data, thumbnail=picture.thumbnail
        )
        return AttachmentPart(
            attachment_id=attachment_id,
            name=name,
            kind=AttachmentKind.IMAGE,
            size=len(data),
            media_type=picture.media_type,
            sent_size=len(picture.data),
            width=picture.width,
            height=picture.height,
        )

    async def _add_pdf(self, name: str, data: bytes) -> AttachmentPart:
        pdf = await self._reader.pdf(data)
        return AttachmentPart(
            attachment_id=await self._store.add(data, suffix=".pdf"),
            name=name,
            kind=AttachmentKind.PDF,
            size=len(data),
            text=pdf.text,
            pages=pdf.pages,
            pages_read=pdf.pages_read,
        )

    async def _add_text(self, name: str, data: bytes) -> AttachmentPart:
        text = await asyncio.to_thread(text_of, data)
        attachment_id = await self._store.add(data, suffix=".txt")
        return AttachmentPart(
            attachment_id=attachment_id, name=name, kind=AttachmentKind.TEXT, size=len(data), text=text
        )

    async def discard(self, attachment: AttachmentPart) -> None:
        """Give up a file that was not sent."""
        await self._store.discard(attachment.attachment_id)

    def original(self, attachment_id: str) -> Path | None:
        """Where a file lies as it was given, or as a tool returned it; None when it is gone."""
        return self._store.original(attachment_id)

    async def thumbnail(self, attachment_id: str) -> bytes | None:
        return await self._store.thumbnail(attachment_id)

    async def save_draft(self, thread_id: str, attachments: Sequence[AttachmentPart]) -> None:
        await self._store.save_draft(thread_id, attachments)

    async def load_draft(self, thread_id: str) -> tuple[AttachmentPart, ...]:
        return await self._store.load_draft(thread_id)

    async def sweep(self) -> None:
        """Delete what was taken in and never sent."""
        if count := await self._store.sweep(self._clock() - UNSENT_FOR):
            logger.info("%d files that were never sent were deleted", count)

    async def images_for(self, messages: Sequence[Message]) -> Mapping[str, Image]:
        """Return the images of a history that are sent, by the ids of their attachments."""
        return await load_images(self._store, messages)


async def load_images(store: AttachmentStore, messages: Sequence[Message]) -> Mapping[str, Image]:
    """Return the newest images of a history, as many as one request takes, by the ids of their attachments."""
    images: dict[str, Image] = {}
    for image in images_to_send(messages):
        data = await store.sent(image.attachment_id)
        if data is not None:
            images[image.attachment_id] = Image(name=image.name, media_type=image.media_type, data=data)
    return images


@dataclass(frozen=True)
class SentImage:
    """An image that can go with a request: attached by the user, or returned by a tool."""

    attachment_id: str
    name: str
    media_type: str
    size: int


def images_to_send(messages: Sequence[Message]) -> list[SentImage]:
    """Return the newest images that one request takes, the newest first."""
    chosen: list[SentImage] = []
    room = MOST_IMAGE_BYTES
    for message in reversed(messages):
        for part in reversed(message.parts):
            for image in reversed(_images_in(part)):
                if image in chosen:
                    continue
                room -= image.size
                if room < 0 or len(chosen) == MOST_IMAGES:
                    return chosen
                chosen.append(image)
    return chosen


def _images_in(part: Part) -> list[SentImage]:
    match part:
        case AttachmentPart(kind=AttachmentKind.IMAGE):
            return [SentImage(part.attachment_id, part.name, part.media_type, part.sent_size)]
        case ToolResultPart():
            shown = [item for item in part.items if item.is_sendable]
            return [SentImage(i.attachment_id, f"image {i.number}", i.sent_type, i.sent_size) for i in shown]
        case _:
            return []


def one_line_name(name: str) -> str:
    """Return the name of a file as it is kept: without its folder, on one line, not too long; never empty."""
    name = " ".join(PurePath(name).name.encode("utf-8", "replace").decode("utf-8").split())
    if len(name) > LONGEST_NAME:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem[: LONGEST_NAME - 20]}….{ending}" if dot and len(ending) < 10 else name[:LONGEST_NAME]
    return name or "file"


@contextmanager
def _naming(name: str) -> Generator[None]:
    """Let the words about a file that cannot be attached name it."""
    try:
        yield
    except FileError as error:
        raise FileError(error.code, **{**error.params, "name": one_line_name(name)}) from error


def _read(path: Path) -> bytes:
    try:
        # Not to wait for a pipe that nobody writes to.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(number, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileError("file.no_file")
            if status.st_size > MOST_FILE_BYTES:
                raise FileError("file.too_large", size=megabytes(status.st_size), limit=megabytes(MOST_FILE_BYTES))
            return file.read(MOST_FILE_BYTES + 1)
    except IsADirectoryError as error:
        raise FileError("file.no_file") from error
    except (OSError, ValueError) as error:
        detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise FileError("file.unreadable", detail=f"{detail}.") from error
