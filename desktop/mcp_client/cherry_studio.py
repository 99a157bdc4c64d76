"""Reads the servers of Cherry Studio out of what its window keeps: a LevelDB folder with its whole state as JSON."""

import json
from pathlib import Path
from typing import Any

from desktop.mcp_client.leveldb import LevelDbError, read_value

_KEY = b"_file://\x00\x01persist:cherry-studio"
"""The page's origin, then the key, which Chromium writes in Latin-1."""
_ENCODINGS = {0: "utf-16-le", 1: "latin-1"}
_OWN_KINDS = ("inMemory", "inProcess")
"""Servers that are part of that program and cannot be started from elsewhere."""


def read_servers(folder: Path) -> str:
    """Return the servers as JSON text, in the form in which that program itself shows them; empty where it has none.

    Raises ``OSError`` where the files cannot be read, and ``ValueError`` where they are damaged.
    """
    try:
        value = read_value(folder, _KEY)
    except LevelDbError as error:
        raise ValueError(str(error)) from error
    if not value:
        return ""
    if value[0] not in _ENCODINGS:
        raise ValueError("its text is written in an unknown way")
    # Each part of the state is JSON in a text of its own.
    part = _object(value[1:].decode(_ENCODINGS[value[0]])).get("mcp")
    servers = _object(part).get("servers") if isinstance(part, str) else None
    listed = [server for server in servers if isinstance(server, dict)] if isinstance(servers, list) else []
    own = {str(n): server for n, server in enumerate(listed) if server.get("type") not in _OWN_KINDS}
    return json.dumps({"mcpServers": own}) if own else ""


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value if isinstance(value, dict) else {}
