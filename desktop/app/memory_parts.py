"""Builds memory from concrete parts: the store's items and texts, what makes vectors, and where these are looked up."""

import logging

from desktop.core.memory_settings import EmbedderKind, MemorySettings
from desktop.core.paths import DataPaths
from desktop.core.settings import Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.indexing import MemoryIndexing
from desktop.memory.ports import Embedder
from desktop.memory.recall import RecallService
from desktop.memory.service import MemoryService
from desktop.providers.bundled_embedder import BundledEmbedder
from desktop.storage.chroma_vector_index import ChromaVectorIndex
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store
from desktop.storage.vector_index import FallbackVectorIndex

logger = logging.getLogger(__name__)


class MemoryParts:
    """Memory as the settings want it, and as they change. ``start`` it when work is expected; ``close`` it at the end."""

    def __init__(self, store: Store, paths: DataPaths, tasks: TaskSupervisor, settings: SettingsStore) -> None:
        self._bundled = BundledEmbedder()
        self._chosen = settings.settings.memory
        index = FallbackVectorIndex(ChromaVectorIndex(paths.vectors), NumpyVectorIndex())
        self._indexing = MemoryIndexing(store.passages, index, tasks, embedder=self._embedder(self._chosen))
        self.service = MemoryService(
            items=store.memory,
            passages=store.passages,
            indexing=self._indexing,
            recall=RecallService(store.passages, self._indexing),
        )
        settings.changed.connect(self._follow)

    def start(self) -> None:
        """Begin to bring vectors up to date in the background; harmless when that goes on already."""
        self._indexing.start()

    async def close(self) -> None:
        """End what runs."""
        await self._indexing.close()
        await self._bundled.close()

    def _follow(self, settings: Settings) -> None:
        if settings.memory != self._chosen:
            self._chosen = settings.memory
            self._indexing.use(self._embedder(settings.memory))

    def _embedder(self, chosen: MemorySettings) -> Embedder | None:
        return None if chosen.embedder is EmbedderKind.NONE else self._bundled
