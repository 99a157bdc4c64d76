"""What leaves the machine, and which way: headers, the key, and proxies of the endpoint and of the environment."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from desktop.core.endpoint_settings import EndpointSettings, ModelOptions
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    AssistantMessage,
    Image,
    ModelRequest,
    RequestToolCall,
    TextDelta,
    ThinkingEffort,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.core.settings import KeyPlace
from desktop.providers.factory import make_language_model
from desktop.providers.patience import NO_PATIENCE
from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.local_server import LocalServer, Reply, chat_stream, running

KEY = "sk-test-0123456789abcdef"
HELLO = ModelRequest(messages=(UserMessage(text="hi"),))
OF_THE_SDK = {
    "OPENAI_API_KEY": "leak-key",
    "OPENAI_ADMIN_KEY": "leak-admin",
    "OPENAI_ORG_ID": "leak-org",
    "OPENAI_PROJECT_ID": "leak-project",
    "OPENAI_BASE_URL": "http://leak.invalid/v1",
    "OPENAI_CUSTOM_HEADERS": "X-Leak: leak-custom\nx-title: leak-title\nAuthorization: Bearer leak-custom-key",
}
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "NO_PROXY", "no_proxy")


@pytest.fixture(autouse=True)
def environment_of_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    for name, value in OF_THE_SDK.items():
        monkeypatch.setenv(name, value)


async def asked(endpoint: EndpointSettings, key: str = KEY, request: ModelRequest = HELLO) -> str:
    """Ask as the app does, with the key from the variable ``MINE``; returns the answer."""
    if key:
        endpoint = EndpointSettings(**{**vars(endpoint), "key_env": "MINE"})
    model: Any = make_language_model(endpoint, environ={"MINE": key}, secrets=InMemorySecrets())
    model._patience = NO_PATIENCE
    try:
        return "".join([chunk.text async for chunk in model.stream(request) if isinstance(chunk, TextDelta)])
    finally:
        await model.close()


async def sent(headers: Mapping[str, str], key: str = KEY) -> dict[str, str]:
    """The headers of one request to an endpoint with ``headers``."""
    async with LoopbackEndpoint([[text("ok")]]) as server:
        endpoint = EndpointSettings(base_url=server.base_url, model="m", headers=headers, key_place=KeyPlace.NONE)
        assert await asked(endpoint, key) == "ok"
        (request,) = server.requests
    assert "leak" not in str(request.headers)
    return dict(request.headers)


async def test_further_headers_are_sent_beside_the_key() -> None:
    headers = await sent({"X-Title": "Threadwell", "user-agent": "mine", "openai-organization": "org-mine"})
    assert (headers["x-title"], headers["user-agent"]) == ("Threadwell", "mine")
    assert headers["openai-organization"] == "org-mine"
    assert headers["authorization"] == f"Bearer {KEY}"


async def test_a_key_in_a_header_is_sent_nowhere_else() -> None:
    headers = await sent({"api-key": "{key}", "X-Title": "t"})
    assert headers["api-key"] == KEY
    assert "authorization" not in headers
    assert sum(KEY in value for value in headers.values()) == 1


async def test_authorization_in_a_form_of_its_own() -> None:
    assert (await sent({"authorization": "Basic {key}"}))["authorization"] == f"Basic {KEY}"


async def test_without_a_key_nothing_stands_in_its_place() -> None:
    headers = await sent({"api-key": "{key}", "X-Title": "t"}, key="")
    assert {"api-key", "authorization"}.isdisjoint(headers)
    assert headers["x-title"] == "t"


async def test_options_of_the_model_shape_the_request() -> None:
    options = ModelOptions(takes_tools=False, sees_images=False, extra_body={"top_k": 40, "metadata": {"a": [1]}})
    request = ModelRequest(
        messages=(
            UserMessage(text="what is this?", images=(Image(name="a.png", media_type="image/png", data=b"png"),)),
            AssistantMessage(text="", tool_calls=(RequestToolCall(call_id="c", name="f", arguments="{}"),)),
            ToolMessage(call_id="c", name="f", text="result"),
            UserMessage(text="go on"),
        ),
        tools=(ToolSpec(name="f", description="", parameters={"type": "object"}),),
    )
    async with LoopbackEndpoint([[text("ok")]], strict=False) as server:
        endpoint = EndpointSettings(base_url=server.base_url, model="m", model_options={"m": options, "n": options})
        assert await asked(endpoint, request=request) == "ok"
        (chat,) = server.requests
    assert (chat.body["top_k"], chat.body["metadata"]) == (40, {"a": [1]})
    assert chat.body["model"] == "m"
    assert "tools" not in chat.body
    assert "image_url" not in str(chat.body)


@pytest.mark.parametrize("effort", list(ThinkingEffort))
async def test_the_effort_reaches_the_endpoint(effort: ThinkingEffort) -> None:
    async with LoopbackEndpoint([[text("ok")], [text("ok")]]) as server:
        endpoint = EndpointSettings(base_url=server.base_url, model="gpt-oss")
        await asked(endpoint, request=HELLO)
        await asked(endpoint, request=ModelRequest(messages=HELLO.messages, thinking=effort))
        plain, told = server.requests
    assert set(told.body) - set(plain.body)


# -- proxies


@asynccontextmanager
async def two_ways() -> AsyncGenerator[tuple[LocalServer, str], None]:
    """A proxy that answers itself for an endpoint far away, and that endpoint's address."""
    proxy = LocalServer({"http://far.example/v1/chat/completions": chat_stream("through", " the proxy")})
    async with running(proxy):
        yield proxy, f"http://127.0.0.1:{proxy.port}"


