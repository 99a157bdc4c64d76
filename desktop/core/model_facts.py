"""What was learned about a model at an endpoint while it was used, so that no fault has to be met twice."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from desktop.core.endpoints import ListedModel


@dataclass(frozen=True, kw_only=True)
class ModelFacts:
    """What is known of one model at one address. Nothing of it was said by the user; all of it may be forgotten."""

    without: frozenset[str] = frozenset()
    """What the endpoint refused and is asked without: values of ``providers.refusals.Without``."""
    context_tokens: int | None = None
    """The context length, from a server's own words or from its refusal of a longer request."""
    token_ratio: float = 1.0
    """Tokens as the endpoint counts them, divided by our own count; a moving average within 0.5 to 2."""
    max_tools: int | None = None
    """More tools than these were refused."""
    sees_images: bool | None = None
    takes_tools: bool | None = None
    """What a list or a test says of the model; None where nothing does."""

    def with_listed(self, model: "ListedModel") -> "ModelFacts":
        """Return the facts with what a list says of the model; where it says nothing, what is known stays."""
        return dataclasses.replace(
            self,
            context_tokens=model.context_tokens or self.context_tokens,
            sees_images=self.sees_images if model.sees_images is None else model.sees_images,
            takes_tools=self.takes_tools if model.takes_tools is None else model.takes_tools,
        )


class ModelFactsStore(Protocol):
    """Keeps facts between starts. Reading never fails and never waits; what cannot be written is kept in memory."""

    def get(self, base_url: str, model: str) -> ModelFacts: ...

    def update(self, base_url: str, model: str, **changes: Any) -> ModelFacts:
        """Replace these fields of the facts and return them."""
        ...

    def note_listed(self, base_url: str, models: "Sequence[ListedModel]") -> None:
        """Keep what a list says of these models; written once for all of them."""
        ...

    def forget(self, base_url: str) -> None:
        """Forget what is known of every model at this address, for example because the user changed the endpoint."""
        ...


def place_of(base_url: str) -> str:
    """Return the address under which facts are kept: how it ends and what follows it does not matter."""
    return base_url.strip().partition("?")[0].rstrip("/")


class FactsInMemory:
    """Facts for as long as the program runs: for tests, and where there is no data folder."""

    def __init__(self) -> None:
        self._facts: dict[tuple[str, str], ModelFacts] = {}

    def get(self, base_url: str, model: str) -> ModelFacts:
        return self._facts.get((place_of(base_url), model), ModelFacts())

    def update(self, base_url: str, model: str, **changes: Any) -> ModelFacts:
        facts = dataclasses.replace(self.get(base_url, model), **changes)
        self._facts[place_of(base_url), model] = facts
        return facts

    def note_listed(self, base_url: str, models: "Sequence[ListedModel]") -> None:
        for model in models:
            self._facts[place_of(base_url), model.name] = self.get(base_url, model.name).with_listed(model)

    def forget(self, base_url: str) -> None:
        for key in [key for key in self._facts if key[0] == place_of(base_url)]:
            del self._facts[key]
