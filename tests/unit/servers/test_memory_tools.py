"""The memory server's tools with an ordinary client, in both protocol eras: answers, bounds, rate, figures, traces."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from fastmcp import Client

from desktop.servers.memory.limits import Limits, WrongSettingError
from desktop.servers.memory.metrics import Metrics
from desktop.servers.memory.rate_limit import RateLimit
from desktop.servers.memory.sqlite_store import SqliteStore
from desktop.servers.memory.store import Item, Session, StoreError, Usage
from desktop.servers.memory.tools import create_server
from desktop.servers.memory.tracing import trace_id
from tests.support.hand_clock import Clock

ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
SMALL = Limits(ttl_s=50, max_ttl_s=100, max_items=7, max_n=5, max_text=20, max_value=30, max_keys=2)


class World:
    """A client, its server's figures, and the last answer."""

    def __init__(self, client: Client[Any], metrics: Metrics) -> None:
        self.client = client
        self.metrics = metrics

    async def call(self, name: str, /, meta: dict[str, Any] | None = None, **arguments: Any) -> tuple[str, bool]:
        result = await self.client.call_tool_mcp(name, {"session_id": "s", **arguments}, meta=meta)
        (block,) = result.content
        assert isinstance(block, mcp_types.TextContent)
        return block.text, result.is_error

    async def ok(self, name: str, /, **arguments: Any) -> str:
        text, is_error = await self.call(name, **arguments)
        assert not is_error, text
        return text

    async def refused(self, name: str, /, **arguments: Any) -> str:
        text, is_error = await self.call(name, **arguments)
        assert is_error, text
        return text

    def figures(self, accept: str = "") -> str:
        return self.metrics.text(accept)[0].decode()


@asynccontextmanager
async def world(
    folder: Path, era: str = "legacy", limits: Limits | None = None, *, store: Any = None, rate: RateLimit | None = None
) -> AsyncIterator[World]:
    limits = limits or Limits()
    store = store or SqliteStore(folder / "memory.db")
    await store.open()
    metrics = Metrics()
    try:
        async with Client(create_server(store, limits, metrics=metrics, rate=rate), mode=era) as client:
            assert client.protocol_version == ("2025-11-25" if era == "legacy" else era)
            yield World(client, metrics)
    finally:
        await store.close()


@ERAS
async def test_the_tools_are_exactly_these(tmp_path: Path, era: str) -> None:
    async with world(tmp_path, era) as memory:
        tools = {tool.name: tool for tool in await memory.client.list_tools()}
    found = {
        name: {
            argument: schema.get("default", "required" if argument in tool.input_schema["required"] else None)
            for argument, schema in tool.input_schema["properties"].items()
        }
        for name, tool in tools.items()
    }
    assert found == {
        "mem_put": {"session_id": "required", "key": "required", "value": "required", "ttl_s": 3600},
        "mem_get": {"session_id": "required", "key": "required", "default": None, "ttl_s": 3600},
        "mem_append": {
            "session_id": "required",
            "role": "required",
            "text": "required",
            "max_items": 200,
            "ttl_s": 3600,
        },
        "mem_recent": {"session_id": "required", "n": 20, "ttl_s": 3600},
        "mem_clear": {"session_id": "required"},
    }
    assert tools["mem_append"].input_schema["properties"]["role"]["enum"] == ["user", "agent", "note"]
    assert {name for name, tool in tools.items() if tool.annotations and tool.annotations.idempotent_hint} == {
        *("mem_put", "mem_get", "mem_recent", "mem_clear")
    }
    assert {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint} == {
        *("mem_get", "mem_recent")
    }


