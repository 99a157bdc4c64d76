"""What a test of an endpoint says of each thing that may work or not, and how much models can be told to think."""

import socket
from typing import Any

import pytest

from desktop.core.endpoint_settings import ModelOptions
from desktop.core.endpoints import Ability, EndpointCheck, Finding
from desktop.core.language_model import ThinkingEffort
from desktop.core.model_facts import FactsInMemory
from desktop.core.settings import EndpointSettings
from desktop.providers.endpoint_check import Endpoints
from tests.support.endpoint import LoopbackEndpoint, call, drop, status, text
from tests.support.local_server import LocalServer, Reply, chat_stream, model_list, ollama, running

KEY = "sEcReT-0123456789-abcdef"
NO_TOOL = [text("I cannot know that.")]
"""The answer to the question that offers a tool."""


def endpoint(base_url: str, model: str = "loopback-model", **more: Any) -> EndpointSettings:
    return EndpointSettings(id="e", base_url=base_url, model=model, **more)


async def checked(served: LocalServer, model: str) -> EndpointCheck:
    async with running(served):
        return await Endpoints().check(endpoint(f"http://127.0.0.1:{served.port}/v1", model), KEY)


def found(check: EndpointCheck) -> dict[Ability, tuple[bool | None, str]]:
    assert [finding.ability for finding in check.findings] == list(Ability)
    return {finding.ability: (finding.works, finding.note) for finding in check.findings}


async def test_a_test_says_what_works() -> None:
    async with LoopbackEndpoint([[text("Hel"), text("lo")], [call("current_date")]]) as server:
        check = await Endpoints().check(endpoint(server.base_url), KEY)
    assert found(check) == {
        Ability.REACHABLE: (True, ""),
        Ability.KEY: (True, ""),
        Ability.MODEL: (True, ""),
        Ability.STREAMING: (True, ""),
        Ability.TOOLS: (True, ""),
        Ability.CONTEXT: (None, ""),
    }


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([call("current_date")], (True, "")),
        ([text("Today is some day.")], (True, "not_called")),
        ([status(400, {"error": {"message": "registry.ollama.ai/library/m does not support tools"}})], (False, "")),
        ([status(400, {"error": {"message": "Something about functions"}})], (False, "")),
        ([status(500, {"error": {"message": "Boom"}})], (None, "")),
        ([text("half"), drop()], (None, "")),
    ],
)
async def test_whether_tools_work_never_fails_the_test(answer: Any, expected: tuple[bool | None, str]) -> None:
    async with LoopbackEndpoint([[text("Hello")], answer, NO_TOOL]) as server:
        check = await Endpoints().check(endpoint(server.base_url), KEY)
    assert check.error is None
    assert check.answer == "Hello"
    assert found(check)[Ability.TOOLS] == expected


async def test_no_tool_is_offered_to_a_model_that_takes_none() -> None:
    async with LoopbackEndpoint([[text("Hello")]]) as server:
        told = endpoint(server.base_url, model_options={"loopback-model": ModelOptions(takes_tools=False)})
        check = await Endpoints().check(told, KEY)
        assert len(server.chats) == 1
    assert found(check)[Ability.TOOLS] == (False, "switched_off")


async def test_an_answer_in_one_piece_says_nothing_of_streaming() -> None:
    async with LoopbackEndpoint([[text("Hello")], NO_TOOL]) as server:
        check = await Endpoints().check(endpoint(server.base_url), "")
    assert found(check)[Ability.STREAMING] == (None, "one_piece")
    assert found(check)[Ability.KEY] == (True, "not_needed")


async def test_a_model_that_is_not_in_the_list_and_answers_all_the_same() -> None:
    async with LoopbackEndpoint([[text("Hello")], NO_TOOL]) as server:
        check = await Endpoints().check(endpoint(server.base_url, "hidden"), KEY)
    assert found(check)[Ability.MODEL] == (True, "not_listed")


