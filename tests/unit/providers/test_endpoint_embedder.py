"""The provider's embeddings: asked as chats are, checked, calibrated once, and left alone while they fail."""

import base64
import math
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from desktop.core.errors import ModelError, RecallError
from desktop.core.settings import EndpointSettings
from desktop.core.tasks import TaskSupervisor
from desktop.memory.ports import Likeness, Measured
from desktop.providers.endpoint_embedder import EndpointEmbedder
from desktop.providers.patience import Patience
from desktop.providers.unrelated_texts import ALL
from tests.support.endpoint import Answer, LoopbackEndpoint, RecordedRequest, hold, status
from tests.support.hand_clock import Clock
from tests.support.vector_answers import LENGTH, answer_with, numbers_of, vectors_of
from tests.support.waiting import until

PATIENT = Patience(pauses=(0.0, 0.0), reconnect_seconds=0.0)


class MeasuredInMemory:
    def __init__(self, known: Measured | None = None) -> None:
        self.kept: dict[str, Measured] = {}
        self._known = known

    async def measured(self, name: str) -> Measured | None:
        return self.kept.get(name, self._known)

    async def keep_measured(self, name: str, measured: Measured) -> None:
        self.kept[name] = measured


KNOWN = Measured(32, Likeness(0.0, 0.2))


@asynccontextmanager
async def asking(
    vectors: Callable[[RecordedRequest], Answer],
    measured: MeasuredInMemory | None = None,
    **options: Any,
) -> AsyncIterator[tuple[EndpointEmbedder, LoopbackEndpoint]]:
    async def key() -> str:
        return "sk-secret-key"

    async with LoopbackEndpoint(vectors=vectors) as endpoint:
        settings = EndpointSettings(id="e", base_url=endpoint.base_url, headers={"X-Team": "blue"})
        embedder = EndpointEmbedder(
            settings,
            "embedder-1",
            key=options.pop("key", key),
            measured=measured or MeasuredInMemory(KNOWN),
            patience=options.pop("patience", PATIENT),
            **options,
        )
        try:
            yield embedder, endpoint
        finally:
            await embedder.close()


