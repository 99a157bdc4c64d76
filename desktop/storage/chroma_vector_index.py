"""The index of vectors that Chroma keeps, on the disk or at a server, reached through the process that holds it."""

import asyncio
import contextlib
import dataclasses
import logging
import subprocess
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from desktop.core.errors import RecallError
from desktop.core.own_program import bare_environment, own_command, own_folder
from desktop.core.process_tree import start_options
from desktop.core.serial_thread import SerialThread
from desktop.core.tasks import held_back
from desktop.memory.entities import PassageKind
from desktop.memory.ports import Near, Vector, kind_of
from desktop.storage.vector_frames import receive, send
from desktop.storage.vectors import pieces, require_vector, require_vectors

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 60.0
"""For one message; the longest, opening a hundred thousand vectors, takes a few."""
_END_SECONDS = 5.0
_ENVIRONMENT = {
    "ANONYMIZED_TELEMETRY": "False",
    # Chroma writes memory to the disk that it has not filled: on Linux nothing of what was freed is left in there then.
    "MALLOC_PERTURB_": "165",
}
_PIECE = 50
"""Vectors that are written at once: a question that comes in between waits for no more than these."""


@dataclass(frozen=True)
class ChromaServer:
    """Where a server is, and under which name this data folder's vectors are kept there."""

    url: str
    name: str
    token: str = field(default="", repr=False)


class ChromaVectorIndex:
    """See ``memory.ports.VectorIndex``."""

    def __init__(
        self,
        place: Path | Callable[[], Awaitable[ChromaServer]],
        *,
        command: Sequence[str] | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """``place`` is a folder, or says at each start which server it is. ``command`` begins the program's command line;
        None is the app's own."""
        self._server = None if isinstance(place, Path) else place
        self._command = (
            *(command or own_command("keep-vectors")),
            *([str(place)] if isinstance(place, Path) else []),
        )
        self._patience_seconds = patience_seconds
        self._thread = SerialThread("vector index")
        self._writing = asyncio.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._embedder_id = ""
        self._dimensions = 0

    @property
    def is_makeshift(self) -> bool:
        return False

    async def open(self, embedder_id: str, dimensions: int) -> int:
        async with self._writing:
            self._embedder_id, self._dimensions = embedder_id, dimensions
            return await self._begin("open")

    async def put(self, vectors: Mapping[str, Vector]) -> None:
        async with self._writing:
            for keys in pieces(list(vectors), _PIECE):
                require_vectors({key: vectors[key] for key in keys}, self._dimensions)
                await self._ask("put", b"".join(vectors[key] for key in keys), keys=keys)

    async def remove(self, keys: Sequence[str]) -> None:
        for key in keys:
            kind_of(key)
        async with self._writing:
            for piece in pieces(keys, _PIECE):
                await self._ask("remove", keys=piece)

    async def drop(self) -> None:
        """At a server: delete what it keeps of this data folder. Raises as the other methods do."""
        async with self._writing:
            await self._begin("drop")

    async def keys(self) -> frozenset[str]:
        found: set[str] = set()
        last = ""
        while page := (await self._ask("keys", after=last))["keys"]:
            found.update(page)
            last = page[-1]
        return frozenset(found)

    async def nearest(self, vector: Vector, count: int, kind: PassageKind) -> list[Near]:
        require_vector(vector, self._dimensions)
        answer = await self._ask("nearest", vector, kind=kind, count=count)
        return [Near(key, cosine) for key, cosine in answer["found"]]

    async def erase(self) -> None:
        async with self._writing:
            while (await self._ask("erase"))["left"]:
                pass

    async def clear(self) -> None:
        async with self._writing:
            await self._end(0)
            await self._begin("clear")

    async def close(self) -> None:
        async with self._writing:
            await self._end(_END_SECONDS)
        await self._thread.close()

    async def _begin(self, verb: str) -> int:
        await self._end(_END_SECONDS)
        try:
            await self._to_its_end(self._start)
        except OSError as error:
            raise _broken(f"{error}") from error
        server = dataclasses.asdict(await self._server()) if self._server is not None else {}
        answer = await self._ask(verb, embedder=self._embedder_id, dimensions=self._dimensions, **server)
        return answer["count"]

    def _start(self) -> None:
        options: dict[str, Any] = start_options()
        self._process = subprocess.Popen[bytes](
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=bare_environment() | _ENVIRONMENT,
            cwd=own_folder(),
            **options,
        )

    async def _ask(self, verb: str, payload: bytes = b"", **more: Any) -> dict[str, Any]:
        """Send one message and return the answer. After a failure nothing is answered any more, until ``open`` or ``clear``."""
        process = self._process
        if process is None:
            raise _broken("It is not open.")
        try:
            async with asyncio.timeout(self._patience_seconds):
                answer = await self._thread.run(lambda: _exchange(process, {"verb": verb, **more}, payload))
            problem = answer.get("error")
        except TimeoutError:
            answer, problem = {}, f"No answer within {self._patience_seconds:.0f} seconds."
        except (OSError, EOFError, ValueError, KeyError) as error:
            answer, problem = {}, f"Its process ended ({type(error).__name__})."
        if problem is not None:
            if self._process is process:
                await self._end(0)
            logger.warning("the index of vectors failed at %r: %s", verb, problem)
            raise _broken(str(problem))
        return answer

    async def _end(self, patience_seconds: float) -> None:
        """End the process: by the end of its input, and without mercy where that takes too long."""
        process, self._process = self._process, None
        if process is None:
            return
        # A kill also ends an exchange that the thread still waits for.
        if patience_seconds == 0:
            process.kill()
        mercy = asyncio.get_running_loop().call_later(patience_seconds, _kill, process)
        try:
            await self._to_its_end(lambda: _wait(process))
        finally:
            mercy.cancel()

    async def _to_its_end(self, work: Callable[[], None]) -> None:
        """Have the thread do it even when the caller is cancelled meanwhile: no process is started unseen or lost."""
        _, cancellation = await held_back(self._thread.run(work))
        if cancellation is not None:
            raise cancellation


def _exchange(process: "subprocess.Popen[bytes]", header: Mapping[str, Any], payload: bytes) -> dict[str, Any]:
    stdin, stdout = _streams(process)
    with contextlib.suppress(ConnectionError):  # it died; its last answer says why
        send(stdin, header, payload)
    return receive(stdout)[0]


def _kill(process: "subprocess.Popen[bytes]") -> None:
    logger.info("the index of vectors did not end in time and was stopped")
    process.kill()


def _wait(process: "subprocess.Popen[bytes]") -> None:
    for stream in _streams(process):
        try:
            stream.close()
        except OSError as error:  # what could not be written any more
            logger.debug("the end of the index's process: %s", error)
    process.wait()


def _streams(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def _broken(detail: str) -> RecallError:
    return RecallError("memory.index_broken", detail=detail)
