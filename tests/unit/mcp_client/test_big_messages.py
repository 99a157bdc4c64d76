"""Large messages: read in small steps, to the same values as by any parser, and never as a whole by the SDK."""

import json
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from desktop.core.errors import ToolError
from desktop.core.tool_content import ItemKind, ItemProblem
from desktop.mcp_client import big_json
from desktop.mcp_client.big_json import RawJson, TooManyValuesError, read_big_json
from desktop.mcp_client.big_messages import BIG, BigMessages, RefusedBodyError, read_big_message
from desktop.mcp_client.results import MOST_CHARACTERS, STRUCTURED_TEXT_META_KEY
from desktop.tools.entities import ServerConfig, Transport
from tests.support.hostile_web import hostile_web
from tests.support.mcp_world import hostile, mcp_world

LETTERS = ["a", '"', "\\", "\n", "é", "中", "😀", "\ud83d", "\ude00", "u", "d", "/", "\x01", "\0", "[", "}", ","]


def random_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(8 if depth < 5 else 4)
    if kind < 3:
        return "".join(rng.choices(LETTERS, k=rng.randrange(150)))
    if kind == 3:
        return rng.choice([0, -5, 2.5, 1e10, 1e-7, 12345678901234567890, True, False, None])
    if kind < 6:
        names = ["".join(rng.choices(LETTERS, k=rng.randrange(4))) for _ in range(rng.randrange(5))]
        return {name: random_value(rng, depth + 1) for name in names}
    return [random_value(rng, depth + 1) for _ in range(rng.randrange(5))]


