"""Keeps what tool calls brought back beside their text: bytes on disk, images read by a process of their own."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from desktop.conversation.entities import AttachmentKind
from desktop.conversation.file_kinds import kind_of
from desktop.conversation.ports import AttachmentStore, FileReader
from desktop.core.errors import FileError, StorageError
from desktop.core.tasks import run_all
from desktop.core.tool_content import ItemKind, ItemProblem, ReceivedItem, ResultItem

MOST_IMAGES_READ = 20
"""Of one result; further ones are kept as files. Each takes a process and some tenths of a second."""
_AT_ONCE = 2

logger = logging.getLogger(__name__)


class ResultFiles:
    """Puts bytes into the store. They belong to no thread until the journal has the result that names them."""

    def __init__(self, store: AttachmentStore, reader: FileReader) -> None:
        self._store = store
        self._reader = reader

    async def keep(self, received: Sequence[ReceivedItem]) -> tuple[ResultItem, ...]:
        """Return the items as they are kept. Never raises for one of them: what cannot be kept says so itself."""
        images = [one for one in received if one.data is not None and one.item.kind is ItemKind.IMAGE]
        read = {id(one) for one in images[:MOST_IMAGES_READ]}
        calls = [partial(self._keep, one, is_read=id(one) in read) for one in received]
        return tuple(await run_all(calls, at_once=_AT_ONCE))

    async def _keep(self, received: ReceivedItem, *, is_read: bool) -> ResultItem:
        item, data = received.item, received.data
        if data is None:
            return item
        try:
            return await (self._keep_image(item, data) if is_read else self._keep_file(item, data))
        except StorageError as error:
            logger.warning("something that a tool returned could not be kept: %s", error.code)
            return replace(item, problem=ItemProblem.NOT_KEPT, file_name="")

    async def _keep_image(self, item: ResultItem, data: bytes) -> ResultItem:
        """What it is goes by its bytes: SVG, HTML and everything else that is no picture is kept as a file."""
        try:
            if kind_of(data) is not AttachmentKind.IMAGE:
                raise FileError("file.picture_unreadable")
            picture = await self._reader.picture(data)
        except FileError as error:
            logger.info("an image of a tool cannot be shown: %s", error.code)
            return await self._keep_file(replace(item, problem=ItemProblem.NO_PICTURE), data)
        attachment_id = await self._store.add(
            data, suffix=f".{picture.file_format}", sent=picture.data, thumbnail=picture.thumbnail
        )
        return replace(
            item,
            attachment_id=attachment_id,
            width=picture.width,
            height=picture.height,
            sent_type=picture.media_type,
            sent_size=len(picture.data),
        )

    async def _keep_file(self, item: ResultItem, data: bytes) -> ResultItem:
        attachment_id = await self._store.add(data, suffix=PurePath(item.file_name).suffix)
        return replace(item, attachment_id=attachment_id)
