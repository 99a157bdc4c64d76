"""The adapter through the real SDK against a real loopback server: answers, faults, keys, cancelling."""

import asyncio
import json
import os
import ssl
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import Any
from urllib.parse import quote

import pytest

from desktop.core.endpoint_settings import ModelOptions
from desktop.core.error_texts import english
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    ModelRequest,
    RequestToolCall,
    StreamEnd,
    TextDelta,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)
from desktop.providers.chat_chunks import ChatStreamReader
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import NO_PATIENCE
from desktop.providers.sse import SseEvent
from tests.support.endpoint import (
    Answer,
    LoopbackEndpoint,
    RecordedRequest,
    Script,
    Step,
    call,
    chunk,
    close,
    drop,
    finish,
    hold,
    raw,
    status,
    text,
    thinking,
)
from tests.support.model_streams import HI, Received, receive

KEY = "sEcReT-0123456789-abcdef"


@asynccontextmanager
async def serving(script: Script, **options: Any) -> AsyncGenerator[tuple[LoopbackEndpoint, OpenAILanguageModel], None]:
    options = {"patience": NO_PATIENCE, **options}
    async with LoopbackEndpoint(script) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", **options)
        try:
            yield endpoint, model
        finally:
            await model.close()


async def played(*steps: Step, **options: Any) -> Received:
    async with serving([steps], **options) as (_, model):
        return await receive(model)


async def test_a_whole_answer() -> None:
    received = await played(
        thinking("hm"), text("Hello, 世界 😀", piece_chars=2), call("f", {"a": 1}, call_id="c", pieces=3)
    )
    assert (received.thinking, received.text) == ("hm", "Hello, 世界 😀")
    assert [(c.call_id, c.name, c.arguments) for c in received.calls] == [("c", "f", '{"a": 1}')]
    assert received.end is not None
    assert received.end.reason is FinishReason.TOOL_CALLS
    assert received.end.usage.input_tokens == 10


async def test_the_request_as_it_arrives() -> None:
    request = ModelRequest(
        messages=(
            UserMessage(text="a\ud800"),
            AssistantMessage(text="", tool_calls=(RequestToolCall(call_id="c", name="f", arguments="{}"),)),
            ToolMessage(call_id="c", name="f", text="r"),
        ),
        tools=(ToolSpec(name="f", description="d", parameters={"$schema": "s"}),),
    )
    async with serving([[text("ok")]]) as (endpoint, model):
        assert (await receive(model, request)).text == "ok"
        (seen,) = endpoint.requests
    assert seen.problem is None
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["accept-encoding"] == "identity"
    assert seen.body["model"] == "m"
    assert seen.messages[0]["content"] == "a\ufffd"


async def test_chunks_arrive_while_the_server_still_writes() -> None:
    async with (
        serving([[text("first"), hold("go"), text("second")]]) as (endpoint, model),
        aclosing(model.stream(HI)) as chunks,
    ):
        assert await anext(chunks) == TextDelta(text="first")
        endpoint.release("go")
        rest = [c async for c in chunks]
    assert rest[0] == TextDelta(text="second")
    assert isinstance(rest[-1], StreamEnd)


async def test_two_answers_at_once_over_one_model() -> None:
    async with serving([[text("a")], [text("a")], [text("a")]]) as (_, model):
        answers = await asyncio.gather(receive(model), receive(model), receive(model))
    assert [answer.text for answer in answers] == ["a"] * 3


async def test_a_connection_is_used_again_after_done() -> None:
    def script(request: RecordedRequest) -> Answer:
        return [text(request.headers["host"])]

    async with serving(script) as (endpoint, model):
        for _ in range(3):
            await receive(model)
        assert len(endpoint.requests) == 3
        assert endpoint.connection_count == 1


