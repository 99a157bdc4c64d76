"""Which model answers in which chat: its own choice, what new chats begin with, and what happens when it is gone."""

import dataclasses
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from desktop.agent.run import Run
from desktop.app.container import Container, open_container
from desktop.app.options import LaunchOptions
from desktop.conversation.entities import RemarkPart, ThreadOptions
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import ThinkingEffort
from desktop.core.settings import AgentSettings, EndpointSettings, Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from tests.support.endpoint import Answer, LoopbackEndpoint, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.local_server import chat_stream, ollama, running
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until


def echo(request: RecordedRequest) -> Answer:
    return [text(f"I am {request.body['model']}")]


def asked(server: LoopbackEndpoint) -> list[RecordedRequest]:
    """The requests for answers, without those for titles."""
    return [chat for chat in server.chats if "name conversations" not in str(chat.body["messages"][0]["content"])]


@asynccontextmanager
async def opened(
    data_dir: Path, *endpoints: EndpointSettings, given: EndpointSettings | None = None, decider: str = "user"
) -> AsyncGenerator[Container, None]:
    settings = Settings(
        endpoints=endpoints,
        endpoint_id=endpoints[0].id if endpoints else "",
        bundled_servers_off=("command",),
        agent=AgentSettings(temperature=0.5),
    )
    SettingsStore(data_dir / "settings.json").update(settings)
    failures: list[str] = []
    tasks = TaskSupervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
    options = LaunchOptions(data_dir=data_dir, endpoint=given)
    container = await open_container(options, ScriptedPrompts(), tasks, secrets=InMemorySecrets(), decider=decider)
    try:
        yield container
    finally:
        await container.close()
    assert failures == []


async def said(container: Container, thread_id: str | None, *, options: ThreadOptions | None = None) -> tuple[Run, str]:
    run = await container.chat.send(thread_id, "who are you?", options=options)
    await run.wait()
    await until(lambda: container.chat.run_of(run.thread_id) is None)
    (answer,) = await container.store.threads.messages([run.message_id])
    return run, answer.text


def at(server: LoopbackEndpoint, name: str, model: str, **more: Any) -> EndpointSettings:
    return EndpointSettings(id=name, name=name.title(), base_url=server.base_url, model=model, **more)


async def test_a_chat_stays_with_the_model_that_it_began_with(tmp_path: Path) -> None:
    async with LoopbackEndpoint(echo) as one, LoopbackEndpoint(echo) as two:
        async with opened(tmp_path, at(one, "one", "small"), at(two, "two", "large")) as container:
            run, answer = await said(container, None)
            assert answer == "I am small"
            container.endpoint_book.choose("two")  # for new chats
            assert (await said(container, run.thread_id))[1] == "I am small"
            assert (await said(container, None))[1] == "I am large"
            thread = await container.conversations.get_thread(run.thread_id)
            assert thread is not None
            assert (thread.options.endpoint_id, thread.options.model) == ("one", "small")
        assert len(asked(one)) == 2
        assert len(asked(two)) == 1


async def test_another_model_in_the_middle_of_a_chat(tmp_path: Path) -> None:
    async with LoopbackEndpoint(echo) as one, LoopbackEndpoint(echo) as two:
        async with opened(tmp_path, at(one, "one", "small"), at(two, "two", "large")) as container:
            run, _ = await said(container, None)
            for chosen, expected in (
                (ThreadOptions(endpoint_id="two", model="huge"), "I am huge"),
                (ThreadOptions(endpoint_id="one", model="tiny", thinking=ThinkingEffort.OFF), "I am tiny"),
            ):
                await container.conversations.set_options(run.thread_id, chosen)
                assert (await said(container, run.thread_id))[1] == expected
            assert container.settings.settings.endpoint.model == "small", "the choice of one chat is nobody else's"
        first, last = asked(one)
        assert set(last.body) - set(first.body), "the effort was told"


