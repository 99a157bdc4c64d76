"""Reads the usual ``mcpServers`` JSON into server configurations; every mistake names its entry."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from desktop.core.errors import SettingsError
from desktop.mcp_client.bundled import COMMAND_SERVER_ID
from desktop.mcp_client.listing import HASHED_NAME, name_hash, slug
from desktop.mcp_client.mcp_json import read_mcp_json
from desktop.tools.entities import ServerConfig, Transport
from desktop.tools.entry_problems import VARIABLE_UNSET, problem_in_english

MAX_SERVERS = 100
_MAX_ID_LENGTH = 32
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_HTTP_NAMES = frozenset({"http", "streamable-http", "streamablehttp", "streamable_http"})
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


class EntryError(ValueError):
    """What is wrong with one entry: a name of ``entry_problems``, and the text of the entry that it is about."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(problem_in_english(code, detail))
        self.code = code
        self.detail = detail


def parse_mcp_config(text: str, *, source: str, environment: Mapping[str, str]) -> tuple[ServerConfig, ...]:
    """Return the servers of a configuration file. ``source`` names it in errors.

    Raises ``SettingsError`` with code ``settings.mcp_config``. Nothing is started or contacted.
    """
    return parse_mcp_servers(read_mcp_json(text, source=source), source=source, environment=environment)


def parse_mcp_servers(
    servers: Mapping[str, Any], *, source: str, environment: Mapping[str, str]
) -> tuple[ServerConfig, ...]:
    """Return the servers of a parsed ``mcpServers`` object, for example that of the settings file."""
    if len(servers) > MAX_SERVERS:
        detail = f"It lists {len(servers)} servers, more than {MAX_SERVERS}."
        raise SettingsError("settings.mcp_config", path=source, detail=detail)
    ids = server_ids(servers)
    configs: list[ServerConfig] = []
    for name, entry in servers.items():
        try:
            configs.append(server_config(ids[name], entry, environment))
        except EntryError as error:
            raise SettingsError("settings.mcp_config", path=source, detail=f"server “{name}”: {error}") from None
    return tuple(configs)


def server_ids(names: Iterable[str]) -> dict[str, str]:
    """Return an id for each server's name: the name where it is plain, else as much of it as is, with a hash if needed.

    The order of the names does not matter, so that an id, and what the user allowed under it, belongs to its name.
    """
    by_name: dict[str, str] = {}
    taken = {COMMAND_SERVER_ID}
    for name in sorted(names, key=lambda name: (slug(name) != name, name)):  # plain names keep what they are called
        base = slug(name)[:_MAX_ID_LENGTH].strip("_")
        is_legible = bool(base) and not any(character.isalnum() and not character.isascii() for character in name)
        if (
            not is_legible or HASHED_NAME.search(base) or base.casefold() in taken
        ):  # ``Command`` must not pass for ``command``
            base = f"{(base or 'server')[: _MAX_ID_LENGTH - 11]}_{name_hash(name)}"
        taken.add(base.casefold())
        by_name[name] = base
    return by_name


def server_config(server_id: str, entry: Any, environment: Mapping[str, str] | None) -> ServerConfig:
    """Return the configuration of one entry; without an environment as it is written. Raises ``EntryError``."""
    if not isinstance(entry, dict):
        raise EntryError("not_an_object")
    enabled = not _flag(entry, "disabled") and _flag(entry, "enabled", default=True)
    # A server that is off need not have its variables set.
    expand = _Expander(environment) if enabled and environment is not None else _keep
    kind = str(entry.get("transport", entry.get("type", ""))).lower()
    if kind == "sse":
        raise EntryError("sse")
    if kind not in {"", "stdio"} | _HTTP_NAMES:
        raise EntryError("unknown_type", kind[:60])
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
        raise EntryError("no_command")
    if "\0" in command:
        raise EntryError("command_nul")
    return command


def _arguments(entry: Mapping[str, Any], expand: Any) -> tuple[str, ...]:
    given = entry.get("args", [])
    if not isinstance(given, list):
        raise EntryError("args_no_list")
    arguments: list[str] = []
    for value in given:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise EntryError("arg_no_text", json.dumps(value)[:60])
        if "\0" in (text := expand(str(value))):
            raise EntryError("arg_nul")
        arguments.append(text)
    return tuple(arguments)


def _url(entry: Mapping[str, Any], expand: Any) -> str:
    url = expand(_text(entry, "url", "")).strip()
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise EntryError("url_malformed") from None
    if parts.scheme not in ("http", "https") or not host:
        raise EntryError("url_scheme")
    if parts.username is not None:
        raise EntryError("url_user")
    if parts.scheme == "http" and host not in LOOPBACK_HOSTS and not _flag(entry, "allowInsecure"):
        raise EntryError("url_unencrypted")
    return url


def _strings(entry: Mapping[str, Any], key: str, expand: Any) -> dict[str, str]:
    given = entry.get(key) or {}
    if not isinstance(given, dict):
        raise EntryError("map_no_object", key)
    values: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise EntryError("value_no_text", f"{key}.{name}")
        text = expand(str(value))
        if not name or any(character in f"{name}{text}" for character in "\0\r\n") or (key == "env" and "=" in name):
            raise EntryError("value_characters", f"{key}.{name}")
        values[name] = text
    return values


def _text(entry: Mapping[str, Any], key: str, default: str) -> str:
    value = entry.get(key, default)
    if not isinstance(value, str):
        raise EntryError("field_no_text", key)
    return value


def _flag(entry: Mapping[str, Any], key: str, *, default: bool = False) -> bool:
    value = entry.get(key, default)
    if not isinstance(value, bool):
        raise EntryError("field_no_flag", key)
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
            raise EntryError("variable_unfillable", match.group(0))
        raise EntryError(VARIABLE_UNSET, name)
