"""``keep-vectors FOLDER``: holds Chroma's index of vectors, in a process of its own, and does what standard input asks for.

A process of its own, because Chroma's writing holds Python's lock for longer than a window may stand still, and because a
damaged index ends the process that opens it (a segmentation fault). It ends with its input.
"""

import hashlib
import logging
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from desktop.core.own_program import only_output
from desktop.memory.entities import PassageKind
from desktop.memory.ports import kind_of
from desktop.storage.vector_folders import VectorFolders
from desktop.storage.vector_frames import Header, receive, send
from desktop.storage.vectors import pieces

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_WRONG_USE = 2
_SECONDS_FOR_LOCK = 10.0
_SAMPLE = 25
_LIKE_ITSELF = 0.999
_PAGE = 2_000
_COPIED_AT_ONCE = 50
_HNSW = {
    "space": "cosine",
    # Above the standard: of fifty that are asked for, all that are near are found.
    "ef_search": 200,
    # The other processors are for the window.
    "num_threads": 1,
}

Answer = tuple[dict[str, Any], bytes]


class DamagedError(Exception):
    """The index does not hold what it says."""


def main(argv: list[str]) -> int:
    """Serve the index in the folder ``argv[0]`` until the input ends. Returns the exit status."""
    if len(argv) != 1:
        sys.stderr.write("usage: python -m desktop keep-vectors FOLDER\n")
        return _WRONG_USE
    logging.disable(logging.CRITICAL)
    output = only_output()
    try:
        _serve(Path(argv[0]), output)
    except BaseException as error:  # noqa: BLE001 (Chroma throws panics, too; what went wrong once is not used again)
        send(output, {"error": f"{type(error).__name__}: {error}"[:300]})
        return 1
    return 0


def _serve(root: Path, output: BinaryIO) -> None:
    folders = VectorFolders(root)
    folders.prepare()
    with open(root / "lock", "ab") as lock:
        _take(lock.fileno())
        index = ChromaIndex(folders)
        while True:
            try:
                message = receive(sys.stdin.buffer)
            except EOFError:
                index.close()
                return
            send(output, *index.answer(*message))


def _take(descriptor: int) -> None:
    """Take the folder's lock; one whose window was killed may still be finishing what it was asked for."""
    end = time.monotonic() + _SECONDS_FOR_LOCK
    while True:
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return


class ChromaIndex:
    """The index in use, and the one that ``erase`` builds beside it."""

    def __init__(self, folders: VectorFolders) -> None:
        self._folders = folders
        self._mark = ""
        self._dimensions = 0
        self._kept: _Kept | None = None
        self._built: _Kept | None = None
        self._to_copy: list[tuple[PassageKind, list[str]]] = []
        self._holds_removed = True
        """Whether the disk may hold vectors that are no longer in the index."""
        self._verbs: dict[str, Callable[[Header, bytes], Answer]] = {
            "open": self.open,
            "put": self.put,
            "remove": self.remove,
            "keys": self.keys,
            "nearest": self.nearest,
            "erase": self.erase,
            "clear": self.clear,
        }

    def answer(self, header: Header, payload: bytes) -> Answer:
        return self._verbs[header["verb"]](header, payload)

    def open(self, header: Header, payload: bytes) -> Answer:
        """Open what there is for this embedder; what belongs to another one, or was being erased, is thrown away."""
        self._name(header)
        current = self._folders.current()
        if current is not None and not self._folders.is_erasing:
            self._kept = _Kept.found(current, self._mark)
        if current is None or self._kept is None:
            return self.clear(header, payload)
        self._folders.sweep(keep=current)
        self._kept.check(self._dimensions)
        return {"count": len(self._kept)}, b""

    def clear(self, header: Header, _payload: bytes) -> Answer:
        self._name(header)
        self._drop_built()
        if self._kept is not None:
            self._kept.close()
        self._folders.sweep(keep=None)
        folder = self._folders.begin()
        self._kept = _Kept.begun(folder, self._mark)
        self._folders.use(folder)
        self._holds_removed = False
        return {"count": 0}, b""

    def put(self, header: Header, payload: bytes) -> Answer:
        keys: list[str] = header["keys"]
        self._holds_removed |= self._in_use.put(keys, _rows(payload, len(keys)))
        self._drop_built()
        return {}, b""

    def remove(self, header: Header, _payload: bytes) -> Answer:
        self._holds_removed |= self._in_use.remove(header["keys"])
        self._drop_built()
        return {}, b""

    def keys(self, header: Header, _payload: bytes) -> Answer:
        """A page of them, in their order, from behind ``after`` on."""
        behind = sorted(key for key in self._in_use.keys if key > header["after"])
        return {"keys": behind[:_PAGE]}, b""

    def nearest(self, header: Header, payload: bytes) -> Answer:
        found = self._in_use.nearest(PassageKind(header["kind"]), _rows(payload, 1)[0], header["count"])
        return {"found": found}, b""

    def erase(self, _header: Header, _payload: bytes) -> Answer:
        """Copy a piece of what is in use to a new folder; when all of it is there, use that and remove the old one.

        Answers how much is left to do: questions are answered in between.
        """
        if not self._holds_removed:
            return {"left": 0}, b""
        kept = self._in_use
        if self._built is None:
            self._folders.mark_erasing()
            self._built = _Kept.begun(self._folders.begin(), self._mark)
            self._to_copy = [(kind_of(piece[0]), list(piece)) for piece in kept.pieces(_COPIED_AT_ONCE)]
        if self._to_copy:
            kind, keys = self._to_copy.pop()
            self._built.put(*kept.vectors(kind, keys))
            return {"left": len(self._to_copy) + 1}, b""
        if len(self._built) != len(kept):
            raise DamagedError(f"{len(self._built)} of {len(kept)} vectors could be copied")
        kept.close()
        self._kept, self._built = self._built, None
        self._folders.use(self._kept.folder)
        self._folders.sweep(keep=self._kept.folder)
        self._holds_removed = False
        return {"left": 0}, b""

    def close(self) -> None:
        self._drop_built()
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    @property
    def _in_use(self) -> "_Kept":
        if self._kept is None:
            raise DamagedError("the index is not open")
        return self._kept

    def _name(self, header: Header) -> None:
        self._dimensions = header["dimensions"]
        name = f"{header['embedder']} {self._dimensions}"
        self._mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]

    def _drop_built(self) -> None:
        """What was copied is out of date, or not wanted any more; the mark stays until all is erased."""
        if self._built is not None:
            self._built.close()
            self._built = None


