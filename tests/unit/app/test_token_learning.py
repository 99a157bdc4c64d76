"""How many tokens an endpoint reports corrects the counts for its model, and for no other."""

import asyncio
import dataclasses
from pathlib import Path

from desktop.app.container import Container, open_container
from desktop.app.options import LaunchOptions
from desktop.core.settings import EndpointSettings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from tests.support.endpoint import Answer, LoopbackEndpoint, close, finish, raw, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until

QUESTION = "word " * 2_000
"""About as many tokens as words."""


def counts_more(request: RecordedRequest) -> Answer:
    """Half as many tokens again as words of five letters would have."""
    read = sum(len(message["content"]) for message in request.body["messages"]) * 3 // 10
    counted = {"usage": {"prompt_tokens": read, "completion_tokens": 1}}
    return [text("ok"), finish(), counted, raw("data: [DONE]\n\n"), close()]


async def container_in(folder: Path, *endpoints: EndpointSettings) -> Container:
    store = SettingsStore(folder / "settings.json")
    chosen = endpoints[0].id if endpoints else ""
    store.update(
        dataclasses.replace(
            store.settings, endpoints=endpoints, endpoint_id=chosen, bundled_servers_off=("command",), welcomed=True
        )
    )
    tasks = TaskSupervisor(lambda _name, _error: None)
    return await open_container(
        LaunchOptions(data_dir=folder), ScriptedPrompts(), tasks, secrets=InMemorySecrets(), decider="headless"
    )


async def ask(container: Container, words: str) -> None:
    """Ask in a new chat, and wait until it has the title that the model is asked for."""
    run = await container.chat.send(None, words)
    await run.wait()
    name = f"run {run.thread_id}"
    await until(lambda: not any(task.get_name() == name for task in asyncio.all_tasks()))


async def test_the_ratio_moves_towards_what_is_reported_and_is_kept(tmp_path: Path) -> None:
    async with LoopbackEndpoint(counts_more) as server:
        endpoint = EndpointSettings(id="one", name="One", base_url=server.base_url, model="small")
        container = await container_in(tmp_path, endpoint)
        try:
            await ask(container, "hi")
            assert container.facts.get(server.base_url, "small").token_ratio == 1.0, "too short to say anything"
            await ask(container, QUESTION)
            first = container.facts.get(server.base_url, "small").token_ratio
            await ask(container, QUESTION)
            second = container.facts.get(server.base_url, "small").token_ratio
            assert 1.0 < first < second < 1.5
            assert container.facts.get(server.base_url, "large").token_ratio == 1.0
        finally:
            await container.close()
        last = container.facts.get(server.base_url, "small").token_ratio  # after the titles, too
        again = await container_in(tmp_path, endpoint)
        try:
            assert again.facts.get(server.base_url, "small").token_ratio == last
        finally:
            await again.close()


async def test_where_less_is_sent_than_counted_nothing_is_learned(tmp_path: Path) -> None:
    async with LoopbackEndpoint(counts_more) as server:
        container = await container_in(
            tmp_path, EndpointSettings(id="one", name="One", base_url=server.base_url, model="small")
        )
        try:
            container.facts.update(server.base_url, "small", without=frozenset({"tools"}))
            await ask(container, QUESTION)
            assert container.facts.get(server.base_url, "small").token_ratio == 1.0
        finally:
            await container.close()


async def test_the_demo_model_teaches_nothing(tmp_path: Path) -> None:
    container = await container_in(tmp_path)
    try:
        await ask(container, QUESTION)
        assert container.facts.get("", "").token_ratio == 1.0
        assert not (tmp_path / "models.json").exists()
    finally:
        await container.close()
