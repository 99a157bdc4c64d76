"""Chooses what makes vectors and where they are looked up, as the settings want it, and follows when they change."""

import asyncio
import logging
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

from desktop.core.endpoint_keys import key_of
from desktop.core.errors import ModelError, RecallError, StorageError
from desktop.core.memory_settings import CHROMA_TOKEN, EmbedderKind
from desktop.core.secrets import SecretStore
from desktop.core.settings import EndpointSettings, Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor, held_back
from desktop.memory.indexing import IndexingState, MemoryIndexing
from desktop.memory.ports import Embedder
from desktop.providers.bundled_embedder import BundledEmbedder
from desktop.providers.endpoint_embedder import EndpointEmbedder, GoneEmbedder
from desktop.storage.chroma_vector_index import ChromaServer, ChromaVectorIndex
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.sqlite_passages import SqlitePassageStore
from desktop.storage.vector_folders import VectorFolders
from desktop.storage.vector_index import FallbackVectorIndex

logger = logging.getLogger(__name__)

_REST_SECONDS = 2.0
"""After something was said, before it gets its vector."""
_MOVE_SECONDS = 5.0
"""For a move of the vectors that goes on when the app is closed."""
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 60.0, 1_800.0
"""After which a server that was left is tried again."""

_Choice = tuple[EmbedderKind, str, EndpointSettings | None]