async def test_without_a_key_no_authorization_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    leaks = {
        "OPENAI_API_KEY": "leak-key-1",
        "OPENAI_ADMIN_KEY": "leak-key-2",
        "OPENAI_ORG_ID": "leak-org",
        "OPENAI_PROJECT_ID": "leak-project",
        "OPENAI_BASE_URL": "http://leak.invalid/v1",
        "OPENAI_CUSTOM_HEADERS": "X-Leak: leak-custom\nAuthorization: Bearer leak-custom-key\nuser-agent: leak-agent",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "",
    }
    for name, value in leaks.items():
        monkeypatch.setenv(name, value)
    async with serving([[text("ok")]]) as (endpoint, model):
        received = await receive(model)
        (seen,) = endpoint.requests
    assert received.text == "ok"
    assert "authorization" not in seen.headers
    assert "leak" not in json.dumps([seen.headers, seen.body, seen.path])


async def test_only_the_given_key_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "leak")
    monkeypatch.setenv("OPENAI_ORG_ID", "leak")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "authorization: leak")
    async with serving([[text("ok")]], key=f" {KEY}\n") as (endpoint, model):
        await receive(model)
        (seen,) = endpoint.requests
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert "leak" not in json.dumps(seen.headers)


@pytest.mark.parametrize(
    ("code", "expected"),
    [(400, "model.rejected"), (401, "model.unauthorized"), (402, "model.no_credit"), (403, "model.forbidden"),
     (404, "model.not_found"), (405, "model.rejected"), (413, "model.rejected"), (422, "model.rejected"),
     (429, "model.rate_limited"), (500, "model.server_error"), (503, "model.server_error"), (529, "model.overloaded")],
)  # fmt: skip
async def test_status_errors_say_the_server_s_words_and_no_key(code: int, expected: str) -> None:
    body = {"error": {"message": f"no good: key {KEY} and sk-abcdef1234567890 refused"}}
    received = await played(status(code, body), key=KEY)
    assert received.code == expected
    assert received.error is not None
    words = english(received.error.code, received.error.params)
    for shown in (str(received.error), repr(received.error), *words):
        assert KEY not in shown
        assert "abcdef1234567890" not in shown
    assert "no good" in str(received.error)
    assert received.error.__cause__ is None  # a logged traceback would show what the endpoint repeats


async def test_a_redirect_is_not_followed_and_takes_no_key_along() -> None:
    async with LoopbackEndpoint([[text("gotcha")]]) as other:
        target = f"http://localhost:{other.port}/v1/chat/completions?{KEY}"
        received = await played(status(307, "", {"location": target}), key=KEY)
        assert other.requests == []
    assert received.code == "model.redirected"
    assert received.error is not None
    assert f"localhost:{other.port}" in str(received.error.params["location"])
    assert KEY not in str(received.error)


@pytest.mark.parametrize(
    "path",
    ["http://127.0.0.1:{port}/v1", "http://127.0.0.1:{port}/v1/chat/completions/", " http://127.0.0.1:{port}/v1/ "],
)
async def test_pasted_addresses_reach_the_endpoint(path: str) -> None:
    async with LoopbackEndpoint([[text("ok")]]) as endpoint:
        model = OpenAILanguageModel(base_url=path.format(port=endpoint.port), model="m")
        assert (await receive(model)).text == "ok"
        await model.close()


async def test_a_query_in_the_address_goes_along() -> None:
    async with LoopbackEndpoint([[text("ok")]]) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url + "/chat/completions?api-version=2024", model="m")
        assert (await receive(model)).text == "ok"
        assert endpoint.requests[0].path == "/v1/chat/completions?api-version=2024"
        await model.close()


async def test_nothing_listens() -> None:
    async with LoopbackEndpoint() as endpoint:
        base_url = endpoint.base_url
    model = OpenAILanguageModel(base_url=base_url, model="m", patience=NO_PATIENCE)
    received = await receive(model)
    await model.close()
    assert received.code == "model.unreachable"
    assert received.error is not None
    assert received.error.params["url"] == base_url
    assert "refused" in str(received.error.params["detail"]).lower()


async def test_an_unknown_host() -> None:
    model = OpenAILanguageModel(base_url="http://nowhere.invalid/v1", model="m", patience=NO_PATIENCE)
    received = await receive(model)
    await model.close()
    assert received.code == "model.unknown_host"
    assert (
        "internet connection" in english("model.unknown_host", received.error.params if received.error else {}).detail
    )


