"""Documents in SQLite: the ``DocumentRepository`` of the app."""

import sqlite3
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from desktop.core.clock import Clock, utc_now
from desktop.core.receipt import Receipt
from desktop.memory.documents import (
    Document,
    DocumentPiece,
    DocumentRepository,
    DocumentRoot,
    Look,
    ReadDocument,
    RootSummary,
)
from desktop.storage import document_rows, purge
from desktop.storage.database import Database


class SqliteDocumentRepository(DocumentRepository):
    """See ``memory.documents.DocumentRepository``."""

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def add_root(self, root: DocumentRoot, files: Sequence[Path] = ()) -> bool:
        return await self._database.write(lambda c: document_rows.add_root(c, root, files), needs_room=True)

    async def roots(self) -> tuple[DocumentRoot, ...]:
        return tuple((await self._database.read(document_rows.roots)).values())

    async def summaries(self) -> tuple[RootSummary, ...]:
        return await self._database.read(document_rows.summaries)

    async def documents(self, root_id: str) -> tuple[Document, ...]:
        return await self._database.read(lambda c: document_rows.documents(c, root_id))

    async def note_look(self, root_id: str, look: Look | None) -> bool:
        return await self._database.write(lambda c: document_rows.note_look(c, root_id, look))

    async def read_again(self, root_id: str) -> None:
        await self._database.write(lambda c: document_rows.read_again(c, root_id))

    async def next_waiting(self, limit: int) -> tuple[Document, ...]:
        return await self._database.read(lambda c: document_rows.next_waiting(c, limit))

    async def take_in(self, files: Sequence[ReadDocument]) -> None:
        def take_in(connection: sqlite3.Connection) -> None:
            for file in files:
                document_rows.take_in(connection, file)

        if files:
            await self._database.write(take_in, needs_room=True)

    async def begin(self, document_id: str) -> bool:
        return await self._database.write(lambda c: document_rows.begin(c, document_id))

    async def put(self, document_id: str, first: int, pieces: Sequence[DocumentPiece]) -> bool:
        return await self._database.write(lambda c: document_rows.put(c, document_id, first, pieces), needs_room=True)

    async def finish(self, document: Document) -> None:
        while await self._database.write(partial(document_rows.remove_left, document_id=document.id)):
            pass
        await self._database.write(lambda c: document_rows.finish(c, document))

    async def remove(self, root_id: str) -> None:
        await self._database.write(lambda c: document_rows.mark_removed(c, root_id, self._clock()))

    async def restore(self, root_id: str) -> None:
        await self._database.write(lambda c: document_rows.restore(c, root_id))

    async def purge(self, root_ids: Sequence[str] | None = None) -> Receipt:
        return await purge.purge_documents(self._database, root_ids)

    async def document_of(self, piece_id: str) -> Document | None:
        return await self._database.read(lambda c: document_rows.document_of(c, piece_id))