@ERAS
async def test_what_each_tool_answers(tmp_path: Path, era: str) -> None:
    async with world(tmp_path, era) as memory:
        assert await memory.ok("mem_get", key="k") == ""
        assert await memory.ok("mem_get", key="k", default="none yet") == "none yet"
        assert await memory.ok("mem_put", key="k", value="天气") == "ok"
        assert await memory.ok("mem_put", key="k", value="天气") == "ok"
        assert await memory.ok("mem_get", key="k", default="none yet") == "天气"
        assert await memory.ok("mem_recent") == "[]"
        for role, text in (("user", "Question?"), ("agent", "Answer."), ("note", "“odd” \n\0")):
            assert await memory.ok("mem_append", role=role, text=text, ttl_s=60) == "ok"
        items = json.loads(await memory.ok("mem_recent", n=2))
        assert [(item["role"], item["text"]) for item in items] == [("agent", "Answer."), ("note", "“odd” \n\0")]
        assert all(list(item) == ["ts", "role", "text"] for item in items)
        assert items[0]["ts"] <= items[1]["ts"]
        assert await memory.ok("mem_append", role="note", text="only", max_items=1) == "ok"
        assert [item["text"] for item in json.loads(await memory.ok("mem_recent"))] == ["only"]
        assert await memory.ok("mem_clear") == "ok"
        assert await memory.ok("mem_clear") == "ok"
        assert await memory.ok("mem_recent") == "[]"


@pytest.mark.allowed_log("Invalid arguments for tool")
@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("mem_put", {"key": "k", "value": "v", "ttl_s": 101}, "ttl_s must be 1 to 100 (MEM_MAX_TTL_S), not 101."),
        ("mem_get", {"key": "k", "ttl_s": 0}, "ttl_s must be 1 to 100"),
        ("mem_append", {"role": "user", "text": "x", "ttl_s": -1}, "ttl_s must be 1 to 100"),
        (
            "mem_append",
            {"role": "user", "text": "x", "max_items": 8},
            "max_items must be 1 to 7 (MEM_MAX_ITEMS), not 8.",
        ),
        ("mem_append", {"role": "user", "text": "x", "max_items": 0}, "max_items must be 1 to 7"),
        ("mem_recent", {"n": 6}, "n must be 1 to 5 (MEM_MAX_N), not 6."),
        ("mem_recent", {"n": 0}, "n must be 1 to 5"),
        ("mem_recent", {"ttl_s": 10**30}, "ttl_s must be 1 to 100"),
        ("mem_put", {"key": "k", "value": "x" * 31}, "value has 31 characters; at most 30 are kept (MEM_MAX_VALUE)."),
        ("mem_put", {"key": "", "value": "x"}, "key must have 1 to 256 characters, not 0."),
        ("mem_get", {"key": "k" * 257}, "key must have 1 to 256 characters, not 257."),
        ("mem_append", {"role": "user", "text": "x" * 1_000_001}, "at most 1000000 are taken"),
        ("mem_append", {"role": "system", "text": "x"}, "role"),
        ("mem_append", {"role": "user"}, "text"),
        ("mem_put", {"key": "k", "value": {"a": 1}}, "value"),
        ("mem_put", {"key": "k", "value": "v", "ttl_s": "soon"}, "ttl_s"),
        ("mem_clear", {"session_id": ""}, "session_id must be 1 to 128 characters"),
        ("mem_clear", {"session_id": "a b"}, "session_id must be"),
        ("mem_clear", {"session_id": "a/../b"}, "session_id must be"),
        ("mem_clear", {"session_id": "{a}"}, "session_id must be"),
        ("mem_clear", {"session_id": "a*"}, "session_id must be"),
        ("mem_clear", {"session_id": "a\n"}, "session_id must be"),
        ("mem_clear", {"session_id": "é"}, "session_id must be"),
        ("mem_clear", {"session_id": "x" * 129}, "session_id must be"),
    ],
)
async def test_wrong_arguments_are_told(tmp_path: Path, tool: str, arguments: dict[str, Any], reason: str) -> None:
    async with world(tmp_path, limits=SMALL) as memory:
        assert reason in await memory.refused(tool, **arguments)
        assert re.search(rf'calls_total{{tool="{tool}"}} 1\.0', memory.figures())
        assert re.search(rf'errors_total{{reason="(limit|arguments)",tool="{tool}"}} 1\.0', memory.figures())


