"""Prompts and resources that a test wrote down; notes what was asked for."""

from collections.abc import Mapping

from desktop.core.errors import ToolError
from desktop.tools.server_content import ContentFile, FilledPrompt, PromptTurn, ServerPrompt, ServerResource


class OffersOnPaper:
    """Implements ``tools.server_content.ServerContent``."""

    def __init__(
        self,
        prompts: Mapping[ServerPrompt, FilledPrompt] | None = None,
        resources: Mapping[ServerResource, tuple[ContentFile, ...]] | None = None,
        proposals: tuple[str, ...] = (),
    ) -> None:
        self._prompts = dict(prompts or {})
        self._resources = dict(resources or {})
        self._proposals = proposals
        self.listed = 0
        self.asked: list[tuple[str, dict[str, str]]] = []

    async def prompts(self) -> tuple[ServerPrompt, ...]:
        self.listed += 1
        return tuple(self._prompts)

    async def resources(self) -> tuple[ServerResource, ...]:
        self.listed += 1
        return tuple(self._resources)

    async def fill(self, prompt: ServerPrompt, values: Mapping[str, str]) -> FilledPrompt:
        self.asked.append((prompt.name, dict(values)))
        if not self._prompts[prompt].turns:
            raise ToolError("server.failed", server=prompt.server_id, detail="It refuses.")
        return self._prompts[prompt]

    async def read(self, resource: ServerResource, values: Mapping[str, str]) -> tuple[ContentFile, ...]:
        self.asked.append((resource.filled(values), dict(values)))
        return self._resources[resource]

    async def complete(
        self, of: ServerPrompt | ServerResource, name: str, typed: str, others: Mapping[str, str]
    ) -> tuple[str, ...]:
        return tuple(proposal for proposal in self._proposals if proposal.lower().startswith(typed.lower()))


def said(*texts: str) -> FilledPrompt:
    """A prompt whose messages take turns, the user first."""
    roles = ("user", "assistant")
    return FilledPrompt(turns=tuple(PromptTurn(role=roles[i % 2], text=text) for i, text in enumerate(texts)))