def floats(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


async def test_texts_become_vectors_of_length_one_in_their_order() -> None:
    async with asking(vectors_of) as (embedder, endpoint):
        texts = [f"text {number}" for number in range(70)]
        vectors = await embedder.embed(texts)
        for text, vector in zip(texts, vectors, strict=True):
            assert floats(vector) == pytest.approx([n / LENGTH for n in numbers_of(text, 32)], abs=1e-6)
        assert [len(batch) for batch in endpoint.embedded] == [32, 32, 6]
        request = endpoint.requests[0]
        assert request.body["model"] == "embedder-1"
        assert request.headers["authorization"] == "Bearer sk-secret-key"
        assert request.headers["x-team"] == "blue"


async def test_texts_are_bounded_and_never_empty() -> None:
    async with asking(vectors_of) as (embedder, endpoint):
        await embedder.embed(["x" * 50_000, "", " \n", "lone \ud800 surrogate \x00"] + ["y" * 1_900] * 20)
        sent = [text for batch in endpoint.embedded for text in batch]
        assert len(sent) == 24
        assert max(map(len, sent)) == 2_000
        assert all(text.strip() for text in sent)
        assert all(sum(map(len, batch)) <= 20_000 for batch in endpoint.embedded)


async def test_what_is_alike_by_chance_is_measured_once_and_kept() -> None:
    measured = MeasuredInMemory()
    async with asking(vectors_of, measured) as (embedder, endpoint):
        await embedder.prepare()
        await embedder.embed(["hello"])
        assert [text for batch in endpoint.embedded for text in batch] == [*ALL, "hello"]
        assert embedder.dimensions == 32
        assert embedder.unrelated.mean == pytest.approx(0, abs=0.1)
        assert embedder.unrelated.deviation == pytest.approx(1 / math.sqrt(32), rel=0.3)
        assert "embedder-1 32" in embedder.id
        (kept,) = measured.kept.values()
    async with asking(vectors_of, MeasuredInMemory(kept)) as (embedder, endpoint):
        await embedder.prepare()
        assert (embedder.dimensions, embedder.unrelated) == (32, kept.unrelated)
        assert endpoint.requests == []
    async with asking(vectors_of, MeasuredInMemory(kept), measures_anew=True) as (embedder, endpoint):
        await embedder.prepare()
        assert len([text for batch in endpoint.embedded for text in batch]) == len(ALL)


async def test_a_busy_endpoint_is_asked_again_after_the_time_it_names() -> None:
    answers = [[status(429, {"error": {"message": "slow down"}}, {"retry-after": "0.01"})], []]

    def vectors(request: RecordedRequest) -> Answer:
        return answers.pop(0) or vectors_of(request)

    async with asking(vectors) as (embedder, endpoint):
        assert len(await embedder.embed(["a", "b"])) == 2
        assert len(endpoint.embedded) == 2


async def test_questions_do_not_wait_and_a_failing_endpoint_rests() -> None:
    clock, works = Clock(), False

    def vectors(request: RecordedRequest) -> Answer:
        return vectors_of(request) if works else [status(503, {"error": {"message": "down"}})]

    async with asking(vectors, clock=clock) as (embedder, endpoint):
        for _ in range(20):
            with pytest.raises(RecallError) as caught:
                await embedder.embed(["a"], are_queries=True)
            assert caught.value.code == "memory.endpoint_failed"
            assert "down" in str(caught.value.params["detail"])
        assert len(endpoint.embedded) == 1, "no storm"
        clock.seconds += 16
        works = True
        assert len(await embedder.embed(["a"], are_queries=True)) == 1
        works = False
        for pause in (0, 16, 31, 61):
            clock.seconds += pause
            with pytest.raises(RecallError):
                await embedder.embed(["a"], are_queries=True)
        assert len(endpoint.embedded) == 6, "each rest is longer than the one before"


@pytest.mark.parametrize(
    "answer",
    [
        answer_with([]),
        answer_with([[float("1")] * 32, [1.0] * 32]),
        answer_with([[0.0] * 32]),
        answer_with([[1.0, "x"]]),
        answer_with([None]),
        [status(200, '{"data": [{"embedding": [1.0, NaN, 2.0], "index": 0}]}')],
        [status(200, '{"data": [{"embedding": [1.0, Infinity], "index": 0}]}')],
        [status(200, '{"data": [{"embedding": [1.0, 2.0], "index": 7}]}')],
        [status(200, "<html>hello</html>")],
        [status(200, "[]")],
    ],
    ids=["none", "too many", "zero", "text", "null", "nan", "infinite", "misplaced", "page", "list"],
)
async def test_what_is_no_vector_is_not_taken(answer: Answer) -> None:
    async with asking(lambda _: answer) as (embedder, _):
        with pytest.raises(RecallError) as caught:
            await embedder.embed(["a"])
        assert caught.value.code == "memory.endpoint_failed"


async def test_another_length_than_before_is_told_from_other_failures() -> None:
    async with asking(lambda request: vectors_of(request, 48)) as (embedder, endpoint):
        for _ in range(3):
            with pytest.raises(RecallError) as caught:
                await embedder.embed(["a"])
            assert caught.value.code == "memory.endpoint_changed"
        assert len(endpoint.embedded) == 1


async def test_a_model_that_cannot_tell_texts_apart_is_not_used() -> None:
    def same(request: RecordedRequest) -> Answer:
        return answer_with([[1.0] * 32 for _ in request.body["input"]])

    measured = MeasuredInMemory()
    async with asking(same, measured) as (embedder, _):
        with pytest.raises(RecallError) as caught:
            await embedder.prepare()
        assert caught.value.code == "memory.endpoint_odd"
        assert measured.kept == {}


async def test_base64_is_taken_too() -> None:
    def encoded(request: RecordedRequest) -> Answer:
        rows = [struct.pack("<32f", *numbers_of(text, 32)) for text in request.body["input"]]
        return answer_with([base64.b64encode(row).decode() for row in rows])

    async with asking(encoded) as (embedder, _):
        (vector,) = await embedder.embed(["a"])
        assert floats(vector) == pytest.approx([n / LENGTH for n in numbers_of("a", 32)], abs=1e-6)


async def test_fewer_texts_at_once_are_sent_where_so_many_are_refused() -> None:
    def at_most_ten(request: RecordedRequest) -> Answer:
        if len(request.body["input"]) > 10:
            return [status(400, {"error": {"message": "batch size is invalid, it should not be larger than 10"}})]
        return vectors_of(request)

    async with asking(at_most_ten) as (embedder, endpoint):
        assert len(await embedder.embed([str(number) for number in range(32)])) == 32
        before = len(endpoint.embedded)
        assert len(await embedder.embed([str(number) for number in range(32)])) == 32
        assert [len(batch) for batch in endpoint.embedded[before:]] == [8, 8, 8, 8], "learned"


async def test_a_long_text_that_is_refused_is_shortened_and_a_bad_one_named() -> None:
    def short_ones(request: RecordedRequest) -> Answer:
        texts = request.body["input"]
        if any(len(text) > 500 or "bad" in text for text in texts):
            return [status(400, {"error": {"message": "this request is invalid"}})]
        return vectors_of(request)

    async with asking(short_ones) as (embedder, endpoint):
        assert len(await embedder.embed(["a", "b" * 900, "c"])) == 3
        assert ["b" * 400] in endpoint.embedded
        with pytest.raises(RecallError) as caught:
            await embedder.embed(["a", "bad"])
        assert caught.value.code == "memory.embedder_failed"
        assert len(await embedder.embed(["a"])) == 1, "the endpoint is not at fault and does not rest"


async def test_a_missing_key_and_a_refused_one_are_failures_without_the_key_in_their_words() -> None:
    async def none() -> str:
        raise ModelError("model.key_missing", variable="X")

    async with asking(vectors_of, key=none) as (embedder, endpoint):
        with pytest.raises(RecallError) as caught:
            await embedder.embed(["a"])
        assert (caught.value.code, caught.value.params["cause"]) == ("memory.endpoint_failed", "model.key_missing")
        assert endpoint.requests == []
    refused = [status(401, {"error": {"message": "Incorrect API key provided: sk-secret-key"}})]
    async with asking(lambda _: refused) as (embedder, _):
        with pytest.raises(RecallError) as caught:
            await embedder.embed(["a"])
        assert caught.value.params["cause"] == "model.unauthorized"
        assert "secret" not in str(caught.value)


async def test_an_embedder_that_is_left_while_it_is_asked_answers_and_then_lets_go() -> None:
    def held(request: RecordedRequest) -> Answer:
        return [hold("answer"), *vectors_of(request)]

    tasks = TaskSupervisor()
    async with asking(held) as (embedder, endpoint):
        asked = tasks.spawn(embedder.embed(["a", "b"]), name="ask")
        await until(lambda: endpoint.requests and endpoint.requests[0].held)
        client = embedder._client
        assert client is not None
        await embedder.close()
        assert not client.is_closed()
        endpoint.release("answer")
        assert len(await asked) == 2
        assert client.is_closed()
        assert embedder._client is None
    await tasks.close()