async def test_a_server_that_speaks_no_tls() -> None:
    async with LoopbackEndpoint() as endpoint:
        model = OpenAILanguageModel(
            base_url=endpoint.base_url.replace("http:", "https:"), model="m", patience=NO_PATIENCE
        )
        received = await receive(model)
        await model.close()
    assert received.code == "model.unreachable"
    assert ssl.OPENSSL_VERSION not in str(received.error)


DATA = b'data: {"choices":[{"delta":{"content":"kept"}}]}\n\n'
FINISH = b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'


@pytest.mark.parametrize(
    ("steps", "code", "kept"),
    [
        ((text("kept"), drop()), "model.connection_lost", "kept"),
        ((drop(),), "model.connection_lost", ""),
        ((call("f", '{"a":'), drop()), "model.connection_lost", ""),
        ((text("kept"), close()), "model.ended_early", "kept"),
        ((call("f", {"a": 1}), close()), "model.ended_early", ""),
        ((close(),), "model.empty", ""),
        ((raw("data: [DONE]\n\n"), close()), "model.empty", ""),
        ((finish(),), "model.empty", ""),
        ((text("kept"), chunk({"error": {"message": "boom", "code": 500}})), "model.server_error", "kept"),
        ((text("kept"), raw("event: error\ndata: boom\n\n"), close()), "model.server_error", "kept"),
        ((text("kept"), raw('error: {"code":400,"message":"boom"}\n'), close()), "model.rejected", "kept"),
        ((text("kept<think"), chunk({"error": "boom"})), "model.server_error", "kept<think"),
        ((text("<thi"), chunk({"error": "boom"})), "model.server_error", "<thi"),
        ((text("<thi"), drop()), "model.connection_lost", "<thi"),
        ((text("kept"), finish("error")), "model.server_error", "kept"),
        ((raw(DATA + b"data: {bad\n\n" * 9), close()), "model.bad_stream", "kept"),
        (({"headers": {"content-encoding": "gzip"}}, raw("no gzip"), close()), "model.bad_stream", ""),
    ],
)
async def test_broken_answers_keep_what_came(steps: tuple[Step, ...], code: str, kept: str) -> None:
    received = await played(*steps)
    assert (received.code, received.text) == (code, kept)


@pytest.mark.parametrize(
    "stream",
    [
        DATA + FINISH,
        DATA + b"data: [DONE]\n\n",
        DATA + FINISH.rstrip(),
        b"\xef\xbb\xbf" + DATA + FINISH,
        (DATA + FINISH).replace(b"\n", b"\r\n"),
        (DATA + FINISH).replace(b"\n", b"\r"),
        (DATA + FINISH).replace(b"\n\n", b"\n"),
        b": ping\n\n" * 5 + DATA + b": ping\n\nid: 1\n\ndata:\n\n" + FINISH,
        (DATA + FINISH).replace(b"data: ", b"data:"),
        (DATA + FINISH).replace(b"data: ", b""),
    ],
)
@pytest.mark.parametrize("piece", [0, 1])
async def test_framings(stream: bytes, piece: int) -> None:
    pieces = [raw(stream[i : i + 1]) for i in range(len(stream))] if piece else [raw(stream)]
    received = await played(*pieces, close())
    assert (received.text, received.code) == ("kept", "")


async def test_invalid_utf8_is_replaced() -> None:
    received = await played(raw(DATA.replace(b"kept", b"ke\xffpt") + FINISH), close())
    assert received.text == "ke\ufffdpt"


async def test_a_delta_of_ten_megabytes() -> None:
    received = await played(text("x" * 10_000_000))
    assert len(received.text) == 10_000_000


async def test_long_events_are_read_as_short_ones_and_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [*[text(f"{number} “ä\\ \U0001f600\n") for number in range(20)], call("f", {"x": ['"\\\n'] * 50})]
    usual = await played(*steps)
    monkeypatch.setattr("desktop.providers.answer_body.LONG_EVENT_CHARS", 0)
    patient = await played(*steps)
    assert patient.error is None
    assert (patient.text, patient.end) == (usual.text, usual.end)
    assert [call.arguments for call in patient.calls] == [call.arguments for call in usual.calls]


