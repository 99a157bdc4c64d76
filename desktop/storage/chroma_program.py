"""``keep-vectors [FOLDER]``: holds Chroma's index of vectors, in a process of its own, and does what standard input asks for.

With a folder the index is in there; without one it is at a server, which the messages name.

A process of its own, because Chroma's writing holds Python's lock for longer than a window may stand still, and because a
damaged index ends the process that opens it (a segmentation fault). It ends with its input.
"""

import hashlib
import logging
import os
import sys
import time
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from desktop.core.own_program import only_output
from desktop.memory.entities import PassageKind
from desktop.memory.ports import kind_of
from desktop.storage.chroma_collections import Collections, DamagedError, FolderCollections, server_client
from desktop.storage.vector_folders import VectorFolders
from desktop.storage.vector_frames import Header, receive, send

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_WRONG_USE = 2
_SECONDS_FOR_LOCK = 10.0
_PAGE = 2_000
_COPIED_AT_ONCE = 50
_LEAST_ROOM_BYTES, _ROOM_PER_BYTE = 1_000_000_000, 8
"""An index takes about twice the memory that its files have."""

Answer = tuple[dict[str, Any], bytes]


def main(argv: list[str]) -> int:
    """Serve the index in the folder ``argv[0]``, or at a server, until the input ends. Returns the exit status."""
    if len(argv) > 1:
        sys.stderr.write("usage: python -m desktop keep-vectors [FOLDER]\n")
        return _WRONG_USE
    logging.disable(logging.CRITICAL)
    output = only_output()
    os.umask(0o077)  # Chroma asks for no rights of its own
    if hasattr(os, "nice"):
        os.nice(5)  # the window comes first
    try:
        if argv:
            _serve_folder(Path(argv[0]), output)
        else:
            _serve(ServerIndex(), output)
    except BaseException as error:  # noqa: BLE001 (Chroma throws panics, too; what went wrong once is not used again)
        send(output, {"error": f"{type(error).__name__}: {error}"[:300]})
        return 1
    return 0


def _serve_folder(root: Path, output: BinaryIO) -> None:
    folders = VectorFolders(root)
    folders.prepare()
    with open(root / "lock", "ab") as lock:
        _take(lock.fileno())
        _serve(FolderIndex(folders), output)


def _serve(index: "FolderIndex | ServerIndex", output: BinaryIO) -> None:
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


class _Index(ABC):
    """What can be asked of an index, wherever it is."""

    def __init__(self) -> None:
        self._mark = ""
        self._dimensions = 0
        self._listed: list[str] = []
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

    @property
    @abstractmethod
    def _in_use(self) -> Collections: ...

    @abstractmethod
    def open(self, header: Header, payload: bytes) -> Answer:
        """Open what there is for this embedder; what belongs to another one is thrown away."""

    @abstractmethod
    def clear(self, header: Header, payload: bytes) -> Answer: ...

    @abstractmethod
    def erase(self, header: Header, payload: bytes) -> Answer:
        """Do a piece of the erasing and answer how much is left to do: questions are answered in between."""

    @abstractmethod
    def close(self) -> None: ...

    def put(self, header: Header, payload: bytes) -> Answer:
        keys: list[str] = header["keys"]
        self._in_use.put(keys, _rows(payload, len(keys)))
        return {}, b""

    def remove(self, header: Header, _payload: bytes) -> Answer:
        self._in_use.remove(header["keys"])
        return {}, b""

    def keys(self, header: Header, _payload: bytes) -> Answer:
        """A page of them, in their order, from behind ``after`` on: of those that were there at the first page."""
        if not header["after"]:
            self._listed = sorted(self._in_use.keys)
        first = bisect_right(self._listed, header["after"])
        page = self._listed[first : first + _PAGE]
        if not page:
            self._listed = []
        return {"keys": page}, b""

    def nearest(self, header: Header, payload: bytes) -> Answer:
        found = self._in_use.nearest(PassageKind(header["kind"]), _rows(payload, 1)[0], header["count"])
        return {"found": found}, b""

    def _name(self, header: Header) -> None:
        self._dimensions = header["dimensions"]
        name = f"{header['embedder']} {self._dimensions}"
        self._mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]


