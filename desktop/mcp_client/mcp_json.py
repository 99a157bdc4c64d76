"""Finds the server entries in a JSON text as people copy it: from a file, a web page, another program's settings."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from desktop.core.errors import SettingsError
from desktop.core.nesting import is_nested_deeper
from desktop.core.settings import MOST_ENTRY_LEVELS

MAX_CHARACTERS = 2_000_000
_STRING = r'("(?:\\.|[^"\\])*(?:"|\\?\Z))'
"""One that is never closed reaches to the end: else each quote in it would be tried as the beginning of another."""
_COMMENT = re.compile(_STRING + r"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL)
_RUNNERS = frozenset(
    {"npx", "bunx", "pnpx", "uvx", "pipx", "uv", "node", "bun", "deno", "python", "python3", "py", "docker"}
)
_RUNNERS_OWN_WORDS = frozenset({"run", "tool", "exec", "dlx"})


def read_mcp_json(text: str, *, source: str) -> dict[str, Any]:
    """Return the entries in a text by their names, unchecked.

    Accepts the root ``mcpServers``, VS Code's ``servers``, the servers themselves, or one entry; comments, trailing
    commas and a missing outer brace, as they come with what people copy, are overlooked. Raises ``SettingsError`` with
    code ``settings.mcp_config``; ``source`` names the text there.
    """
    root = _read(text.removeprefix("\ufeff").strip(), source)
    if not isinstance(root, dict):
        raise _error(source, "It does not hold an object.")
    if any(isinstance(root.get(key), str) for key in ("command", "url")):
        return {_name_for(root): root}
    servers = root.get("mcpServers", root.get("servers"))
    if servers is None:
        servers = {name: entry for name, entry in root.items() if name not in ("inputs", "$schema")}
    if not isinstance(servers, dict):
        raise _error(source, "“mcpServers” is not an object.")
    return servers


def _read(text: str, source: str) -> Any:
    if len(text) > MAX_CHARACTERS:
        raise _error(source, f"It is longer than {MAX_CHARACTERS:,} characters.")
    try:
        value = _read_leniently(text)
        if is_nested_deeper(value, MOST_ENTRY_LEVELS):
            raise _error(source, f"It is nested more than {MOST_ENTRY_LEVELS} levels deep.")
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _error(source, "It contains half of a character (a lone surrogate).") from None
    except (ValueError, RecursionError) as error:
        raise _error(source, f"It is not JSON: {error}.") from None
    return value


def _read_leniently(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as strict:
        plain = _TRAILING_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text)).strip()
        if plain.startswith('"'):  # members without the braces around them
            plain = f"{{{plain.removesuffix(',')}}}"
        try:
            return json.loads(plain)
        except ValueError:
            raise strict from None


def _error(source: str, detail: str) -> SettingsError:
    return SettingsError("settings.mcp_config", path=source, detail=detail)


def _name_for(entry: Mapping[str, Any]) -> str:
    """Return a name for an entry that came without one: its host, or what is started, without folder and version."""
    if isinstance(url := entry.get("url"), str):
        try:
            return urlsplit(url).hostname or "server"
        except ValueError:
            return "server"
    command = _last_part(str(entry["command"]))
    arguments = entry.get("args")
    if command.lower().removesuffix(".exe").removesuffix(".cmd") in _RUNNERS and isinstance(arguments, list):
        names = [a for a in arguments if isinstance(a, str) and not a.startswith("-") and a not in _RUNNERS_OWN_WORDS]
        command = _last_part(names[0]) if names else command
    return re.sub(r"(?<=.)@.*|\.(exe|cmd|py|js|mjs|ts|sh)$", "", command) or "server"


def _last_part(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]
