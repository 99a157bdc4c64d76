"""What a page in a browser, or a program without the token, may try against the local API: each is refused."""

import asyncio
import dataclasses
import json
import shutil
import subprocess
from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import product
from pathlib import Path

import pytest

from tests.support.api_world import LIMITS, TOKEN, ApiWorld, api_world, raw
from tests.support.waiting import until


def request(world: ApiWorld, line: str = "GET /v1/threads HTTP/1.1", *headers: str, host: str = "") -> bytes:
    """A request as bytes, with the right Host and the token unless ``headers`` have them."""
    own = [f"Host: {host or f'127.0.0.1:{world.port}'}", f"Authorization: Bearer {TOKEN}"]
    given = {header.partition(":")[0].lower() for header in headers}
    lines = [line, *(each for each in own if each.partition(":")[0].lower() not in given), *headers]
    return ("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode("latin-1")


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


async def test_a_good_request_passes(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        assert status(await raw(world.port, request(world))) == 200
        assert status(await raw(world.port, request(world, host=f"localhost:{world.port}"))) == 200


async def test_dns_rebinding_is_refused(tmp_path: Path) -> None:
    others = ("evil.example", "127.0.0.1.evil.example:80", "127.0.0.1:1", "user@127.0.0.1", "127.0.0.1/x", "[::1")
    async with api_world(tmp_path) as world:
        for host in others:
            assert status(await raw(world.port, request(world, host=host))) == 421, host


async def test_two_hosts_or_none_are_refused(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        own = f"Host: 127.0.0.1:{world.port}"
        assert status(await raw(world.port, request(world, "GET /v1/threads HTTP/1.1", own, own))) in (400, 421)
        bare = f"GET /v1/threads HTTP/1.0\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
        assert status(await raw(world.port, bare)) == 421


async def test_a_cross_site_post_does_nothing_and_learns_nothing(tmp_path: Path) -> None:
    pages = ("https://evil.example", "null", "http://127.0.0.1:1", "file://", "http://evil@127.0.0.1")
    async with api_world(tmp_path) as world:
        for origin, method in product(pages, ("POST", "OPTIONS")):
            answer = await world.client.request(method, "/v1/threads", headers={"Origin": origin}, json={})
            assert answer.status_code == 403, origin
            assert not [name for name in answer.headers if name.startswith("access-control")]
        assert await world.chats.conversations.list_threads() == ()


async def test_what_a_form_of_a_page_can_send_is_not_taken(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            answer = await world.client.post("/v1/threads", content=b'{"title": "x"}', headers={"Content-Type": kind})
            assert answer.status_code == 415
        assert await world.chats.conversations.list_threads() == ()


async def test_nothing_is_served_without_the_token(tmp_path: Path) -> None:
    wrong = (
        "Authorization: Bearer wrong",
        "Authorization: Bearer",
        f"Authorization: Basic {TOKEN}",
        f"Authorization: Bearer {TOKEN}x",
        "Authorization: Bearer \xff\xfe",
        f"Authorization: \r\nX-Api-Key: {TOKEN}",
        f"Authorization: Bearer {TOKEN}\r\nAuthorization: Bearer {TOKEN}",
    )
    paths = ("/v1/threads", "/v1/openapi.json", "/v1/models", "/nothing", f"/v1/threads?token={TOKEN}")
    async with api_world(tmp_path) as world:
        for header, path in product(wrong, paths):
            answer = await raw(world.port, request(world, f"GET {path} HTTP/1.1", header))
            assert status(answer) == 401, (header, path)
            assert b"www-authenticate: Bearer" in answer


async def test_a_huge_body_is_refused_said_or_not(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread, large = await world.new_thread(), LIMITS.body_bytes + 1
        path = f"/v1/threads/{thread}/messages"
        said = request(world, f"POST {path} HTTP/1.1", "Content-Type: application/json", f"Content-Length: {large}")
        assert status(await raw(world.port, said)) == 413, "before a byte of it came"
        answer = await world.client.post(
            path, content=json.dumps({"text": "x" * large}), headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 413

        async def pieces() -> AsyncGenerator[bytes, None]:
            for _ in range(large // 10_000 + 1):
                yield b"x" * 10_000

        chunked = await world.client.post(path, content=pieces(), headers={"Content-Type": "application/json"})
        assert chunked.status_code == 413
        assert await world.texts(thread) == []


async def test_a_slow_body_and_a_slow_head_are_not_waited_for(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, body_seconds=0.3, head_seconds=0.3)
    async with api_world(tmp_path, limits=limits) as world:
        head = request(world, "POST /v1/threads HTTP/1.1", "Content-Type: application/json", "Content-Length: 100")
        assert status(await raw(world.port, head, b"{")) == 408
        assert await raw(world.port, head[:40]) == b"", "closed without a word"
        assert await raw(world.port, b"") == b""
        whole = request(world).replace(b"Connection: close\r\n", b"")
        answer = await raw(world.port, whole, whole[:30])
        assert answer.count(b"HTTP/1.1") == 1, "a second request that is never whole"


TRICKS = [
    "/../v1/threads",
    "/v1/../v1/threads",
    "//v1/threads",
    "/v1//threads",
    "/v1/threads/",
    "/v1/%2e%2e/threads",
    "/v1/threads/..%2f..%2fetc%2fpasswd/messages",
    "/v1/threads/%00/messages",
    "/v1/threads/%ff/messages",
    "/v1/threads/%F0%9F%98%80/messages",
    "/v1/threads/' OR 1=1 --/messages".replace(" ", "%20"),
    "/v1/threads/" + "x" * 5_000 + "/messages",
    "http://127.0.0.1/v1/threads",
    "*",
    "/V1/threads",
    "/v1/threads;x",
    "/",
]


async def test_tricks_with_the_path_lead_nowhere(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        for path in TRICKS:
            answer = await raw(world.port, request(world, f"GET {path} HTTP/1.1"))
            assert status(answer) in (400, 404), path


BROKEN: list[tuple[str, tuple[str, ...]]] = [
    ("HEAD /v1/threads HTTP/1.1", ()),
    ("TRACE /v1/threads HTTP/1.1", ()),
    ("CONNECT evil.example:80 HTTP/1.1", ()),
    ("PUT /v1/threads HTTP/1.1", ()),
    ("nonsense", ()),
    ("GET /v1/threads HTTP/1.1", ("Content-Length: -1",)),
    ("GET /v1/threads HTTP/1.1", ("Content-Length: 1", "Content-Length: 2")),
    ("POST /v1/threads HTTP/1.1", ("Content-Length: 5", "Transfer-Encoding: nonsense")),
    ("GET /v1/threads HTTP/1.1", ("X: " + "x" * 900_000,)),
]


async def test_broken_and_strange_requests_are_refused(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        for line, headers in BROKEN:
            answer = await raw(world.port, request(world, line, *headers))
            assert 400 <= status(answer) < 500 or answer == b"", (line, headers)
        assert status(await raw(world.port, request(world))) == 200, "it serves on"


async def test_who_leaves_in_the_middle_of_a_body_leaves_nothing_behind(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        _, writer = await asyncio.open_connection("127.0.0.1", world.port)
        writer.write(
            request(world, "POST /v1/threads HTTP/1.1", "Content-Type: application/json", "Content-Length: 99")
        )
        writer.write(b'{"title"')
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.close()
        assert (await world.client.get("/v1/threads")).json() == {"threads": []}


async def test_more_requests_at_once_than_it_takes_are_refused_and_served_later(tmp_path: Path) -> None:
    async with api_world(tmp_path, limits=dataclasses.replace(LIMITS, requests=1)) as world:
        thread = await world.new_thread()
        async with aclosing(world.events(thread, {"text": "hold it"})) as events:
            assert (await anext(events)).kind
            assert (await world.client.get("/v1/threads")).status_code == 429
        await until(lambda: not world.chats.chat.runs_of(thread))
        assert (await world.client.get("/v1/threads")).status_code == 200


async def test_no_connection_is_taken_from_another_computer(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        with pytest.raises(OSError):  # noqa: PT011
            await asyncio.open_connection("127.0.0.2", world.port)


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
async def test_curl_reads_the_events_as_they_come(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        command = [
            *("curl", "-sN", "--noproxy", "*", "-H", f"Authorization: Bearer {TOKEN}", "--json", '{"text": "hold it"}'),
            f"{world.api.status.address}/threads/{thread}/messages",
        ]
        curl = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        assert curl.stdout is not None
        seen = b""
        while b"begun" not in seen or b": still here" not in seen:
            seen += await curl.stdout.readline()
        world.chats.endpoint.release("hold it")
        assert b"event: done" in await curl.stdout.read()
        assert await curl.wait() == 0
