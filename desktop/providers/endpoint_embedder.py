"""The embedder that the user may choose instead of the bundled one: the ``/embeddings`` of an endpoint."""

import asyncio
import base64
import itertools
import json
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from desktop.core.errors import ModelError, RecallError
from desktop.core.settings import EndpointSettings
from desktop.memory.ports import PREPARATION, Likeness, Measured, MeasuredStore, Vector
from desktop.providers.addresses import parse_address
from desktop.providers.bundled_embedder import prepared
from desktop.providers.error_bodies import is_error_body
from desktop.providers.error_mapping import EndpointError, ErrorMapper
from desktop.providers.openai_client import build_client, errors_of_requests, request_headers
from desktop.providers.patience import NO_PATIENCE, Patience, Retries
from desktop.providers.unrelated_texts import ALL

if TYPE_CHECKING:
    from openai import AsyncOpenAI

logger = logging.getLogger(__name__)

_AT_ONCE = 32
"""Texts in one request; less where an endpoint refused so many."""
_CHARACTERS_AT_ONCE = 20_000
_SHORT_CHARACTERS = 400
"""What is left of a text that was refused: many models take 512 tokens at most."""
_BATCH_SECONDS, _QUERY_SECONDS = 120.0, 5.0
_LIMIT_BYTES = 32 * 1024 * 1024
_FIRST_REST_SECONDS, _LONGEST_REST_SECONDS = 15.0, 600.0
_MOST_DIMENSIONS = 16_384
_ABOUT_THE_TEXT = frozenset({"model.rejected", "model.context_full", "model.filtered"})


