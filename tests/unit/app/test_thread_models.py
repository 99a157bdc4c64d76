"""Which model answers in which chat: its own choice, what new chats begin with, and what happens when it is gone."""

import asyncio
import dataclasses
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.run import Run
from desktop.app.container import Container, open_container
from desktop.app.options import LaunchOptions
from desktop.conversation.entities import AskedModel, ErrorPart, RemarkPart, ThreadOptions
from desktop.conversation.request_records import LeftOutKind
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import DEMO_MODEL_NAME, ThinkingEffort
from desktop.core.paths import DataPaths
from desktop.core.settings import AgentSettings, EndpointSettings, Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.ui.state.window_mark import MarkKind, marks_of
from tests.support.endpoint import Answer, LoopbackEndpoint, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.local_server import chat_stream, ollama, running
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until


def echo(request: RecordedRequest) -> Answer:
    return [text(f"I am {request.body['model']}")]


def asked(server: LoopbackEndpoint) -> list[RecordedRequest]:
    """The requests for answers, without those for titles and summaries."""
    others = ("name conversations", "You keep the notes")
    return [
        chat for chat in server.chats if not any(words in str(chat.body["messages"][0]["content"]) for words in others)
    ]


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


async def test_what_was_chosen_before_a_message_holds_for_it_however_slow_the_disk_is(
    tmp_path: Path,
) -> None:
    async with LoopbackEndpoint(echo) as one, LoopbackEndpoint(echo) as two:
        async with opened(tmp_path, at(one, "one", "small"), at(two, "two", "large")) as container:
            run, _ = await said(container, None)
            chosen = ThreadOptions(endpoint_id="two", model="large", thinking=ThinkingEffort.OFF)
            async with asyncio.TaskGroup() as tasks:
                with closing(sqlite3.connect(DataPaths(tmp_path).database, isolation_level=None)) as other:
                    other.execute("BEGIN IMMEDIATE")  # nothing else can be written
                    tasks.create_task(container.conversations.set_options(run.thread_id, chosen))
                    answering = tasks.create_task(said(container, run.thread_id))
                    for _ in range(20):  # later than any reading that is begun now
                        await container.store.threads.get_thread(run.thread_id)
                    other.execute("ROLLBACK")
            assert answering.result()[1] == "I am large"
        assert len(asked(one)) == 1, "nothing of the message went to the model that had answered before"


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


async def test_what_was_said_to_an_endpoint_that_is_gone_is_read_by_no_other_model(tmp_path: Path) -> None:
    async with (
        LoopbackEndpoint(echo) as one,
        LoopbackEndpoint(echo) as two,
        opened(tmp_path, at(one, "one", "small"), at(two, "two", "large")) as container,
    ):
        options = ThreadOptions(endpoint_id="two", model="large")
        run = await container.chat.send(None, "My name is Ottilie.", options=options)
        await run.wait()
        container.endpoint_book.remove(["two"])
        remembered: list[None] = []
        container.memory.service.changed.connect(lambda: remembered.append(None))
        container.memory_writer.start()
        await until(lambda: remembered)
        assert [item.source.thread_id for item in await container.memory.service.search() if item.source] == [
            run.thread_id
        ]
        assert one.chats == []


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


