"""Makes the language model that the settings name."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from desktop.core.endpoint_keys import key_of_environment, stored_key_of
from desktop.core.errors import ModelError
from desktop.core.language_model import LanguageModel
from desktop.core.model_facts import ModelFactsStore
from desktop.core.secrets import SecretStore
from desktop.core.settings import EndpointSettings, KeyPlace
from desktop.providers.addresses import parse_address


def make_language_model(
    endpoint: EndpointSettings,
    *,
    environ: Mapping[str, str],
    secrets: SecretStore,
    facts: ModelFactsStore | None = None,
) -> LanguageModel:
    """Return the model for ``endpoint``. Without a base URL that is the built-in demo model.

    The key comes from the variable of ``environ`` that the endpoint names, read now; or from ``secrets``, asked for
    each request, so that what the user changes is in force with the next one, and an answer fails with the
    ``ModelError`` of a key that is not there. Where the endpoint has neither, no key is ever sent. ``facts`` is where it
    is kept what the endpoint refuses.

    Raises ``ModelError`` (``model.bad_address``, ``model.no_model``, ``model.key_missing``, ``model.key_unusable``).
    """
    if endpoint.is_demo:
        from desktop.providers.demo_language_model import DemoLanguageModel

        return DemoLanguageModel()
    address = parse_address(endpoint.base_url)
    model = endpoint.model.strip()
    if not model:
        raise ModelError("model.no_model", url=address.base_url)
    from desktop.providers.openai_language_model import OpenAILanguageModel

    key: str | Callable[[], Awaitable[str]] = ""
    if endpoint.key_env:
        key = key_of_environment(endpoint, environ)
    elif endpoint.key_place is not KeyPlace.NONE:
        key = partial(stored_key_of, endpoint, secrets)
    return OpenAILanguageModel(
        base_url=endpoint.base_url,
        model=model,
        key=key,
        headers=endpoint.headers,
        proxy=endpoint.proxy,
        options=endpoint.options,
        facts=facts,
    )