async def test_the_longest_of_everything_is_taken(tmp_path: Path) -> None:
    session = "aZ09-_.:" * 16
    async with world(tmp_path, limits=SMALL) as memory:
        assert await memory.ok("mem_put", session_id=session, key="k" * 256, value="x" * 30, ttl_s=100) == "ok"
        assert await memory.ok("mem_get", session_id=session, key="k" * 256, ttl_s=1) == "x" * 30


async def test_a_long_text_is_cut_with_a_mark(tmp_path: Path) -> None:
    async with world(tmp_path, limits=SMALL) as memory:
        await memory.ok("mem_append", role="user", text="字" * 20)
        await memory.ok("mem_append", role="user", text="字" * 21)
        whole, cut = (item["text"] for item in json.loads(await memory.ok("mem_recent", n=5)))
    assert whole == "字" * 20
    assert cut == "字" * 20 + "\n[Cut here: 20 of 21 characters are kept.]"


async def test_a_session_holds_so_many_keys(tmp_path: Path) -> None:
    async with world(tmp_path, limits=SMALL) as memory:
        for key in ("a", "b", "a"):
            await memory.ok("mem_put", key=key, value="v")
        assert await memory.refused("mem_put", key="c", value="v") == (
            "The session holds 2 keys, and no more are kept (MEM_MAX_KEYS)."
        )
        await memory.ok("mem_put", session_id="other", key="c", value="v")
        assert 'errors_total{reason="quota",tool="mem_put"} 1.0' in memory.figures()


@ERAS
async def test_too_many_calls_are_told_when_to_come_back(tmp_path: Path, era: str) -> None:
    clock = Clock(100.0)
    async with world(tmp_path, era, rate=RateLimit(120, clock=clock)) as memory:
        for _ in range(120):
            await memory.ok("mem_get", key="k")
        text = await memory.refused("mem_get", key="k")
        assert text == (
            "Too many calls: at most 120 are taken in a minute (MEM_CALLS_PER_MINUTE). Try again in 0.5 seconds."
        )
        clock.seconds += 0.5
        await memory.ok("mem_get", key="k")
        assert "Try again" in await memory.refused("mem_clear")
        assert 'errors_total{reason="rate",tool="mem_get"} 1.0' in memory.figures()


def test_each_tenant_has_a_rate_of_its_own() -> None:
    clock = Clock()
    rate = RateLimit(60, clock=clock)
    assert [rate.wait_for("a") for _ in range(60)] == [0.0] * 60
    assert 0 < rate.wait_for("a") <= 1.0
    assert rate.wait_for("b") == 0.0
    clock.seconds += 3_600  # no more than a minute's calls are saved up
    assert [rate.wait_for("a") for _ in range(61)][-2:] == [0.0, 1.0]
    assert [RateLimit(0).wait_for("a") for _ in range(1_000)] == [0.0] * 1_000


