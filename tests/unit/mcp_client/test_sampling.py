"""A server asks for the user's model: only where that is on, within bounds, and never with anything of the chat."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.core.errors import ToolError
from desktop.mcp_client import sampling
from desktop.mcp_client.config import server_config
from desktop.mcp_client.sampling import MAX_REFUSALS_OF_CALL, MAX_REQUESTS_OF_CALL, MAX_TOKENS, MAX_TOKENS_OF_CALL
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.tools.entities import ProtocolEra, ServerConfig, ServerState, Transport
from desktop.tools.ports import ModelForServers
from desktop.tools.server_sampling import ModelAnswer, Sampled, SamplingRequest, SamplingRole, Unsampled
from desktop.ui.state.server_draft import draft_of, entry_of
from tests.support.mcp_world import McpWorld, hostile, hostile_modern, mcp_world
from tests.support.real_servers import needs_servers, node_server
from tests.support.waiting import until

SAMPLING_SERVER = Path(sampling.__file__).parents[2] / "tests/support/sampling_server.py"
REFUSED = "was refused"
REJECTED = {"code": -1, "message": "User rejected sampling request"}

Outcome = Sampled | Unsampled | None
Answering = Callable[[SamplingRequest], Outcome]


def answered(text: str = "Roses.", *, tokens: int | None = 3) -> Sampled:
    return Sampled(answer=ModelAnswer(text=text, stop_reason="endTurn", output_tokens=tokens), model="qwen3:8b")


class Lending(ModelForServers):
    """Answers each request by ``answer``; None leaves it open until it is withdrawn."""

    def __init__(self, answer: Answering = lambda _request: answered()) -> None:
        self._answer = answer
        self.asked: list[SamplingRequest] = []
        self.open = 0
        self.withdrawn = 0

    async def sample(self, request: SamplingRequest) -> Sampled | Unsampled:
        self.asked.append(request)
        if (outcome := self._answer(request)) is not None:
            return outcome
        self.open += 1
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.withdrawn += 1
            raise
        finally:
            self.open -= 1
        raise AssertionError("it waits for ever")


def on(config: ServerConfig) -> ServerConfig:
    return replace(config, may_ask_model=True)


def own(protocol: ProtocolEra) -> ServerConfig:
    return on(
        ServerConfig(
            id="own",
            transport=Transport.STDIO,
            command=sys.executable,
            args=(str(SAMPLING_SERVER),),
            protocol=protocol,
            knows_folder=True,
        )
    )


async def act(world: McpWorld, what: str) -> Any:
    return json.loads(await world.act(what))


@pytest.mark.parametrize("protocol", [ProtocolEra.LEGACY, ProtocolEra.MODERN])
async def test_a_server_of_the_sdk_gets_what_the_model_said(protocol: ProtocolEra) -> None:
    lending = Lending()
    async with mcp_world([own(protocol)], model=lending) as world:
        outcome = await world.call("summarise", text="a long text", thread_id="chat")
    assert outcome.text == "Roses. (qwen3:8b, endTurn)"
    (request,) = lending.asked
    assert (request.server_id, request.thread_id, request.turn_id) == ("own", "chat", "turn")
    assert [(m.role, m.text) for m in request.messages] == [(SamplingRole.USER, "Sum up: a long text")]
    assert (request.system_prompt, request.max_tokens, request.asked_tokens) == ("You sum up in one sentence.", 60, 60)
    assert not request.wants_context


async def test_a_refusal_is_the_protocols_own_error() -> None:
    async with mcp_world([own(ProtocolEra.LEGACY)], model=Lending(lambda _request: Unsampled.REFUSED)) as world:
        assert (await world.call("summarise", text="x")).text == "no summary: -1 User rejected sampling request"


async def test_a_refusal_in_the_newer_era_ends_the_call_with_that_error() -> None:
    async with mcp_world([own(ProtocolEra.MODERN)], model=Lending(lambda _request: Unsampled.REFUSED)) as world:
        with pytest.raises(ToolError) as caught:
            await world.call("summarise", text="x")
        assert caught.value.params["detail"] == "own: User rejected sampling request"
        assert world.gateway.statuses()[0].is_ready


@pytest.mark.parametrize("protocol", [ProtocolEra.LEGACY, ProtocolEra.MODERN])
async def test_folders_are_told_in_both_eras(protocol: ProtocolEra, tmp_path: Path) -> None:
    async def workspace_of(thread_id: str) -> str:
        assert thread_id == "chat"
        return str(tmp_path)

    async with mcp_world([own(protocol)], workspace_of=workspace_of) as world:
        assert (await world.call("folders", thread_id="chat")).text == tmp_path.as_uri()


@pytest.mark.allowed_log(REFUSED)
@pytest.mark.parametrize("is_on", [True, False])
async def test_it_is_offered_only_where_it_is_on_in_the_older_era(is_on: bool) -> None:
    lending = Lending()
    async with mcp_world([replace(hostile(), may_ask_model=is_on)], model=lending) as world:
        sample, roots, client = await act(world, "sample")
    assert client["capabilities"].get("sampling") == ({} if is_on else None)
    assert "roots" not in client["capabilities"]
    assert isinstance(roots["code"], int)
    assert isinstance(sample["code"], int), "without messages it is refused in any case"
    assert lending.asked == []


@pytest.mark.parametrize("is_on", [True, False])
async def test_it_is_offered_only_where_it_is_on_in_the_newer_era(is_on: bool, tmp_path: Path) -> None:
    async def workspace_of(_thread_id: str) -> str:
        return str(tmp_path)

    lending = Lending()
    config = replace(hostile_modern(), may_ask_model=is_on, knows_folder=is_on)
    async with mcp_world([config], model=lending, workspace_of=workspace_of) as world:
        if not is_on:
            for what, words in (("sample", "Sampling not supported"), ("roots", "List roots not supported")):
                with pytest.raises(ToolError) as caught:
                    await world.act(what)
                assert words in str(caught.value.params["detail"])
            assert lending.asked == []
            return
        answers, capabilities = await act(world, "sample")
        assert answers["s"]["content"] == {"type": "text", "text": "Roses."}
        assert (answers["s"]["role"], answers["s"]["model"]) == ("assistant", "qwen3:8b")
        assert capabilities["sampling"] == {}
        answers, _ = await act(world, "roots")
        assert answers["r"]["roots"] == [{"uri": tmp_path.as_uri()}]


def test_it_is_off_unless_the_user_says_so(tmp_path: Path) -> None:
    entry = {"command": "python"}
    assert not server_config("s", entry, {}).may_ask_model
    assert server_config("s", {**entry, "mayAskModel": True}, {}).may_ask_model
    assert not server_config("s", {**entry, "mayAskModel": "yes"}, {}).may_ask_model
    book = ConfiguredServers(source="", environment={}, workspace=lambda _settings: tmp_path)
    (pasted,) = book.parse('{"mcpServers": {"a": {"command": "x", "mayAskModel": true}}}').values()
    assert not server_config("a", pasted, {}).may_ask_model


def test_the_form_keeps_it() -> None:
    draft = draft_of("a", {"command": "x", "mayAskModel": True})
    assert draft is not None
    assert draft.may_ask_model
    assert entry_of(draft) == ({"command": "x", "mayAskModel": True}, [])
    assert entry_of(replace(draft, may_ask_model=False)) == ({"command": "x"}, [])


@pytest.mark.expected_log(REFUSED)
async def test_what_is_not_taken_is_refused_unseen_and_says_why() -> None:
    lending = Lending()
    async with mcp_world([on(hostile())], model=lending) as world:
        answers = await act(world, "odd_sampling")
        assert await world.act("nothing") == "did act"
    assert lending.asked == []
    assert {answer["code"] for answer in answers} == {-32602}
    tools, choice, *content = [answer["message"] for answer in answers[:6]]
    assert tools == choice == "tools are not offered in sampling"
    assert set(content) == {"only text is taken in sampling, no pictures, sound or tool results"}


@pytest.mark.expected_log(REFUSED)
async def test_what_is_not_taken_ends_the_call_in_the_newer_era() -> None:
    async with mcp_world([on(hostile_modern())], model=Lending()) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("sample_odd")
        assert caught.value.params["detail"] == "bad: tools are not offered in sampling"
        assert await world.act("nothing") == "did act"


async def test_nothing_of_the_chat_is_given_and_what_is_said_is_kept_exactly() -> None:
    lending = Lending()
    async with mcp_world([on(hostile())], model=lending) as world:
        (answer,) = await act(world, "sample_context")
    assert answer["content"]["text"] == "Roses."
    (request,) = lending.asked
    assert request.wants_context
    assert request.system_prompt == "You are \u202ea poet\ufffd."
    assert [(m.role, m.text) for m in request.messages] == [
        (SamplingRole.USER, "Hello"),
        (SamplingRole.ASSISTANT, "One.\n\nTwo."),
    ]
    assert (request.max_tokens, request.asked_tokens) == (MAX_TOKENS, 10**9)
    assert (request.temperature, request.stop_sequences) == (2.0, ("END",))


@pytest.mark.expected_log("too many")
async def test_a_flood_is_refused_beyond_a_few() -> None:
    lending = Lending()
    async with mcp_world([on(hostile())], model=lending) as world:
        answers = await act(world, "sampling_flood")
    assert len(lending.asked) == MAX_REQUESTS_OF_CALL
    assert sum("content" in answer for answer in answers) == MAX_REQUESTS_OF_CALL


@pytest.mark.expected_log("too many")
async def test_a_flood_in_the_newer_era_ends_its_call() -> None:
    lending = Lending(lambda _request: None)
    async with mcp_world([on(hostile_modern())], model=lending) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("sample_flood")
        assert "too many" in str(caught.value.params["detail"])
        assert len(lending.asked) <= MAX_REQUESTS_OF_CALL
        await until(lambda: lending.open == 0)
        assert await world.act("nothing") == "did act"


@pytest.mark.expected_log("too many")
async def test_one_call_gets_no_more_tokens_than_are_for_it() -> None:
    lending = Lending(lambda request: answered(tokens=request.max_tokens))
    async with mcp_world([on(hostile())], model=lending) as world:
        await act(world, "sampling_in_a_row")
        assert [request.max_tokens for request in lending.asked] == [8_000, 8_000, 8_000, 8_000, 768]
        assert sum(request.max_tokens for request in lending.asked) == MAX_TOKENS_OF_CALL
        lending.asked.clear()
        await act(world, "just_sample")  # another call, with tokens of its own
        assert len(lending.asked) == 1


@pytest.mark.expected_log("too many")
async def test_who_was_refused_does_not_ask_on_and_on() -> None:
    lending = Lending(lambda _request: Unsampled.REFUSED)
    async with mcp_world([on(hostile())], model=lending) as world:
        answers = await act(world, "sampling_in_a_row")
    assert len(lending.asked) == MAX_REFUSALS_OF_CALL
    assert answers[:MAX_REFUSALS_OF_CALL] == [REJECTED] * MAX_REFUSALS_OF_CALL
    assert all(answer["code"] == -32600 for answer in answers[MAX_REFUSALS_OF_CALL:])


@pytest.mark.expected_log("no call of this server is running")
async def test_a_request_outside_any_call_is_refused() -> None:
    lending = Lending()
    async with mcp_world([on(hostile("early_sampling"))], model=lending) as world:
        assert await world.act("nothing") == "did act"
    assert lending.asked == []


@pytest.mark.expected_log("calls of several chats are running")
async def test_it_is_refused_where_it_cannot_be_told_whose_model_is_meant() -> None:
    lending = Lending()
    async with mcp_world([on(hostile())], model=lending) as world:
        hanging = world.tasks.spawn(world.call("act", what="hang", thread_id="other"), name="call")
        await until(lambda: world.gateway._sessions["bad"].calls)
        (answer,) = await act(world, "just_sample")
        hanging.cancel()
        await asyncio.wait({hanging})
    assert answer["code"] == -32600
    assert lending.asked == []


@pytest.mark.parametrize("config", [hostile(), hostile_modern()], ids=["older", "newer"])
async def test_it_is_withdrawn_with_its_call_while_another_one_runs(config: ServerConfig) -> None:
    lending = Lending(lambda _request: None)
    async with mcp_world([on(config)], model=lending) as world:
        what = "just_sample" if config.args[0].endswith("hostile_server.py") else "sample"
        hanging = world.tasks.spawn(world.call("act", what="hang"), name="other call")
        await until(lambda: world.gateway._sessions["bad"].calls)
        asking = world.tasks.spawn(world.call("act", what=what), name="call")
        await until(lambda: lending.open == 1)
        asking.cancel()
        await until(lambda: lending.withdrawn == 1)
        assert not hanging.done()
        hanging.cancel()
        await asyncio.wait({hanging, asking})


async def test_it_is_withdrawn_when_the_call_ends_without_it_and_when_the_server_takes_it_back() -> None:
    lending = Lending(lambda _request: None)
    async with mcp_world([on(hostile())], model=lending) as world:
        assert await world.act("sample_and_leave") == "already done"
        await until(lambda: lending.open == 0)
        call = world.tasks.spawn(world.act("sample_and_cancel"), name="call")
        await until(lambda: lending.open == 1)
        shown = lending.withdrawn
        other = world.tasks.spawn(world.act("nothing"), name="the line")
        await until(lambda: lending.withdrawn == shown + 1)
        assert await call == "taken back"
        assert await other == "did act"


@pytest.mark.expected_log("MCP server bad")
async def test_it_is_withdrawn_when_the_server_dies() -> None:
    lending = Lending(lambda _request: None)
    async with mcp_world([on(hostile())], model=lending) as world:
        pid = int(await world.act("pid"))
        call = world.tasks.spawn(world.call("act", what="just_sample"), name="call")
        await until(lambda: lending.open == 1)
        os.kill(pid, signal.SIGKILL)
        await until(lambda: lending.withdrawn == 1)
        await asyncio.wait({call})
        assert isinstance(error := call.exception(), ToolError)
        assert error.code == "tool.server_gone"
        await until(lambda: world.gateway.statuses()[0].state is ServerState.READY)
        world.failures.clear()


async def test_the_time_of_thinking_and_of_the_model_does_not_count() -> None:
    def look(_request: SamplingRequest) -> Sampled:
        limits.extend(call._limit.when() for call in world.gateway._sessions["bad"].calls._calls)
        return answered()

    limits: list[float | None] = []
    async with mcp_world([on(hostile())], model=Lending(look)) as world:
        outcome = await world.call("act", what="just_sample")
    assert limits == [None]
    assert outcome.waited_seconds > 0


@pytest.mark.expected_log("could not be answered")
async def test_a_failure_of_ours_tells_the_server_nothing() -> None:
    def fail(_request: SamplingRequest) -> Sampled:
        raise RuntimeError("secret words")

    async with mcp_world([on(hostile())], model=Lending(fail)) as world:
        assert await act(world, "just_sample") == [{"code": -32603, "message": "The model did not answer"}]
        assert world.failures == ["sampling of bad: RuntimeError('secret words')"]
        world.failures.clear()


@needs_servers
async def test_the_official_test_server_gets_its_answer() -> None:
    lending = Lending()
    async with mcp_world([on(node_server("everything"))], model=lending) as world:
        await until(lambda: "trigger-sampling-request" in {tool.name for tool in world.gateway.tools_of("everything")})
        outcome = await world.call("trigger-sampling-request", prompt="Write about the sea.", maxTokens=50)
    assert "Roses." in outcome.text
    (request,) = lending.asked
    assert "Write about the sea." in request.messages[0].text
    assert request.max_tokens == 50


@needs_servers
async def test_the_official_test_server_does_not_even_list_it_while_it_is_off() -> None:
    async with mcp_world([node_server("everything")], model=Lending()) as world:
        await until(lambda: "trigger-elicitation-request" in {t.name for t in world.gateway.tools_of("everything")})
        assert "trigger-sampling-request" not in {tool.name for tool in world.gateway.tools_of("everything")}