class VectorParts:
    """The ``indexing`` of memory. Nothing is sent to an endpoint or a server that the settings do not name for it."""

    def __init__(
        self,
        passages: SqlitePassageStore,
        folder: Path,
        tasks: TaskSupervisor,
        settings: SettingsStore,
        secrets: SecretStore,
    ) -> None:
        self._passages = passages
        self._folders = VectorFolders(folder)
        self._folder = folder
        self._tasks = tasks
        self._secrets = secrets
        self._bundled = BundledEmbedder()
        self._endpoints: list[EndpointEmbedder] = []
        self._choice = _choice_of(settings.settings)
        self._url = settings.settings.memory.chroma_url
        self._moving = asyncio.Lock()
        self._moves: set[asyncio.Task[None]] = set()
        self._leaving: asyncio.Task[None] | None = None
        self._wanted = self._embedder(self._choice)
        self.indexing = MemoryIndexing(
            passages,
            self._index(),
            tasks,
            embedder=self._wanted,
            former=None if self._choice[0] is EmbedderKind.NONE else self._bundled,
            rest_seconds=_REST_SECONDS,
        )
        self._settings = settings
        self._tell_left(settings.settings)
        settings.changed.connect(self._follow)
        self.indexing.changed.connect(self._let_go)

    def start(self) -> None:
        """Begin to bring vectors up to date in the background; harmless when that goes on already."""
        if self._url:
            self._tasks.spawn(self._empty_folder(), name="empty the folder of vectors")
        self._leave_soon()
        self.indexing.start()

    async def close(self) -> None:
        """End what runs; a move gets a moment to leave nothing where the vectors were."""
        self._settings.changed.disconnect(self._follow)
        await self._stop_leaving()  # which a move may wait for
        if self._moves:
            _, late = await asyncio.wait(self._moves, timeout=_MOVE_SECONDS)
            for move in late:
                move.cancel()
            if late:
                await asyncio.wait(late)
        await self._stop_leaving()  # which a move may have begun
        await self.indexing.close()
        for embedder in (self._bundled, *self._endpoints):
            await embedder.close()

    def _follow(self, settings: Settings) -> None:
        self._tell_left(settings)
        before, self._choice = self._choice, _choice_of(settings)
        if self._choice != before:
            is_chosen_now = self._choice[:2] != before[:2] or _id_of(self._choice) != _id_of(before)
            self._wanted = self._embedder(self._choice, measures_anew=is_chosen_now)
            self.indexing.use(self._wanted)
            self._let_go(self.indexing.state)
        if settings.memory.chroma_url != self._url:
            left, self._url = self._url, settings.memory.chroma_url
            move = self._tasks.spawn(self._move(left), name="move the vectors")
            self._moves.add(move)
            move.add_done_callback(self._moves.discard)

    def _let_go(self, _state: IndexingState) -> None:
        """Close what the settings have left, once it is not asked any more."""
        meaning = self.indexing.meaning
        asked = (self._wanted, meaning.embedder if meaning is not None else None)
        for embedder in [one for one in self._endpoints if one not in asked]:
            self._endpoints.remove(embedder)
            self._tasks.spawn(embedder.close(), name="close an embedder that was left")

    def _embedder(self, choice: _Choice, *, measures_anew: bool = False) -> Embedder | None:
        kind, model, endpoint = choice
        if kind is EmbedderKind.NONE:
            return None
        if kind is EmbedderKind.BUNDLED:
            return self._bundled
        if endpoint is None or endpoint.is_demo or not model:
            return GoneEmbedder()
        try:
            embedder = EndpointEmbedder(
                endpoint,
                model,
                key=partial(key_of, endpoint, environ=os.environ, secrets=self._secrets),
                measured=self._passages,
                measures_anew=measures_anew,
            )
        except ModelError as error:
            logger.warning("the provider that was chosen for vectors cannot be asked: %s", error.code)
            return GoneEmbedder()
        self._endpoints.append(embedder)
        return embedder

    def _index(self) -> FallbackVectorIndex:
        """The index where it is wanted; one in memory stands in where that cannot be had."""
        if self._url:
            server = ChromaVectorIndex(partial(self._server, self._url))
            return FallbackVectorIndex(server, NumpyVectorIndex(), server=self._url)
        return FallbackVectorIndex(
            ChromaVectorIndex(self._folder), NumpyVectorIndex(), holds_nothing=lambda: self._folders.is_empty
        )

    async def _server(self, url: str, *, has_token: bool = True) -> ChromaServer:
        number = await self._passages.own_number()
        token = await self._secrets.get(CHROMA_TOKEN) if has_token else None
        return ChromaServer(url, f"threadwell{number:x}", token or "")

    async def _move(self, left: str) -> None:
        """Keep vectors where the settings say now, and leave none where they were."""
        async with self._moving:
            await self.indexing.move_to(self._index())
            self._note_left(self._url, is_left=False)  # in use again, and brought up to date as such
            if not left:
                await self._empty_folder()
                return
            self._note_left(left, is_left=True)  # before it is tried: also a kill must not let it be forgotten
            await self._leave(left)
        self._leave_soon()

    # -- servers that were left

    def _tell_left(self, settings: Settings) -> None:
        self.indexing.left_at = next(iter(settings.memory.chroma_left), "")

    def _note_left(self, url: str, *, is_left: bool) -> None:
        settings = self._settings.settings
        left = (*(one for one in settings.memory.chroma_left if one != url), *([url] if is_left else []))
        if left == settings.memory.chroma_left:
            return
        try:
            self._settings.update(replace(settings, memory=replace(settings.memory, chroma_left=left)))
        except OSError as error:
            logger.warning("which servers may still hold vectors could not be kept: %s", error)

    async def _leave(self, url: str, *, has_token: bool = True) -> None:
        """Delete what a server keeps of this data folder; where that fails it stays noted."""
        if url == self._url:
            return
        server = ChromaVectorIndex(partial(self._server, url, has_token=has_token))
        try:
            await server.drop()
        except (RecallError, StorageError) as error:
            logger.warning("the vectors at the server that was left could not be deleted: %s", error)
        else:
            self._note_left(url, is_left=False)
        finally:
            _, cancellation = await held_back(server.close())  # also when the app is closed meanwhile
            if cancellation is not None:
                raise cancellation

    def _leave_soon(self) -> None:
        is_free = self._leaving is None or self._leaving.done()
        if is_free and self._settings.settings.memory.chroma_left:
            self._leaving = self._tasks.spawn(self._leave_all(), name="empty servers of vectors")

    async def _stop_leaving(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            await asyncio.wait({self._leaving})

    async def _leave_all(self) -> None:
        """Try again and again; the token is of the server that is in use now, and given to no other one."""
        pause = 0.0
        while left := self._settings.settings.memory.chroma_left:
            await asyncio.sleep(pause)
            for url in left:
                async with self._moving:
                    await self._leave(url, has_token=not self._url)
            pause = min(max(2 * pause, _FIRST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)

    async def _empty_folder(self) -> None:
        """Vectors are kept at a server: none may lie in the folder, where nobody would remove them."""
        try:
            await asyncio.to_thread(self._folders.discard)
        except OSError as error:
            logger.warning("the folder of vectors could not be emptied: %s", error)


def _choice_of(settings: Settings) -> _Choice:
    memory = settings.memory
    if memory.embedder is not EmbedderKind.ENDPOINT:
        return memory.embedder, "", None
    endpoint = next((one for one in settings.endpoints if one.id and one.id == memory.embedding_endpoint_id), None)
    return memory.embedder, memory.embedding_model.strip(), endpoint


def _id_of(choice: _Choice) -> str:
    return choice[2].id if choice[2] is not None else ""
