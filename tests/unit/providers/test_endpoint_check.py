"""A test of an endpoint: what works is said to work, and every fault has a word that one can act on."""

import asyncio
import json
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest

from desktop.core.endpoints import EndpointCheck, EndpointDirectory, ListedModel
from desktop.core.error_texts import ERROR_TEXTS, english
from desktop.core.errors import ModelError
from desktop.core.settings import EndpointSettings
from desktop.providers.endpoint_check import NAMED_MODELS, Endpoints
from desktop.providers.model_names import MOST_NAMES, clean_names
from desktop.providers.trial_questions import ANSWER_CHARACTERS
from tests.support.endpoint import LoopbackEndpoint, close, drop, finish, hold, status, text, thinking
from tests.support.local_server import LocalServer, Reply, chat_stream, lm_studio, model_list, ollama, running

KEY = "sEcReT-0123456789-abcdef"


def endpoint(base_url: str, model: str = "loopback-model", **more: Any) -> EndpointSettings:
    return EndpointSettings(id="e", base_url=base_url, model=model, **more)


async def checked(served: LocalServer, *, path: str = "/v1", model: str = "m", key: str = KEY) -> EndpointCheck:
    async with running(served):
        return await Endpoints().check(endpoint(f"http://127.0.0.1:{served.port}{path}", model), key)


NO_TOOL = [text("I cannot know that.")]
"""The answer to the question that offers a tool."""


def words(check: EndpointCheck) -> str:
    """What the user reads; every placeholder is filled and the key is never in it."""
    assert check.error is not None
    assert check.error.code in ERROR_TEXTS
    title, detail = english(check.error.code, check.error.params)
    assert KEY not in title + detail
    return f"{title}: {detail}"


async def test_a_good_endpoint_answers() -> None:
    directory: EndpointDirectory = Endpoints(environ={"OPENAI_API_KEY": "other"})
    async with LoopbackEndpoint(
        [[text("Hello there!\nNice.")], NO_TOOL], models=("loopback-model", "b", "embed")
    ) as server:
        check = await directory.check(endpoint(server.base_url), KEY)
        assert check.error is None
        assert check.answer == "Hello there! Nice."
        assert check.seconds > 0
        assert check.models == ("loopback-model", "b", "embed")
        assert check.base_url == server.base_url
        listing, chat, offer, *about = server.requests
        assert (listing.method, listing.path) == ("GET", "/v1/models")
        assert {request.headers["authorization"] for request in (listing, chat, offer)} == {f"Bearer {KEY}"}
        assert all(request.method == "GET" and "authorization" not in request.headers for request in about)
        assert chat.body["max_tokens"] <= 500
        assert "tools" not in chat.body
        assert [tool["function"]["name"] for tool in offer.body["tools"]] == ["current_date"]
        assert not server.problems


async def test_without_a_key_none_is_sent_whatever_the_environment_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "OPENAI_API_KEY": "sk-other",
        "OPENAI_ORG_ID": "org",
        "OPENAI_PROJECT_ID": "project",
        "OPENAI_CUSTOM_HEADERS": "X-Mine: 1",
        "HTTP_PROXY": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    async with LoopbackEndpoint([[text("Hi")]]) as server:
        check = await Endpoints().check(endpoint(server.base_url), "")
        assert check.error is None
        for request in server.requests:
            assert {"authorization", "openai-organization", "openai-project", "x-mine"}.isdisjoint(request.headers)


async def test_the_key_of_a_variable_is_used() -> None:
    async with LoopbackEndpoint([[text("Hi")]]) as server:
        directory = Endpoints(environ={"MY_KEY": KEY})
        assert (await directory.check(endpoint(server.base_url, key_env="MY_KEY"), "")).error is None
        assert server.chats[0].headers["authorization"] == f"Bearer {KEY}"
        missing = await directory.check(endpoint(server.base_url, key_env="NOT_SET"), "")
        assert "NOT_SET" in words(missing)
        assert len(server.chats) == 2


