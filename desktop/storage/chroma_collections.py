"""Vectors in Chroma: a collection for each kind, in a folder of its own or at a server, and how their bytes leave a folder."""

import contextlib
import itertools
import os
import sqlite3
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from desktop.core.ids import new_id
from desktop.memory.entities import PassageKind
from desktop.memory.ports import key_of, kind_of
from desktop.storage.vectors import pieces

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_SAMPLE = 25
_LIKE_ITSELF = 0.999
_PAGE = 20_000
"""Names that are asked for at once: for each page Chroma goes through all before it."""
_SYNC_THRESHOLD = 1_000
"""After so many changes Chroma writes its graph to the disk. Its own choice, too."""
_SOON = 2
"""The least that it takes."""
_HNSW = {
    "space": "cosine",
    # Above the standard: of fifty that are asked for, all that are near are found.
    "ef_search": 200,
    # The other processors are for the window.
    "num_threads": 1,
    "sync_threshold": _SYNC_THRESHOLD,
}
_MOST_SHADOWS = 0.2
"""Which part of a graph may consist of what was overwritten: it is walked through, too."""
_LEAST_SHADOWS = 200
_LEAST_ROOM = 100
"""For which each graph has its files made."""
_LOOKED_FOR = 8
"""Of the vectors that were overwritten, so many are looked for in the files afterwards."""
_ALIKE = 1e-5
_LOOKED_THROUGH_AT_ONCE = 1 << 18
"""Numbers: what the processor keeps at hand."""
_GRAPH_HEADER = struct.Struct("<iQQQQ")
"""Of a graph's ``header.bin``: its version, where it begins, for how many it has room, how many it holds, and the bytes
of each."""
_GRAPH_VERSION = 1
_ZEROED_AT_ONCE = 1 << 20


class DamagedError(Exception):
    """The index does not hold what it says."""