async def test_while_a_long_event_is_parsed_others_get_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.providers.answer_body.LONG_EVENT_CHARS", 1000)
    begun, go_on = threading.Event(), threading.Event()
    parse_ahead = ChatStreamReader.parse_ahead

    def held(reader: ChatStreamReader, event: SseEvent) -> None:
        begun.set()
        go_on.wait(30)
        parse_ahead(reader, event)

    monkeypatch.setattr(ChatStreamReader, "parse_ahead", held)
    async with serving([[text("short"), text("x" * 2_000), text(" end")]]) as (_, model):
        receiving = asyncio.create_task(receive(model))
        await asyncio.to_thread(begun.wait, 30)
        assert not receiving.done()  # and this loop runs
        go_on.set()
        assert (await receiving).text == "short" + "x" * 2_000 + " end"


@pytest.mark.parametrize(
    ("content_type", "body", "code", "shown"),
    [
        (
            "text/html",
            "<html><head><title>t</title></head><body>Please <b>log in</b></body></html>",
            "model.not_a_stream",
            "Please log in",
        ),
        ("text/plain", "it works", "model.not_a_stream", "it works"),
        ("application/json", '{\n "error": {\n  "message": "boom"\n }\n}', "model.server_error", "boom"),
        (
            "application/json",
            '{"error":"Unexpected endpoint or method"}',
            "model.server_error",
            "Unexpected endpoint or method",
        ),
        ("application/json", '{"code":500,"msg":"boom"}', "model.server_error", "boom"),
        ("application/json", '{"status":"ok"}', "model.not_a_stream", ""),
        ("application/json", "[]", "model.not_a_stream", ""),
        ("text/html", "<p>" + "long " * 500_000, "model.not_a_stream", "long long"),
    ],
)
async def test_other_bodies_with_status_200(content_type: str, body: str, code: str, shown: str) -> None:
    received = await played(status(200, body, {"content-type": content_type}))
    assert received.code == code
    assert received.error is not None
    assert shown in str(received.error.params["detail"])
    assert len(str(received.error.params["detail"])) <= 300


