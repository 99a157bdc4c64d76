"""What every index of vectors promises, held against Chroma in its process and against the matrix in memory."""

import asyncio
import itertools
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import numpy
import pytest

from desktop.memory.entities import PassageKind
from desktop.memory.ports import Near, Vector, VectorIndex, key_of
from desktop.storage.chroma_vector_index import ChromaVectorIndex
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from tests.support.waiting import until

DIMENSIONS = 24
FACT, MESSAGE = PassageKind.FACT, PassageKind.MESSAGE
Opened = Callable[[], AbstractAsyncContextManager[VectorIndex]]


@pytest.fixture(params=["memory", "chroma"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def make() -> AsyncGenerator[VectorIndex, None]:
        index: VectorIndex = NumpyVectorIndex() if request.param == "memory" else ChromaVectorIndex(tmp_path / "v")
        try:
            await index.open("an embedder", DIMENSIONS)
            yield index
        finally:
            await index.close()

    return make


def vector(seed: int, *, like: Vector | None = None) -> Vector:
    """A vector of its own for each seed; with ``like`` one that is near it."""
    row = numpy.random.default_rng(seed).standard_normal(DIMENSIONS)
    if like is not None:
        row = numpy.frombuffer(like, "<f4") + 0.05 * row
    return (row / numpy.linalg.norm(row)).astype("<f4").tobytes()


def cosine(a: Vector, b: Vector) -> float:
    return float(numpy.frombuffer(a, "<f4") @ numpy.frombuffer(b, "<f4"))


def keys_of(found: list[Near]) -> list[str]:
    return [near.key for near in found]


async def test_the_nearest_of_a_kind_come_first_with_their_cosines(opened: Opened) -> None:
    async with opened() as index:
        assert await index.nearest(vector(1), 5, FACT) == []
        held = {key_of(kind, f"{n}"): vector(n + 100 * (kind is FACT)) for kind in (FACT, MESSAGE) for n in range(30)}
        await index.put(held)
        assert await index.keys() == set(held)
        question = vector(7, like=held["fact:3"])
        for kind, count in ((FACT, 5), (MESSAGE, 5), (MESSAGE, 1), (FACT, 30), (FACT, 1_000)):
            found = await index.nearest(question, count, kind)
            exact = {key: cosine(question, own) for key, own in held.items() if key.startswith(f"{kind}:")}
            assert keys_of(found) == sorted(exact, key=exact.__getitem__, reverse=True)[:count]
            assert [near.cosine for near in found] == pytest.approx([exact[near.key] for near in found], abs=1e-5)
        assert await index.nearest(question, 0, FACT) == []


async def test_what_is_put_again_is_replaced_and_what_is_removed_is_not_found(opened: Opened) -> None:
    async with opened() as index:
        await index.put({f"fact:{n}": vector(n) for n in range(120)})
        await index.put({"fact:5": vector(1_000)})
        (first,) = await index.nearest(vector(1_000), 1, FACT)
        assert (first.key, first.cosine) == ("fact:5", pytest.approx(1, abs=1e-5))
        assert (await index.nearest(vector(5), 1, FACT))[0].cosine < 0.99
        await index.remove(["fact:5", "fact:119", "fact:0", "fact:never", "message:5"])
        await index.remove(["fact:5"])
        assert await index.keys() == {f"fact:{n}" for n in range(1, 119)} - {"fact:5"}
        for gone in (vector(1_000), vector(119), vector(0)):
            found = await index.nearest(gone, 200, FACT)
            assert len(found) == 117
            assert {"fact:5", "fact:119", "fact:0"}.isdisjoint(keys_of(found))
        await index.put({"fact:5": vector(5)})
        assert keys_of(await index.nearest(vector(5), 1, FACT)) == ["fact:5"]


async def test_erasing_and_clearing(opened: Opened) -> None:
    async with opened() as index:
        held = {f"{kind}:{n}": vector(n) for kind in (FACT, MESSAGE) for n in range(60)}
        await index.put(held)
        gone = [f"fact:{n}" for n in range(0, 60, 2)]
        await index.remove(gone)
        await index.erase()
        await index.erase()
        assert await index.keys() == set(held) - set(gone)
        assert keys_of(await index.nearest(vector(7), 1, FACT)) == ["fact:7"]
        assert keys_of(await index.nearest(vector(8), 1, MESSAGE)) == ["message:8"]
        await index.put({"fact:8": vector(8)})
        assert keys_of(await index.nearest(vector(8), 1, FACT)) == ["fact:8"]
        await index.clear()
        assert await index.keys() == set()
        assert await index.nearest(vector(7), 5, MESSAGE) == []
        await index.erase()
        await index.put({"fact:1": vector(1)})
        assert keys_of(await index.nearest(vector(1), 5, FACT)) == ["fact:1"]


async def test_vectors_of_another_embedder_are_not_compared(opened: Opened) -> None:
    async with opened() as index:
        await index.put({"fact:1": vector(1)})
        assert await index.open("another embedder", DIMENSIONS) == 0
        assert await index.keys() == set()
        await index.put({"fact:2": vector(2)})
        assert await index.open("another embedder", 4) == 0
        await index.put({"fact:3": vector(3)[:16]})
        assert keys_of(await index.nearest(vector(3)[:16], 9, FACT)) == ["fact:3"]


def changed(place: int, value: float) -> Vector:
    row = numpy.frombuffer(vector(1), "<f4").copy()
    row[place] = value
    return row.tobytes()


WRONG: dict[str, tuple[str, Vector]] = {
    "short": ("fact:1", vector(1)[:-4]),
    "long": ("fact:1", vector(1) + b"\0\0\0\0"),
    "empty": ("fact:1", b""),
    "nan": ("fact:1", changed(3, float("nan"))),
    "infinite": ("fact:1", changed(3, float("-inf"))),
    "of no kind": ("1", vector(1)),
    "of another kind": ("thing:1", vector(1)),
}


async def test_what_is_no_vector_is_refused_and_the_index_stays_of_use(opened: Opened) -> None:
    async with opened() as index:
        await index.put({"fact:1": vector(1)})
        for key, wrong in WRONG.values():
            with pytest.raises(ValueError, match=r".+"):
                await index.put({key: wrong})
        with pytest.raises(ValueError, match=r".+"):
            await index.remove(["thing:1"])
        with pytest.raises(ValueError, match=r".+"):
            await index.nearest(WRONG["nan"][1], 1, FACT)
        assert keys_of(await index.nearest(vector(1), 5, FACT)) == ["fact:1"]


async def test_a_vector_of_zeros_is_near_to_nothing(opened: Opened) -> None:
    async with opened() as index:
        zero = bytes(4 * DIMENSIONS)
        await index.put({"fact:a": zero, "fact:b": zero, "fact:1": vector(1), "message:a": zero})
        for _ in range(2):
            first, *others = await index.nearest(vector(2, like=vector(1)), 5, FACT)
            assert first.key == "fact:1"
            assert {near.key: near.cosine for near in others} == pytest.approx({"fact:a": 0, "fact:b": 0}, abs=1e-6)
            assert all(near.cosine == pytest.approx(0, abs=1e-6) for near in await index.nearest(zero, 5, FACT))
            await index.remove(["message:a"])
            await index.erase()


async def test_keys_may_hold_anything(opened: Opened) -> None:
    async with opened() as index:
        held = {f"fact:{name}": vector(n) for n, name in enumerate(("", ":", "a b", "钥匙", "'\"--;", "x" * 500, "\n"))}
        await index.put(held)
        assert await index.keys() == set(held)
        for key, own in held.items():
            assert keys_of(await index.nearest(own, 1, FACT)) == [key]
        await index.remove(list(held))
        assert await index.keys() == set()


async def test_many_may_ask_and_write_at_once(opened: Opened) -> None:
    async with opened() as index:
        first = {f"message:{n}": vector(n) for n in range(100)}
        await index.put(first)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(index.put({f"message:{n}": vector(n)})) for n in range(100, 140)]
            tasks.append(group.create_task(index.put({f"fact:{n}": vector(n) for n in range(200)})))
            tasks.append(group.create_task(index.remove([f"message:{n}" for n in range(50)])))
            tasks.append(group.create_task(index.erase()))
            for n in range(60, 90):
                assert keys_of(await index.nearest(vector(n), 1, MESSAGE)) == [f"message:{n}"]
            assert await index.keys() >= {f"message:{n}" for n in range(50, 100)}
        assert await index.keys() == {f"message:{n}" for n in range(50, 140)} | {f"fact:{n}" for n in range(200)}


async def test_a_writer_that_is_cancelled_leaves_the_index_of_use(opened: Opened) -> None:
    async with opened() as index:
        await index.put({f"message:{n}": vector(n) for n in range(400)})
        await index.remove([f"message:{n}" for n in range(200)])
        for write in (index.put({f"fact:{n}": vector(n) for n in range(2_000)}), index.erase()):
            async with asyncio.TaskGroup() as group:
                task = group.create_task(write)
                await asyncio.sleep(0.01)
                task.cancel()
                await until(task.done)
            assert keys_of(await index.nearest(vector(300), 1, MESSAGE)) == ["message:300"]
        await index.put({"message:1": vector(1)})
        await index.erase()
        alive = await index.keys()
        assert {key for key in alive if key.startswith("message:")} == {f"message:{n}" for n in (1, *range(200, 400))}
        assert keys_of(await index.nearest(vector(1), 1, MESSAGE)) == ["message:1"]


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_is_done_what_is_found_is_what_comparing_all_finds(
    opened: Opened, seed: int, long_run: bool
) -> None:
    chance, truth, number = random.Random(seed), dict[str, Vector](), itertools.count()

    async def put() -> None:
        some = {f"{chance.choice((FACT, MESSAGE))}:{chance.randrange(60)}": vector(next(number)) for _ in range(8)}
        truth.update(some)
        await index.put(some)

    async def remove() -> None:
        some = chance.sample(sorted(truth), min(4, len(truth)))
        for key in some:
            del truth[key]
        await index.remove([*some, "fact:unknown"])

    async def clear() -> None:
        if chance.random() < 0.1:
            truth.clear()
            await index.clear()

    async def compare() -> None:
        question, kind = vector(next(number)), chance.choice((FACT, MESSAGE))
        exact = {key: cosine(question, own) for key, own in truth.items() if key.startswith(f"{kind}:")}
        found = keys_of(await index.nearest(question, 6, kind))
        assert found == sorted(exact, key=exact.__getitem__, reverse=True)[:6]
        assert await index.keys() == set(truth)

    async with opened() as index:
        for _ in range(300 if long_run else 40):
            step = chance.choices((put, remove, compare, index.erase, clear), (6, 4, 4, 1, 1))[0]
            await step()
        await compare()
