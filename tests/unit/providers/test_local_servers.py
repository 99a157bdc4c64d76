"""Servers on this machine: each kind is recognised, nothing else is taken for one, and nobody can hold the search up."""

import asyncio
import socket
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop.core.endpoints import FoundServer
from desktop.providers.local_kinds import COMPATIBLE
from desktop.providers.local_servers import OLLAMA_PORT, USUAL_PORTS, RunningContexts, find_servers
from desktop.providers.model_names import MOST_CHARACTERS, MOST_NAMES, clean_names, names_in_list
from tests.support.local_server import (
    LocalServer,
    Reply,
    dev_server,
    json_api,
    kobold_cpp,
    lite_llm,
    llama_cpp,
    llama_cpp_loading,
    lm_studio,
    local_ai,
    login_wall,
    model_list,
    older_lm_studio,
    ollama,
    running,
    sglang,
    tabby_api,
    text_generation_webui,
    tgi,
    vllm,
    vllm_with_key,
)


async def find(server: LocalServer, usual_kind: str = "") -> FoundServer | None:
    """Search one port; whatever was asked there was a plain GET without a key, a cookie or a model's name in it."""
    async with running(server):
        found = await find_servers({server.port: usual_kind})
    for request in server.requests:
        assert request.startswith("GET /")
        assert "authorization" not in request.lower()
        assert "cookie" not in request.lower()
        assert "?" not in request.split(" ")[1]
    assert len(server.paths) == len(set(server.paths))
    return found[0] if found else None


KINDS: Mapping[str, tuple[Callable[[], LocalServer], str, tuple[str, ...], str]] = {
    "LM Studio": (lambda: lm_studio("a", "b", "embed-c", loaded=["b"]), "LM Studio", ("b", "a"), ""),
    "LM Studio before 0.4": (lambda: older_lm_studio("a", "b", "embed-c", loaded=["b"]), "LM Studio", ("b", "a"), ""),
    "Ollama": (
        lambda: ollama("qwen3:8b", "nomic-embed-text:latest", "a"),
        "Ollama",
        ("qwen3:8b", "a", "nomic-embed-text:latest"),
        "",
    ),
    "Ollama without models": (ollama, "Ollama", (), "no_models"),
    "llama.cpp": (lambda: llama_cpp("/models/qwen.gguf"), "llama.cpp", ("/models/qwen.gguf",), ""),
    "llama.cpp, loading": (llama_cpp_loading, "llama.cpp", (), "loading"),
    "llama.cpp as a router": (
        lambda: LocalServer(
            {
                "/v1/models": model_list("a", "b", owner="llamacpp"),
                "/props": Reply(body={"error": "model?"}, status=400),
            },
            headers={"Server": "llama.cpp"},
        ),
        "llama.cpp",
        ("a", "b"),
        "",
    ),
    "llama.cpp with a key": (
        lambda: LocalServer(
            {"/v1/models": model_list("a")},
            headers={"Server": "llama.cpp"},
            everything=Reply(body={"error": {"message": "Invalid API Key", "code": 401}}, status=401),
        ),
        "llama.cpp",
        (),
        "needs_key",
    ),
    "vLLM": (lambda: vllm("Qwen/Qwen3-8B"), "vLLM", ("Qwen/Qwen3-8B",), ""),
    "vLLM with a key": (vllm_with_key, "vLLM", (), "needs_key"),
    "KoboldCpp": (lambda: kobold_cpp("mistral"), "KoboldCpp", ("koboldcpp/mistral",), ""),
    "KoboldCpp, nothing loaded": (lambda: kobold_cpp("inactive"), "KoboldCpp", (), "no_models"),
    "KoboldCpp with a password": (lambda: kobold_cpp("mistral", protected=True), "KoboldCpp", (), "needs_key"),
    "SGLang": (lambda: sglang("m"), "SGLang", ("m",), ""),
    "TGI": (lambda: tgi("org/m"), "TGI", ("org/m",), ""),
    "text-generation-webui": (lambda: text_generation_webui("m.gguf"), "text-generation-webui", ("m.gguf",), ""),
    "text-generation-webui, idle": (
        lambda: text_generation_webui("None"),
        "text-generation-webui",
        (),
        "no_models",
    ),
    "TabbyAPI": (lambda: tabby_api("m"), "TabbyAPI", ("m",), ""),
    "TabbyAPI with a key": (lambda: tabby_api("m", protected=True), "TabbyAPI", (), "needs_key"),
    "LocalAI": (lambda: local_ai("gpt-4"), "LocalAI", ("gpt-4",), ""),
    "LiteLLM": (lambda: lite_llm("gpt"), "LiteLLM", ("gpt",), ""),
    "an unknown one": (lambda: LocalServer({"/v1/models": model_list("m")}), COMPATIBLE, ("m",), ""),
    "one that says who it is": (
        lambda: LocalServer({"/v1/models": model_list("m", owner="lmdeploy")}),
        "LMDeploy",
        ("m",),
        "",
    ),
}


