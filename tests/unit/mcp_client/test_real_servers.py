"""Real servers of others, driven by the host: what they list, ask, report and return, on every transport they have."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop.tools.entities import (
    CallProgress,
    ElicitationMode,
    ElicitationRequest,
    ProtocolEra,
    ServerConfig,
    ServerState,
    Transport,
)
from desktop.ui.state.form_schema import parse_schema
from desktop.ui.state.form_state import default_content
from tests.support.command_programs import free_port
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.real_servers import needs_servers, node_program, node_server, python_server
from tests.support.scripted_prompts import ScriptedPrompts, accept, decline
from tests.support.waiting import until
from tests.support.web_servers import RECIPE_SERVER, recipe_on_the_web, web_program

pytestmark = pytest.mark.allowed_log("Session termination failed", "Error in post_writer", "Error in sse_reader")

_KINDS = {"string", "number", "integer", "boolean", "array"}


async def told(world: McpWorld, name: str, **arguments: Any) -> tuple[str, list[CallProgress]]:
    progress: list[CallProgress] = []
    intent = await world.intent(name, arguments)
    outcome = await world.gateway.call(intent, deadline_seconds=60, on_progress=progress.append)
    return outcome.text, progress


async def check_everything(world: McpWorld, prompts: ScriptedPrompts) -> None:
    """Drive the official test server through what it can do with tools."""
    await until(lambda: "trigger-elicitation-request" in {tool.name for tool in world.gateway.tools_of("everything")})
    assert (await world.call("echo", message="天气")).text == "Echo: 天气"
    assert "7" in (await world.call("get-sum", a=3, b=4)).text
    assert "image/png" in (await world.call("get-tiny-image")).text
    linked = (await world.call("get-resource-links", count=2)).text
    assert linked.count("demo://resource/") == 2
    assert "demo://resource/" in (await world.call("get-resource-reference", resourceType="Blob", resourceId=2)).text
    weather = json.loads((await world.call("get-structured-content", location="Chicago")).text)
    assert weather["temperature"] is not None
    text, progress = await told(world, "trigger-long-running-operation", duration=1, steps=4)
    assert "completed" in text.lower()
    assert progress[-1].total == 4
    assert [p.done for p in progress] == sorted(p.done for p in progress)
    answer = (await world.call("trigger-elicitation-request")).text
    assert "accept" in answer or "provided" in answer
    request = prompts.asked[0]
    assert isinstance(request, ElicitationRequest)
    fields = request.schema["properties"]
    assert {field["type"] for field in fields.values()} == _KINDS
    assert len(parse_schema(request.schema).fields) == len(fields) >= 10


def all_defaults(request: ElicitationRequest) -> Any:
    """Answer as somebody who fills in only what must be there."""
    fields = {name: field.get("default") for name, field in request.schema["properties"].items()}
    content = default_content(request.schema) or {key: value for key, value in fields.items() if value is not None}
    for name in request.schema.get("required", []):
        content.setdefault(name, "Ada")
    return accept(**content)


@needs_servers
async def test_the_official_test_server_on_stdio() -> None:
    with ScriptedPrompts(all_defaults, accept(), decline()) as prompts:
        async with mcp_world([node_server("everything")], prompts) as world:
            await check_everything(world, prompts)
            page: dict[str, Any] = {"url": "https://example.org/connect", "message": "Connect", "elicitationId": "1"}
            assert "accept" in (await world.call("trigger-url-elicitation", **page)).text.lower()
            refused = await world.call("trigger-url-elicitation", **page, errorPath=True)
            assert "did not agree to open it" in refused.text
        modes = [request.mode for request in prompts.asked if isinstance(request, ElicitationRequest)]
        assert modes == [ElicitationMode.FORM, ElicitationMode.URL, ElicitationMode.URL]


@needs_servers
@pytest.mark.parametrize(("way", "transport"), [("streamableHttp", Transport.HTTP), ("sse", Transport.SSE)])
async def test_the_official_test_server_on_the_web(way: str, transport: Transport) -> None:
    port = free_port()
    path = "mcp" if transport is Transport.HTTP else "sse"
    server = ServerConfig(id="everything", transport=transport, url=f"http://127.0.0.1:{port}/{path}")
    with ScriptedPrompts(all_defaults) as prompts:
        async with (
            web_program(node_program("everything", way), port, PORT=str(port)),
            mcp_world([server], prompts) as world,
        ):
            await world.gateway.tools()
            world.gateway._sessions["everything"].look_again()  # over HTTP it cannot say that it has more tools now
            await check_everything(world, prompts)


@needs_servers
async def test_files_and_memory(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    memory = tmp_path / "memory.jsonl"
    servers = [
        node_server("filesystem", str(files)),
        node_server("memory", MEMORY_FILE_PATH=str(memory)),
    ]
    async with mcp_world(servers) as world:
        assert len(await world.gateway.tools()) >= 20
        written = await world.call("write_file", path=str(files / "a.txt"), content="蓝")
        assert not written.is_error
        assert (files / "a.txt").read_text("utf-8") == "蓝"
        assert (await world.call("read_text_file", path=str(files / "a.txt"))).text == "蓝"
        assert (await world.call("read_text_file", path="/etc/hostname")).is_error
        entities = [{"name": "Ada", "entityType": "person", "observations": ["likes tea"]}]
        assert not (await world.call("create_entities", entities=entities)).is_error
        assert "likes tea" in (await world.call("read_graph")).text


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh Git repository with one new file."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, capture_output=True)
    (tmp_path / "new.txt").write_text("new")
    return tmp_path


@needs_servers
@pytest.mark.parametrize("era", [ProtocolEra.AUTO, ProtocolEra.MODERN])
async def test_git_and_time(checkout: Path, era: ProtocolEra) -> None:
    servers = [python_server("git", "--repository", str(checkout)), python_server("time", "--local-timezone", "UTC")]
    async with mcp_world([ServerConfig(**{**vars(server), "protocol": era}) for server in servers]) as world:
        assert len(await world.gateway.tools()) >= 10
        assert "new.txt" in (await world.call("git_status", repo_path=str(checkout))).text
        now = json.loads((await world.call("get_current_time", timezone="Asia/Shanghai")).text)
        assert now["timezone"] == "Asia/Shanghai"


def recipe(way: str, url: str = "") -> ServerConfig:
    if way == "stdio":
        program = (str(RECIPE_SERVER), "stdio")
        return ServerConfig(id="recipe", transport=Transport.STDIO, command=sys.executable, args=program)
    return ServerConfig(id="recipe", transport=Transport(way), url=url)


async def check_recipe(world: McpWorld, prompts: ScriptedPrompts) -> None:
    assert (await world.call("execute_command_local", command="echo ran")).text == "ran"
    assert (await world.call("execute_command_local", command="echo ran")).text == "The user said no."
    assert "did not agree (decline)" in (await world.call("execute_command_local", command="echo ran")).text
    text, progress = await told(world, "count", to=20)
    assert text == "counted to 20"
    assert (progress[-1].total, progress[-1].message[:3]) == (20, "at ")
    request = prompts.asked[0]
    assert isinstance(request, ElicitationRequest)
    assert (request.server_id, request.message) == ("recipe", "Run this command?\n\necho ran")
    assert set(request.schema["properties"]) == {"confirm"}


@pytest.mark.parametrize("way", ["stdio", "http", "sse"])
async def test_a_server_in_the_form_of_the_recipe(way: str) -> None:
    with ScriptedPrompts(accept(confirm=True), accept(confirm=False), decline()) as prompts:
        if way == "stdio":
            async with mcp_world([recipe(way)], prompts) as world:
                await check_recipe(world, prompts)
        else:
            async with recipe_on_the_web(way) as (url, _), mcp_world([recipe(way, url)], prompts) as world:
                await check_recipe(world, prompts)
        assert world.gateway.statuses()[0].state is ServerState.STOPPED
