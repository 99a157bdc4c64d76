"""Reads the usual ``mcpServers`` JSON into server configurations; every mistake names its entry."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from desktop.core.errors import SettingsError
from desktop.mcp_client.bundled import COMMAND_SERVER_ID
from desktop.mcp_client.listing import slug
from desktop.tools.entities import ServerConfig, Transport

MAX_SERVERS = 100
_MAX_ID_LENGTH = 32
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_HTTP_NAMES = frozenset({"http", "streamable-http", "streamablehttp", "streamable_http"})
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


class _EntryError(ValueError):
    """What is wrong with one entry."""


def parse_mcp_config(text: str, *, source: str, environment: Mapping[str, str]) -> tuple[ServerConfig, ...]:
    """Return the servers of a configuration file. ``source`` names it in errors.

    Accepts the root ``mcpServers``, VS Code's ``servers``, or the servers themselves. Raises ``SettingsError`` with
    code ``settings.mcp_config``. Nothing is started or contacted.
    """
    try:
        root = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise SettingsError("settings.mcp_config", path=source, detail=f"It is not JSON: {error}.") from None
    if not isinstance(root, dict):
        raise SettingsError("settings.mcp_config", path=source, detail="It does not hold an object.")
    servers = root.get("mcpServers", root.get("servers"))
    if servers is None:
        servers = {name: entry for name, entry in root.items() if name not in ("inputs", "$schema")}
    if not isinstance(servers, dict):
        raise SettingsError("settings.mcp_config", path=source, detail="“mcpServers” is not an object.")
    return parse_mcp_servers(servers, source=source, environment=environment)


def parse_mcp_servers(
    servers: Mapping[str, Any], *, source: str, environment: Mapping[str, str]
) -> tuple[ServerConfig, ...]:
    """Return the servers of a parsed ``mcpServers`` object, for example that of the settings file."""
    if len(servers) > MAX_SERVERS:
        detail = f"It lists {len(servers)} servers, more than {MAX_SERVERS}."
        raise SettingsError("settings.mcp_config", path=source, detail=detail)
    taken = {COMMAND_SERVER_ID}
    configs: list[ServerConfig] = []
    for name, entry in servers.items():
        try:
            config = _server(_unique_id(name, taken), entry, environment)
        except _EntryError as error:
            raise SettingsError("settings.mcp_config", path=source, detail=f"server “{name}”: {error}") from None
        taken.add(config.id.casefold())
        configs.append(config)
    return tuple(configs)


def _unique_id(name: str, taken: set[str]) -> str:
    base = slug(name)[:_MAX_ID_LENGTH].strip("_") or "server"
    candidate, number = base, 2
    while candidate.casefold() in taken:  # ``Command`` must not pass for ``command``
        candidate, number = f"{base[: _MAX_ID_LENGTH - 4]}_{number}", number + 1
    return candidate


def _server(server_id: str, entry: Any, environment: Mapping[str, str]) -> ServerConfig:
    if not isinstance(entry, dict):
        raise _EntryError("it is not an object.")
    enabled = not _flag(entry, "disabled") and _flag(entry, "enabled", default=True)
    # A server that is off need not have its variables set.
    expand = _Expander(environment) if enabled else _keep
    kind = str(entry.get("transport", entry.get("type", ""))).lower()
    if kind == "sse":
        raise _EntryError("the SSE transport is not supported; most servers offer streamable HTTP instead.")
    if kind not in {"", "stdio"} | _HTTP_NAMES:
        raise _EntryError(f"its type “{kind}” is not known; use “stdio” or “http”.")
    is_http = "url" in entry if not kind else kind != "stdio"
    if is_http:
        return ServerConfig(
            id=server_id,
            transport=Transport.HTTP,
            url=_url(entry, expand),
            headers=_strings(entry, "headers", expand),
            enabled=enabled,
        )
    return ServerConfig(
        id=server_id,
        transport=Transport.STDIO,
        command=_command(entry, expand),
        args=_arguments(entry, expand),
        env=_strings(entry, "env", expand),
        cwd=expand(_text(entry, "cwd", "")),
        enabled=enabled,
    )


def _command(entry: Mapping[str, Any], expand: Any) -> str:
    command = expand(_text(entry, "command", "")).strip()
    if not command:
        raise _EntryError("it has neither a “command” nor a “url”.")
    if "\0" in command:
        raise _EntryError("its “command” contains a NUL character.")
    return command


def _arguments(entry: Mapping[str, Any], expand: Any) -> tuple[str, ...]:
    given = entry.get("args", [])
    if not isinstance(given, list):
        raise _EntryError("its “args” is not a list.")
    arguments: list[str] = []
    for value in given:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise _EntryError(f"the argument {json.dumps(value)[:60]} is no text.")
        if "\0" in (text := expand(str(value))):
            raise _EntryError("one of its “args” contains a NUL character.")
        arguments.append(text)
    return tuple(arguments)


def _url(entry: Mapping[str, Any], expand: Any) -> str:
    url = expand(_text(entry, "url", "")).strip()
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise _EntryError("its “url” is malformed.") from None
    if parts.scheme not in ("http", "https") or not host:
        raise _EntryError("its “url” does not start with https:// or http://.")
    if parts.username is not None:
        raise _EntryError("its “url” contains a user name; put credentials into “headers”.")
    if parts.scheme == "http" and host not in LOOPBACK_HOSTS and not _flag(entry, "allowInsecure"):
        raise _EntryError(
            'its “url” is not encrypted; use https, or add "allowInsecure": true if you trust the network.'
        )
    return url


def _strings(entry: Mapping[str, Any], key: str, expand: Any) -> dict[str, str]:
    given = entry.get(key) or {}
    if not isinstance(given, dict):
        raise _EntryError(f"its “{key}” is not an object.")
    values: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise _EntryError(f"“{key}.{name}” is no text.")
        text = expand(str(value))
        if not name or any(character in f"{name}{text}" for character in "\0\r\n") or (key == "env" and "=" in name):
            raise _EntryError(f"“{key}.{name}” contains a character that is not allowed there.")
        values[name] = text
    return values


def _text(entry: Mapping[str, Any], key: str, default: str) -> str:
    value = entry.get(key, default)
    if not isinstance(value, str):
        raise _EntryError(f"its “{key}” is no text.")
    return value


def _flag(entry: Mapping[str, Any], key: str, *, default: bool = False) -> bool:
    value = entry.get(key, default)
    if not isinstance(value, bool):
        raise _EntryError(f"its “{key}” is neither true nor false.")
    return value


def _keep(text: str) -> str:
    return text


class _Expander:
    """Replaces ``${NAME}``, ``${env:NAME}`` and ``${NAME:-default}``."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def __call__(self, text: str) -> str:
        return _VARIABLE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        name, has_default, default = match.group(1).removeprefix("env:").partition(":-")
        value = self._environment.get(name)
        if value is not None:
            return value
        if has_default:
            return default
        if ":" in name or not name:
            raise _EntryError(f"“{match.group(0)}” cannot be filled in here.")
        raise _EntryError(f"the environment variable {name} is not set.")
