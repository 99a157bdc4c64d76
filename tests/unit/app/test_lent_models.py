"""The whole way of a server's request: chat, call, server, question, the chat's own model, server, result; and its cost."""

import dataclasses
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.app.container import Container, open_container
from desktop.app.options import LaunchOptions
from desktop.conversation.entities import AskedModel, ThreadOptions
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.settings import AgentSettings, EndpointSettings, Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.tools.server_sampling import SAMPLING_NAME, SamplingChoice, SamplingQuestion
from tests.support.agreed_servers import agreed
from tests.support.endpoint import Answer, LoopbackEndpoint, call, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.scripted_prompts import Scripted, ScriptedPrompts, allow_once, lend
from tests.support.waiting import until

SERVER = Path(__file__).parents[2] / "support/sampling_server.py"
PRICES = ModelOptions(input_price=1.0, output_price=2.0, currency="$")


def script(request: RecordedRequest) -> Answer:
    said = str(request.body["messages"])
    if "name conversations" in said:
        return [text("A title")]
    if "Sum up:" in request.last_user_text:
        return [text(f"short, says {request.body['model']}")]
    if request.tool_results:
        return [text(f"Done: {request.tool_results[-1]}")]
    return [call("own__summarise", {"text": "the sea"})]


@asynccontextmanager
async def opened(
    data_dir: Path, endpoint: LoopbackEndpoint, prompts: ScriptedPrompts, *, era: str = "legacy", **entry: Any
) -> AsyncGenerator[Container, None]:
    own = {"command": sys.executable, "args": [str(SERVER)], "protocol": era, "mayAskModel": True, **entry}
    endpoints = [
        EndpointSettings(
            id=name,
            name=name,
            base_url=endpoint.base_url,
            model=f"model-{name}",
            model_options={f"model-{name}": PRICES},
        )
        for name in ("one", "two")
    ]
    settings = Settings(
        endpoints=tuple(endpoints),
        endpoint_id="one",
        bundled_servers_off=("command",),
        mcp_servers={"own": own},
        agent=AgentSettings(system_prompt="The secret instructions of the chat.", name_chats=False),
    )
    SettingsStore(data_dir / "settings.json").update(agreed(settings))
    failures: list[str] = []
    tasks = TaskSupervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
    container = await open_container(
        LaunchOptions(data_dir=data_dir), prompts, tasks, secrets=InMemorySecrets(), decider="user"
    )
    container.gateway.start()
    await until(lambda: container.gateway.statuses()[0].is_ready)
    try:
        yield container
    finally:
        await container.close()
    assert failures == []


async def asked(container: Container, words: str = "Please sum it up.", **options: Any) -> Any:
    run = await container.chat.send(None, words, options=ThreadOptions(**options))
    await until(lambda: run.terminal is not None)
    (message,) = await container.store.threads.messages([run.message_id])
    return message


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_the_model_of_the_chat_answers_and_its_use_is_counted(tmp_path: Path, era: str) -> None:
    answers: list[Scripted] = [allow_once(), lend(), lend()]
    with ScriptedPrompts(*answers) as prompts:
        async with LoopbackEndpoint(script) as endpoint, opened(tmp_path, endpoint, prompts, era=era) as container:
            message = await asked(container, endpoint_id="two", model="model-two")
            chats = endpoint.chats
            totals = await container.store.threads.usage_totals()
            entries = await container.store.ledger.search()
    assert "short, says model-two (model-two, endTurn)" in message.text
    sampled = next(chat for chat in chats if "Sum up:" in chat.last_user_text)
    assert [m["role"] for m in sampled.body["messages"]] == ["system", "user"]
    assert sampled.body["messages"][0]["content"] == "You sum up in one sentence."
    assert "tools" not in sampled.body
    assert "secret instructions" not in str(sampled.body)
    assert "Please sum it up." not in str(sampled.body)
    assert (sampled.body.get("max_tokens") or sampled.body.get("max_completion_tokens")) == 60
    question = prompts.asked[1]
    assert isinstance(question, SamplingQuestion)
    assert (question.model, question.endpoint) == ("model-two", "two")
    assert question.most_cost is not None
    (total,) = totals
    assert len(chats) == 3
    assert (total.model, total.answers) == ("model-two", 1)
    assert message.usage.input_tokens == 10 * len(chats), "each of the three counts"
    assert total.cost is not None
    expected = (message.usage.input_tokens + 2 * message.usage.output_tokens) / 1_000_000
    assert total.cost.amount == pytest.approx(expected)
    assert [(entry.name, entry.status) for entry in entries] == [(SAMPLING_NAME, "ok"), ("own__summarise", "ok")]


