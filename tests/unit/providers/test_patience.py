"""A busy, loading or unreachable endpoint is asked again: in sight of the user, bounded, and never after a first word."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from desktop.core.errors import ModelError
from desktop.core.language_model import StreamEnd, TextDelta, Waiting
from desktop.providers.error_mapping import EndpointError
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import NO_PATIENCE, Patience, Retries
from tests.support.endpoint import (
    Answer,
    LoopbackEndpoint,
    Script,
    call,
    chunk,
    close,
    drop,
    hang_up,
    hold,
    raw,
    status,
    text,
    thinking,
)
from tests.support.model_streams import HI, Received, receive

QUICK = Patience(pauses=(0.001,), reconnect_seconds=0.001, loading_pause_seconds=0.001)


@asynccontextmanager
async def serving(
    script: Script, patience: Patience = QUICK, **options: Any
) -> AsyncGenerator[tuple[LoopbackEndpoint, OpenAILanguageModel], None]:
    async with LoopbackEndpoint(script) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", patience=patience, **options)
        try:
            yield endpoint, model
        finally:
            await model.close()


async def asked(*answers: Answer, patience: Patience = QUICK) -> tuple[Received, int]:
    """What came of these answers, and how many requests it took."""
    async with serving(answers, patience) as (endpoint, model):
        received = await receive(model)
        return received, len(endpoint.chats)


def failing(code: int, message: str = "no", headers: dict[str, str] | None = None) -> Answer:
    return [status(code, {"error": {"message": message}}, headers)]


@pytest.mark.parametrize(
    ("answer", "waiting"),
    [
        (failing(429), "rate_limited"),
        (failing(429, headers={"retry-after-ms": "1"}), "rate_limited"),
        (failing(500, "boom"), "overloaded"),
        (failing(502), "overloaded"),
        (failing(503, "Service Unavailable"), "overloaded"),
        (failing(504), "overloaded"),
        (failing(529, "Overloaded"), "overloaded"),
        (failing(408), "overloaded"),
        (failing(429, "The engine is currently overloaded, please try again later"), "overloaded"),
        (failing(503, "Loading model"), "model_loading"),
        ([drop()], "reconnecting"),
        ([chunk({"error": {"code": 502, "message": "Provider returned error"}})], "overloaded"),
        ([chunk({"error": {"code": 429, "message": "Provider returned error"}})], "rate_limited"),
        ([raw(": PROCESSING\n\n"), chunk({"error": "overloaded"})], "overloaded"),
        ([chunk({"id": "1", "choices": None}), close()], "overloaded"),
        ([status(200, {"id": "1", "choices": None})], "overloaded"),
    ],
)
async def test_one_failure_before_the_answer_is_waited_out(answer: Answer, waiting: str) -> None:
    received, requests = await asked(answer, [text("ok")])
    assert (received.text, received.code, requests) == ("ok", "", 2)
    assert [wait.code for wait in received.waits] == [waiting]
    assert received.remarks == []  # nothing that the user needs to know afterwards


async def test_an_answer_without_choices_is_asked_for_once_more_only() -> None:
    received, count = await asked(*[[chunk({"id": "1", "choices": None}), close()]] * 4)
    assert (received.code, count) == ("model.server_error", 2)


async def test_the_countdown_says_how_long() -> None:
    received, _ = await asked(failing(429, headers={"retry-after": "0.002"}), [text("ok")])
    assert received.waits == [Waiting(code="rate_limited", seconds=0.002)]


@pytest.mark.parametrize("code", [429, 503, 529])
async def test_twice_and_no_more(code: int) -> None:
    received, requests = await asked(*[failing(code)] * 5)
    assert requests == 3
    assert received.code in ("model.rate_limited", "model.overloaded", "model.server_error")


async def test_failures_of_all_kinds_count_together() -> None:
    received, requests = await asked(failing(429), failing(503), failing(529), [text("late")])
    assert (received.code, requests) == ("model.overloaded", 3)


@pytest.mark.parametrize(
    "answer",
    [
        failing(400, "bad"),
        failing(400, "Content Exists Risk"),
        failing(401, "who"),
        failing(403, "not you"),
        failing(404, "nothing"),
        failing(413, "large"),
        failing(429, "You exceeded your current quota"),
        failing(402, "Insufficient Balance"),
        failing(500, "Failed to parse messages: expected string but got object"),
        failing(500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
        failing(500, "Jinja Exception: Conversation roles must alternate user/assistant"),
        failing(503, "no", {"x-should-retry": "false"}),
        failing(429, "no", {"x-should-retry": "false", "retry-after-ms": "1"}),
        [status(200, "<html>log in</html>", {"content-type": "text/html"})],
        [raw("data: [DONE]\n\n")],
    ],
)
async def test_what_would_fail_again_is_told_at_once(answer: Answer) -> None:
    received, requests = await asked(answer, [text("no")])
    assert received.code
    assert requests == 1
    assert received.waits == []


async def test_a_500_is_tried_once_more_only() -> None:
    received, requests = await asked(*[failing(500, "boom")] * 4)
    assert (received.code, requests) == ("model.server_error", 2)


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "61"}, {}, 61),
        ({"retry-after": "3600"}, {}, 3600),
        ({"retry-after": "1e99"}, {}, 30 * 86400),
        ({"retry-after": "Fri, 31 Dec 2100 23:59:59 GMT"}, {}, 30 * 86400),
        ({"x-ratelimit-reset-requests": "2m0.5s"}, {}, 121),
        ({}, {"details": [{"retryDelay": "120s"}]}, 120),
        ({}, {"message": "Rate limit reached. Please try again in 6m12s."}, 372),
    ],
)
async def test_a_long_wait_is_told_and_not_slept_through(
    headers: dict[str, str], body: dict[str, Any], seconds: int
) -> None:
    received, requests = await asked([status(429, {"error": {"message": "wait", **body}}, headers)], [text("late")])
    assert (received.code, requests) == ("model.rate_limited", 1)
    assert received.error is not None
    assert received.error.params["seconds"] == seconds


async def test_a_wait_that_cannot_be_read_is_replaced_by_ours() -> None:
    received, requests = await asked(failing(429, headers={"retry-after": "soon"}), [text("ok")])
    assert (received.text, requests) == ("ok", 2)
    assert received.waits == [Waiting(code="rate_limited", seconds=0.001)]


@pytest.mark.parametrize("first", [text("a"), thinking("a"), call("f", {})])
async def test_nothing_is_asked_again_after_the_first_useful_chunk(first: dict[str, Any]) -> None:
    for end in (drop(), chunk({"error": {"code": 502, "message": "gone"}})):
        received, requests = await asked([first, end], [text("again")])
        assert received.code in ("model.connection_lost", "model.server_error")
        assert requests == 1


async def test_a_model_that_is_being_loaded_is_waited_for_and_can_be_given_up() -> None:
    loading = failing(503, "Loading model")
    received, requests = await asked(*[loading] * 20, [text("ok")])
    assert (received.text, requests) == ("ok", 21)
    assert {wait.code for wait in received.waits} == {"model_loading"}

    endless = Patience(loading_pause_seconds=3600)
    async with serving([loading] * 2, endless) as (_, model), aclosing(model.stream(HI)) as chunks:
        assert await anext(chunks) == Waiting(code="model_loading")
        waiting = asyncio.ensure_future(anext(chunks))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


def test_loading_has_an_end() -> None:
    now = [0.0]
    retries = Retries(Patience(loading_seconds=100), lambda: now[0])
    error = ModelError("model.loading")
    pause = retries.after(error)
    assert pause is not None
    now[0] = 99.0
    assert retries.after(error) is not None
    now[0] = 100.0
    assert retries.after(error) is None


def test_the_pauses_grow() -> None:
    retries = Retries(Patience(tries=3, pauses=(2.0, 8.0)))
    found = [retries.after(EndpointError(ModelError("model.overloaded"))) for _ in range(4)]
    assert [pause.seconds if pause else None for pause in found] == [2.0, 8.0, 8.0, None]


async def test_without_patience_every_failure_is_told_at_once() -> None:
    for answer in (failing(429), failing(503), failing(503, "Loading model"), [drop()]):
        received, requests = await asked(answer, [text("no")], patience=NO_PATIENCE)
        assert received.code
        assert requests == 1


async def test_a_connection_that_the_server_gave_up_is_replaced_unseen() -> None:
    async with serving([[text("a")], [hang_up()], [text("b")]], NO_PATIENCE) as (endpoint, model):
        assert (await receive(model)).text == "a"
        received = await receive(model)
        assert (received.text, received.waits) == ("b", [])
        assert len(endpoint.chats) == 3


async def test_a_server_that_never_answers_is_asked_twice_at_each_try() -> None:
    received, requests = await asked(*[[hang_up()]] * 10)
    assert received.code == "model.unreachable"
    assert requests == 4


async def test_a_server_on_this_machine_that_is_not_there_is_told_at_once() -> None:
    async with LoopbackEndpoint() as endpoint:
        base_url = endpoint.base_url
    model = OpenAILanguageModel(base_url=base_url, model="m", patience=Patience(reconnect_seconds=3600))
    assert (await receive(model)).code == "model.unreachable"
    await model.close()


async def test_while_a_local_model_reads_its_prompt_that_is_said() -> None:
    patience = Patience(hint_seconds=0.02)
    async with (
        serving([[raw(": ping\n\n"), hold("read"), text("ok")]], patience) as (endpoint, model),
        aclosing(model.stream(HI)) as chunks,
    ):
        assert await anext(chunks) == Waiting(code="prompt_reading")
        endpoint.release("read")
        rest = [c async for c in chunks]
    assert rest[0] == TextDelta(text="ok")
    assert isinstance(rest[-1], StreamEnd)


async def test_a_quick_answer_needs_no_explanation() -> None:
    received, _ = await asked([text("a"), text("b")], patience=Patience(hint_seconds=3600))
    assert received.waits == []


async def test_stopping_while_the_prompt_is_read_closes_the_connection() -> None:
    async with serving([[hold("never")]], Patience(hint_seconds=0.01)) as (endpoint, model):
        async with aclosing(model.stream(HI)) as chunks:
            assert await anext(chunks) == Waiting(code="prompt_reading")
        await endpoint.wait_until(lambda e: e.requests[0].is_disconnected)


async def test_a_hint_does_not_feed_the_watchdog() -> None:
    async with serving([[hold("never")]], Patience(hint_seconds=0.01), first_seconds=0.1) as (_, model):
        received = await receive(model)
        assert (received.code, [wait.code for wait in received.waits]) == ("model.timeout", ["prompt_reading"])