async def test_the_figures_count_calls_and_hits_and_name_traces(tmp_path: Path) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    async with world(tmp_path) as memory:
        await memory.ok("mem_put", key="k", value="v")
        await memory.ok("mem_get", key="k")
        await memory.ok("mem_get", key="other")
        await memory.ok("mem_recent")
        await memory.call("mem_recent", meta={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"})
        memory.metrics.stored(Usage(3, 4_096))
        plain, exact = memory.figures(), memory.figures("application/openmetrics-text; version=1.0.0")
    for line in (
        'threadwell_mem_calls_total{tool="mem_get"} 2.0',
        'threadwell_mem_call_seconds_count{tool="mem_get"} 2.0',
        'threadwell_mem_reads_total{result="hit"} 1.0',
        'threadwell_mem_reads_total{result="miss"} 3.0',
        "threadwell_mem_hit_ratio 0.25",
        "threadwell_mem_live_sessions 3.0",
        "threadwell_mem_store_bytes 4096.0",
        "threadwell_mem_store_up 1.0",
    ):
        assert line in plain
    assert f'# {{trace_id="{trace}"}}' in exact
    assert "trace_id" not in plain
    memory.metrics.stored(None)
    assert "threadwell_mem_store_up 0.0" in memory.figures()


class BrokenStore:
    """One that is away, or worse."""

    name = "nowhere"

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def get(self, session: Session, key: str, *, ttl_s: int) -> str | None:
        raise self._error

    async def recent(self, session: Session, n: int, *, ttl_s: int) -> Sequence[Item]:
        await asyncio.sleep(60)
        raise self._error


@pytest.mark.expected_log("mem_get tenant=- session=s outcome=store")
async def test_a_store_that_is_away_is_told(tmp_path: Path) -> None:
    async with world(tmp_path, store=BrokenStore(StoreError("Redis at x cannot be reached."))) as memory:
        assert await memory.refused("mem_get", key="k") == "Redis at x cannot be reached."
        assert 'errors_total{reason="store",tool="mem_get"} 1.0' in memory.figures()


@pytest.mark.expected_log("mem_get tenant=- session=s outcome=error")
@pytest.mark.allowed_log("Error calling tool")
async def test_an_unforeseen_error_costs_only_its_call(tmp_path: Path) -> None:
    async with world(tmp_path, store=BrokenStore(ZeroDivisionError("unforeseen"))) as memory:
        await memory.refused("mem_get", key="k")
        assert await memory.client.list_tools()
        assert 'errors_total{reason="error",tool="mem_get"} 1.0' in memory.figures()


async def test_lines_of_the_log_hold_no_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with world(tmp_path) as memory:
        await memory.ok("mem_append", role="user", text="QUARTZ text")
        await memory.ok("mem_put", key="QUARTZ-key", value="QUARTZ value")
        await memory.refused("mem_clear", session_id="QUARTZ\nforged line")
    lines = [record.getMessage() for record in caplog.records if record.name == "threadwell.memory"]
    assert len(lines) == 3
    assert re.fullmatch(r"mem_append tenant=- session=s outcome=ok ms=\d+\.\d", lines[0])
    assert re.fullmatch(r"mem_clear tenant=- session=\? outcome=arguments ms=\d+\.\d", lines[2])
    assert "QUARTZ" not in caplog.text


def test_a_trace_is_taken_or_made() -> None:
    good = "4bf92f3577b34da6a3ce929d0e0e4736"
    assert trace_id(f"00-{good}-00f067aa0ba902b7-01") == good
    assert trace_id(None, "req-7.x") == "req-7.x"
    for bad in (None, 7, "", f"00-{'0' * 32}-00f067aa0ba902b7-01", f"00-{good}", f"{good}\nforged", "x" * 300):
        made = trace_id(bad, "two\nlines")
        assert re.fullmatch(r"[0-9a-f]{32}", made)
        assert made != good


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"MEM_TTL_S": "0"}, "MEM_TTL_S"),
        ({"MEM_TTL_S": "many"}, "MEM_TTL_S"),
        ({"MEM_MAX_ITEMS": "-1"}, "MEM_MAX_ITEMS"),
        ({"MEM_MAX_TEXT": "1e5"}, "MEM_MAX_TEXT"),
        ({"MEM_MAX_TEXT": "9" * 5_000}, "MEM_MAX_TEXT"),
        ({"MEM_MAX_N": "٣"}, "MEM_MAX_N"),
        ({"MEM_TTL_S": "100", "MEM_MAX_TTL_S": "99"}, "MEM_TTL_S (100) is more than MEM_MAX_TTL_S (99)"),
    ],
)
def test_wrong_settings_are_named(environment: dict[str, str], named: str) -> None:
    with pytest.raises(WrongSettingError, match=re.escape(named)):
        Limits.from_environment(environment)


def test_settings_are_read() -> None:
    assert Limits.from_environment({}) == Limits()
    found = Limits.from_environment(
        {"MEM_TTL_S": " 90 ", "MEM_CALLS_PER_MINUTE": "0", "MEM_MAX_ITEMS": "50", "OTHER": "x"}
    )
    assert found == Limits(ttl_s=90, calls_per_minute=0, max_items=50)
    assert found.default_items == 50
