"""Changes of the settings' list of servers, each as a function from the settings to the next ones."""

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any

from desktop.core.settings import Settings
from desktop.tools.entities import ServerEntry
from desktop.ui.settings.writer import Edit

MOST_CONFIRMED = 500


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number where it is taken."""
    folded = {other.casefold() for other in taken}
    candidate, number = name, 2
    while candidate.casefold() in folded:
        candidate, number = f"{name} {number}", number + 1
    return candidate


def with_entry(key: str, change: Any) -> Edit:
    def edit(settings: Settings) -> Settings:
        servers = settings.mcp_servers
        if not isinstance(servers.get(key), Mapping):
            return settings
        return _with_servers(settings, {**servers, key: change(servers[key])})

    return edit


def without(*keys: str) -> Edit:
    return lambda settings: _with_servers(
        settings, {key: raw for key, raw in settings.mcp_servers.items() if key not in keys}
    )


def with_inserted(key: str, raw: Any, place: int | None) -> Edit:
    def edit(settings: Settings) -> Settings:
        items = list(settings.mcp_servers.items())
        if key in settings.mcp_servers:
            return settings  # another one took the name meanwhile
        items.insert(len(items) if place is None else place, (key, raw))
        return _with_servers(settings, dict(items))

    return edit


def with_more(servers: Mapping[str, Any]) -> Edit:
    return lambda settings: _with_servers(settings, {**settings.mcp_servers, **servers})


def with_renamed(old_key: str, key: str, raw: Any) -> Edit:
    return lambda settings: _with_servers(
        settings,
        {
            key if name == old_key else name: raw if name == old_key else value
            for name, value in settings.mcp_servers.items()
        },
    )


def as_before(before: Settings) -> Edit:
    def edit(settings: Settings) -> Settings:
        servers = {**before.mcp_servers, **settings.mcp_servers}
        return dataclasses.replace(settings, mcp_servers=servers, bundled_servers_off=before.bundled_servers_off)

    return edit


def with_bundled(server_id: str, on: bool) -> Edit:
    def edit(settings: Settings) -> Settings:
        off = [other for other in settings.bundled_servers_off if other != server_id]
        return dataclasses.replace(settings, bundled_servers_off=tuple(off if on else [*off, server_id]))

    return edit


def confirming(inner: Edit, entry: ServerEntry) -> Edit:
    """The same change, which also remembers that the user agreed to this line."""

    def edit(settings: Settings) -> Settings:
        changed = inner(settings)
        known = [mark for mark in changed.confirmed_servers if mark != entry.fingerprint]
        marks = [*known, entry.fingerprint] if entry.fingerprint else known
        return dataclasses.replace(changed, confirmed_servers=tuple(marks[-MOST_CONFIRMED:]))

    return edit


def deciding(entry: ServerEntry, key: str, value: Any) -> Edit:
    """What the user decided about a server; trust and permissions hold for the line that it has now, no other."""

    def change(raw: Mapping[str, Any]) -> dict[str, Any]:
        changed = {name: own for name, own in raw.items() if name != key}
        if raw.get("rulesFor") != entry.fingerprint:  # what lapsed must not come back with a new decision
            changed = {name: own for name, own in changed.items() if name not in ("trusted", "rule")}
            if key != "tools" and isinstance(rules := changed.get("tools"), Mapping):
                changed["tools"] = {name: rule for name, rule in rules.items() if rule != "allow"}
        if value is not None:
            changed[key] = value
        return changed if key == "chats" else {**changed, "rulesFor": entry.fingerprint}

    return with_entry(entry.key, change)


def _with_servers(settings: Settings, servers: Mapping[str, Any]) -> Settings:
    return dataclasses.replace(settings, mcp_servers=dict(servers))