@pytest.mark.parametrize(
    ("reply", "works"),
    [
        (Reply(body={"error": {"message": "Invalid API key"}}, status=401), (True, False, None)),
        (Reply(body={"error": {"message": "The model `x` does not exist"}}, status=404), (True, True, False)),
        (Reply(body={"error": {"message": "Rate limit"}}, status=429), (True, True, None)),
    ],
)
async def test_what_a_refusal_leaves_open(reply: Reply, works: tuple[bool, bool, bool | None]) -> None:
    server = LocalServer({"/v1/models": model_list("m"), "/v1/chat/completions": reply})
    results = found(await checked(server, "x"))
    assert tuple(results[ability][0] for ability in (Ability.REACHABLE, Ability.KEY, Ability.MODEL)) == works


async def test_nothing_is_known_of_a_server_that_is_not_there() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        check = await Endpoints().check(endpoint(f"http://127.0.0.1:{held.getsockname()[1]}/v1"), KEY)
    assert [works for works, _ in found(check).values()] == [False, None, None, None, None, None]


async def test_the_context_length_is_what_a_local_server_reads_else_what_the_list_says() -> None:
    here = ollama("m", loaded=["m"])
    here.routes = {**here.routes, "/v1/models": model_list("m"), "/v1/chat/completions": chat_stream("Hello")}
    facts = FactsInMemory()
    async with running(here):
        url = f"http://127.0.0.1:{here.port}/v1"
        check = await Endpoints(facts=facts).check(endpoint(url, "m"), "")
        own = {"m": ModelOptions(context_tokens=9000)}
        as_set = await Endpoints(facts=facts).check(endpoint(url, "m", model_options=own), "")
    assert check.findings[-1] == Finding(ability=Ability.CONTEXT, works=True, tokens=4096)
    assert as_set.findings[-1] == Finding(ability=Ability.CONTEXT, works=True, tokens=9000, note="as_set")

    listed = LocalServer(
        {"/v1/models": model_list("m", context_length=131072), "/v1/chat/completions": chat_stream("Hello")}
    )
    check = await checked(listed, "m")
    assert check.findings[-1].tokens == 131072


async def test_what_a_list_says_is_remembered() -> None:
    facts = FactsInMemory()
    async with running(LocalServer({"/v1/models": model_list("m", max_model_len=2048)})) as (server,):
        url = f"http://127.0.0.1:{server.port}/v1"
        await Endpoints(facts=facts).list_models(endpoint(url), "")
    assert facts.get(url, "m").context_tokens == 2048


@pytest.mark.parametrize(
    ("base_url", "model", "levels"),
    [
        ("https://api.openai.com/v1", "gpt-5.4", list(ThinkingEffort)),
        ("https://api.openai.com/v1", "gpt-4.1-mini", []),
        ("https://api.deepseek.com/v1", "deepseek-v4-flash", [ThinkingEffort.OFF, ThinkingEffort.HIGH]),
        ("http://127.0.0.1:11434/v1", "llama3.2", []),
        ("http://127.0.0.1:11434/v1", "qwen2.5-coder:7b", []),
        ("http://127.0.0.1:11434/v1", "qwen3:8b", list(ThinkingEffort)),
        ("https://somebody.example/v1", "", []),
    ],
)
def test_how_much_models_can_be_told_to_think(base_url: str, model: str, levels: list[ThinkingEffort]) -> None:
    assert list(Endpoints().thinking_levels(endpoint(base_url, model))) == levels


def test_what_an_endpoint_refused_is_not_offered() -> None:
    facts = FactsInMemory()
    unknown = endpoint("https://somebody.example/v1", "m")
    assert Endpoints(facts=facts).thinking_levels(unknown)
    facts.update(unknown.base_url, "m", without=frozenset({"thinking"}))
    assert Endpoints(facts=facts).thinking_levels(unknown) == ()
    assert Endpoints().thinking_levels(EndpointSettings()) == ()
