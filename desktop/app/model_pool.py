"""The language models in use: one for each model of an endpoint, made anew after a change, closed when nobody uses it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from desktop.core.language_model import LanguageModel, ModelChunk, ModelRequest
from desktop.core.settings import EndpointSettings

MOST_KEPT = 8
"""Each keeps a client with its connections; the one that was used longest ago goes."""


class ModelPool:
    """Makes each model once. Whoever holds one that was retired may still use it: its answers go on to their end."""

    def __init__(self, make: Callable[[EndpointSettings], LanguageModel]) -> None:
        """``make`` may raise ``ModelError``; then nothing changes here."""
        self._make = make
        self._kept: dict[tuple[str, str, str], tuple[EndpointSettings, _Pooled]] = {}
        self._retired: list[_Pooled] = []

    async def close(self) -> None:
        """Close all connections."""
        kept, self._kept = self._kept, {}
        retired, self._retired = self._retired, []
        for model in (*retired, *(model for _, model in kept.values())):
            await model.close()

    def get(self, endpoint: EndpointSettings) -> LanguageModel:
        """Return the model of ``endpoint`` that is in use there. Raises ``ModelError`` for an unusable endpoint."""
        key = endpoint.id, endpoint.base_url, endpoint.model
        known = self._kept.pop(key, None)
        if known is not None and known[0] != endpoint:
            self._retire(known[1])
            known = None
        self._kept[key] = known or (endpoint, _Pooled(self._make(endpoint)))
        while len(self._kept) > MOST_KEPT:
            _, (_, oldest) = next(iter(self._kept.items()))
            del self._kept[next(iter(self._kept))]
            self._retire(oldest)
        return self._kept[key][1]

    def _retire(self, model: "_Pooled") -> None:
        self._retired = [retired for retired in self._retired if not retired.is_closed]
        self._retired.append(model)
        model.is_retired = True


class _Pooled:
    """A model that closes itself with its last answer after it was retired. A closed one opens again when it is used."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._streams = 0
        self.is_retired = False
        self.is_closed = False

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def is_scripted(self) -> bool:
        return self._model.is_scripted

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """See ``LanguageModel.stream``."""
        self._streams += 1
        self.is_closed = False
        try:
            async with aclosing(self._model.stream(request)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            self._streams -= 1
            if self.is_retired and not self._streams:
                await self.close()

    async def close(self) -> None:
        self.is_closed = True
        await self._model.close()