@pytest.mark.parametrize("name", KINDS)
async def test_each_kind_is_recognised_on_any_port(name: str) -> None:
    make, kind, models, note = KINDS[name]
    server = make()
    found = await find(server)
    assert found is not None
    assert (found.kind, found.models, found.note) == (kind, models, note)
    assert found.base_url == f"http://127.0.0.1:{server.port}/v1"
    assert found.needs_key == (note == "needs_key")


async def test_versions_are_told_where_there_are_any() -> None:
    versions = [found.version for server in (ollama("m"), llama_cpp("m"), vllm("m")) if (found := await find(server))]
    assert versions == ["0.13.0", "b7000-abc", "0.20.1"]


@pytest.mark.parametrize(
    ("make", "lengths"),
    [
        (lambda: lm_studio("a", "b", loaded=["b"]), {"a": None, "b": 8192}),
        (lambda: older_lm_studio("a", "b", loaded=["b"]), {"a": None, "b": 8192}),
        (lambda: ollama("a", "b", loaded=["b"]), {"a": None, "b": 4096}),
        (lambda: llama_cpp("m"), {"m": 4096}),
        (lambda: vllm("m"), {"m": 32768}),
        (lambda: sglang("m"), {"m": 16384}),
        (lambda: kobold_cpp("m"), {"koboldcpp/m": 6144}),
        (lambda: tgi("m"), {"m": 3072}),
        (lambda: tabby_api("m"), {"m": 12288}),
        (lambda: text_generation_webui("m"), {"m": None}),
        (lambda: local_ai("m"), {"m": None}),
        (lambda: LocalServer({"/v1/models": model_list("m", context_window=2048)}), {"m": 2048}),
    ],
)
async def test_what_each_kind_really_reads(make: Callable[[], LocalServer], lengths: Mapping[str, int | None]) -> None:
    found = await find(make())
    assert found is not None
    assert {model.name: model.context_tokens for model in found.listed} == lengths
    assert found.models == tuple(model.name for model in found.listed)


async def test_what_models_can_do_where_their_server_says_it() -> None:
    found = await find(lm_studio("qwen-vl", "qwen"))
    assert found is not None
    assert [(model.sees_images, model.takes_tools) for model in found.listed] == [(True, True), (False, True)]
    props = {
        "default_generation_settings": {"n_ctx": 512},
        "modalities": {"vision": True},
        "chat_template_caps": {"supports_tools": False},
    }
    found = await find(LocalServer({"/props": Reply(body=props), "/v1/models": model_list("m", owner="llamacpp")}))
    assert found is not None
    assert [(model.sees_images, model.takes_tools) for model in found.listed] == [(True, None)], (
        "it has a form for any model"
    )


async def test_a_length_that_is_known_is_not_asked_for_again() -> None:
    server = vllm("m")
    async with running(server):
        contexts = RunningContexts()
        assert [await contexts.get(f"http://localhost:{server.port}/v1", "m") for _ in range(3)] == [32768] * 3
    assert len(server.paths) == len(set(server.paths))
    assert all(request.startswith("GET /") for request in server.requests)


