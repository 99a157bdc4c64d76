"""The memory server on HTTP: every attack on a local server is refused, tenants are apart, the figures are served."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from desktop.servers.memory.limits import Limits, WrongSettingError
from desktop.servers.memory.tenants import Tokens, read_tenants
from desktop.servers.memory.web import MAX_BODY_BYTES, Patience
from tests.support.memory_web import answer_to, memory_web

ALICE, BOB = "token-of-alice-1234", "token-of-bob-567890"
TENANTS = {"alice": ALICE, "bob": BOB}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
GOOD = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


async def test_only_its_own_name_and_no_foreign_page_and_no_other_token(tmp_path: Path) -> None:
    async with memory_web(tmp_path, TENANTS) as port, httpx2.AsyncClient(trust_env=False) as client:
        url = f"http://127.0.0.1:{port}/mcp"

        async def status(body: Any = PING, **headers: str) -> int:
            good = {**GOOD, "Authorization": f"Bearer {ALICE}"}
            return (await client.post(url, headers={**good, **headers}, json=body)).status_code

        assert await status() == 200
        for token in ("", ALICE, f"Bearer {ALICE}x", f"Bearer {ALICE[:-1]}", "Bearer", f"Basic {ALICE}"):
            assert await status(Authorization=token) == 401
        # DNS rebinding
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1:1", f"127.0.0.1.evil.example:{port}", ""):
            assert await status(Host=host) == 421
        assert await status(Host=f"user@127.0.0.1:{port}") == 421
        for host in (f"localhost:{port}", f"memory.example:{port}", "memory.example"):
            assert await status(Host=host) == 200
        # a page of another site
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", f"http://127.0.0.1.evil.example:{port}"):
            assert await status(Origin=origin) == 403
        assert await status(Origin=f"http://127.0.0.1:{port}") == 200
        assert await status(**{"Sec-Fetch-Site": "cross-site"}) == 403
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            assert await status(**{"Content-Type": kind}) == 415
        preflight = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        answer = await client.options(url, headers=preflight)
        assert answer.status_code == 403
        assert not any(name.startswith("access-control") for name in answer.headers)


async def test_without_tokens_the_loopback_is_served_and_nobody_else(tmp_path: Path) -> None:
    async with memory_web(tmp_path) as port, httpx2.AsyncClient(trust_env=False) as client:
        url = f"http://127.0.0.1:{port}/mcp"
        assert (await client.post(url, headers=GOOD, json=PING)).status_code == 200
        assert (await client.post(url, headers={**GOOD, "Host": "evil.example"}, json=PING)).status_code == 421
        assert (await client.post(url, headers={**GOOD, "Origin": "null"}, json=PING)).status_code == 403


@pytest.mark.allowed_log("Invalid HTTP request", "Unsupported upgrade", "No supported WebSocket")
async def test_tricks_with_paths_lead_nowhere(tmp_path: Path) -> None:
    paths = (
        *("/", "/mcp/", "//mcp", "/MCP", "/mcp/..", "/mcp/../metrics", "/metrics/", "/metrics/../mcp", "/%6dcp"),
        *("/mcp%00", "/mcp%2f", "/mcp;x", "/metrics%2e", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/docs"),
        *("http://evil.example/mcp", "*", "mcp", "/..\\mcp", "/sse", "/openapi.json", "/.well-known/x"),
    )
    async with memory_web(tmp_path) as port:
        host = f"Host: 127.0.0.1:{port}\r\nConnection: close\r\n"
        requests = [f"{method} {path} HTTP/1.1\r\n{host}\r\n" for path in paths for method in ("GET", "DELETE")]
        answers = await asyncio.gather(*(answer_to(port, request.encode()) for request in requests))
        for request, answer in zip(requests, answers, strict=True):
            assert answer.split(b" ")[1] in (b"404", b"400"), (request, answer)
            assert b"location:" not in answer.lower()
        upgrade = (
            "Upgrade: websocket\r\nConnection: Upgrade, close\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n"
        )
        answer = await answer_to(port, f"GET /mcp HTTP/1.1\r\n{host.partition('Conn')[0]}{upgrade}\r\n".encode())
        assert b" 101 " not in answer[:20]
        two_hosts = await answer_to(port, f"GET /metrics HTTP/1.1\r\nHost: evil.example\r\n{host}\r\n".encode())
        assert two_hosts.split(b" ")[1] in (b"400", b"421")
        assert b"threadwell_mem" in await answer_to(port, f"GET /metrics HTTP/1.1\r\n{host}\r\n".encode())


@pytest.mark.allowed_log("Invalid HTTP request")
async def test_a_huge_body_is_refused_before_it_has_come(tmp_path: Path) -> None:
    async with memory_web(tmp_path) as port:
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        announced = await answer_to(port, f"{head}Content-Length: {MAX_BODY_BYTES + 1}\r\n\r\n".encode(), b"{")
        assert b" 413 " in announced[:20]
        absurd = await answer_to(port, f"{head}Content-Length: {'9' * 30}\r\n\r\n".encode(), b"{")
        assert absurd[9:12] in (b"413", b"400")
        chunk = b"%x\r\n%b\r\n" % (500_000, b" " * 500_000)
        chunked = await answer_to(port, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode(), *[chunk] * 11)
        assert chunked == b"" or b" 413 " in chunked[:20]  # empty when the rest came too late to be read
        head += "Connection: close\r\nAccept: application/json, text/event-stream\r\n"
        half = json.dumps(call("mem_put", session_id="s", key="k", value="\ud800")).encode()
        for junk in (b"[" * 200_000, b"\xff\xfe{}", half):
            bad = await answer_to(port, f"{head}Content-Length: {len(junk)}\r\n\r\n".encode(), junk)
            assert b" 400 " in bad[:20], bad


@pytest.mark.allowed_log("Invalid HTTP request")
async def test_who_dawdles_is_cut_off_and_holds_up_nobody(tmp_path: Path) -> None:
    async with memory_web(tmp_path, patience=Patience(head=0.2, body=0.2)) as port:
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        slow_body = [f"{head}Content-Length: 1000\r\n\r\n".encode(), *[b"{"] * 8]
        good = f"{head.replace('POST /mcp', 'GET /metrics')}\r\n".encode()
        slow_heads = [
            answer_to(port),
            answer_to(port, head.encode(), *[b"X-A: b\r\n"] * 8, pause=0.06),
            answer_to(port, b"G", *[b"E"] * 8, pause=0.06),
            answer_to(port, good, b"GET /met", *[b"r"] * 8, pause=0.06),  # the second on its connection
        ]
        async with httpx2.AsyncClient(trust_env=False) as client:
            (body, *heads), other = await asyncio.gather(
                asyncio.gather(answer_to(port, *slow_body, pause=0.06), *slow_heads),
                client.get(f"http://127.0.0.1:{port}/metrics"),
            )
        assert other.status_code == 200
        assert b" 408 " in body[:20]
        assert heads[:3] == [b""] * 3
        assert heads[3].count(b"HTTP/1.1 200") == 1


@ERAS
async def test_tenants_see_only_their_own(tmp_path: Path, era: str) -> None:
    async with memory_web(tmp_path, TENANTS) as port:

        def client(token: str) -> Client[Any]:
            return Client(StreamableHttpTransport(f"http://127.0.0.1:{port}/mcp", auth=token), mode=era)

        async with client(ALICE) as alice, client(BOB) as bob:
            assert alice.protocol_version == ("2025-11-25" if era == "legacy" else "2026-07-28")
            for who, text in ((alice, "of Alice"), (bob, "of Bob")):
                await who.call_tool_mcp("mem_put", {"session_id": "s", "key": "k", "value": text})
                await who.call_tool_mcp("mem_append", {"session_id": "s", "role": "note", "text": text})
            for who, text in ((alice, "of Alice"), (bob, "of Bob")):
                found = await who.call_tool_mcp("mem_get", {"session_id": "s", "key": "k"})
                assert found.content[0].text == text  # type: ignore[union-attr]
                items = await who.call_tool_mcp("mem_recent", {"session_id": "s"})
                assert [item["text"] for item in json.loads(items.content[0].text)] == [text]  # type: ignore[union-attr]
            await bob.call_tool_mcp("mem_clear", {"session_id": "s"})
            found = await alice.call_tool_mcp("mem_get", {"session_id": "s", "key": "k"})
            assert found.content[0].text == "of Alice"  # type: ignore[union-attr]


async def test_each_token_has_a_rate_of_its_own(tmp_path: Path) -> None:
    limits = Limits(calls_per_minute=2)
    async with memory_web(tmp_path, TENANTS, limits) as port, httpx2.AsyncClient(trust_env=False) as client:

        async def told(token: str) -> str:
            headers = {**GOOD, "Authorization": f"Bearer {token}"}
            body = call("mem_get", session_id="s", key="k", default="-")
            answer = await client.post(f"http://127.0.0.1:{port}/mcp", headers=headers, json=body)
            return answer.json()["result"]["content"][0]["text"]

        assert [await told(ALICE) for _ in range(2)] == ["-"] * 2
        assert "Too many calls" in await told(ALICE)
        assert await told(BOB) == "-"


async def test_the_figures_need_the_token_too_and_name_the_requests_trace(tmp_path: Path) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    async with memory_web(tmp_path, TENANTS) as port, httpx2.AsyncClient(trust_env=False) as client:
        url = f"http://127.0.0.1:{port}"
        good = {**GOOD, "Authorization": f"Bearer {ALICE}"}
        traced = {**good, "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
        await client.post(f"{url}/mcp", headers=traced, json=call("mem_put", session_id="s", key="k", value="MARBLE"))
        assert (await client.get(f"{url}/metrics")).status_code == 401
        assert (await client.post(f"{url}/metrics", headers=good, json={})).status_code == 405
        plain = await client.get(f"{url}/metrics", headers=good)
        assert plain.headers["content-type"].startswith("text/plain")
        for line in (
            'threadwell_mem_calls_total{tool="mem_put"} 1.0',
            "threadwell_mem_live_sessions 1.0",
            "threadwell_mem_store_up 1.0",
        ):
            assert line in plain.text
        assert "MARBLE" not in plain.text
        assert "alice" not in plain.text
        accept = {"Accept": "application/openmetrics-text; version=1.0.0"}
        exact = await client.get(f"{url}/metrics", headers={**good, **accept})
        assert exact.headers["content-type"].startswith("application/openmetrics-text")
        assert f'trace_id="{trace}"' in exact.text


async def test_fifty_callers_at_once(tmp_path: Path) -> None:
    async with memory_web(tmp_path) as port, httpx2.AsyncClient(trust_env=False) as client:
        url = f"http://127.0.0.1:{port}/mcp"

        async def append(number: int) -> str:
            body = call("mem_append", session_id="s", role="note", text=str(number))
            return (await client.post(url, headers=GOOD, json=body)).json()["result"]["content"][0]["text"]

        assert await asyncio.gather(*(append(number) for number in range(50))) == ["ok"] * 50
        answer = await client.post(url, headers=GOOD, json=call("mem_recent", session_id="s", n=100))
        items = json.loads(answer.json()["result"]["content"][0]["text"])
        assert {int(item["text"]) for item in items} == set(range(50))


def test_tokens_are_found_whole_and_checked() -> None:
    tokens = Tokens(TENANTS)
    assert tokens.tenant_of(ALICE.encode()) == "alice"
    assert tokens.tenant_of(BOB.encode()) == "bob"
    for wrong in (b"", b"\xff", ALICE.encode()[:-1], ALICE.encode() + b"x", ALICE.upper().encode()):
        assert tokens.tenant_of(wrong) is None
    assert tokens
    assert not Tokens({})
    assert Tokens({"": ALICE}).tenant_of(ALICE.encode()) == ""


@pytest.mark.parametrize(
    ("tenants", "reason"),
    [
        ({"a": ALICE, "b": ALICE}, "same token"),
        ({"a": "short"}, "at least 16"),
        ({"a": "with a space in it"}, "at least 16"),
        ({"a": "é" * 20}, "at least 16"),
        ({"a b": ALICE}, "cannot name a tenant"),
        ({"a": ALICE, "a:b": BOB}, "begins with the name of tenant a and a colon"),
    ],
)
def test_wrong_tenants_are_told(tenants: dict[str, str], reason: str) -> None:
    with pytest.raises(WrongSettingError, match=reason) as told:
        Tokens(tenants)
    assert not any(token in str(told.value) for token in tenants.values())


@pytest.mark.parametrize(
    ("content", "mode", "reason"),
    [
        ("{", 0o600, "is no JSON"),
        ("[" * 100_000, 0o600, "is no JSON"),
        ("[]", 0o600, "must map"),
        ("{}", 0o600, "must map"),
        ('{"a": 1}', 0o600, "must map"),
        ('{"": "token-of-nobody-12"}', 0o600, "without a name"),
        (json.dumps(TENANTS), 0o644, "chmod 600"),
        (None, 0o600, "cannot be read"),
    ],
)
def test_a_wrong_file_of_tenants_is_told(tmp_path: Path, content: str | None, mode: int, reason: str) -> None:
    file = tmp_path / "tenants.json"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    with pytest.raises(WrongSettingError, match=reason):
        read_tenants(file)


def test_a_good_file_of_tenants_is_read(tmp_path: Path) -> None:
    file = tmp_path / "tenants.json"
    file.write_text(json.dumps(TENANTS))
    file.chmod(0o600)
    assert read_tenants(file) == TENANTS
