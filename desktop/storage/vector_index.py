"""The index of vectors that the app uses: Chroma's on the disk, and one in memory where that cannot be had."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from desktop.core.errors import RecallError
from desktop.memory.entities import PassageKind
from desktop.memory.ports import Near, Vector, VectorIndex

logger = logging.getLogger(__name__)


class FallbackVectorIndex:
    """See ``memory.ports.VectorIndex``. What cannot be opened is begun anew; when not even that is possible, the other
    one takes over until the next ``open``. ``holds_nothing`` tells whether nothing can be left in the first one then, and
    ``server`` the address of the one that it is at."""

    def __init__(
        self,
        first: VectorIndex,
        other: VectorIndex,
        *,
        holds_nothing: Callable[[], bool] = lambda: False,
        server: str = "",
    ) -> None:
        self._first = first
        self._other = other
        self._holds_nothing = holds_nothing
        self._server = server
        self._used = first
        self._opened = ("", 0)

    @property
    def is_makeshift(self) -> bool:
        return self._used is self._other

    async def open(self, embedder_id: str, dimensions: int) -> int:
        self._opened = embedder_id, dimensions
        self._used = self._first
        try:
            return await self._first.open(embedder_id, dimensions)
        except RecallError as error:
            logger.warning("the index of vectors is begun anew: %s", error)
            await self.clear()
            return 0

    async def clear(self) -> None:
        try:
            return await self._used.clear()
        except RecallError as error:
            if self._used is self._other:
                raise
            logger.warning("vectors are kept in memory: %s", error)
        await self._other.open(*self._opened)
        self._used = self._other
        return None

    async def put(self, vectors: Mapping[str, Vector]) -> None:
        await self._used.put(vectors)

    async def remove(self, keys: Sequence[str]) -> None:
        await self._used.remove(keys)

    async def keys(self) -> frozenset[str]:
        return await self._used.keys()

    async def nearest(self, vector: Vector, count: int, kind: PassageKind) -> list[Near]:
        return await self._used.nearest(vector, count, kind)

    async def erase(self) -> None:
        await self._used.erase()
        if self.is_makeshift and not await asyncio.to_thread(self._holds_nothing):
            raise RecallError("memory.index_waits", server=self._server)

    async def close(self) -> None:
        await self._first.close()
        await self._other.close()
