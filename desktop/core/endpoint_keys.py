"""The key of a model endpoint: its name in the store of secrets, whether it can be sent, and where it is found."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from desktop.core.errors import ModelError
from desktop.core.secrets import KeychainState, SecretStore
from desktop.core.settings import EndpointSettings, KeyPlace

_WITHHELD = {
    KeychainState.MISSING: "model.key_no_keychain",
    KeychainState.LOCKED: "model.key_locked",
    KeychainState.REFUSED: "model.key_refused",
    KeychainState.FAILED: "model.key_unreadable",
}


def key_name(endpoint_id: str) -> str:
    """Return the name under which the ``SecretStore`` keeps the key of this endpoint."""
    return f"endpoint:{endpoint_id}"


def can_be_sent(key: str) -> bool:
    """Tell whether ``key`` fits into a header: anything but visible ASCII would break the request, or change it."""
    return all("!" <= character <= "~" for character in key)


async def key_of(endpoint: EndpointSettings, *, environ: Mapping[str, str], secrets: SecretStore) -> str:
    """Return the key that belongs to ``endpoint``, ready to be sent; empty when it needs none.

    Raises ``ModelError`` with a code ``model.key_…`` that says what to do when there should be one.
    """
    if endpoint.key_env:
        return key_of_environment(endpoint, environ)
    return await stored_key_of(endpoint, secrets)


def key_of_environment(endpoint: EndpointSettings, environ: Mapping[str, str]) -> str:
    """Return the key from the variable that ``endpoint`` names. Raises ``ModelError`` (``model.key_missing``,
    ``model.key_unusable``)."""
    key = environ.get(endpoint.key_env, "").strip()
    if not key:
        raise ModelError("model.key_missing", variable=endpoint.key_env)
    if not can_be_sent(key):
        raise ModelError("model.key_unusable", variable=endpoint.key_env)
    return key


async def stored_key_of(endpoint: EndpointSettings, secrets: SecretStore) -> str:
    """Return the key that the user entered for ``endpoint``; empty when it needs none. Raises ``ModelError``."""
    if endpoint.key_place is KeyPlace.NONE:
        return ""
    # One that the keychain did not take would be found there as it was before the user changed it.
    in_keychain = endpoint.key_place is KeyPlace.KEYCHAIN
    key = (await secrets.get(key_name(endpoint.id), ask_keychain=in_keychain) or "").strip()
    if not key:
        raise _missing(endpoint, secrets)
    if not can_be_sent(key):
        raise ModelError("model.key_malformed", name=_label(endpoint), endpoint=endpoint.id)
    return key


def _missing(endpoint: EndpointSettings, secrets: SecretStore) -> ModelError:
    name = _label(endpoint)
    if endpoint.key_place is KeyPlace.SESSION:
        return ModelError("model.key_forgotten", name=name, endpoint=endpoint.id)
    status = secrets.status
    code = _WITHHELD.get(status.state, "model.key_not_found")
    return ModelError(code, name=name, detail=status.detail, endpoint=endpoint.id)


def _label(endpoint: EndpointSettings) -> str:
    if endpoint.name:
        return endpoint.name
    try:
        return urlsplit(endpoint.base_url).hostname or endpoint.base_url
    except ValueError:
        return endpoint.base_url
