"""An index of vectors in memory: a matrix for each kind, multiplied whole; exact, quick up to some ten thousands."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from desktop.core.errors import RecallError
from desktop.core.imports import import_quietly
from desktop.core.serial_thread import SerialThread
from desktop.memory.entities import PassageKind
from desktop.memory.ports import Near, Vector, kind_of
from desktop.storage.vectors import pieces, require_vector, require_vectors

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Matrix = NDArray[numpy.float32]

_PIECE = 500
"""Vectors that are taken in at once: some milliseconds, between which questions have their turn."""


class NumpyVectorIndex:
    """See ``memory.ports.VectorIndex``. Empty when it is opened, and of another process nothing is seen."""

    def __init__(self) -> None:
        self._thread = SerialThread("vectors in memory")
        self._rows: dict[PassageKind, _Rows] | None = None
        self._dimensions = 0

    @property
    def is_makeshift(self) -> bool:
        return False

    async def open(self, embedder_id: str, dimensions: int) -> int:
        def begin() -> None:
            import_quietly("numpy")
            self._dimensions = dimensions
            self._rows = {kind: _Rows(dimensions) for kind in PassageKind}

        await self._thread.run(begin)
        return 0

    async def put(self, vectors: Mapping[str, Vector]) -> None:
        for piece in pieces(list(vectors), _PIECE):
            await self._thread.run(lambda piece=piece: self._put({key: vectors[key] for key in piece}))

    async def remove(self, keys: Sequence[str]) -> None:
        for piece in pieces(keys, _PIECE):
            await self._thread.run(lambda piece=piece: self._remove(piece))

    async def keys(self) -> frozenset[str]:
        return await self._thread.run(lambda: frozenset(key for rows in self._all().values() for key in rows.keys))

    async def nearest(self, vector: Vector, count: int, kind: PassageKind) -> list[Near]:
        require_vector(vector, self._dimensions)
        return await self._thread.run(lambda: self._all()[kind].nearest(vector, count))

    async def erase(self) -> None:
        """What was removed was overwritten at once."""
        self._all()

    async def clear(self) -> None:
        def empty() -> None:
            self._rows = {kind: _Rows(rows.dimensions) for kind, rows in self._all().items()}

        await self._thread.run(empty)

    async def close(self) -> None:
        await self._thread.close()
        self._rows = None

    def _put(self, vectors: Mapping[str, Vector]) -> None:
        require_vectors(vectors, self._dimensions)
        for key, vector in vectors.items():
            self._all()[kind_of(key)].put(key, vector)

    def _remove(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._all()[kind_of(key)].remove(key)

    def _all(self) -> "dict[PassageKind, _Rows]":
        if self._rows is None:
            raise RecallError("memory.index_broken", detail="The index is not open.")
        return self._rows


class _Rows:
    """The vectors of one kind, without gaps: what is removed is overwritten by the last one."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.keys: list[str] = []
        self._places: dict[str, int] = {}
        self._matrix = _zeros(0, dimensions)

    def put(self, key: str, vector: Vector) -> None:
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.keys)
            self.keys.append(key)
            self._make_room()
        self._matrix[place] = _row(vector)

    def remove(self, key: str) -> None:
        place = self._places.pop(key, None)
        if place is None:
            return
        last_key, last = self.keys.pop(), len(self.keys)
        if last_key != key:
            self._matrix[place] = self._matrix[last]
            self.keys[place] = last_key
            self._places[last_key] = place
        self._matrix[last] = 0

    def nearest(self, vector: Vector, count: int) -> list[Near]:
        distances = -(self._matrix[: len(self.keys)] @ _row(vector))
        places = distances.argpartition(count)[:count] if count < len(distances) else distances.argsort()
        best = places[distances[places].argsort(kind="stable")]
        return [Near(self.keys[place], -float(distances[place])) for place in best.tolist()]

    def _make_room(self) -> None:
        if len(self.keys) > len(self._matrix):
            larger = _zeros(max(256, 2 * len(self._matrix)), self.dimensions)
            larger[: len(self._matrix)] = self._matrix
            self._matrix = larger


def _zeros(rows: int, dimensions: int) -> "Matrix":
    import numpy

    return numpy.zeros((rows, dimensions), "<f4")


def _row(vector: Vector) -> "Matrix":
    import numpy

    return numpy.frombuffer(vector, "<f4")
