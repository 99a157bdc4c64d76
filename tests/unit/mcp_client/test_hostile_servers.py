"""What servers may do wrong, one real process each, and what the host makes of it."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.core.error_details import OF_TOOLS
from desktop.core.errors import ToolError
from desktop.core.tool_content import ItemKind
from desktop.mcp_client.results import MOST_ITEMS
from desktop.mcp_client.tool_list import MAX_TOOLS
from desktop.tools.entities import ServerConfig, ServerState, Transport
from tests.support.mcp_world import hostile, mcp_world
from tests.support.waiting import until

SERVER_FAILED = "desktop.mcp_client.server_session: MCP server bad"


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def _marked_processes(mark_holder: int) -> set[int]:
    """Return the living processes that carry the same tree mark as ``mark_holder``."""
    environ = Path(f"/proc/{mark_holder}/environ").read_bytes().split(b"\0")
    mark = next(entry for entry in environ if entry.startswith(b"THREADWELL_TREE_"))
    found: set[int] = set()
    for name in os.listdir("/proc"):
        if name.isdigit() and _alive(int(name)):
            try:
                if mark in Path(f"/proc/{name}/environ").read_bytes():
                    found.add(int(name))
            except OSError:
                continue
    return found


@pytest.mark.expected_log(SERVER_FAILED)
async def test_death_in_a_call_is_reported_at_once_and_the_server_comes_back() -> None:
    async with mcp_world([hostile()]) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("die")
        assert caught.value.code == "tool.server_gone"
        assert "exit code 3" in str(caught.value.params["detail"])
        assert "something terrible happened" in str(caught.value.params["detail"])
        await until(lambda: world.gateway.statuses()[0].state is ServerState.READY)
        assert await world.act("nothing") == "did act"


async def test_a_call_that_hangs_ends_at_its_deadline_and_is_cancelled_at_the_server() -> None:
    async with mcp_world([hostile()]) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("hang", deadline=0.3)
        assert caught.value.code == "tool.timeout"
        assert caught.value.params["seconds"] == "0.3"
        assert len(json.loads(await world.act("cancelled"))) == 1


async def test_cancelling_a_call_reaches_the_server() -> None:
    async with mcp_world([hostile()]) as world:
        intent = await world.intent("act", {"what": "hang"})
        call = world.tasks.spawn(world.gateway.call(intent, deadline_seconds=30), name="call")
        while not world.gateway._sessions["bad"].calls:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await world.act("nothing")  # by now the server has read the first one
        call.cancel()
        await asyncio.wait({call})
        assert call.cancelled()
        assert len(json.loads(await world.act("cancelled"))) == 1


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("invalid_utf8", "\ufffd\ufffd ok"),
        ("surrogate", "\ufffd ok"),
        ("huge_integer", "ok"),
        ("unknown_block", "[content of an unknown kind: hologram]\nok"),
        ("no_content", '{"answer": 42}'),
        ("list_content", "[1, 2]"),
        ("wrong_ids", "right"),
        ("flood", "after the flood"),
    ],
)
@pytest.mark.allowed_log("dispatcher")
async def test_odd_answers_are_still_understood(what: str, expected: str) -> None:
    async with mcp_world([hostile()]) as world:
        assert await world.act(what) == expected
        assert await world.act("nothing") == "did act"


async def test_an_unreadable_answer_fails_its_call_instead_of_hanging() -> None:
    async with mcp_world([hostile()]) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("deep_json")
        assert caught.value.code == "tool.failed"
        assert "cannot be read" in str(caught.value.params["detail"])
        assert await world.act("nothing") == "did act"


@pytest.mark.expected_log(SERVER_FAILED)
async def test_a_message_without_end_is_cut_off() -> None:
    async with mcp_world([hostile()]) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("long_line")
        assert caught.value.code == "tool.server_gone"
        assert "longer than 32 MB" in str(caught.value.params["detail"])


async def test_results_of_every_kind_become_text() -> None:
    async with mcp_world([hostile()]) as world:
        lines = (await world.act("image")).splitlines()
        assert lines == [
            "see",
            "[image 1: image/png, 3 kB]",
            "[link 1: a file, file:///etc/passwd; not opened]",
            "[resource memo://1]",
            "inside",
            "[file 1: memo://2, application/pdf, 3 bytes]",
        ]


async def test_a_bad_block_does_not_spoil_the_others() -> None:
    async with mcp_world([hostile()]) as world:
        outcome = await world.call("act", what="bad_blocks")
        assert outcome.is_error
        assert outcome.text.splitlines() == [
            "first",
            "[text that cannot be read]",
            "[image that cannot be read]",
            "[resource_link that cannot be read]",
            "[resource that cannot be read]",
            "[content of an unknown kind: None]",
            "last",
        ]
        assert [(one.item.kind, one.item.text) for one in outcome.received] == [(ItemKind.DATA, "[1]")]
        assert await world.act("text_content") == "only words"


async def test_a_flood_of_blocks_is_cut_off_with_a_word() -> None:
    async with mcp_world([hostile()]) as world:
        outcome = await world.call("act", what="many_blocks")
        assert len(outcome.received) == MOST_ITEMS
        assert outcome.text.splitlines()[-2:] == [
            "[1001 more blocks were left out]",
            "[1900 more blocks were left out: a result may have 100]",
        ]


async def test_a_huge_result_is_cut_with_a_mark() -> None:
    async with mcp_world([hostile()]) as world:
        outcome = await world.call("act", what="big")
        assert len(outcome.text) < 201_000
        assert "4800000 characters left out" in outcome.text
        (whole,) = outcome.received
        assert whole.item.kind is ItemKind.WHOLE
        assert whole.data == b"a" * 5_000_000


async def test_errors_of_tool_and_protocol_are_told_apart() -> None:
    async with mcp_world([hostile()]) as world:
        outcome = await world.call("act", what="tool_error")
        assert outcome.is_error
        assert outcome.text == "it went wrong"
        with pytest.raises(ToolError) as caught:
            await world.act("error")
        assert caught.value.code == "tool.failed"
        assert "no such thing" in str(caught.value.params["detail"])


@pytest.mark.expected_log("writes other things than messages")
async def test_junk_on_stdout_is_noted_and_ignored() -> None:
    async with mcp_world([hostile("junk")]) as world:
        assert await world.act("nothing") == "did act"
        assert "other things than messages" in world.gateway.statuses()[0].text


@pytest.mark.expected_log("was left out")
async def test_bad_tools_are_left_out_one_by_one() -> None:
    async with mcp_world([hostile("bad_tools")]) as world:
        tools = await world.gateway.tools()
        assert [tool.name for tool in tools] == ["act"]
        detail = world.gateway.statuses()[0].text
        for name in ("no_schema", "array_schema", "deep", "remote_ref", "ref_loop"):
            assert f"Left out: {name}" in detail
        reasons = {remark.reason for remark in world.gateway.statuses()[0].remarks}
        assert len(reasons) >= 6
        assert reasons <= set(OF_TOOLS)  # each can be translated
        assert await world.act("nothing") == "did act"


async def test_odd_tools_are_kept_under_usable_names() -> None:
    async with mcp_world([hostile("odd_tools")]) as world:
        tools = {tool.name: tool for tool in await world.gateway.tools()}
        assert set(tools) == {"act", "odd_annotations", "../../etc/pa\u202esswd", "x" * 300, "天气", "act__x"}
        assert tools["act"].description == "does something"  # of two with one name the first counts
        assert world.gateway.statuses()[0].tool_count == len(tools)
        aliases = [tool.alias for tool in tools.values()]
        assert len(set(aliases)) == len(aliases)
        for name in aliases:
            assert len(name) <= 64
            assert name.startswith("bad__")
            assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
        assert len(tools["x" * 300].description) < 5_000
        outcome = await world.gateway.call(await world.intent("天气", {}), deadline_seconds=30)
        assert outcome.text == "did 天气"


async def test_a_flood_of_tools_is_capped() -> None:
    async with mcp_world([hostile("many_tools")]) as world:
        assert len(await world.gateway.tools()) == MAX_TOOLS
        assert str(MAX_TOOLS) in world.gateway.statuses()[0].text


@pytest.mark.expected_log("was left out")
async def test_a_list_that_is_too_large_is_cut_and_says_so() -> None:
    async with mcp_world([hostile("large_list")]) as world:
        assert len(await world.gateway.tools()) == 10  # of 200 kB each
        assert "longer than 2 MB" in world.gateway.statuses()[0].text


async def test_a_list_without_end_is_read_within_bounds() -> None:
    async with mcp_world([hostile("endless_pages")]) as world:
        assert 0 < len(await world.gateway.tools()) <= MAX_TOOLS


@pytest.mark.expected_log(SERVER_FAILED)
@pytest.mark.allowed_log("cannot be read", "dispatcher")
async def test_an_unreadable_list_fails_the_server_clearly() -> None:
    async with mcp_world([hostile("unreadable_list")]) as world:
        assert await world.gateway.tools() == ()
        status = world.gateway.statuses()[0]
        assert status.state is ServerState.FAILED
        assert "cannot be read" in status.text


async def test_a_storm_of_list_changes_is_taken_once() -> None:
    async with mcp_world([hostile()]) as world:
        counts: list[int] = []
        record: Callable[[object], None] = lambda status: counts.append(status.tool_count)  # type: ignore[attr-defined]  # noqa: E731
        world.gateway.status_changed.connect(record)
        before = await world.tool("act")
        await world.act("change_tools")
        await until(lambda: 2 in counts)
        assert len(counts) <= 3
        assert {tool.name for tool in await world.gateway.tools()} == {"act", "new"}
        assert (await world.tool("act")).definition_hash == before.definition_hash


@pytest.mark.expected_log(SERVER_FAILED)
async def test_a_server_that_dies_at_its_start_fails_with_its_last_words() -> None:
    async with mcp_world([hostile("traceback")]) as world:
        assert await world.gateway.tools() == ()
        status = world.gateway.statuses()[0]
        assert status.state is ServerState.FAILED
        assert "exit code 3" in status.text
        assert "no module named rubbish" in status.text
        assert len(status.text) < 3_000


@pytest.mark.expected_log(SERVER_FAILED)
async def test_a_program_that_does_not_exist_fails_at_once() -> None:
    missing = ServerConfig(id="bad", transport=Transport.STDIO, command="no-such-program-anywhere")
    async with mcp_world([missing]) as world:
        assert await world.gateway.tools() == ()
        assert world.gateway.statuses()[0].state is ServerState.FAILED
        assert "no-such-program-anywhere" in world.gateway.statuses()[0].text


async def test_a_slow_server_does_not_hold_up_the_others_tools() -> None:
    configs = [hostile("mute", server_id="slow"), hostile(server_id="good")]
    async with mcp_world(configs) as world:
        await until(lambda: world.gateway.statuses()[1].state is ServerState.READY)
        world.gateway._settle_seconds = 0.0
        assert [tool.server_id for tool in await world.gateway.tools()] == ["good"]
        assert world.gateway.statuses()[0].state is ServerState.STARTING


@pytest.mark.expected_log(SERVER_FAILED)
@pytest.mark.parametrize("behaviour", ["mute", "mute_list"])
async def test_a_server_that_never_answers_is_given_up(behaviour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.mcp_client.tool_list.LIST_SECONDS", 0.5)
    async with mcp_world([hostile(behaviour)], init_timeout_seconds=0.5 if behaviour == "mute" else 20.0) as world:
        assert await world.gateway.tools() == ()
        assert world.gateway.statuses()[0].state is ServerState.FAILED
        assert "did not answer in time" in world.gateway.statuses()[0].text


@pytest.mark.expected_log(SERVER_FAILED)
async def test_a_server_of_another_era_is_tried_again_in_that_era() -> None:
    async with mcp_world([hostile("modern_only")]) as world:
        await world.gateway.tools()
        session = world.gateway._sessions["bad"]
        assert session._mode == "auto"
        assert session.status.state is ServerState.FAILED


async def test_closing_ends_a_server_that_ignores_everything_and_its_runaway_grandchild() -> None:
    async with mcp_world([hostile("ignore_sigterm", "ignore_eof", "grandchild")]) as world:
        pid = int(await world.act("pid"))
        await until(lambda: len(_marked_processes(pid)) >= 3)
        family = _marked_processes(pid)
        await world.gateway.close()
        assert not [process for process in family if _alive(process)]


@pytest.mark.expected_log(SERVER_FAILED)
async def test_what_a_dead_server_left_running_is_ended() -> None:
    async with mcp_world([hostile("grandchild")]) as world:
        pid = int(await world.act("pid"))
        await until(lambda: len(_marked_processes(pid)) >= 3)
        family = _marked_processes(pid)
        with pytest.raises(ToolError):
            await world.act("die")
        await until(lambda: not any(_alive(process) for process in family))


async def test_stderr_of_any_length_is_kept_within_bounds() -> None:
    async with mcp_world([hostile("stderr_flood")]) as world:
        await world.act("nothing")
        child = world.gateway._sessions["bad"]._child
        assert child is not None
        await until(lambda: child.stderr_tail(100).endswith("the last words"))
        assert len(child._stderr) <= 2 * 256 * 2**10


async def test_nothing_of_our_environment_reaches_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "sk-sentinel")
    async with mcp_world([hostile()]) as world:
        environment = json.loads(await world.act("env"))
        assert "sk-sentinel" not in environment.values()
        assert environment["PYTHONUTF8"] == "1"
        assert environment["PATH"] == os.environ["PATH"]


async def test_a_server_is_offered_no_conversation_and_no_folders() -> None:
    async with mcp_world([hostile()]) as world:
        sample, roots, client = json.loads(await world.act("sample"))
        assert set(client["capabilities"]) == {"elicitation"}
        for refused in (sample, roots):
            assert isinstance(refused["code"], int)
            assert "content" not in refused


async def test_many_calls_at_once_all_come_back() -> None:
    async with mcp_world([hostile()]) as world:
        outcomes = await asyncio.gather(*(world.call("act", what=f"n{number}") for number in range(50)))
        assert {outcome.text for outcome in outcomes} == {"did act"}


async def test_starting_and_stopping_leaves_nothing(long_run: bool) -> None:
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(30 if long_run else 3):
        async with mcp_world([hostile(), hostile(server_id="other")]) as world:
            assert len(await world.gateway.tools()) == 2
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 8
