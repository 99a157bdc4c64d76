"""The memory server as a program: wrong use, clean stdout, other people's clients on stdio and HTTP, both stores."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

from desktop.servers.main import main
from tests.support.command_programs import ROOT, command_program, http_memory_server
from tests.support.real_servers import FOLDER, NODE, needs_servers
from tests.support.redis_server import needs_redis, redis_server

TOKEN = "token-of-alice-1234"
TOOLS = ["mem_put", "mem_get", "mem_append", "mem_recent", "mem_clear"]
CLIENT = ROOT / "tests/servers/memory_client.mjs"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--port", "8001"], "need --http"),
        (["--tenants", "x"], "need --http"),
        (["--http", "--port", "0"], "1 to 65535"),
        (["--http", "--host", "0.0.0.0"], "can be reached by other computers"),
        (["--http", "--host", "192.168.1.5"], "can be reached by other computers"),
        (["--http", "--host", "example.com"], "can be reached by other computers"),
        (["--http", "--name", "memory.example"], "can be reached by other computers"),
        (["--name", "memory.example"], "need --http"),
        (["--http", "--host", "::"], "can be reached by other computers"),
        (["--http", "--token-env", "NOT_SET_ANYWHERE"], "NOT_SET_ANYWHERE is not set"),
        (["--http", "--tenants", "/no/such/file"], "cannot be read"),
        (["--http", "--tenants", "x", "--token-env", "X"], "exclude each other"),
        (["--http", "--tenant", "alice"], "--tenant needs --token-env"),
        (["--tenant", "a b"], "--tenant must be"),
        (["surplus"], "surplus"),
    ],
)
def test_wrong_use_says_so_on_stderr(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err


def test_a_wrong_setting_says_so_on_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM_TTL_S", "soon")
    assert main(["memory"]) == 2
    assert "MEM_TTL_S must be a whole number" in capsys.readouterr().err


def test_help_tells_everything_and_stays_off_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "--help"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    for word in ("--http", "--tenants", "REDIS_URL", "MEM_TTL_S", "MEM_CALLS_PER_MINUTE", "mem_append"):
        assert word in captured.err


async def test_what_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"no database at all " * 500)
    process = await command_program("memory", "--file", str(tmp_path / "memory.db"))
    out, err = await process.communicate()
    assert process.returncode == 1
    assert out == b""
    assert b"mcp-server memory: The memory file cannot be used" in err
    assert b"Traceback" not in err


async def texts(client: Client[Any], *calls: tuple[str, dict[str, Any]]) -> list[str]:
    results = [await client.call_tool_mcp(name, {"session_id": "s", **arguments}) for name, arguments in calls]
    return [result.content[0].text for result in results]  # type: ignore[union-attr]


ALL_FIVE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("mem_put", {"key": "k", "value": "天气"}),
    ("mem_get", {"key": "k"}),
    ("mem_append", {"role": "user", "text": "Question?"}),
    ("mem_recent", {}),
    ("mem_clear", {}),
    ("mem_recent", {}),
)


async def check_all_five(client: Client[Any]) -> None:
    assert [tool.name for tool in await client.list_tools()] == TOOLS
    put, value, append, items, cleared, none = await texts(client, *ALL_FIVE)
    assert (put, value, append, cleared, none) == ("ok", "天气", "ok", "ok", "[]")
    assert [(item["role"], item["text"]) for item in json.loads(items)] == [("user", "Question?")]


def on_stdio(file: Path, log: Path, **env: str) -> StdioTransport:
    arguments = ["-m", "desktop", "mcp-server", "memory", "--file", str(file), "--log-level", "info"]
    environment = {**os.environ, **env}
    return StdioTransport(sys.executable, arguments, env=environment, cwd=str(ROOT), keep_alive=False, log_file=log)


async def test_fastmcps_client_on_stdio_beside_another_program_in_the_older_era(tmp_path: Path) -> None:
    """Two programs on one file, one client of each era: what one writes the other reads."""
    file, log = tmp_path / "memory.db", tmp_path / "log"
    older = Client(on_stdio(file, log, MEM_TTL_S="77"), mode="legacy")
    newer = Client(on_stdio(file, tmp_path / "log 2"), mode="2026-07-28")
    async with older, newer:
        assert (older.protocol_version, newer.protocol_version) == ("2025-11-25", "2026-07-28")
        for client in (older, newer):
            await check_all_five(client)
        put = next(tool for tool in await older.list_tools() if tool.name == "mem_put")
        assert put.input_schema["properties"]["ttl_s"]["default"] == 77
        await texts(older, ("mem_append", {"role": "user", "text": "by the older"}))
        await texts(newer, ("mem_append", {"role": "agent", "text": "by the newer"}))
        (items,) = await texts(older, ("mem_recent", {}))
        assert [item["text"] for item in json.loads(items)] == ["by the older", "by the newer"]
    lines = [line for line in log.read_text().splitlines() if "threadwell.memory" in line]
    assert len(lines) == len(ALL_FIVE) + 2
    assert all(re.search(r"INFO trace=[0-9a-f]{32} threadwell\.memory: mem_\w+ tenant=- ", line) for line in lines)
    assert "Question" not in log.read_text()


async def run_node(*arguments: str, **env: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), str(CLIENT), str(FOLDER / "node_modules"), *arguments),
        cwd=ROOT,
        env={**os.environ, **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return json.loads(out)


def check_answers_to_node(found: dict[str, Any]) -> None:
    assert found["tools"] == TOOLS
    items = json.loads(found["answers"].pop(5))
    assert found["answers"] == ["ok", "天气", "nothing", "ok", "ok", "ok", "[]"]
    assert [(item["role"], item["text"]) for item in items] == [("user", "Question?"), ("agent", "Answer.")]
    assert found["refused"] == "n must be 1 to 200 (MEM_MAX_N), not 1000000."


@needs_servers
@needs_redis
async def test_the_typescript_sdks_client_on_stdio_and_redis(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "desktop", "mcp-server", "memory", "--file", str(tmp_path / "none.db"))
    async with redis_server(tmp_path / "redis") as server:
        check_answers_to_node(await run_node("stdio", *command, REDIS_URL=server.url))
    assert not (tmp_path / "none.db").exists()


def tenants_file(folder: Path) -> Path:
    file = folder / "tenants.json"
    file.write_text(json.dumps({"alice": TOKEN}))
    file.chmod(0o600)
    return file


@needs_servers
async def test_other_peoples_clients_on_http(tmp_path: Path) -> None:
    arguments = ("--tenants", str(tenants_file(tmp_path)), "--file", str(tmp_path / "memory.db"))
    async with http_memory_server(*arguments) as url:
        for era in ("legacy", "auto"):
            async with Client(StreamableHttpTransport(url, auth=TOKEN), mode=era) as client:
                assert client.protocol_version == ("2025-11-25" if era == "legacy" else "2026-07-28")
                await check_all_five(client)
        check_answers_to_node(await run_node("http", url, TOKEN))