@pytest.mark.parametrize(
    "path", ["/v1/chat/completions", "/v1/", "/v1/models", "", "/"], ids=["request", "slash", "list", "none", "root"]
)
async def test_addresses_as_they_are_pasted(path: str) -> None:
    server = LocalServer({"/v1/models": model_list("m"), "/v1/chat/completions": chat_stream("Hello")})
    check = await checked(server, path=path)
    assert (check.error, check.answer, check.models) == (None, "Hello", ("m",))
    assert check.base_url == f"http://127.0.0.1:{server.port}/v1"


async def test_a_forgotten_v1_is_found_behind_web_pages_and_without_a_list() -> None:
    page = Reply(body="<!doctype html><title>Welcome</title>", headers={"Content-Type": "text/html"})
    server = LocalServer({"/v1/chat/completions": chat_stream("Hello")}, everything=page)
    check = await checked(server, path="")
    assert (check.error, check.answer, check.models) == (None, "Hello", ())
    assert check.base_url == f"http://127.0.0.1:{server.port}/v1"

    studio = lm_studio("m")
    check = await checked(studio, path="", model="")
    assert check.models == ("m",)
    assert check.base_url == f"http://127.0.0.1:{studio.port}/v1"


async def test_a_query_of_the_address_is_kept() -> None:
    server = LocalServer(
        {"/models?api-version=1": model_list("m"), "/chat/completions?api-version=1": chat_stream("Hi")}
    )
    check = await checked(server, path="/chat/completions?api-version=1")
    assert check.error is None
    assert check.base_url == f"http://127.0.0.1:{server.port}?api-version=1"


async def test_models_that_only_think_or_run_out_of_tokens_work() -> None:
    async with LoopbackEndpoint(
        [
            [thinking("hm"), thinking("…"), hold("for ever")],
            NO_TOOL,
            [thinking("hm"), finish("length")],
            NO_TOOL,
            [finish("length")],
            NO_TOOL,
            [
                status(
                    400,
                    {
                        "error": {
                            "message": "Could not finish the message because max_tokens or model output limit was reached."
                        }
                    },
                )
            ],
            NO_TOOL,
        ]
    ) as server:
        directory = Endpoints(thinking_seconds=0.1)
        for _ in range(4):
            check = await directory.check(endpoint(server.base_url), KEY)
            assert (check.error, check.answer) == (None, "")
            assert check.base_url == server.base_url


async def test_an_endless_answer_is_left_at_its_beginning() -> None:
    async with LoopbackEndpoint([[text("word \u202e" * 2_000, piece_chars=50), hold("for ever")]]) as server:
        check = await Endpoints().check(endpoint(server.base_url), KEY)
        assert check.error is None
        assert len(check.answer) <= ANSWER_CHARACTERS
        assert check.answer.startswith("word word")
        assert "\u202e" not in check.answer
        await server.wait_until(lambda server: server.chats[0].is_disconnected)


@pytest.mark.parametrize(("status_code", "code"), [(302, "redirected"), (401, "unauthorized"), (500, "server_error")])
async def test_an_endless_refusal_is_read_to_its_beginning(status_code: int, code: str) -> None:
    endless = LocalServer(
        everything=Reply(status=status_code, headers={"Location": "https://else.example"}), is_endless=True
    )
    async with running(endless):
        check = await Endpoints(local_seconds=20.0).check(endpoint(f"http://127.0.0.1:{endless.port}/v1"), KEY)
    assert check.error is not None
    assert check.error.code == f"model.{code}"


def test_only_the_beginning_of_a_huge_list_is_gone_through() -> None:
    items = iter([{"id": f"m{number}"} for number in range(10_000)])
    assert len(clean_names(item["id"] for item in items)) == MOST_NAMES
    assert next(items) == {"id": f"m{MOST_NAMES}"}


