"""Signing out, and removing a server: the sign-in server is told, nobody waits for that, and it is said where it fails."""

import dataclasses
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop.core.errors import SettingsError, ToolError
from desktop.core.settings import Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.sign_in_record import SignIn, SignIns
from desktop.mcp_client.sign_outs import SignOuts
from desktop.tools.entities import ServerState, ServerStatus
from desktop.tools.server_inputs import secret_name
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.sign_in import sign_in_name
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.oauth_world import Behaviour, Browser, OAuthWorld, oauth_world
from tests.support.waiting import until

pytestmark = [
    pytest.mark.expected_log("MCP server remote"),
    pytest.mark.allowed_log("Session termination failed"),
]


@dataclass
class SignedIn:
    host: McpWorld
    servers: OAuthWorld
    settings: SettingsStore
    secrets: ServerSecrets
    store: InMemorySecrets
    problems: list[SettingsError] = field(default_factory=list[SettingsError])

    def hear(self, problem: SettingsError) -> None:
        self.problems.append(problem)

    @property
    def status(self) -> ServerStatus:
        return self.host.gateway.statuses()[0]


@asynccontextmanager
async def signed_in(
    folder: Path, behaviour: Behaviour | None = None, *, patience_seconds: float = 15.0
) -> AsyncGenerator[SignedIn, None]:
    """A host that is signed in at its one server."""
    tasks, store = TaskSupervisor(), InMemorySecrets()
    settings = SettingsStore(folder / "settings.json")
    secrets = ServerSecrets(settings, store, tasks)
    sign_outs = SignOuts(tasks, patience_seconds=patience_seconds)
    secrets.signed_out.connect(sign_outs.tell)
    async with oauth_world() as servers:
        servers.behaviour = behaviour or Behaviour()
        settings.update(Settings(mcp_servers={"remote": {"url": servers.url}}))
        sign_ins = SignIns(secrets, store)
        async with mcp_world([servers.config()], sign_ins=sign_ins, pages=Browser()) as host:
            world = SignedIn(host, servers, settings, secrets, store)
            sign_outs.failed.connect(world.hear)
            await until(lambda: world.status.state is ServerState.NEEDS_SIGN_IN)
            host.gateway.sign_in("remote")
            await until(lambda: world.status.state is ServerState.READY)
            yield world
        await tasks.close()


@pytest.mark.parametrize("methods", [("none",), ("client_secret_basic",), ("client_secret_post",)], ids=lambda m: m[0])
async def test_the_sign_in_server_is_told_with_both_tokens(tmp_path: Path, methods: tuple[str, ...]) -> None:
    async with signed_in(tmp_path, Behaviour(methods=methods)) as world:
        world.host.gateway.sign_out("remote")
        await until(lambda: world.servers.revoked == ["refresh_token", "access_token"])
        await until(lambda: world.status.state is ServerState.NEEDS_SIGN_IN)
        assert world.servers.tokens == world.servers.refresh_tokens == {}
        assert world.problems == []


async def test_one_that_revokes_only_what_renews_is_enough(tmp_path: Path) -> None:
    async with signed_in(tmp_path) as world:
        kept = SignIn.from_text(str(await world.store.get(secret_name(sign_in_name("remote")))))
        assert kept is not None
        world.servers.behaviour.revokes_access = False
        world.host.gateway.sign_out("remote")
        await until(lambda: world.servers.revoked == ["refresh_token", "access_token"])
        await until(lambda: world.status.state is ServerState.NEEDS_SIGN_IN)
        assert kept.refresh_token not in world.servers.refresh_tokens
        assert world.problems == []


@pytest.mark.parametrize("answer", ["never", "503 Service Unavailable", "302 Found", "gone"])
async def test_what_failed_is_said_and_nobody_waits_for_it(tmp_path: Path, answer: str) -> None:
    async with signed_in(tmp_path, patience_seconds=1.0 if answer == "never" else 15.0) as world:
        world.servers.behaviour.revokes = "200 OK" if answer == "gone" else answer
        if answer == "gone":
            text = str(await world.store.get(secret_name(sign_in_name("remote"))))
            kept = SignIn.from_text(text)
            assert kept is not None
            away = dataclasses.replace(kept, revocation_endpoint="https://sign-in.invalid/revoke")
            await world.store.set(secret_name(sign_in_name("remote")), away.as_text())
        world.host.gateway.sign_out("remote")
        await until(lambda: world.status.state is ServerState.NEEDS_SIGN_IN)
        assert await world.store.get(secret_name(sign_in_name("remote"))) is None
        await until(lambda: world.problems)
        assert [problem.code for problem in world.problems] == ["settings.sign_out_untold"]
        assert str(world.problems[0].params["host"]).startswith("127.0.0.1:")


async def test_one_that_cannot_be_told_is_left_in_peace(tmp_path: Path) -> None:
    async with signed_in(tmp_path, Behaviour(revokes="")) as world:
        world.host.gateway.sign_out("remote")
        await until(lambda: world.status.state is ServerState.NEEDS_SIGN_IN)
        assert world.servers.count("auth", "POST /revoke") == 0
        assert world.problems == []


async def test_a_removed_server_is_signed_out_when_it_cannot_come_back_any_more(tmp_path: Path) -> None:
    async with signed_in(tmp_path) as world:
        held = world.secrets.hold(world.settings.settings.mcp_servers["remote"], "remote")
        world.settings.update(dataclasses.replace(world.settings.settings, mcp_servers={}))
        world.host.gateway.reconfigure([])
        world.secrets.forget_unused()
        assert world.servers.revoked == []  # Undo brings it back signed in
        world.secrets.release(held)
        await until(lambda: world.servers.revoked == ["refresh_token", "access_token"])


async def test_a_sign_in_that_its_server_ended_needs_no_word(tmp_path: Path) -> None:
    async with signed_in(tmp_path, Behaviour(expires_in=1)) as world:
        world.servers.behaviour.refreshes = False
        with pytest.raises(ToolError):
            await world.host.call("look")
        await until(lambda: world.status.state is ServerState.NEEDS_SIGN_IN)
        assert not world.secrets.is_known(sign_in_name("remote"))
        assert world.servers.revoked == []
        assert world.problems == []