async def test_a_model_that_is_not_loaded_yet_is_asked_for_again() -> None:
    server = ollama("m")
    async with running(server):
        contexts, url = RunningContexts(), f"http://127.0.0.1:{server.port}/v1"
        assert await contexts.get(url, "m") is None
        server.routes = ollama("m", loaded=["m"]).routes
        assert await contexts.get(url, "m") == 4096


async def test_a_server_with_one_model_answers_with_it_whatever_it_is_called() -> None:
    async with running(llama_cpp("/models/qwen.gguf")) as (server,):
        assert await RunningContexts().get(f"http://127.0.0.1:{server.port}/v1", "qwen") == 4096


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/v1", "http://192.0.2.1/v1", "https://api.example/v1", "no address", ""]
)
async def test_only_servers_of_this_machine_are_asked_what_they_read(url: str) -> None:
    assert await RunningContexts().get(url, "m") is None  # the network guard would hear of an attempt


@pytest.mark.parametrize(
    ("usual_kind", "server", "models", "note"),
    [
        ("LM Studio", lm_studio(), (), "no_models"),
        ("LM Studio", older_lm_studio(), (), "no_models"),
        ("Jan", LocalServer({"/v1/models": model_list("m")}), ("m",), ""),
        ("Jan", LocalServer({"/v1/models": model_list()}), (), "no_models"),
        (
            "Jan",
            LocalServer(everything=Reply(body="Invalid or missing authorization token", status=401)),
            (),
            "needs_key",
        ),
        (
            "LM Studio",
            LocalServer(
                everything=Reply(body={"error": {"message": "An LM Studio API token is required"}}, status=401)
            ),
            (),
            "needs_key",
        ),
    ],
)
async def test_on_a_port_of_its_own_a_server_is_known_by_less(
    usual_kind: str, server: LocalServer, models: tuple[str, ...], note: str
) -> None:
    found = await find(server, usual_kind)
    assert found is not None
    assert (found.kind, found.models, found.note) == (usual_kind, models, note)


async def test_docker_model_runner_has_another_path() -> None:
    server = LocalServer({"/engines/v1/models": model_list("ai/smollm2")})
    found = await find(server, "Docker Model Runner")
    assert found is not None
    assert found.base_url == f"http://127.0.0.1:{server.port}/engines/v1"
    assert found.models == ("ai/smollm2",)


@pytest.mark.parametrize(
    "make",
    [
        dev_server,
        json_api,
        login_wall,
        LocalServer,
        lambda: LocalServer(everything=Reply(body=b"\xff\x00" * 100)),
        lambda: LocalServer(everything=Reply(body="[" * 200_000)),
        lambda: LocalServer(everything=Reply(body="", status=403, headers={"Server": "AirTunes/1"})),
        lambda: LocalServer(everything=Reply(body={"error": "x"})),
        lambda: LocalServer(everything=Reply(status=301, headers={"Location": "http://127.0.0.1:1/v1/models"})),
        lambda: LocalServer(everything=Reply(body={"version": "1.0.0"})),
        lambda: LocalServer({"/v1/models": Reply(body={"data": [{"id": "m"}]})}),
        lambda: LocalServer({"/readyz": Reply(body="ok"), "/v1/models": Reply(body={"data": []})}),
        lambda: LocalServer({"/v1/models": Reply(body={"object": "list", "data": []})}),
        lambda: LocalServer({"/api/tags": Reply(body={"models": []}), "/api/version": Reply(body={"version": "1"})}),
    ],
)
async def test_other_programs_are_not_reported(make: Callable[[], LocalServer]) -> None:
    assert await find(make()) is None


async def test_a_server_that_speaks_no_http_is_not_reported() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n" * 100)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        assert await find_servers({server.sockets[0].getsockname()[1]: ""}) == ()


