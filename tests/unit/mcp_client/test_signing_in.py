"""Signing in at a remote server, against a real one with a real sign-in server: the good way and every bad one."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from desktop.core.errors import ToolError
from desktop.core.secrets import KeychainState
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.sign_in_record import SignIns
from desktop.tools.entities import ServerState, ServerStatus, Transport
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.sign_in import OAuthClient
from tests.support.command_programs import free_port
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.oauth_world import Behaviour, Browser, OAuthWorld, get, oauth_world
from tests.support.waiting import until

pytestmark = [
    pytest.mark.expected_log("MCP server remote"),
    pytest.mark.allowed_log("Session termination failed"),
]


@dataclass
class Signing:
    """A host whose one server wants a sign-in."""

    host: McpWorld
    servers: OAuthWorld
    browser: Browser
    secrets: InMemorySecrets
    hidden: list[str]

    @property
    def status(self) -> ServerStatus:
        return self.host.gateway.statuses()[0]

    async def settled(self, *states: ServerState) -> ServerStatus:
        await until(lambda: self.status.state in states)
        return self.status

    async def sign_in(self) -> ServerStatus:
        """Click, and wait for what comes of it."""
        await self.settled(ServerState.NEEDS_SIGN_IN)
        self.host.gateway.sign_in("remote")
        assert self.status.state is ServerState.SIGNING_IN
        return await self.settled(ServerState.READY, ServerState.NEEDS_SIGN_IN, ServerState.FAILED)


@asynccontextmanager
async def signing(
    folder: Path,
    *,
    browser: Browser | None = None,
    servers: OAuthWorld | None = None,
    secrets: InMemorySecrets | None = None,
    **config: Any,
) -> AsyncGenerator[Signing, None]:
    @asynccontextmanager
    async def given() -> AsyncGenerator[OAuthWorld, None]:
        assert servers is not None
        yield servers

    tasks = TaskSupervisor()
    store = secrets or InMemorySecrets()
    settings = SettingsStore(folder / "settings.json")
    hidden: list[str] = []
    held = ServerSecrets(settings, store, tasks, held=[])
    sign_ins = SignIns(held, store, hidden.append)
    pages = browser or Browser()
    async with (
        given() if servers is not None else oauth_world() as world,
        mcp_world([world.config(**config)], sign_ins=sign_ins, pages=pages) as host,
    ):
        yield Signing(host, world, pages, store, hidden)
    assert await tasks.close() == []


def code_of(status: ServerStatus) -> str:
    return status.remarks[0].code if status.remarks else ""


async def test_nothing_is_asked_before_a_click_and_everything_works_after_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with signing(tmp_path) as world:
        assert await world.host.gateway.tools() == ()
        assert code_of(await world.settled(ServerState.NEEDS_SIGN_IN)) == "sign_in_wanted"
        assert world.browser.pages == []
        assert not any(server == "auth" for server, _ in world.servers.requests)

        status = await world.sign_in()
        assert status.state is ServerState.READY, status.text
        assert status.signed_in_at == f"127.0.0.1:{world.servers.auth_port}"
        assert (await world.host.call("look")).text == "did look"
        page = world.browser.pages[0]
        assert page.rights == ("read",)
        assert (page.given_to, page.former_host) == ("", "")
        assert world.servers.scopes_asked == ["read"]
        assert world.browser.landed == [(200, world.browser.landed[0][1])]
        assert "You can close this window" in world.browser.landed[0][1]
        assert "你可以关闭此窗口" in world.browser.landed[0][1]
        assert set(world.servers.secrets) <= set(world.hidden)
        state = parse_qs(urlsplit(page.url).query)["state"][0]
        assert not any(secret in caplog.text for secret in (state, "code_challenge", *world.servers.secrets))


async def test_without_a_keychain_it_holds_for_this_session_and_says_so(tmp_path: Path) -> None:
    async with signing(tmp_path) as world:
        status = await world.sign_in()
        assert [remark.code for remark in status.remarks] == ["sign_in_for_session"]
        written = (tmp_path / "settings.json").read_text("utf-8")
        assert not any(secret in written for secret in world.servers.secrets)


async def test_a_sign_in_is_there_at_the_next_start_and_gone_after_signing_out(tmp_path: Path) -> None:
    secrets = InMemorySecrets()
    async with oauth_world() as servers:
        async with signing(tmp_path, servers=servers, secrets=secrets) as world:
            await world.sign_in()
        async with signing(tmp_path, servers=servers, secrets=secrets) as world:
            assert (await world.host.call("look")).text == "did look"
            assert world.browser.pages == []
            world.host.gateway.sign_out("remote")
            status = await world.settled(ServerState.NEEDS_SIGN_IN)
            assert status.signed_in_at == ""
        assert not any("access-" in value for value in secrets._secrets.values())
        async with signing(tmp_path, servers=servers, secrets=secrets) as world:
            await world.settled(ServerState.NEEDS_SIGN_IN)


@pytest.mark.parametrize("rotates", [True, False], ids=["rotating", "lasting"])
async def test_a_token_is_renewed_before_it_ends(tmp_path: Path, rotates: bool) -> None:
    async with oauth_world() as servers:
        servers.behaviour = Behaviour(expires_in=1, rotates=rotates)
        async with signing(tmp_path, servers=servers) as world:
            assert (await world.sign_in()).state is ServerState.READY
            for _ in range(3):
                assert (await world.host.call("look")).text == "did look"
            renewals = [form for form in servers.token_requests if form["grant_type"] == "refresh_token"]
            assert len(renewals) >= 3
            assert len({form["refresh_token"] for form in renewals}) == (len(renewals) if rotates else 1)
            assert all(form["resource"] == servers.url for form in renewals)
            assert len(world.browser.pages) == 1


async def test_a_token_that_the_server_takes_no_more_is_renewed_once_then_asked_for(tmp_path: Path) -> None:
    async with signing(tmp_path) as world:
        await world.sign_in()
        intent = await world.host.intent("look", {})
        world.servers.tokens.clear()
        assert (await world.host.gateway.call(intent, deadline_seconds=30)).text == "did look"
        world.servers.behaviour.refreshes = False
        world.servers.tokens.clear()
        with pytest.raises(ToolError):
            await world.host.gateway.call(intent, deadline_seconds=30)
        status = await world.settled(ServerState.NEEDS_SIGN_IN)
        assert code_of(status) == "sign_in_over"
        assert len(world.browser.pages) == 1
        world.servers.behaviour.refreshes = True
        assert (await world.sign_in()).state is ServerState.READY


async def test_a_call_that_needs_more_rights_asks_for_them_together_with_those_given(tmp_path: Path) -> None:
    async with oauth_world() as servers:
        servers.behaviour = Behaviour(scopes_for_change="write")
        async with signing(tmp_path, servers=servers) as world:
            await world.sign_in()
            intent = await world.host.intent("change", {})
            with pytest.raises(ToolError):
                await world.host.gateway.call(intent, deadline_seconds=30)
            status = await world.settled(ServerState.NEEDS_SIGN_IN)
            assert status.remarks[0].code == "sign_in_more_rights"
            assert status.remarks[0].detail == "write"
            # Who does not want to give them goes on with what there is.
            world.host.gateway.restart("remote")
            await world.settled(ServerState.READY)
            assert (await world.host.call("look")).text == "did look"
            with pytest.raises(ToolError):
                await world.host.call("change")
            assert (await world.sign_in()).state is ServerState.READY
            assert servers.scopes_asked == ["read", "read write"]
            assert (await world.host.call("change")).text == "did change"


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
async def test_a_sign_in_server_that_wants_a_secret_gets_it_its_way(tmp_path: Path, method: str) -> None:
    async with oauth_world() as servers:
        servers.behaviour = Behaviour(methods=(method,), expires_in=1)
        async with signing(tmp_path, servers=servers) as world:
            assert (await world.sign_in()).state is ServerState.READY
            assert (await world.host.call("look")).text == "did look"
            assert set(servers.secrets) <= set(world.hidden)


async def test_the_older_way_over_http_signs_in_too(tmp_path: Path) -> None:
    async with oauth_world() as servers:
        servers.behaviour = Behaviour(is_sse=True)
        async with signing(tmp_path, servers=servers, way=Transport.SSE) as world:
            assert (await world.sign_in()).state is ServerState.READY
            assert (await world.host.call("look")).text == "did look"


async def test_an_entered_client_is_used_instead_of_a_registration(tmp_path: Path) -> None:
    port = free_port()
    async with oauth_world() as servers:
        servers.behaviour = Behaviour(registers=False, methods=("client_secret_post",))
        address = f"http://127.0.0.1:{port}/callback"
        known = {"client_id": "mine", "client_secret": "entered-secret", "redirect_uris": [address]}
        servers.clients["mine"] = {**known, "token_endpoint_auth_method": "client_secret_post"}
        client = OAuthClient(client_id="mine", client_secret="entered-secret", port=port)
        assert "entered-secret" not in repr(client)
        async with signing(tmp_path, servers=servers, client=client) as world:
            assert (await world.sign_in()).state is ServerState.READY
            assert servers.count("auth", "POST /register") == 0
        async with signing(
            tmp_path / "other", servers=servers, client=OAuthClient(client_id="mine", port=port)
        ) as world:
            assert code_of(await world.sign_in()) == "sign_in_bad_client"


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (Behaviour(registers=False), "sign_in_no_registration"),
        (Behaviour(answers_with={"code": None, "error": "access_denied"}), "sign_in_refused"),
        (Behaviour(answers_with={"state": None}), "sign_in_foreign_answer"),
        (Behaviour(answers_with={"state": "another"}), "sign_in_foreign_answer"),
        (Behaviour(answers_with={"code": None}), "sign_in_refused"),
        (Behaviour(issuer_in_answer="https://evil.example"), "sign_in_wrong_issuer"),
        (Behaviour(answers_with={"iss": None}), "sign_in_wrong_issuer"),
        (Behaviour(issuer="https://bank.example"), "sign_in_wrong_issuer"),
        (Behaviour(resource="https://other.example/mcp"), "sign_in_other_server"),
        (Behaviour(metadata={"authorization_endpoint": "javascript:alert(1)"}), "sign_in_bad_address"),
        (Behaviour(metadata={"authorization_endpoint": "file:///etc/passwd"}), "sign_in_bad_address"),
        (Behaviour(metadata={"authorization_endpoint": "--flag"}), "sign_in_bad_address"),
        (Behaviour(metadata={"authorization_endpoint": "http://login.example/authorize"}), "sign_in_bad_address"),
        (Behaviour(metadata={"authorization_endpoint": "https://good.example@evil.example/"}), "sign_in_bad_address"),
        (Behaviour(metadata={"token_endpoint": "http://login.example/token"}), "sign_in_bad_address"),
        (Behaviour(metadata={"code_challenge_methods_supported": ["plain"]}), "sign_in_unsafe"),
        (Behaviour(issuer_named="https://nowhere.invalid"), "sign_in_unreachable"),
        (Behaviour(issuer_named="https://169.254.169.254"), "sign_in_inside"),
        (Behaviour(prm_url="http://metadata.example/latest"), "sign_in_bad_address"),
        (Behaviour(has_metadata=False), "sign_in_unsupported"),
        (Behaviour(token_redirects_to="https://evil.invalid/token"), "sign_in_failed"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_each_way_to_fail_has_its_words(tmp_path: Path, behaviour: Behaviour, code: str) -> None:
    async with oauth_world() as servers:
        servers.behaviour = behaviour
        async with signing(tmp_path, servers=servers) as world:
            status = await world.sign_in()
            assert (status.state, code_of(status)) == (ServerState.NEEDS_SIGN_IN, code), status.text
            assert set(servers.seen_tokens) == {""}
            servers.behaviour = Behaviour()
            world.host.gateway.restart("remote")  # the server is asked again where one signs in
            assert (await world.sign_in()).state is ServerState.READY


async def test_the_user_can_say_no_or_stop_waiting(tmp_path: Path) -> None:
    async with signing(tmp_path, browser=Browser("refuses")) as world:
        assert code_of(await world.sign_in()) == "sign_in_cancelled"
        for does in ("ponders", "wanders"):
            world.browser.does = does
            world.browser.pages.clear()
            world.host.gateway.sign_in("remote")
            await until(lambda: len(world.browser.pages) == 1)
            world.host.gateway.cancel_sign_in("remote")
            assert code_of(await world.settled(ServerState.NEEDS_SIGN_IN)) == "sign_in_cancelled"
        assert world.browser.closed == 1


async def test_whoever_copies_the_address_is_signed_in_and_the_question_closes(tmp_path: Path) -> None:
    async with signing(tmp_path, browser=Browser("copies")) as world:
        assert (await world.sign_in()).state is ServerState.READY
        assert world.browser.closed == 1


async def test_nobody_is_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.mcp_client.callback.LISTEN_SECONDS", 0.5)
    async with signing(tmp_path, browser=Browser("ponders")) as world:
        assert code_of(await world.sign_in()) == "sign_in_timed_out"


async def test_the_app_can_be_closed_during_a_sign_in(tmp_path: Path) -> None:
    async with signing(tmp_path, browser=Browser("wanders")) as world:
        await world.settled(ServerState.NEEDS_SIGN_IN)
        world.host.gateway.sign_in("remote")
        await until(lambda: len(world.browser.pages) == 1)
    assert world.status.state is ServerState.STOPPED


async def test_a_registration_is_made_for_each_sign_in_and_bound_to_its_port(tmp_path: Path) -> None:
    async with signing(tmp_path, browser=Browser("refuses")) as world:
        await world.sign_in()
        world.browser.does = "agrees"
        assert (await world.sign_in()).state is ServerState.READY
        addresses = {address for client in world.servers.clients.values() for address in client["redirect_uris"]}
        assert len(addresses) == len(world.servers.clients) == 2
        assert all(address.startswith("http://127.0.0.1:") for address in addresses)


async def test_a_token_goes_to_no_other_host(tmp_path: Path) -> None:
    async with oauth_world() as thief, oauth_world() as servers, signing(tmp_path, servers=servers) as world:
        await world.sign_in()
        intent = await world.host.intent("look", {})
        servers.behaviour.mcp_redirects_to = thief.url
        with pytest.raises(ToolError):
            await world.host.gateway.call(intent, deadline_seconds=30)
        await world.settled(ServerState.FAILED, ServerState.RESTARTING)
    assert thief.requests == []


async def test_a_sign_in_for_another_address_is_forgotten_not_used(tmp_path: Path) -> None:
    secrets = InMemorySecrets()
    async with oauth_world() as first, oauth_world() as second:
        async with signing(tmp_path, servers=first, secrets=secrets) as world:
            await world.sign_in()
        async with signing(tmp_path, servers=second, secrets=secrets) as world:
            await world.settled(ServerState.NEEDS_SIGN_IN)
            assert set(second.seen_tokens) == {""}
            assert second.count("auth", "POST /token") == 0
    assert not any("access-" in value for value in secrets._secrets.values())


async def test_a_sign_in_that_the_keychain_withholds_is_not_asked_for_anew(tmp_path: Path) -> None:
    async with oauth_world() as servers:
        secrets = InMemorySecrets()
        async with signing(tmp_path, servers=servers, secrets=secrets) as world:
            await world.sign_in()
        locked = InMemorySecrets()
        locked.set_status(KeychainState.LOCKED)
        async with signing(tmp_path, servers=servers, secrets=locked) as world:
            status = await world.settled(ServerState.NEEDS_SECRET)
            assert code_of(status) == "secret_locked"


async def test_other_requests_to_the_listener_are_turned_away(tmp_path: Path) -> None:
    async with signing(tmp_path, browser=Browser("wanders")) as world:
        await world.settled(ServerState.NEEDS_SIGN_IN)
        world.host.gateway.sign_in("remote")
        await until(lambda: len(world.browser.pages) == 1)
        address = next(iter(world.servers.clients.values()))["redirect_uris"][0]
        base = address.removesuffix("/callback")
        assert (await get(f"{base}/favicon.ico"))[0] == 404
        assert (await get(f"{address}?state=x&code=y", Host="evil.example"))[0] == 404
        assert (await get(address))[0] == 400
        assert world.status.state is ServerState.SIGNING_IN
        await asyncio.sleep(0)
        await world.browser.follow(world.browser.pages[0].url)
        assert (await world.settled(ServerState.READY)).signed_in_at


async def test_a_server_with_a_key_of_its_own_gets_that_and_nothing_else(tmp_path: Path) -> None:
    async with signing(tmp_path, headers={"Authorization": "Bearer wrong"}) as world:
        await world.settled(ServerState.NEEDS_SIGN_IN)
        assert set(world.servers.seen_tokens) == {"wrong"}
