"""All servers of a start: those that come with the app, the settings' and those of ``--mcp-config``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.core.digests import sha256_of_json
from desktop.core.errors import SettingsError
from desktop.core.settings import Settings
from desktop.mcp_client.bundled import bundled_command_server
from desktop.mcp_client.config import MAX_SERVERS, EntryError, parse_mcp_servers, server_config
from desktop.mcp_client.mcp_json import read_mcp_json
from desktop.tools.entities import ServerConfig, ServerEntry, ServerOrigin, Transport
from desktop.tools.entry_problems import REPLACED, TOO_MANY, problem_in_english
from desktop.tools.ports import ServerBook


class ConfiguredServers(ServerBook):
    """Implements ``ServerBook``, and says which servers are to run.

    ``workspace`` is where commands of the bundled server run, ``given`` are the servers of ``--mcp-config``: one of
    them takes the place of another with the same id. ``source`` names the settings file in errors.
    """

    def __init__(
        self,
        *,
        source: str,
        environment: Mapping[str, str],
        workspace: Callable[[Settings], Path],
        given: Sequence[ServerConfig] = (),
    ) -> None:
        self._source = source
        self._environment = environment
        self._workspace = workspace
        self._given = given

    def configs(self, settings: Settings) -> tuple[ServerConfig, ...]:
        """Return the servers that are to run. An entry that cannot be used is left out; see ``problems``."""
        own = [s for s in self._bundled(settings) if s.id not in settings.bundled_servers_off]
        servers = [*own, *self._usable(settings)[1], *self._given]
        return tuple({server.id: server for server in servers}.values())

    def problems(self, settings: Settings) -> list[SettingsError]:
        """Return what the user should hear about entries that are left out."""
        problems: list[SettingsError] = []
        for entry in self.listed(settings):
            words = problem_in_english(entry.problem, entry.problem_detail) if entry.problem else ""
            if entry.problem == TOO_MANY:
                detail = f"It lists more than {MAX_SERVERS} servers; those from “{entry.key}” on are left out."
                return [*problems, SettingsError("settings.mcp_config", path=self._source, detail=detail)]
            if words and entry.problem != REPLACED:
                problems.append(
                    SettingsError(
                        "settings.mcp_entry",
                        path=self._source,
                        detail=f"server “{entry.key}”: {words}",
                        server=entry.key,
                        problem=entry.problem,
                        problem_detail=entry.problem_detail,
                    )
                )
        return problems

    def listed(self, settings: Settings) -> tuple[ServerEntry, ...]:
        given = {server.id for server in self._given}
        usable, configs = self._usable(settings)
        ids = dict(zip(usable, (config.id for config in configs), strict=True))
        bundled = [
            _described(server, server.id, ServerOrigin.BUNDLED, enabled=server.id not in settings.bundled_servers_off)
            for server in self._bundled(settings)
        ]
        entries: list[ServerEntry] = []
        for name, raw in settings.mcp_servers.items():
            entry = self.read(name, raw)
            if name not in ids and not entry.problem:
                entry = replace(entry, problem=TOO_MANY, problem_detail=str(MAX_SERVERS))
            elif ids.get(name) in given:
                entry = replace(entry, problem=REPLACED)
            else:
                entry = replace(entry, id=ids.get(name, ""))
            entries.append(entry)
        started = [_described(server, server.id, ServerOrigin.START, enabled=server.enabled) for server in self._given]
        return (*bundled, *entries, *started)

    def read(self, name: str, entry: object) -> ServerEntry:
        try:
            written = server_config("", entry, None)
        except EntryError as error:
            return ServerEntry(key=name, problem=error.code, problem_detail=error.detail, **_legible(entry))
        described = _described(written, name, ServerOrigin.SETTINGS, enabled=written.enabled)
        try:
            server_config("", entry, self._environment)
        except EntryError as error:
            return replace(described, problem=error.code, problem_detail=error.detail)
        return described

    def parse(self, text: str) -> Mapping[str, Any]:
        servers = read_mcp_json(text, source=self._source)
        if len(servers) > MAX_SERVERS:
            detail = f"It lists {len(servers)} servers, more than {MAX_SERVERS}."
            raise SettingsError("settings.mcp_config", path=self._source, detail=detail)
        return servers

    def _bundled(self, settings: Settings) -> list[ServerConfig]:
        return [bundled_command_server(self._workspace(settings))]

    def _usable(self, settings: Settings) -> tuple[list[str], tuple[ServerConfig, ...]]:
        """Return the names of the entries that can be used, at most so many as are allowed, and what they say."""
        usable = {name: entry for name, entry in settings.mcp_servers.items() if not self.read(name, entry).problem}
        first = dict(list(usable.items())[:MAX_SERVERS])
        return list(first), parse_mcp_servers(first, source=self._source, environment=self._environment)


def _described(config: ServerConfig, key: str, origin: ServerOrigin, *, enabled: bool) -> ServerEntry:
    return ServerEntry(
        key=key,
        origin=origin,
        id=config.id,
        enabled=enabled,
        transport=config.transport,
        argv=(config.command, *config.args) if config.transport is Transport.STDIO else (),
        cwd=config.cwd,
        env=config.env,
        url=config.url,
        headers=config.headers,
        fingerprint=_fingerprint(config),
    )


def _fingerprint(config: ServerConfig) -> str:
    parts = [config.transport, config.command, config.args, sorted(config.env.items()), config.cwd, config.url]
    return sha256_of_json(parts)


def _legible(entry: object) -> dict[str, Any]:
    """Return what can be shown of an entry that is wrong as a whole."""
    given: Mapping[str, Any] = entry if isinstance(entry, dict) else {}
    flags = {"enabled": given.get("disabled") is not True and given.get("enabled") is not False}
    url, command = given.get("url"), given.get("command")
    if isinstance(url, str):
        return {**flags, "transport": Transport.HTTP, "url": url}
    return {**flags, "argv": (command,)} if isinstance(command, str) else flags
