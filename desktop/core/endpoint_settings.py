"""One model endpoint as the user set it up: where it is, how it is reached, and what holds for each of its models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from desktop.core.endpoint_reach import header_problem, proxy_problem
from desktop.core.thinking_effort import ThinkingEffort

MOST_CONTEXT_TOKENS = 100_000_000
HIGHEST_PRICE = 1_000_000.0
MOST_CURRENCY_CHARACTERS = 8
MOST_HEADERS = 50
RESERVED_BODY_FIELDS = frozenset({"model", "messages", "stream", "tools"})
"""What ``ModelOptions.extra_body`` cannot set: the app would not know any more what it asked."""


class KeyPlace(StrEnum):
    """Where the key of an endpoint is kept. Never in the settings file."""

    NONE = "none"
    """It needs none; none is ever sent."""
    KEYCHAIN = "keychain"
    SESSION = "session"
    """Only in this process's memory: after a restart it must be entered again."""


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """What the user says of one model at one endpoint; None leaves it to what is found out, or to the endpoint."""

    context_tokens: int | None = None
    """1 to ``MOST_CONTEXT_TOKENS``."""
    temperature: float | None = None
    """0 to 2; before the one of all chats, after that of a single chat."""
    thinking: ThinkingEffort | None = None
    sees_images: bool | None = None
    takes_tools: bool | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of the request, as the endpoint names them; not ``RESERVED_BODY_FIELDS``."""
    input_price: float | None = None
    """Of a million tokens, in ``currency``."""
    output_price: float | None = None
    currency: str = ""
    """As it is written beside the amount, for example ``$`` or ``CNY``."""


@dataclass(frozen=True, kw_only=True)
class EndpointSettings:
    """One model endpoint that the user set up. Without a base URL it is the built-in demo model.

    ``key_env`` names an environment variable, never a key; when it is given, the key comes from there, whatever
    ``key_place`` says. ``id`` is unique among the settings' endpoints and names the key in the keychain; endpoints of
    the command line have none.
    """

    id: str = ""
    name: str = ""
    """What people read; empty where only the address is known."""
    base_url: str = ""
    model: str = ""
    """The model in use."""
    models: tuple[str, ...] = ()
    """The models that the endpoint listed or the user typed, for the picker."""
    key_place: KeyPlace = KeyPlace.NONE
    key_env: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent with every request. ``{key}`` in a value stands for the key, which is then sent nowhere else."""
    proxy: str = ""
    """The URL of a proxy, ``none`` for a direct connection, empty for what the system says."""
    model_options: Mapping[str, ModelOptions] = field(default_factory=dict[str, ModelOptions])
    """By the model's name."""

    @property
    def is_demo(self) -> bool:
        return not self.base_url

    @property
    def options(self) -> ModelOptions:
        """What the user says of the model in use."""
        return self.options_of(self.model)

    def options_of(self, model: str) -> ModelOptions:
        return self.model_options.get(model, ModelOptions())


def require_in_bounds(endpoint: EndpointSettings) -> None:
    """Raise ``ValueError`` with words for a value that no form would have let through."""
    if len(endpoint.headers) > MOST_HEADERS:
        raise ValueError(f"more than {MOST_HEADERS} headers")
    if len({name.lower() for name in endpoint.headers}) < len(endpoint.headers):
        raise ValueError("a header is there twice")
    for name, text in endpoint.headers.items():
        if problem := header_problem(name, text):
            raise ValueError(f"the header {name!r} cannot be sent ({problem})")
    if problem := proxy_problem(endpoint.proxy):
        raise ValueError(f"the proxy of {endpoint.name!r} cannot be used ({problem})")
    for model, options in endpoint.model_options.items():
        if problem := options_problem(options):
            raise ValueError(f"model_options of {model!r}: {problem}")


def options_problem(options: ModelOptions) -> str:
    """Return which of the options is out of its bounds, in English; empty when none is."""
    reserved = ", ".join(sorted(RESERVED_BODY_FIELDS & options.extra_body.keys()))
    for holds, complaint in (
        (
            options.context_tokens is None or 1 <= options.context_tokens <= MOST_CONTEXT_TOKENS,
            f"context_tokens should be 1 to {MOST_CONTEXT_TOKENS}",
        ),
        (options.temperature is None or 0 <= options.temperature <= 2, "temperature should be 0 to 2"),
        (not reserved, f"extra_body cannot set {reserved}"),
        (_is_price(options.input_price), f"input_price should be 0 to {HIGHEST_PRICE:g}"),
        (_is_price(options.output_price), f"output_price should be 0 to {HIGHEST_PRICE:g}"),
        (len(options.currency) <= MOST_CURRENCY_CHARACTERS, f"currency is longer than {MOST_CURRENCY_CHARACTERS}"),
    ):
        if not holds:
            return complaint
    return ""


def _is_price(price: float | None) -> bool:
    return price is None or 0 <= price <= HIGHEST_PRICE
