"""Third-party MCP servers and the conformance suite, where ``packaging/dev.py servers`` has installed them."""

import os
import sys
from pathlib import Path

import pytest

from desktop.tools.entities import ServerConfig, Transport

FOLDER = Path(__file__).parents[2] / ".servers"
NODE = FOLDER / "node"
CONFORMANCE = FOLDER / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
_SCRIPTS = FOLDER / "python" / ("Scripts" if os.name == "nt" else "bin")

needs_servers = pytest.mark.skipif(
    not (FOLDER / "stamp.json").is_file(),
    reason="no third-party servers here: `python3 packaging/dev.py servers` installs them",
)
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


def node_program(name: str, *arguments: str) -> tuple[str, ...]:
    """The command line of a server from the official repository: ``everything``, ``filesystem`` or ``memory``."""
    script = FOLDER / f"node_modules/@modelcontextprotocol/server-{name}/dist/index.js"
    return (str(NODE), str(script), *arguments)


def node_server(name: str, *arguments: str, **env: str) -> ServerConfig:
    command, *args = node_program(name, *arguments)
    return ServerConfig(id=name, transport=Transport.STDIO, command=command, args=tuple(args), env=env)


def python_server(name: str, *arguments: str) -> ServerConfig:
    """``git`` or ``time``."""
    command = str(_SCRIPTS / f"mcp-server-{name}")
    return ServerConfig(id=name, transport=Transport.STDIO, command=command, args=arguments)
