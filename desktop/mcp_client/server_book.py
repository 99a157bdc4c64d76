"""All servers of a start: those that come with the app, the settings' and those of ``--mcp-config``."""

import asyncio
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
from desktop.tools.elsewhere import Elsewhere
from desktop.tools.entities import ServerConfig, ServerEntry, ServerOrigin, Transport
from desktop.tools.entry_problems import REPLACED, TOO_MANY, problem_in_english
from desktop.tools.ports import ServerBook
from desktop.tools.server_inputs import inputs_of
from desktop.tools.start_findings import takes_variable
from desktop.tools.trust import BUNDLED_SERVER, UNKNOWN_SERVER, ServerTrust, ToolRule

_MOST_NAMED = 5


class ConfiguredServers(ServerBook):
    """Implements ``ServerBook``, and says which servers are to run.

    ``workspace`` is where commands of the bundled server run, ``given`` are the servers of ``--mcp-config``: one of
    them takes the place of another with the same id. ``source`` names the settings file in errors. Nothing runs whose
    exact line the user has not agreed to; ``given_is_agreed`` says that naming the file was the agreement to what it
    holds, where nobody can be asked.
    """

    def __init__(
        self,
        *,
        source: str,
        environment: Mapping[str, str],
        workspace: Callable[[Settings], Path],
        given: Sequence[ServerConfig] = (),
        given_is_agreed: bool = False,
        data_folder: Path | None = None,
    ) -> None:
        self._source = source
        self._environment = environment
        self._workspace = workspace
        self._given = given
        self._given_is_agreed = given_is_agreed
        self._data_folder = data_folder
        self._listed: tuple[Settings, tuple[ServerEntry, ...]] | None = None

    @property
    def given(self) -> Sequence[ServerConfig]:
        """The servers of ``--mcp-config``."""
        return self._given

    def configs(self, settings: Settings) -> tuple[ServerConfig, ...]:
        """Return the servers that are to run. An entry that cannot be used is left out; see ``problems``.

        So is one that waits for the user: whose line nobody agreed to, or that lacks a value.
        """
        own = [s for s in self._bundled(settings) if s.id not in settings.bundled_servers_off]
        waiting = {e.id for e in self.listed(settings) if not e.is_confirmed or e.missing}
        others = [*self._usable(settings)[1], *self._given]
        servers = [*own, *(s for s in others if s.id not in waiting)]
        return tuple({server.id: server for server in servers}.values())

    def trust(self, settings: Settings, server_id: str) -> ServerTrust:
        """Return what the user set for a server and its tools."""
        entry = next((entry for entry in self.listed(settings) if entry.id == server_id), None)
        return UNKNOWN_SERVER if entry is None else entry.trust

    def chats(self, settings: Settings, server_id: str) -> tuple[str, ...]:
        """Return the only threads in which the tools of a server are offered; empty where it is in all."""
        return next((entry.chats for entry in self.listed(settings) if entry.id == server_id), ())

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
        unseen = [e.key[:60] for e in self.listed(settings) if not e.is_confirmed and not e.problem]
        if unseen:
            names = ", ".join(unseen[:_MOST_NAMED]) + (" …" if len(unseen) > _MOST_NAMED else "")
            problems.append(SettingsError("settings.mcp_unseen", detail=names))
        return problems

    def listed(self, settings: Settings) -> tuple[ServerEntry, ...]:
        if self._listed is None or self._listed[0] is not settings:  # asked for again with every call of a tool
            self._listed = (settings, self._list(settings))
        return self._listed[1]

    def _list(self, settings: Settings) -> tuple[ServerEntry, ...]:
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
            entry = replace(entry, is_confirmed=not entry.enabled or entry.fingerprint in settings.confirmed_servers)
            if name not in ids and not entry.problem:
                entry = replace(entry, problem=TOO_MANY, problem_detail=str(MAX_SERVERS))
            elif ids.get(name) in given:
                entry = replace(entry, problem=REPLACED)
            else:
                entry = replace(entry, id=ids.get(name, ""))
            entries.append(entry)
        return (*bundled, *entries, *(self._given_entry(server, settings) for server in self._given))

    def _given_entry(self, server: ServerConfig, settings: Settings) -> ServerEntry:
        entry = _described(server, server.id, ServerOrigin.START, enabled=server.enabled)
        agreed = self._given_is_agreed or not entry.enabled or entry.fingerprint in settings.confirmed_servers
        return replace(entry, is_confirmed=agreed)

    def read(self, name: str, entry: object) -> ServerEntry:
        try:
            written = server_config("", entry, None)
        except EntryError as error:
            return ServerEntry(key=name, problem=error.code, problem_detail=error.detail, **_legible(entry))
        described = _with_decisions(_described(written, name, ServerOrigin.SETTINGS, enabled=written.enabled), entry)
        try:
            server_config("", entry, self._environment)
        except EntryError as error:
            return replace(described, problem=error.code, problem_detail=error.detail)
        return described

    async def elsewhere(self) -> Sequence[Elsewhere]:
        from desktop.mcp_client.foreign_settings import read_elsewhere  # no start needs it

        return await asyncio.to_thread(read_elsewhere, Path.home(), self._environment)

    def parse(self, text: str) -> Mapping[str, Any]:
        servers = read_mcp_json(text, source=self._source)
        if len(servers) > MAX_SERVERS:
            detail = f"It lists {len(servers)} servers, more than {MAX_SERVERS}."
            raise SettingsError("settings.mcp_config", path=self._source, detail=detail)
        return servers

    def _bundled(self, settings: Settings) -> list[ServerConfig]:
        return [bundled_command_server(self._workspace(settings), self._data_folder)]

    def _usable(self, settings: Settings) -> tuple[list[str], tuple[ServerConfig, ...]]:
        """Return the names of the entries that can be used, at most so many as are allowed, and what they say."""
        usable = {name: entry for name, entry in settings.mcp_servers.items() if not self.read(name, entry).problem}
        first = dict(list(usable.items())[:MAX_SERVERS])
        return list(first), parse_mcp_servers(first, source=self._source, environment=self._environment)


