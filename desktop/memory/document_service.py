"""Documents as knowledge, as the app uses them: added, read in the background, kept up to date, removed with every byte."""

import asyncio
import dataclasses
import hashlib
import logging
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

from desktop.core.clock import Clock, utc_now
from desktop.core.errors import FileError, StorageError
from desktop.core.ids import new_id
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.memory.documents import (
    Document,
    DocumentFiles,
    DocumentPiece,
    DocumentReader,
    DocumentRepository,
    DocumentRoot,
    DocumentState,
    Progress,
    ReadDocument,
    RootSummary,
)
from desktop.memory.indexing import MemoryIndexing

logger = logging.getLogger(__name__)

LOOK_EVERY_SECONDS = 5.0
"""No more often are the files looked at; and where looking takes long, so many times longer is waited:"""
_PATIENCE = 20
_PUT_AT_ONCE = 50
_FILES_AT_ONCE = 32


@dataclass(frozen=True)
class ReadingState:
    """What is being read now."""

    document: Document | None = None
    progress: Progress = field(default_factory=Progress)


class DocumentService:
    """Every change of documents goes through here. ``start`` it when work is expected; ``close`` it at the end.

    What is removed can be restored until it is purged: by whoever offered Undo, else by whoever opens the data folder next.

    Signals:
        changed: documents came, changed, were read or went.
        reading_changed: another file is being read, or it is further.
    """

    def __init__(
        self,
        *,
        repository: DocumentRepository,
        files: DocumentFiles,
        reader: DocumentReader,
        indexing: MemoryIndexing,
        tasks: TaskSupervisor,
        clock: Clock = utc_now,
    ) -> None:
        self._repository = repository
        self._files = files
        self._reader = reader
        self._indexing = indexing
        self._tasks = tasks
        self._clock = clock
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._looks_wanted = False
        self._next_look = 0.0
        self.reading = ReadingState()
        self.changed: Signal[[]] = Signal()
        self.reading_changed: Signal[ReadingState] = Signal()

    def start(self) -> None:
        """Begin to look at the files and to read what is new, in the background; harmless when that goes on already."""
        if self._task is None:
            self._task = self._tasks.spawn(self._run(), name="read documents")
            self.look_soon()

    async def close(self) -> None:
        """End what runs; what was begun goes on at the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            await self._reader.rest()

    # -- what the user does -----------------------------------------------------------------------------------------

    async def add(self, paths: Sequence[Path], *, only_thread_id: str | None) -> tuple[DocumentRoot, ...]:
        """Add files and folders for one thread, or with None for all; return those that were not there already.

        They are read in the background. Raises ``FileError`` for what is neither file nor folder, and ``StorageError``.
        """
        added: list[DocumentRoot] = []
        for path in paths:
            place, is_folder = await asyncio.to_thread(_resolved, path)
            root = DocumentRoot(
                id=new_id(), path=place, is_folder=is_folder, added_at=self._clock(), only_thread_id=only_thread_id
            )
            if await self._repository.add_root(root):
                added.append(root)
        if added:
            self.changed.emit()
            self.start()
            self._look_now()
        return tuple(added)

    async def take_in(self, roots: Sequence[tuple[DocumentRoot, Sequence[Path]]]) -> int:
        """Add what another library had, with the files that it saw there; return how many were not here already.

        What of it is on this computer is read in the background, the rest is shown as gone. Raises ``StorageError``.
        """
        added = 0
        for root, files in roots:
            added += await self._repository.add_root(dataclasses.replace(root, id=new_id(), left_out={}), files)
        if added:
            self.changed.emit()
            self.start()
            self._look_now()
        return added

    async def summaries(self) -> tuple[RootSummary, ...]:
        """Return everything that was added, and how far it is."""
        return await self._repository.summaries()

    async def documents(self, root_id: str) -> tuple[Document, ...]:
        """Return the files of a root."""
        return await self._repository.documents(root_id)

    async def document_of(self, piece_id: str) -> Document | None:
        """Return the file that a piece is of; None where it is no longer known."""
        return await self._repository.document_of(piece_id)

    async def read_again(self, root_id: str) -> None:
        """Read all of a root once more."""
        await self._repository.read_again(root_id)
        self.changed.emit()
        self.start()
        self._look_now()

    async def remove(self, root_id: str) -> None:
        """Let a root count no more, at once; ``purge`` it when nobody may want it back any more."""
        await self._repository.remove(root_id)
        self.changed.emit()

    async def restore(self, root_id: str) -> None:
        """Take a removal back."""
        await self._repository.restore(root_id)
        self.changed.emit()
        self._look_now()

    async def purge(self, root_ids: Sequence[str] | None = None) -> Receipt:
        """Remove what was removed (all of it with None) for good: text, words and vectors leave the disk."""
        receipt = await self._repository.purge(root_ids)
        return receipt if receipt.is_empty else await self._indexing.follow_removal(receipt)

    def look_soon(self) -> None:
        """Look at the files whether they changed, beside everything else; not more often than every few seconds."""
        if time.monotonic() >= self._next_look:
            self._look_now()

    def _look_now(self) -> None:
        self._looks_wanted = True
        self._wanted.set()

    # -- in the background --------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self.catch_up()
            except StorageError as error:
                logger.warning("documents are brought up to date later: %s", error)

    async def catch_up(self) -> None:
        """Look at all files, and read what is new or changed. Raises ``StorageError``."""
        while True:
            if self._looks_wanted:
                self._looks_wanted = False
                await self._look()
            waiting = await self._repository.next_waiting(_FILES_AT_ONCE)
            if not waiting:
                break
            read = [await self._read(document) for document in waiting]
            await self._repository.take_in([one for one in read if one is not None])
            self.changed.emit()
            self._indexing.wake()
        self._show(ReadingState())
        await self._reader.rest()

    async def _look(self) -> None:
        begun = time.monotonic()
        is_changed = False
        for root in await self._repository.roots():
            look = await self._files.look(root)
            is_changed |= await self._repository.note_look(root.id, look)
        now = time.monotonic()
        self._next_look = now + max(LOOK_EVERY_SECONDS, _PATIENCE * (now - begun))
        if is_changed:
            self.changed.emit()

    async def _read(self, document: Document) -> ReadDocument | None:
        """Return what became of a file; None where that is stored already."""
        self._show(ReadingState(document))
        try:
            data = await self._files.read(document.path)
            digest, modified = await asyncio.to_thread(
                lambda: (hashlib.sha256(data).digest(), _figures(document.path)[1])
            )
            done = dataclasses.replace(
                document,
                state=DocumentState.READY,
                size=len(data),
                modified=modified,
                digest=digest,
                read_at=self._clock(),
                reason="",
                reason_params={},
            )
            if digest == document.digest:
                return ReadDocument(document=dataclasses.replace(done, read_at=document.read_at), pieces=None)
            return await self._pieces_of(document, data, done)
        except FileError as error:
            return await self._failed(document, error)
        except OSError as error:
            return await self._failed(document, FileError("file.unreadable", detail=f"{error.strerror or error}."))

    async def _pieces_of(self, document: Document, data: bytes, done: Document) -> ReadDocument | None:
        """Return the pieces of a small file; those of a large one are stored while they come."""
        progress = Progress()

        def told(now: Progress) -> None:
            nonlocal progress
            progress = now
            self._show(ReadingState(document, now))

        number = 0
        batch: list[DocumentPiece] = []
        async with aclosing(self._reader.pieces(document.path.name, data, told)) as pieces:
            async for piece in pieces:
                if len(batch) == _PUT_AT_ONCE:
                    if number == 0 and not await self._repository.begin(document.id):
                        return None
                    if not await self._repository.put(document.id, number, batch):
                        return None  # removed meanwhile
                    number, batch = number + len(batch), []
                batch.append(piece)
        done = dataclasses.replace(done, parts=progress.total, parts_read=progress.done)
        if number == 0:
            return ReadDocument(document=done, pieces=batch)
        await self._repository.put(document.id, number, batch)
        await self._repository.finish(done)
        return None

    async def _failed(self, document: Document, error: FileError) -> ReadDocument:
        """What was read of it before goes: it is not what the file holds now."""
        params = {name: value for name, value in error.params.items() if isinstance(value, str | int)}
        try:
            size, modified = await asyncio.to_thread(_figures, document.path)
        except OSError:
            size, modified = document.size, document.modified
        failed = dataclasses.replace(
            document,
            state=DocumentState.FAILED,
            size=size,
            modified=modified,
            digest=None,
            read_at=self._clock(),
            reason=error.code,
            reason_params=params,
        )
        return ReadDocument(document=failed, pieces=())

    def _show(self, state: ReadingState) -> None:
        if state != self.reading:
            self.reading = state
            self.reading_changed.emit(state)


def _resolved(path: Path) -> tuple[Path, bool]:
    try:
        place = path.resolve(strict=True)
        str(place).encode()
        if place.is_dir():
            return place, True
        if place.is_file():
            return place, False
    except (OSError, ValueError, RuntimeError) as error:
        detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise FileError("file.unreadable", name=path.name, detail=f"{detail}.") from error
    raise FileError("file.no_file", name=path.name)


def _figures(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns
