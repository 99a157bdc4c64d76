"""What is known of the start and the messages of real servers, also of those that never came up."""

import json
import os
import sys
from pathlib import Path

import pytest

from desktop.core.secrets import SecretStore
from desktop.mcp_client.launch import Launcher
from desktop.mcp_client.server_record import MOST_MESSAGES
from desktop.tools.entities import ServerConfig, ServerEntry, Transport
from desktop.tools.report_text import report_text
from desktop.tools.server_report import MessageKind, ServerReport, StartStep
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.mcp_world import McpWorld, hostile, mcp_world
from tests.support.pinned_world import CHANGING_SERVER, changing
from tests.support.waiting import until
from tests.support.web_servers import recipe_on_the_web

pytestmark = pytest.mark.timeout(60)

ALL_STEPS = [StartStep.PREPARE, StartStep.SPAWN, StartStep.LOAD, StartStep.HANDSHAKE, StartStep.LIST]
SENTINEL = "sentinel-51c2d9"


def steps(report: ServerReport) -> list[StartStep]:
    return [step.step for step in report.steps]


def report_of(world: McpWorld, server_id: str = "bad") -> ServerReport:
    report = world.gateway.report(server_id)
    assert report is not None
    return report


async def test_a_start_is_told_step_by_step_and_each_message_of_it() -> None:
    async with mcp_world([hostile()]) as world:
        await world.act("nothing")
        report = report_of(world)
        assert steps(report) == ALL_STEPS
        assert all(step.seconds is not None and step.seconds >= 0 for step in report.steps)
        assert report.program == sys.executable
        os.kill(report.pid, 0)  # it lives
        assert (report.protocol_version, report.is_newer_era) == ("2025-11-25", False)
        said = [(note.sent, note.kind, note.method) for note in report.messages]
        assert said[:2] == [(True, MessageKind.REQUEST, "initialize"), (False, MessageKind.ANSWER, "initialize")]
        assert said[-2:] == [(True, MessageKind.REQUEST, "tools/call"), (False, MessageKind.ANSWER, "tools/call")]
        assert "did act" in report.messages[-1].excerpt
        assert report.messages[-1].size > 40
    assert world.gateway.report("other") is None


@pytest.mark.allowed_log("was not found", "It stopped")
async def test_a_program_that_fails_says_where_and_why(tmp_path: Path) -> None:
    definitions = tmp_path / "d.json"
    definitions.write_text(json.dumps({"tools": [], "exit": True}), "utf-8")
    fails = ServerConfig(
        id="fails",
        transport=Transport.STDIO,
        command=sys.executable,
        args=(str(CHANGING_SERVER), str(definitions), "x"),
    )
    missing = ServerConfig(id="missing", transport=Transport.STDIO, command="no-such-program-here")
    async with mcp_world([fails, missing]) as world:
        await until(lambda: all(status.has_failed for status in world.gateway.statuses()))
        failed, gone = report_of(world, "fails"), report_of(world, "missing")
        assert failed.steps[-1].step is StartStep.HANDSHAKE
        assert failed.steps[-1].seconds is None
        assert failed.starts == 2
        assert failed.program == sys.executable
        assert failed.pid == 0
        assert "cannot open the database" in failed.stderr
        assert "abcdef123456" not in failed.stderr
        assert (gone.steps[-1].step, gone.steps[-1].seconds, gone.program) == (StartStep.SPAWN, None, "")


async def test_secrets_are_in_no_part_of_it(tmp_path: Path) -> None:
    """Of the environment, and one from the keychain that was put into an argument."""
    store: SecretStore = InMemorySecrets()
    await store.set("kept", SENTINEL)
    (tmp_path / "d.json").write_text(json.dumps({"tools": [changing()], "instructions": f"key {SENTINEL}"}), "utf-8")
    config = ServerConfig(
        id="bad",
        transport=Transport.STDIO,
        command=sys.executable,
        args=(str(CHANGING_SERVER), str(tmp_path / "d.json"), str(tmp_path / "calls"), "--key=${input:key}"),
        env={"PROBE": "environment-77aa"},
        secrets={"key": "kept"},
    )
    entry = ServerEntry(key="bad", id="bad", argv=(config.command, *config.args), env=config.env)
    async with mcp_world([config], launcher=Launcher(secrets=store)) as world:
        await world.call("read", path=SENTINEL, password="hunter2", other="environment-77aa")
        assert SENTINEL in (tmp_path / "calls").read_text("utf-8")
        report = report_of(world)
        text = report_text(entry, world.gateway.statuses()[0], report, [], system="test")
        for shown in (repr(report), text):
            for secret in (SENTINEL, "hunter2", "environment-77aa"):
                assert secret not in shown
        assert "tools/call" in text


async def test_the_log_is_bounded_and_a_flood_is_one_line() -> None:
    async with mcp_world([hostile()]) as world:
        await world.act("notifications")
        for _ in range(MOST_MESSAGES // 2 + 5):
            await world.call("act", what="nothing")
        report = report_of(world)
        assert len(report.messages) == MOST_MESSAGES
        assert report.message_count > MOST_MESSAGES


async def test_a_server_on_the_web_is_told_of_in_the_same_way() -> None:
    async with recipe_on_the_web("http") as (url, _process):
        config = ServerConfig(
            id="bad", transport=Transport.HTTP, url=url, headers={"Authorization": f"Bearer {SENTINEL}"}
        )
        async with mcp_world([config]) as world:
            await world.gateway.tools()
            report = report_of(world)
            assert steps(report) == ALL_STEPS[:1] + ALL_STEPS[2:]
            assert report.program == ""
            assert report.name
            said = [(note.sent, note.kind, note.method) for note in report.messages]
            assert (True, MessageKind.REQUEST, "tools/list") in said
            assert (False, MessageKind.ANSWER, "tools/list") in said
            assert all(note.size > 0 for note in report.messages if note.kind is MessageKind.ANSWER)
            assert SENTINEL not in repr(report)


@pytest.mark.allowed_log("writes other things")
async def test_what_is_no_message_is_told_too() -> None:
    async with mcp_world([hostile("junk")]) as world:
        await world.tool("act")
        junk = [note for note in report_of(world).messages if note.kind is MessageKind.JUNK]
        assert junk
        assert junk[0].excerpt


def test_the_report_names_no_home_folder() -> None:
    home = Path("/home/maria")
    entry = ServerEntry(
        key="files",
        argv=("/home/maria/bin/server", "--folder", "/home/maria/notes", "--token", "abcd1234"),
        cwd="/home/maria",
    )
    text = report_text(entry, None, None, [], system="test", home=home)
    assert "maria" not in text
    assert "~/bin/server --folder ~/notes --token ••••" in text
