"""Models in use: made once, made anew after a change, closed when their last answer ended."""

import asyncio
import dataclasses
from collections.abc import AsyncGenerator

import pytest

from desktop.app.model_pool import MOST_KEPT, ModelPool
from desktop.core.errors import ModelError
from desktop.core.language_model import FinishReason, ModelChunk, ModelRequest, StreamEnd, TextDelta, UserMessage
from desktop.core.settings import EndpointSettings

HELLO = ModelRequest(messages=(UserMessage(text="hi"),))
HOME = EndpointSettings(id="home", base_url="http://127.0.0.1:1/v1", model="a")


class Counted:
    """Implements ``LanguageModel``; says how often it was closed."""

    is_scripted = False

    def __init__(self, endpoint: EndpointSettings) -> None:
        if not endpoint.model:
            raise ModelError("model.no_model")
        self.name = endpoint.model
        self.go = asyncio.Event()
        self.closed = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        assert request is HELLO
        yield TextDelta(text="a")
        await self.go.wait()
        yield StreamEnd(reason=FinishReason.STOP)

    async def close(self) -> None:
        self.closed += 1


class Maker:
    def __init__(self) -> None:
        self.made: list[Counted] = []

    def __call__(self, endpoint: EndpointSettings) -> Counted:
        self.made.append(Counted(endpoint))
        return self.made[-1]


async def test_one_for_each_model_of_an_endpoint() -> None:
    pool = ModelPool(maker := Maker())
    other = dataclasses.replace(HOME, model="b")
    assert pool.get(HOME) is pool.get(HOME)
    assert pool.get(other) is not pool.get(HOME)
    assert [model.name for model in maker.made] == ["a", "b"]
    await pool.close()
    assert [model.closed for model in maker.made] == [1, 1]


async def test_after_a_change_a_new_one_while_the_old_one_goes_on_to_its_end() -> None:
    pool = ModelPool(maker := Maker())
    old = pool.get(HOME)
    stream = old.stream(HELLO)
    await anext(stream)
    assert pool.get(dataclasses.replace(HOME, proxy="none")) is not old
    assert maker.made[0].closed == 0
    maker.made[0].go.set()
    assert isinstance(await anext(stream), StreamEnd)
    await stream.aclose()
    assert maker.made[0].closed == 1
    # Between two steps of an answer nothing streams: the next one closes it again.
    second = old.stream(HELLO)
    await anext(second)
    await second.aclose()
    assert maker.made[0].closed == 2
    await pool.close()


async def test_few_are_kept() -> None:
    pool = ModelPool(maker := Maker())
    for number in range(MOST_KEPT + 2):
        pool.get(dataclasses.replace(HOME, model=f"m{number}"))
        pool.get(HOME)  # what is used stays
    assert pool.get(HOME).name == "a"
    assert [model.name for model in maker.made].count("a") == 1
    await pool.close()
    assert all(model.closed for model in maker.made)


async def test_an_endpoint_that_cannot_be_used_changes_nothing() -> None:
    pool = ModelPool(Maker())
    kept = pool.get(HOME)
    with pytest.raises(ModelError):
        pool.get(dataclasses.replace(HOME, model=""))
    assert pool.get(HOME) is kept
    await pool.close()
