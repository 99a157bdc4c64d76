"""Reads the usual ``mcpServers`` JSON into server configurations; every mistake names its entry."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from desktop.core.errors import SettingsError
from desktop.mcp_client.bundled import COMMAND_SERVER_ID
from desktop.mcp_client.entry_shapes import in_our_shape
from desktop.mcp_client.listing import HASHED_NAME, name_hash, slug
from desktop.mcp_client.mcp_json import read_mcp_json
from desktop.tools.entities import MOST_CALL_SECONDS, ProtocolEra, ServerConfig, Transport
from desktop.tools.entry_problems import VARIABLE_UNSET, problem_in_english
from desktop.tools.server_inputs import INPUTS, REFERENCE, filled, inputs_of, kept_secrets, missing
from desktop.tools.sign_in import OAuthClient, sign_in_name

MAX_SERVERS = 100
_MAX_ID_LENGTH = 32
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_Expand = Callable[[str], str]
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
    servers = read_mcp_json(text, source=source)
    for name, entry in servers.items():
        if isinstance(entry, dict) and (left := missing(entry)):
            detail = f"server “{name}”: {problem_in_english('input_missing', left[0])}"
            raise SettingsError("settings.mcp_config", path=source, detail=detail)
    return parse_mcp_servers(servers, source=source, environment=environment)


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
            config = server_config(ids[name], entry, environment)
            configs.append(replace(config, sign_in=sign_in_name(name)) if config.transport.is_web else config)
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
    """Return the configuration of one entry; without an environment as it is written. Raises ``EntryError``.

    What was entered for its inputs is put in; a reference to a secret, or to a value that nobody entered, stays.
    """
    if not isinstance(entry, dict):
        raise EntryError("not_an_object")
    entry = in_our_shape(entry)
    enabled = not _flag(entry, "disabled") and _flag(entry, "enabled", default=True)
    if not isinstance(entry.get(INPUTS, {}), dict):
        raise EntryError("map_no_object", INPUTS)
    values = {item.id: item.value for item in inputs_of(entry) if item.value is not None}
    # A server that is off need not have its variables set.
    expand: _Expand = _Expander(environment if enabled else None, values)
    kind = str(entry.get("transport", entry.get("type", ""))).lower()
    if kind not in ("", "stdio", "sse", "http"):
        raise EntryError("unknown_type", kind[:60])
    is_web = "url" in entry if not kind else kind != "stdio"
    config = ServerConfig(
        id=server_id,
        transport=(Transport.SSE if kind == "sse" else Transport.HTTP) if is_web else Transport.STDIO,
        enabled=enabled,
        protocol=_protocol(entry),
        call_seconds=_seconds(entry),
        knows_folder=entry.get("knowsFolder") is True,
        may_ask_model=entry.get("mayAskModel") is True,
        secrets=kept_secrets(entry),
    )
    if is_web:
        headers = _strings(entry, "headers", expand)
        return replace(config, url=_url(entry, expand), headers=headers, oauth=_oauth(entry, expand))
    return replace(
        config,
        command=_command(entry, expand),
        args=_arguments(entry, expand),
        env=_strings(entry, "env", expand),
        cwd=expand(_text(entry, "cwd", "")),
    )


def with_secrets(config: ServerConfig, values: Mapping[str, str]) -> ServerConfig:
    """Return the configuration as it is started: with the secrets put in. Raises ``EntryError`` for one that spoils it."""

    def put_in(text: str) -> str:
        return filled(text, values)

    entry = {"url": config.url, "headers": config.headers, "env": config.env, "allowInsecure": True}
    if config.transport.is_web:
        if config.oauth is not None:
            oauth = replace(config.oauth, client_secret=put_in(config.oauth.client_secret))
            config = replace(config, oauth=oauth)
        if REFERENCE.search(config.url):  # whether it needs encryption was judged by the host, which is no secret
            return replace(config, url=_url(entry, put_in), headers=_strings(entry, "headers", put_in))
        return replace(config, headers=_strings(entry, "headers", put_in))
    return replace(
        config,
        command=put_in(config.command),
        args=tuple(map(put_in, config.args)),
        env=_strings(entry, "env", put_in),
        cwd=put_in(config.cwd),
    )


def _oauth(entry: Mapping[str, Any], expand: _Expand) -> OAuthClient | None:
    given = entry.get("oauth")
    if given is None:
        return None
    if not isinstance(given, dict):
        raise EntryError("map_no_object", "oauth")
    client_id, port = expand(_text(given, "clientId", "")).strip(), given.get("callbackPort")
    if port is not None and (isinstance(port, bool) or not isinstance(port, int) or not 0 < port < 65_536):
        raise EntryError("oauth_unusable", "callbackPort")
    secret = expand(_text(given, "clientSecret", "")).strip()
    if not client_id.isprintable() or not secret.isprintable() or (secret and not client_id):
        raise EntryError("oauth_unusable", "clientId")
    return OAuthClient(client_id=client_id, client_secret=secret, port=port) if client_id else None


def _protocol(entry: Mapping[str, Any]) -> ProtocolEra:
    given = str(entry.get("protocol", ProtocolEra.AUTO)).lower()
    if given not in set(ProtocolEra):
        raise EntryError("unknown_protocol", given[:60])
    return ProtocolEra(given)


def _seconds(entry: Mapping[str, Any]) -> float | None:
    given = entry.get("timeout")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= MOST_CALL_SECONDS:
        raise EntryError("timeout_unusable")
    return float(given)


def _command(entry: Mapping[str, Any], expand: _Expand) -> str:
    command = expand(_text(entry, "command", "")).strip()
    if not command:
        raise EntryError("no_command")
    if "\0" in command:
        raise EntryError("command_nul")
    return command


def _arguments(entry: Mapping[str, Any], expand: _Expand) -> tuple[str, ...]:
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


def _url(entry: Mapping[str, Any], expand: _Expand) -> str:
    url = expand(_text(entry, "url", "")).strip()
    if REFERENCE.match(url):
        return url  # judged when the value is there
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


def _strings(entry: Mapping[str, Any], key: str, expand: _Expand) -> dict[str, str]:
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


class _Expander:
    """Replaces ``${NAME}``, ``${env:NAME}``, ``${NAME:-default}``, and ``${input:ID}`` where a value was entered.

    Without an environment the variables stay as they are written.
    """

    def __init__(self, environment: Mapping[str, str] | None, inputs: Mapping[str, str]) -> None:
        self._environment = environment
        self._inputs = inputs

    def __call__(self, text: str) -> str:
        return _VARIABLE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        if REFERENCE.fullmatch(match.group(0)):
            return filled(match.group(0), self._inputs)
        if self._environment is None:
            return match.group(0)
        name, has_default, default = match.group(1).removeprefix("env:").partition(":-")
        value = self._environment.get(name)
        if value is not None:
            return value
        if has_default:
            return default
        if ":" in name or not name:
            raise EntryError("variable_unfillable", match.group(0))
        raise EntryError(VARIABLE_UNSET, name)
