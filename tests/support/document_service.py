"""Documents as knowledge for a window without the app's container: over a store, or over none."""

from collections.abc import Sequence
from pathlib import Path

from desktop.core.receipt import Receipt
from desktop.core.tasks import TaskSupervisor
from desktop.memory.document_service import DocumentService
from desktop.memory.documents import (
    Document,
    DocumentPiece,
    DocumentRepository,
    DocumentRoot,
    Look,
    ReadDocument,
    RootSummary,
)
from desktop.memory.indexing import MemoryIndexing
from desktop.storage.document_files import UserFiles
from desktop.storage.document_reader import DocumentReaderProcess


class NoDocuments(DocumentRepository):
    """Nothing was ever added, and nothing can be."""

    async def add_root(self, root: DocumentRoot, files: Sequence[Path] = ()) -> bool:
        return False

    async def roots(self) -> tuple[DocumentRoot, ...]:
        return ()

    async def summaries(self) -> tuple[RootSummary, ...]:
        return ()

    async def documents(self, root_id: str) -> tuple[Document, ...]:
        return ()

    async def note_look(self, root_id: str, look: Look | None) -> bool:
        return False

    async def read_again(self, root_id: str) -> None: ...

    async def next_waiting(self, limit: int) -> tuple[Document, ...]:
        return ()

    async def take_in(self, files: Sequence[ReadDocument]) -> None: ...

    async def begin(self, document_id: str) -> bool:
        return False

    async def put(self, document_id: str, first: int, pieces: Sequence[DocumentPiece]) -> bool:
        return False

    async def finish(self, document: Document) -> None: ...

    async def remove(self, root_id: str) -> None: ...

    async def restore(self, root_id: str) -> None: ...

    async def purge(self, root_ids: Sequence[str] | None = None) -> Receipt:
        return Receipt()

    async def document_of(self, piece_id: str) -> Document | None:
        return None


def document_service(
    repository: DocumentRepository, indexing: MemoryIndexing, tasks: TaskSupervisor, never: Path = Path("/nowhere")
) -> DocumentService:
    """Return the service; ``never`` is the app's own folder."""
    return DocumentService(
        repository=repository,
        files=UserFiles(never),
        reader=DocumentReaderProcess(),
        indexing=indexing,
        tasks=tasks,
    )