async def test_options_of_the_model_hold_where_the_chat_has_none(tmp_path: Path) -> None:
    own = {"small": ModelOptions(temperature=0.1, thinking=ThinkingEffort.HIGH)}
    async with LoopbackEndpoint(echo) as one, opened(tmp_path, at(one, "one", "small", model_options=own)) as container:
        run, _ = await said(container, None)
        await container.conversations.set_options(
            run.thread_id, ThreadOptions(endpoint_id="one", model="small", temperature=0.9)
        )
        await said(container, run.thread_id)
        await container.conversations.set_options(run.thread_id, ThreadOptions(endpoint_id="one", model="other"))
        await said(container, run.thread_id)
    assert [chat.body["temperature"] for chat in asked(one)] == [0.1, 0.9, 0.5]
    with_thinking, also, without = (set(chat.body) for chat in asked(one))
    assert with_thinking == also
    assert with_thinking > without


async def test_a_chat_whose_endpoint_is_gone_says_who_answered(tmp_path: Path) -> None:
    async with (
        LoopbackEndpoint(echo) as one,
        LoopbackEndpoint(echo) as two,
        opened(tmp_path, at(one, "one", "small"), at(two, "two", "large")) as container,
    ):
        run, _ = await said(container, None, options=ThreadOptions(endpoint_id="two", model="large"))
        container.endpoint_book.remove(["two"])
        run, answer = await said(container, run.thread_id)
        assert answer == "I am small"
        (message,) = await container.store.threads.messages([run.message_id])
        remarks = [part for part in message.parts if isinstance(part, RemarkPart)]
        assert [(part.code, part.params) for part in remarks] == [("endpoint_gone", {"model": "small", "name": "One"})]
        container.endpoint_book.restore(["two"])
        run, answer = await said(container, run.thread_id)
        assert answer == "I am large"
        (message,) = await container.store.threads.messages([run.message_id])
        assert not any(isinstance(part, RemarkPart) for part in message.parts)


async def test_a_server_that_drops_the_beginning_is_remarked_on(tmp_path: Path) -> None:
    here = ollama("small", loaded=["small"])
    here.routes = {**here.routes, "/v1/chat/completions": chat_stream("I am ", "small")}
    async with running(here):
        endpoint = EndpointSettings(id="one", base_url=f"http://127.0.0.1:{here.port}/v1", model="small")
        async with opened(tmp_path, endpoint) as container:
            run = await container.chat.send(None, "word " * 6_000)
            await run.wait()
            (message,) = await container.store.threads.messages([run.message_id])
            (remark,) = [part for part in message.parts if isinstance(part, RemarkPart)]
            assert (remark.code, remark.params["limit"]) == ("context_small", 4096)
            assert message.text == "I am small"
            assert container.facts.get(endpoint.base_url, "small").context_tokens == 4096


async def test_the_demo_model_leaves_it_open_who_answers_later(tmp_path: Path) -> None:
    async with LoopbackEndpoint(echo) as one, opened(tmp_path) as container:
        run, _ = await said(container, None)
        thread = await container.conversations.get_thread(run.thread_id)
        assert thread is not None
        assert thread.options == ThreadOptions()
        container.endpoint_book.save(at(one, "", "small"), None, active=True)
        assert (await said(container, run.thread_id))[1] == "I am small"


async def test_the_endpoint_of_a_shell_command_answers_whatever_the_chat_chose(tmp_path: Path) -> None:
    async with LoopbackEndpoint(echo) as one, LoopbackEndpoint(echo) as two:
        async with opened(tmp_path, at(one, "one", "small")) as container:
            run, _ = await said(container, None)
        given = EndpointSettings(base_url=two.base_url, model="given")
        async with opened(tmp_path, at(one, "one", "small"), given=given, decider="headless") as container:
            assert (await said(container, run.thread_id))[1] == "I am given"
        changed = dataclasses.replace(at(one, "one", "small"), models=("small",))
        async with opened(tmp_path, changed, given=given) as container:
            assert (await said(container, run.thread_id))[1] == "I am small"
            new, answer = await said(container, None)
            assert answer == "I am given"
            thread = await container.conversations.get_thread(new.thread_id)
            assert thread is not None
            assert thread.options == ThreadOptions()
