"""What every store of prompts promises, held against SQLite and against the fake that other tests use."""

import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.prompts.ports import PromptRepository
from tests.support.in_memory_prompts import InMemoryPrompts
from tests.support.memory_items import NOW
from tests.support.stores import opened

Opener = Callable[[Path], AbstractAsyncContextManager[PromptRepository]]


@asynccontextmanager
async def in_memory(_folder: Path) -> AsyncIterator[PromptRepository]:
    yield InMemoryPrompts()


@asynccontextmanager
async def in_sqlite(folder: Path) -> AsyncIterator[PromptRepository]:
    async with opened(folder) as store:
        yield store.prompts


@pytest.fixture(params=[in_memory, in_sqlite], ids=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[PromptRepository]:
    open_one: Opener = request.param
    return open_one(tmp_path)


def prompt(name: str, text: str = "Text.") -> SavedPrompt:
    return SavedPrompt(id=name, name=name, text=text, description=f"About {name}", created_at=NOW, updated_at=NOW)


async def names(prompts: PromptRepository) -> list[str]:
    return [one.name for one in await prompts.all()]


async def test_prompts_come_back_as_they_were_in_their_order(
    store: AbstractAsyncContextManager[PromptRepository],
) -> None:
    async with store as prompts:
        odd = prompt("提示 🚀 'x'; --", "Line\n\n{{name}}\t“…”")
        used = dataclasses.replace(prompt("b"), used_count=3, last_used_at=NOW)
        await prompts.add([odd])
        await prompts.add([used, prompt("a")])
        assert await prompts.all() == (odd, used, prompt("a"))


async def test_what_is_there_is_not_overwritten(store: AbstractAsyncContextManager[PromptRepository]) -> None:
    async with store as prompts:
        await prompts.add([prompt("a", "first")])
        await prompts.add([prompt("a", "second"), prompt("b")])
        assert [(one.name, one.text) for one in await prompts.all()] == [("a", "first"), ("b", "Text.")]


async def test_a_change_takes_the_words_and_leaves_the_rest(
    store: AbstractAsyncContextManager[PromptRepository],
) -> None:
    async with store as prompts:
        await prompts.add([prompt("a"), prompt("b")])
        await prompts.note_use("a", NOW)
        later = NOW + timedelta(hours=1)
        new = SavedPrompt(id="a", name="A", text="New", description="", created_at=later, updated_at=later)
        assert await prompts.change(new)
        first = (await prompts.all())[0]
        assert (first.name, first.text, first.description, first.updated_at) == ("A", "New", "", later)
        assert (first.created_at, first.used_count, first.last_used_at) == (NOW, 1, NOW)
        assert not await prompts.change(prompt("nobody"))
        assert await names(prompts) == ["A", "b"]


async def test_removing_takes_the_named_ones_only(store: AbstractAsyncContextManager[PromptRepository]) -> None:
    async with store as prompts:
        await prompts.add([prompt("a"), prompt("b"), prompt("c")])
        await prompts.remove(["b", "nobody"])
        assert await names(prompts) == ["a", "c"]
        await prompts.remove([])
        assert await prompts.erase()
        assert await names(prompts) == ["a", "c"]


async def test_the_named_ones_stand_first_and_the_others_keep_their_order(
    store: AbstractAsyncContextManager[PromptRepository],
) -> None:
    async with store as prompts:
        await prompts.add([prompt(name) for name in "abcd"])
        await prompts.set_order(["d", "nobody", "b", "d"])
        assert await names(prompts) == ["d", "b", "a", "c"]
        await prompts.add([prompt("e")])
        assert await names(prompts) == ["d", "b", "a", "c", "e"]


async def test_each_use_counts(store: AbstractAsyncContextManager[PromptRepository]) -> None:
    async with store as prompts:
        await prompts.add([prompt("a"), prompt("b")])
        later = NOW + timedelta(minutes=1)
        await prompts.note_use("a", NOW)
        await prompts.note_use("a", later)
        await prompts.note_use("nobody", later)
        assert [(one.used_count, one.last_used_at) for one in await prompts.all()] == [(2, later), (0, None)]