FAR = EndpointSettings(base_url="http://far.example/v1", model="m")


def with_proxy(proxy: str, endpoint: EndpointSettings = FAR) -> EndpointSettings:
    return EndpointSettings(**{**vars(endpoint), "proxy": proxy})


async def test_a_proxy_of_the_endpoint_s_own_before_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "far.example")
    async with two_ways() as (proxy, address):
        assert await asked(with_proxy(address)) == "through the proxy"
        assert "leak" not in proxy.requests[0]


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
async def test_the_system_s_proxy_where_the_endpoint_says_nothing(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    async with two_ways() as (proxy, address):
        monkeypatch.setenv(variable, address)
        assert await asked(FAR) == "through the proxy"
        assert "leak" not in proxy.requests[0]


@pytest.mark.parametrize("proxy", ["none", ""])
async def test_a_direct_way(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    """By the endpoint's own word, or by the system's exception for this host."""
    async with two_ways() as (server, address):
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, address)
        if not proxy:
            monkeypatch.setenv("NO_PROXY", "far.example")
        with pytest.raises(ModelError) as failure:
            await asked(with_proxy(proxy))
        assert failure.value.code == "model.unknown_host"
        assert server.requests == []


async def test_nothing_for_this_machine_goes_to_the_system_s_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with two_ways() as (proxy, address), LoopbackEndpoint([[text("near")]]) as server:
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, address)
        assert await asked(EndpointSettings(base_url=server.base_url, model="m")) == "near"
        assert proxy.requests == []


async def test_a_proxy_never_sees_what_is_meant_for_an_https_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    async with two_ways() as (proxy, address):
        monkeypatch.setenv("HTTPS_PROXY", address)
        with pytest.raises(ModelError) as failure:
            await asked(EndpointSettings(base_url="https://far.example/v1", model="m", headers={"api-key": "{key}"}))
        assert failure.value.code == "model.proxy_failed"
        assert proxy.requests
        assert all(request.startswith("CONNECT far.example:443") for request in proxy.requests)
        assert KEY not in "".join(proxy.requests)


@pytest.mark.parametrize("url", ["http://far.example/v1", "https://far.example/v1"])
async def test_a_proxy_that_is_not_there_is_named_as_the_cause(url: str) -> None:
    with socket.socket() as held:  # nobody listens there, and nobody else can
        held.bind(("127.0.0.1", 0))
        proxy = f"http://127.0.0.1:{held.getsockname()[1]}"
        with pytest.raises(ModelError) as failure:
            await asked(with_proxy(proxy, EndpointSettings(base_url=url, model="m")))
    assert failure.value.code == "model.proxy_failed"


async def test_a_redirect_takes_the_key_nowhere() -> None:
    async with LoopbackEndpoint([[text("ok")]]) as other:
        moved = LocalServer({"/v1/chat/completions": Reply(status=307, headers={"Location": f"{other.base_url}/x"})})
        async with running(moved):
            with pytest.raises(ModelError) as failure:
                await asked(EndpointSettings(base_url=f"http://127.0.0.1:{moved.port}/v1", model="m"))
        assert failure.value.code == "model.redirected"
        assert other.requests == []


async def test_a_socks_proxy() -> None:
    """The smallest one there is: no authentication, and every name leads to the endpoint of this test."""
    named: list[bytes] = []
    async with LoopbackEndpoint([[text("through socks")]]) as server:

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            _, count = await reader.readexactly(2)
            await reader.readexactly(count)
            writer.write(b"\x05\x00")
            *_, kind = await reader.readexactly(4)
            assert kind == 3, "a name, which the proxy looks up"
            named.append(await reader.readexactly((await reader.readexactly(1))[0]))
            await reader.readexactly(2)
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"\x05\x00\x00\x01" + bytes(6))
            await asyncio.gather(pump(reader, up_writer), pump(up_reader, writer))

        async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
            target.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as proxy:
            port = proxy.sockets[0].getsockname()[1]
            assert await asked(with_proxy(f"socks5://127.0.0.1:{port}")) == "through socks"
    assert named == [b"far.example"]
