"""Where the key of an endpoint comes from, and what is said when it is not there."""

import pytest

from desktop.core.endpoint_keys import can_be_sent, key_name, key_of
from desktop.core.error_texts import english
from desktop.core.errors import ModelError
from desktop.core.secrets import KeychainState
from desktop.core.settings import EndpointSettings, KeyPlace
from tests.support.in_memory_secrets import InMemorySecrets

KEY = "sk-0123456789abcdef"


def endpoint(place: KeyPlace, *, name: str = "DeepSeek", key_env: str = "") -> EndpointSettings:
    return EndpointSettings(
        id="e1", name=name, base_url="https://api.example/v1", model="m", key_place=place, key_env=key_env
    )


class KeychainOnly(InMemorySecrets):
    """Holds its secrets where only a question to the keychain finds them."""

    def __init__(self, **secrets: str) -> None:
        super().__init__(**secrets)
        self.questions = 0

    async def get(self, name: str, *, ask_keychain: bool = True) -> str | None:
        self.questions += ask_keychain
        return await super().get(name) if ask_keychain else None


async def test_the_key_is_found_under_the_endpoint_s_own_name() -> None:
    secrets = InMemorySecrets()
    await secrets.set(key_name("e1"), f" {KEY}\n")
    await secrets.set(key_name("e2"), "another")
    assert await key_of(endpoint(KeyPlace.SESSION), environ={}, secrets=secrets) == KEY
    assert await key_of(endpoint(KeyPlace.KEYCHAIN), environ={}, secrets=secrets) == KEY


async def test_the_environment_s_variable_comes_first() -> None:
    secrets = KeychainOnly(**{key_name("e1"): "from the keychain"})
    asked = endpoint(KeyPlace.KEYCHAIN, key_env="K")
    assert await key_of(asked, environ={"K": KEY}, secrets=secrets) == KEY
    with pytest.raises(ModelError) as caught:
        await key_of(asked, environ={}, secrets=secrets)
    assert caught.value.code == "model.key_missing"
    assert secrets.questions == 0


async def test_only_a_key_that_lies_in_the_keychain_is_asked_for_there() -> None:
    secrets = KeychainOnly(**{key_name("e1"): "before-it-was-changed"})
    assert await key_of(endpoint(KeyPlace.NONE), environ={}, secrets=secrets) == ""
    with pytest.raises(ModelError) as caught:
        await key_of(endpoint(KeyPlace.SESSION), environ={}, secrets=secrets)
    assert caught.value.code == "model.key_forgotten"
    assert secrets.questions == 0
    assert await key_of(endpoint(KeyPlace.KEYCHAIN), environ={}, secrets=secrets)


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (KeychainState.AVAILABLE, "model.key_not_found"),
        (KeychainState.MISSING, "model.key_no_keychain"),
        (KeychainState.LOCKED, "model.key_locked"),
        (KeychainState.REFUSED, "model.key_refused"),
        (KeychainState.FAILED, "model.key_unreadable"),
    ],
)
@pytest.mark.parametrize(("name", "shown"), [("DeepSeek", "DeepSeek"), ("", "api.example")])
async def test_a_key_that_is_not_given_is_said_with_what_to_do(
    state: KeychainState, code: str, name: str, shown: str
) -> None:
    secrets = InMemorySecrets()
    secrets.set_status(state, backend="Secret Service", detail="its own words")
    with pytest.raises(ModelError) as caught:
        await key_of(endpoint(KeyPlace.KEYCHAIN, name=name), environ={}, secrets=secrets)
    assert caught.value.code == code
    title, detail = english(code, caught.value.params)
    assert title
    assert shown in detail
    assert "Settings, Models" in detail
    assert "{" not in detail


@pytest.mark.parametrize("key", ["two words", "schlüssel", "a\nX: b", "钥匙"])
async def test_a_key_that_cannot_be_sent_is_not_sent_and_not_repeated(key: str) -> None:
    assert not can_be_sent(key)
    secrets = InMemorySecrets(**{key_name("e1"): key})
    with pytest.raises(ModelError) as caught:
        await key_of(endpoint(KeyPlace.SESSION), environ={}, secrets=secrets)
    assert caught.value.code == "model.key_malformed"
    assert key not in str(caught.value) + english(caught.value.code, caught.value.params).detail
