"""The bundled server with an ordinary client, in both protocol eras."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from mcp import MCPError

from desktop.core.digests import APPROVAL_META_KEY, approval_proof
from desktop.servers.command import DENIED, create_server, weather_line
from desktop.tools.schema import BadArguments, prepare_arguments

ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
FAILED_TOOL = "Error calling tool"


class Person:
    """Answers every question alike and remembers them."""

    def __init__(self, action: str = "cancel", content: dict[str, Any] | None = None) -> None:
        self.answer = ElicitResult(action=action, content=content)  # type: ignore[arg-type]
        self.questions: list[tuple[str, dict[str, Any]]] = []

    async def __call__(self, message: str, _kind: Any, params: Any, _context: Any) -> Any:
        self.questions.append((message, params.requested_schema))
        return self.answer


@asynccontextmanager
async def _client(
    folder: Path, era: str, person: Person | None, *, secret: str = ""
) -> AsyncGenerator[Client[Any], None]:
    server, shell = create_server(folder, host_secret=secret)
    async with Client(server, mode=era, elicitation_handler=person) as client:
        assert client.protocol_version == ("2025-11-25" if era == "legacy" else era)
        yield client
    await shell.end_all()


async def _text(client: Client[Any], name: str, meta: dict[str, Any] | None = None, **arguments: Any) -> str:
    result = await client.call_tool_mcp(name, arguments, meta=meta)
    return "\n".join(block.text for block in result.content if isinstance(block, mcp_types.TextContent))


@ERAS
async def test_the_tools_that_never_ask(tmp_path: Path, era: str) -> None:
    async with _client(tmp_path, era, None) as client:
        names = [tool.name for tool in await client.list_tools()]
        assert names == ["get_weather", "get_date", "calculate", "ask_user", "fetch_page", "execute_command_local"]
        assert "example" in await _text(client, "get_weather", city="Paris")
        assert "示例" in await _text(client, "get_weather", city="北京")
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\d \([A-Z][a-z]+day\), \d\d:\d\d, UTC[+-]\d\d:\d\d", await _text(client, "get_date")
        )
        assert await _text(client, "calculate", expression="（3＋4）×5") == "35"


@ERAS
@pytest.mark.allowed_log(FAILED_TOOL)
async def test_a_wrong_expression_is_an_error_that_says_why(tmp_path: Path, era: str) -> None:
    async with _client(tmp_path, era, None) as client:
        result = await client.call_tool_mcp("calculate", {"expression": "1/0"})
        assert result.is_error
        assert await _text(client, "calculate", expression="1/0") == "Division by zero has no value."


@ERAS
@pytest.mark.parametrize("flag", [True, False])
async def test_a_command_runs_only_after_a_yes_whatever_the_flag_says(tmp_path: Path, era: str, flag: bool) -> None:
    command = "echo it ran > proof.txt; echo 'done ' $(pwd)"
    person = Person("accept", {"confirm": True})
    async with _client(tmp_path / "w", era, person) as client:
        text = await _text(client, "execute_command_local", command=command, is_need_user_check=flag)
    assert text == f"Exit code: 0\nstdout:\ndone  {tmp_path / 'w'}"
    assert len(person.questions) == 1
    assert person.questions[0][0].endswith(f"\n\n{command}")
    assert (tmp_path / "w" / "proof.txt").exists()


@ERAS
@pytest.mark.parametrize(
    ("action", "content"),
    [
        ("decline", None),
        ("cancel", None),
        ("accept", {"confirm": False}),
        ("accept", None),
    ],
)
async def test_everything_but_a_yes_is_a_refusal(
    tmp_path: Path, era: str, action: str, content: dict[str, Any] | None
) -> None:
    person = Person(action, content)
    async with _client(tmp_path / "w", era, person) as client:
        assert await _text(client, "execute_command_local", command="touch ran") == DENIED
    assert DENIED == "User denied command execution."
    assert len(person.questions) == 1
    assert not (tmp_path / "w").exists()


@ERAS
async def test_a_client_that_cannot_ask_is_refused(tmp_path: Path, era: str) -> None:
    async with _client(tmp_path / "w", era, None) as client:
        assert (await _text(client, "execute_command_local", command="touch ran")).startswith(DENIED)
    assert not (tmp_path / "w").exists()


@ERAS
async def test_a_timeout_says_its_seconds(tmp_path: Path, era: str) -> None:
    person = Person("accept", {"confirm": True})
    async with _client(tmp_path, era, person) as client:
        text = await _text(client, "execute_command_local", command="echo begun; sleep 600", timeout=1)
    assert text == "The command timed out after 1 seconds and was stopped.\nstdout:\nbegun"


@pytest.mark.allowed_log(FAILED_TOOL)
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"command": "  "}, "empty"),
        ({"command": "echo a\0b"}, "NUL"),
        ({"command": "true " + "x" * 30_000}, "longer than 30000"),
        ({"command": "true", "timeout": 0}, "1 to 600"),
        ({"command": "true", "timeout": 601}, "1 to 600"),
        ({"command": "true", "timeout": -5}, "1 to 600"),
        ({"command": "true", "timeout": "soon"}, "timeout"),
        ({}, "command"),
    ],
)
async def test_wrong_arguments_are_told_without_asking(tmp_path: Path, arguments: dict[str, Any], reason: str) -> None:
    person = Person("accept", {"confirm": True})
    async with _client(tmp_path, "legacy", person) as client:
        result = await client.call_tool_mcp("execute_command_local", arguments)
        assert result.is_error
        assert reason in str(result.content[0])
    assert person.questions == []


def _proof(
    secret: str,
    arguments: dict[str, Any],
    name: str = "execute_command_local",
    sandbox: str = "none",
    folder: str = "",
) -> Any:
    proof = approval_proof(secret, name, arguments, sandbox, folder)
    return {APPROVAL_META_KEY: {"proof": proof, "sandbox": sandbox, "folder": folder}}


@ERAS
async def test_the_hosts_proof_skips_the_question_for_exactly_these_arguments(tmp_path: Path, era: str) -> None:
    arguments = {"command": "echo proven", "timeout": 20}
    person = Person("decline")
    good = _proof("s3cret", arguments)
    async with _client(tmp_path, era, person, secret="s3cret") as client:
        assert "proven" in await _text(client, "execute_command_local", good, **arguments)
        assert person.questions == []
        forged: list[Any] = [
            None,
            _proof("other secret", arguments),
            _proof("", arguments),
            _proof("s3cret", arguments, name="get_date"),
            _proof("s3cret", arguments, sandbox="strict"),
            {APPROVAL_META_KEY: {**good[APPROVAL_META_KEY], "sandbox": "workspace"}},
            {APPROVAL_META_KEY: {**good[APPROVAL_META_KEY], "folder": str(tmp_path)}},
            {APPROVAL_META_KEY: {"proof": "é" * 64, "sandbox": "none", "folder": ""}},
            {APPROVAL_META_KEY: {"proof": 7, "sandbox": "none", "folder": ""}},
            {APPROVAL_META_KEY: {"proof": good[APPROVAL_META_KEY]["proof"], "sandbox": "none"}},
            {APPROVAL_META_KEY: {"sandbox": "none", "folder": ""}},
            {APPROVAL_META_KEY: "yes"},
            {APPROVAL_META_KEY: True},
        ]
        for meta in forged:
            assert await _text(client, "execute_command_local", meta, **arguments) == DENIED
        for other in ({"command": "echo proven "}, {"timeout": 21}, {"is_need_user_check": True}):
            assert await _text(client, "execute_command_local", good, **{**arguments, **other}) == DENIED
    assert len(person.questions) == len(forged) + 3


@ERAS
async def test_without_a_secret_no_proof_is_believed(tmp_path: Path, era: str) -> None:
    arguments = {"command": "echo x"}
    person = Person("decline")
    async with _client(tmp_path, era, person) as client:
        assert await _text(client, "execute_command_local", _proof("", arguments), **arguments) == DENIED
    assert len(person.questions) == 1


@ERAS
@pytest.mark.parametrize(
    ("person", "choices", "text"),
    [
        (Person("accept", {"answer": "blue"}), ["red", "blue"], "blue"),
        (Person("accept", {"answer": "free words"}), None, "free words"),
        (Person("accept", {"answer": ""}), None, "The user sent an empty answer."),
        (Person("decline"), ["red"], "The user declined to answer."),
        (Person("cancel"), None, "The user cancelled the question."),
    ],
)
async def test_asking_the_user(tmp_path: Path, era: str, person: Person, choices: Any, text: str) -> None:
    person.questions.clear()
    async with _client(tmp_path, era, person) as client:
        assert await _text(client, "ask_user", question="Which colour?", choices=choices) == text
    message, schema = person.questions[0]
    assert message == "Which colour?"
    field = schema["properties"]["answer"]
    assert field.get("enum") == choices
    assert schema["required"] == ["answer"]


@pytest.mark.allowed_log(FAILED_TOOL)
async def test_asking_without_anybody_there_is_an_error(tmp_path: Path) -> None:
    async with _client(tmp_path, "legacy", None) as client:
        result = await client.call_tool_mcp("ask_user", {"question": "Anybody?"})
        assert result.is_error


async def _leg(client: Client[Any], arguments: dict[str, Any], answer: Any = None, state: str | None = None) -> Any:
    """Make one leg of a call of the newer era by hand, as a client might that wants to cheat."""
    responses = {"answer": answer} if answer is not None else None
    return await client.session.call_tool(
        "execute_command_local",
        arguments,
        input_responses=responses,
        request_state=state,
        allow_input_required=True,
    )


@pytest.mark.expected_log("requestState rejected")
async def test_an_answer_counts_once_and_only_for_the_command_that_was_asked_about(tmp_path: Path) -> None:
    yes = mcp_types.ElicitResult(action="accept", content={"confirm": True})
    harmless, other = {"command": "touch asked"}, {"command": "touch other"}
    async with _client(tmp_path, "2026-07-28", Person()) as client:
        assert isinstance(await _leg(client, harmless, yes), mcp_types.InputRequiredResult)  # nobody was asked yet
        first = await _leg(client, harmless)
        assert isinstance(first, mcp_types.InputRequiredResult)
        assert not (tmp_path / "asked").exists()
        with pytest.raises(MCPError, match="requestState"):
            await _leg(client, other, yes, first.request_state)
        with pytest.raises(MCPError, match="requestState"):
            await _leg(client, harmless, yes, "made up")
        second = await _leg(client, harmless)
        done = await _leg(client, harmless, yes, second.request_state)
        assert isinstance(done, mcp_types.CallToolResult)
        assert (tmp_path / "asked").exists()
        (tmp_path / "asked").unlink()
        assert isinstance(await _leg(client, harmless, yes, second.request_state), mcp_types.InputRequiredResult)
    assert not (tmp_path / "asked").exists()
    assert not (tmp_path / "other").exists()


def test_the_weather_line_survives_any_name() -> None:
    assert weather_line("  Sankt\nPeter  ") == (
        "Sankt Peter: sunny, 22 °C, a light breeze. (This is an example, not the real weather.)"
    )
    assert len(weather_line("x" * 10_000)) < 200
    assert weather_line("").startswith("Somewhere")
    assert json.dumps(weather_line("東京"))


async def test_the_limits_are_declared_so_that_a_host_can_refuse_before_it_asks(tmp_path: Path) -> None:
    async with _client(tmp_path, "legacy", None) as client:
        schema = next(t.input_schema for t in await client.list_tools() if t.name == "execute_command_local")
    for arguments in ({"command": "x" * 30_001}, {"command": "x", "timeout": 0.5}, {"command": "x", "timeout": 601}):
        with pytest.raises(BadArguments):
            prepare_arguments(json.dumps(arguments), schema)
    assert prepare_arguments('{"command": "x", "timeout": "600"}', schema) == {"command": "x", "timeout": 600}