class _Kept:
    """One folder of Chroma's: a collection for each kind, so that no question needs a filter, which Chroma is slow at."""

    def __init__(self, folder: Path, client: Any, mark: str) -> None:
        """Open the collections, and make those that are not there yet."""
        self.folder = folder
        self._client = client
        self._collections: dict[PassageKind, Collection] = {
            kind: client.get_or_create_collection(
                _collection_name(kind, mark), embedding_function=None, configuration={"hnsw": _HNSW}
            )
            for kind in PassageKind
        }
        self._keys = {kind: set(_all_ids(collection)) for kind, collection in self._collections.items()}

    @classmethod
    def begun(cls, folder: Path, mark: str) -> "_Kept":
        """Begin an empty folder."""
        return cls(folder, _client(folder), mark)

    @classmethod
    def found(cls, folder: Path, mark: str) -> "_Kept | None":
        """Open a folder that was made before; None where it belongs to another embedder."""
        client = _client(folder)
        names = {collection.name for collection in client.list_collections()}
        if not names:
            raise DamagedError("there is nothing in the folder of the index")
        if {_collection_name(kind, mark) for kind in PassageKind} <= names:
            return cls(folder, client, mark)
        client.close()
        return None

    def check(self, dimensions: int) -> None:
        """Raise ``DamagedError`` where some of what the index says to hold is not found."""
        for kind, collection in self._collections.items():
            keys = sorted(self._keys[kind])
            if len(keys) != collection.count():
                raise DamagedError("the index has lost count of what it holds")
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

    def put(self, keys: list[str], rows: Any) -> bool:
        """Add or replace; True where something was replaced, so that the old one still lies on the disk."""
        has_replaced = False
        for kind in PassageKind:
            places = [place for place, key in enumerate(keys) if kind_of(key) == kind]
            if places:
                own = [keys[place] for place in places]
                self._collections[kind].upsert(ids=own, embeddings=[rows[place] for place in places])
                has_replaced |= not self._keys[kind].isdisjoint(own)
                self._keys[kind].update(own)
        return has_replaced

    def remove(self, keys: list[str]) -> bool:
        """Let these not be found any more; True where one of them was there."""
        has_removed = False
        for kind in PassageKind:
            own = [key for key in keys if key in self._keys[kind]]
            if own:
                self._collections[kind].delete(ids=own)
                self._keys[kind].difference_update(own)
                has_removed = True
        return has_removed

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

    def close(self) -> None:
        self._client.close()


def _client(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def _collection_name(kind: PassageKind, mark: str) -> str:
    return f"{kind}-{mark}"


def _all_ids(collection: "Collection") -> Iterable[str]:
    offset = 0
    while ids := collection.get(limit=_PAGE, offset=offset, include=[])["ids"]:
        yield from ids
        offset += len(ids)


def _rows(payload: bytes, count: int) -> Any:
    import numpy

    return numpy.frombuffer(payload, "<f4").reshape(count, -1)