def without_halves(value: Any) -> Any:
    """The same, where half a character is replaced."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads("".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text))


def test_it_reads_what_any_parser_reads(monkeypatch: pytest.MonkeyPatch, long_run: bool) -> None:
    monkeypatch.setattr(big_json, "_PIECE", 40)  # so that everything is cut somewhere
    rng = random.Random(20)
    for _ in range(20_000 if long_run else 400):
        written = json.dumps(random_value(rng), indent=rng.choice([None, 1]), ensure_ascii=True)
        assert read_big_json(written.encode()) == without_halves(json.loads(written)), written


def test_what_is_no_json_is_refused(monkeypatch: pytest.MonkeyPatch, long_run: bool) -> None:
    monkeypatch.setattr(big_json, "_PIECE", 40)
    rng = random.Random(21)
    for _ in range(50_000 if long_run else 2_000):
        written = bytearray(json.dumps({"a": random_value(rng, 2), "raw": random_value(rng, 2)}).encode())
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(written))
            written[at : at + rng.randrange(3)] = rng.choices(b'"\\{}[],:0eu\xff ', k=rng.randrange(3))
        data = bytes(written)
        try:
            expected = without_halves(json.loads(data.decode("utf-8", "replace"), strict=False))
        except ValueError:
            with pytest.raises(ValueError):  # noqa: PT011  (it says only that it is none)
                read_big_json(data)
        else:
            assert read_big_json(data) == expected, data


def test_bounds() -> None:
    with pytest.raises(TooManyValuesError):
        read_big_json(b"[" + b"1," * big_json.MOST_VALUES + b"1]")
    with pytest.raises(ValueError, match="nested"):
        read_big_json(b"[" * 100_000)
    assert read_big_json(b"9" * 6_000) == "9" * 6_000
    assert read_big_json(b'"\xff\xfe \\ud800 ok"') == "\ufffd\ufffd \ufffd ok"
    long = "ab\\u4e2d\\n" * 200_000
    assert read_big_json(f'"{long}"'.encode()) == "ab中\n" * 200_000
    assert read_big_json(('"' + "\\\\" * 300_000 + '"').encode()) == "\\" * 300_000


def test_large_structured_content_stays_text() -> None:
    rows = [{"n": n, "brackets": ']}\\"['} for n in range(20_000)]
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"content": [], "structuredContent": {"rows": rows}, "_meta": {"a": 1}},
    }
    result = read_big_message(json.dumps(message).encode())["result"]
    assert "structuredContent" not in result
    assert type(text := result["_meta"].pop(STRUCTURED_TEXT_META_KEY)) is str
    assert json.loads(text) == {"rows": rows}
    assert result["_meta"] == {"a": 1}
    small = {**message, "result": {"content": [{"structuredContent": rows}], "structuredContent": {"a": [1]}}}
    assert read_big_message(json.dumps(small).encode()) == small
    assert isinstance(read_big_json(b'{"a": [1, 2]}', raw=[("a",)])["a"], RawJson)


async def passed_on(chunks: list[bytes], *, events: bool, big: BigMessages | None = None) -> list[bytes]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    big = big or BigMessages()
    return [part async for part in (big.in_events(body()) if events else big.in_body(body()))]


async def test_events_go_on_as_soon_as_they_are_whole() -> None:
    assert await passed_on([b"data: 1\n", b"\nda", b"ta: 2\r\n\r", b"\n: still\n\n", b"data: cut"], events=True) == [
        b"data: 1\n\n",
        b"data: 2\r\n\r\n: still\n\n",
        b"data: cut",
    ]
    for end in (b"\n\n", b"\r\n\r\n", b"\r\r"):  # all of the last line's end, else the event is not over
        for at in range(20):
            event = b"event: a" + end[: len(end) // 2] + b"data: 1" + end
            assert (await passed_on([event[:at], event[at:], b"data: 2"], events=True))[:-1] == [event]


async def test_of_a_large_answer_something_small_goes_on_and_of_others_they_themselves() -> None:
    big, text = BigMessages(), "x" * BIG
    answer = json.dumps({"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": text}]}}).encode()
    (body,) = await passed_on([answer[:100], answer[100:]], events=False, big=big)
    (event,) = await passed_on([b"id: 5\nevent: message\ndata: " + answer + b"\n\n"], events=True, big=big)
    assert event.startswith(b"id: 5\nevent: message\ndata:")
    for stand_in in (json.loads(body), json.loads(event.partition(b"data:")[2])):
        assert stand_in["id"] == 7
        held = big.take(stand_in["result"])
        assert held is not None
        assert held["content"][0]["text"] == text
        assert big.take(stand_in["result"]) == {}  # once
    assert big.take({"content": []}) is None
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"a": text}}).encode()
    assert await passed_on([asked], events=False) == [asked]
    assert await passed_on([b"{" + b" " * BIG], events=False) == [b"unreadable"]


async def test_a_body_without_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.mcp_client.big_messages.MOST_BYTES", 1_000)
    with pytest.raises(RefusedBodyError):
        await passed_on([b" " * 400] * 3, events=False)
    assert await passed_on([b"x" * 400] * 3, events=True) == [b"x" * 1_200]


def web(url: str) -> ServerConfig:
    return ServerConfig(id="bad", transport=Transport.HTTP, url=url)


@pytest.mark.parametrize("what", ["large_json", "large_events"])
async def test_a_large_answer_over_http_is_all_there(what: str) -> None:
    async with hostile_web() as server, mcp_world([web(server.url)]) as world:
        outcome = await world.call("act", what=what)
        (whole,) = [item for item in outcome.received if item.item.kind is ItemKind.WHOLE]
        assert whole.data is not None
        assert whole.data.decode() == "line — of “text” 😀\n" * 100_000
        assert len(outcome.text) <= MOST_CHARACTERS + 200


@pytest.mark.parametrize("what", ["rows_json", "rows_events"])
async def test_many_values_over_http_are_kept_as_json(what: str) -> None:
    async with hostile_web() as server, mcp_world([web(server.url)]) as world:
        outcome = await world.call("act", what=what)
        assert outcome.text == "see the rows"
        (data,) = outcome.received
        assert (data.item.kind, data.item.file_name, data.item.problem) == (ItemKind.DATA, "data.json", None)
        assert data.data is not None
        assert len(json.loads(data.data)["rows"]) == 100_000


async def test_many_values_on_stdio_are_kept_as_json_and_not_compared_with_a_schema() -> None:
    async with mcp_world([hostile("output_schema")]) as world:
        outcome = await world.call("act", what="rows")
        assert [(each.item.kind, each.item.problem) for each in outcome.received] == [
            (ItemKind.DATA, ItemProblem.NOT_CHECKED)
        ]
        assert await world.act("x") == "did act"


@pytest.mark.expected_log("Error parsing JSON response")
@pytest.mark.parametrize("what", ["endless_json", "values_json", "compressed"])
async def test_what_is_not_read_ends_its_call_at_once_and_alone(what: str) -> None:
    async with hostile_web() as server, mcp_world([web(server.url)]) as world:
        with pytest.raises(ToolError) as caught:
            await world.act(what)
        assert caught.value.code == "tool.failed"
        assert server.methods.count("tools/call") == 1
        assert await world.act("x") == "did act"
        assert server.methods.count("initialize") == 1