class Collections:
    """What one client of Chroma's keeps for one embedder: no question needs a filter, which Chroma is slow at."""

    def __init__(self, client: Any, mark: str, *, held: Mapping[PassageKind, set[str]] | None = None) -> None:
        """Open the collections, and make those that are not there yet. ``held`` is what they hold, where that is known:
        Chroma takes long to tell."""
        self._client = client
        self._names = {kind: collection_name(kind, mark) for kind in PassageKind}
        self._collections: dict[PassageKind, Collection] = {
            kind: client.get_or_create_collection(name, embedding_function=None, configuration={"hnsw": _HNSW})
            for kind, name in self._names.items()
        }
        self._keys = held or {kind: _held(kind, collection) for kind, collection in self._collections.items()}

    @property
    def is_counted_right(self) -> bool:
        """Whether the index holds as much as is known of."""
        return all(collection.count() == len(self._keys[kind]) for kind, collection in self._collections.items())

    def check(self, dimensions: int) -> None:
        """Raise ``DamagedError`` where some of what the index says to hold is not found."""
        if not self.is_counted_right:
            raise DamagedError("the index has lost count of what it holds")
        for kind, known in self._keys.items():
            keys = sorted(known)
            sample = keys[:: max(1, len(keys) // _SAMPLE)]
            for key, row in zip(*self.vectors(kind, sample), strict=True):
                if len(row) != dimensions:
                    raise DamagedError(f"the index holds vectors of {len(row)} numbers")
                # A text that could not be embedded has a vector of zeros, which is near to nothing, itself included.
                if row.any() and not any(
                    near == key or cosine > _LIKE_ITSELF for near, cosine in self.nearest(kind, row, 3)
                ):
                    raise DamagedError("the index does not find what it holds")

    def __len__(self) -> int:
        return sum(map(len, self._keys.values()))

    @property
    def keys(self) -> Iterable[str]:
        return (key for keys in self._keys.values() for key in keys)

    def pieces(self, size: int) -> Iterable[list[str]]:
        """Return all keys, in pieces of one kind each."""
        return (list(piece) for keys in self._keys.values() for piece in pieces(sorted(keys), size))

    def held(self, keys: Iterable[str]) -> bool:
        """Whether one of these is there."""
        return any(key in self._keys[kind_of(key)] for key in keys)

    def put(self, keys: list[str], rows: Any) -> None:
        """Add or replace."""
        for kind in PassageKind:
            places = [place for place, key in enumerate(keys) if kind_of(key) == kind]
            if places:
                own = [keys[place] for place in places]
                self._collections[kind].upsert(ids=own, embeddings=[rows[place] for place in places])
                self._keys[kind].update(own)

    def remove(self, keys: Iterable[str]) -> None:
        """Let these not be found any more."""
        by_kind = itertools.groupby(sorted(keys, key=kind_of), kind_of)
        for kind, of_kind in by_kind:
            if own := [key for key in of_kind if key in self._keys[kind]]:
                self._collections[kind].delete(ids=own)
                self._keys[kind].difference_update(own)

    def vectors(self, kind: PassageKind, keys: list[str]) -> tuple[list[str], Any]:
        if not keys:
            return [], []
        answer = self._collections[kind].get(ids=keys, include=["embeddings"])
        if len(answer["ids"]) != len(keys):
            raise DamagedError(f"{len(answer['ids'])} of {len(keys)} vectors are there")
        return answer["ids"], answer["embeddings"]

    def nearest(self, kind: PassageKind, row: Any, count: int) -> list[tuple[str, float]]:
        most = min(count, len(self._keys[kind]))
        if most < 1:
            return []
        # Never by a text: that would let a folder name a function of Chroma's to turn it into a vector.
        answer = self._collections[kind].query(query_embeddings=[row], n_results=most, include=["distances"])
        if answer["distances"] is None:
            raise DamagedError("the index does not say how near they are")
        return [(key, 1 - distance) for key, distance in zip(answer["ids"][0], answer["distances"][0], strict=True)]

    def drop(self) -> None:
        """Delete the collections with all that they hold."""
        for name in self._names.values():
            self._client.delete_collection(name)

    def write_soon(self, threshold: int) -> None:
        """Let Chroma write its graph after so many changes; in force when the client is opened again."""
        for collection in self._collections.values():
            collection.modify(configuration={"hnsw": {"sync_threshold": threshold}})

    def stir(self, dimensions: int) -> None:
        """Make enough changes that Chroma writes its graph, and cuts its log, where it does so soon."""
        for collection in self._collections.values():
            ids = [new_id() for _ in range(_SOON + 1)]
            collection.upsert(ids=ids, embeddings=list(_noise(len(ids), dimensions)))
            collection.delete(ids=ids)

    def close(self) -> None:
        self._client.close()


class FolderCollections(Collections):
    """Those in a folder. What is removed or replaced there is overwritten first: Chroma itself deletes no byte."""

    def __init__(
        self, folder: Path, client: Any, mark: str, *, held: Mapping[PassageKind, set[str]] | None = None
    ) -> None:
        super().__init__(client, mark, held=held)
        self.folder = folder
        self._mark = mark
        self._overwritten: list[Any] = []
        """Vectors that must not be found in any file after ``erased``."""

    @classmethod
    def begun(cls, folder: Path, mark: str) -> "FolderCollections":
        """Begin an empty folder."""
        return cls(folder, folder_client(folder), mark)

    @classmethod
    def found(cls, folder: Path, mark: str) -> "FolderCollections | None":
        """Open a folder that was made before; None where it belongs to another embedder."""
        client = folder_client(folder)
        names = {collection.name for collection in client.list_collections()}
        if not names:
            raise DamagedError("there is nothing in the folder of the index")
        if {collection_name(kind, mark) for kind in PassageKind} <= names:
            return cls(folder, client, mark)
        client.close()
        return None

    def put(self, keys: list[str], rows: Any) -> None:
        self._remember(keys)
        super().put(keys, rows)

    def remove(self, keys: Iterable[str]) -> None:
        known = [key for key in keys if self.held([key])]
        if known:
            self._remember(known)
            super().put(known, _noise(len(known), len(self._overwritten[-1])))
            super().remove(known)

    def _remember(self, keys: Iterable[str]) -> None:
        by_kind = itertools.groupby(sorted((key for key in keys if self.held([key])), key=kind_of), kind_of)
        for kind, own in by_kind:
            room = max(1, _LOOKED_FOR - len(self._overwritten))
            self._overwritten += list(self.vectors(kind, list(own)[:room])[1])
            del self._overwritten[: -2 * _LOOKED_FOR]

    def erased(self, dimensions: int) -> "FolderCollections | None":
        """Let Chroma write down that they are overwritten, and return what is to be used from now on.

        None where that was of no use, or too much of the graph is overwritten by now: a new folder is to be made then.
        This is closed in any case but the last.
        """
        if self._shadows() > max(_LEAST_SHADOWS, _MOST_SHADOWS * len(self)):
            return None
        looked_for = self._overwritten
        self.write_soon(_SOON)
        self.close()
        stirred = self._opened_again()
        stirred.stir(dimensions)
        stirred.write_soon(_SYNC_THRESHOLD)
        stirred.close()
        _zero_unused(self.folder)
        _vacuum(self.folder)
        fresh = self._opened_again()
        if (
            not fresh.is_counted_right
            or _is_in(self.folder, looked_for)
            or _logged(self.folder) > _SOON * 2 * len(PassageKind)
        ):
            fresh.close()
            return None
        return fresh

    def _opened_again(self) -> "FolderCollections":
        return FolderCollections(self.folder, folder_client(self.folder), self._mark, held=self._keys)

    def _shadows(self) -> int:
        """How much of the graphs on the disk is not there any more; each has four bytes of length for each vector."""
        sizes = [file.stat().st_size // 4 for file in self.folder.glob("*/length.bin")]
        return sum(max(0, size - _LEAST_ROOM) for size in sizes) - len(self)


def collection_name(kind: PassageKind, mark: str) -> str:
    return f"{kind}-{mark}"


def folder_client(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def server_client(url: str, token: str) -> Any:
    """Return the client of a server. Raises ``ValueError`` for an address that is none, or where nobody answers."""
    import chromadb
    from chromadb.config import Settings

    parts = urlsplit(url)
    is_safe = parts.scheme == "https"
    # Servers of before the current ones take the first, those behind a gateway and the hosted ones the second.
    headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
    return chromadb.HttpClient(
        host=parts.hostname or "",
        port=parts.port or (443 if is_safe else 8000),
        ssl=is_safe,
        headers=headers,
        settings=Settings(anonymized_telemetry=False),
    )


def _held(kind: PassageKind, collection: "Collection") -> set[str]:
    """Return what a collection holds, without what ``stir`` left there when the process was killed in it."""
    keys = set(_all_ids(collection))
    strays = [key for key in keys if not key.startswith(key_of(kind, ""))]
    for piece in pieces(strays, _SOON + 1):
        collection.delete(ids=list(piece))
    return keys.difference(strays)


def _all_ids(collection: "Collection") -> Iterable[str]:
    offset = 0
    while ids := collection.get(limit=_PAGE, offset=offset, include=[])["ids"]:
        yield from ids
        offset += len(ids)


def _noise(count: int, dimensions: int) -> Any:
    """Vectors of chance: equal ones would all be neighbours in the graph."""
    import numpy

    rows = numpy.random.default_rng().standard_normal((count, dimensions))
    return (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")


def _zero_unused(folder: Path) -> None:
    """Zero the room for vectors to come: Chroma writes there whatever stood in its memory before. Nobody has it open."""
    for header in folder.glob("*/header.bin"):
        version, _, room, held, size = _GRAPH_HEADER.unpack(header.read_bytes()[: _GRAPH_HEADER.size])
        graph = header.with_name("data_level0.bin")
        length = graph.stat().st_size
        if version != _GRAPH_VERSION or held > room or held * size > length:
            raise DamagedError("the graph of the index is not as expected")
        with graph.open("r+b") as file:
            file.seek(held * size)
            while left := length - file.tell():
                file.write(bytes(min(left, _ZEROED_AT_ONCE)))
            file.flush()
            os.fsync(file.fileno())


def _vacuum(folder: Path) -> None:
    """Give up the pages of the log that was cut; nobody has it open."""
    with contextlib.closing(_database(folder)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("VACUUM")


def _logged(folder: Path) -> int:
    """How many vectors are in Chroma's log."""
    with contextlib.closing(_database(folder)) as connection:
        query = "SELECT count(*) FROM embeddings_queue WHERE vector IS NOT NULL"
        return connection.execute(query).fetchone()[0]


def _database(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / "chroma.sqlite3", isolation_level=None, timeout=10)


def _is_in(folder: Path, vectors: Iterable[Any]) -> bool:
    """Whether one of the vectors stands in one of the graph's files, or nearly: Chroma makes their length one again."""
    import numpy

    wanted = [row for row in (numpy.asarray(vector, "<f4") for vector in vectors) if row.any()]
    return any(_stands_in(file, wanted) for file in folder.glob("*/data_level0.bin"))


def _stands_in(path: Path, wanted: Sequence[Any]) -> bool:
    """Look in a piece after the other, so that neither time nor memory is what the whole file would take at once."""
    import numpy

    overlap = max((len(row) for row in wanted), default=1) - 1
    tail = numpy.empty(0, "<f4")
    with path.open("rb") as file:
        while wanted and len(read := numpy.fromfile(file, "<f4", _LOOKED_THROUGH_AT_ONCE)):
            numbers = numpy.concatenate((tail, read))
            if any(_stands_among(numbers, row) for row in wanted):
                return True
            tail = numbers[-overlap:] if overlap else tail
    return False


def _stands_among(numbers: Any, wanted: Any) -> bool:
    import numpy

    anchor = int(abs(wanted).argmax())
    with numpy.errstate(invalid="ignore"):  # what is no number, since not all in the file is a vector
        starts = (abs(numbers - wanted[anchor]) < _ALIKE).nonzero()[0] - anchor
    starts = starts[(starts >= 0) & (starts <= len(numbers) - len(wanted))]
    return any(abs(numbers[start : start + len(wanted)] - wanted).max() < _ALIKE for start in starts)