def _described(config: ServerConfig, key: str, origin: ServerOrigin, *, enabled: bool) -> ServerEntry:
    return ServerEntry(
        key=key,
        trust=BUNDLED_SERVER if config.bundled else UNKNOWN_SERVER,
        protocol=config.protocol,
        call_seconds=config.call_seconds,
        knows_folder=config.knows_folder,
        may_ask_model=config.may_ask_model,
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


def _with_decisions(entry: ServerEntry, raw: Any) -> ServerEntry:
    """Add what the user decided. Trust and permissions were given to one exact line, and lapse with it."""
    holds = raw.get("rulesFor") == entry.fingerprint
    rules = raw.get("tools")
    tool_rules = {name: _rule(value, holds) for name, value in rules.items()} if isinstance(rules, dict) else {}
    chats = raw.get("chats")
    return replace(
        entry,
        inputs=inputs_of(raw),
        chats=tuple(chat for chat in chats if isinstance(chat, str)) if isinstance(chats, list) else (),
        trust=ServerTrust(
            is_trusted=holds and raw.get("trusted") is True,
            rule=_rule(raw.get("rule"), holds),
            tool_rules={name: rule for name, rule in tool_rules.items() if rule is not None},
        ),
    )


def _rule(given: object, holds: bool) -> ToolRule | None:
    if given is None:
        return None
    try:
        rule = ToolRule(str(given))
    except ValueError:
        return ToolRule.ASK  # somebody meant something by it
    return None if rule is ToolRule.ALLOW and not holds else rule


def _fingerprint(config: ServerConfig) -> str:
    """Cover the values that were entered for it, except secrets: those decide neither program nor address.

    Of the headers only those that send variables of this computer along: what they hold is not theirs to know.
    """
    parts: list[Any] = [
        config.transport,
        config.command,
        config.args,
        sorted(config.env.items()),
        config.cwd,
        config.url,
    ]
    if sent := sorted(item for item in config.headers.items() if takes_variable(item[1])):
        parts.append(sent)
    return sha256_of_json(parts)


def _legible(entry: object) -> dict[str, Any]:
    """Return what can be shown of an entry that is wrong as a whole."""
    given: Mapping[str, Any] = entry if isinstance(entry, dict) else {}
    flags = {"enabled": given.get("disabled") is not True and given.get("enabled") is not False}
    url, command = given.get("url"), given.get("command")
    if isinstance(url, str):
        return {**flags, "transport": Transport.HTTP, "url": url}
    return {**flags, "argv": (command,)} if isinstance(command, str) else flags
