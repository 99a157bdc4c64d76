"""What the app asks of memory, over any store, with words alone."""

from desktop.core.tasks import TaskSupervisor
from desktop.memory.indexing import MemoryIndexing
from desktop.memory.ports import Embedder, MemoryRepository, PassageStore
from desktop.memory.recall import RecallService
from desktop.memory.service import MemoryService
from desktop.storage.numpy_vector_index import NumpyVectorIndex


def memory_service(
    items: MemoryRepository, passages: PassageStore, tasks: TaskSupervisor, *, embedder: Embedder | None = None
) -> MemoryService:
    indexing = MemoryIndexing(passages, NumpyVectorIndex(), tasks, embedder=embedder)
    recall = RecallService(passages, indexing)
    return MemoryService(items=items, passages=passages, indexing=indexing, recall=recall)
