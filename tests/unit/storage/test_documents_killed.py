"""A process that is killed while it reads documents: what was stored agrees, and the next start ends what was begun."""

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor
from desktop.memory.document_service import DocumentService
from desktop.memory.documents import DocumentState
from desktop.memory.entities import PassageKind, RecallScope
from desktop.memory.indexing import MemoryIndexing
from desktop.storage.document_files import UserFiles
from desktop.storage.document_reader import DocumentReaderProcess
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store, open_store

FILES = 40


def service_of(store: Store, data: Path, tasks: TaskSupervisor) -> tuple[DocumentService, DocumentReaderProcess]:
    reader = DocumentReaderProcess()
    indexing = MemoryIndexing(store.passages, NumpyVectorIndex(), tasks, embedder=None)
    service = DocumentService(
        repository=store.documents, files=UserFiles(data), reader=reader, indexing=indexing, tasks=tasks
    )
    return service, reader


async def read_all(folder: Path, *, removes: bool) -> None:
    """What the process does that is killed: add, read, and with ``removes`` remove for good, again and again."""
    store, tasks = await open_store(DataPaths(folder / "data")), TaskSupervisor()
    service, _ = service_of(store, folder / "data", tasks)
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    await service.add([folder / "files"], only_thread_id=None)
    while removes:
        await service.catch_up()
        for root in await store.documents.roots():
            await store.documents.remove(root.id)
        await store.documents.purge()
        await service.add([folder / "files"], only_thread_id=None)
    await asyncio.sleep(60)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(20 if metafunc.config.getoption("long") else 2))


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 as on POSIX")
@pytest.mark.parametrize("removes", [False, True], ids=["reading", "removing"])
async def test_what_was_begun_is_ended_at_the_next_start(tmp_path: Path, seed: int, removes: bool) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.md").write_text(f"# Number {number}\n\nThe word of it is w{number}. " * 60)
    program = (
        "import asyncio, pathlib, sys\nfrom tests.unit.storage.test_documents_killed import read_all\n"
        f"asyncio.run(read_all(pathlib.Path({str(tmp_path)!r}), removes={removes}))"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)  # noqa: ASYNC220
    assert process.stdout is not None
    await asyncio.to_thread(process.stdout.readline)
    await asyncio.to_thread(time.sleep, random.Random(seed).uniform(0.1, 1.2))
    process.send_signal(signal.SIGKILL)
    await asyncio.to_thread(process.wait)
    process.stdout.close()

    store, tasks = await open_store(DataPaths(tmp_path / "data")), TaskSupervisor()
    service, reader = service_of(store, tmp_path / "data", tasks)
    try:
        await service.purge()
        await service.add([folder], only_thread_id=None)
        service._looks_wanted = True  # pyright: ignore[reportPrivateUsage]
        await service.catch_up()
        await service.close()
        await service.catch_up()
        (summary,) = await service.summaries()
        assert summary.count(DocumentState.READY) == FILES
        whole = (await store.database.read(_counts))[:2]
        assert len(set(whole)) == 1, "every piece is indexed, and none is left of what went"
        assert summary.pieces == whole[0]
        hits = await store.passages.by_words("w7", PassageKind.DOCUMENT, 10, RecallScope())
        assert hits
        assert (await store.database.read(_counts))[2] == FILES, "each file once"
    finally:
        await reader.rest()
        await service.close()
        await tasks.close()
        await store.close()


def _counts(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """How many pieces there are, how many of them are in the index, and of how many files they are."""
    pieces = connection.execute("SELECT count(*), count(DISTINCT document_seq) FROM document_pieces").fetchone()
    indexed = connection.execute("SELECT count(*) FROM document_recall_docsize").fetchone()
    return pieces[0], indexed[0], pieces[1]