async def test_a_chat_that_outgrew_a_known_context_is_not_refused_first(tmp_path: Path) -> None:
    async with LoopbackEndpoint(echo) as server:
        endpoint = at(server, "one", "small")
        async with opened(tmp_path, endpoint) as container:
            thread_id = None
            for number in range(4):
                run = await container.chat.send(thread_id, f"{number} " + "word " * 500)
                await run.wait_over()
                thread_id = run.thread_id
            container.facts.update(endpoint.base_url, "small", context_tokens=1024)
            before = len(asked(server))
            run, answer = await said(container, thread_id)
            assert answer == "I am small"
            (request,) = asked(server)[before:]
            assert 3 <= len(request.body["messages"]) < 9
            assert request.body["messages"][-1]["content"] == "who are you?"
            path = await container.store.threads.path(run.thread_id)
            assert run.window is not None
            assert 2 <= len(run.window.dropped) < 8
            assert run.window.dropped == tuple(message.id for message in path[: len(run.window.dropped)])
            assert path[-1].id == run.message_id
            assert not [part for part in path[-1].parts if isinstance(part, RemarkPart)], "it was not sent twice"
            # The chat says so where the last of these ends, and the record of what was sent.
            last = run.window.dropped[-1]
            assert container.summarizer.last_dropped(run.thread_id) == last
            state = await container.summarizer.state(run.thread_id)
            assert marks_of(state, last, is_busy=False)[last].kind is MarkKind.NOT_SENT
            (record,) = await container.store.requests.of_answer(run.message_id)
            left_out = {out.kind: out.count for out in record.left_out}
            assert left_out.get(LeftOutKind.WINDOW) == len(run.window.dropped)
            assert LeftOutKind.TOO_LONG not in left_out


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


async def test_several_models_answer_at_once_each_at_its_own_endpoint_and_price(tmp_path: Path) -> None:
    def priced(model: str, price: float, currency: str) -> dict[str, ModelOptions]:
        return {model: ModelOptions(input_price=price, output_price=price, currency=currency)}

    async with LoopbackEndpoint(echo) as one, LoopbackEndpoint(echo) as two:
        endpoints = (
            at(one, "one", "small", model_options=priced("small", 1.0, "EUR")),
            at(two, "two", "large", model_options=priced("large", 3.0, "USD")),
            at(two, "keyless", "locked", key_env="THREADWELL_NO_SUCH_KEY"),
        )
        beside = (
            AskedModel(endpoint_id="two", model="large"),
            AskedModel(endpoint_id="removed", model="lost"),
            AskedModel(endpoint_id="keyless"),
            AskedModel(endpoint_id="one"),  # as the chat's own
            AskedModel(endpoint_id="one", model="tiny"),
            AskedModel(endpoint_id=""),
        )
        async with opened(tmp_path, *endpoints) as container:
            run, _ = await said(container, None, options=ThreadOptions(asked_beside=beside))
            await until(lambda: not container.chat.runs_of(run.thread_id))
            answers = await container.store.threads.answers(run.message_id)
            assert [answer.model for answer in answers] == ["small", "large", "lost", "locked", "tiny", DEMO_MODEL_NAME]
            assert [answer.text for answer in answers][:5] == ["I am small", "I am large", "", "", "I am tiny"]
            assert answers[5].text
            codes = [[part.code for part in answer.parts if isinstance(part, ErrorPart)] for answer in answers]
            assert codes == [[], [], ["model.endpoint_gone"], ["model.key_missing"], [], []]
            costs = [answer.cost for answer in answers]
            assert [cost and cost.currency for cost in costs] == ["EUR", "USD", None, None, None, None]
            assert costs[0] is not None
            assert costs[1] is not None
            assert costs[1].amount == pytest.approx(3 * costs[0].amount)
            totals = await container.store.threads.usage_totals(thread_id=run.thread_id)
            assert sum(total.answers for total in totals) == len(answers)
            thread = await container.conversations.get_thread(run.thread_id)
            assert thread is not None
            assert thread.options == ThreadOptions(endpoint_id="one", model="small", asked_beside=beside)

            again = await container.chat.ask_again(answers[4].id)
            await again.wait()
            assert again.turn.assistant_message.model == "tiny"
            assert [m.text for m in await container.store.threads.path(run.thread_id)] == ["who are you?", "I am tiny"]
            await container.conversations.set_options(run.thread_id, ThreadOptions(endpoint_id="two", model="large"))
            await until(lambda: not container.chat.runs_of(run.thread_id))
            assert (await said(container, run.thread_id))[1] == "I am large"
        assert [chat.body["model"] for chat in asked(one)].count("tiny") == 2
        assert [message["content"] for message in asked(two)[-1].body["messages"][-3:]] == [
            "who are you?",
            "I am tiny",
            "who are you?",
        ]
