"""A program for kill tests: ``FOLDER read|remove``: reads documents; ``remove`` also takes them out again, without end."""

import asyncio
import json
import sys
from pathlib import Path

from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor
from desktop.memory.document_service import DocumentService
from desktop.memory.indexing import MemoryIndexing
from desktop.storage.document_files import UserFiles
from desktop.storage.document_reader import DocumentReaderProcess
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store, open_store


def service_of(store: Store, data: Path, tasks: TaskSupervisor) -> tuple[DocumentService, DocumentReaderProcess]:
    """The documents of a store, compared by words alone, and the process that reads them."""
    reader = DocumentReaderProcess()
    indexing = MemoryIndexing(store.passages, NumpyVectorIndex(), tasks, embedder=None)
    service = DocumentService(
        repository=store.documents, files=UserFiles(data), reader=reader, indexing=indexing, tasks=tasks
    )
    return service, reader


async def main(folder: Path, what: str) -> None:
    store, tasks = await open_store(DataPaths(folder / "data")), TaskSupervisor()
    service, _ = service_of(store, folder / "data", tasks)
    sys.stdout.write(json.dumps({"kind": "begun"}) + "\n")
    sys.stdout.flush()
    await service.add([folder / "files"], only_thread_id=None)
    while what == "remove":
        await service.catch_up()
        for root in await store.documents.roots():
            await store.documents.remove(root.id)
        await store.documents.purge()
        await service.add([folder / "files"], only_thread_id=None)
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
