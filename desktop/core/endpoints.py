"""The port to the world of model endpoints: known providers, servers on this machine, what an endpoint offers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop.core.errors import ThreadwellError
from desktop.core.settings import EndpointSettings


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


class EndpointDirectory(Protocol):
    """Finds and tries endpoints. Every method ends within its time limit and leaves nothing running when cancelled."""

    def presets(self) -> Sequence[ProviderPreset]: ...

    async def find_local(self) -> Sequence[FoundServer]:
        """Look on the usual ports of 127.0.0.1, with plain GET requests that load no model and carry no key."""
        ...

    async def list_models(self, endpoint: EndpointSettings, key: str) -> tuple[str, ...]:
        """Ask the endpoint for its models. Raises ``ModelError``; ``model.no_list`` where it has no such list."""
        ...

    async def check(self, endpoint: EndpointSettings, key: str) -> EndpointCheck:
        """Try the endpoint as a chat would: its list of models, then one short question. Raises nothing for its faults.

        Without a model only the list is asked for; the error is then ``model.no_model``, beside the ``models`` found.
        """
        ...