class FolderIndex(_Index):
    """The index in a folder, and the one that ``erase`` builds beside it where it has to."""

    def __init__(self, folders: VectorFolders) -> None:
        super().__init__()
        self._folders = folders
        self._kept: FolderCollections | None = None
        self._built: FolderCollections | None = None
        self._to_copy: list[tuple[PassageKind, list[str]]] = []
        self._must_copy = False
        """Whether what was removed can only leave the disk with the whole folder."""

    def open(self, header: Header, payload: bytes) -> Answer:
        """As above; so is what was being copied when it ended."""
        self._name(header)
        current = self._folders.current()
        if current is None or self._folders.is_erasing:
            return self.clear(header, payload)
        with _limited_memory(current):
            self._kept = FolderCollections.found(current, self._mark)
            if self._kept is None:
                return self.clear(header, payload)
            self._folders.sweep(keep=current)
            self._kept.check(self._dimensions)
        # It ended before that was erased; nobody knows any more what to look for.
        self._must_copy = self._folders.holds_removed
        return {"count": len(self._kept)}, b""

    def clear(self, header: Header, payload: bytes) -> Answer:
        self._name(header)
        self._drop_built()
        if self._kept is not None:
            self._kept.close()
        self._folders.sweep(keep=None)
        self._folders.forget_removed()
        folder = self._folders.begin()
        self._kept = FolderCollections.begun(folder, self._mark)
        self._folders.use(folder)
        self._must_copy = False
        return {"count": 0}, b""

    def put(self, header: Header, payload: bytes) -> Answer:
        self._note_removal(header["keys"])
        return super().put(header, payload)

    def remove(self, header: Header, payload: bytes) -> Answer:
        self._note_removal(header["keys"])
        return super().remove(header, payload)

    def erase(self, header: Header, payload: bytes) -> Answer:
        if not self._folders.holds_removed:
            return {"left": 0}, b""
        if not self._must_copy:
            kept = self._in_use
            self._kept = kept.erased(self._dimensions)
            if self._kept is not None:
                self._folders.forget_removed()
                return {"left": 0}, b""
            self._kept = FolderCollections.found(kept.folder, self._mark)
            self._must_copy = True
        return self._copy_some()

    def _copy_some(self) -> Answer:
        """Copy a piece of what is in use to a new folder; when all of it is there, use that and remove the old one."""
        kept = self._in_use
        if self._built is None:
            self._folders.mark_erasing()
            self._built = FolderCollections.begun(self._folders.begin(), self._mark)
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
        self._folders.forget_removed()
        self._must_copy = False
        return {"left": 0}, b""

    def close(self) -> None:
        self._drop_built()
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    @property
    def _in_use(self) -> FolderCollections:
        if self._kept is None:
            raise DamagedError("the index is not open")
        return self._kept

    def _note_removal(self, keys: list[str]) -> None:
        """Note on the disk, before it is done, that something in the folder in use is to leave it."""
        self._drop_built()
        if not self._folders.holds_removed and self._in_use.held(keys):
            self._folders.mark_removed()

    def _drop_built(self) -> None:
        """What was copied is out of date, or not wanted any more; the mark stays until all is erased."""
        if self._built is not None:
            self._built.close()
            self._built = None


class ServerIndex(_Index):
    """The index at a server. What is removed there is deleted; when its bytes leave the server's disk is its owner's."""

    def __init__(self) -> None:
        super().__init__()
        self._verbs["drop"] = self.drop
        self._client: Any = None
        self._kept: Collections | None = None

    def open(self, header: Header, payload: bytes) -> Answer:
        self._connect(header)
        self._kept = Collections(self._client, self._mark)
        self._kept.check(self._dimensions)
        return {"count": len(self._kept)}, b""

    def clear(self, header: Header, payload: bytes) -> Answer:
        self._connect(header)
        Collections(self._client, self._mark).drop()
        self._kept = Collections(self._client, self._mark)
        return {"count": 0}, b""

    def erase(self, header: Header, payload: bytes) -> Answer:
        return {"left": 0}, b""

    def drop(self, header: Header, _payload: bytes) -> Answer:
        """Delete all that this data folder has there."""
        self._connect(header, keeps_current=False)
        self._kept = None
        return {"count": 0}, b""

    def close(self) -> None:
        self._kept = None

    @property
    def _in_use(self) -> Collections:
        if self._kept is None:
            raise DamagedError("the index is not open")
        return self._kept

    def _connect(self, header: Header, *, keeps_current: bool = True) -> None:
        """Reach the server, and delete what this data folder has there of other embedders."""
        self._name(header)
        own = header["name"]
        self._mark = f"{own}-{self._mark}"
        if self._client is None:
            self._client = server_client(header["url"], header["token"])
        for collection in self._client.list_collections():
            is_current = keeps_current and collection.name.endswith(self._mark)
            if f"-{own}-" in collection.name and not is_current:
                self._client.delete_collection(collection.name)


def _rows(payload: bytes, count: int) -> Any:
    import numpy

    return numpy.frombuffer(payload, "<f4").reshape(count, -1)


@contextmanager
def _limited_memory(folder: Path) -> Generator[None, None, None]:
    """While an index is opened: one that is damaged names sizes that take all the memory of the machine, piece by piece.

    What is refused more ends the process or the opening, and the index is made anew.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    most = _memory_bytes() + _LEAST_ROOM_BYTES + _ROOM_PER_BYTE * size
    most = min([most, *(bound for bound in (soft, hard) if bound != resource.RLIM_INFINITY)])
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _memory_bytes() -> int:
    """Return what this process has for its data by now, used or not (Linux: ``VmData``)."""
    for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
        name, _, value = line.partition(":")
        if name == "VmData":
            return 1024 * int(value.split()[0])
    return 0
