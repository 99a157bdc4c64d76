"""Builds memory from concrete parts: the store's items and texts, vectors, recall, and documents."""

import logging

from desktop.agent.recaller import DEADLINE_SECONDS, MemoryRecaller
from desktop.app.vector_parts import VectorParts
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.core.secrets import SecretStore
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.document_service import DocumentService
from desktop.memory.recall import RecallRules, RecallService
from desktop.memory.service import MemoryService
from desktop.storage.document_files import UserFiles
from desktop.storage.document_reader import DocumentReaderProcess
from desktop.storage.store import Store

logger = logging.getLogger(__name__)

_COLD_SECONDS = 10.0
_SHARE_OF_SEARCH = 0.8
"""Of the deadline: the rest is for wishes, and for where what was found comes from."""


class MemoryParts:
    """Memory as the settings want it, and as they change. ``start`` it when work is expected; ``close`` it at the end."""

    def __init__(
        self,
        store: Store,
        paths: DataPaths,
        tasks: TaskSupervisor,
        settings: SettingsStore,
        secrets: SecretStore,
        *,
        is_cold: bool = False,
    ) -> None:
        """``is_cold``: each answer is a program's first, so that it may wait longer for memory."""
        deadline = _COLD_SECONDS if is_cold else DEADLINE_SECONDS
        self._store = store
        self._vectors = VectorParts(store.passages, paths.vectors, tasks, settings, secrets)
        self._indexing = self._vectors.indexing
        self.service = MemoryService(
            items=store.memory,
            passages=store.passages,
            indexing=self._indexing,
            recall=RecallService(
                store.passages, self._indexing, RecallRules(deadline_seconds=_SHARE_OF_SEARCH * deadline)
            ),
        )
        self.documents = DocumentService(
            repository=store.documents,
            files=UserFiles(paths.root),
            reader=DocumentReaderProcess(),
            indexing=self._indexing,
            tasks=tasks,
        )
        """Files as knowledge."""
        self.service.asked.connect(self.documents.look_soon)
        self.recaller = MemoryRecaller(
            self.service,
            repository=store.threads,
            taints=store.taints,
            usual=lambda: settings.settings.memory.use,
            is_paused=lambda: settings.settings.memory.is_paused,
            without_forgotten=store.summaries.without_forgotten,
            tasks=tasks,
            deadline_seconds=deadline,
        )
        """What tells answers of what was said before."""

    def start(self) -> None:
        """Begin to bring vectors up to date in the background; harmless when that goes on already."""
        self._vectors.start()
        self.documents.start()

    async def finish_forgetting(self) -> None:
        """Begin at once where the index of vectors did not follow what was removed before the last end."""
        try:
            if await self._store.passages.owes_erasing():
                self.start()
        except StorageError as error:
            logger.warning("the index of vectors forgets later: %s", error)

    async def catch_up_words(self) -> None:
        """Let what was said last be found by its words; for whoever asks without ``start``."""
        try:
            await self._store.passages.catch_up()
        except StorageError as error:
            logger.warning("the newest texts are not recalled: %s", error)

    async def close(self) -> None:
        """End what runs."""
        await self.documents.close()
        await self._vectors.close()