async def test_silent_and_endless_servers_hold_nobody_up() -> None:
    good, silent, endless = ollama("m"), LocalServer(is_silent=True), LocalServer(is_endless=True)
    deaf = socket.socket()  # it listens and never accepts
    deaf.bind(("127.0.0.1", 0))
    deaf.listen(0)
    with deaf:
        async with running(good, silent, endless), asyncio.timeout(5):
            ports = [silent.port, endless.port, deaf.getsockname()[1], good.port]
            found = await find_servers(dict.fromkeys(ports, ""))
    assert [server.kind for server in found] == ["Ollama"]
    # At most: a busy machine may use up the time before the question is out.
    assert len(silent.requests) <= 1
    assert len(endless.requests) <= 1


async def test_nothing_is_found_where_nothing_listens() -> None:
    with socket.socket() as held:  # bound, so that nobody else can listen there meanwhile
        held.bind(("127.0.0.1", 0))
        assert await find_servers({held.getsockname()[1]: "Ollama"}) == ()
    assert await find_servers({}) == ()


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert await find(ollama("m")) is not None


@pytest.mark.parametrize(
    "value",
    ["127.0.0.1:{port}", ":{port}", "localhost:{port}", "0.0.0.0:{port}", "http://127.0.0.1:{port}", ' "[::]:{port}" '],
)
async def test_ollama_is_looked_for_where_its_variable_says(value: str) -> None:
    server = ollama("m")
    async with running(server):
        (found,) = await find_servers({}, ollama_host=value.format(port=server.port))
    assert (found.kind, found.base_url) == ("Ollama", f"http://127.0.0.1:{server.port}/v1")


@pytest.mark.parametrize(
    "value", ["", "192.0.2.1:80", "https://127.0.0.1", "ollama.example", "127.0.0.1:x", "[::1", "\0"]
)
async def test_other_machines_are_never_asked(value: str) -> None:
    assert await find_servers({}, ollama_host=value) == ()  # the network guard would hear of an attempt


async def test_the_usual_place_is_not_asked_twice() -> None:
    server = ollama("m")
    async with running(server):
        found = await find_servers({server.port: "Ollama"}, ollama_host=f"127.0.0.1:{server.port}")
    assert len(found) == 1
    assert server.paths.count("/api/tags") == 1
    assert USUAL_PORTS[OLLAMA_PORT] == "Ollama"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["list", "model", "vllm", "m"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["object", "data", "models", "id", "name", "owned_by", "state", "type", "loaded_instances",
                             "version", "error", "result", "model_path", "tokenizer_path", "key", "model_name",
                             "lora_names", "protected"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@example(body={"models": [{"name": []}]}, usual_kind="")
@given(body=JSON, usual_kind=st.sampled_from(["", "LM Studio", "Docker Model Runner"]))
async def test_whatever_a_server_says_the_search_ends_well(body: Any, usual_kind: str) -> None:
    found = await find(LocalServer({"/": Reply(body="Ollama is running")}, everything=Reply(body=body)), usual_kind)
    assert found is None or all(isinstance(name, str) for name in found.models)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ({"object": "list", "data": [{"id": "b"}, {"id": "a"}, {"id": "b"}]}, ("b", "a")),
        ({"object": "list", "data": None}, ()),
        ([{"id": "a"}, {"name": "b"}], ("a", "b")),
        ({"models": [{"name": "models/gemini"}]}, ("models/gemini",)),
        ({"models": ["a", "b"]}, ("a", "b")),
        ({"result": [{"model": "a"}]}, ("a",)),
        ({"data": []}, ()),
        ({"data": [{"id": "text-embedding-3"}, {"id": "gpt"}, {"id": "whisper-1"}]},
         ("gpt", "text-embedding-3", "whisper-1")),
        ({"error": {"message": "no"}}, None),
        ({"data": {"id": "a"}}, None),
        ([{"title": "a post"}], None),
        ("text", None),
        (None, None),
    ],
)  # fmt: skip
def test_lists_of_models_of_every_shape(value: Any, names: tuple[str, ...] | None) -> None:
    assert names_in_list(value) == names


def test_names_are_bounded_and_clean() -> None:
    assert clean_names(["a", 1, None, "", " ", "b\nc", "\u202eevil", "x" * (MOST_CHARACTERS + 1), ["a"], {}]) == ("a",)
    assert len(clean_names(f"m{number}" for number in range(MOST_NAMES + 5))) == MOST_NAMES
