"""Standing permissions through the second front end: they let exactly their call run, are listed, and can be revoked."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from desktop.core.clock import utc_now
from desktop.core.ids import new_id
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from desktop.tools.entities import Grant, GrantScope
from tests.support.endpoint import LoopbackEndpoint, call, text
from tests.support.shell_app import ShellApp

COMMAND = "command__execute_command_local"
LINE = "echo granted | tee seen"
"""It writes a file: no sandbox lets that run unasked."""
REFUSED = "User denied command execution."


@pytest.fixture
def app(tmp_path: Path) -> ShellApp:
    return ShellApp(tmp_path / "data", HOME=str(tmp_path))


def _ask(app: ShellApp, arguments: dict[str, Any], *options: str) -> str:
    """Have the model make this call, nobody there to allow it; return the result."""
    (result,) = _ask_for_all(app, [arguments], *options)
    return result


def _ask_for_all(app: ShellApp, calls: list[dict[str, Any]], *options: str) -> list[str]:
    """Have the model make these calls, one after the other; return their results."""
    script = [[call(COMMAND, arguments)] for arguments in calls]
    with LoopbackEndpoint([*script, [text("done")]]) as endpoint:
        where = ["--base-url", endpoint.base_url, "--model", "m"]
        done = app.run("ask", "go", "--json", *where, *options)
    assert done.status == 0, done.err
    return [result["text"] for result in done.of_kind("tool_result")]


def _allow(app: ShellApp, scope: GrantScope, *, definition: str = "") -> Grant:
    """Store what a person would have granted in the window for the journal's only call."""

    async def allow() -> Grant:
        store = await open_store(DataPaths(app.data_dir))
        try:
            query = (
                "SELECT c.digest, t.id FROM tool_calls c JOIN threads t ON t.seq = c.thread_seq ORDER BY c.seq LIMIT 1"
            )
            digest, thread_id = await store.database.read(lambda connection: connection.execute(query).fetchone())
            grant = Grant(
                id=new_id(),
                scope=scope,
                thread_id=thread_id if scope is GrantScope.THREAD else None,
                server_id="command",
                tool_name="execute_command_local",
                definition_hash=definition or await _definition_hash(),
                digest=digest,
                summary=LINE,
                created_at=utc_now(),
            )
            await store.grants.add(grant)
            return grant
        finally:
            await store.close()

    return asyncio.run(allow())


async def _definition_hash() -> str:
    from fastmcp import Client

    from desktop.mcp_client.bundled import bundled_command_server
    from desktop.mcp_client.listing import describe_all
    from desktop.servers.command import create_server

    server, _ = create_server(Path())
    async with Client(server) as client:
        listed = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in await client.list_tools()]
    described = describe_all(bundled_command_server(Path()), listed)
    return next(tool.definition_hash for tool in described if tool.is_shell)


def test_an_always_grant_covers_exactly_its_command_until_it_is_revoked(app: ShellApp) -> None:
    command = {"command": LINE}
    assert _ask(app, command) == REFUSED
    grant = _allow(app, GrantScope.ALWAYS)
    # What the model says of asking, and the standard time limit written out, change nothing of what runs.
    same = [command, {**command, "is_need_user_check": True, "timeout": "10"}]
    lines = (f"{LINE} ", "echo  granted | tee seen", f"{LINE}\n", f"{LINE}; id", "ECHO granted | tee seen")
    others = [{**command, "timeout": 11}, *({"command": line} for line in lines)]
    results = _ask_for_all(app, [*same, *others])
    assert [result.endswith("granted") for result in results] == [True, True] + [False] * len(others)
    assert set(results[len(same) :]) == {REFUSED}
    (listed,) = app.run("grants", "list", "--json").lines
    assert (listed["id"], listed["scope"], listed["use_count"]) == (grant.id, "always", 2)
    assert LINE in app.run("grants", "list").out
    assert app.run("grants", "revoke", "no such id").status == 1
    assert app.run("grants", "revoke", grant.id).status == 0
    assert app.run("grants", "list", "--json").lines == []
    assert _ask(app, command) == REFUSED


def test_a_grant_for_a_thread_is_no_grant_elsewhere_and_goes_with_it(app: ShellApp) -> None:
    command = {"command": LINE}
    assert _ask(app, command) == REFUSED
    (thread,) = app.threads()
    _allow(app, GrantScope.THREAD)
    assert _ask(app, command, "--thread", thread["id"]).endswith("granted")
    assert _ask(app, command) == REFUSED
    app.run("threads", "purge", thread["id"])
    assert app.run("grants", "list", "--json").lines == []


def test_a_grant_for_another_definition_of_the_tool_is_none(app: ShellApp) -> None:
    command = {"command": LINE}
    assert _ask(app, command) == REFUSED
    _allow(app, GrantScope.ALWAYS, definition="0" * 64)
    assert _ask(app, command) == REFUSED