async def test_a_refusal_is_told_and_the_answer_goes_on(tmp_path: Path) -> None:
    with ScriptedPrompts(allow_once(), lend(SamplingChoice.REFUSE)) as prompts:
        async with LoopbackEndpoint(script) as endpoint, opened(tmp_path, endpoint, prompts) as container:
            message = await asked(container)
            assert len(endpoint.chats) == 2
    assert "Done: no summary: -1 User rejected sampling request" in message.text


async def test_stopping_the_answer_ends_the_request_of_the_server(tmp_path: Path) -> None:
    with ScriptedPrompts(allow_once(), None) as prompts:
        async with LoopbackEndpoint(script) as endpoint, opened(tmp_path, endpoint, prompts) as container:
            run = await container.chat.send(None, "Please sum it up.")
            await until(lambda: prompts.open == 1)
            await container.chat.stop(run.thread_id)
            await until(lambda: prompts.aborted == 1)
            entries = await container.store.ledger.search()
    assert (entries[0].name, entries[0].status) == (SAMPLING_NAME, "interrupted")


async def test_several_models_each_lend_themselves(tmp_path: Path) -> None:
    prompts = ScriptedPrompts(allow_once(), lend(SamplingChoice.ALLOW_AND_SEND))
    async with LoopbackEndpoint(script) as endpoint, opened(tmp_path, endpoint, prompts, era="modern") as container:
        first = await container.chat.send(None, "Please sum it up.")
        await until(lambda: first.terminal is not None)
        prompts._answers += [allow_once(), lend(SamplingChoice.ALLOW_AND_SEND)]
        other = await container.chat.ask_again(first.message_id, AskedModel(endpoint_id="two", model="model-two"))
        await until(lambda: other.terminal is not None)
        both = await container.store.threads.messages([first.message_id, other.message_id])
    assert "says model-one" in both[0].text
    assert "says model-two" in both[1].text


async def test_a_test_of_a_tool_lends_the_usual_model_and_counts_it(tmp_path: Path) -> None:
    with ScriptedPrompts(allow_once(), lend(SamplingChoice.ALLOW_AND_SEND)) as prompts:
        async with LoopbackEndpoint(script) as endpoint, opened(tmp_path, endpoint, prompts) as container:
            tool = next(tool for tool in container.gateway.tools_of("own") if tool.name == "summarise")
            report = await container.tool_tests.run(
                tool, '{"text": "the sea"}', title="Tests of own", on_state=lambda _state, _tool: None
            )
            totals = await container.store.threads.usage_totals()
    assert "short, says model-one" in report.text
    (total,) = totals
    assert (total.model, total.answers) == ("model-one", 1)
    assert total.input_tokens > 0
    assert total.cost is not None


async def test_a_change_of_the_setting_takes_it_away_at_once(tmp_path: Path) -> None:
    with ScriptedPrompts(allow_once()) as prompts:
        async with LoopbackEndpoint(script) as endpoint, opened(tmp_path, endpoint, prompts) as container:
            entry = {**container.settings.settings.mcp_servers["own"]}
            del entry["mayAskModel"]
            before = container.gateway._sessions["own"]
            container.settings.update(dataclasses.replace(container.settings.settings, mcp_servers={"own": entry}))
            await until(lambda: container.gateway._sessions["own"] is not before)
            await until(lambda: container.gateway.statuses()[0].is_ready)
            message = await asked(container)
    assert "no summary" in message.text
