"""Where a server's address may lead: no nearer than the user agreed to, whatever a name says later."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from desktop.core.address_reach import Reach, said_reach
from desktop.core.settings import SettingsStore
from desktop.mcp_client.accounts import BROKE_OFF
from desktop.mcp_client.big_messages import BigMessages
from desktop.mcp_client.checked_http import ServerTransport
from desktop.mcp_client.reach import Places, RefusedPlaceError, ServerPlace
from desktop.tools.entities import ServerConfig, ServerState, ServerStatus, Transport
from tests.support.command_programs import free_port
from tests.support.hostile_web import hostile_web
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.name_answers import NameAnswers
from tests.support.waiting import until

FAILED = "MCP server remote"
PROXIES = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
PUBLIC, PRIVATE, SELF, CLOUD = "93.184.216.34", "10.0.0.7", "127.0.0.1", "169.254.169.254"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


def remote(url: str) -> ServerConfig:
    return ServerConfig(id="remote", transport=Transport.HTTP, url=url, headers={"Authorization": "Bearer s3cret"})


def status(world: McpWorld) -> ServerStatus:
    return world.gateway.statuses()[0]


def remark(world: McpWorld) -> tuple[str, str]:
    first = status(world).remarks[0]
    return first.code, first.detail


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", Reach.LOOPBACK),
        ("LOCALHOST.", Reach.LOOPBACK),
        ("app.localhost", Reach.LOOPBACK),
        ("127.0.0.1", Reach.LOOPBACK),
        ("::1", Reach.LOOPBACK),
        ("10.1.2.3", Reach.PRIVATE),
        ("[fd00::7]", Reach.PRIVATE),
        ("nas", Reach.PRIVATE),
        ("printer.local", Reach.PRIVATE),
        ("mcp.corp", Reach.PRIVATE),
        ("host.docker.internal", Reach.PRIVATE),
        ("8.8.8.8", Reach.PUBLIC),
        ("mcp.example.com", Reach.PUBLIC),
        ("localhost.example.com", Reach.PUBLIC),
        ("local", Reach.PRIVATE),
        ("0x7f.1", Reach.PUBLIC),
        ("2130706433", Reach.PUBLIC),
        ("0177.0.0.1", Reach.PUBLIC),
        ("::ffff:7f00:1", Reach.PUBLIC),
        ("64:ff9b::7f00:1", Reach.PUBLIC),
        (CLOUD, Reach.FORBIDDEN),
    ],
)
def test_what_a_host_says_of_itself(host: str, expected: Reach) -> None:
    assert said_reach(host) is expected


@pytest.mark.parametrize(
    ("host", "agreed", "answer", "allowed"),
    [
        # A name on the internet: where it was when it was agreed to, and further out.
        ("mcp.example", None, [PUBLIC], True),
        ("mcp.example", None, [PRIVATE], True),
        ("mcp.example", None, [SELF], False),
        ("mcp.example", Reach.PUBLIC, [PUBLIC], True),
        ("mcp.example", Reach.PUBLIC, [PRIVATE], False),
        ("mcp.example", Reach.PUBLIC, [SELF], False),
        ("mcp.example", Reach.PUBLIC, ["::1"], False),
        ("mcp.example", Reach.PUBLIC, ["fd00::7"], False),
        ("mcp.example", Reach.PUBLIC, ["::ffff:10.0.0.7"], False),
        ("mcp.example", Reach.PUBLIC, ["64:ff9b::7f00:1"], False),
        ("mcp.example", Reach.PRIVATE, [PRIVATE], True),
        ("mcp.example", Reach.PRIVATE, [PUBLIC], True),
        ("mcp.example", Reach.PRIVATE, [SELF], False),
        ("mcp.example", Reach.LOOPBACK, [SELF], True),
        ("mcp.example", Reach.LOOPBACK, [CLOUD], False),
        ("mcp.example", Reach.LOOPBACK, ["0.0.0.0"], False),
        # One that says what it is needs no agreement, and is held to what it says.
        ("nas.test.local", None, [PRIVATE], True),
        ("nas.test.local", None, [SELF], False),
        ("localhost", None, [SELF], True),
        ("localhost", None, [CLOUD], False),
        (PRIVATE, None, [PRIVATE], True),
        (PRIVATE, Reach.PUBLIC, [PRIVATE], True),
        (CLOUD, None, [CLOUD], False),
        ("fe80::1", None, ["fe80::1"], False),
        ("::ffff:7f00:1", None, ["::ffff:7f00:1"], False),
    ],
)
async def test_where_a_server_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, agreed: Reach | None, answer: list[str], allowed: bool
) -> None:
    names = NameAnswers(monkeypatch)
    names.say(host, *answer)
    places = Places(SettingsStore(tmp_path / "settings.json"))
    if agreed is not None:
        places.keep(host, agreed)
    place = ServerPlace(places)
    url = f"http://[{host}]/mcp" if ":" in host else f"http://{host}/mcp"
    if allowed:
        await place.begin(url)
        assert place.shown == answer[0]
        return
    with pytest.raises(RefusedPlaceError) as refused:
        await place.begin(url)
    assert refused.value.remark.code == (
        "place_forbidden" if answer[0] in (CLOUD, "0.0.0.0", "fe80::1") else "place_nearer"
    )


async def test_of_several_addresses_only_those_that_were_agreed_to_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    NameAnswers(monkeypatch, both_example=[PRIVATE, PUBLIC, SELF, CLOUD])
    place = ServerPlace()
    await place.begin("https://both.example/mcp")
    assert place.shown == f"{PRIVATE}, {PUBLIC}"
    place.forget()
    assert [str(address) for address in await place.addresses()] == [PUBLIC]  # what was outside stays outside


async def test_where_a_server_was_is_remembered_once_it_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = NameAnswers(monkeypatch, mcp_example=[PRIVATE])
    settings = SettingsStore(tmp_path / "settings.json")
    first = ServerPlace(Places(settings))
    await first.begin("https://mcp.example/mcp")
    assert settings.settings.server_places == {}  # the page of an airport may have been there
    first.settle()
    assert SettingsStore(tmp_path / "settings.json").settings.server_places == {"mcp.example": "private"}
    names.say("mcp.example", PUBLIC)
    await first.begin("https://mcp.example/mcp")
    first.settle()
    names.say("mcp.example", PRIVATE)  # back in the office
    later = ServerPlace(Places(SettingsStore(tmp_path / "settings.json")))
    await later.begin("https://mcp.example/mcp")


@pytest.mark.expected_log(FAILED)
async def test_a_name_that_suddenly_leads_to_this_machine_is_not_connected_to_until_the_user_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = NameAnswers(monkeypatch, mcp_example=[SELF])
    settings = SettingsStore(tmp_path / "settings.json")
    places = Places(settings)
    places.keep("mcp.example", Reach.PUBLIC)
    async with hostile_web() as server:
        config = remote(f"http://mcp.example:{server.port}/mcp")
        async with mcp_world([config], places=places) as world:
            assert await world.gateway.tools() == ()
            assert status(world).state is ServerState.FAILED
            assert remark(world) == ("place_nearer", SELF)
            assert server.methods == []
            world.gateway.accept_place("remote")
            await until(lambda: status(world).state is ServerState.READY)
            assert await world.act("x") == "did act"
            report = world.gateway.report("remote")
            assert report is not None
            assert report.addresses == SELF
        assert settings.settings.server_places == {"mcp.example": "loopback"}
        asked = names.asked["mcp.example"]
        async with mcp_world([config], places=Places(SettingsStore(tmp_path / "settings.json"))) as world:
            assert len(await world.gateway.tools()) == 1
        assert names.asked["mcp.example"] == asked + 1  # once for each connection


@pytest.mark.expected_log(FAILED)
async def test_a_name_that_changes_its_mind_while_connected_gains_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = NameAnswers(monkeypatch, mcp_example=[SELF])
    places = Places(SettingsStore(tmp_path / "settings.json"))
    places.keep("mcp.example", Reach.LOOPBACK)
    async with (
        hostile_web() as server,
        mcp_world([remote(f"http://mcp.example:{server.port}/mcp")], places=places) as world,
    ):
        assert len(await world.gateway.tools()) == 1
        names.say("mcp.example", CLOUD)
        server.drop_all()
        assert await world.act("x") == "did act"  # on a new connection, to the address that was looked up
        session = world.gateway._sessions["remote"]
        session._mark_dead(BROKE_OFF)
        await until(lambda: status(world).state is ServerState.FAILED)
        assert remark(world) == ("place_forbidden", CLOUD)


async def test_the_way_to_a_server_leads_nowhere_else() -> None:
    async with hostile_web() as server:
        place = ServerPlace()
        await place.begin(server.url)
        async with httpx2.AsyncClient(transport=ServerTransport(server.url, place, BigMessages())) as http:
            for url in (
                "http://127.0.0.1:9/mcp",
                f"https://127.0.0.1:{server.port}/mcp",
                f"http://localhost:{server.port}/",
            ):
                with pytest.raises(httpx2.TooManyRedirects):
                    await http.get(url)
            assert (await http.get(server.url)).status_code == 405


@asynccontextmanager
async def _proxy() -> AsyncGenerator[tuple[str, list[str]], None]:
    """A proxy that refuses everything; yields its address, and what was asked of it."""
    asked: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[0])
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


@pytest.mark.expected_log(FAILED)
async def test_through_a_proxy_nothing_is_looked_up_here_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    names = NameAnswers(monkeypatch, mcp_example=[SELF])
    async with _proxy() as (proxy, asked):
        monkeypatch.setenv("https_proxy", f"http://user:pass@{proxy}")
        async with mcp_world([remote("https://mcp.example/mcp")]) as world:
            assert await world.gateway.tools() == ()
            report = world.gateway.report("remote")
            assert report is not None
            assert (report.proxy, report.addresses) == (proxy, "")
        assert set(asked) == {"CONNECT mcp.example:443 HTTP/1.1"}
        assert names.asked["mcp.example"] == 0
        asked.clear()
        async with mcp_world([remote(f"https://{CLOUD}/mcp")]) as world:  # an address needs no looking up
            assert await world.gateway.tools() == ()
            assert remark(world) == ("place_forbidden", CLOUD)
        assert asked == []


@pytest.mark.expected_log(FAILED)
async def test_a_name_that_nobody_knows_is_no_answer() -> None:
    async with mcp_world([remote(f"https://nowhere.invalid:{free_port()}/mcp")]) as world:
        assert await world.gateway.tools() == ()
        assert status(world).remarks[0].code == "unreachable"
