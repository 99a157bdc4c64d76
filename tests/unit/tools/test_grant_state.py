"""Whether a standing permission has any effect now; never more hopeful than the policy itself."""

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from desktop.core.digests import canonical_json
from desktop.tools import policy
from desktop.tools.entities import CallIntent, Grant, GrantScope, ToolDescriptor
from desktop.tools.grant_state import GrantState, grant_state
from tests.support.scripted_gateway import shell_tool, tool

NOW = datetime(2026, 5, 1, tzinfo=UTC)
FOLDER = "/home/me/work"
SHELL, READ = shell_tool(), tool("read")


def intent(of: ToolDescriptor, folder: str = FOLDER) -> CallIntent:
    return CallIntent(
        call_id="c",
        thread_id="t",
        turn_id="u",
        tool=of,
        arguments_json=canonical_json({"command": "ls"}),
        folder=folder if of.is_shell else "",
    )


def grant(of: ToolDescriptor, **changes: object) -> Grant:
    exact = intent(of)
    given = Grant(
        id="g",
        scope=GrantScope.ALWAYS,
        thread_id=None,
        server_id=of.server_id,
        tool_name=of.name,
        definition_hash=of.definition_hash,
        digest=exact.digest,
        summary="ls",
        folder=exact.folder,
        created_at=NOW - timedelta(days=3),
    )
    return dataclasses.replace(given, **changes)


def state(given: Grant, *tools: ToolDescriptor, configured: bool = True, workspace: str = FOLDER) -> GrantState:
    return grant_state(given, is_configured=configured, tools=tools, workspace=workspace, now=NOW)


@pytest.mark.parametrize("of", [SHELL, READ])
def test_a_grant_that_has_effect(of: ToolDescriptor) -> None:
    assert state(grant(of), SHELL, READ) is GrantState.ACTIVE
    assert policy.covers(grant(of), intent(of), NOW)


@pytest.mark.parametrize(
    ("given", "tools", "configured", "expected"),
    [
        (grant(READ, created_at=NOW - timedelta(days=31)), (READ,), True, GrantState.EXPIRED),
        (grant(READ), (), False, GrantState.SERVER_GONE),
        (grant(READ), (), True, GrantState.SERVER_OFF),
        (grant(READ), (SHELL,), True, GrantState.TOOL_GONE),
        (grant(READ), (tool("read", description="now something else"),), True, GrantState.TOOL_CHANGED),
        (grant(SHELL, folder="/elsewhere"), (SHELL,), True, GrantState.OTHER_FOLDER),
    ],
)
def test_a_grant_without_effect(
    given: Grant, tools: tuple[ToolDescriptor, ...], configured: bool, expected: GrantState
) -> None:
    assert state(given, *tools, configured=configured) is expected


def test_a_used_grant_lives_on_and_an_old_one_without_a_folder_is_given_the_benefit_of_the_doubt() -> None:
    used = grant(READ, created_at=NOW - timedelta(days=90), last_used_at=NOW - timedelta(days=2))
    assert state(used, READ) is GrantState.ACTIVE
    assert state(grant(SHELL, folder=""), SHELL) is GrantState.ACTIVE