@pytest.mark.parametrize("indent", [None, 2])
async def test_a_whole_completion_instead_of_a_stream(indent: int | None) -> None:
    message = {
        "role": "assistant",
        "content": "whole",
        "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}],
    }
    body = {
        "object": "chat.completion",
        "choices": [{"message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    received = await played(status(200, json.dumps(body, indent=indent)))
    assert received.text == "whole"
    assert [c.name for c in received.calls] == ["f"]
    assert received.end == StreamEnd(reason=FinishReason.TOOL_CALLS, usage=Usage(input_tokens=1, output_tokens=2))


async def test_a_wrong_content_type_does_not_matter() -> None:
    received = await played(status(200, (DATA + FINISH).decode(), {"content-type": "text/plain"}))
    assert received.text == "kept"


async def test_a_server_that_keeps_the_connection_open_after_done() -> None:
    async with serving([[text("ok"), finish(), raw("data: [DONE]\n"), hold("never")]]) as (endpoint, model):
        assert (await receive(model)).text == "ok"
        await endpoint.wait_until(lambda e: e.requests[0].is_disconnected)


async def test_a_reset_after_the_finish_is_a_proper_end() -> None:
    received = await played(text("ok"), finish(), drop())
    assert (received.text, received.code) == ("ok", "")


@pytest.mark.parametrize("break_off", [drop(), hold("never")])
async def test_an_end_without_a_blank_line_is_one(break_off: Step) -> None:
    lines = (DATA + FINISH).replace(b"\n\n", b"\n")
    received = await played(raw(lines), break_off, first_seconds=60, gap_seconds=0.05)
    assert (received.text, received.code) == ("kept", "")


@pytest.mark.parametrize("usage", [b"", b'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}'])
async def test_a_finish_without_a_blank_line_ends_the_answer_on_a_connection_that_stays_open(
    monkeypatch: pytest.MonkeyPatch, usage: bytes
) -> None:
    """Long before the time is over in which something useful must come."""
    for name in ("SETTLE_SECONDS", "AFTER_FINISH_SECONDS", "AFTER_USAGE_SECONDS"):
        monkeypatch.setattr(f"desktop.providers.answer_body.{name}", 0.02)
    lines = (DATA + FINISH).replace(b"\n\n", b"\n") + usage
    async with serving([[raw(lines), hold("never")]], first_seconds=600, gap_seconds=600) as (endpoint, model):
        received = await receive(model)
        await endpoint.wait_until(lambda e: e.requests[0].is_disconnected)
    assert (received.text, received.code) == ("kept", "")
    assert received.end is not None
    assert received.end.usage.input_tokens == (3 if usage else None)


async def test_an_end_mark_without_a_line_end_ends_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.providers.answer_body.SETTLE_SECONDS", 0.02)
    received = await played(raw(DATA + b"data: [DONE]"), hold("never"), first_seconds=600, gap_seconds=600)
    assert (received.text, received.code) == ("kept", "")


async def test_the_last_words_without_a_blank_line_are_seen_before_the_next_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.providers.answer_body.SETTLE_SECONDS", 0.02)
    script = [[raw(DATA.rstrip()), hold("more"), raw(b"\n" + DATA + FINISH)]]
    async with serving(script, gap_seconds=600) as (endpoint, model), aclosing(model.stream(HI)) as chunks:
        assert await anext(chunks) == TextDelta(text="kept")
        endpoint.release("more")
        assert await anext(chunks) == TextDelta(text="kept")
        assert isinstance(await anext(chunks), StreamEnd)


@pytest.mark.parametrize(("break_off", "code"), [(drop(), "model.connection_lost"), (hold("never"), "model.timeout")])
async def test_the_last_text_without_a_blank_line_is_kept(break_off: Step, code: str) -> None:
    received = await played(raw(DATA.rstrip()), break_off, first_seconds=0.2, gap_seconds=0.05)
    assert (received.text, received.code) == ("kept", code)


async def test_no_answer_at_all_runs_into_the_watchdog() -> None:
    received = await played(hold("never"), first_seconds=0.05)
    assert received.code == "model.timeout"


async def test_comments_and_empty_chunks_do_not_feed_the_watchdog() -> None:
    def script(_: RecordedRequest) -> Answer:
        return [raw(": ping\n\n"), chunk({"choices": []}), *[{"wait": 0.01}, raw(": ping\n\n")] * 2000]

    async with serving(script, first_seconds=0.2) as (endpoint, model):
        assert (await receive(model)).code == "model.timeout"
        await endpoint.wait_until(lambda e: e.requests[0].is_disconnected)


async def test_a_stall_in_the_middle_keeps_the_text() -> None:
    received = await played(text("kept"), hold("never"), first_seconds=60, gap_seconds=0.05)
    assert (received.code, received.text) == ("model.timeout", "kept")


async def test_a_stall_after_the_finish_is_a_proper_end() -> None:
    received = await played(text("ok"), finish(), hold("never"), gap_seconds=0.05)
    assert (received.text, received.code) == ("ok", "")


async def test_the_time_that_the_consumer_takes_does_not_count() -> None:
    async with serving([[text("a"), text("b")]], gap_seconds=0.05) as (_, model), aclosing(model.stream(HI)) as chunks:
        seen: list[object] = []
        async for one in chunks:
            seen.append(one)
            await asyncio.sleep(0.1)
    assert isinstance(seen[-1], StreamEnd)


async def test_cancelling_while_waiting_for_the_answer_closes_the_connection() -> None:
    def script(_: RecordedRequest) -> Answer:
        return [hold("never"), status(200, "")]  # a plain answer: not even its headers are sent

    async with serving(script) as (endpoint, model), asyncio.TaskGroup() as group:
        task = group.create_task(receive(model))
        await endpoint.wait_until(lambda e: e.requests and e.requests[0].held)
        task.cancel()
        await endpoint.wait_until(lambda e: e.requests[0].is_disconnected)


async def test_cancelling_in_the_middle_closes_the_connection() -> None:
    async with serving([[text("a"), hold("never")]]) as (endpoint, model), asyncio.TaskGroup() as group:
        task = group.create_task(receive(model))
        await endpoint.wait_until(lambda e: e.requests and e.requests[0].held)
        task.cancel()
        await endpoint.wait_until(lambda e: e.requests[0].is_disconnected)


async def test_leaving_early_closes_the_connection() -> None:
    async with serving([[text("a"), hold("never")], [text("again")]]) as (endpoint, model):
        async with aclosing(model.stream(HI)) as chunks:
            assert await anext(chunks) == TextDelta(text="a")
        await endpoint.wait_until(lambda e: e.requests[0].is_disconnected)
        assert (await receive(model)).text == "again"


async def test_closing_twice_and_unused() -> None:
    model = OpenAILanguageModel(base_url="http://127.0.0.1:1/v1", model="m")
    await model.close()
    await model.close()


async def test_names() -> None:
    model = OpenAILanguageModel(base_url="http://127.0.0.1:1/v1", model="qwen3-8b")
    assert (model.name, model.is_scripted) == ("qwen3-8b", False)


@pytest.mark.parametrize("position", range(12))
async def test_a_drop_at_any_position(position: int) -> None:
    steps: list[Step] = [
        thinking("a"),
        text("b"),
        thinking("c"),
        text("d"),
        call("f", {"x": 1}, pieces=3),
        text("e"),
        call("g", "{}"),
    ]
    whole = b"".join(b'data: {"choices":[{"delta":{"content":"%d"}}]}\n\n' % n for n in range(10))
    cut = len(whole) * position // 12 + 1
    for answer, allowed in (
        ([*steps[: position % len(steps)], drop()], {"model.connection_lost"}),
        ([raw(whole[:cut]), drop()], {"model.connection_lost"}),
        ([raw(whole[:cut]), close()], {"model.ended_early", "model.not_a_stream", "model.empty"}),
    ):
        received = await played(*answer)
        assert received.code in allowed
        assert "0123456789".startswith(received.text) or set(received.text) <= set("bde")


async def test_the_environment_is_left_as_it_was() -> None:
    before = dict(os.environ)
    await played(text("x"))
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    "odd",
    [
        {"options": ModelOptions(extra_body={"x": float("nan"), "y": "\ud800"})},
        {"key": "schl\u00fcssel"},
        {"headers": {"X-A": "\u00fc"}},
        {"model": "a\udcff"},
    ],
)
async def test_what_cannot_be_written_never_leaves_as_another_error(odd: dict[str, Any]) -> None:
    async with LoopbackEndpoint([[text("ok")]], repeat_last=True, strict=False) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, **{"model": "m", "patience": NO_PATIENCE, **odd})
        try:
            received = await receive(model, HI)
        finally:
            await model.close()
    assert received.error is None or received.error.code == "model.unreachable"


async def test_a_key_in_the_address_is_not_repeated() -> None:
    secret = "in+the/address 42"

    def script(request: RecordedRequest) -> Answer:
        return [status(401, {"error": {"message": f"{secret} in {request.path} with api-version 2024-10-21"}})]

    async with LoopbackEndpoint(script) as endpoint:
        address = f"{endpoint.base_url}?api-version=2024-10-21&key={quote(secret)}"
        model = OpenAILanguageModel(base_url=address, model="m", patience=NO_PATIENCE)
        try:
            received = await receive(model, HI)
        finally:
            await model.close()
    assert received.error is not None
    words = str(received.error.params["detail"])
    assert "address" not in words
    assert "api-version 2024-10-21" in words


async def test_a_flood_of_tiny_events_leaves_the_loop_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.providers.answer_body.WORK_SECONDS", 0.0)
    flood = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n' * 5_000
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    longest = run = last = 0
    async with serving([[raw(flood)]]) as (_, model):
        counting = asyncio.create_task(count())
        async with aclosing(model.stream(HI)) as chunks:
            async for _chunk in chunks:
                run = run + 1 if turns == last else 0
                last, longest = turns, max(longest, run)
        counting.cancel()
    assert longest < 100  # not the more than a thousand that arrive at once
