"""Entries of servers as other programs write them, turned into ours; nothing of them is trusted on their word."""

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from desktop.tools.entities import MOST_CALL_SECONDS
from desktop.tools.server_inputs import INPUTS, read_input, references, with_inputs
from desktop.tools.trust import DECISIONS

_MILLISECONDS_FROM = 3_600
"""A larger time limit is meant in milliseconds: programs do not agree on the unit, and nobody waits hours for a call."""
_SAME = {
    "environment": "env",
    "workingDirectory": "cwd",
    "http_headers": "headers",
    "serverUrl": "url",
    "httpUrl": "url",
    "baseUrl": "url",
    "uri": "url",
    "tool_timeout_sec": "timeout",
    "allow_insecure": "allowInsecure",
}
"""Other names of our keys; ours win where both are there."""
_ON = ("isActive", "active")
_OFF_TOOLS = ("disabledTools", "disabled_tools", "excludeTools")
_SELF_ALLOWED = (
    *("autoApprove", "auto_approve", "alwaysAllow", "trust", "disabledAutoApproveTools", "allowedTools"),
    *("default_tools_approval_mode", "toolApproval"),
)
"""Permissions that another program gave; they are no permissions here."""
_KINDS = {
    **dict.fromkeys(("stdio", "local"), "stdio"),
    "sse": "sse",
    "remote": "http",
    "http": "http",
    "streamablehttp": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamable": "http",
    "http_stream": "http",
}
_PLACES = re.compile(r"\$\{(userHome|workspaceFolder|workspaceFolderBasename|pathSeparator|/)\}")
_FOLDER = "folder"
"""The input that stands for the folder that is open in the other program: no secret."""


def in_our_shape(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry with our names for what it says; what is ours already, and what nobody knows, stays."""
    changed = {_SAME[key] if key in _SAME and _SAME[key] not in entry else key: v for key, v in entry.items()}
    for key in _ON:
        if isinstance(is_on := changed.pop(key, None), bool) and not is_on:
            changed["disabled"] = True
    _take_apart_command(changed)
    _read_kind(changed, entry)
    _read_codex(changed)
    if isinstance(changed.get("env"), Mapping):
        changed["env"] = _plain_texts(changed["env"])
    if isinstance(changed.get("headers"), Mapping):
        changed["headers"] = _plain_texts(changed["headers"])
    if changed.get("cwd") is None:
        changed.pop("cwd", None)
    if (limit := changed.get("timeout")) is not None and not isinstance(limit, bool) and isinstance(limit, int | float):
        seconds = limit / 1000 if limit > _MILLISECONDS_FROM else limit
        if 0 < seconds <= MOST_CALL_SECONDS:
            changed["timeout"] = int(seconds) if seconds == int(seconds) else seconds
        else:
            del changed["timeout"]
    return changed


def as_new(entry: Mapping[str, Any], inputs: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a foreign entry as one that may be added: in our shape, without permissions, with no secret of ours.

    ``inputs`` are the descriptions that stood beside it, by their ids.
    """
    changed = in_our_shape(entry)
    blocked = [name for key in _OFF_TOOLS for name in _names(changed.pop(key, None))]
    for key in (*_SELF_ALLOWED, *DECISIONS):
        changed.pop(key, None)
    if blocked:
        changed["tools"] = dict.fromkeys(blocked, "block")
    described = {_FOLDER: {"password": False}, **(inputs or {}), **_mapping(changed.get(INPUTS))}
    changed = _replaced(changed, _with_inputs_for_places)
    known = {name: read_input(name, _unkept(described.get(name))) for name in references(changed) if name in described}
    return with_inputs(changed, known)


def _take_apart_command(entry: dict[str, Any]) -> None:
    """Programs write the command as a list, as an object (Zed), or as a whole line without ``args``."""
    command = entry.get("command")
    if isinstance(command, Mapping) and isinstance(path := command.get("path", command.get("command", "")), str):
        entry["command"] = path
        for key in ("args", "env"):
            if key in command and key not in entry:
                entry[key] = command[key]
    elif isinstance(command, list) and all(isinstance(word, str) for word in command):
        entry["command"] = command[0] if command else ""
        entry["args"] = [*command[1:], *(given if isinstance(given := entry.get("args"), list) else [])]
    elif isinstance(command, str) and not entry.get("args") and re.match(r"[\w.-]+\s+\S", command):
        try:
            entry["command"], *entry["args"] = shlex.split(command)
        except ValueError:
            return
    if entry.get("args") is None:
        entry.pop("args", None)


def _read_kind(entry: dict[str, Any], original: Mapping[str, Any]) -> None:
    kind = str(entry.get("transport") or entry.get("type") or "").lower()
    if kind in _KINDS:
        kind = _KINDS[kind]
        entry.pop("transport", None)
        entry["type"] = kind
    elif not kind and isinstance(entry.get("url"), str) and "httpUrl" not in original:
        path = entry["url"].partition("?")[0].rstrip("/")
        if path.endswith("/sse"):
            entry["type"] = "sse"
    for key in ("command", "args") if kind in ("sse", "http") else ("url",) if kind == "stdio" else ():
        if not entry.get(key):
            entry.pop(key, None)


def _read_codex(entry: dict[str, Any]) -> None:
    if isinstance(variable := entry.pop("bearer_token_env_var", None), str) and variable:
        entry["headers"] = {**_mapping(entry.get("headers")), "Authorization": f"Bearer ${{{variable}}}"}
    if isinstance(named := entry.pop("env_http_headers", None), Mapping):
        entry["headers"] = {**_mapping(entry.get("headers")), **{k: f"${{{v}}}" for k, v in named.items()}}
    if isinstance(passed := entry.pop("env_vars", None), list):
        entry["env"] = {**{str(name): f"${{{name}}}" for name in passed}, **_mapping(entry.get("env"))}


def _plain_texts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with truth values as text; what is empty (null) is left out, as other programs do."""
    texts = {True: "true", False: "false"}
    return {
        key: texts[value] if isinstance(value, bool) else value for key, value in values.items() if value is not None
    }


def _with_inputs_for_places(text: str) -> str:
    """A place that only the other program knows (its open folder) is asked for like any other value."""
    return _PLACES.sub(_place, text)


def _place(match: re.Match[str]) -> str:
    match match.group(1):
        case "userHome":
            return "${HOME}"
        case "pathSeparator" | "/":
            return "/"
    return f"${{input:{_FOLDER}}}"


def _replaced(entry: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, Mapping):
            return {key: walk(inner) for key, inner in value.items()}
        return [walk(inner) for inner in value] if isinstance(value, list) else value

    return {key: walk(value) if key != INPUTS else value for key, value in entry.items()}


def _unkept(described: object) -> object:
    """A description that comes from elsewhere must not lead to a secret that is kept here."""
    if not isinstance(described, Mapping):
        return described
    return {key: value for key, value in described.items() if key != "kept"}


def _names(value: object) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _mapping(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}
