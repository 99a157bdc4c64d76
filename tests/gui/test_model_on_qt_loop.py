"""The language models on the loop that Qt drives: streaming, the watchdog, and stopping."""

import asyncio
from contextlib import aclosing

from desktop.app.event_loop import QtLoop
from desktop.core.language_model import FinishReason, ModelRequest, TextDelta, UserMessage
from desktop.providers.demo_language_model import DemoLanguageModel
from desktop.providers.openai_language_model import OpenAILanguageModel
from tests.support.endpoint import LoopbackEndpoint, hold, text
from tests.support.model_streams import HI, receive


async def test_an_answer_streams(qloop: QtLoop) -> None:
    async with LoopbackEndpoint([[text("Hello", piece_chars=1)]]) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m")
        received = await receive(model)
        await model.close()
    assert received.text == "Hello"
    assert received.end is not None
    assert received.end.reason is FinishReason.STOP


async def test_the_watchdog_ends_a_silent_answer(qloop: QtLoop) -> None:
    async with LoopbackEndpoint([[text("kept"), hold("never")]]) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", gap_seconds=0.05)
        received = await receive(model)
        await model.close()
    assert (received.text, received.code) == ("kept", "model.timeout")


async def test_stopping_reaches_the_server(qloop: QtLoop) -> None:
    async with LoopbackEndpoint([[text("a"), hold("never")], [text("b"), hold("never")]]) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m")
        async with aclosing(model.stream(HI)) as chunks:
            assert await anext(chunks) == TextDelta(text="a")
        await endpoint.wait_until(lambda e: e.chats[0].is_disconnected)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(receive(model))
            await endpoint.wait_until(lambda e: len(e.chats) == 2 and e.chats[1].held)
            task.cancel()
            await endpoint.wait_until(lambda e: e.chats[1].is_disconnected)
        await model.close()


async def test_the_demo_model_answers(qloop: QtLoop) -> None:
    received = await receive(DemoLanguageModel(pace_seconds=0), ModelRequest(messages=(UserMessage(text="你好"),)))
    assert "演示模型" in received.text