async def test_what_a_reasoning_model_refuses_is_left_out() -> None:
    refused = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    async with LoopbackEndpoint([[status(400, {"error": {"message": refused}})], [text("Hello")]]) as server:
        check = await Endpoints().check(endpoint(server.base_url), KEY)
        assert (check.error, check.answer) == (None, "Hello")
        assert "max_completion_tokens" in server.chats[1].body


FAULTS: Mapping[str, tuple[int, Any, str, str]] = {
    "wrong key": (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, "model.unauthorized", "Check the key"),
    "no credit": (402, {"error": {"message": "Insufficient Balance"}}, "model.no_credit", "Top up"),
    "quota": (429, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
              "model.no_credit", "Top up"),
    "too many": (429, {"error": {"message": "Rate limit reached"}}, "model.rate_limited", "Wait"),
    "region": (403, {"error": {"message": "Country not supported"}}, "model.forbidden", "region"),
    "wrong model": (404, {"error": {"message": "The model `x` does not exist", "code": "model_not_found"}},
                    "model.unknown_model", "a, b"),
    "wrong model, DeepSeek": (400, {"error": {"message": "Model Not Exist"}}, "model.unknown_model", "a, b"),
    "wrong model, Zhipu": (400, {"error": {"code": "1211", "message": "模型不存在"}}, "model.unknown_model", "a, b"),
    "something else": (400, {"error": {"message": "Bad luck"}}, "model.rejected", "Bad luck"),
    "failure": (500, {"error": {"message": "Boom"}}, "model.server_error", "Boom"),
    "loading": (503, {"error": {"message": "Loading model"}}, "model.loading", "Try again"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
async def test_every_fault_of_the_question_has_a_word_to_act_on(name: str) -> None:
    code, body, error_code, hint = FAULTS[name]
    server = LocalServer(
        {
            "/v1/models": model_list("a", "b"),
            "/v1/chat/completions": Reply(body=body, status=code, headers={"x-should-retry": "false"}),
        }
    )
    async with running(server):
        directory = Endpoints(local_seconds=1.5)
        check = await directory.check(endpoint(f"http://127.0.0.1:{server.port}/v1", "x"), KEY)
    assert hint in words(check)
    assert check.error is not None
    assert check.error.code == error_code
    assert check.models == ("a", "b")
    assert check.answer == ""


async def test_a_model_that_is_in_the_list_is_not_called_unknown() -> None:
    missing = Reply(body={"error": {"message": "model not found"}}, status=404)
    check = await checked(LocalServer({"/v1/models": model_list("m"), "/v1/chat/completions": missing}))
    assert check.error is not None
    assert check.error.code == "model.no_such_model"


async def test_long_lists_are_named_in_part() -> None:
    names = [f"model-{number}" for number in range(NAMED_MODELS + 3)]
    missing = Reply(body={"error": {"message": "no such model"}}, status=404)
    check = await checked(LocalServer({"/v1/models": model_list(*names), "/v1/chat/completions": missing}), model="x")
    assert f"model-{NAMED_MODELS - 1}, …" in words(check)
    assert f"model-{NAMED_MODELS}" not in words(check)


async def test_a_wrong_key_is_found_without_a_model_and_asked_once() -> None:
    refused = Reply(body={"error": {"message": "Invalid API key"}}, status=401)
    server = LocalServer(everything=refused)
    check = await checked(server, model="")
    assert "Check the key" in words(check)
    assert server.paths == ["/v1/models"]


async def test_a_list_that_is_refused_does_not_keep_a_chat_from_working() -> None:
    server = LocalServer({"/v1/models": Reply(status=403, body={}), "/v1/chat/completions": chat_stream("Hello")})
    check = await checked(server)
    assert (check.error, check.answer, check.models) == (None, "Hello", ())


async def test_without_a_model_the_list_is_what_comes_of_it() -> None:
    check = await checked(LocalServer({"/v1/models": model_list("a", "b")}), model=" ")
    assert check.models == ("a", "b")
    assert check.base_url
    assert check.error is not None
    assert check.error.code == "model.no_model"


@pytest.mark.parametrize(
    ("everything", "error_code", "hint"),
    [
        (Reply(body="<!doctype html><h1>Welcome</h1>", headers={"Content-Type": "text/html"}), "model.not_a_stream", "/v1"),
        (Reply(body="Not Found", status=404), "model.not_found", "and the address"),
        (Reply(body="", status=405), "model.rejected", "405"),
        (Reply(status=301, headers={"Location": "https://other.example/v1"}), "model.redirected", "https://other.example/v1"),
        (Reply(body=b""), "model.empty", ""),
        (Reply(body={"error": "Unexpected endpoint"}), "model.server_error", "Unexpected endpoint"),
    ],
)  # fmt: skip
async def test_addresses_that_are_no_endpoints(everything: Reply, error_code: str, hint: str) -> None:
    check = await checked(LocalServer(everything=everything), path="")
    assert check.error is not None
    assert check.error.code == error_code
    assert hint in words(check)
    assert (check.base_url, check.models) == ("", ())


async def test_the_wrong_address_is_the_one_that_was_given() -> None:
    check = await checked(LocalServer(), path="/somewhere")
    assert check.error is not None
    assert urlsplit(str(check.error.params["url"])).path == "/somewhere"


async def refuse_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What a web server without TLS says to a client that begins with it."""
    await reader.read(100)
    writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
    await writer.drain()
    writer.close()


async def test_nobody_there() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        refused = await Endpoints().check(endpoint(f"http://127.0.0.1:{port}/v1"), KEY)
        unknown = await Endpoints().check(endpoint("https://no-such-host.invalid/v1"), KEY)
        async with await asyncio.start_server(refuse_tls, "127.0.0.1", 0) as plain:
            port = plain.sockets[0].getsockname()[1]
            no_tls = await Endpoints().check(endpoint(f"https://127.0.0.1:{port}/v1"), KEY)
    assert "runs" in words(refused)
    assert "not known" in words(unknown)
    assert "try http" in words(no_tls)
    assert "internet connection" in words(unknown)
    codes = [check.error.code if check.error else "" for check in (refused, unknown, no_tls)]
    assert codes == ["model.unreachable", "model.unknown_host", "model.unreachable"]


async def test_a_test_that_breaks_off_is_said_in_the_words_of_a_test() -> None:
    endings = [[text("Hel"), close()], [text("Hel"), drop()]]
    async with LoopbackEndpoint(endings) as server:
        for _ in endings:
            check = await Endpoints().check(endpoint(server.base_url), KEY)
            assert check.error is not None
            assert check.error.code == "model.broke_off"
            assert "kept" not in words(check)
            assert "Try again" in words(check)


def test_no_words_of_a_test_speak_of_sending() -> None:
    of_chats = {"connection_lost", "ended_early", "bad_stream", "timeout"}
    texts = {code: text.detail for code, text in ERROR_TEXTS.items() if code.startswith("model.")}
    found = {code.removeprefix("model.") for code, words in texts.items() if "send again" in words.lower()}
    assert found <= of_chats


@pytest.mark.parametrize("url", ["no address", "ftp://host/v1", "https://user:secret@host.example/v1"])
async def test_bad_addresses_and_keys_are_refused_before_anything_is_sent(url: str) -> None:
    check = await Endpoints().check(endpoint(url), KEY)
    assert check.error is not None
    assert check.error.code == "model.bad_address"
    assert "secret" not in words(check)
    bad_key = await Endpoints().check(endpoint("https://host.example/v1"), "sk-ключ")
    assert bad_key.error is not None
    assert bad_key.error.code == "model.key_malformed"


async def test_silence_ends_at_the_limit_with_the_models_found_so_far() -> None:
    async with LoopbackEndpoint([[hold("for ever")]]) as server:
        check = await Endpoints(local_seconds=1.5).check(endpoint(server.base_url), KEY)
        assert check.error is not None
        assert check.error.code == "model.no_answer"
        assert check.models == ("loopback-model",)
        await server.wait_until(lambda server: server.chats[0].is_disconnected)


async def test_a_model_that_is_loaded_in_time_answers() -> None:
    loading = status(503, {"error": {"message": "Loading model"}}, {"x-should-retry": "false"})
    async with LoopbackEndpoint([[loading], [text("Hello")]]) as server:
        check = await Endpoints().check(endpoint(server.base_url), KEY)
        assert (check.error, check.answer) == (None, "Hello")


async def test_a_check_can_be_cancelled() -> None:
    async with LoopbackEndpoint([[hold("for ever")]]) as server:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(Endpoints().check(endpoint(server.base_url), KEY))
            await server.wait_until(lambda server: server.chats and server.chats[0].held)
            task.cancel()
        assert task.cancelled()
        await server.wait_until(lambda server: server.chats[0].is_disconnected)


async def test_the_demo_model_works_without_network() -> None:
    check = await Endpoints().check(EndpointSettings(), "")
    assert check.error is None
    assert check.answer


@pytest.mark.parametrize(
    "body",
    [
        {"object": "list", "data": [{"id": "b"}, {"id": "a"}]},
        [{"id": "b"}, {"id": "a"}],
        {"models": [{"name": "b"}, {"name": "a"}]},
    ],
)
async def test_lists(body: Any) -> None:
    server = LocalServer({"/v1/models": Reply(body=body)})
    async with running(server):
        assert await Endpoints().list_models(endpoint(f"http://127.0.0.1:{server.port}"), "") == (
            ListedModel(name="b"),
            ListedModel(name="a"),
        )
    assert "authorization" not in server.requests[0].lower()


async def test_no_list() -> None:
    for everything in (
        Reply(status=404, body="no"),
        Reply(body="<p>page</p>"),
        Reply(body={"error": "Unexpected endpoint"}),
        Reply(body="[" * 100_000),
    ):
        server = LocalServer(everything=everything)
        async with running(server):
            with pytest.raises(ModelError) as failure:
                await Endpoints().list_models(endpoint(f"http://127.0.0.1:{server.port}"), KEY)
        assert failure.value.code == "model.no_list"
        assert server.paths == ["/models", "/v1/models"]


async def test_a_list_behind_a_key_says_so() -> None:
    for everything in (
        Reply(status=401, body={"error": {"message": "no"}}),
        Reply(body={"code": 401, "msg": "invalid api key"}),
    ):
        async with running(LocalServer(everything=everything)) as (server,):
            with pytest.raises(ModelError) as failure:
                await Endpoints().list_models(endpoint(f"http://127.0.0.1:{server.port}/v1"), KEY)
            assert failure.value.code == "model.unauthorized"


async def test_local_servers_are_found_where_the_environment_says() -> None:
    server = ollama("m")
    async with running(server):
        directory = Endpoints(environ={"OLLAMA_HOST": f"127.0.0.1:{server.port}"}, ports={})
        (found,) = await directory.find_local()
    assert found.models == ("m",)


def test_presets_can_be_used_as_they_are() -> None:
    presets = Endpoints().presets()
    assert len({preset.id for preset in presets}) == len(presets) >= 11
    assert {"openai", "deepseek", "openrouter", "zhipu"} <= {preset.id for preset in presets}
    for preset in presets:
        for url in (preset.base_url, preset.key_page):
            parts = urlsplit(url)
            assert parts.scheme == "https"
            assert parts.hostname
        assert not preset.base_url.endswith("/")
        assert preset.models
        assert len(set(preset.models)) == len(preset.models)
        json.dumps(preset.chinese_name)
