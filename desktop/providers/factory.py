"""Makes the language model that the settings name."""

from collections.abc import Mapping

from desktop.core.errors import ModelError
from desktop.core.language_model import LanguageModel
from desktop.core.settings import EndpointSettings
from desktop.providers.addresses import parse_address


def make_language_model(endpoint: EndpointSettings, *, environ: Mapping[str, str]) -> LanguageModel:
    """Return the model for ``endpoint``; the key comes from the variable of ``environ`` that it names.

    Without a base URL that is the built-in demo model, without a variable no key is ever sent. Raises ``ModelError``
    (``model.bad_address``, ``model.no_model``, ``model.key_missing``, ``model.key_unusable``).
    """
    if endpoint.is_demo:
        from desktop.providers.demo_language_model import DemoLanguageModel

        return DemoLanguageModel()
    address = parse_address(endpoint.base_url)
    if not endpoint.model.strip():
        raise ModelError("model.no_model", url=address.base_url)
    key = ""
    if endpoint.key_env:
        key = environ.get(endpoint.key_env, "").strip()
        if not key:
            raise ModelError("model.key_missing", variable=endpoint.key_env)
        if not all("!" <= character <= "~" for character in key):
            raise ModelError("model.key_unusable", variable=endpoint.key_env)
    from desktop.providers.openai_language_model import OpenAILanguageModel

    return OpenAILanguageModel(base_url=endpoint.base_url, model=endpoint.model.strip(), key=key)
