"""Model endpoints that only stand on paper: what a window's tests say was found, listed, and answered."""

import asyncio
import dataclasses
from collections.abc import Sequence

from desktop.core.endpoints import EndpointCheck, FoundServer, ListedModel, ProviderPreset
from desktop.core.errors import ModelError
from desktop.core.language_model import ModelRequest, ToolSpec
from desktop.core.settings import EndpointSettings
from desktop.core.thinking_effort import ThinkingEffort

PRESETS = (
    ProviderPreset(
        id="deepseek",
        name="DeepSeek",
        base_url="https://api.deepseek.example/v1",
        key_page="https://platform.deepseek.example/keys",
        models=("deepseek-chat", "deepseek-reasoner"),
        key_prefix="sk-",
    ),
    ProviderPreset(
        id="zhipu",
        name="Zhipu",
        chinese_name="智谱",
        base_url="https://open.bigmodel.example/api/paas/v4",
        key_page="https://open.bigmodel.example/keys",
        models=("glm-5.2",),
    ),
    ProviderPreset(
        id="openrouter",
        name="OpenRouter",
        base_url="https://openrouter.example/api/v1",
        key_page="https://openrouter.example/keys",
        models=("openrouter/auto",),
        key_prefix="sk-or-",
    ),
)


class DirectoryOnPaper:
    """Implements ``EndpointDirectory``. With ``hold`` set, nothing is answered before ``go`` is set."""

    def __init__(self, *found: FoundServer) -> None:
        self.found: Sequence[FoundServer] = found
        self.models: tuple[str, ...] = ()
        self.list_error: ModelError | None = None
        self.answer = EndpointCheck(answer="Hello!", seconds=0.8)
        self.go = asyncio.Event()
        self.go.set()
        self.asked: list[tuple[str, EndpointSettings, str]] = []
        """What was asked for, of which endpoint, and with which key."""
        self.cancelled: list[str] = []
        self.levels: dict[str, tuple[ThinkingEffort, ...]] = {}
        """How much the models can be told to reason, by their names; none where nothing stands here."""

    def sees_images(self, endpoint: EndpointSettings) -> bool | None:
        return endpoint.options.sees_images

    def offered_tools(self, endpoint: EndpointSettings, request: ModelRequest) -> Sequence[ToolSpec]:
        return request.tools

    def presets(self) -> Sequence[ProviderPreset]:
        return PRESETS

    async def find_local(self) -> Sequence[FoundServer]:
        await self._wait("find")
        return self.found

    async def list_models(self, endpoint: EndpointSettings, key: str) -> tuple[ListedModel, ...]:
        self.asked.append(("models", endpoint, key))
        await self._wait("models")
        if self.list_error is not None:
            raise self.list_error
        if not self.models:
            raise ModelError("model.no_list", url=endpoint.base_url)
        return tuple(ListedModel(name=name) for name in self.models)

    async def check(self, endpoint: EndpointSettings, key: str) -> EndpointCheck:
        self.asked.append(("check", endpoint, key))
        await self._wait("check")
        if not endpoint.model:
            error = self.answer.error or ModelError("model.no_model", url=endpoint.base_url)
            return dataclasses.replace(self.answer, answer="", seconds=0.0, error=error)
        return self.answer

    async def running_context(self, endpoint: EndpointSettings) -> int | None:
        return None

    def thinking_levels(self, endpoint: EndpointSettings) -> tuple[ThinkingEffort, ...]:
        return self.levels.get(endpoint.model, ())

    async def _wait(self, what: str) -> None:
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled.append(what)
            raise
