"""The port to the world of model endpoints: known providers, servers on this machine, what an endpoint offers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from desktop.core.errors import ThreadwellError
from desktop.core.settings import EndpointSettings
from desktop.core.thinking_effort import ThinkingEffort

if TYPE_CHECKING:
    from desktop.core.language_model import ModelRequest, ToolSpec


@dataclass(frozen=True, kw_only=True)
class ProviderPreset:
    """A provider that can be set up with nothing but a key."""

    id: str
    """For example ``deepseek``."""
    name: str
    """Its own name, untranslated, for example ``DeepSeek``."""
    chinese_name: str = ""
    """The name used in Chinese where it differs, for example ``智谱``."""
    base_url: str
    key_page: str
    """Where the user gets a key: an https address."""
    models: tuple[str, ...]
    """A few current models to begin with, the first one as the default; the list of the endpoint replaces them."""
    key_prefix: str = ""
    """How keys usually begin, for a hint in the field."""


@dataclass(frozen=True, kw_only=True)
class ListedModel:
    """A model in an endpoint's list, with what the list says of it; None where it says nothing."""

    name: str
    """As the endpoint writes it, to the letter."""
    context_tokens: int | None = None
    sees_images: bool | None = None
    takes_tools: bool | None = None


@dataclass(frozen=True, kw_only=True)
class FoundServer:
    """A model server that answers on this machine."""

    kind: str
    """For example ``Ollama``."""
    base_url: str
    """The OpenAI-compatible one, for example ``http://127.0.0.1:11434/v1``."""
    models: tuple[str, ...]
    """What it can answer with; empty when it has none or keeps them to itself."""
    version: str = ""
    needs_key: bool = False
    note: str = ""
    """A code of what stands in the way: ``no_models``, ``loading``, ``needs_key``, or empty."""
    listed: tuple[ListedModel, ...] = ()
    """The ``models`` with what the server says of them. ``context_tokens`` is what it really reads, as it runs now."""


class Ability(StrEnum):
    """What a test of an endpoint looks at, in this order."""

    REACHABLE = "reachable"
    KEY = "key"
    MODEL = "model"
    STREAMING = "streaming"
    TOOLS = "tools"
    CONTEXT = "context"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that a test found out. ``works`` is None where nothing tells."""

    ability: Ability
    works: bool | None
    note: str = ""
    """A code that says more: ``not_needed`` (a key), ``not_listed`` (a model that answered all the same),
    ``one_piece`` (an answer too short to tell whether it streams), ``not_called`` (tools were taken and not used),
    ``switched_off`` (by the user), ``as_set`` (what the user wrote counts)."""
    tokens: int | None = None
    """Of the context."""


@dataclass(frozen=True, kw_only=True)
class EndpointCheck:
    """What a test of an endpoint found."""

    models: tuple[str, ...] = ()
    """What it lists; empty when it has no list."""
    answer: str = ""
    """The beginning of the model's answer to a harmless question; empty when none was asked or it failed, and also
    when it works but did not come further than thinking."""
    seconds: float = 0.0
    """From the question to the first word."""
    base_url: str = ""
    """The address that answers as an endpoint does, which may be the one given with ``/v1``, or without the path of
    one request: use this one from now on. Empty when none does."""
    error: ThreadwellError | None = None
    """Why it does not work, with a code of ``error_texts``; None when the model answered."""
    findings: tuple[Finding, ...] = ()
    """What works, one by one; empty for the demo model."""


class EndpointDirectory(Protocol):
    """Finds and tries endpoints. Every method ends within its time limit and leaves nothing running when cancelled."""

    def presets(self) -> Sequence[ProviderPreset]: ...

    async def find_local(self) -> Sequence[FoundServer]:
        """Look on the usual ports of 127.0.0.1, with plain GET requests that load no model and carry no key."""
        ...

    async def list_models(self, endpoint: EndpointSettings, key: str) -> tuple[ListedModel, ...]:
        """Ask the endpoint for its models. Raises ``ModelError``; ``model.no_list`` where it has no such list."""
        ...

    async def check(self, endpoint: EndpointSettings, key: str) -> EndpointCheck:
        """Try the endpoint as a chat would: its list of models, one short question, and one with a harmless tool.

        Raises nothing for the endpoint's faults.
        Without a model only the list is asked for; the error is then ``model.no_model``, beside the ``models`` found.
        """
        ...

    async def running_context(self, endpoint: EndpointSettings) -> int | None:
        """Ask a server on this machine how many tokens it reads as it runs now; None for any other, and where it does
        not say. As in ``find_local``: GET only, no key, no model is loaded."""
        ...

    def sees_images(self, endpoint: EndpointSettings) -> bool | None:
        """Tell whether the endpoint's model can be sent images; None where nothing is known."""
        ...

    def offered_tools(self, endpoint: EndpointSettings, request: "ModelRequest") -> "Sequence[ToolSpec]":
        """Return which of its tools the request will offer: some models take none, and no endpoint takes any number."""
        ...

    def thinking_levels(self, endpoint: EndpointSettings) -> tuple[ThinkingEffort, ...]:
        """Return how much the endpoint's model can be told to reason, lowest first; empty where it cannot."""
        ...
