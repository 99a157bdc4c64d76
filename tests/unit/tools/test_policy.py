"""Who may run unasked."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.clock import utc_now
from desktop.tools.entities import CallIntent, Grant, GrantScope, ToolDescriptor, Verdict
from desktop.tools.policy import HARMLESS_BUNDLED_TOOLS, Circumstances, Decision, covers
from desktop.tools.policy import decide as decide_in
from tests.support.scripted_gateway import shell_tool, tool

NOW = utc_now()
JSON = st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.lists(st.booleans(), max_size=2)


def intent_of(descriptor: ToolDescriptor, arguments: str = "{}", **changes: str) -> CallIntent:
    fields = {"call_id": "c", "thread_id": "t", "turn_id": "u", **changes}
    return CallIntent(tool=descriptor, arguments_json=arguments, **fields)


def decide(of: ToolDescriptor, arguments: dict[str, Any], grant: Grant | None, *, must_ask: bool = False) -> Decision:
    return decide_in(of, arguments, grant, Circumstances(must_ask=must_ask))


def grant_of(intent: CallIntent, scope: GrantScope = GrantScope.ALWAYS, *, exact: bool = True) -> Grant:
    return Grant(
        id="g",
        scope=scope,
        thread_id=intent.thread_id if scope is GrantScope.THREAD else None,
        server_id=intent.tool.server_id,
        tool_name=intent.tool.name,
        definition_hash=intent.tool.definition_hash,
        digest=intent.digest if exact else None,
        summary="",
        created_at=NOW,
    )


@pytest.mark.parametrize("name", sorted(HARMLESS_BUNDLED_TOOLS))
def test_harmless_names_count_only_for_tools_that_come_with_the_app(name: str) -> None:
    assert decide(tool(name, bundled=True), {}, None).verdict is Verdict.ALLOW
    assert decide(tool(name, bundled=False), {}, None).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "descriptor",
    [
        shell_tool(),
        tool("execute_command_local"),
        tool("read_file", annotations={"readOnlyHint": True, "destructiveHint": False}),
        tool("something_new", bundled=True),
        tool("GET_DATE", bundled=True),
    ],
    ids=lambda d: d.name,
)
def test_everything_else_asks(descriptor: ToolDescriptor) -> None:
    assert decide(descriptor, {}, None).verdict is Verdict.ASK


@given(st.dictionaries(st.sampled_from(["is_need_user_check", "command", "x"]), JSON))
def test_nothing_the_model_says_lowers_the_verdict(arguments: dict[str, object]) -> None:
    assert decide(shell_tool(), arguments, None).verdict is Verdict.ASK
    assert decide(tool("read_file"), arguments, None).verdict is Verdict.ASK


@pytest.mark.parametrize("value", [True, "true", "false", 0, None, 1, [], "no"])
def test_the_model_may_demand_a_question(value: object) -> None:
    arguments = {"is_need_user_check": value}
    harmless, other = tool("get_date", bundled=True), tool("read_file")
    assert decide(harmless, arguments, None).verdict is Verdict.ASK
    whole_tool = grant_of(intent_of(other), GrantScope.THREAD, exact=False)
    assert decide(other, arguments, whole_tool).verdict is Verdict.ASK
    assert decide(other, arguments, grant_of(intent_of(other))).verdict is Verdict.ALLOW
    assert decide(other, {"is_need_user_check": False}, whole_tool).verdict is Verdict.ALLOW


def test_a_call_that_must_ask_asks_in_every_case() -> None:
    harmless, other = tool("get_date", bundled=True), tool("read_file")
    assert decide(harmless, {}, None, must_ask=True).verdict is Verdict.ASK
    assert decide(other, {}, grant_of(intent_of(other)), must_ask=True).verdict is Verdict.ASK
    assert (
        decide(other, {}, grant_of(intent_of(other), GrantScope.THREAD, exact=False), must_ask=True).verdict
        is Verdict.ASK
    )


def test_an_exact_grant_covers_exactly_its_call() -> None:
    intent = intent_of(shell_tool(), '{"command":"ls"}', folder="/w")
    grant = grant_of(intent)
    assert covers(grant, intent, NOW)
    assert covers(grant, replace(intent, call_id="d", turn_id="v", thread_id="other"), NOW)
    for other in (
        replace(intent, arguments_json='{"command":"ls "}'),
        replace(intent, folder="/other"),
        replace(intent, sandbox="bwrap"),
        replace(intent, tool=replace(intent.tool, definition_hash="changed")),
        replace(intent, tool=replace(intent.tool, server_id="evil")),
        replace(intent, tool=replace(intent.tool, name="other")),
    ):
        assert not covers(grant, other, NOW)


def test_a_grant_for_a_thread_ends_with_the_thread() -> None:
    intent = intent_of(tool("read_file"))
    for exact in (True, False):
        grant = grant_of(intent, GrantScope.THREAD, exact=exact)
        assert covers(grant, intent, NOW)
        assert not covers(grant, replace(intent, thread_id="other"), NOW)
    whole_tool = grant_of(intent, GrantScope.THREAD, exact=False)
    assert covers(whole_tool, replace(intent, arguments_json='{"path":"x"}'), NOW)


def test_no_grant_covers_every_command_or_every_call_for_ever() -> None:
    shell = intent_of(shell_tool(), '{"command":"ls"}')
    assert not covers(grant_of(shell, GrantScope.THREAD, exact=False), shell, NOW)
    other = intent_of(tool("read_file"))
    assert not covers(grant_of(other, GrantScope.ALWAYS, exact=False), other, NOW)


def test_a_grant_fades_after_thirty_days_without_use() -> None:
    intent = intent_of(tool("read_file"))
    grant = grant_of(intent)
    assert covers(grant, intent, NOW + timedelta(days=30))
    assert not covers(grant, intent, NOW + timedelta(days=30, seconds=1))
    used = replace(grant, last_used_at=NOW + timedelta(days=20))
    assert covers(used, intent, NOW + timedelta(days=50))
