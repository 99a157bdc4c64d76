"""The report for a bug as plain text, in English: versions, settings without secrets, and the end of the log without texts.

What it may hold is listed here, field by field: what is added to the settings later is not in it by itself. Names,
addresses, folders, prompts and keys of the user never are.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, cast
from urllib.parse import urlsplit

from desktop.core.address_reach import said_reach
from desktop.core.keys_in_text import without_keys
from desktop.core.settings import Settings
from desktop.tools.visible_text import reveal

MOST_LOG_LINES = 120
_LONGEST_LINE = 300
_RECORD = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) ([A-Z]+) ([\w.-]+): (.*)$")
_FRAME = re.compile(r'^ *File "([^"]*)", line (\d+)(?:,)? in (\S+)')
_EXCEPTION = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Group|Exit))(?::.*)?$")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|‘[^’]*’")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_PATH = re.compile(r"(?<![\w~])(?:[A-Za-z]:[\\/]|[\\/]{1,2}|~[\\/])[^\s:,;()]*")
_PROGRAMS = frozenset({"npx", "node", "uvx", "uv", "python", "python3", "docker", "podman", "bunx", "deno", "dotnet"})
"""Programs whose name says how a server is started, and nothing about its owner."""


def problem_report(
    versions: Sequence[str],
    surroundings: Sequence[str],
    settings: Settings,
    log: Sequence[str],
    crash_log: Sequence[str],
) -> str:
    """Return the whole report. ``surroundings`` are lines about the desktop; the logs are given as they are on disk."""
    parts = (
        ("Versions", versions),
        ("Desktop", surroundings),
        ("Settings", settings_lines(settings)),
        (f"Log, the last lines, without texts (at most {MOST_LOG_LINES})", log_lines(log)),
        ("Crashes of the program itself, the last lines", log_lines(crash_log)),
    )
    lines: list[str] = []
    for title, content in parts:
        lines += [f"== {title} ==", *(_visible(line) for line in content or ["(none)"]), ""]
    return "\n".join(lines)


def settings_lines(settings: Settings) -> list[str]:
    """Return what of the settings helps to find a bug."""
    look, agent, memory, backup = settings.appearance, settings.agent, settings.memory, settings.backup
    lines = [
        f"look: theme {look.theme.value}, language {look.language[:12]}, font {look.font_size:g} pt, code"
        f" {look.code_font_size:g} pt, {look.density.value}, width {look.text_width}, reduce motion {_yes(look.reduce_motion)}",
        f"agent: mode {agent.permission_mode.value}, steps {agent.step_limit}, own prompt {_yes(agent.system_prompt)},"
        f" own folder {_yes(agent.workspace)}, names chats {_yes(agent.name_chats)}",
        "memory: " + ", ".join(f"{name} {_yes(value)}" for name, value in vars(memory).items() if type(value) is bool),
        f"backup: daily {_yes(backup.daily)}, own folder {_yes(backup.folder)}, WebDAV {_yes(backup.is_on_web)}",
        f"local API: {_yes(settings.api.enabled)}",
        f"own keys: {', '.join(sorted(settings.shortcuts)) or 'none'}",
        f"endpoints: {len(settings.endpoints)}",
    ]
    for endpoint in settings.endpoints:
        chosen = ", chosen" if endpoint.id == settings.endpoint_id else ""
        lines.append(f"  {_kind_of(endpoint.base_url)}, {len(endpoint.models)} models{chosen}")
    lines.append(f"tool servers of the user: {len(settings.mcp_servers)}")
    lines += [f"  {_server(entry)}" for entry in settings.mcp_servers.values()]
    lines.append(f"bundled servers off: {len(settings.bundled_servers_off)}")
    return lines


def log_lines(lines: Iterable[str]) -> list[str]:
    """Return the end of a log with nothing in it that somebody wrote: what packages say, quotes, addresses, paths go."""
    kept: list[str] = []
    for line in lines:
        if (shown := _log_line(line.rstrip("\n"))) is not None:
            kept.append(shown[:_LONGEST_LINE])
    return kept[-MOST_LOG_LINES:]


def _log_line(line: str) -> str | None:
    if record := _RECORD.match(line):
        moment, level, name, message = record.groups()
        return f"{moment} {level} {name}: {_message(name, message)}"
    if frame := _FRAME.match(line):
        file, number, function = frame.groups()
        return f"  {'/'.join(PurePath(file.replace(chr(92), '/')).parts[-3:])}:{number} {function}"
    if error := _EXCEPTION.match(line):
        return f"  {error[1]}"
    return line if line.startswith(("Fatal Python error", "Traceback (most", "Current thread", "Thread 0x")) else None


def _message(name: str, message: str) -> str:
    if not name.startswith("desktop"):
        return "(what other packages say is left out)"
    if name == "desktop.app.error_reporter":
        message = message.partition("(")[0]  # the code alone: what an endpoint or a server said follows
    for pattern, instead in ((_QUOTED, "“…”"), (_ADDRESS, "<address>"), (_PATH, "<path>")):
        message = pattern.sub(instead, message)
    return without_keys(message.replace(Path.home().name, "~") if len(Path.home().name) > 3 else message)


def _kind_of(address: str) -> str:
    """Return what kind of address it is; the address itself may tell whose it is."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return "an address that cannot be read"
    return f"{parts.scheme or 'no scheme'}, {said_reach(host).name.lower() if host else 'no host'}"


def _server(entry: object) -> str:
    if not isinstance(entry, Mapping):
        return "an entry that cannot be read"
    fields = cast(Mapping[str, Any], entry)
    state = "off" if fields.get("disabled") else "on"
    if isinstance(fields.get("url"), str):
        return f"web, {_kind_of(fields['url'])}, {state}"
    name = (
        PurePath(str(fields.get("command", "")).replace("\\", "/"))
        .name.lower()
        .removesuffix(".exe")
        .removesuffix(".cmd")
    )
    return f"program, {name if name in _PROGRAMS else 'another one'}, {state}"


def _visible(line: str) -> str:
    return reveal(line, keep_newlines=False).replace("<SPACE×2>", "  ")


def _yes(value: object) -> str:
    return "yes" if value else "no"