class EndpointEmbedder:
    """See ``memory.ports.Embedder``. What it embeds leaves this computer: only made where the user chose that.

    An endpoint that failed is left alone for a while, longer each time; until then every call fails at once.
    """

    def __init__(
        self,
        endpoint: EndpointSettings,
        model: str,
        *,
        key: Callable[[], Awaitable[str]],
        measured: MeasuredStore,
        measures_anew: bool = False,
        patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``key`` is asked for each request; the ``ModelError`` that it raises is the failure's cause. ``measures_anew``
        where the user has chosen it just now: there may be another model behind the name.

        Raises ``ModelError("model.bad_address")``.
        """
        self._endpoint = endpoint
        self._address = parse_address(endpoint.base_url)
        self._model = model
        self._key = key
        self._measured_before = measured
        self._measures_anew = measures_anew
        self._patience = patience or Patience()
        self._clock = clock
        self._errors = ErrorMapper(
            url=self._address.base_url, model=model, secrets=self._address.secrets, proxy=endpoint.proxy
        )
        self._client: AsyncOpenAI | None = None
        self._under_way = 0
        self._is_left = False
        self._building, self._measuring = asyncio.Lock(), asyncio.Lock()
        self._measured: Measured | None = None
        self._most = _AT_ONCE
        self._rest_seconds = _FIRST_REST_SECONDS
        self._rests_until = 0.0
        self._failure: RecallError | None = None

    @property
    def id(self) -> str:
        return f"{self._name} {self.dimensions} {PREPARATION}"

    @property
    def dimensions(self) -> int:
        return self._known().dimensions

    @property
    def unrelated(self) -> Likeness:
        return self._known().unrelated

    @property
    def _name(self) -> str:
        return f"endpoint {self._address.base_url} {self._model}"

    def _known(self) -> Measured:
        assert self._measured is not None, "``prepare`` comes first"
        return self._measured

    async def prepare(self) -> None:
        """Measure at the first time of all how long its vectors are, and how alike those of unrelated texts."""
        async with self._asking(), self._measuring:
            if self._measured is None and not self._measures_anew:
                self._measured = await self._measured_before.measured(self._name)
            if self._measured is None:
                vectors = [vector for texts in self._pieces(ALL) for vector in await self._batch(texts, self._patience)]
                measured = await asyncio.to_thread(_measured, vectors)
                if measured is None:
                    raise self._failed("memory.endpoint_odd", "the same for every text")
                await self._measured_before.keep_measured(self._name, measured)
                self._measured = measured

    async def embed(self, texts: Sequence[str], *, are_queries: bool = False) -> list[Vector]:
        """See the port. For passages a busy endpoint is waited for; for questions it is not: they cannot wait."""
        patience = NO_PATIENCE if are_queries else self._patience
        async with self._asking():
            await self.prepare()
            vectors = [vector for piece in self._pieces(texts) for vector in await self._batch(piece, patience)]
        if any(len(vector) != 4 * self.dimensions for vector in vectors):
            got = next(len(vector) // 4 for vector in vectors if len(vector) != 4 * self.dimensions)
            raise self._failed("memory.endpoint_changed", f"{got} instead of {self.dimensions}")
        return vectors

    async def close(self) -> None:
        """Let go of the connections when nothing is under way any more."""
        self._is_left = True
        await self._let_go()

    @asynccontextmanager
    async def _asking(self) -> AsyncGenerator[None, None]:
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            await self._let_go()

    async def _let_go(self) -> None:
        if self._is_left and not self._under_way and self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def _pieces(self, texts: Sequence[str]) -> list[list[str]]:
        pieces: list[list[str]] = [[]]
        for text in map(prepared, texts):
            piece = pieces[-1]
            if len(piece) == self._most or sum(map(len, piece)) + len(text) > _CHARACTERS_AT_ONCE:
                pieces.append(piece := [])
            piece.append(text if text.strip() else "-")  # an empty one is refused by many
        return [piece for piece in pieces if piece]

    async def _batch(self, texts: list[str], patience: Patience) -> list[Vector]:
        """Return the vectors; a batch that is refused is halved until it is known which text it is, or how many are too many."""
        try:
            return await self._asked(texts, patience)
        except ModelError as error:
            if error.code not in _ABOUT_THE_TEXT:
                raise self._failed("memory.endpoint_failed", _words_of(error), error) from None
            refusal = error
        if len(texts) > 1:
            half = (len(texts) + 1) // 2
            vectors = [*await self._batch(texts[:half], patience), *await self._batch(texts[half:], patience)]
            self._most = min(self._most, half)  # not reached where a single text was the cause
            return vectors
        if len(texts[0]) > _SHORT_CHARACTERS:
            return await self._batch([texts[0][:_SHORT_CHARACTERS]], patience)
        raise RecallError("memory.embedder_failed", detail=_words_of(refusal))

    async def _asked(self, texts: list[str], patience: Patience) -> list[Vector]:
        """Ask until it answers or the patience is at its end. Raises ``ModelError``; ``RecallError`` while it rests."""
        if self._failure is not None and self._clock() < self._rests_until:
            raise RecallError(self._failure.code, **self._failure.params)
        retries = Retries(patience)
        seconds = _QUERY_SECONDS if patience is NO_PATIENCE else _BATCH_SECONDS
        while True:
            try:
                async with asyncio.timeout(seconds):
                    body = await self._sent(texts)
                vectors = await asyncio.to_thread(_vectors, body, len(texts))
            except TimeoutError:
                failure: ModelError = self._errors.error("model.timeout", seconds=round(seconds))
            except ValueError as error:
                failure = self._errors.error("model.not_a_stream", str(error))
            except ModelError as error:
                failure = error
            else:
                self._failure, self._rest_seconds = None, _FIRST_REST_SECONDS
                return vectors
            pause = retries.after(failure)
            if pause is None:
                raise failure
            await asyncio.sleep(pause.seconds)

    async def _sent(self, texts: list[str]) -> Any:
        """Return what it answers, parsed. Raises ``ModelError``, and ``ValueError`` for what is no JSON."""
        import httpx2

        client = await self._ensure_client()
        key = (await self._key()).strip()
        self._errors.hide(key)
        headers = {"Accept": "application/json", **request_headers(key, self._endpoint.headers)}
        body = bytearray()
        async with AsyncExitStack() as stack:
            with errors_of_requests(self._errors):
                request = client.embeddings.with_streaming_response.create(
                    model=self._model, input=texts, encoding_format="float", extra_headers=headers
                )
                response = await stack.enter_async_context(request)
            try:
                async for piece in response.iter_bytes():
                    body += piece
                    if len(body) > _LIMIT_BYTES:
                        raise ValueError("it sent too much")
            except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
                raise self._errors.connection_lost(error) from None
        value = await asyncio.to_thread(json.loads, bytes(body))
        if is_error_body(value):
            raise self._errors.from_body(value)
        return value

    async def _ensure_client(self) -> "AsyncOpenAI":
        async with self._building:
            if self._client is None:
                try:
                    self._client = await asyncio.to_thread(
                        build_client, self._address, proxy=self._endpoint.proxy, max_retries=0
                    )
                except ImportError as error:  # a SOCKS proxy in the environment without the package for it
                    raise self._errors.unreachable(error) from None
            return self._client

    def _failed(self, code: str, detail: str, cause: ModelError | None = None) -> RecallError:
        """Leave it alone for a while, for as long as it says at least, and return what is to be raised."""
        wait = cause.wait if isinstance(cause, EndpointError) else None
        self._rests_until = self._clock() + max(self._rest_seconds, wait or 0.0)
        self._rest_seconds = min(2 * self._rest_seconds, _LONGEST_REST_SECONDS)
        self._failure = RecallError(code, detail=detail, cause=cause.code if cause else "", model=self._model)
        return self._failure


class GoneEmbedder:
    """Stands for an endpoint that is not there any more, or cannot be one: nothing is embedded."""

    id, dimensions, unrelated = "gone", 1, Likeness(0.0, 1.0)

    async def prepare(self) -> None:
        raise RecallError("memory.endpoint_gone")

    async def embed(self, texts: Sequence[str], *, are_queries: bool = False) -> list[Vector]:
        raise RecallError("memory.endpoint_gone")

    async def close(self) -> None:
        """Nothing is open."""


def _words_of(error: ModelError) -> str:
    return str(error.params.get("detail") or error.code)


def _vectors(body: Any, count: int) -> list[Vector]:
    """Return the vectors of an answer in the order of the texts, each of length one. Raises ``ValueError`` for odd ones."""
    import numpy

    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list) or len(data) != count:
        raise ValueError(f"it sent no list of {count} vectors")
    placed: dict[int, Vector] = {}
    for place, entry in enumerate(data):
        given = entry.get("embedding") if isinstance(entry, dict) else None
        if isinstance(given, str):  # some send this, whatever they are asked for
            row = numpy.frombuffer(base64.b64decode(given, validate=True), "<f4")
        elif isinstance(given, list):
            try:
                row = numpy.asarray(given, "<f8")
            except (TypeError, ValueError):
                raise ValueError("it sent vectors of something else than numbers") from None
        else:
            raise ValueError("it sent no vectors")
        length = numpy.linalg.norm(row.astype("<f8"))
        if row.ndim != 1 or not 1 < len(row) <= _MOST_DIMENSIONS or not numpy.isfinite(length) or length == 0:
            raise ValueError("it sent vectors that are none")
        number = entry.get("index", place)
        placed[number if isinstance(number, int) else place] = (row / length).astype("<f4").tobytes()
    if sorted(placed) != list(range(count)) or len({len(vector) for vector in placed.values()}) != 1:
        raise ValueError("it sent vectors that do not belong together")
    return [placed[place] for place in range(count)]


def _measured(vectors: list[Vector]) -> Measured | None:
    """Return how alike the vectors of unrelated texts are; None where they hardly differ."""
    import numpy

    rows = numpy.stack([numpy.frombuffer(vector, "<f4") for vector in vectors])
    cosines = [float(rows[a] @ rows[b]) for a, b in itertools.combinations(range(len(rows)), 2)]
    likeness = Likeness(float(numpy.mean(cosines)), float(numpy.std(cosines)))
    if likeness.deviation < 1e-3 or likeness.mean > 0.999:
        return None
    return Measured(rows.shape[1], likeness)
