"""From settings to a model: addresses as people paste them, keys as they are stored."""

import pytest

from desktop.core.endpoint_keys import key_name
from desktop.core.error_texts import english
from desktop.core.errors import ModelError
from desktop.core.language_model import ModelRequest, UserMessage
from desktop.core.settings import EndpointSettings, KeyPlace
from desktop.providers.addresses import is_loopback, parse_address
from desktop.providers.factory import make_language_model
from tests.support.endpoint import LoopbackEndpoint, status, text
from tests.support.in_memory_secrets import InMemorySecrets


@pytest.mark.parametrize(
    ("pasted", "base_url"),
    [
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        (" https://api.example/v1/ ", "https://api.example/v1"),
        ("https://api.example/v1/chat/completions", "https://api.example/v1"),
        ("https://api.example/v1/chat/completions/", "https://api.example/v1"),
        ("https://api.example/v1beta/openai/", "https://api.example/v1beta/openai"),
        ("https://api.example", "https://api.example"),
        ("<https://api.example/v1#top>", "https://api.example/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_addresses(pasted: str, base_url: str) -> None:
    assert parse_address(pasted).base_url == base_url


def test_the_query_of_a_pasted_address_is_kept() -> None:
    address = parse_address("https://x.example/openai/deployments/d/chat/completions?api-version=2024-10-21")
    assert address.base_url == "https://x.example/openai/deployments/d"
    assert address.query == {"api-version": "2024-10-21"}


@pytest.mark.parametrize(
    "pasted",
    ["", "x", "localhost:11434/v1", "ftp://host/v1", "http://", "http:///v1", "http://[::1/v1", "http://h:99999/v1",
     "http://h:x/v1", "http://a b/v1", "http://h/v1\nX: y", "file:///etc/passwd", "http://a..b/v1", "http://-x/v1"],
)  # fmt: skip
def test_unusable_addresses(pasted: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_address(pasted)
    assert caught.value.code == "model.bad_address"


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ModelError) as caught:
        parse_address("https://user:hunter2@api.example/v1")
    assert caught.value.code == "model.bad_address"
    assert "hunter2" not in str(caught.value) + english(caught.value.code, caught.value.params).detail


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.9.9.9", "localhost", "LOCALHOST.", "a.localhost", "::1", "[::1]", "::ffff:127.0.0.1"]
)
def test_loopback_hosts(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["example.com", "10.0.0.1", "localhost.example", "127.0.0.1.example", "::2", ""])
def test_other_hosts(host: str) -> None:
    assert not is_loopback(host)


def test_without_a_base_url_the_demo_model_answers() -> None:
    model = make_language_model(EndpointSettings(), environ={}, secrets=InMemorySecrets())
    assert model.is_scripted
    assert model.name == "Demo model"


def test_an_endpoint_s_model_has_its_name() -> None:
    model = make_language_model(
        EndpointSettings(base_url="http://127.0.0.1:1/v1", model=" qwen3 "), environ={}, secrets=InMemorySecrets()
    )
    assert not model.is_scripted
    assert model.name == "qwen3"


@pytest.mark.parametrize(
    ("endpoint", "environ", "code"),
    [
        (EndpointSettings(base_url="nonsense", model="m"), {}, "model.bad_address"),
        (EndpointSettings(base_url="http://127.0.0.1:1/v1"), {}, "model.no_model"),
        (EndpointSettings(base_url="http://127.0.0.1:1/v1", model="m", key_env="K"), {}, "model.key_missing"),
        (EndpointSettings(base_url="http://127.0.0.1:1/v1", model="m", key_env="K"), {"K": " \n"}, "model.key_missing"),
        (
            EndpointSettings(base_url="http://127.0.0.1:1/v1", model="m", key_env="K"),
            {"K": "schlüssel"},
            "model.key_unusable",
        ),
        (
            EndpointSettings(base_url="http://127.0.0.1:1/v1", model="m", key_env="K"),
            {"K": "a\nX: b"},
            "model.key_unusable",
        ),
    ],
)
def test_unusable_settings(endpoint: EndpointSettings, environ: dict[str, str], code: str) -> None:
    with pytest.raises(ModelError) as caught:
        make_language_model(endpoint, environ=environ, secrets=InMemorySecrets())
    assert caught.value.code == code
    assert all(value not in str(caught.value) for value in environ.values() if value.strip())


async def test_each_request_has_the_key_that_the_user_keeps_at_that_moment() -> None:
    secrets = InMemorySecrets()
    request = ModelRequest(messages=(UserMessage(text="hi"),))
    with LoopbackEndpoint([[text("ok")]], repeat_last=True) as server:
        model = make_language_model(
            EndpointSettings(id="e1", base_url=server.base_url, model="m", key_place=KeyPlace.SESSION),
            environ={},
            secrets=secrets,
        )
        for key in ("first-key-1", "second-key-2"):
            await secrets.set(key_name("e1"), key)
            assert [chunk async for chunk in model.stream(request)]
        await secrets.delete(key_name("e1"))
        with pytest.raises(ModelError) as caught:
            assert [chunk async for chunk in model.stream(request)]
        await model.close()
    assert caught.value.code == "model.key_forgotten"
    assert [chat.headers["authorization"] for chat in server.chats] == ["Bearer first-key-1", "Bearer second-key-2"]


async def test_a_key_from_the_keychain_is_hidden_where_the_endpoint_repeats_it() -> None:
    secrets = InMemorySecrets(**{key_name("e1"): "a-plain-passphrase"})
    with LoopbackEndpoint([[status(401, {"error": {"message": "no: a-plain-passphrase"}})]]) as server:
        model = make_language_model(
            EndpointSettings(id="e1", base_url=server.base_url, model="m", key_place=KeyPlace.KEYCHAIN),
            environ={},
            secrets=secrets,
        )
        with pytest.raises(ModelError) as caught:
            assert [chunk async for chunk in model.stream(ModelRequest(messages=(UserMessage(text="hi"),)))]
        await model.close()
    assert caught.value.code == "model.unauthorized"
    assert "passphrase" not in str(caught.value)
