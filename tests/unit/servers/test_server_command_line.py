"""The bundled server as a program: wrong use, clean stdout, and HTTP with its three locks."""

from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StreamableHttpTransport

from desktop.core.digests import APPROVAL_META_KEY, HOST_SECRET_ENV, approval_proof
from desktop.servers.command import DENIED
from desktop.servers.main import main
from tests.support.command_programs import command_program, http_command_server


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-server"],
        ["command", "--port", "8001"],
        ["command", "--token-env", "X"],
        ["command", "--http", "--port", "0"],
        ["command", "--http", "--port", "many"],
        ["command", "--http", "--token-env", "NOT_SET_ANYWHERE"],
        ["command", "--folder", __file__],
        ["command", "surplus"],
        ["command", "--unknown"],
    ],
)
def test_wrong_use_says_so_on_stderr(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "mcp-server" in captured.err


def test_help_stays_off_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "--folder" in captured.err


async def test_stdout_carries_the_protocol_alone_and_the_end_of_input_ends_it(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=DEBUG\n")
    process = await command_program("command", "--folder", str(tmp_path))
    out, err = await process.communicate(b"this is no message\n")
    assert process.returncode == 0
    assert out == b"" or out.startswith(b'{"jsonrpc"')
    assert b"FastMCP" not in out
    assert err.count(b"\n") < 60


async def test_http_needs_the_token_the_host_and_no_foreign_origin(tmp_path: Path) -> None:
    async with http_command_server(tmp_path) as (url, token), httpx2.AsyncClient(trust_env=False) as client:
        assert len(token) >= 32
        host = url.removeprefix("http://").removesuffix("/mcp")
        port = host.rpartition(":")[2]
        good = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}

        async def status(**headers: str) -> int:
            body: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            return (await client.post(url, headers={**good, **headers}, json=body)).status_code

        assert await status() not in (401, 403, 421)
        assert await status(Authorization="") == 401
        assert await status(Authorization=token) == 401
        assert await status(Authorization=f"Bearer {token}x") == 401
        assert await status(Authorization="Bearer") == 401
        assert await status(Authorization=f"Basic {token}") == 401
        assert await status(Host="evil.example") == 421
        assert await status(Host=f"evil.example:{port}") == 421
        assert await status(Host="127.0.0.1:1") == 421
        assert await status(Host=f"127.0.0.1.evil.example:{port}") == 421
        assert await status(Host=f"user@127.0.0.1:{port}") == 421
        assert await status(Host=f"localhost:{port}") not in (401, 403, 421)
        assert await status(Origin="https://evil.example") == 403
        assert await status(Origin="null") == 403
        assert await status(Origin="http://127.0.0.1:1") == 403
        assert await status(Origin=f"http://127.0.0.1:{port}") not in (401, 403, 421)


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_http_asks_before_a_command_and_believes_no_proof(
    tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "known to everybody"
    arguments = {"command": "echo ran"}
    proof = approval_proof(secret, "execute_command_local", arguments, "none", "")
    answers = [ElicitResult(action="decline"), ElicitResult(action="accept", content={"confirm": True})]
    questions: list[str] = []

    async def answer(message: str, *_: Any) -> Any:
        questions.append(message)
        return answers[len(questions) - 1]

    monkeypatch.setenv(HOST_SECRET_ENV, secret)
    async with http_command_server(tmp_path, "--token-env", "MY_TOKEN", MY_TOKEN="given-token") as (url, token):
        assert token == "given-token"
        transport = StreamableHttpTransport(url, auth=token)
        async with Client(transport, mode=era, elicitation_handler=answer) as client:
            assert client.protocol_version == ("2025-11-25" if era == "legacy" else "2026-07-28")
            meta = {APPROVAL_META_KEY: {"proof": proof, "sandbox": "none"}}
            refused = await client.call_tool_mcp("execute_command_local", arguments, meta=meta)
            assert refused.content[0].text == DENIED  # type: ignore[union-attr]
            allowed = await client.call_tool_mcp("execute_command_local", {"command": "echo [$MY_TOKEN] ran"})
            assert allowed.content[0].text == "Exit code: 0\nstdout:\n[] ran"  # type: ignore[union-attr]
    assert len(questions) == 2
