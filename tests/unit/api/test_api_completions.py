"""The protocol of OpenAI's clients: with their own SDK, against a real server."""

import asyncio
import dataclasses
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import openai
import pytest

from desktop.core.settings import EndpointSettings
from tests.support.api_world import TOKEN, ApiWorld, api_world
from tests.support.waiting import until


@asynccontextmanager
async def sdk(world: ApiWorld) -> AsyncGenerator[openai.AsyncOpenAI, None]:
    async with openai.AsyncOpenAI(base_url=world.api.status.address, api_key=TOKEN, max_retries=0) as client:
        yield client


async def collect(stream: AsyncIterator[object]) -> list[object]:
    return [each async for each in stream]


def said(*texts: str) -> Any:
    """A conversation that begins and ends with the user."""
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]


async def test_the_sdk_gets_an_answer_whole_and_in_pieces(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world, sdk(world) as client:
        assert [model.id async for model in client.models.list()] == ["threadwell"]
        whole = await client.chat.completions.create(model="threadwell", messages=said("the sea"))
        choice = whole.choices[0]
        assert (choice.message.content, choice.finish_reason) == ("about the sea", "stop")
        assert whole.usage is not None
        stream = await client.chat.completions.create(
            model="threadwell", messages=said("the hill"), stream=True, stream_options={"include_usage": True}
        )
        chunks = [chunk async for chunk in stream]
        assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "about the hill"
        assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
        assert chunks[-1].usage is not None


async def test_who_goes_on_with_a_conversation_goes_on_in_its_chat(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world, sdk(world) as client:
        talk = ["one"]
        for words in ("two", "three"):
            answer = await client.chat.completions.create(model="threadwell", messages=said(*talk))
            talk += [cast(str, answer.choices[0].message.content), words]
        await client.chat.completions.create(model="threadwell", messages=said(*talk))
        threads = await world.chats.conversations.list_threads()
        assert len(threads) == 1
        assert await world.texts(threads[0].id) == ["one", "about one", "two", "about two", "three", "about three"]


async def test_what_was_said_elsewhere_is_told_to_the_model_and_stands_in_the_chat(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world, sdk(world) as client:
        messages = [
            {"role": "system", "content": "Be brief."},
            {"role": "assistant", "content": "Hello!"},
            *said("the sea", "It is wide.", "and deep?"),
        ]
        await client.chat.completions.create(model="threadwell", messages=cast(Any, messages))
        sent = world.chats.endpoint.chats[-1].body["messages"]
        assert [(m["role"], m["content"]) for m in sent if m["role"] != "system"][1:] == [
            ("assistant", "Hello!"),
            ("user", "the sea"),
            ("assistant", "It is wide."),
            ("user", "and deep?"),
        ]
        thread = (await world.chats.conversations.list_threads())[0]
        assert thread.options.system_prompt == "Be brief."
        assert (await world.texts(thread.id))[-2:] == ["and deep?", "about and deep?"]


async def test_a_conversation_that_is_not_to_be_stored_leaves_nothing(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world, sdk(world) as client:
        removed: list[str] = []
        world.chats.conversations.thread_removed.connect(lambda thread_id: removed.append(thread_id))
        answer = await client.chat.completions.create(model="threadwell", messages=said("the sea"), store=False)
        assert answer.choices[0].message.content == "about the sea"
        await until(lambda: bool(removed))
        assert await world.chats.conversations.get_thread(removed[0]) is None


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_client_that_goes_away_stops_its_answer(tmp_path: Path, streamed: bool) -> None:
    async with api_world(tmp_path) as world, sdk(world) as client:

        async def ask() -> None:
            create = client.chat.completions.create
            if not streamed:
                await create(model="threadwell", messages=said("hold it"))
                return
            async for _ in await create(model="threadwell", messages=said("hold it"), stream=True):
                pass

        asking = asyncio.get_running_loop().create_task(ask())
        await world.chats.begun("hold it")
        thread = (await world.chats.conversations.list_threads())[0].id
        asking.cancel()
        await asyncio.wait({asking})
        await until(lambda: not world.chats.chat.runs_of(thread))
        assert (await world.chats.path(thread))[-1].status == "stopped"


async def test_a_model_that_fails_says_why_and_is_not_asked_again(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        address, asked = world.api.status.address, len(world.chats.endpoint.chats)
        async with openai.AsyncOpenAI(base_url=address, api_key=TOKEN) as client:
            with pytest.raises(openai.APIStatusError) as raised:
                await client.chat.completions.create(model="threadwell", messages=said("fail"))
            assert raised.value.status_code == 424
            stream = await client.chat.completions.create(model="threadwell", messages=said("fail"), stream=True)
            with pytest.raises(openai.APIError):
                await collect(stream)
        assert len(world.chats.endpoint.chats) == asked + 2


async def test_the_models_of_the_settings_have_names_of_their_own_and_one_that_cannot_be_asked_leaves_no_chat(
    tmp_path: Path,
) -> None:
    async with api_world(tmp_path) as world, sdk(world) as client:
        here = EndpointSettings(
            id="here", name="Office", base_url="http://127.0.0.1:1/v1", model="two", models=("gone",)
        )
        there = dataclasses.replace(here, id="there", name="", base_url="http://models.example/v1")
        world.settings.update(dataclasses.replace(world.settings.settings, endpoints=(here, there)))
        names = [model.id async for model in client.models.list()]
        assert names == ["threadwell", "Office/two", "Office/gone", "models.example/two", "models.example/gone"]
        await client.chat.completions.create(model="Office/two", messages=said("the sea"))
        assert world.chats.endpoint.chats[-1].body["model"] == "two"
        with pytest.raises(openai.APIStatusError) as raised:
            await client.chat.completions.create(model="Office/gone", messages=said("the sea"))
        assert raised.value.status_code == 424
        assert len(await world.chats.conversations.list_threads()) == 1


CANNOT_BE_DONE: list[tuple[dict[str, object], int]] = [
    ({"model": "another"}, 404),
    ({"messages": []}, 400),
    ({"messages": said("a", "b")}, 400),
    ({"messages": [{"role": "tool", "content": "x"}]}, 400),
    ({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}, 400),
    ({"tools": [{"type": "function", "function": {"name": "f"}}]}, 400),
    ({"n": 2}, 400),
]


async def test_what_cannot_be_done_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        for change, status in CANNOT_BE_DONE:
            body = {"model": "threadwell", "messages": said("the sea"), **change}
            answer = await world.client.post("/v1/chat/completions", json=body)
            assert answer.status_code == status, answer.text
            assert answer.json()["error"]["message"]
        assert world.chats.endpoint.chats == []
        assert await world.chats.conversations.list_threads() == ()
