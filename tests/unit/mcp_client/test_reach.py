"""Where a server may lead the app: never nearer than it is itself, whatever the address is wrapped in."""

import ipaddress

import httpx2
import pytest

from desktop.mcp_client.checked_http import checked_client
from desktop.mcp_client.reach import Reach, RefusedPlaceError, ServerPlace, allowed_addresses, reach_of
from desktop.mcp_client.sign_in_errors import SignInError
from tests.support.name_answers import NameAnswers
from tests.support.oauth_world import oauth_world

PUBLIC = "93.184.216.34"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.216.34", Reach.PUBLIC),
        ("2606:2800:220:1::1", Reach.PUBLIC),
        ("10.0.0.1", Reach.PRIVATE),
        ("192.168.1.1", Reach.PRIVATE),
        ("100.64.0.1", Reach.PRIVATE),
        ("fd00::1", Reach.PRIVATE),
        ("127.0.0.1", Reach.LOOPBACK),
        ("::1", Reach.LOOPBACK),
        ("::ffff:7f00:1", Reach.LOOPBACK),
        ("::ffff:10.0.0.1", Reach.PRIVATE),
        ("64:ff9b::7f00:1", Reach.LOOPBACK),
        ("2002:7f00:1::", Reach.LOOPBACK),
        ("169.254.169.254", Reach.FORBIDDEN),
        ("::ffff:169.254.169.254", Reach.FORBIDDEN),
        ("fe80::1", Reach.FORBIDDEN),
        ("0.0.0.0", Reach.FORBIDDEN),
        ("::", Reach.FORBIDDEN),
        ("224.0.0.1", Reach.FORBIDDEN),
    ],
)
def test_how_near_an_address_is(address: str, expected: Reach) -> None:
    assert reach_of(ipaddress.ip_address(address)) is expected


async def at(url: str) -> ServerPlace:
    place = ServerPlace()
    await place.begin(url)
    return place


async def test_a_name_that_stands_for_this_machine_is_not_taken_for_a_local_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    NameAnswers(monkeypatch, near_example=["10.0.0.1"], evil_example=["127.0.0.1"], both_example=[PUBLIC, "10.0.0.1"])
    assert await (await at("https://near.example/mcp")).most() is Reach.PRIVATE
    assert await (await at("https://both.example/mcp")).most() is Reach.PUBLIC
    assert await (await at("http://localhost/mcp")).most() is Reach.LOOPBACK
    with pytest.raises(RefusedPlaceError):
        await at("https://evil.example/mcp")
    with pytest.raises(SignInError):
        await allowed_addresses("evil.example", 443, most=Reach.PRIVATE)
    assert [str(a) for a in await allowed_addresses("both.example", 443, most=Reach.PUBLIC)] == [PUBLIC]


async def test_a_server_that_came_nearer_leads_nobody_who_signs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    names = NameAnswers(monkeypatch, server_example=[PUBLIC], inner_example=["10.0.0.7"])
    place = await at("https://server.example/mcp")
    names.say("server.example", "10.0.0.9")
    place.forget()
    async with checked_client(place) as http:
        with pytest.raises(RefusedPlaceError):
            await http.get("https://inner.example/")


async def test_a_server_outside_leads_to_nothing_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    names = NameAnswers(monkeypatch, server_example=[PUBLIC], inner_example=["10.0.0.7"])
    names.say("0x7f.1", "127.0.0.1")
    place = await at("https://server.example/mcp")
    async with oauth_world() as world, checked_client(place) as http:
        for url in (
            f"http://127.0.0.1:{world.auth_port}/.well-known/oauth-authorization-server",
            "https://inner.example/",
            "https://0x7f.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://[::ffff:7f00:1]/",
        ):
            with pytest.raises(SignInError) as caught:
                await http.get(url)
            assert caught.value.remark.code == "sign_in_inside", url
        for url in ("http://server.example/", "ftp://server.example/", "https://a:b@server.example/"):
            with pytest.raises((SignInError, httpx2.UnsupportedProtocol)):
                await http.get(url)
        assert world.requests == []


async def test_the_address_that_was_checked_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name may say something else a moment later."""
    async with oauth_world() as world, checked_client(await at(world.url)) as http:
        url = f"http://localhost:{world.auth_port}/.well-known/oauth-authorization-server"
        names = NameAnswers(monkeypatch, localhost=["127.0.0.1"])
        response = await http.get(url)
        assert response.status_code == 200
        assert response.request.url.host == "localhost"
        assert names.asked["localhost"] == 1
        names.say("localhost", "169.254.169.254")
        with pytest.raises(SignInError):
            await http.get(url)


async def test_an_answer_without_end_and_a_compressed_one_are_refused() -> None:
    async with oauth_world() as world, checked_client(await at(world.url)) as http:
        world.behaviour.metadata = {"filler": "x" * 2**21}
        url = f"{world.issuer}/.well-known/oauth-authorization-server"
        with pytest.raises(SignInError, match="too long"):
            await http.get(url)
        world.behaviour.metadata_headers = {"Content-Encoding": "gzip"}
        with pytest.raises(SignInError, match="compressed"):
            await http.get(url)
